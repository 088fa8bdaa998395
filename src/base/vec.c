/*
 * vec.c - doubling growth and distinct elements for vec.h.
 */
#include "base/vec.h"

bool dpl__vec_grow(dpl_ctx *ctx, void **data, size_t n, size_t *cap, size_t more, size_t size)
{
    assert(n <= *cap && size > 0);
    if (more > SIZE_MAX / size / 2 - n)
        return false;
    size_t want = dpl__max(dpl__max(*cap + *cap / 2, n + more), 16);
    void *p = dpl__resize(ctx, *data, want * size);
    if (!p)
        return false;
    *data = p;
    *cap = want;
    return true;
}

size_t dpl__distinct(void *data, size_t n, size_t size,
                     int (*order)(const void *, const void *))
{
    char *all = data;
    size_t n_kept = 0;
    for (size_t i = 0; i < n; i++)
        if (n_kept == 0 || order(all + (n_kept - 1) * size, all + i * size) != 0)
            memmove(all + n_kept++ * size, all + i * size, size);
    return n_kept;
}
