/*
 * renumber.c - a model without its weak links, its words under other numbers.
 *
 * Links are put in order by their new right word, then by their new left word, each time by
 * counting: two passes over the links, and eight bytes for each beside the copy. Words that
 * keep their numbers keep their order, too: their links are counted and copied on all threads.
 */
#include "lexicon/renumber.h"

#include "par/pool.h"

enum { PART = 256 }; /* left words of a part */

typedef struct source {
    uint32_t link, left; /* the old number of the link, the new one of its left word */
} source;

typedef struct renumberer {
    dpl_ctx *ctx;
    const dpl__wordmodel *from;
    dpl__wordmodel *out;
    const uint32_t *const *rank;
    float least;
    source *sources;    /* by new right word */
    uint32_t *by_right; /* of each new right word: where its sources begin */
} renumberer;

static uint32_t new_word(const renumberer *r, int side, uint32_t word)
{
    assert(word < r->from->n_words[side]);
    return r->rank[side] ? r->rank[side][word] : word;
}

/* How many links each word keeps: out->begin of left words, by_right of right ones; both end up
 * as the ends of the words' links. */
static void count_links(renumberer *r)
{
    const dpl__wordmodel *m = r->from;
    for (uint32_t w = 0; w < m->n_words[DPL__LEFT]; w++)
        for (uint64_t k = m->begin[w]; k < m->begin[w + 1]; k++)
            if (m->counts[k] >= r->least) {
                r->out->begin[new_word(r, DPL__LEFT, w)]++;
                r->by_right[new_word(r, DPL__RIGHT, m->right[k])]++;
                r->out->n_links++;
            }
    for (uint32_t w = 0; w < m->n_words[DPL__LEFT]; w++)
        r->out->begin[w + 1] += r->out->begin[w];
    for (uint32_t w = 1; w < m->n_words[DPL__RIGHT]; w++)
        r->by_right[w] += r->by_right[w - 1];
}

static void sort_by_right(renumberer *r)
{
    const dpl__wordmodel *m = r->from;
    for (uint32_t w = m->n_words[DPL__LEFT]; w-- > 0;)
        for (uint64_t k = m->begin[w + 1]; k-- > m->begin[w];)
            if (m->counts[k] >= r->least) {
                uint32_t right = new_word(r, DPL__RIGHT, m->right[k]);
                r->sources[--r->by_right[right]] =
                    (source){(uint32_t)k, new_word(r, DPL__LEFT, w)};
            }
}

/* From the last to the first: begin[w] moves down to where it belongs. */
static void copy_links(renumberer *r)
{
    const dpl__wordmodel *m = r->from;
    dpl__wordmodel *out = r->out;
    for (uint64_t i = out->n_links; i-- > 0;) {
        source s = r->sources[i];
        uint64_t to = --out->begin[s.left];
        assert(to < out->n_links && s.link < m->n_links);
        out->right[to] = new_word(r, DPL__RIGHT, m->right[s.link]);
        out->links[to] = m->links[s.link];
        out->counts[to] = m->counts[s.link];
    }
}

/* Behind all others: links that are not in the table. */
static void copy_unknown(const renumberer *r)
{
    for (uint64_t i = 0; i < 2; i++)
        r->out->links[r->out->n_links + i] = r->from->links[r->from->n_links + i];
}

/* ---- words that keep their numbers -------------------------------------------------- */

static void count_part(void *user, size_t part)
{
    const renumberer *r = user;
    const dpl__wordmodel *m = r->from;
    const size_t end = dpl__min((part + 1) * PART, m->n_words[DPL__LEFT]);
    for (size_t w = part * PART; w < end; w++) {
        uint64_t n = 0;
        for (uint64_t k = m->begin[w]; k < m->begin[w + 1]; k++)
            n += m->counts[k] >= r->least;
        r->out->begin[w + 1] = n;
    }
}

static void copy_part(void *user, size_t part)
{
    const renumberer *r = user;
    const dpl__wordmodel *m = r->from;
    dpl__wordmodel *out = r->out;
    const size_t end = dpl__min((part + 1) * PART, m->n_words[DPL__LEFT]);
    uint64_t to = out->begin[part * PART];
    for (uint64_t k = m->begin[part * PART]; k < m->begin[end]; k++)
        if (m->counts[k] >= r->least) {
            out->right[to] = m->right[k];
            out->links[to] = m->links[k];
            out->counts[to++] = m->counts[k];
        }
    assert(to == out->begin[end]);
}

