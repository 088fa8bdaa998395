/*
 * text_vectors.h - made-up vectors with the statistics of text, of any number of rows.
 *
 * Terms follow Zipf's law, mixed with the words of subjects; weights are those of BM25, rows
 * have length one. Some left rows are planted: they share terms with a right row, so that the
 * cosine of the two is known. Any two rows have a cosine of about 0.04 +- 0.045, as unrelated
 * articles have in Figure 1 of "No Free Lunch" (Ture, Elsayed, Lin, SIGIR 2011), and planted
 * ones 0.3 to 0.6, as translations have there.
 *
 * Rows are made in slabs and lie in files that are mapped: memory is bounded at any size.
 */
#ifndef DPL_BENCH_TEXT_VECTORS_H
#define DPL_BENCH_TEXT_VECTORS_H

#include "vectors/vectors.h"

typedef struct text_vectors {
    dpl_vectors vectors;
    uint32_t *planted; /* of a left row: its right row, UINT32_MAX: none; NULL for right rows */
    uint32_t n_planted;
    struct {
        void *data;
        size_t n_bytes;
    } maps[8];
    size_t n_maps;
} text_vectors;

/* The right side; the left one is made after it, with n_planted pairs. dir: for the files,
 * which are removed at once and live until the vectors are freed. */
dpl_status text_vectors_make(text_vectors *out, dpl_ctx *ctx, const char *dir, uint32_t n_rows,
                             const text_vectors *right, uint32_t n_planted, dpl_error *err);
void text_vectors_free(text_vectors *v);

#endif
