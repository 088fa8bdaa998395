/*
 * decode.h - beam search for the best translation of a sentence.
 */
#ifndef DPL_TRANSLATE_DECODE_H
#define DPL_TRANSLATE_DECODE_H

#include "translate/phrase_model.h"

enum { DPL__LONGEST_PIECE = 80 }; /* words; longer sentences are translated in pieces */

/* A word of a translation: a target word, or the source word at `copied` - 1. */
typedef struct dpl__decoded {
    uint32_t word, copied;
} dpl__decoded;

typedef DPL_VEC(dpl__decoded) dpl__decoded_words;

/* Scratch of one thread. Zeroed memory is ready for use. Owned. */
typedef struct dpl__decoder dpl__decoder;

dpl_status dpl__decoder_new(dpl__decoder **out, dpl_ctx *ctx, unsigned beam,
                            unsigned reordering, dpl_error *err);
void dpl__decoder_free(dpl__decoder *d);

/* Appends the translation of numbered source words, DPL__NO_WORD for unknown ones, at most
 * DPL__LONGEST_PIECE. */
dpl_status dpl__decode(dpl__decoder *d, dpl__decoded_words *out, const dpl__phrase_model *m,
                       const uint32_t *source, size_t n, dpl_error *err);

#endif
