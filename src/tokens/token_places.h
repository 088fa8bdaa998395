/*
 * token_places.h - positions of the tokens of a document in its text. Owned.
 *
 * A collection knows where sentences begin, but not where each token stands: documents whose
 * places are asked for are tokenized once more.
 */
#ifndef DPL_TOKENS_TOKEN_PLACES_H
#define DPL_TOKENS_TOKEN_PLACES_H

#include "doppel/tokens.h"

#include "base/vec.h"

/* Zeroed memory may be cleared. */
typedef struct dpl__token_places {
    dpl_ctx *ctx;
    dpl_tokens *tokens;
    DPL_VEC(uint32_t) begins, ends; /* bytes of the text, of the document that was read last */
} dpl__token_places;

/* has_stems: as the collections that are asked have. */
dpl_status dpl__token_places_init(dpl__token_places *p, dpl_ctx *ctx, bool has_stems,
                                  dpl_error *err);
void dpl__token_places_clear(dpl__token_places *p);
dpl_status dpl__token_places_read(dpl__token_places *p, const dpl_doc *doc, dpl_error *err);
/* The bytes of n > 0 tokens from the first one on. */
void dpl__token_places_span(const dpl__token_places *p, const dpl_doc *doc, size_t first,
                            size_t n, uint32_t *begin, uint32_t *end);

#endif
