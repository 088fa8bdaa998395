/*
 * bead_repeats.c - equal sentence pairs, found by sorting hashes of their texts.
 *
 * In: beads of all document pairs. Out: the same beads, some of them with another verdict. Each
 * kept bead gives a record of 128 bits of hash, its place and its score; sorted by hash, equal
 * pairs stand together; what is to be dropped is sorted back by place and read beside the
 * beads. Two different pairs with equal hashes: one chance in 10^20 for 10^9 pairs. Cost: two
 * external sorts of about 48 bytes a pair, one pass over the texts.
 */
#include "sentences/bead_repeats.h"

#include "base/ctx.h"
#include "base/hash.h"
#include "io/external_sort.h"
#include "sentences/sentences_params.h"

typedef struct record {
    uint64_t key[2]; /* hash of both texts */
    uint64_t place;  /* of its bead among all */
    uint64_t pair;
    float score;
    uint32_t reserve; /* 0 */
} record;

/* A bead that gets another verdict. */
typedef struct dropped {
    uint64_t place, verdict; /* as a dpl_verdict */
} dropped;

static bool has_lower_key(const record *a, const record *b)
{
    return a->key[0] != b->key[0] ? a->key[0] < b->key[0] : a->key[1] < b->key[1];
}

static bool is_before(const dropped *a, const dropped *b)
{
    return a->place < b->place;
}

DPL_EXTERNAL_SORT(text_sort, record, has_lower_key, DPL_KEEP_ALL);
DPL_EXTERNAL_SORT(place_sort, dropped, is_before, DPL_KEEP_ALL);

typedef struct work {
    dpl_ctx *ctx;
    const dpl__repeats_options *options;
    dpl__aligned *aligned, *marked;
    dpl__spill spill;
    text_sort by_text;
    place_sort by_place;
    dpl__bytes text;
    DPL_VEC(record) group; /* equal pairs */
    uint64_t place;        /* of the bead at hand */
    dropped next;          /* place UINT64_MAX: no more */
    size_t n_pairs;        /* document pairs */
    DPL_VEC(dpl_bead) beads;
} work;

/* ---- texts ---------------------------------------------------------------------------- */

/* Words with one blank between them. */
static bool add_words(work *w, dpl_str s)
{
    size_t from = w->text.n;
    if (!dpl__vec_reserve(w->ctx, &w->text, from + s.n + 1))
        return false;
    for (size_t i = 0; i < s.n; i++) {
        unsigned char c = (unsigned char)s.data[i];
        bool is_blank = c <= 0x20 || c == 0x7F;
        if (is_blank && (w->text.n == from || w->text.data[w->text.n - 1] == ' '))
            continue;
        w->text.data[w->text.n++] = is_blank ? ' ' : (char)c;
    }
    return true;
}

static dpl_str side_text(const work *w, const dpl_aligned_docs *d, const dpl_bead *b, int side)
{
    uint32_t unit = side ? b->right : b->left, n = side ? b->n_right : b->n_left;
    uint32_t first = d->units[side][unit];
    return dpl_sentences_text(w->options->c[side], side ? d->docs.right : d->docs.left, first,
                              d->units[side][unit + n] - first);
}

static dpl_status add_bead(work *w, const dpl_aligned_docs *d, const dpl_bead *b,
                           dpl_error *err)
{
    record r = {.key = {1, 2}, .place = w->place, .pair = d->pair, .score = b->score};
    w->text.n = 0;
    DPL_TRY(dpl__need(add_words(w, side_text(w, d, b, 0)) &&
                          dpl__vec_push(w->ctx, &w->text, '\t') &&
                          add_words(w, side_text(w, d, b, 1)),
                      err));
    for (size_t i = 0; i < DPL_LEN(r.key); i++)
        r.key[i] = dpl__hash(w->text.data, w->text.n, r.key[i]);
    return text_sort_add(&w->by_text, &r, err);
}

static dpl_status add_docs(void *user, const dpl_aligned_docs *d, dpl_error *err)
{
    work *w = user;
    for (size_t i = 0; i < d->n_beads; i++, w->place++)
        if (d->beads[i].verdict == DPL_VERDICT_KEPT)
            DPL_TRY(add_bead(w, d, &d->beads[i], err));
    return DPL_OK;
}

/* ---- groups of equal pairs -------------------------------------------------------------- */

