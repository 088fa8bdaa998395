/*
 * hamming_ternary.h - tables and transposition for hamming_slices.h with VPTERNLOG, which takes
 * any function of three bits.
 *
 * Every row of a table is one operation and one store. Documents are read eight words at a
 * time, and three levels of the transposition are done on eight registers.
 */
#ifndef DPL_KERNELS_HAMMING_TERNARY_H
#define DPL_KERNELS_HAMMING_TERNARY_H

/* The table of f for VPTERNLOG; bits 0, 1, 2 of v say which of its arguments are negated. */
#define F_BIT(f, v, i)                                                                         \
    (f(((i) >> 2 ^ (v)) & 1, ((i) >> 1 ^ (v) >> 1) & 1, ((i) ^ (v) >> 2) & 1) << (i))
#define F_TABLE(f, v)                                                                          \
    (F_BIT(f, v, 0) | F_BIT(f, v, 1) | F_BIT(f, v, 2) | F_BIT(f, v, 3) | F_BIT(f, v, 4) |      \
     F_BIT(f, v, 5) | F_BIT(f, v, 6) | F_BIT(f, v, 7))
#define F(f, v, a, b, c) _mm512_ternarylogic_epi64((a), (b), (c), F_TABLE(f, v))

/* How many of three, in two digits. */
#define ODD(a, b, c) ((a) ^ (b) ^ (c))
#define TWO(a, b, c) (((a) & (b)) | ((a) & (c)) | ((b) & (c)))
/* Those digits with one more added, three at the most. */
#define ODD_AND(odd, two, d) (((odd) ^ (d)) | ((odd) & (two) & (d)))
#define TWO_AND(odd, two, d) ((two) | ((odd) & (d)))

#define OWN_TABLES 1
INLINE void make_table(vec *table, const vec *x, unsigned field)
{
    const vec even = F(ODD, 0, x[0], x[1], x[2]), odd = F(ODD, 1, x[0], x[1], x[2]);
#define ROW(v, o)                                                                              \
    do {                                                                                       \
        const vec two = F(TWO, v, x[0], x[1], x[2]);                                           \
        if (field == 3) {                                                                      \
            v_store_aligned(table + 2 * (v), o);                                               \
            v_store_aligned(table + 2 * (v) + 1, two);                                         \
        } else {                                                                               \
            v_store_aligned(table + 2 * (v), F(ODD_AND, 0, o, two, x[3]));                     \
            v_store_aligned(table + 2 * (v) + 1, F(TWO_AND, 0, o, two, x[3]));                 \
            v_store_aligned(table + 2 * (v) + 16, F(ODD_AND, 4, o, two, x[3]));                \
            v_store_aligned(table + 2 * (v) + 17, F(TWO_AND, 4, o, two, x[3]));                \
        }                                                                                      \
    } while (0)
    ROW(0, even);
    ROW(1, odd);
    ROW(2, odd);
    ROW(3, even);
    ROW(4, odd);
    ROW(5, even);
    ROW(6, even);
    ROW(7, odd);
#undef ROW
}

/* ---- transposition ------------------------------------------------------------------ */

/* Word k of x[i] becomes word i of x[k]. */
INLINE void swap_words(vec x[8])
{
    vec a[8], b[8];
    UNROLL for (int i = 0; i < 8; i += 2)
    {
        a[i] = _mm512_unpacklo_epi64(x[i], x[i + 1]);
        a[i + 1] = _mm512_unpackhi_epi64(x[i], x[i + 1]);
    }
    UNROLL for (int i = 0; i < 8; i += i % 4 == 1 ? 3 : 1)
    {
        b[i] = _mm512_shuffle_i64x2(a[i], a[i + 2], 0x88);
        b[i + 2] = _mm512_shuffle_i64x2(a[i], a[i + 2], 0xDD);
    }
    UNROLL for (int i = 0; i < 4; i++)
    {
        x[i] = _mm512_shuffle_i64x2(b[i], b[i + 4], 0x88);
        x[i + 4] = _mm512_shuffle_i64x2(b[i], b[i + 4], 0xDD);
    }
}

/* Bits outside the mask of a change places with those in the mask of b, `step` below. */
#define SWAP_BITS(a, b, step, mask)                                                            \
    do {                                                                                       \
        const vec up = _mm512_slli_epi64((b), step), down = _mm512_srli_epi64((a), step);      \
        (a) = F(CHOOSE, 0, mask, a, up);                                                       \
        (b) = F(CHOOSE, 0, mask, down, b);                                                     \
    } while (0)
#define CHOOSE(which, a, b) ((which) ? (a) : (b))

/* Three levels of a transposition, on vectors that stand `gap` apart. A macro, because shifts
 * want constants. */
#define SWAP_LEVELS(at, gap, step, mask4, mask2, mask1)                                        \
    do {                                                                                       \
        vec x[8];                                                                              \
        UNROLL for (int k = 0; k < 8; k++) x[k] = v_load_aligned((at) + k * (gap));            \
        UNROLL for (int k = 0; k < 4; k++) SWAP_BITS(x[k], x[k + 4], 4 * (step), mask4);       \
        UNROLL for (int k = 0; k < 8; k += k % 4 == 1 ? 3 : 1)                                 \
            SWAP_BITS(x[k], x[k + 2], 2 * (step), mask2);                                      \
        UNROLL for (int k = 0; k < 8; k += 2) SWAP_BITS(x[k], x[k + 1], (step), mask1);        \
        UNROLL for (int k = 0; k < 8; k++) v_store_aligned((at) + k * (gap), x[k]);            \
    } while (0)

/* Bit k of word i becomes bit i of word k, in every lane. */
static void transpose64(vec a[64])
{
    for (int i = 0; i < 8; i++)
        SWAP_LEVELS(a + i, 8, 8, v_set64(0x00000000FFFFFFFFu), v_set64(0x0000FFFF0000FFFFu),
                    v_set64(0x00FF00FF00FF00FFu));
    for (int i = 0; i < 64; i += 8)
        SWAP_LEVELS(a + i, 1, 1, v_set64(0x0F0F0F0F0F0F0F0Fu), v_set64(0x3333333333333333u),
                    v_set64(0x5555555555555555u));
}

#define OWN_TRANSPOSE 1
/* Bit positions of up to 512 documents; missing ones are zero. */
static void transpose(vec *positions, const uint64_t *docs, size_t n_docs, size_t n_words,
                      size_t stride)
{
    for (size_t w = 0; w < n_words; w += 8) {
        const size_t n = dpl__min(n_words - w, 8);
        const __mmask8 words = (__mmask8)((1u << n) - 1);
        for (size_t i = 0; i < 64; i++) {
            vec x[8];
            UNROLL for (size_t lane = 0; lane < 8; lane++)
            {
                const size_t d = 64 * lane + i;
                x[lane] = d < n_docs ? _mm512_maskz_loadu_epi64(words, docs + d * stride + w)
                                     : v_zero();
            }
            swap_words(x);
            for (size_t k = 0; k < n; k++)
                v_store_aligned(positions + 64 * (w + k) + i, x[k]);
        }
        for (size_t k = 0; k < n; k++)
            transpose64(positions + 64 * (w + k));
    }
}

#undef TWO
#endif
