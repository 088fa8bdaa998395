/*
 * place_counts.h - how often jobs name each place of a table, counted by several processes.
 */
#ifndef DPL_DEDUP_PLACE_COUNTS_H
#define DPL_DEDUP_PLACE_COUNTS_H

#include "base/base.h"
#include "base/vec.h"

typedef DPL_VEC(uint32_t) dpl__places;

typedef struct dpl__place_counts {
    dpl_ctx *ctx;    /* of a shared run */
    uint8_t *counts; /* of each place, zeros; they stay at the highest number, and who did not
                        count a place has 0 instead of 1 */
    size_t n;
    size_t n_jobs;
    void *user;
    /* Adds the places that a job names. */
    dpl_status (*run)(void *user, size_t job, unsigned worker, dpl__places *out,
                      dpl_error *err);
} dpl__place_counts;

dpl_status dpl__places_count(const dpl__place_counts *c, dpl_error *err);

#endif
