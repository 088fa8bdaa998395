/*
 * slice.c - a range of rows as vectors of their own, and what tells vectors from others.
 */
#include "vectors/vectors.h"

#include "io/parts.h"

dpl_vectors dpl__vectors_slice(const dpl_vectors *v, uint32_t first, uint32_t n)
{
    assert(first <= v->sizes.n_rows && n <= v->sizes.n_rows - first);
    dpl_vectors slice = *v;
    slice.sizes.n_rows = n;
    slice.ids.offsets += first;
    slice.ids.n = n;
    if (v->sizes.dim) {
        slice.dense.n_rows = n;
        slice.dense.values += (size_t)first * v->sizes.dim;
        slice.sizes.n_entries = (uint64_t)n * v->sizes.dim;
        return slice;
    }
    slice.rows.n_rows = n;
    slice.rows.offsets += first;
    slice.sizes.n_entries = slice.rows.offsets[n] - slice.rows.offsets[0];
    slice.docs += first;
    return slice;
}

uint64_t dpl__vectors_fingerprint(uint64_t so_far, const dpl_vectors *v)
{
    if (v->file)
        return dpl__fingerprint_file(so_far, v->file);
    so_far = dpl__fingerprint_number(so_far, v->sizes.dim);
    if (v->sizes.dim)
        return dpl__fingerprint(so_far, v->ctx, v->dense.values,
                                (size_t)v->sizes.n_rows * v->sizes.dim * sizeof(float));
    so_far = dpl__fingerprint(so_far, v->ctx, v->rows.offsets,
                              ((size_t)v->sizes.n_rows + 1) * sizeof *v->rows.offsets);
    so_far = dpl__fingerprint(so_far, v->ctx, v->rows.terms,
                              (size_t)v->sizes.n_entries * sizeof *v->rows.terms);
    return dpl__fingerprint(so_far, v->ctx, v->rows.weights,
                            (size_t)v->sizes.n_entries * sizeof *v->rows.weights);
}
