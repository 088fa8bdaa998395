/*
 * doubt.h - words that speak against a pair of documents.
 *
 * Sentences of sibling documents can be aligned as well as those of translations, but some of
 * their words, and often always the same one, have no counterpart: a page about columns beside
 * a page about rows. A word that was learnt from this pair alone says nothing about it.
 */
#ifndef DPL_MINE_UNTRANSLATED_H
#define DPL_MINE_UNTRANSLATED_H

#include "doppel/sentences.h"

/* Shares of the weight of all words, 0 to 1; the mean of both documents. */
typedef struct dpl__untranslated_weight {
    double missing; /* of words without a translation in their bead */
    double worst;   /* of the one word that misses most */
} dpl__untranslated_weight;

/* One side's terms. */
typedef struct dpl__untranslated_side {
    const dpl_collection *c;
    size_t n;         /* terms */
    uint32_t *begin;  /* of each term's translations; one more than there are terms */
    uint32_t *others; /* terms of the other side */
    size_t n_others;
    float *weight; /* the rarer the heavier */
    float *count;  /* in what the lexicon was learnt from; 0: it does not know the term */
    /* Arrays over terms, for the current documents. */
    uint32_t *bead;  /* the last in which the term stood */
    uint32_t *own;   /* how often it occurs in the document */
    double *missing; /* weight of the occurrences without translation */
} dpl__untranslated_side;

/* Owned; zeroed memory with a context may be cleared. */
typedef struct dpl__untranslated {
    dpl_ctx *ctx;
    dpl__untranslated_side side[2];
    uint32_t n_beads; /* looked at so far */
    bool is_shared;   /* tables of the terms belong to another */
} dpl__untranslated;

/* The collections must outlive it. */
dpl_status dpl__untranslated_init(dpl__untranslated *out, dpl_ctx *ctx,
                                  const dpl_collection *const c[2], const dpl_lexicon *lexicon,
                                  dpl_error *err);
/* One for another thread, with the tables of the first, which must outlive it. */
dpl_status dpl__untranslated_share(dpl__untranslated *out, const dpl__untranslated *first,
                                   dpl_error *err);
void dpl__untranslated_clear(dpl__untranslated *d);
dpl__untranslated_weight dpl__untranslated_measure(dpl__untranslated *d,
                                                   const dpl_aligned_docs *docs);

#endif
