/*
 * ngram_score.h - the score of a pair: idf-weighted cosine, and the order of what is shared.
 */
#ifndef DPL_PAIRS_NGRAM_NGRAM_SCORE_H
#define DPL_PAIRS_NGRAM_NGRAM_SCORE_H

#include "base/vec.h"
#include "pairs/ngram/ngram_settings.h"

/* Scratch of one thread; zeroed memory is ready for use. Owned. */
typedef DPL_VEC(uint64_t) dpl__ngram_scratch;

/* A scoring n-gram of a document, by its number among those of all documents. */
typedef struct dpl__row_entry {
    uint32_t ngram, place, df;
} dpl__row_entry;

/* All of a document, numbers rising. */
typedef struct dpl__row {
    const dpl__row_entry *entries;
    size_t n;
} dpl__row;

/* ln(n_docs / df) */
double dpl__ngram_idf(uint32_t df, uint32_t n_docs);
/* The length of a row's vector; idf_of[df] has the weights. */
double dpl__ngram_norm(const dpl__row *row, const double *idf_of);

enum { DPL__NGRAM_PLACES = 1 << 13 };

/* Where a row has an n-gram: by its number modulo the size, the entry counted from 1; 0: it has
 * none of these; UINT16_MAX: more than one, or one far behind. */
typedef struct dpl__ngram_places {
    uint16_t at[DPL__NGRAM_PLACES];
} dpl__ngram_places;

void dpl__ngram_places_of(dpl__ngram_places *out, const dpl__row *row);

/* What pairs are scored with. */
typedef struct dpl__ngram_scorer {
    dpl_ctx *ctx;
    const double *idf_of;
    double threshold;
    const dpl__ngram_places *places; /* of the first row */
} dpl__ngram_scorer;

/* Score of two rows of these lengths, and, where it reaches the threshold, the disorder. */
dpl_status dpl__ngram_score_rows(dpl__ngram_pair *pair, dpl__ngram_scratch *scratch,
                                 const dpl__ngram_scorer *scorer, const dpl__row rows[2],
                                 const double norms[2], dpl_error *err);

#endif
