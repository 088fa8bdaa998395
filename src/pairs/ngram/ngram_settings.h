/*
 * ngram_settings.h - the options with their defaults filled in, and what all steps pass on.
 */
#ifndef DPL_PAIRS_NGRAM_NGRAM_SETTINGS_H
#define DPL_PAIRS_NGRAM_NGRAM_SETTINGS_H

#include "doppel/ngram.h"

#include "base/base.h"

enum { DPL__NGRAM_MOST_WORDS = 32, DPL__NGRAM_MOST_BITS = 32 };

typedef dpl_ngram_options dpl__ngram_settings;

/* Checks the options, which may be NULL, and fills in defaults: max_disorder is what is
 * compared with then. */
dpl_status dpl__ngram_settle(dpl__ngram_settings *out, const dpl_ngram_options *options,
                             dpl_error *err);
/* What pairs depend on, as it was given. */
void dpl__ngram_put_settings(dpl_json *j, const dpl_ngram_options *o);

/* A document as the fingerprints of its words. */
typedef struct dpl__ngram_doc {
    uint32_t doc;
    const uint64_t *words;
    size_t n_words;
} dpl__ngram_doc;

/* An n-gram of a document. */
typedef struct dpl__ngram_posting {
    uint64_t ngram; /* fingerprint */
    uint32_t doc;
    uint32_t place; /* of its first occurrence, in words; 0 for matching n-grams */
} dpl__ngram_posting;

/* The group of every document. */
typedef struct dpl__ngram_groups {
    const uint32_t *group_of;
    uint32_t n_docs, n_groups; /* groups are below n_groups */
} dpl__ngram_groups;

/* A pair left << 32 | right and the matching n-grams that it shares. */
typedef struct dpl__ngram_shared {
    uint64_t pair;
    uint32_t n_shared, reserve; /* reserve: 0 */
} dpl__ngram_shared;

/* A scored pair of documents, which are numbered through all sides: those of the second behind
 * those of the first. */
typedef struct dpl__ngram_pair {
    uint32_t left, right; /* left < right */
    float score;          /* idf-weighted cosine */
    float disorder;       /* normalised permutation edit distance, 0: same order */
} dpl__ngram_pair;

#endif
