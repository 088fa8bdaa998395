/*
 * evidence.h - what speaks for a pair of documents, in a form that people can check.
 */
#ifndef DPL_MINE_EVIDENCE_H
#define DPL_MINE_EVIDENCE_H

#include "base/arena.h"
#include "mine/pair_run.h"

enum { DPL__EVIDENCE_TERMS = 8 };

typedef struct dpl__evidence {
    uint64_t n_sentences; /* aligned sentence pairs that were kept */
    double share[2];      /* of the words of each document that are in them, 0 to 1 */
    dpl_str terms[DPL__EVIDENCE_TERMS]; /* of the pivot language, the heaviest first */
    size_t n_terms;
} dpl__evidence;

/* Evidence for each of these pairs; pair i is the final pair numbers[i], or SIZE_MAX: not a
 * final pair, so its sentences are unknown. Terms are in the arena. */
dpl_status dpl__evidence_find(dpl__evidence *out, dpl__arena *arena, const dpl__pair_run *run,
                              dpl__pair_list docs, const size_t *numbers, dpl_error *err);

#endif
