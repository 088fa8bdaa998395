/*
 * match.h - sentences that are each other's best counterpart, wherever they stand.
 */
#ifndef DPL_SRC_MATCH_SENTENCES_H
#define DPL_SRC_MATCH_SENTENCES_H

#include "sentences/bags.h"

#define DPL__NO_PARTNER UINT32_MAX

/* The two best counterparts of a sentence so far. */
typedef struct dpl__best {
    uint32_t at; /* the best one, or DPL__NO_PARTNER */
    double value, second;
} dpl__best;

/* Memory is the bags'. Owned. */
typedef struct dpl__matcher {
    uint32_t *partners[2]; /* of each sentence, or DPL__NO_PARTNER */
    dpl__best *best[2];
    uint32_t *begin, *sentences; /* of each right word: where it stands */
    float *sums;
    uint32_t *touched;
} dpl__matcher;

/* What two sentences are worth as a bead. */
typedef dpl_status dpl__pair_value(void *user, uint32_t left, uint32_t right, double *value,
                                   dpl_error *err);

dpl_status dpl__matcher_run(dpl__matcher *m, dpl__bags *bags, dpl__pair_value *value,
                            void *user, double margin, dpl_error *err);

#endif
