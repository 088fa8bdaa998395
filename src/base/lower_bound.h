/*
 * lower_bound.h - binary search in what is sorted, by any order.
 *
 *     size_t at;
 *     DPL__LOWER_BOUND(at, n, names[at].key < key);
 *     if (at < n && names[at].key == key) ...
 */
#ifndef DPL_BASE_LOWER_BOUND_H
#define DPL_BASE_LOWER_BOUND_H

#include "base/base.h"

/* Sets at, a size_t, to the least number from 0 to n for which is_before, an expression of
 * `at`, does not hold; n if it holds for all below n. It holds for all numbers before one for
 * which it holds. */
#define DPL__LOWER_BOUND(at, n, is_before)                                                     \
    do {                                                                                       \
        size_t low_ = 0, high_ = (n);                                                          \
        while (low_ < high_) {                                                                 \
            (at) = low_ + (high_ - low_) / 2;                                                  \
            if (is_before)                                                                     \
                low_ = (at) + 1;                                                               \
            else                                                                               \
                high_ = (at);                                                                  \
        }                                                                                      \
        (at) = low_;                                                                           \
    } while (0)

#endif
