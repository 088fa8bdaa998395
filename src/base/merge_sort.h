/*
 * merge_sort.h - a stable sort of small records in memory, typed by macro.
 *
 *     #define IS_LESS(a, b) ((a)->key < (b)->key)
 *     DPL_MERGE_SORT(sort_pairs, pair, IS_LESS);
 *     sort_pairs(all, scratch, n);
 *
 * Short pieces by insertion, then merged bottom-up, between the array and a scratch of the same
 * size; the result is in the array. Cost: n log n comparisons, fewer where it is in order.
 */
#ifndef DPL_BASE_MERGE_SORT_H
#define DPL_BASE_MERGE_SORT_H

#include "base/base.h"

enum { DPL__SORT_PIECE = 12 };

#define DPL_MERGE_SORT(NAME, T, IS_BEFORE)                                                     \
    static void NAME##_piece(T *all, size_t n)                                                 \
    {                                                                                          \
        for (size_t i = 1; i < n; i++) {                                                       \
            const T x = all[i];                                                                \
            size_t j = i;                                                                      \
            for (; j > 0 && IS_BEFORE(&x, &all[j - 1]); j--)                                   \
                all[j] = all[j - 1];                                                           \
            all[j] = x;                                                                        \
        }                                                                                      \
    }                                                                                          \
                                                                                               \
    static void NAME##_merge(T *to, const T *a, const T *b, const T *end)                      \
    {                                                                                          \
        const T *const a_end = b;                                                              \
        if (b < end && IS_BEFORE(b, a_end - 1))                                                \
            while (a < a_end && b < end)                                                       \
                *to++ = IS_BEFORE(b, a) ? *b++ : *a++;                                         \
        memcpy(to, a, (size_t)(a_end - a) * sizeof *a);                                        \
        memcpy(to + (a_end - a), b, (size_t)(end - b) * sizeof *b);                            \
    }                                                                                          \
                                                                                               \
    static void NAME(T *all, T *scratch, size_t n)                                             \
    {                                                                                          \
        for (size_t at = 0; at < n; at += DPL__SORT_PIECE)                                     \
            NAME##_piece(all + at, dpl__min(DPL__SORT_PIECE, n - at));                         \
        T *from = all, *to = scratch;                                                          \
        for (size_t width = DPL__SORT_PIECE; width < n; width *= 2) {                          \
            for (size_t a = 0; a < n; a += 2 * width) {                                        \
                const size_t b = dpl__min(a + width, n), end = dpl__min(b + width, n);         \
                NAME##_merge(to + a, from + a, from + b, from + end);                          \
            }                                                                                  \
            T *swap = from;                                                                    \
            from = to;                                                                         \
            to = swap;                                                                         \
        }                                                                                      \
        if (from != all)                                                                       \
            memcpy(all, from, n * sizeof *all);                                                \
    }                                                                                          \
    struct NAME##_sort /* a semicolon follows */

#endif
