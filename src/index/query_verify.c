/*
 * query_verify.c - candidates become hits.
 *
 * With vectors: the cosine is computed from the counts of words that the index holds, exactly
 * as if the vectors had been kept: idf, the document's length and the length of its vector give
 * each weight again. A document of another language is translated as it is read, but only into
 * terms that the query has. Without vectors: the share of bits of the codes that differ, as far
 * as it was seen, gives an estimate.
 */
#include "index/query.h"

#include "base/maths.h"
#include "base/order.h"

static double score_own(const dpl_query *q, uint32_t row, uint32_t *n_shared)
{
    const dpl_index *x = q->index;
    const double damp = dpl__bm25_damp(x, (double)dpl__packed_get(&x->doc_words, row));
    double sum = 0;
    uint32_t n = 0;
    dpl__row_reader r;
    for (dpl__row_begin(&r, x, row); dpl__row_block(&r);) {
        uint32_t passed[DPL__ROW_BLOCK], n_passed = 0;
        for (uint32_t i = 0; i < r.n; i++) {
            passed[n_passed] = i;
            n_passed += dpl__query_may_have(q, r.terms[i]);
        }
        for (uint32_t i = 0; i < n_passed; i++) {
            const dpl__query_entry *e = dpl__query_find_entry(q, r.terms[passed[i]]);
            if (!e)
                continue;
            sum += (double)e->weight * dpl__bm25(e->idf, r.counts[passed[i]], damp);
            n++;
        }
    }
    *n_shared = n;
    return sum;
}

/* The document's words through the lexicon. */
static double score_translated(dpl_query *q, const dpl__pocket_lexicon *lexicon, uint32_t row,
                               uint32_t *n_shared)
{
    const dpl_index *x = q->index;
    double *tf = q->sums.data, length = 0, sum = 0;
    memset(tf, 0, q->entries.n * sizeof *tf);
    dpl__row_reader r;
    dpl__row_begin(&r, x, row);
    while (dpl__row_next(&r)) {
        const uint32_t begin = lexicon->offsets[r.term], end = lexicon->offsets[r.term + 1];
        if (begin == end) {
            const dpl__query_entry *e = dpl__query_entry_of(q, r.term);
            length += r.count;
            if (e)
                tf[e - q->entries.data] += r.count;
        }
        for (uint32_t k = begin; k < end; k++) {
            const dpl__query_entry *e = dpl__query_entry_of(q, x->lexicon_terms[k]);
            const double part = (double)r.count * x->lexicon_p[k];
            length += part;
            if (e)
                tf[e - q->entries.data] += part;
        }
    }
    const double damp = dpl__bm25_damp(x, length);
    uint32_t n = 0;
    for (size_t i = 0; i < q->entries.n; i++)
        if (tf[i] > 0) {
            const dpl__query_entry *e = &q->entries.data[i];
            sum += (double)e->weight * dpl__bm25(e->idf, tf[i], damp);
            n++;
        }
    *n_shared = n;
    return sum;
}

float dpl__query_score(dpl_query *q, uint32_t row, uint32_t *n_shared)
{
    assert(row < q->index->n_docs);
    const dpl_index *x = q->index;
    const dpl__pocket_lexicon *lexicon =
        x->n_translated ? dpl__index_lexicon(x, dpl__index_doc_lang(x, row)) : NULL;
    const double norm = (double)x->norms[row];
    double sum =
        lexicon ? score_translated(q, lexicon, row, n_shared) : score_own(q, row, n_shared);
    sum = norm > 0 ? sum / norm : 0;
    assert(sum >= 0); /* weights are above 0 */
    return (float)(sum < 1 ? sum : 1);
}

/* ---- hits --------------------------------------------------------------------------- */

DPL__ORDER(by_score, dpl_query_hit, DPL__FALLING(score) DPL__RISING(row))

/* rp: bits that differ, of those that were compared. Codes that were not found have at least
 * one bit more than was looked up. */
static float estimate(const dpl_query *q, const dpl__candidate *c)
{
    const double pi = 3.14159265358979324;
    const unsigned k = q->index->hash.options.length, l = q->index->hash.options.codes;
    if (q->index->hash.options.function != DPL_HASH_RP)
        return (float)c->n_codes / (float)l;
    const double lost = l - c->n_codes;
    const double share = (c->n_flips + 4 * lost) / (k * (double)l);
    return (float)dpl__cos(pi * (share < 0.5 ? share : 0.5));
}

