/*
 * vec.c - doubling growth for vec.h.
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
