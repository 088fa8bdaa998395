/*
 * alike_words.h - words of two collections that share letters wherever these stand.
 *
 * Cognates (sentences/cognates.h) have the same beginning: banken, bank. Where few sentences
 * have a counterpart, little else is known of most words, and every word that is spelled alike
 * counts: Polizei and police, gouvernement and government.
 */
#ifndef DPL_MINE_ALIKE_WORDS_H
#define DPL_MINE_ALIKE_WORDS_H

#include "base/vec.h"
#include "mine/round.h"

/* A term of the pivot and one of the other side. */
typedef struct dpl__alike_word {
    uint32_t left, right;
    float p; /* probability of either, given the other */
} dpl__alike_word;

typedef DPL_VEC(dpl__alike_word) dpl__alike_words;

/* Pairs are ordered by left, then right term. Swapped sides give the same words and
 * probabilities. */
dpl_status dpl__alike_words_find(dpl__alike_words *out, const dpl__comparable *corpus,
                                 dpl_error *err);

#endif
