/*
 * bzip2.c - bzip2 streams, one after another, their blocks decoded in parallel.
 *
 * In: the compressed file. Out: its bytes, the same and with the same failure at the same place
 * as from a decoder that goes through it from front to back, whatever the number of threads.
 *
 * Blocks (up to 900 kB of output) do not depend on each other, and where one begins can be
 * seen: at a magic of 48 bits. So a plan notes every magic in the window over the file, and
 * what begins there is decoded on all threads (bzip2_block.h). A block says itself where it
 * ends. Where that is not the next magic - which is then part of the block's data, once in 2^47
 * bits by chance - the rest of the plan is void, and the next one begins there.
 *
 * Memory: for each thread up to 8 MB for decoding, 8 MB of output, 2 MB of window; less when
 * the context has less.
 */
#include "base/ctx.h"
#include "base/vec.h"
#include "io/bzip2_block.h"
#include "io/codec.h"
#include "kernels/kernels.h"
#include "par/pool.h"

#include <stdatomic.h>

/* ---- the last step of bzip2: runs of bytes, and the checksum ---------------------------- */

typedef struct dpl__bz_runs {
    const dpl__kernels *kernels;
    const uint8_t *text; /* n bytes, and one more that a missing count is read from */
    size_t n, at;
    size_t run;    /* where the next count is expected; beyond n: there is none */
    size_t n_more; /* of the byte `byte`, to be put out before anything else */
    uint8_t byte;
    bool lacks_count; /* the last one */
    uint32_t state;   /* of the CRC of what was put out */
} dpl__bz_runs;

static inline bool dpl__bz_runs_done(const dpl__bz_runs *r)
{
    return r->at == r->n && r->n_more == 0;
}

/* The place behind the next four equal bytes, or n + 1. */
static size_t find_run(const dpl__bz_runs *r)
{
    size_t rest = r->n - r->at, i = r->kernels->bz_four(r->text + r->at, rest);
    return i < rest ? r->at + i + 4 : r->n + 1;
}

static void bz_runs_init(dpl__bz_runs *r, const dpl__kernels *kernels, const uint8_t *text,
                         size_t n)
{
    *r = (dpl__bz_runs){.kernels = kernels, .text = text, .n = n, .state = 0xFFFFFFFFu};
    r->run = find_run(r);
}

/* At the place of a count. */
static void begin_run(dpl__bz_runs *r)
{
    r->byte = r->text[r->at - 1];
    r->n_more = r->text[r->at];
    r->lacks_count = r->at == r->n;
    r->at = dpl__min(r->at + 1, r->n);
    r->run = r->lacks_count ? r->n + 1 : find_run(r);
}

/* Up to `room` bytes; fewer only at the end. */
static size_t bz_runs_read(dpl__bz_runs *r, uint8_t *out, size_t room)
{
    assert(r->at <= r->n);
    size_t n = 0;
    for (;;) {
        size_t more = dpl__min(r->n_more, room - n);
        memset(out + n, r->byte, more);
        r->n_more -= more;
        n += more;
        if (r->n_more || (r->at == r->n && r->run > r->n) || (n == room && r->at != r->run))
            break;
        size_t piece = dpl__min(dpl__min(r->run, r->n) - r->at, room - n);
        memcpy(out + n, r->text + r->at, piece);
        r->at += piece;
        n += piece;
        if (r->at == r->run)
            begin_run(r);
    }
    r->state = r->kernels->bz_crc(r->state, out, n);
    return n;
}

enum {
    BLOCKS_PER_THREAD = 8,   /* decoded ahead: so many share the wait for the last one */
    USUAL_PACKED = 1 << 18,  /* compressed bytes of a block of text */
    LARGE_PACKED = 1 << 20,  /* bzip2 itself writes none that is larger */
    MOST_PACKED = 64 << 20,  /* larger ones are refused */
    MOST_UNPACKED = 4 << 20, /* decoded ahead; more only when it is full of long runs */
    DECODER_BYTES = 6 << 20, /* for a block of text */
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
    uint64_t planned_end; /* bit of the file at which the next one is planned; 0: none is */
    uint64_t end;         /* of the block, or where its damage is */
    dpl__bz_outcome outcome;
    uint32_t crc;      /* as stored */
    dpl__bytes out;    /* the first MOST_UNPACKED bytes */
    dpl__bz_runs runs; /* the rest, if there is one: from `text` */
    uint8_t *text;
    size_t room_text;
} block;

