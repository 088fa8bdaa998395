/*
 * plan_memory.c - what a search allocates, counted from its structures.
 *
 * In: a plan in the making. Out: bytes of its parts. Files that are mapped, vectors and
 * signatures of the caller, are not among them. Arrays that grow are doubled, so one takes half
 * as much again as what is in it, on average.
 */
#include "pairs/planner.h"

#include "base/ctx.h"
#include "pairs/exact.h"

#include <math.h>

enum {
    USUAL_TERMS = 100000, /* of a vocabulary, where there are no rows */
    ENTRY = 8,            /* term and weight */
    TERM = 32,            /* of each term, in an exact search and its plan */
    BLOCK_ROWS = 4096,    /* left ones whose candidates are held (src/devices/cpu_within.c) */
    BLOCK_PARTS = 8,      /* of which one is put into order and verified */
    POSTING = 4,
};
static const double GROWN = 1.5; /* times what is in it: an array that grows */

double dpl__planner_vocabulary(const dpl__planner *p)
{
    if (p->is_dense)
        return 0;
    if (!p->o.left || !p->has_vectors)
        return fmin(USUAL_TERMS, p->n_right * p->terms);
    const dpl_pairs_side *right = p->o.right ? p->o.right : p->o.left;
    return dpl_vectors_get_sizes(right->vectors)->n_terms;
}

double dpl__planner_scorers_bytes(const dpl__planner *p)
{
    return p->ctx->n_threads * dpl__planner_vocabulary(p) * sizeof(float);
}

double dpl__planner_signature_bytes(const dpl__planner *p)
{
    return p->n_rows * (p->dims ? p->dims : p->o.length / 8.0);
}

/* Rows are copied, unless all of them are taken; so are signatures. Some left rows are
 * searched exactly. */
double dpl__planner_sample_bytes(const dpl__planner *p)
{
    if (p->dims)
        return 0; /* such a search has no plan */
    const double signature = p->o.length / 8.0;
    const double n = fmin(p->n_rows, fmin(DPL__SAMPLE_ROWS, DPL__SAMPLE_BYTES / signature));
    const double searched = fmin(DPL__SAMPLE_SEARCHED, p->n_left) * p->terms;
    const bool is_signed = p->is_signed || p->o.nearest; /* then they are made beforehand */
    double bytes = n * signature * (is_signed ? 1 : 2);
    if (p->has_vectors)
        bytes += (n < p->n_rows ? n * p->terms * ENTRY : 0) +
                 (p->is_dense ? 0 : searched * POSTING) + dpl__planner_vocabulary(p) * TERM +
                 dpl__planner_scorers_bytes(p);
    return bytes;
}

double dpl__planner_candidate_bytes(const dpl__planner *p, double n_candidates)
{
    const double n = n_candidates * fmin(1, BLOCK_ROWS / p->n_left);
    const double of_one = GROWN * sizeof(dpl__candidate) +
                          (sizeof(dpl__candidate) + sizeof(dpl_pair)) / (double)BLOCK_PARTS;
    return fmin(n * of_one, (double)p->ctx->memory / 2);
}

double dpl__planner_result_bytes(const dpl__planner *p)
{
    if (p->o.nearest) /* lists, and the order of rows that are equally near */
        return p->n_rows * (8.0 * p->o.nearest + 8);
    const double n = p->has_sample ? p->sample.found * p->n_pairs : 0;
    const double bytes = GROWN * n * sizeof(dpl_pair), share = (double)p->ctx->memory / 8;
    return bytes < share ? bytes : 0; /* then they are in a file */
}
