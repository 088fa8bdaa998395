/*
 * candidates.h - a set of pairs that is filled in any order and given back in order.
 */
#ifndef DPL_PAIRS_CANDIDATES_H
#define DPL_PAIRS_CANDIDATES_H

#include "io/spill.h"

/* Pairs are left << 32 | right. Locked while it is filled, owned while it is read. */
typedef struct dpl__candidates dpl__candidates;

/* share: bytes it may hold in memory; what is more goes to the spill. */
dpl_status dpl__candidates_new(dpl__candidates **out, dpl__spill *spill, size_t share,
                               dpl_error *err);
void dpl__candidates_free(dpl__candidates *set);
/* A pair may come any number of times. */
dpl_status dpl__candidates_add(dpl__candidates *set, const uint64_t *pairs, size_t n,
                               dpl_error *err);
/* Ends adding. */
dpl_status dpl__candidates_sort(dpl__candidates *set, dpl_error *err);
/* The next pairs, rising, each once: *n of at most n_most, 0 after the last one. */
dpl_status dpl__candidates_next(dpl__candidates *set, uint64_t *pairs, size_t *n, size_t n_most,
                                dpl_error *err);

#endif
