/*
 * hash_cosines.c - all cosines of a sample, and what an embedding makes of their order.
 *
 * Cost: an exact search without a threshold; a sort of all pairs for each embedding.
 */
#include "lab/hashing.h"

#include "base/order.h"

#include <math.h>
#include <stdlib.h>

size_t dpl__lab_n_pairs(uint32_t n)
{
    return n ? (size_t)n * (n - 1) / 2 : 0;
}

/* Of the pair (i, j), i < j. */
static size_t place_of(uint32_t i, uint32_t j, uint32_t n)
{
    return (size_t)i * (2 * (size_t)n - i - 1) / 2 + (j - i - 1);
}

dpl_status dpl__lab_cosines(float **out, dpl__lab *lab, const dpl_vectors *rows, dpl_error *err)
{
    const dpl_vectors_sizes *size = dpl_vectors_get_sizes(rows);
    const size_t n_bytes = (dpl__lab_n_pairs(size->n_rows) + 1) * sizeof **out;
    dpl_part_rows part = {.n_rows = size->n_rows, .n_terms = size->n_terms};
    dpl_pair_list above = {0};
    part.offsets = dpl_vectors_get_csr(rows, &part.terms, &part.weights);
    *out = dpl__arena_alloc(&lab->arena, n_bytes);
    DPL_TRY(dpl__need(*out, err));
    memset(*out, 0, n_bytes);
    DPL_TRY(dpl_part_exact(&above, lab->ctx, &part, NULL, 0, err));
    for (size_t i = 0; i < above.n; i++) {
        const dpl_pair *p = &above.pairs[i];
        (*out)[place_of(p->left, p->right, size->n_rows)] = fminf(p->score, 1);
    }
    dpl_pair_list_clear(&above, lab->ctx);
    return DPL_OK;
}

uint64_t dpl__lab_n_within(const float *x, size_t n, double low, double high)
{
    uint64_t within = 0;
    for (size_t i = 0; i < n; i++)
        within += (double)x[i] > low && (double)x[i] <= high;
    return within;
}

static uint32_t root_of(uint32_t *parent, uint32_t i)
{
    while (parent[i] != i)
        i = parent[i] = parent[parent[i]];
    return i;
}

uint32_t dpl__lab_n_groups(dpl__lab *lab, const float *cosines, uint32_t n_rows, double low)
{
    uint32_t *parent = dpl__arena_alloc(&lab->arena, (n_rows + 1) * sizeof *parent);
    bool *is_linked = dpl__arena_alloc(&lab->arena, (n_rows + 1) * sizeof *is_linked);
    if (!parent || !is_linked)
        return UINT32_MAX;
    for (uint32_t i = 0; i < n_rows; i++) {
        parent[i] = i;
        is_linked[i] = false;
    }
    for (uint32_t i = 0; i < n_rows; i++)
        for (uint32_t j = i + 1; j < n_rows; j++)
            if ((double)*cosines++ > low) {
                parent[root_of(parent, j)] = root_of(parent, i);
                is_linked[i] = is_linked[j] = true;
            }
    uint32_t n = 0;
    for (uint32_t i = 0; i < n_rows; i++)
        n += is_linked[i] && parent[i] == i;
    return n;
}

dpl_status dpl__lab_embed(dpl_embedding **out, dpl__lab *lab, const dpl_vectors *rows,
                          dpl_embed_options o, dpl_error *err)
{
    o.dims = (unsigned)dpl__min(o.dims, dpl_vectors_get_sizes(rows)->n_rows);
    if (o.embedding == DPL_EMBED_FUZZY)
        DPL_TRY(dpl__lab_reference(&o.reference, lab, err));
    return dpl_embed(out, NULL, lab->ctx, rows, &o, err);
}

void dpl__lab_similarities(float *out, const dpl_embedding *e, unsigned dims, bool is_cosine)
{
    const uint32_t n = dpl_embedding_n_rows(e);
    const size_t stride = dpl_embedding_dims(e);
    const float *values = dpl_embedding_values(e);
    for (uint32_t i = 0; i < n; i++)
        for (uint32_t j = i + 1; j < n; j++) {
            const float *x = values + i * stride, *y = values + j * stride;
            double xy = 0, xx = 0, yy = 0;
            for (unsigned d = 0; d < dims; d++) {
                xy += (double)x[d] * (double)y[d];
                xx += (double)x[d] * (double)x[d];
                yy += (double)y[d] * (double)y[d];
            }
            const double lengths = is_cosine ? sqrt(xx * yy) : 1;
            *out++ = lengths > 0 ? (float)(xy / lengths) : 0;
        }
}

/* A float as a number of the same order; there is no NaN. */
static uint32_t ordered(float x)
{
    uint32_t bits;
    memcpy(&bits, &x, sizeof bits);
    return bits >> 31 ? ~bits : bits | (uint32_t)1 << 31;
}

DPL__FALLING_NUMBERS(downwards, uint64_t)

enum { BINS = 1 << 16 };

/* The highest bin such that n_best are in it or above. */
static uint32_t cut_of(uint32_t *bins, const float *x, size_t n, size_t n_best)
{
    memset(bins, 0, BINS * sizeof *bins);
    for (size_t i = 0; i < n; i++)
        bins[ordered(x[i]) >> 16]++;
    uint32_t bin = BINS;
    for (size_t n_above = 0; bin > 0 && n_above < n_best; n_above += bins[bin])
        bin--;
    return bin;
}

/* Of equal similarities the pair of the higher number is first, which says nothing of its
 * cosine. Only pairs from the cut upwards are sorted. */
dpl_status dpl__lab_rank(uint32_t *ranked, dpl_ctx *ctx, const float *similarities, size_t n,
                         size_t n_best, dpl_error *err)
{
    assert(n < UINT32_MAX && n_best <= n);
    uint32_t *bins = dpl__alloc(ctx, BINS * sizeof *bins);
    DPL_VEC(uint64_t) keys = {0};
    bool is_done = bins != NULL;
    const uint32_t cut = bins ? cut_of(bins, similarities, n, n_best) : 0;
    for (size_t i = 0; i < n && is_done; i++) {
        const uint32_t x = ordered(similarities[i]);
        if (x >> 16 >= cut)
            is_done = dpl__vec_push(ctx, &keys, (uint64_t)x << 32 | (uint32_t)i);
    }
    if (is_done)
        dpl__vec_sort(&keys, downwards);
    for (size_t i = 0; i < n_best && is_done; i++)
        ranked[i] = (uint32_t)keys.data[i];
    dpl__vec_clear(ctx, &keys);
    dpl__free(ctx, bins);
    return dpl__need(is_done, err);
}

uint64_t dpl__lab_equal_size(uint64_t *n_within, const float *cosines, const uint32_t *ranked,
                             size_t n, double low, double high)
{
    const uint64_t n_above = dpl__lab_n_within(cosines, n, high, 2);
    uint64_t n_right = 0;
    *n_within = dpl__lab_n_within(cosines, n, low, high);
    for (uint64_t rank = n_above; rank < n_above + *n_within; rank++) {
        const double c = (double)cosines[ranked[rank]];
        n_right += c > low && c <= high;
    }
    return n_right;
}
