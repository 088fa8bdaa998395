/*
 * shared_loop.h - a loop over jobs that the processes of a shared run (io/shared_run.h) divide.
 *
 *     const dpl__shared_loop loop = {.name = "hash", .user = &h, .run = hash_docs, .items =
 * keys, .n_items = n_docs, .size = sizeof *keys, .per_job = 256}; DPL_TRY(dpl__shared_for(ctx,
 * &loop, err));
 *
 * Without other processes that is dpl__parallel_for. With them, each runs some ranges of jobs
 * and takes the results of the others, so that all of them have all results in the end.
 */
#ifndef DPL_IO_SHARED_LOOP_H
#define DPL_IO_SHARED_LOOP_H

#include "base/base.h"
#include "base/vec.h"

/* Jobs [first, end). */
typedef struct dpl__job_range {
    size_t first, end;
} dpl__job_range;

typedef struct dpl__shared_loop {
    const char *name; /* of the stage, for names of files */
    uint64_t key;     /* of what decides the results, beside inputs and options of the run */
    size_t n;         /* jobs; 0: as many as items need */
    void *user;
    dpl_status (*run)(void *user, size_t job, unsigned worker, dpl_error *err);
    /* Results are items of an array, per_job of each job but the last one; */
    void *items;
    size_t n_items, size, per_job;
    /* or anything else: with other processes, put moves what the jobs of a range
     * gave to `out`, and take moves it back, for all ranges in order, also those that were run
     * here. */
    dpl_status (*put)(dpl__bytes *out, void *user, dpl__job_range range, dpl_error *err);
    dpl_status (*take)(void *user, dpl__job_range range, const char *data, size_t n,
                       dpl_error *err);
} dpl__shared_loop;

dpl_status dpl__shared_for(dpl_ctx *ctx, const dpl__shared_loop *loop, dpl_error *err);

/* Runs 0 and 1, of both sides: together, or with other processes, which divide loops of each,
 * one after the other. */
dpl_status dpl__shared_sides(dpl_ctx *ctx, void *user,
                             dpl_status (*run)(void *user, size_t side, unsigned worker,
                                               dpl_error *err),
                             dpl_error *err);

#endif
