/*
 * gzip.c - gzip members, one after another; zero bytes behind the last one are padding.
 *
 * zlib's inflate does the work, headers and checksums included.
 */
#include "io/codec.h"

#include <zlib.h>

typedef struct gzip {
    dpl__source *src;
    z_stream strm;
    bool is_in_member; /* false between two of them */
} gzip;

static bool matches(const uint8_t *p, size_t n)
{
    return n >= 2 && p[0] == 0x1F && p[1] == 0x8B;
}

static void close_gzip(void *state)
{
    gzip *g = state;
    inflateEnd(&g->strm);
    dpl__free(g->src->ctx, g);
}

static dpl_status open_gzip(void **state, dpl__source *src, dpl_error *err)
{
    gzip *g = dpl__calloc(src->ctx, 1, sizeof *g);
    DPL_TRY(dpl__need(g, err));
    g->src = src;
    g->is_in_member = true;
    g->strm.zalloc = dpl__zlib_alloc;
    g->strm.zfree = dpl__zlib_free;
    g->strm.opaque = src->ctx;
    if (inflateInit2(&g->strm, 16 + MAX_WBITS) != Z_OK) { /* 16: gzip only */
        dpl__free(src->ctx, g);
        return dpl__fail_nomem(err);
    }
    *state = g;
    return DPL_OK;
}

/* Between two members: begins the next one, or passes over the padding. DPL_END at the end. */
static dpl_status next_member(gzip *g, dpl_error *err)
{
    dpl__source *src = g->src;
    DPL_TRY(dpl__source_want(src, 1, err));
    if (src->n && src->p[0] == 0x1F) {
        g->is_in_member = inflateReset(&g->strm) == Z_OK;
        assert(g->is_in_member);
        return DPL_OK;
    }
    while (src->n) {
        size_t n = 0;
        while (n < src->n && src->p[n] == 0)
            n++;
        dpl__source_skip(src, n);
        if (src->n)
            return dpl__source_bad(src, src->offset, err, "bytes behind the gzip data");
        DPL_TRY(dpl__source_want(src, 1, err));
    }
    return DPL_END;
}

static dpl_status inflate_some(gzip *g, dpl_error *err)
{
    dpl__source *src = g->src;
    DPL_TRY(dpl__source_want(src, 1, err));
    uInt n_in = (uInt)dpl__min(src->n, 1u << 30);
    g->strm.next_in = (Bytef *)(uintptr_t)src->p; /* zlib only reads it */
    g->strm.avail_in = n_in;
    int r = inflate(&g->strm, Z_NO_FLUSH);
    dpl__source_skip(src, n_in - g->strm.avail_in);
    switch (r) {
    case Z_OK: return DPL_OK;
    case Z_STREAM_END: g->is_in_member = false; return DPL_OK;
    case Z_MEM_ERROR: return dpl__fail_nomem(err);
    case Z_BUF_ERROR: /* no progress: all of the file is in, and there is nothing to put out */
        return dpl__source_bad(src, src->offset, err, "truncated gzip data");
    default: return dpl__source_bad(src, src->offset, err, "damaged gzip data");
    }
}

static dpl_status read_gzip(void *state, uint8_t *out, size_t *got, dpl_error *err)
{
    gzip *g = state;
    g->strm.next_out = out;
    g->strm.avail_out = DPL__CODEC_ROOM;
    dpl_status status = DPL_OK;
    while (status == DPL_OK && g->strm.avail_out == DPL__CODEC_ROOM)
        status = g->is_in_member ? inflate_some(g, err) : next_member(g, err);
    *got = DPL__CODEC_ROOM - g->strm.avail_out;
    return status == DPL_END ? DPL_OK : status;
}

extern const dpl__codec dpl__codec_gzip;
const dpl__codec dpl__codec_gzip = {"gzip",    ".gz",      matches, open_gzip,
                                    read_gzip, close_gzip, false};