enum { FEW = 64 };

/* Enough hits: the threshold is the score of the last one. */
static void raise_threshold(dpl_query *q)
{
    if (q->hits.n < q->o.top)
        return;
    q->hits.n = q->o.top;
    const double last = (double)q->hits.data[q->hits.n - 1].score;
    q->threshold = last > q->threshold ? last : q->threshold;
}

/* Keeps the best ones. */
static void keep_best(dpl_query *q)
{
    dpl__vec_sort(&q->hits, by_score);
    raise_threshold(q);
}

/* The same with the last one out of order, of a few. */
static void sort_in(dpl_query *q)
{
    const dpl_query_hit hit = q->hits.data[q->hits.n - 1];
    size_t i = q->hits.n - 1;
    for (; i > 0 && by_score(&q->hits.data[i - 1], &hit) > 0; i--)
        q->hits.data[i] = q->hits.data[i - 1];
    q->hits.data[i] = hit;
    raise_threshold(q);
}

static dpl_status add_hit(dpl_query *q, const dpl__candidate *c, dpl_error *err)
{
    dpl_query_hit hit = {.row = c->row, .n_codes = c->n_codes};
    if (q->index->flags & DPL__F_VECTORS) {
        hit.score = dpl__query_score(q, c->row, &hit.n_terms);
        hit.is_verified = true;
        q->result.n_verified++;
    } else {
        hit.score = estimate(q, c);
    }
    if (hit.score <= 0 || (double)hit.score < q->threshold)
        return DPL_OK;
    DPL_TRY(dpl__need(dpl__vec_push(q->ctx, &q->hits, hit), err));
    if (q->o.top <= FEW)
        sort_in(q);
    else if (q->hits.n >= 2 * (size_t)q->o.top)
        keep_best(q);
    return DPL_OK;
}

DPL__ORDER(by_bound, dpl__candidate, DPL__FALLING(bound) DPL__RISING(row))

enum { AHEAD = 3 };

/* Where a candidate's row is; then the row: they come from memory while others are compared. */
static void prefetch(const dpl_query *q, size_t i)
{
    const dpl_index *x = q->index;
    if (i >= q->candidates.n || !(x->flags & DPL__F_VECTORS))
        return;
    const uint32_t row = q->candidates.data[i].row;
    DPL_PREFETCH(&x->rows.bases[row / DPL__OFFSET_BLOCK]);
    dpl__packed_prefetch(&x->rows.rest, row);
    DPL_PREFETCH(&x->norms[row]);
    dpl__packed_prefetch(&x->doc_words, row);
    if (x->n_translated)
        DPL_PREFETCH(&x->doc_langs[row]);
}

static void prefetch_row(const dpl_query *q, size_t i)
{
    enum { LINE = 64, LINES = 8 };
    const dpl_index *x = q->index;
    if (i >= q->candidates.n || !(x->flags & DPL__F_VECTORS))
        return;
    const uint8_t *at = x->row_bytes + dpl__offset(&x->rows, q->candidates.data[i].row);
    for (int line = 0; line < LINES; line++)
        DPL_PREFETCH(at + (size_t)line * LINE);
}

dpl_status dpl__query_verify(dpl_query *q, dpl_error *err)
{
    q->hits.n = 0;
    q->sums.n = 0;
    DPL_TRY(dpl__need(dpl__vec_reserve(q->ctx, &q->sums, q->entries.n + 1), err));
    dpl__vec_sort(&q->candidates, by_bound);
    for (size_t i = 0; i < q->candidates.n && i < 2 * AHEAD; i++)
        prefetch(q, i);
    for (size_t i = 0; i < q->candidates.n; i++) {
        const dpl__candidate *c = &q->candidates.data[i];
        if (c->bound < q->threshold) /* and so are all behind it */
            break;
        prefetch(q, i + 2 * AHEAD);
        prefetch_row(q, i + AHEAD);
        DPL_TRY(add_hit(q, c, err));
    }
    keep_best(q);
    return DPL_OK;
}
