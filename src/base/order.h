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

/* Of an array of pointers. */
#define DPL__ORDER_POINTERS(name, type, keys)                                                  \
    static int name(const void *one, const void *other)                                        \
    {                                                                                          \
        const type *x = *(type *const *)one, *y = *(type *const *)other;                       \
        keys return 0;                                                                         \
    }

/* Of an array of numbers. */
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

#endif
