/*
 * ngram_score.c - two rows of the forward index to the score of a pair.
 *
 * A left row is scored with several others, and most of them share little with it. So it is put
 * into a table, and an entry of a right row costs a look into that: no step waits for the one
 * before, as in a merge.
 *
 * The order filter: the n-grams that both documents have, in the order of the one, are a
 * permutation of those of the other. The edit distance of permutations with moves of single
 * elements (Cormode, Muthukrishnan, Sahinalp 2001) is their number less the longest rising
 * subsequence, found in O(k log k).
 */
#include "pairs/ngram/ngram_score.h"

#include "base/lower_bound.h"
#include "base/maths.h"
#include "pairs/ngram/ngram_params.h"
#include "pairs/radix.h"

#include <math.h>

double dpl__ngram_idf(uint32_t df, uint32_t n_docs)
{
    return df < n_docs ? dpl__log((double)n_docs / df) : 0;
}

double dpl__ngram_norm(const dpl__row *row, const double *idf_of)
{
    double sum = 0;
    for (size_t i = 0; i < row->n; i++) {
        double w = idf_of[row->entries[i].df];
        sum += w * w;
    }
    return sqrt(sum);
}

/* 1 - longest rising subsequence / n of the low halves. tails has room for n. */
static double measure_disorder(const uint64_t *numbers, size_t n, uint64_t *tails)
{
    size_t longest = 0;
    for (size_t i = 0; i < n; i++) {
        uint64_t x = numbers[i] & UINT32_MAX;
        size_t at;
        DPL__LOWER_BOUND(at, longest, tails[at] < x);
        tails[at] = x;
        longest += at == longest;
    }
    return 1 - (double)longest / (double)n;
}

void dpl__ngram_places_of(dpl__ngram_places *out, const dpl__row *row)
{
    memset(out, 0, sizeof *out);
    for (size_t i = 0; i < row->n; i++) {
        uint16_t *at = &out->at[row->entries[i].ngram % DPL__NGRAM_PLACES];
        *at = *at || i + 1 > UINT16_MAX ? UINT16_MAX : (uint16_t)(i + 1);
    }
}

/* Entries of the second row that the first may have; returns how many. */
static size_t find_likely(uint64_t *out, const dpl__ngram_places *places, const dpl__row *row)
{
    size_t n = 0;
    for (size_t i = 0; i < row->n; i++) { /* no branch: it cannot be foretold */
        out[n] = i;
        n += places->at[row->entries[i].ngram % DPL__NGRAM_PLACES] != 0;
    }
    return n;
}

/* The entry of the first row, or NULL. */
static const dpl__row_entry *find_entry(const dpl__ngram_places *places, const dpl__row *row,
                                        uint32_t ngram)
{
    size_t at = places->at[ngram % DPL__NGRAM_PLACES];
    assert(at > 0);
    if (at < UINT16_MAX)
        at--;
    else
        DPL__LOWER_BOUND(at, row->n, row->entries[at].ngram < ngram);
    return at < row->n && row->entries[at].ngram == ngram ? &row->entries[at] : NULL;
}

dpl_status dpl__ngram_score_rows(dpl__ngram_pair *pair, dpl__ngram_scratch *scratch,
                                 const dpl__ngram_scorer *scorer, const dpl__row rows[2],
                                 const double norms[2], dpl_error *err)
{
    size_t most = dpl__min(rows[0].n, rows[1].n), n = 0;
    pair->score = pair->disorder = 0;
    scratch->n = 0;
    DPL_TRY(dpl__need(dpl__vec_reserve(scorer->ctx, scratch, most + rows[1].n + 1), err));
    const uint64_t *likely = scratch->data + most;
    const size_t n_likely = find_likely(scratch->data + most, scorer->places, &rows[1]);
    double dot = 0;
    for (size_t i = 0; i < n_likely; i++) {
        const dpl__row_entry *b = &rows[1].entries[likely[i]],
                             *a = find_entry(scorer->places, &rows[0], b->ngram);
        if (!a)
            continue;
        double w = scorer->idf_of[a->df];
        dot += w * w;
        scratch->data[n++] = (uint64_t)a->place << 32 | b->place;
    }
    if (!(dot > 0))
        return DPL_OK;
    assert(norms[0] > 0 && norms[1] > 0 && n <= most);
    pair->score = (float)(dot / (norms[0] * norms[1]));
    if ((double)pair->score < scorer->threshold || (double)n < DPL__P(ngram, least_ordered))
        return DPL_OK;
    dpl__radix_sort(scratch->data, scratch->data + most, n);
    pair->disorder = (float)measure_disorder(scratch->data, n, scratch->data + most);
    return DPL_OK;
}
