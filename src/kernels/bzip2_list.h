/*
 * bzip2_list.h - the list of bytes for bzip2_symbols.h, its first sixteen in a register: one
 * shuffle moves a byte to the front. In the data of texts nine of ten are there. Also runs of
 * four bytes, sixteen places at a time.
 */
#ifndef DPL_KERNELS_BZIP2_LIST_H
#define DPL_KERNELS_BZIP2_LIST_H

#include "kernels/kernels.h"
#include "kernels/simd.h"

typedef struct list_type {
    __m128i first;
    uint8_t *rest; /* from index 16 on; what stands before means nothing */
} list_type;

/* to_front[i]: i, then 0, 1 ... without i */
static const _Alignas(16) uint8_t to_front[16][16] = {
    {0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15},
    {1, 0, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15},
    {2, 0, 1, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15},
    {3, 0, 1, 2, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15},
    {4, 0, 1, 2, 3, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15},
    {5, 0, 1, 2, 3, 4, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15},
    {6, 0, 1, 2, 3, 4, 5, 7, 8, 9, 10, 11, 12, 13, 14, 15},
    {7, 0, 1, 2, 3, 4, 5, 6, 8, 9, 10, 11, 12, 13, 14, 15},
    {8, 0, 1, 2, 3, 4, 5, 6, 7, 9, 10, 11, 12, 13, 14, 15},
    {9, 0, 1, 2, 3, 4, 5, 6, 7, 8, 10, 11, 12, 13, 14, 15},
    {10, 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 11, 12, 13, 14, 15},
    {11, 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 12, 13, 14, 15},
    {12, 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 13, 14, 15},
    {13, 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 14, 15},
    {14, 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 15},
    {15, 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14},
};

static inline void list_open(list_type *list, dpl__bz_symbols *s)
{
    list->first = _mm_loadu_si128((const __m128i *)s->list);
    list->rest = s->list;
}

/* From the end to the front, sixteen at a time. The last step may begin before index 16; what
 * it moves from there to 16 and before does not matter. Returns the new front. */
static __m128i take_far(uint8_t *rest, __m128i first, unsigned index)
{
    int byte = rest[index];
    for (unsigned i = index; i > 16; i = i > 32 ? i - 16 : 16) {
        __m128i x = _mm_loadu_si128((const __m128i *)(rest + i - 16));
        _mm_storeu_si128((__m128i *)(rest + i - 15), x);
    }
    rest[16] = (uint8_t)(_mm_extract_epi16(first, 7) >> 8);
    return _mm_or_si128(_mm_slli_si128(first, 1), _mm_cvtsi32_si128(byte));
}

static inline uint8_t list_take(list_type *list, unsigned index)
{
    list->first =
        DPL_LIKELY(index < 16)
            ? _mm_shuffle_epi8(list->first, _mm_load_si128((const __m128i *)to_front[index]))
            : take_far(list->rest, list->first, index);
    return (uint8_t)_mm_cvtsi128_si32(list->first);
}

/* ---- runs ---------------------------------------------------------------------------- */

static size_t find_four(const uint8_t *p, size_t n)
{
    size_t i = 0;
    for (; i + 19 <= n; i += 16) {
        const __m128i x = _mm_loadu_si128((const __m128i *)(p + i));
        __m128i equal = _mm_cmpeq_epi8(x, _mm_loadu_si128((const __m128i *)(p + i + 1)));
        for (int k = 2; k <= 3; k++)
            equal = _mm_and_si128(
                equal, _mm_cmpeq_epi8(x, _mm_loadu_si128((const __m128i *)(p + i + k))));
        unsigned mask = (unsigned)_mm_movemask_epi8(equal);
        if (mask)
            return i + (unsigned)__builtin_ctz(mask);
    }
    for (; i + 3 < n; i++)
        if (p[i] == p[i + 1] && p[i] == p[i + 2] && p[i] == p[i + 3])
            return i;
    return n;
}

#endif
