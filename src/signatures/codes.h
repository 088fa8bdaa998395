/*
 * codes.h - what a set of codes holds. Frozen.
 */
#ifndef DPL_SIGNATURES_CODES_H
#define DPL_SIGNATURES_CODES_H

#include "doppel/file.h"

#include "io/scratch.h"
#include "io/sections.h"
#include "signatures/hash_functions.h"

struct dpl_codes {
    dpl_ctx *ctx;
    const dpl_hash *hash; /* NULL: of a buffer */
    uint32_t n_rows;
    unsigned n_codes;
    const uint64_t *words; /* code c of row i: words[c * n_rows + i] */
    dpl__spill spill;
    dpl__scratch made; /* where they are, when they were made here */
    /* Where ids come from: */
    const dpl_vectors *vectors;
    const dpl_collection *collection;
    char *numbers; /* else: numbers of rows, each of DPL__NUMBER_BYTES */
    /* If opened from a file: */
    dpl_file *file;
    dpl_hash *own_hash;
    dpl__strings ids;
};

enum { DPL__NUMBER_BYTES = 11 };

/* Rows by number. */
typedef struct dpl__some_rows {
    const uint32_t *numbers;
    uint32_t n;
} dpl__some_rows;

/* The codes of some rows: code c of the i-th one at out[c * n + i]. */
dpl_status dpl__codes_of_rows(uint64_t *out, dpl_ctx *ctx, const dpl_hash *hash,
                              const dpl_hash_input *input, const dpl__some_rows *rows,
                              dpl_error *err);

/* DPL_E_USAGE with the reason unless both are of the same function, with the same parameters,
 * seed and reference; codes from a buffer are of any. */
dpl_status dpl__codes_check_match(const dpl_codes *left, const dpl_codes *right,
                                  dpl_error *err);

#endif
