/*
 * bzip2.c - bzip2 streams, one after another, their blocks decoded in parallel.
 *
 * In: the compressed file. Out: its bytes, the same and with the same failure at the same place
 * as from a decoder that goes through it from front to back, whatever the number of threads.
 *
 * bzip2 is ten times slower than the other formats, but its blocks (up to 900 kB of output) do
 * not depend on each other. Where one begins can be seen: at a magic of 48 bits. So the window
 * over the file is cut at every magic, each piece is framed as a stream of its own
 * (bzip2_frame.h) and libbz2 decodes them on all threads.
 *
 * A piece that decodes without error up to its very last bit is the block: decoding does
 * not look ahead, so the serial decoder would have come to the same end. Anything else - a
 * magic that is really part of a block's data (once in 2^47 bits by chance), damage,
 * truncation, a block that unpacks to far more than 900 kB - is not judged here: from the
 * beginning of that block to the end of its stream libbz2 decodes the file serially, and its
 * result counts.
 *
 * Memory: for each thread some 8 MB of output, 4 MB in libbz2 and 2 MB of window.
 */
#include "base/vec.h"
#include "io/bzip2_frame.h"
#include "io/codec.h"
#include "par/pool.h"

#include <bzlib.h>

enum {
    BLOCKS_PER_THREAD = 8,  /* decoded ahead: so many share the wait for the last one */
    USUAL_PACKED = 1 << 18, /* compressed bytes of a block of text */
    MOST_PACKED = 2 << 20,  /* compressed bytes of one block; bzip2 itself stays below 1 MiB */
    MOST_UNPACKED = 4 << 20 /* more only when it is full of long runs of one byte */
};

/* All that a serial decoder knows between two blocks. */
typedef struct place {
    uint64_t bit;      /* of the file */
    bool is_in_stream; /* a block or the end mark begins here; else a stream */
    unsigned level;    /* of the stream: 1 to 9 */
    uint32_t crc;      /* of the stream's blocks so far, combined */
} place;

typedef struct block {
    place at;
    uint64_t end;    /* bit of the file */
    uint32_t crc;    /* as stored */
    bool is_regular; /* out is right; else the block is left to the serial decoder */
    dpl__bytes out;  /* begins with the starter */
} block;

typedef struct bzip2 {
    dpl__source *src;
    dpl__bz_finder finder;
    place at; /* behind the planned blocks */
    block *blocks;
    size_t most_blocks;
    size_t n_blocks, next, n_taken; /* planned; to hand out from, and how much of it is gone */
    bool is_serial;
    bz_stream strm; /* serial; what it still has as input between two calls is of prefix */
    uint8_t prefix[DPL__BZ_PREFIX];
} bzip2;

static bool is_header(const uint8_t *p)
{
    return memcmp(p, "BZh", 3) == 0 && p[3] >= '1' && p[3] <= '9';
}

static bool matches(const uint8_t *p, size_t n)
{
    return n >= 4 && is_header(p);
}

/* ---- libbz2 ------------------------------------------------------------------------- */

static void *bz_alloc(void *ctx, int n, int size)
{
    return dpl__sized_alloc(ctx, (size_t)n, (size_t)size);
}

static void bz_free(void *ctx, void *p)
{
    dpl__sized_free(ctx, p);
}

/* Of libbz2's two ways of decoding, the fast one takes half the time but loses the last bytes
 * before the damage in a damaged block, how many depends on the room for them. */
static dpl_status start_decoder(bz_stream *strm, dpl_ctx *ctx, bool is_fast, dpl_error *err)
{
    *strm = (bz_stream){.bzalloc = bz_alloc, .bzfree = bz_free, .opaque = ctx};
    return BZ2_bzDecompressInit(strm, 0, !is_fast) == BZ_OK ? DPL_OK : dpl__fail_nomem(err);
}

static void give_input(bz_stream *strm, const uint8_t *p, size_t n)
{
    strm->next_in = (char *)(uintptr_t)p; /* libbz2 only reads it */
    strm->avail_in = (unsigned)n;
}

