/*
 * order.h - comparison functions for sorts: the fields that decide, one after the other.
 *
 *     DPL__ORDER(by_count, term_count, DPL__FALLING(count) DPL__RISING(term))
 *     ...
 *     qsort(terms, n, sizeof *terms, by_count);
 *
 * Numbers of floating point are compared as they are: none is NaN.
 */
#ifndef DPL_BASE_ORDER_H
#define DPL_BASE_ORDER_H

#include "base/base.h"

/* clang-format off */
#define DPL__RISING(field)  if (x->field != y->field) return x->field < y->field ? -1 : 1;
#define DPL__FALLING(field) if (x->field != y->field) return x->field > y->field ? -1 : 1;
/* A dpl_str, in byte order. */
#define DPL__BY_BYTES(field)                                                                   \
    if (!dpl__str_eq(x->field, y->field)) return dpl__str_cmp(x->field, y->field);

#define DPL__SHARED_ORDER(name, type, keys)                                                    \
    int name(const void *one, const void *other)                                               \
    {                                                                                          \
        const type *x = one, *y = other;                                                       \
        keys                                                                                   \
        return 0;                                                                              \
    }
/* clang-format on */
#define DPL__ORDER(name, type, keys) static DPL__SHARED_ORDER(name, type, keys)

/* The same for an array of pointers. */
#define DPL__ORDER_POINTERS(name, type, keys)                                                  \
    static int name(const void *one, const void *other)                                        \
    {                                                                                          \
        const type *x = *(type *const *)one, *y = *(type *const *)other;                       \
        keys return 0;                                                                         \
    }

/* The same for an array of numbers. */
#define DPL__RISING_NUMBERS(name, type)                                                        \
    static int name(const void *one, const void *other)                                        \
    {                                                                                          \
        const type x = *(const type *)one, y = *(const type *)other;                           \
        return (x > y) - (x < y);                                                              \
    }
#define DPL__FALLING_NUMBERS(name, type)                                                       \
    static int name(const void *one, const void *other)                                        \
    {                                                                                          \
        const type x = *(const type *)one, y = *(const type *)other;                           \
        return (x < y) - (x > y);                                                              \
    }

/* Rising, in place and without memory: Shell's, with Ciura's gaps, for rows that are short or
 * nearly sorted. */
static inline void dpl__sort_words(uint64_t *x, size_t n)
{
    static const size_t gaps[] = {88585, 39371, 17498, 7777, 3456, 1536, 701,
                                  301,   132,   57,    23,   10,   4,    1};
    for (size_t g = 0; g < DPL_LEN(gaps); g++)
        for (size_t i = gaps[g]; i < n; i++) {
            const uint64_t v = x[i];
            size_t k = i;
            for (; k >= gaps[g] && x[k - gaps[g]] > v; k -= gaps[g])
                x[k] = x[k - gaps[g]];
            x[k] = v;
        }
}

#endif
