/*
 * vec.h - growable arrays. Owned.
 *
 *     DPL_VEC(uint32_t) ids = {0};
 *     DPL_TRY(dpl__need(dpl__vec_push(ctx, &ids, 7u), err));
 *     dpl__vec_clear(ctx, &ids);
 *
 * Zeroed memory is an empty array. Failure leaves the array as it was.
 */
#ifndef DPL_BASE_VEC_H
#define DPL_BASE_VEC_H

#include "base/base.h"

#include <stdlib.h>

#define DPL_VEC(T)                                                                             \
    struct {                                                                                   \
        T *data;                                                                               \
        size_t n, cap;                                                                         \
    }

/* Room for `more` elements behind the n there are; false when there is no memory. */
#define dpl__vec_reserve(ctx, v, more)                                                         \
    ((v)->cap - (v)->n >= (size_t)(more) ||                                                    \
     dpl__vec_grow((ctx), (void **)(void *)&(v)->data, (v)->n, &(v)->cap, (more),              \
                   sizeof *(v)->data))

#define dpl__vec_push(ctx, v, value)                                                           \
    (dpl__vec_reserve((ctx), (v), 1) ? ((v)->data[(v)->n++] = (value), true) : false)

/* Appends n_more elements from p; false when there is no memory. */
#define dpl__vec_append(ctx, v, p, n_more)                                                     \
    (dpl__vec_reserve((ctx), (v), (n_more))                                                    \
         ? (((n_more) != 0 ? memcpy((v)->data + (v)->n, (p), (n_more) * sizeof *(v)->data)     \
                           : NULL),                                                            \
            (v)->n += (n_more), true)                                                          \
         : false)

/* Sorts by a comparison for qsort. */
#define dpl__vec_sort(v, order)                                                                \
    ((v)->n ? qsort((v)->data, (v)->n, sizeof *(v)->data, (order)) : (void)0)

/* Of a sorted array: keeps the first of equal elements. */
#define dpl__vec_distinct(v, order)                                                            \
    ((v)->n = dpl__distinct((v)->data, (v)->n, sizeof *(v)->data, (order)))

/* Any number of arrays, up to eight. */
#define dpl__vec_clear(ctx, ...)                                                               \
    DPL__VEC_NTH(__VA_ARGS__, DPL__VEC_8, DPL__VEC_7, DPL__VEC_6, DPL__VEC_5, DPL__VEC_4,      \
                 DPL__VEC_3, DPL__VEC_2, DPL__VEC_1, )                                         \
    (ctx, __VA_ARGS__)
#define DPL__VEC_NTH(a, b, c, d, e, f, g, h, nth, ...) nth
#define DPL__VEC_1(ctx, v)                                                                     \
    (dpl__free((ctx), (v)->data), (v)->data = NULL, (v)->n = (v)->cap = 0)
#define DPL__VEC_2(ctx, v, ...) (DPL__VEC_1(ctx, v), DPL__VEC_1(ctx, __VA_ARGS__))
#define DPL__VEC_3(ctx, v, ...) (DPL__VEC_1(ctx, v), DPL__VEC_2(ctx, __VA_ARGS__))
#define DPL__VEC_4(ctx, v, ...) (DPL__VEC_1(ctx, v), DPL__VEC_3(ctx, __VA_ARGS__))
#define DPL__VEC_5(ctx, v, ...) (DPL__VEC_1(ctx, v), DPL__VEC_4(ctx, __VA_ARGS__))
#define DPL__VEC_6(ctx, v, ...) (DPL__VEC_1(ctx, v), DPL__VEC_5(ctx, __VA_ARGS__))
#define DPL__VEC_7(ctx, v, ...) (DPL__VEC_1(ctx, v), DPL__VEC_6(ctx, __VA_ARGS__))
#define DPL__VEC_8(ctx, v, ...) (DPL__VEC_1(ctx, v), DPL__VEC_7(ctx, __VA_ARGS__))

size_t dpl__distinct(void *data, size_t n, size_t size,
                     int (*order)(const void *, const void *));
bool dpl__vec_grow(dpl_ctx *ctx, void **data, size_t n, size_t *cap, size_t more, size_t size);

/* Bytes under construction: the most common array. */
typedef DPL_VEC(char) dpl__bytes;

#endif