/* ---- one block alone, on any thread -------------------------------------------------- */

/* Feeds n bytes and collects what comes out; answers as libbz2 does. */
static int decode_part(dpl_ctx *ctx, bz_stream *strm, const uint8_t *p, size_t n, block *b)
{
    give_input(strm, p, n);
    for (;;) {
        size_t room = dpl__min(b->out.cap, MOST_UNPACKED) - b->out.n;
        if (room == 0) {
            if (b->out.n == MOST_UNPACKED)
                return BZ_OUTBUFF_FULL;
            if (!dpl__vec_reserve(ctx, &b->out, 1))
                return BZ_MEM_ERROR;
            continue;
        }
        strm->next_out = b->out.data + b->out.n;
        strm->avail_out = (unsigned)room;
        int r = BZ2_bzDecompress(strm);
        b->out.n += room - strm->avail_out;
        if (r != BZ_OK || (strm->avail_in == 0 && strm->avail_out > 0))
            return r;
    }
}

static dpl_status decode_block(void *user, size_t i, unsigned worker, dpl_error *err)
{
    (void)worker;
    bzip2 *bz = user;
    block *b = &bz->blocks[i];
    dpl_ctx *ctx = bz->src->ctx;
    const uint8_t *p = bz->src->p + (b->at.bit / 8 - bz->src->offset);
    const uint8_t *end = bz->src->p + (b->end / 8 - bz->src->offset);
    uint8_t prefix[DPL__BZ_PREFIX], trailer[DPL__BZ_TRAILER];
    size_t n_prefix = dpl__bz_prefix(prefix, b->at.level, b->at.crc, p, b->at.bit % 8);
    size_t n_trailer =
        dpl__bz_trailer(trailer, dpl__bz_combine(b->at.crc, b->crc), end, b->end % 8);
    const struct {
        const uint8_t *p;
        size_t n;
    } parts[] = {{prefix, n_prefix}, {p + 1, (size_t)(end - p) - 1}, {trailer, n_trailer}};

    b->out.n = 0;
    size_t usual = dpl__min(8 * (size_t)(end - p), 100000 * (size_t)b->at.level);
    if (!dpl__vec_reserve(ctx, &b->out, usual + DPL__BZ_STARTER + 1))
        return dpl__fail_nomem(err);
    bz_stream strm;
    DPL_TRY(start_decoder(&strm, ctx, true, err));
    int r = BZ_OK;
    size_t n_parts = 0;
    for (; n_parts < DPL_LEN(parts) && r == BZ_OK; n_parts++)
        r = decode_part(ctx, &strm, parts[n_parts].p, parts[n_parts].n, b);
    b->is_regular = r == BZ_STREAM_END && n_parts == DPL_LEN(parts) && strm.avail_in == 0;
    BZ2_bzDecompressEnd(&strm);
    return r == BZ_MEM_ERROR ? dpl__fail_nomem(err) : DPL_OK;
}

/* ---- the plan ------------------------------------------------------------------------ */

/* Moves *at over a stream's header, its end mark, or a block, which joins the plan. False when
 * what stands there is none of these, or not wholly in the window. */
