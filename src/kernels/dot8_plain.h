/*
 * dot8_plain.h - the body of dot8 and dot8_mask for levels without dot-product instructions.
 *
 * After simd.h. VPMADDUBSW multiplies unsigned with signed bytes and adds two products, with
 * saturation: |a| times b with the sign of a is a times b, and as no number is below -127, two
 * of them stay below 2^15. Cost per pair: four operations for every V_BYTES numbers.
 */
#ifndef DPL_KERNELS_DOT8_PLAIN_H
#define DPL_KERNELS_DOT8_PLAIN_H

#include "kernels/dot8.h"

enum {
    LANES = V_BYTES / 4, /* documents in a vector */
    GROUPS = 4,          /* vectors of documents at a time */
    N_AT_ONCE = GROUPS * LANES,
};

/* The sums of four products in every lane. a is |x|, x the row that b's signs are changed by.
 */
static inline vec four_products(vec a, vec x, vec b)
{
    return V_(madd_epi16)(V_(maddubs_epi16)(a, V_(sign_epi8)(b, x)), v_set16(1));
}

static int32_t dot8(const int8_t *a, const int8_t *b, size_t dim)
{
    vec sum = v_zero();
    for (size_t i = 0; i < dim; i += V_BYTES) {
        const vec x = v_load(a + i);
        sum = V_(add_epi32)(sum, four_products(V_(abs_epi8)(x), x, v_load(b + i)));
    }
    int32_t lanes[LANES], all = 0;
    memcpy(lanes, &sum, sizeof sum);
    for (size_t i = 0; i < LANES; i++)
        all += lanes[i];
    return all;
}

/* Which of N_AT_ONCE documents reach `least`. */
static inline uint32_t compare(const int8_t *query, const vec *docs, size_t n_steps,
                               int32_t least)
{
    vec s0 = v_zero(), s1 = v_zero(), s2 = v_zero(), s3 = v_zero();
    for (size_t k = 0; k < n_steps; k++) {
        int32_t four;
        memcpy(&four, query + 4 * k, sizeof four);
        const vec x = V_(set1_epi32)(four), a = V_(abs_epi8)(x);
        s0 = V_(add_epi32)(s0, four_products(a, x, v_load_aligned(docs + k)));
        s1 = V_(add_epi32)(s1, four_products(a, x, v_load_aligned(docs + k + n_steps)));
        s2 = V_(add_epi32)(s2, four_products(a, x, v_load_aligned(docs + k + 2 * n_steps)));
        s3 = V_(add_epi32)(s3, four_products(a, x, v_load_aligned(docs + k + 3 * n_steps)));
    }
    const vec below = V_(set1_epi32)(least - 1);
#define REACHES(s) (uint32_t) v_tops32(V_(cmpgt_epi32)((s), below))
    return REACHES(s0) | REACHES(s1) << LANES | REACHES(s2) << 2 * LANES |
           REACHES(s3) << 3 * LANES;
#undef REACHES
}

static void dot8_mask(uint64_t *mask, void *scratch, const dpl__mask_rows *rows,
                      const int32_t *least)
{
    const int8_t *queries = rows->queries, *docs = rows->docs;
    const size_t n_queries = rows->n_queries, n_docs = rows->n_docs, dim = 8 * rows->n_words;
    assert(n_docs <= DPL__HAMMING_DOCS && dim % DPL__DOT8_DIMS == 0);
    const size_t n_steps = dim / 4;
    vec *turned = scratch;
    dpl__dot8_turn(scratch, docs, n_docs, dim, LANES);
    memset(mask, 0, n_queries * DPL__HAMMING_DOCS / 8);
    for (size_t d = 0; d < n_docs; d += N_AT_ONCE) {
        const uint64_t valid = dpl__dot8_valid(n_docs - d);
        for (size_t q = 0; q < n_queries; q++)
            mask[8 * q + d / 64] |=
                (compare(queries + q * dim, turned + d / LANES * n_steps, n_steps, least[q]) &
                 valid)
                << d % 64;
    }
}

static void set_dot8(dpl__kernels *k)
{
    k->dot8 = dot8;
    k->dot8_mask = dot8_mask;
}

#endif
