/*
 * phrase_model.h - a phrase model, opened. Frozen.
 */
#ifndef DPL_TRANSLATE_PHRASE_MODEL_H
#define DPL_TRANSLATE_PHRASE_MODEL_H

#include "io/sections.h"
#include "translate/language_model.h"

#define DPL__NO_WORD UINT32_MAX

typedef struct dpl__phrase_model {
    dpl_ctx *ctx;
    dpl_file *file;
    char from[12], into[12];
    dpl__strings sources, shown;
    const uint8_t *flags; /* of target words: 1 no blank before it, 2 none behind it */
    uint32_t *slots;      /* source words by hash, number + 1 */
    size_t n_slots;
    dpl__keys phrases;
    const uint64_t *offsets; /* of each phrase: its options */
    const float *scores;     /* best first */
    const uint64_t *begins;  /* of each option: its words */
    const uint32_t *words;
    unsigned max_phrase;
    dpl__lm lm;
} dpl__phrase_model;

dpl_status dpl__model_open(dpl__phrase_model *m, dpl_ctx *ctx, const char *path,
                           dpl_error *err);
void dpl__model_close(dpl__phrase_model *m);
/* The number of a folded source word, or DPL__NO_WORD. */
uint32_t dpl__model_find(const dpl__phrase_model *m, dpl_str folded);

#endif
