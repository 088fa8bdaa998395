/*
 * decode.h - beam search for the best translation of a sentence.
 */
#ifndef DPL_TRANSLATE_DECODE_H
#define DPL_TRANSLATE_DECODE_H

#include "base/hash.h"
#include "base/map.h"
#include "io/sections.h"
#include "translate/language_model.h"

/* ---- phrase models ---------------------------------------------------------------------- */

#define DPL__NO_WORD UINT32_MAX

static inline uint64_t dpl__source_hash_at(const void *strings, uint32_t i)
{
    const dpl_str s = dpl__string(strings, i);
    return dpl__hash(s.data, s.n, 0);
}

static inline bool dpl__source_is(const void *strings, uint32_t i, dpl_str word)
{
    return dpl__str_eq(dpl__string(strings, i), word);
}

DPL_NUMBER_MAP(dpl__source_words, dpl_str, dpl__source_hash_at, dpl__source_is);

typedef struct dpl__phrase_model {
    dpl_ctx *ctx;
    dpl_file *file;
    char from[12], into[12];
    dpl__strings sources, shown;
    const uint8_t *flags;      /* of target words: 1 no blank before it, 2 none behind it */
    dpl__source_words numbers; /* of source words */
    dpl__keys phrases;
    const uint64_t *offsets; /* of each phrase: its options */
    const float *scores;     /* best first */
    const uint64_t *begins;  /* of each option: its words */
    const uint32_t *words;
    dpl__lm lm;
} dpl__phrase_model;

dpl_status dpl__model_open(dpl__phrase_model *m, dpl_ctx *ctx, const char *path,
                           dpl_error *err);
void dpl__model_close(dpl__phrase_model *m);
/* The number of a folded source word, or DPL__NO_WORD. */
uint32_t dpl__model_find(const dpl__phrase_model *m, dpl_str folded);

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
