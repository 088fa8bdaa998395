/*
 * variants.h - links of words that a lexicon does not have, from known words with a common
 * prefix.
 *
 * A lexicon of other texts lacks many inflected forms and nearly all compounds. The known word
 * next in byte order with a long common prefix is often a form or a part of the unknown one, so
 * the unknown one gets its links with a lower probability.
 */
#ifndef DPL_SENTENCES_VARIANTS_H
#define DPL_SENTENCES_VARIANTS_H

#include "base/vec.h"
#include "doppel/tokens.h"
#include "lexicon/cell_table.h"

/* Left term, right term, probability. */
typedef DPL_VEC(dpl__cell) dpl__cell_list;

/* The terms of one side. Borrowed. */
typedef struct dpl__variants {
    dpl_ctx *ctx;
    const dpl_collection *collection;
    int side; /* DPL__LEFT: terms are rows of the cells; DPL__RIGHT: columns */
    uint32_t n_terms;
    const uint32_t *order; /* terms in byte order */
    const bool *is_known;
} dpl__variants;

/* Adds cells of unknown terms. */
dpl_status dpl__variants_add(dpl__cell_list *cells, const dpl__variants *v, dpl_error *err);

#endif
