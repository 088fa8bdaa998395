/*
 * dense.h - dense rows of others: .npy, .fvecs, arrays.
 */
#ifndef DPL_VECTORS_DENSE_H
#define DPL_VECTORS_DENSE_H

#include "vectors/vectors.h"

/* The most numbers in a row. */
enum { DPL__MOST_DIM = 1 << 20 };

/* Where the numbers of a file stand. */
typedef struct dpl__layout {
    uint64_t n_rows;
    uint32_t dim;
    unsigned element; /* bytes of a number: 4, or 2 for half precision */
    uint64_t begin;   /* of the first row */
    uint64_t stride;  /* bytes from row to row */
    unsigned gap;     /* bytes in a row before its numbers: .fvecs has dim there */
} dpl__layout;

/* What the header of a .npy file says: the dictionary behind its length. Sets n_rows, dim and
 * element. DPL_E_UNSUPPORTED for what is valid but not read, DPL_E_FORMAT for what is not. */
dpl_status dpl__npy_header(dpl__layout *out, const char *path, dpl_str header, dpl_error *err);

/* Is this, by its first bytes or its name, a file of dense rows? */
bool dpl__is_dense(const char *path, const uint8_t *head, size_t n);

/* Reads and scales all rows. */
dpl_status dpl__dense_open(dpl_vectors *v, int fd, const uint8_t *head, size_t n_head,
                           dpl_error *err);

/* The number that a half-precision float stands for. */
float dpl__half(uint16_t half);

#endif
