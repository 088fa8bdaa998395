/*
 * synsets.h - words of two languages by the meanings (synsets) that wordnets give them.
 *
 * Wordnets of the Open Multilingual WordNet have one language each and the same meanings: what
 * two of them have under one meaning are translations. Owned; all zero is empty.
 */
#ifndef DPL_LEXICON_SYNSETS_H
#define DPL_LEXICON_SYNSETS_H

#include "lexicon/translations.h"

typedef struct dpl__synset_word {
    uint32_t synset;
    uint32_t side;
    uint32_t begin, n; /* in the text */
} dpl__synset_word;

typedef struct dpl__synsets {
    dpl_ctx *ctx;
    dpl__terms names;
    bool is_open;
    dpl__bytes text;
    DPL_VEC(dpl__synset_word) words;
} dpl__synsets;

dpl_status dpl__synsets_add(dpl__synsets *s, dpl_ctx *ctx, dpl_str synset, int side,
                            dpl_str word, dpl_error *err);
/* Every two words of a meaning, with equal weights: wordnets have no order. */
dpl_status dpl__synsets_translations(dpl__synsets *s, dpl__translations *g, dpl_error *err);
void dpl__synsets_clear(dpl__synsets *s);

#endif
