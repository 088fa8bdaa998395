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

void *dpl__zlib_alloc(void *ctx, unsigned n, unsigned size)
{
    return size && n > SIZE_MAX / size ? NULL : dpl__alloc(ctx, (size_t)n * size);
}

void dpl__zlib_free(void *ctx, void *p)
{
    dpl__free(ctx, p);
}
