/*
 * mixture.h - several dictionaries become one lexicon.
 *
 *     dpl__mixture_init(&mix, ctx, stem);
 *     DPL_TRY(dpl__mixture_add(&mix, &translations, false, 0.7, err));
 *     DPL_TRY(dpl__mixture_finish(&mix, err));
 *
 * Owned.
 */
#ifndef DPL_LEXICON_MIXTURE_H
#define DPL_LEXICON_MIXTURE_H

#include "lexicon/sort_words.h"
#include "lexicon/translations.h"

typedef struct dpl__mixture {
    dpl_ctx *ctx;
    bool stem;           /* words become stems */
    dpl__terms words[2]; /* of all dictionaries */
    dpl__cells cells[2]; /* [DPL__LEFT]: p(right|left) times weights */
    DPL_VEC(double)
    weights[2]; /* of each word: the sum of the dictionaries' that have its row */
    DPL_VEC(uint64_t) counts[2]; /* of each word */
    bool has_counts[2];
    /* After finish: in byte order, the counts too. */
    dpl__strings sorted[2];
    dpl__table table[2];
} dpl__mixture;

void dpl__mixture_init(dpl__mixture *mix, dpl_ctx *ctx, bool stem);
void dpl__mixture_clear(dpl__mixture *mix);

/* is_reversed: the dictionary's source is the mix's target. weight > 0. The translations are
 * not the same afterwards; it can only be closed. */
dpl_status dpl__mixture_add(dpl__mixture *mix, dpl__translations *g, bool is_reversed,
                            double weight, dpl_error *err);
dpl_status dpl__mixture_finish(dpl__mixture *mix, dpl_error *err);

#endif
