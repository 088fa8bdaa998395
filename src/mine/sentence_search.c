/*
 * sentence_search.c - candidates of each sentence, scored by alignment and length.
 *
 * In: vectors, a lexicon. Out: the best of each sentence of both sides, as neighbours.c takes
 * them. Score of a pair: the mean log-likelihood ratio of a word, against its unigram
 * probability, in both directions, less a penalty for their difference (one sentence that is
 * part of the other) and for lengths that do not fit. Of a pair that the lexicon was trained on
 * its own counts are taken away first (leave one out), or wrong pairs would confirm themselves.
 *
 * Cost: two searches in the first round, one in each of the others; scoring a candidate is
 * linear in its words and in the links between them. Both sides of a pair come to the same
 * score: sums go by position in both.
 */
#include "mine/sentence_search.h"

#include "base/ctx.h"
#include "base/maths.h"
#include "mine/mine_params.h"
#include "mine/sentence_score.h"
#include "mine/word_links.h"
#include "par/pool.h"
#include "vectors/vectors.h"

#include <math.h>

enum {
    CANDIDATES = 24, /* nearest by lexicon */
    SPELLED = 12,    /* nearest by spelling */
    MOST = CANDIDATES + SPELLED,
    BLOCK = 64 /* rows that a thread takes */
};

#define NONE UINT32_MAX

/* ---- what stays ------------------------------------------------------------------------- */

static size_t count_letters(dpl_str text)
{
    size_t n = 0;
    for (size_t i = 0; i < text.n; i++)
        n += ((unsigned char)text.data[i] & 0xC0) != 0x80;
    return n;
}

/* Languages differ in length: logarithms are taken from the mean of their side, which is summed
 * up in whole numbers: the order of documents does not matter. */
static void measure_lengths(dpl__sentence_search *s, const dpl_collection *c, int side)
{
    const double unit = 1048576;
    int64_t sum = 0;
    for (uint32_t doc = 0; doc < s->sides.n_docs[side]; doc++) {
        double n = (double)count_letters(dpl_collection_doc(c, doc).text);
        s->sides.length[side][doc] = (float)dpl__log(n + DPL__P(mine, length_offset));
        sum += (int64_t)((double)s->sides.length[side][doc] * unit);
    }
    float mean = (float)((double)sum / unit / (double)s->sides.n_docs[side]);
    for (uint32_t doc = 0; doc < s->sides.n_docs[side]; doc++)
        s->sides.length[side][doc] -= mean;
}

static dpl_status start_side(dpl__sentence_search *s, const dpl_collection *c, int side,
                             dpl_error *err)
{
    size_t n = s->sides.n_docs[side] = dpl_collection_get_sizes(c)->n_docs;
    s->sides.length[side] = dpl__alloc(s->ctx, (n + 1) * sizeof *s->sides.length[side]);
    s->sides.trained[side] = dpl__alloc(s->ctx, (n + 1) * sizeof *s->sides.trained[side]);
    DPL_TRY(dpl__need(s->sides.length[side] && s->sides.trained[side], err));
    measure_lengths(s, c, side);
    for (size_t doc = 0; doc < n; doc++)
        s->sides.trained[side][doc] = NONE;
    return DPL_OK;
}

dpl_status dpl__sentence_search_new(dpl__sentence_search **out, const dpl__round_input *in,
                                    dpl_error *err)
{
    const dpl__comparable *p = in->corpus;
    dpl__sentence_search *s = dpl__calloc(p->ctx, 1, sizeof *s);
    dpl_status status;
    *out = NULL;
    DPL_TRY(dpl__need(s, err));
    s->ctx = p->ctx;
    for (int side = 0; side < 2; side++)
        DPL__STEP(start_side(s, p->c[side], side, err));
    DPL__STEP(dpl__term_links_make(&s->prior, p->ctx, p->c[p->pivot], p->c[!p->pivot],
                                   in->lexicon, err));
    if (in->is_strict && !in->lexicon)
        DPL__STEP(dpl__alike_words_find(&s->alike, p, err));
    *out = s;
    return DPL_OK;
done:
    dpl__sentence_search_free(s);
    return status;
}

static void free_spelled(dpl__sentence_search *s)
{
    for (int side = 0; side < 2; side++) {
        dpl__free(s->ctx, s->spelled[side]);
        s->spelled[side] = NULL;
    }
}