/* Records of a group come in the order of their places. */
static bool is_frequent(const work *w)
{
    size_t n = w->group.n > 0;
    for (size_t i = 1; i < w->group.n; i++)
        n += w->group.data[i].pair != w->group.data[i - 1].pair;
    return w->options->no_frequent && (double)n >= P(frequent_pairs) &&
           (double)n >= P(frequent_share) * (double)w->n_pairs;
}

static dpl_status end_group(work *w, dpl_error *err)
{
    bool are_frequent = is_frequent(w);
    size_t best = 0;
    for (size_t i = 1; i < w->group.n; i++)
        if (w->group.data[i].score > w->group.data[best].score)
            best = i;
    for (size_t i = 0; i < w->group.n; i++) {
        const dropped one = {w->group.data[i].place,
                             are_frequent ? DPL_VERDICT_FREQUENT : DPL_VERDICT_REPEATED};
        if (are_frequent || (w->options->is_unique && i != best))
            DPL_TRY(place_sort_add(&w->by_place, &one, err));
    }
    w->group.n = 0;
    return DPL_OK;
}

static dpl_status find_groups(work *w, dpl_error *err)
{
    record r;
    dpl_status status;
    DPL_TRY(text_sort_end(&w->by_text, err));
    while ((status = text_sort_next(&w->by_text, &r, err)) == DPL_OK) {
        if (w->group.n && has_lower_key(&w->group.data[0], &r))
            DPL_TRY(end_group(w, err));
        DPL_TRY(dpl__need(dpl__vec_push(w->ctx, &w->group, r), err));
    }
    return status == DPL_END ? end_group(w, err) : status;
}

/* ---- new verdicts ----------------------------------------------------------------------- */

static dpl_status find_next(work *w, dpl_error *err)
{
    dpl_status status = place_sort_next(&w->by_place, &w->next, err);
    if (status == DPL_END)
        w->next.place = UINT64_MAX;
    return status == DPL_END ? DPL_OK : status;
}

static dpl_status mark_docs(void *user, const dpl_aligned_docs *d, dpl_error *err)
{
    work *w = user;
    w->beads.n = 0;
    DPL_TRY(dpl__need(dpl__vec_append(w->ctx, &w->beads, d->beads, d->n_beads), err));
    for (size_t i = 0; i < d->n_beads; i++, w->place++)
        if (w->place == w->next.place) {
            w->beads.data[i].verdict = (dpl_verdict)w->next.verdict;
            DPL_TRY(find_next(w, err));
        }
    dpl_aligned_docs marked = *d;
    marked.beads = w->beads.data;
    return dpl__aligned_add(w->marked, &marked, err);
}

static dpl_status mark(work *w, dpl_error *err)
{
    const dpl__repeats_options *o = w->options;
    DPL_TRY(dpl__spill_init(&w->spill, w->ctx, o->dir, err));
    text_sort_init(&w->by_text, &w->spill, o->share);
    place_sort_init(&w->by_place, &w->spill, o->share);
    DPL_TRY(dpl__aligned_new(&w->marked, w->ctx, o->dir, o->share, err));
    DPL_TRY(dpl__aligned_each(w->aligned, NULL, w->n_pairs, add_docs, w, err));
    DPL_TRY(find_groups(w, err));
    DPL_TRY(place_sort_end(&w->by_place, err));
    w->place = 0;
    DPL_TRY(find_next(w, err));
    return dpl__aligned_each(w->aligned, NULL, w->n_pairs, mark_docs, w, err);
}

dpl_status dpl__repeats_mark(dpl__aligned **aligned, dpl_ctx *ctx,
                             const dpl__repeats_options *options, dpl_error *err)
{
    work w = {.ctx = ctx,
              .options = options,
              .aligned = *aligned,
              .n_pairs = dpl__aligned_size(*aligned)};
    if (!options->is_unique && !options->no_frequent)
        return DPL_OK;
    dpl_status status = mark(&w, err);
    if (status == DPL_OK) {
        dpl__aligned *old = *aligned;
        *aligned = w.marked;
        w.marked = old;
    }
    dpl__aligned_free(w.marked);
    place_sort_clear(&w.by_place);
    text_sort_clear(&w.by_text);
    dpl__spill_clear(&w.spill);
    dpl__vec_clear(ctx, &w.text, &w.group, &w.beads);
    return status;
}