typedef struct bzip2 {
    dpl__source *src;
    dpl__bz_finder finder;
    place at;      /* behind the planned blocks */
    size_t wanted; /* bytes in the window, because a block was longer; else 0 */
    dpl__bz_decoder **decoders;
    size_t n_decoders;
    block *blocks;
    size_t most_blocks;
    size_t n_blocks, next, n_taken; /* planned; to hand out from, and how much of it is gone */
    atomic_size_t n_begun;          /* while they are decoded */
} bzip2;

static bool is_header(const uint8_t *p)
{
    return memcmp(p, "BZh", 3) == 0 && p[3] >= '1' && p[3] <= '9';
}

static bool matches(const uint8_t *p, size_t n)
{
    return n >= 4 && is_header(p);
}

/* ---- one block, on any thread ---------------------------------------------------------- */

/* Writes out the runs of a decoded block; when it becomes too long, the block keeps the text
 * that they stand in. */
static dpl_status fill_out(const bzip2 *bz, block *b, dpl__bz_decoder *d, dpl_error *err)
{
    dpl_ctx *ctx = bz->src->ctx;
    while (!dpl__bz_runs_done(&b->runs) && b->out.n < MOST_UNPACKED) {
        DPL_TRY(dpl__need(
            dpl__vec_reserve(ctx, &b->out, b->out.n ? 1 : b->runs.n + b->runs.n / 16 + 1024),
            err));
        size_t room = dpl__min(b->out.cap, MOST_UNPACKED) - b->out.n;
        b->out.n += bz_runs_read(&b->runs, (uint8_t *)b->out.data + b->out.n, room);
    }
    if (!dpl__bz_runs_done(&b->runs)) {
        dpl__free(ctx, b->text);
        b->text = d->text;
        b->room_text = d->room_text;
        d->text = NULL;
        d->room_text = 0;
    }
    return DPL_OK;
}

static dpl_status decode_block(const bzip2 *bz, block *b, dpl__bz_decoder *d, dpl_error *err)
{
    const dpl__source *src = bz->src;
    dpl__bz_block found = {.bit = b->at.bit - 8 * src->offset, .level = b->at.level};
    DPL_TRY(dpl__bz_decode(&found, d, src->p, src->n, err));
    b->outcome = found.outcome;
    b->end = found.end + 8 * src->offset;
    b->crc = found.crc;
    b->out.n = 0;
    if (b->outcome != DPL__BZ_DONE)
        return DPL_OK;
    bz_runs_init(&b->runs, src->ctx->kernels, d->text, found.n);
    return fill_out(bz, b, d, err);
}

/* Decodes blocks until none is left. */
static dpl_status decode_blocks(void *user, size_t i, unsigned worker, dpl_error *err)
{
    (void)worker;
    bzip2 *bz = user;
    if (!bz->decoders[i])
        bz->decoders[i] = dpl__bz_decoder_new(bz->src->ctx, err);
    if (!bz->decoders[i])
        return DPL_E_NOMEM;
    for (size_t k; (k = atomic_fetch_add(&bz->n_begun, 1)) < bz->n_blocks;)
        DPL_TRY(decode_block(bz, &bz->blocks[k], bz->decoders[i], err));
    return DPL_OK;
}

/* ---- the plan ------------------------------------------------------------------------ */

/* Adds the block at a place to the plan and moves the place to the next magic. Without one,
 * only the first of a plan is worth decoding; false: here the plan ends. */