void dpl__sentence_search_free(dpl__sentence_search *s)
{
    if (!s)
        return;
    free_spelled(s);
    for (int side = 0; side < 2; side++)
        dpl__free(s->ctx, s->sides.length[side], s->sides.trained[side]);
    dpl__vec_clear(s->ctx, &s->alike);
    dpl__term_links_clear(&s->prior);
    dpl__free(s->ctx, s);
}

/* After a sample, all documents are searched by lexicon alone: spelling gives 0.006 of the
 * counterparts of news that the lexicon does not, and would take as long as everything else. */
static bool wants_spelled(const dpl__round_input *in)
{
    return !in->sample->skip || in->sample->is_used;
}

uint64_t dpl__sentence_search_bytes(const dpl__round_input *in, const uint64_t n_searched[2])
{
    const dpl__sentence_search *s = in->state;
    uint64_t bytes = 0;
    for (int side = 0; side < 2; side++) {
        uint64_t n = s->sides.n_docs[side];
        bytes += n_searched[side] * CANDIDATES * sizeof(dpl_scored_row);
        bytes += n * (sizeof(uint32_t) + sizeof(uint64_t)); /* row, sums of its training pair */
        if (wants_spelled(in))
            bytes += n * SPELLED * sizeof(uint32_t);
    }
    return bytes;
}

void dpl__sentence_search_note_trained(dpl__sentence_search *s, const dpl_doc_pair *pairs,
                                       size_t n_pairs)
{
    for (int side = 0; side < 2; side++)
        for (uint32_t doc = 0; doc < s->sides.n_docs[side]; doc++)
            s->sides.trained[side][doc] = NONE;
    for (size_t i = 0; i < n_pairs; i++) {
        s->sides.trained[0][pairs[i].left] = pairs[i].right;
        s->sides.trained[1][pairs[i].right] = pairs[i].left;
    }
}

/* ---- candidates ---------------------------------------------------------------------------
 */

static dpl_status find(dpl_neighbours **out, const dpl__comparable *p, dpl_vectors *const v[2],
                       unsigned k, const dpl_pairs_options *options, dpl_error *err)
{
    dpl_pairs_side left = {.vectors = v[0]}, right = {.vectors = v[1]};
    dpl_neighbours_options o =
        DPL_INIT(dpl_neighbours_options, .method = options->method, .k = k,
                 .threshold = options->threshold, .search = options, .temp = p->work);
    return dpl_neighbours_find(out, p->ctx, &left, &right, &o, err);
}

static const dpl_scored_row *list_of(const dpl_neighbours *n, int side, uint32_t row)
{
    return dpl_neighbours_of(n, side, row);
}

/* Rows differ between vectors by spelling and by lexicon; documents do not. */
static dpl_status keep_spelled(dpl__sentence_search *s, const dpl_neighbours *found,
                               dpl_vectors *const v[2], dpl_error *err)
{
    free_spelled(s);
    for (int side = 0; side < 2; side++) {
        size_t n = (size_t)s->sides.n_docs[side] * SPELLED;
        s->spelled[side] = dpl__alloc(s->ctx, n * sizeof *s->spelled[side]);
        DPL_TRY(dpl__need(s->spelled[side], err));
        for (size_t i = 0; i < n; i++)
            s->spelled[side][i] = NONE;
        for (uint32_t row = 0; row < v[side]->rows.n_rows; row++) {
            const dpl_scored_row *list = list_of(found, side, row);
            uint32_t *to = s->spelled[side] + (size_t)v[side]->docs[row] * SPELLED;
            for (size_t i = 0; i < SPELLED && list[i].row != NONE; i++)
                to[i] = v[!side]->docs[list[i].row];
        }
    }
    return DPL_OK;
}

static uint32_t count_searched(const dpl__round_input *in)
{
    return in->sample->is_used ? in->sample->n_docs : in->corpus->n_docs[in->sample->side];
}

/* Searches by spelling if the first round has not: it was made by an earlier run, or with a
 * lexicon. */
