/*
 * codec.c - the list of codecs, names of compressed files, and memory for the libraries behind
 * the codecs.
 */
#include "io/codec.h"

#include <strings.h>

extern const dpl__codec dpl__codec_gzip, dpl__codec_zstd, dpl__codec_xz, dpl__codec_bzip2;

const dpl__codec *const dpl__codecs[] = {&dpl__codec_gzip, &dpl__codec_zstd, &dpl__codec_xz,
                                         &dpl__codec_bzip2, NULL};

bool dpl__has_ending(dpl_str path, const char *ending)
{
    size_t n = strlen(ending);
    return path.n >= n && strncasecmp(path.data + path.n - n, ending, n) == 0;
}

dpl_str dpl__unpacked_name(dpl_str path)
{
    for (size_t i = 0; dpl__codecs[i]; i++)
        if (dpl__has_ending(path, dpl__codecs[i]->ending))
            return (dpl_str){path.data, path.n - strlen(dpl__codecs[i]->ending)};
    return path;
}

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

void *dpl__zlib_alloc(void *ctx, unsigned n, unsigned size)
{
    return dpl__sized_alloc(ctx, n, size);
}

void dpl__zlib_free(void *ctx, void *p)
{
    dpl__sized_free(ctx, p);
}
