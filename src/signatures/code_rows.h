/*
 * code_rows.h - the rows of an input, one at a time, as hash functions take them.
 */
#ifndef DPL_SIGNATURES_CODE_ROWS_H
#define DPL_SIGNATURES_CODE_ROWS_H

#include "signatures/hash_functions.h"

enum { DPL__MOST_SHINGLE = 64 };

/* Scratch of a worker. */
typedef struct dpl__hash_scratch {
    uint64_t *marks;
    float *weights;
    size_t n; /* room, in elements */
} dpl__hash_scratch;

/* Frozen after init, but for what belongs to each worker. */
typedef struct dpl__hash_rows {
    dpl_ctx *ctx;
    const dpl_hash *hash;
    dpl_hash_input input; /* complete */
    uint32_t n_rows;
    size_t n_terms;  /* of the vocabulary; 0: there is none */
    uint64_t *marks; /* of each of them; NULL: too many to be kept */
    dpl__hash_scratch *scratch;
} dpl__hash_rows;

/* DPL_E_USAGE when there is not exactly one input, or the function does not take it. After a
 * failure it must still be cleared. */
dpl_status dpl__hash_rows_init(dpl__hash_rows *rows, dpl_ctx *ctx, const dpl_hash *hash,
                               const dpl_hash_input *input, dpl_error *err);
void dpl__hash_rows_clear(dpl__hash_rows *rows);
/* Valid until the worker asks for another one. */
dpl__hash_row dpl__hash_rows_get(const dpl__hash_rows *rows, uint32_t row, unsigned worker);

/* The text of term i, or of element i of an array. */
dpl_str dpl__hash_rows_term(const dpl__hash_rows *rows, size_t i);

#endif
