/*
 * doppel-lab/embeddings.h - rows as a few numbers, and the error of their cosines.
 *
 *     dpl_embedding *embedding = NULL;
 *     dpl_vectors *vectors = NULL;
 *     dpl_embed_options o =
 *         DPL_INIT(dpl_embed_options, .embedding = DPL_EMBED_SVD, .dims = 25);
 *     DPL_TRY(dpl_vectors_open(&vectors, ctx, "en.vectors.dpl", err));
 *     DPL_TRY(dpl_embed(&embedding, NULL, ctx, vectors, &o, err));
 *     dpl_stress_point point = {.threshold = 0.8};
 *     dpl_stress_input in =
 *         DPL_INIT(dpl_stress_input, .vectors = vectors, .embedding = embedding);
 *     DPL_TRY(dpl_eval_stress_run(&point, 1, ctx, &in, err));
 *     printf("recall stress %.3f\n", point.recall_stress);
 */
#ifndef DOPPEL_LAB_EMBEDDINGS_H
#define DOPPEL_LAB_EMBEDDINGS_H

#include "doppel/options.h"
#include "doppel/signatures.h"
#include "doppel/vectors.h"

#ifdef __cplusplus
extern "C" {
#endif

/* ---- embeddings --------------------------------------------------------------------- */

/* The first step of a hash function (doppel/codes.h) alone: rows as a few numbers. */
typedef enum dpl_embed_method {
    DPL_EMBED_SVD = 0, /* latent semantic: the best approximation of all cosines of that rank */
    DPL_EMBED_OPTIMUM, /* threshold-optimum: of cosines moved towards 1 above a threshold and
                          towards a floor below it */
    DPL_EMBED_FUZZY,   /* deviations of prefix classes */
    DPL_EMBED_PSTABLE  /* Gaussian projections */
} dpl_embed_method;

/* "svd", "optimum", "fuzzy", "pstable"; NULL for a number that is no method. */
DPL_API const char *dpl_embed_method_name(dpl_embed_method method);

/* Zero in a field means its default. */
typedef struct dpl_embed_options {
    size_t size; /* DPL_INIT */
    dpl_embed_method embedding;
    unsigned dims;            /* 1 to 1000; default 50 */
    double optimum_threshold; /* optimum: above 0 and below 1; default 0.8 */
    double optimum_floor;     /* optimum: above 0, below the threshold; default 0.1 */
    /* svd, optimum: most rows of the dense matrix of cosines, 2 to 10000; default 2000. Of more
     * rows evenly spaced ones are decomposed, and all others projected. */
    unsigned matrix;
    bool cosine; /* svd, optimum: rows are compared by the cosine instead of the scalar product:
                    their lengths do not count */
    const dpl_collection *reference; /* fuzzy: has the prefix classes; NULL: the rows have */
} dpl_embed_options;

typedef struct dpl_embed_summary {
    size_t size;      /* DPL_INIT */
    uint32_t n_rows;  /* embedded */
    uint32_t n_dense; /* svd, optimum: rows of the matrix; fewer than n_rows: sampled */
    unsigned n_dims;  /* not zero: at most the rank of the matrix */
    bool is_definite; /* the matrix is positive definite; else its nearest positive semidefinite
                         one was taken */
    double kept;      /* share of the squares of the matrix that n_dims keep */
    double seconds;
} dpl_embed_summary;

/* Rows as numbers, and what is needed to embed others. Frozen. Numbers of svd and optimum
 * depend on the LAPACK they are computed with in their last digits; the signs of eigenvectors
 * are fixed. */
typedef struct dpl_embedding dpl_embedding;

/* Sparse rows; dense ones are DPL_E_UNSUPPORTED. summary may be NULL. Not enough memory for the
 * matrix (16 bytes times the square of the sample) is DPL_E_LIMIT. The vectors are not needed
 * afterwards. */
DPL_API dpl_status dpl_embed(dpl_embedding **out, dpl_embed_summary *summary, dpl_ctx *ctx,
                             const dpl_vectors *vectors, const dpl_embed_options *options,
                             dpl_error *err);
DPL_API void dpl_embedding_free(dpl_embedding *embedding);
DPL_API uint32_t dpl_embedding_n_rows(const dpl_embedding *embedding);
DPL_API unsigned dpl_embedding_dims(const dpl_embedding *embedding);
/* Row after row of dims numbers. The first k of svd and optimum are the embedding in k
 * dimensions. Borrowed until freed. */
DPL_API const float *dpl_embedding_values(const dpl_embedding *embedding);
/* Scalar product of svd and optimum, unless the options say cosine; cosine of the others. */
DPL_API double dpl_embedding_similarity(const dpl_embedding *embedding, uint32_t a, uint32_t b);
/* The similarity above which two rows are taken for similar at a threshold: the threshold
 * itself; of optimum 0.5. */
DPL_API double dpl_embedding_cut(const dpl_embedding *embedding, double threshold);
/* Documents that were not there, n_rows of dims numbers: of svd and optimum by the projection
 * P, computed from X^T P^T = Y^T. */
DPL_API dpl_status dpl_embedding_project(float *out, dpl_ctx *ctx,
                                         const dpl_embedding *embedding,
                                         const dpl_vectors *vectors, dpl_error *err);

/* ---- stress of embeddings ------------------------------------------------------------ */

/* What an embedding or a signature makes of the cosines of pairs of rows. One of them is set;
 * it has as many rows as the vectors. */
typedef struct dpl_stress_input {
    size_t size; /* DPL_INIT */
    const dpl_vectors *vectors;
    const dpl_embedding *embedding;
    const dpl_signatures *signatures;
    unsigned sample; /* rows, evenly spaced, of which all pairs are looked at; default: all */
} dpl_stress_input;

/* At one threshold T: c is the cosine of a pair, e its similarity in the embedding. Layout
 * fixed. */
typedef struct dpl_stress_point {
    double threshold;    /* set by the caller, 0 to 1 */
    uint64_t n_true;     /* pairs with c > T */
    uint64_t n_returned; /* e above the embedding's cut for T */
    uint64_t n_both;
    double precision, recall; /* both / returned, both / true; 1 of nothing */
    double precision_stress;  /* sum of (c - e)^2 / sum of c^2 over pairs with e > T */
    double recall_stress;     /* the same over pairs with c > T */
    double equal_precision;   /* share of c > T among as many pairs of the highest e as there
                                 are with c > T: whatever the scale of e */
} dpl_stress_point;

/* Stein 2007, Definition 1. A stress over no pairs is 0; infinite where all c are 0. Looks at
 * all pairs: the square of the rows. A threshold outside [0, 1] is DPL_E_USAGE. */
DPL_API dpl_status dpl_eval_stress_run(dpl_stress_point *points, size_t n_points, dpl_ctx *ctx,
                                       const dpl_stress_input *input, dpl_error *err);

#ifdef __cplusplus
}
#endif
#endif
