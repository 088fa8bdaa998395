/*
 * pack.c - compression of output.
 */
#include "dedup/pack.h"

#include "io/codec.h"

#include <fcntl.h>
#include <unistd.h>
#include <zlib.h>
#include <zstd.h>

enum { ZSTD_LEVEL = 3, GZIP_LEVEL = 6 };

const char *dpl__pack_ending(dpl_dedup_compress how)
{
    return how == DPL_COMPRESS_GZIP ? ".gz" : how == DPL_COMPRESS_ZSTD ? ".zst" : "";
}

static bool gzip(dpl__bytes *to, const dpl__bytes *from)
{
    z_stream z = {0};
    if (deflateInit2(&z, GZIP_LEVEL, Z_DEFLATED, 16 + MAX_WBITS, 8, Z_DEFAULT_STRATEGY) != Z_OK)
        return false;
    z.next_in = (Bytef *)(void *)from->data;
    z.avail_in = (uInt)from->n;
    z.next_out = (Bytef *)(void *)to->data;
    z.avail_out = (uInt)to->cap;
    const bool is_done = deflate(&z, Z_FINISH) == Z_STREAM_END;
    to->n = (size_t)z.total_out;
    deflateEnd(&z);
    return is_done;
}

static bool zstd(dpl__bytes *to, const dpl__bytes *from)
{
    to->n = to->cap;
    return dpl__zstd_pack(to->data, &to->n, (dpl_str){from->data, from->n}, ZSTD_LEVEL);
}

static dpl_status pack(dpl__bytes *bytes, dpl_ctx *ctx, dpl_dedup_compress how, dpl_error *err)
{
    dpl__bytes packed = {0};
    const size_t room = how == DPL_COMPRESS_ZSTD ? ZSTD_compressBound(bytes->n)
                                                 : compressBound((uLong)bytes->n) + 32;
    if (!dpl__vec_reserve(ctx, &packed, room) ||
        !(how == DPL_COMPRESS_ZSTD ? zstd(&packed, bytes) : gzip(&packed, bytes))) {
        dpl__vec_clear(ctx, &packed);
        return dpl__fail_nomem(err);
    }
    dpl__vec_clear(ctx, bytes);
    *bytes = packed;
    return DPL_OK;
}

static bool is_packed(dpl_dedup_compress how)
{
    return how == DPL_COMPRESS_GZIP || how == DPL_COMPRESS_ZSTD;
}

dpl_status dpl__pack(dpl__bytes *bytes, dpl_ctx *ctx, dpl_dedup_compress how, dpl_error *err)
{
    return is_packed(how) && bytes->n ? pack(bytes, ctx, how, err) : DPL_OK;
}

dpl_status dpl__pack_nothing(dpl_output *output, dpl_ctx *ctx, dpl_dedup_compress how,
                             dpl_error *err)
{
    dpl__bytes nothing = {0};
    if (!is_packed(how))
        return DPL_OK;
    dpl_status status = pack(&nothing, ctx, how, err);
    if (status == DPL_OK)
        dpl_output_write(output, nothing.data, nothing.n);
    dpl__vec_clear(ctx, &nothing);
    return status;
}

dpl_dedup_compress dpl__pack_of(const dpl_input *input)
{
    uint8_t start[16];
    size_t n = 0;
    if (input->path) {
        const int fd = open(input->path, O_RDONLY | O_CLOEXEC);
        const ssize_t got = fd >= 0 ? read(fd, start, sizeof start) : 0;
        n = got > 0 ? (size_t)got : 0;
        if (fd >= 0)
            close(fd);
    } else if (input->buffer.data) {
        n = dpl__min(sizeof start, input->buffer.n);
        memcpy(start, input->buffer.data, n);
    }
    for (size_t i = 0; dpl__codecs[i]; i++)
        if (dpl__codecs[i]->matches(start, n))
            return strcmp(dpl__codecs[i]->ending, ".gz") == 0 ? DPL_COMPRESS_GZIP
                                                              : DPL_COMPRESS_ZSTD;
    return DPL_COMPRESS_NONE;
}
