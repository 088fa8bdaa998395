/*
 * compare.h - how rows of words are compared: as bits by Hamming distance, or as signed bytes
 * by their dot product.
 */
#ifndef DPL_DEVICES_COMPARE_H
#define DPL_DEVICES_COMPARE_H

#include "doppel/device.h"

#include "kernels/kernels.h"

typedef struct dpl__comparison {
    /* Bytes that mask needs for n queries. */
    size_t (*n_scratch)(size_t n_queries, size_t n_words);
    /* As hamming_mask (kernels.h), with the distance of this comparison. */
    void (*mask)(const dpl__kernels *k, uint64_t *mask, void *scratch, const dpl__mask_rows *r,
                 unsigned cut);
    unsigned (*distance)(const dpl__kernels *k, const uint64_t *a, const uint64_t *b,
                         size_t n_words);
} dpl__comparison;

extern const dpl__comparison dpl__compare_bits, dpl__compare_bytes;

/* cpu_within.c: dpl__cpu_within with another comparison. */
dpl_status dpl__cpu_within_by(const dpl_device_host *host, const dpl_within *task,
                              const dpl__comparison *how, dpl_error *err);

#endif
