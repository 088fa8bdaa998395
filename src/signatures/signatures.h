/*
 * signatures.h - what a set of signatures holds, as plain arrays. Frozen.
 */
#ifndef DPL_SRC_SIGNATURES_H
#define DPL_SRC_SIGNATURES_H

#include "doppel/file.h"
#include "doppel/signatures.h"

#include "io/sections.h"

/* Rows of n_words words each, one behind the other, 64-byte aligned. */
typedef struct dpl__bits {
    uint32_t n_rows, n_words;
    const uint64_t *words;
} dpl__bits;

static inline const uint64_t *dpl__bits_row(const dpl__bits *b, uint32_t row)
{
    return b->words + (size_t)row * b->n_words;
}

/* The bits of rp and simhash signatures; minhash has values instead (n_words covers them). */
const dpl__bits *dpl__signatures_bits(const dpl_signatures *s);

#endif
