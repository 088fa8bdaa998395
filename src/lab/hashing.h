/*
 * hashing.h - what the experiments on similarity hashing share: samples of documents, all
 * cosines of a sample, tables of codes that are asked a document at a time.
 */
#ifndef DPL_LAB_HASHING_H
#define DPL_LAB_HASHING_H

#include "lab/experiment.h"

/* ---- documents (hash_rows.c) ------------------------------------------------------------ */

/* Which documents an experiment looks at. */
typedef enum dpl__lab_draw_kind {
    DPL_LAB_DRAWN = 0, /* at random, by the seed, from one half of the collection */
    DPL_LAB_COMPILED   /* of the other half those with the most similar nearest neighbour: the
                          paper's "special compilations with increased high similarities" */
} dpl__lab_draw_kind;

/* "drawn", "compiled". */
const char *dpl__lab_draw_name(dpl__lab_draw_kind kind);

/* The vectors of the collection that experiments of one collection look at: of two inputs the
 * right one, which is never projected. Dense rows are DPL_E_UNSUPPORTED. */
dpl_status dpl__lab_hash_vectors(const dpl_vectors **out, dpl__lab *lab, dpl_error *err);

/* 2,000 documents as in the paper (a small run: 200), or all if there are fewer: their rows as
 * vectors of their own, weighted as in the whole collection. draw: other documents for other
 * numbers, from 0, as long as there are enough; of DPL_LAB_COMPILED there is one draw of each
 * seed. Of fewer than twice as many documents there are no halves. Closed by the caller. */
dpl_status dpl__lab_hash_draw(dpl_vectors **out, dpl__lab *lab, dpl__lab_draw_kind kind,
                              unsigned draw, dpl_error *err);
/* Some rows as vectors of their own; closed by the caller. */
dpl_status dpl__lab_hash_rows(dpl_vectors **out, dpl__lab *lab, const dpl_vectors *from,
                              const uint32_t *rows, uint32_t n, dpl_error *err);

/* ---- all cosines (hash_cosines.c) ------------------------------------------------------- */

/* Of n rows. */
size_t dpl__lab_n_pairs(uint32_t n);
/* Cosines of all pairs (i, j), i < j, by i and then j; in the lab's arena. */
dpl_status dpl__lab_cosines(float **out, dpl__lab *lab, const dpl_vectors *rows,
                            dpl_error *err);
/* How many of n numbers are in (low; high]. */
uint64_t dpl__lab_n_within(const float *x, size_t n, double low, double high);

/* Groups of two or more rows that are linked by cosines above low, directly or through others;
 * UINT32_MAX: no memory. */
uint32_t dpl__lab_n_groups(dpl__lab *lab, const float *cosines, uint32_t n_rows, double low);

/* Embeds rows, in as many dimensions as there are rows at the most; prefix classes come from
 * the collection of reference, if there is one. */
dpl_status dpl__lab_embed(dpl_embedding **out, dpl__lab *lab, const dpl_vectors *rows,
                          dpl_embed_options o, dpl_error *err);
/* Similarities of the same pairs in the first dims dimensions of an embedding; of svd and
 * optimum that is the embedding in that number of dimensions. */
void dpl__lab_similarities(float *out, const dpl_embedding *embedding, unsigned dims,
                           bool is_cosine);
/* The n_best pairs of n with the highest similarities, downwards: their numbers. */
dpl_status dpl__lab_rank(uint32_t *ranked, dpl_ctx *ctx, const float *similarities, size_t n,
                         size_t n_best, dpl_error *err);
/* Precision of an embedding at equal size in an interval of the cosine, (low; high]: of the
 * ranked pairs those are returned that stand where the pairs of the interval would stand if the
 * embedding were perfect, *n_within of them; how many of them are in the interval. It does not
 * depend on the scale of the similarities. As many pairs are ranked as are above low. */
uint64_t dpl__lab_equal_size(uint64_t *n_within, const float *cosines, const uint32_t *ranked,
                             size_t n, double low, double high);

/* ---- codes, a query at a time (hash_lookup.c) ------------------------------------------- */

/* For each of l codes the rows sorted by it. Frozen. */
typedef struct dpl__lab_lookup {
    unsigned l;
    uint32_t n_rows;
    uint64_t *codes; /* l times n_rows, rising */
    uint32_t *rows;  /* likewise */
} dpl__lab_lookup;

/* Of the first l codes, and of every step-th row: numbers stay. In memory of the context. */
dpl_status dpl__lab_lookup_new(dpl__lab_lookup *out, dpl_ctx *ctx, const dpl_codes *codes,
                               unsigned l, uint32_t step, dpl_error *err);
void dpl__lab_lookup_clear(dpl__lab_lookup *lookup, dpl_ctx *ctx);

/* Answers to a query, reused by the next. Both arrays have room for all rows of the codes; seen
 * is zero at first. */
typedef struct dpl__lab_found {
    uint32_t *rows;
    size_t n;
    uint32_t *seen; /* the last query that found a row */
    uint32_t query; /* number of the last one */
} dpl__lab_found;

/* Rows that share a code with a row of codes (c-th code of c-th table), each once, without the
 * row itself. */
void dpl__lab_lookup_find(dpl__lab_found *out, const dpl__lab_lookup *lookup,
                          const dpl_codes *codes, uint32_t row);

#endif