static size_t n_parts(const renumberer *r)
{
    return ((size_t)r->from->n_words[DPL__LEFT] + PART - 1) / PART;
}

static dpl_status count_in_order(renumberer *r, dpl_error *err)
{
    DPL_TRY(dpl__parallel_each(r->ctx, n_parts(r), r, count_part, err));
    for (uint32_t w = 0; w < r->from->n_words[DPL__LEFT]; w++)
        r->out->begin[w + 1] += r->out->begin[w];
    r->out->n_links = r->out->begin[r->from->n_words[DPL__LEFT]];
    return DPL_OK;
}

/* ---- all of it ---------------------------------------------------------------------- */

static dpl_status copy_words(renumberer *r, int side, dpl_error *err)
{
    const dpl__wordmodel *m = r->from;
    dpl__wordmodel *out = r->out;
    uint32_t n = m->n_words[side];
    out->tokens[side] = dpl__alloc(r->ctx, n * sizeof *out->tokens[side]);
    out->empty[!side] = dpl__alloc(r->ctx, n * sizeof *out->empty[!side]);
    if (n && (!out->tokens[side] || !out->empty[!side]))
        return dpl__fail_nomem(err);
    for (uint32_t w = 0; w < n; w++) {
        out->tokens[side][new_word(r, side, w)] = m->tokens[side][w];
        out->empty[!side][new_word(r, side, w)] = m->empty[!side][w];
    }
    return DPL_OK;
}

static dpl_status renumber(renumberer *r, dpl_error *err)
{
    dpl__wordmodel *out = r->out;
    const bool has_ranks = r->rank[0] || r->rank[1];
    for (int side = 0; side < 2; side++)
        DPL_TRY(copy_words(r, side, err));
    out->begin = dpl__calloc(r->ctx, (size_t)out->n_words[DPL__LEFT] + 1, sizeof *out->begin);
    if (has_ranks)
        r->by_right = dpl__calloc(r->ctx, out->n_words[DPL__RIGHT], sizeof *r->by_right);
    if (!out->begin || (has_ranks && !r->by_right && out->n_words[DPL__RIGHT]))
        return dpl__fail_nomem(err);
    if (has_ranks)
        count_links(r);
    else
        DPL_TRY(count_in_order(r, err));
    size_t n = (size_t)out->n_links;
    out->right = dpl__alloc(r->ctx, n * sizeof *out->right);
    out->links = dpl__alloc(r->ctx, (n + 2) * sizeof *out->links);
    out->counts = dpl__alloc(r->ctx, n * sizeof *out->counts);
    if (!out->links || (n && (!out->right || !out->counts)))
        return dpl__fail_nomem(err);
    copy_unknown(r);
    if (!has_ranks)
        return dpl__parallel_each(r->ctx, n_parts(r), r, copy_part, err);
    r->sources = dpl__alloc(r->ctx, n * sizeof *r->sources);
    if (n && !r->sources)
        return dpl__fail_nomem(err);
    sort_by_right(r);
    copy_links(r);
    return DPL_OK;
}

dpl_status dpl__wordmodel_renumber(dpl__wordmodel *out, const dpl__wordmodel *model,
                                   const uint32_t *const rank[2], double least, dpl_error *err)
{
    renumberer r = {
        .ctx = model->ctx, .from = model, .out = out, .rank = rank, .least = (float)least};
    *out = (dpl__wordmodel){.ctx = model->ctx};
    for (int side = 0; side < 2; side++) {
        out->n_words[side] = model->n_words[side];
        out->n_empty[side] = model->n_empty[side];
        out->p_empty[side] = model->p_empty[side];
        memcpy(out->jumps[side], model->jumps[side], sizeof out->jumps[side]);
    }
    dpl_status status = renumber(&r, err);
    dpl__free(r.ctx, r.sources, r.by_right);
    if (status != DPL_OK)
        dpl__wordmodel_clear(out);
    return status;
}