static bool plan_step(bzip2 *bz, place *at)
{
    const dpl__source *src = bz->src;
    size_t bit = at->bit - 8 * src->offset, n_bits = 8 * src->n;
    if (!at->is_in_stream) {
        if (n_bits - bit < 32 || !is_header(src->p + bit / 8))
            return false;
        unsigned level = (unsigned)src->p[bit / 8 + 3] - '0';
        *at = (place){.bit = at->bit + 32, .is_in_stream = true, .level = level};
        return true;
    }
    if (n_bits - bit < DPL__BZ_MARK_BITS)
        return false;
    uint64_t magic = dpl__bz_bits(src->p, bit, 48);
    uint32_t crc = (uint32_t)dpl__bz_bits(src->p, bit + 48, 32);
    if (magic == DPL__BZ_END && crc == at->crc) {
        *at = (place){.bit = (at->bit + DPL__BZ_MARK_BITS + 7) / 8 * 8};
        return true;
    }
    size_t end, furthest = dpl__min(n_bits - 48 + 1, bit + 8 * MOST_PACKED);
    if (magic != DPL__BZ_BLOCK || bz->n_blocks == bz->most_blocks ||
        !dpl__bz_find(&end, &bz->finder, src->p, bit + DPL__BZ_MARK_BITS, furthest))
        return false;
    block *b = &bz->blocks[bz->n_blocks++];
    b->at = *at;
    b->end = end + 8 * src->offset;
    b->crc = crc;
    at->bit = b->end;
    at->crc = dpl__bz_combine(at->crc, crc);
    return true;
}

static void move_to(dpl__source *src, uint64_t bit)
{
    dpl__source_skip(src, bit / 8 - src->offset);
}

/* The result of libbz2 for the serial part. */
static dpl_status check(const bzip2 *bz, int r, dpl_error *err)
{
    if (r == BZ_OK || r == BZ_STREAM_END)
        return DPL_OK;
    if (r == BZ_MEM_ERROR)
        return dpl__fail_nomem(err);
    return dpl__source_bad(bz->src, bz->src->offset, err, "damaged bzip2 data");
}

/* From a place in a stream to the stream's end. */
static dpl_status begin_serial(bzip2 *bz, const place *at, dpl_error *err)
{
    dpl__source *src = bz->src;
    move_to(src, at->bit);
    DPL_TRY(start_decoder(&bz->strm, src->ctx, false, err));
    bz->is_serial = true;
    bz->n_blocks = bz->next = 0;
    size_t n = dpl__bz_prefix(bz->prefix, at->level, at->crc, src->p, at->bit % 8);
    dpl__source_skip(src, 1); /* the prefix has it */
    give_input(&bz->strm, bz->prefix, n);
    char starter[DPL__BZ_STARTER];
    bz->strm.next_out = starter;
    bz->strm.avail_out = sizeof starter;
    return check(bz, BZ2_bzDecompress(&bz->strm), err);
}

/* The first step of a plan fails: the end of the file, or something irregular. */
static dpl_status cannot_plan(bzip2 *bz, dpl_error *err)
{
    const dpl__source *src = bz->src;
    if (src->n == 0 && !bz->at.is_in_stream)
        return DPL_END;
    if (src->n > 0 && bz->at.is_in_stream)
        return begin_serial(bz, &bz->at, err);
    if (src->n == 0 || (src->n < 4 && memcmp(src->p, "BZh", src->n) == 0))
        return dpl__source_bad(src, src->offset + src->n, err, "truncated bzip2 data");
    return dpl__source_bad(src, src->offset, err, "bytes behind the bzip2 data");
}

/* Decodes the next blocks, or goes over to the serial decoder. DPL_END at the end. */
static dpl_status plan(bzip2 *bz, dpl_error *err)
{
    dpl__source *src = bz->src;
    move_to(src, bz->at.bit);
    DPL_TRY(dpl__source_want(src, MOST_PACKED + bz->most_blocks * USUAL_PACKED, err));
    bz->n_blocks = bz->next = 0;
    bz->n_taken = DPL__BZ_STARTER;
    if (!plan_step(bz, &bz->at))
        return cannot_plan(bz, err);
    while (plan_step(bz, &bz->at))
        continue;
    return dpl__parallel_for(src->ctx, bz->n_blocks, bz, decode_block, err);
}

/* ---- handing out --------------------------------------------------------------------- */

static dpl_status take_block(bzip2 *bz, uint8_t *out, size_t *got, dpl_error *err)
{
    block *b = &bz->blocks[bz->next];
    if (!b->is_regular)
        return begin_serial(bz, &b->at, err);
    move_to(bz->src, b->at.bit);
    *got = dpl__min(DPL__CODEC_ROOM, b->out.n - bz->n_taken);
    memcpy(out, b->out.data + bz->n_taken, *got);
    bz->n_taken += *got;
    if (bz->n_taken == b->out.n) {
        bz->next++;
        bz->n_taken = DPL__BZ_STARTER;
    }
    return DPL_OK;
}

