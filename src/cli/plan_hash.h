/*
 * plan_hash.h - the plan of a similarity hash function: two curves.
 */
#ifndef CLI_PLAN_HASH_H
#define CLI_PLAN_HASH_H

#include "doppel/codes.h"

/* What settings of the function find among rows of left (and right, which may be NULL), or of
 * n_rows rows when left is NULL: precision against the length of a code, recall against the
 * number of codes. Prints text, or JSON as asked. Returns the exit code. */
int cli_plan_hash(dpl_ctx *ctx, const dpl_vectors *left, const dpl_vectors *right,
                  uint64_t n_rows, const dpl_tune_options *options);

#endif
