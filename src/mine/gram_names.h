/*
 * gram_names.h - what may be a name in text without blanks: n-grams of Han characters.
 */
#ifndef DPL_MINE_GRAM_NAMES_H
#define DPL_MINE_GRAM_NAMES_H

#include "mine/round.h"

/* Frozen. Zeroed memory may be cleared. */
typedef struct dpl__gram_names {
    dpl_ctx *ctx;
    uint32_t n;
    dpl_str *texts;  /* of each n-gram, in byte order; borrowed from the collection */
    uint32_t *df;    /* documents that have it */
    uint64_t *begin; /* of each document, n_docs + 1 */
    uint32_t *ids;   /* n-grams of each document, numbers rising */
    uint32_t n_docs;
    size_t n_ids;
} dpl__gram_names;

/* Empty, if the text of the side is not mostly in Han characters, or too long. */
dpl_status dpl__gram_names_find(dpl__gram_names *out, const dpl__comparable *corpus, int side,
                                dpl_error *err);
/* For each n-gram the share of its characters that occur in others of these n-grams. */
dpl_status dpl__gram_names_familiar(float *out, const dpl__gram_names *grams,
                                    const uint32_t *chosen, size_t n, dpl_error *err);
void dpl__gram_names_clear(dpl__gram_names *grams);

#endif