static dpl_status read_serial(bzip2 *bz, uint8_t *out, size_t *got, dpl_error *err)
{
    dpl__source *src = bz->src;
    bz_stream *strm = &bz->strm;
    strm->next_out = (char *)out;
    strm->avail_out = DPL__CODEC_ROOM;
    int r = BZ_OK;
    bool is_at_end = false;
    while (r == BZ_OK && strm->avail_out == DPL__CODEC_ROOM && !is_at_end) {
        size_t n_in = 0;
        if (strm->avail_in == 0) {
            DPL_TRY(dpl__source_want(src, 1, err));
            n_in = dpl__min(src->n, 1u << 30);
            give_input(strm, src->p, n_in);
            is_at_end = n_in == 0;
        }
        r = BZ2_bzDecompress(strm);
        if (n_in) {
            dpl__source_skip(src, n_in - strm->avail_in);
            strm->avail_in = 0;
        }
    }
    *got = DPL__CODEC_ROOM - strm->avail_out;
    if (r == BZ_STREAM_END) {
        BZ2_bzDecompressEnd(strm);
        bz->is_serial = false;
        bz->at = (place){.bit = 8 * src->offset};
    } else if (r == BZ_OK && *got == 0) {
        return dpl__source_bad(src, src->offset, err, "truncated bzip2 data");
    }
    return check(bz, r, err);
}

static dpl_status read_bzip2(void *state, uint8_t *out, size_t *got, dpl_error *err)
{
    bzip2 *bz = state;
    dpl_status status = DPL_OK;
    while (*got == 0 && status == DPL_OK)
        status = bz->is_serial             ? read_serial(bz, out, got, err)
                 : bz->next < bz->n_blocks ? take_block(bz, out, got, err)
                                           : plan(bz, err);
    return status == DPL_END ? DPL_OK : status;
}

static void close_bzip2(void *state)
{
    bzip2 *bz = state;
    dpl_ctx *ctx = bz->src->ctx;
    if (bz->is_serial)
        BZ2_bzDecompressEnd(&bz->strm);
    for (size_t i = 0; bz->blocks && i < bz->most_blocks; i++)
        dpl__vec_clear(ctx, &bz->blocks[i].out);
    dpl__free(ctx, bz->blocks, bz->most_blocks * sizeof *bz->blocks);
    dpl__free(ctx, bz, sizeof *bz);
}

/* One at a time when there is nobody to share with; a quarter of the memory at the most. */
static size_t blocks_ahead(const dpl_ctx *ctx)
{
    size_t n_threads = dpl_ctx_threads(ctx);
    size_t fit = (size_t)(dpl_ctx_memory(ctx) / 4 / (1 << 20));
    return n_threads == 1 ? 1 : dpl__max(1, dpl__min(fit, BLOCKS_PER_THREAD * n_threads));
}

static dpl_status open_bzip2(void **state, dpl__source *src, dpl_error *err)
{
    bzip2 *bz = dpl__calloc(src->ctx, 1, sizeof *bz);
    if (!bz)
        return dpl__fail_nomem(err);
    bz->src = src;
    dpl__bz_finder_init(&bz->finder);
    bz->most_blocks = blocks_ahead(src->ctx);
    bz->blocks = dpl__calloc(src->ctx, bz->most_blocks, sizeof *bz->blocks);
    if (!bz->blocks) {
        close_bzip2(bz);
        return dpl__fail_nomem(err);
    }
    *state = bz;
    return DPL_OK;
}

extern const dpl__codec dpl__codec_bzip2;
const dpl__codec dpl__codec_bzip2 = {"bzip2",    ".bz2",     matches,
                                     open_bzip2, read_bzip2, close_bzip2};
