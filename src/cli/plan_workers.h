/*
 * plan_workers.h - the plan of dedup and mine in parts (--part) on many workers.
 */
#ifndef CLI_PLAN_WORKERS_H
#define CLI_PLAN_WORKERS_H

#include "doppel/mine.h"

/* Prints cost by stage, and what does not fit into the memory of the context, which is a
 * worker's: text, or JSON as asked. Returns the exit code. */
int cli_plan_workers(dpl_ctx *ctx, const dpl_workers_options *options);

#endif
