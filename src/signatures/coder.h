/*
 * coder.h - the codes of one row at a time: of queries, and of rows that are made as they go.
 *
 * Needs neither threads nor files.
 */
#ifndef DPL_SIGNATURES_CODER_H
#define DPL_SIGNATURES_CODER_H

#include "signatures/hash_functions.h"
#include "signatures/sign_methods.h"

/* A function and the scratch of one thread. Owned. */
typedef struct dpl__coder {
    dpl_ctx *ctx;
    const dpl_hash *hash;
    const dpl__signature_method *method; /* NULL: the function has its own way */
    unsigned n_sign;
    size_t n_words;
    char *memory;
    size_t n_memory;
    void *own;
    uint64_t *words;
    uint8_t *weights;
    size_t n_weights;
} dpl__coder;

dpl_status dpl__coder_init(dpl__coder *coder, dpl_ctx *ctx, const dpl_hash *hash,
                           dpl_error *err);
void dpl__coder_clear(dpl__coder *coder);

/* What the function needs to know of a term. */
uint64_t dpl__coder_mark(const dpl_hash *hash, dpl_str term);

/* l codes of a row with weights and at least one element. */
dpl_status dpl__coder_codes(dpl__coder *coder, uint64_t *codes, const dpl__hash_row *row,
                            dpl_error *err);

/* How far the last coded row (rp) is from each of the k l hyperplanes, in units of its length:
 * bit i of code c is margins[c k + i] > 0. */
void dpl__coder_margins(dpl__coder *coder, float *margins, const dpl__hash_row *row);

#endif
