/*
 * xz.c - xz streams, one after another, with the padding the format allows between them.
 *
 * liblzma does the work; it refuses what needs more memory than the context's limit.
 */
#include "io/codec.h"

#include <lzma.h>

typedef struct xz {
    dpl__source *src;
    lzma_allocator allocator;
    lzma_stream strm;
    bool is_done;
} xz;

static const uint8_t magic[] = {0xFD, '7', 'z', 'X', 'Z', 0};

static bool matches(const uint8_t *p, size_t n)
{
    return n >= sizeof magic && memcmp(p, magic, sizeof magic) == 0;
}

static void *xz_alloc(void *ctx, size_t n, size_t size)
{
    return size && n > SIZE_MAX / size ? NULL : dpl__alloc(ctx, n * size);
}

static void xz_free(void *ctx, void *p)
{
    dpl__free(ctx, p);
}

static void close_xz(void *state)
{
    xz *x = state;
    lzma_end(&x->strm);
    dpl__free(x->src->ctx, x);
}

static dpl_status open_xz(void **state, dpl__source *src, dpl_error *err)
{
    xz *x = dpl__calloc(src->ctx, 1, sizeof *x);
    DPL_TRY(dpl__need(x, err));
    x->src = src;
    x->allocator = (lzma_allocator){xz_alloc, xz_free, src->ctx};
    x->strm = (lzma_stream)LZMA_STREAM_INIT;
    x->strm.allocator = &x->allocator;
    if (lzma_stream_decoder(&x->strm, dpl_ctx_memory(src->ctx), LZMA_CONCATENATED) != LZMA_OK) {
        close_xz(x);
        return dpl__fail_nomem(err);
    }
    *state = x;
    return DPL_OK;
}

static dpl_status fail(xz *x, lzma_ret code, dpl_error *err)
{
    const dpl__source *src = x->src;
    switch (code) {
    case LZMA_MEM_ERROR: return dpl__fail_nomem(err);
    case LZMA_MEMLIMIT_ERROR:
        dpl__fail(err, DPL_E_LIMIT,
                  "'%s': the xz data needs %llu MiB, more than the memory limit", src->name,
                  (unsigned long long)(lzma_memusage(&x->strm) >> 20) + 1);
        dpl__error_place(err, 0, 0, src->offset);
        return dpl__code(err, DPL_E_LIMIT, "memory");
    case LZMA_OPTIONS_ERROR:
        dpl__fail(err, DPL_E_UNSUPPORTED,
                  "'%s': xz options of a newer version at byte %llu of the file", src->name,
                  (unsigned long long)src->offset);
        dpl__error_place(err, 0, 0, src->offset);
        return DPL_E_UNSUPPORTED;
    case LZMA_BUF_ERROR: return dpl__source_bad(src, src->offset, err, "truncated xz data");
    default: return dpl__source_bad(src, src->offset, err, "damaged xz data");
    }
}

static dpl_status read_xz(void *state, uint8_t *out, size_t *got, dpl_error *err)
{
    xz *x = state;
    dpl__source *src = x->src;
    x->strm.next_out = out;
    x->strm.avail_out = DPL__CODEC_ROOM;
    while (*got == 0 && !x->is_done) {
        DPL_TRY(dpl__source_want(src, 1, err));
        x->strm.next_in = src->p;
        x->strm.avail_in = src->n;
        /* LZMA_FINISH means that nothing follows what it is given; without input it makes the
         * library say whether something is missing. */
        lzma_ret r = lzma_code(&x->strm, src->n ? LZMA_RUN : LZMA_FINISH);
        dpl__source_skip(src, src->n - x->strm.avail_in);
        *got = DPL__CODEC_ROOM - x->strm.avail_out;
        x->is_done = r == LZMA_STREAM_END;
        if (r != LZMA_OK && r != LZMA_STREAM_END)
            return fail(x, r, err);
    }
    return DPL_OK;
}

extern const dpl__codec dpl__codec_xz;
const dpl__codec dpl__codec_xz = {"xz", ".xz", matches, open_xz, read_xz, close_xz, false};
