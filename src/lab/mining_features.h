/*
 * mining_features.h - two sentences as a classifier sees them.
 */
#ifndef DPL_LAB_MINING_FEATURES_H
#define DPL_LAB_MINING_FEATURES_H

#include "lab/experiment.h"

enum {
    DPL__MINING_FEATURES = 19, /* the last is 1 */
    DPL__MINING_WORDS = 100    /* of a sentence, at the most */
};

/* A word of the lexicon; UINT32_MAX: it has none. */
typedef struct dpl__mining_word {
    uint32_t number;
    uint64_t key; /* of its text */
} dpl__mining_word;

/* Words of both sentences, and the best counterpart of each; -1: none. */
typedef struct dpl__mining_pair {
    const dpl__mining_word *words[2];
    unsigned n[2];
    int best[2][DPL__MINING_WORDS];
} dpl__mining_pair;

/* Of a sentence: where a word of the lexicon stands in it; stamps say which sentence. Lives as
 * long as the experiment. */
typedef struct dpl__mining_aligner {
    const dpl_lexicon *lexicon;
    uint32_t *stamps[2], *places[2], stamp;
} dpl__mining_aligner;

dpl_status dpl__mining_aligner_init(dpl__mining_aligner *a, dpl__lab *lab,
                                    const dpl_lexicon *lexicon, dpl_error *err);
/* which 0: of the lexicon's sources, 1: of its targets. */
dpl__mining_word dpl__mining_word_of(const dpl__mining_aligner *a, unsigned which,
                                     dpl_str text);
/* Whether the pair passes the filter: one sentence at most twice as long as the other, half of
 * the words translated on both sides. It is aligned then. */
bool dpl__mining_pair_align(dpl__mining_aligner *a, dpl__mining_pair *pair);
/* Of both sentences the shares of: words with a translation, with a mutual one; the longest run
 * of words without a mutual one, and with; the three largest numbers of words that have the
 * same translation. Then logarithms of both lengths, their difference over the longer one, the
 * logarithm of their ratio, 1. */
void dpl__mining_pair_features(float x[DPL__MINING_FEATURES], const dpl__mining_pair *pair);

#endif