static dpl_status find_spelled(const dpl__round_input *in, const dpl_pairs_options *options,
                               dpl_error *err)
{
    dpl__sentence_search *s = in->state;
    dpl_vectors *v[2] = {NULL, NULL};
    dpl_neighbours *found = NULL;
    double known;
    dpl_status status = DPL_OK;
    if (!wants_spelled(in) || (s->spelled[0] && s->n_spelled_docs == count_searched(in)))
        return DPL_OK;
    for (int side = 0; side < 2 && status == DPL_OK; side++) {
        dpl__vector_docs docs = {side, dpl__round_skip(in, side)};
        status = dpl__make_vectors(&v[side], &known, in->corpus, docs, NULL, err);
    }
    if (status == DPL_OK)
        status = find(&found, in->corpus, v, SPELLED, options, err);
    if (status == DPL_OK)
        status = keep_spelled(s, found, v, err);
    s->n_spelled_docs = count_searched(in);
    dpl_neighbours_free(found);
    for (int side = 0; side < 2; side++)
        dpl_vectors_close(v[side]);
    return status;
}

/* ---- ranking ----------------------------------------------------------------------------
 */

typedef struct ranking {
    dpl_ctx *ctx;
    const dpl__sentence_search *s;
    bool has_spelled; /* the nearest by spelling are candidates, too */
    dpl__sentence_scorer *scorer;
    dpl_vectors *const *v;
    const dpl_neighbours *found;
    uint32_t *rows[2]; /* of each document: its row */
    dpl__neighbours *out;
    int side; /* whose lists are made */
} ranking;

/* Inserts into the sorted list; ties: lower key first. */
static void insert(dpl__near *near, const uint64_t *keys, uint32_t row, float value)
{
    size_t at = DPL__NEAREST;
    for (; at > 0 && (value > near[at - 1].score ||
                      (near[at - 1].row != NONE && value >= near[at - 1].score &&
                       keys[row] < keys[near[at - 1].row]));
         at--)
        if (at < DPL__NEAREST)
            near[at] = near[at - 1];
    if (at < DPL__NEAREST)
        near[at] = (dpl__near){row, value};
}

/* Rows of the other side to be scored. */
static size_t gather(uint32_t *out, const ranking *r, uint32_t row, uint32_t doc)
{
    size_t n = 0;
    const dpl_scored_row *list = list_of(r->found, r->side, row);
    for (size_t i = 0; i < CANDIDATES && list[i].row != NONE; i++)
        out[n++] = list[i].row;
    if (!r->has_spelled)
        return n;
    const uint32_t *spelled = r->s->spelled[r->side] + (size_t)doc * SPELLED;
    for (size_t i = 0, n_first = n; i < SPELLED && spelled[i] != NONE; i++) {
        uint32_t other = r->rows[!r->side][spelled[i]];
        bool is_new = other != NONE;
        for (size_t k = 0; k < n_first && is_new; k++)
            is_new = out[k] != other;
        if (is_new)
            out[n++] = other;
    }
    return n;
}

static dpl_status rank_block(void *user, size_t block, unsigned worker, dpl_error *err)
{
    const ranking *r = user;
    size_t end = dpl__min((block + 1) * BLOCK, (size_t)r->out->n[r->side]);
    for (size_t row = block * BLOCK; row < end; row++) {
        uint32_t candidates[MOST], doc = r->v[r->side]->docs[row];
        dpl__near *near = r->out->own[r->side] + row * DPL__NEAREST;
        size_t n = gather(candidates, r, (uint32_t)row, doc);
        DPL_TRY(dpl__sentence_scorer_load(r->scorer, worker, doc, err));
        for (size_t i = 0; i < n; i++) {
            double score;
            DPL_TRY(dpl__sentence_scorer_score(&score, r->scorer, worker,
                                               r->v[!r->side]->docs[candidates[i]], err));
            insert(near, r->out->keys[!r->side], candidates[i], (float)score);
        }
    }
    return DPL_OK;
}

static dpl_status rank_side(ranking *r, dpl_error *err)
{
    size_t n_blocks = ((size_t)r->out->n[r->side] + BLOCK - 1) / BLOCK;
    DPL_TRY(dpl__sentence_scorer_turn(r->scorer, r->side, err));
    return dpl__parallel_for(r->ctx, n_blocks, r, rank_block, err);
}

/* ---- all of it -------------------------------------------------------------------------- */

static dpl_status make_lists(ranking *r, dpl_error *err)
{
    for (int side = 0; side < 2; side++) {
        size_t n = (size_t)r->out->n[side] * DPL__NEAREST;
        r->out->near[side] = r->out->own[side] = dpl__alloc(r->ctx, n * sizeof(dpl__near));
        if (n && !r->out->own[side])
            return dpl__fail_nomem(err);
        for (size_t i = 0; i < n; i++)
            r->out->own[side][i] = (dpl__near){NONE, 0};
    }
    return DPL_OK;
}

