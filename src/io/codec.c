/*
 * codec.c - memory for the libraries behind the codecs.
 */
#include "io/codec.h"

enum { HEADER = 16 }; /* keeps what follows aligned */

void *dpl__sized_alloc(dpl_ctx *ctx, size_t n, size_t size)
{
    if (size && n > (SIZE_MAX - HEADER) / size)
        return NULL;
    size_t total = n * size + HEADER;
    char *p = dpl__alloc(ctx, total);
    if (!p)
        return NULL;
    memcpy(p, &total, sizeof total);
    return p + HEADER;
}

void dpl__sized_free(dpl_ctx *ctx, void *p)
{
    if (!p)
        return;
    char *start = (char *)p - HEADER;
    size_t total;
    memcpy(&total, start, sizeof total);
    dpl__free(ctx, start, total);
}