static bool plan_block(bzip2 *bz, place *at, uint32_t crc)
{
    const dpl__source *src = bz->src;
    size_t bit = at->bit - 8 * src->offset, end = 0;
    bool has_next =
        bz->most_blocks > 1 &&
        dpl__bz_find(&end, &bz->finder, src->p, bit + DPL__BZ_MARK_BITS, 8 * src->n - 48 + 1);
    if (bz->n_blocks == bz->most_blocks || (!has_next && bz->n_blocks > 0))
        return false;
    block *b = &bz->blocks[bz->n_blocks++];
    b->at = *at;
    b->planned_end = has_next ? end + 8 * src->offset : 0;
    at->bit = b->planned_end;
    at->crc = dpl__bz_combine(at->crc, crc);
    return has_next;
}

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
    return magic == DPL__BZ_BLOCK && plan_block(bz, at, crc);
}

static void move_to(dpl__source *src, uint64_t bit)
{
    assert(bit / 8 >= src->offset && bit / 8 - src->offset <= src->n);
    dpl__source_skip(src, bit / 8 - src->offset);
}

static dpl_status damaged_at(const bzip2 *bz, uint64_t bit, dpl_error *err)
{
    return dpl__source_bad(bz->src, bit / 8, err, "damaged bzip2 data");
}

static dpl_status truncated(const bzip2 *bz, dpl_error *err)
{
    const dpl__source *src = bz->src;
    return dpl__source_bad(src, src->offset + src->n, err, "truncated bzip2 data");
}

/* Not even the first step is possible: the end of the file, or a failure. */
static dpl_status cannot_plan(const bzip2 *bz, dpl_error *err)
{
    const dpl__source *src = bz->src;
    if (bz->at.is_in_stream) {
        size_t bit = bz->at.bit % 8, n = 8 * src->n - bit;
        unsigned n_magic = (unsigned)dpl__min(n, 48);
        uint64_t magic = n_magic ? dpl__bz_bits(src->p, bit, n_magic) : 0;
        bool may_be_mark =
            magic == DPL__BZ_BLOCK >> (48 - n_magic) || magic == DPL__BZ_END >> (48 - n_magic);
        return n < DPL__BZ_MARK_BITS && may_be_mark ? truncated(bz, err)
                                                    : damaged_at(bz, bz->at.bit, err);
    }
    if (src->n == 0)
        return DPL_END;
    if (src->n < 4 && memcmp(src->p, "BZh", src->n) == 0)
        return truncated(bz, err);
    return dpl__source_bad(src, src->offset, err, "bytes behind the bzip2 data");
}

/* Enough of the file for all blocks of a plan. Alone, a block is enough; the window is filled
 * again when it may not have a whole one. */
static dpl_status fill_window(bzip2 *bz, dpl_error *err)
{
    dpl__source *src = bz->src;
    size_t n = dpl__max(2 * LARGE_PACKED + bz->most_blocks * USUAL_PACKED, bz->wanted);
    move_to(src, bz->at.bit);
    bool is_enough = bz->most_blocks == 1 && !bz->wanted && src->n >= LARGE_PACKED;
    return is_enough ? DPL_OK : dpl__source_want(src, n, err);
}

/* Decodes the next blocks. DPL_END at the end. */
static dpl_status plan(bzip2 *bz, dpl_error *err)
{
    bz->n_blocks = bz->next = bz->n_taken = 0;
    DPL_TRY(fill_window(bz, err));
    const place from = bz->at;
    while (plan_step(bz, &bz->at))
        continue;
    if (bz->n_blocks == 0 && bz->at.bit == from.bit)
        return cannot_plan(bz, err);
    atomic_store(&bz->n_begun, 0);
    return dpl__parallel_for(bz->src->ctx, dpl__min(bz->n_decoders, bz->n_blocks), bz,
                             decode_blocks, err);
}

/* The window ends before the block does: tries again with more of the file. */
static dpl_status widen(bzip2 *bz, const block *b, dpl_error *err)
{
    const dpl__source *src = bz->src;
    if (src->is_at_end)
        return truncated(bz, err);
    if (src->n >= MOST_PACKED)
        return dpl__source_bad(src, b->at.bit / 8, err, "bzip2 block of more than 64 MiB");
    bz->wanted = 2 * src->n;
    bz->at = b->at;
    bz->n_blocks = bz->next = 0;
    return DPL_OK;
}

/* ---- handing out --------------------------------------------------------------------- */

