/*
 * variants.h - words that a lexicon does not know, and known ones of the same language that
 * begin alike.
 *
 * A lexicon of other texts lacks many forms of words and nearly all compounds. The known word
 * that is next in byte order and begins alike is a form of it, or a part, often enough for its
 * counterparts to say something.
 */
#ifndef DPL_SENTENCES_VARIANTS_H
#define DPL_SENTENCES_VARIANTS_H

#include "base/vec.h"
#include "doppel/tokens.h"
#include "lexicon/table.h"

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
