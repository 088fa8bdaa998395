/*
 * embed_matrix.h - what an embedding holds, and the embeddings that decompose a matrix.
 */
#ifndef DPL_LAB_EMBED_MATRIX_H
#define DPL_LAB_EMBED_MATRIX_H

#include "doppel-lab/embeddings.h"

#include "signatures/hash_functions.h"
#include "vectors/vectors.h"

struct dpl_embedding {
    dpl_ctx *ctx;
    dpl_embed_options options; /* complete */
    uint32_t n_rows;
    unsigned dims;
    float *values; /* n_rows x dims */
    /* svd, optimum: the projection, dims numbers for each term of the vocabulary. */
    size_t n_terms;
    float *projection;
    uint64_t *offsets; /* of the terms' texts, n_terms + 1 */
    char *bytes;
    dpl_hash *hash; /* fuzzy: classes */
    uint64_t seed;  /* pstable */
};

/* embed_matrix.c: svd and optimum; fills in values, projection and the texts. */
dpl_status dpl__embed_matrix(dpl_embedding *e, dpl_embed_summary *summary,
                             const dpl_vectors *vectors, dpl_error *err);
/* f of optimum: near 1 above the threshold, near the floor below. */
double dpl__embed_step(double cosine, double threshold, double floor);

#endif