static dpl_status number_rows(ranking *r, dpl_error *err)
{
    for (int side = 0; side < 2; side++) {
        size_t n = r->s->sides.n_docs[side];
        r->rows[side] = dpl__alloc(r->ctx, (n + 1) * sizeof *r->rows[side]);
        DPL_TRY(dpl__need(r->rows[side], err));
        for (size_t doc = 0; doc < n; doc++)
            r->rows[side][doc] = NONE;
        for (uint32_t row = 0; row < r->v[side]->rows.n_rows; row++)
            r->rows[side][r->v[side]->docs[row]] = row;
    }
    return DPL_OK;
}

static dpl_status rank(dpl__neighbours *out, const dpl__round_input *in,
                       dpl_vectors *const v[2], const dpl_neighbours *found, dpl_error *err)
{
    const dpl__comparable *p = in->corpus;
    const dpl__sentence_search *s = in->state;
    dpl__word_links links;
    const dpl__prior_links prior = {&s->prior, &s->alike};
    DPL_TRY(dpl__word_links_make(&links, p, in->lexicon, &prior, err));
    ranking r = {.ctx = p->ctx,
                 .s = s,
                 .has_spelled = wants_spelled(in),
                 .v = v,
                 .found = found,
                 .out = out};
    dpl_status status;
    if ((status = make_lists(&r, err)) != DPL_OK || (status = number_rows(&r, err)) != DPL_OK ||
        (status = dpl__sentence_scorer_new(&r.scorer, p, &s->sides, &links, err)) != DPL_OK)
        goto done;
    for (r.side = 0; r.side < 2 && status == DPL_OK; r.side++)
        status = rank_side(&r, err);
done:
    for (int side = 0; side < 2; side++)
        dpl__free(p->ctx, r.rows[side]);
    dpl__sentence_scorer_free(r.scorer);
    dpl__word_links_clear(&links);
    return status;
}

dpl_status dpl__sentence_neighbours_find(dpl__neighbours *out, const dpl__round_input *in,
                                         dpl_vectors *const v[2],
                                         const dpl_pairs_options *options, dpl_error *err)
{
    dpl_neighbours *found = NULL;
    dpl__sentence_search *s = in->state;
    const dpl__row_docs docs = dpl__row_docs_of(in->corpus);
    DPL_TRY(dpl__neighbours_new(out, in->corpus->ctx, v, &docs, err));
    dpl_status status;
    DPL__STEP(find(&found, in->corpus, v, CANDIDATES, options, err));
    if (!in->lexicon) {
        if ((status = keep_spelled(s, found, v, err)) != DPL_OK)
            goto done;
        s->n_spelled_docs = count_searched(in);
    }
    if ((status = find_spelled(in, options, err)) != DPL_OK)
        goto done;
    out->recall_check = *dpl_neighbours_get_summary(found)->recall_check;
    out->threshold = DPL__P(mine, least_cosine);
    status = rank(out, in, v, found, err);
done:
    dpl_neighbours_free(found);
    if (status != DPL_OK)
        dpl__neighbours_clear(out);
    return status;
}

/* ---- features --------------------------------------------------------------------------- */

/* The difference to the second best counts most, but not without bound: a sentence that is like
 * no other is not likelier to have a counterpart. */
dpl__features dpl__sentence_features(const dpl__comparable *p,
                                     const dpl__doc_candidate *candidate)
{
    const dpl__match *m = &candidate->match;
    double scale = DPL__P(mine, score_scale), lead[2], n_words = 1;
    size_t n;
    for (int side = 0; side < 2; side++) {
        lead[side] = fmax(scale * dpl__log((double)m->lead[side]), 0);
        (void)dpl_collection_tokens(p->c[side],
                                    side ? candidate->docs.right : candidate->docs.left, &n);
        n_words += (double)n;
    }
    double score = DPL__P(mine, score_middle) + scale * dpl__log((double)m->score);
    return (dpl__features){
        {DPL__P(mine, least_lead_weight) * dpl__log1p(fmin(lead[0], lead[1])) +
         DPL__P(mine, most_lead_weight) * dpl__log1p(fmax(lead[0], lead[1])) +
         DPL__P(mine, n_words_weight) * dpl__log(n_words) +
         DPL__P(mine, log_score_weight) *
             dpl__log1p(fmax(score + DPL__P(mine, score_offset), 0))}};
}
