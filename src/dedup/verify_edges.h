/*
 * verify_edges.h - candidates become scored pairs of rows. Owned.
 */
#ifndef DPL_DEDUP_VERIFY_EDGES_H
#define DPL_DEDUP_VERIFY_EDGES_H

#include "dedup/dedup_docs.h"

typedef DPL_VEC(dpl_dedup_edge) dpl__edges;

/* The similarity of two rows, on any thread. Calls of a thread come with the same left row as
 * long as there are pairs of it. */
typedef double dpl__row_score(void *user, uint32_t left, uint32_t right, unsigned worker);

typedef struct dpl__verifier {
    dpl_ctx *ctx;
    const dpl__dedup_docs *docs;
    dpl__row_score *score;
    void *user;
    double least; /* pairs below it are dropped */
    bool only_against;
    dpl__edges edges;        /* of rows */
    DPL_VEC(uint64_t) pairs; /* not yet verified: left row << 32 | right row */
    float *scores;           /* of them */
    size_t most;             /* pairs of a batch */
    uint64_t n_verified;
    double seconds;
} dpl__verifier;

/* docs, score, user, least and only_against are set; the rest is zero. */
void dpl__verifier_begin(dpl__verifier *v);
void dpl__verifier_clear(dpl__verifier *v);
/* Adds a candidate; any order, repetitions allowed. Candidates that need no comparison are
 * skipped. */
dpl_status dpl__verifier_add(dpl__verifier *v, uint32_t a, uint32_t b, dpl_error *err);
/* Verifies what is left. The edges are by left, then right row, each once. */
dpl_status dpl__verifier_finish(dpl__verifier *v, dpl_error *err);

/* Sorts by left, then right. Of equal pairs only the best stays: kinds in their order, then the
 * higher score. */
void dpl__edges_sort(dpl__edges *edges);

#endif
