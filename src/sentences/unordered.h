/*
 * unordered.h - sentences that are each other's best match, in any order.
 */
#ifndef DPL_SENTENCES_UNORDERED_H
#define DPL_SENTENCES_UNORDERED_H

#include "sentences/bag_of_words.h"

#define DPL__NO_PARTNER UINT32_MAX

/* The two best counterparts of a sentence so far. */
typedef struct dpl__best {
    uint32_t at; /* the best one, or DPL__NO_PARTNER */
    double value, second;
} dpl__best;

/* Memory is that of the bag of words. Owned. */
typedef struct dpl__unordered {
    uint32_t *partners[2]; /* of each sentence, or DPL__NO_PARTNER */
    dpl__best *best[2];
    uint32_t *begin, *sentences; /* of each right word: where it stands */
    float *sums;
    uint32_t *touched;
} dpl__unordered;

/* The score of two sentences as a bead. */
typedef dpl_status dpl__pair_value(void *user, uint32_t left, uint32_t right, double *value,
                                   dpl_error *err);

dpl_status dpl__unordered_match(dpl__unordered *m, dpl__bow *bow, dpl__pair_value *value,
                                void *user, double margin, dpl_error *err);

#endif
