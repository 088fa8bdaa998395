/*
 * plan_workers.h - the plan of dedup and mine in parts (--part) on many workers.
 */
#ifndef CLI_PLAN_WORKERS_H
#define CLI_PLAN_WORKERS_H

#include "doppel/pairs.h"

typedef struct cli_workers {
    uint32_t n;
    double documents; /* of all languages */
    uint32_t languages;
    double words; /* of a document */
} cli_workers;

/* Cost by stage, and what does not fit into the memory of the context, which is a worker's.
 * speeds: of a worker's processor. Prints text, or JSON as asked. Returns the exit code. */
int cli_plan_workers(dpl_ctx *ctx, const cli_workers *w, const dpl_speeds *speeds);

#endif