static dpl_status finish_block(bzip2 *bz, const block *b, dpl_error *err)
{
    if (b->runs.lacks_count || ~b->runs.state != b->crc)
        return damaged_at(bz, b->end, err);
    if (b->end != b->planned_end) { /* the plan went wrong here */
        bz->at = b->at;
        bz->at.bit = b->end;
        bz->at.crc = dpl__bz_combine(b->at.crc, b->crc);
        bz->n_blocks = 0;
    }
    bz->next++;
    bz->n_taken = 0;
    bz->wanted = 0;
    return DPL_OK;
}

static dpl_status take_block(bzip2 *bz, uint8_t *out, size_t *got, dpl_error *err)
{
    assert(bz->next < bz->n_blocks);
    block *b = &bz->blocks[bz->next];
    if (b->outcome == DPL__BZ_SHORT)
        return widen(bz, b, err);
    if (b->outcome == DPL__BZ_DAMAGED)
        return damaged_at(bz, b->end, err);
    move_to(bz->src, b->at.bit);
    *got = dpl__min(DPL__CODEC_ROOM, b->out.n - bz->n_taken);
    memcpy(out, b->out.data + bz->n_taken, *got);
    bz->n_taken += *got;
    if (*got == 0)
        *got = bz_runs_read(&b->runs, out, DPL__CODEC_ROOM);
    bool is_done = bz->n_taken == b->out.n && dpl__bz_runs_done(&b->runs);
    return is_done ? finish_block(bz, b, err) : DPL_OK;
}

static dpl_status read_bzip2(void *state, uint8_t *out, size_t *got, dpl_error *err)
{
    bzip2 *bz = state;
    dpl_status status = DPL_OK;
    while (*got == 0 && status == DPL_OK)
        status = bz->next < bz->n_blocks ? take_block(bz, out, got, err) : plan(bz, err);
    return status == DPL_END ? DPL_OK : status;
}

static void close_bzip2(void *state)
{
    bzip2 *bz = state;
    dpl_ctx *ctx = bz->src->ctx;
    for (size_t i = 0; bz->decoders && i < bz->n_decoders; i++)
        dpl__bz_decoder_free(bz->decoders[i]);
    dpl__free(ctx, bz->decoders);
    for (size_t i = 0; bz->blocks && i < bz->most_blocks; i++) {
        dpl__vec_clear(ctx, &bz->blocks[i].out);
        dpl__free(ctx, bz->blocks[i].text);
    }
    dpl__free(ctx, bz->blocks, bz);
}

/* A third of the memory for decoders at the most, an eighth for their output. One block at a
 * time when there is nobody to share with. */
static void choose_sizes(bzip2 *bz)
{
    const dpl_ctx *ctx = bz->src->ctx;
    size_t n_threads = dpl_ctx_threads(ctx);
    size_t decoders = (size_t)(dpl_ctx_memory(ctx) / 3 / DECODER_BYTES);
    size_t blocks = (size_t)(dpl_ctx_memory(ctx) / 8 / (1 << 20));
    bz->n_decoders = dpl__max(1, dpl__min(decoders, n_threads));
    bz->most_blocks = bz->n_decoders == 1
                          ? 1
                          : dpl__max(1, dpl__min(blocks, BLOCKS_PER_THREAD * bz->n_decoders));
}

static dpl_status open_bzip2(void **state, dpl__source *src, dpl_error *err)
{
    bzip2 *bz = dpl__calloc(src->ctx, 1, sizeof *bz);
    DPL_TRY(dpl__need(bz, err));
    bz->src = src;
    dpl__bz_finder_init(&bz->finder);
    choose_sizes(bz);
    bz->blocks = dpl__calloc(src->ctx, bz->most_blocks, sizeof *bz->blocks);
    bz->decoders = dpl__calloc(src->ctx, bz->n_decoders, sizeof *bz->decoders);
    if (!bz->blocks || !bz->decoders) {
        close_bzip2(bz);
        return dpl__fail_nomem(err);
    }
    *state = bz;
    return DPL_OK;
}

extern const dpl__codec dpl__codec_bzip2;
const dpl__codec dpl__codec_bzip2 = {"bzip2",    ".bz2",      matches, open_bzip2,
                                     read_bzip2, close_bzip2, true};
