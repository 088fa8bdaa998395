/*
 * zstd.c - zstd frames, one after another, skippable ones passed over.
 *
 * Windows up to 2 GiB (`zstd --long=31`) are taken as long as the context's memory limit
 * holds them. The library's own memory is not taken through the context: the call that would
 * allow it is not part of its stable interface.
 *
 * When a block is damaged the library drops what the same call made of the blocks before. So
 * each call gets only the input it asks for, a block at a time.
 */
#include "io/codec.h"

#include <zstd.h>
#include <zstd_errors.h>

enum {
    LEAST_WINDOW_LOG = 20,
    MOST_WINDOW_LOG = 31,
    FRAME_START = 5,        /* bytes of input that the library asks for at first */
    MOST_INPUT = 256 << 10, /* a block has half of it; a skippable frame may have 4 GiB */
};

typedef struct zstd {
    dpl__source *src;
    ZSTD_DCtx *dctx;
    bool is_in_frame; /* false between two of them */
    size_t n_next;    /* how much input the next call gets */
} zstd;

static bool matches(const uint8_t *p, size_t n)
{
    static const uint8_t frame[] = {0x28, 0xB5, 0x2F, 0xFD}, skippable[] = {0x2A, 0x4D, 0x18};
    return n >= 4 && (memcmp(p, frame, 4) == 0 ||
                      ((p[0] & 0xF0) == 0x50 && memcmp(p + 1, skippable, 3) == 0));
}

/* The largest window that the memory limit holds, but always one MiB. */
static int window_log(const dpl_ctx *ctx)
{
    int log = MOST_WINDOW_LOG;
    while (log > LEAST_WINDOW_LOG && (uint64_t)1 << log > dpl_ctx_memory(ctx))
        log--;
    return log;
}

static void close_zstd(void *state)
{
    zstd *z = state;
    ZSTD_freeDCtx(z->dctx);
    dpl__free(z->src->ctx, z);
}

static dpl_status open_zstd(void **state, dpl__source *src, dpl_error *err)
{
    zstd *z = dpl__calloc(src->ctx, 1, sizeof *z);
    DPL_TRY(dpl__need(z, err));
    z->src = src;
    z->dctx = ZSTD_createDCtx();
    if (!z->dctx || ZSTD_isError(ZSTD_DCtx_setParameter(z->dctx, ZSTD_d_windowLogMax,
                                                        window_log(src->ctx)))) {
        close_zstd(z);
        return dpl__fail_nomem(err);
    }
    z->n_next = FRAME_START;
    *state = z;
    return DPL_OK;
}

static dpl_status fail(const zstd *z, size_t code, dpl_error *err)
{
    const dpl__source *src = z->src;
    switch (ZSTD_getErrorCode(code)) {
    case ZSTD_error_memory_allocation: return dpl__fail_nomem(err);
    case ZSTD_error_frameParameter_windowTooLarge:
        dpl__fail(err, DPL_E_LIMIT, "'%s': the zstd data needs a window of more than %u MiB",
                  src->name, 1u << (window_log(src->ctx) - 20));
        dpl__error_place(err, 0, 0, src->offset);
        if (window_log(src->ctx) < MOST_WINDOW_LOG)
            dpl__code(err, DPL_E_LIMIT, "memory");
        return DPL_E_LIMIT;
    case ZSTD_error_prefix_unknown:
        return dpl__source_bad(src, src->offset, err, "bytes behind the zstd data");
    default: return dpl__source_bad(src, src->offset, err, "damaged zstd data");
    }
}

static dpl_status read_zstd(void *state, uint8_t *out, size_t *got, dpl_error *err)
{
    zstd *z = state;
    dpl__source *src = z->src;
    ZSTD_outBuffer to = {out, DPL__CODEC_ROOM, 0};
    while (to.pos == 0) {
        DPL_TRY(dpl__source_want(src, z->n_next, err));
        if (src->n == 0 && !z->is_in_frame)
            break;
        ZSTD_inBuffer from = {src->p, dpl__min(src->n, z->n_next), 0};
        size_t n_next = ZSTD_decompressStream(z->dctx, &to, &from);
        if (ZSTD_isError(n_next))
            return fail(z, n_next, err);
        dpl__source_skip(src, from.pos);
        if (from.size == 0 && to.pos == 0)
            return dpl__source_bad(src, src->offset, err, "truncated zstd data");
        z->is_in_frame = n_next != 0;
        z->n_next = n_next ? dpl__min(n_next, MOST_INPUT) : FRAME_START;
    }
    *got = to.pos;
    return DPL_OK;
}

bool dpl__zstd_pack(char *to, size_t *n_to, dpl_str from, int level)
{
    ZSTD_CCtx *cctx = ZSTD_createCCtx();
    size_t n = 0;
    bool is_done = cctx != NULL;
    if (is_done) {
        ZSTD_CCtx_setParameter(cctx, ZSTD_c_compressionLevel, level);
        ZSTD_CCtx_setParameter(cctx, ZSTD_c_checksumFlag, 1);
        n = ZSTD_compress2(cctx, to, *n_to, from.data, from.n);
        is_done = !ZSTD_isError(n);
    }
    ZSTD_freeCCtx(cctx);
    *n_to = is_done ? n : 0;
    return is_done;
}

extern const dpl__codec dpl__codec_zstd;
const dpl__codec dpl__codec_zstd = {"zstd",    ".zst",     matches, open_zstd,
                                    read_zstd, close_zstd, false};
