/*
 * input.c - chooses the codec by the first bytes and returns the decompressed bytes.
 */
#include "io/input.h"

#include "io/read_ahead.h"

/* A thread reads ahead from the ninth block on, where it takes little of the memory. */
enum { LONGEST_MAGIC = 6, BLOCKS_BEFORE = 8, LEAST_THREADS = 3 };
static const uint64_t LEAST_MEMORY = (uint64_t)128 << 20;

struct dpl__input {
    dpl__source src;
    const dpl__codec *codec; /* NULL: plain */
    void *state;             /* the codec's */
    unsigned n_blocks;       /* read without the thread, while that may still begin */
    dpl__read_ahead *ahead;  /* NULL: none */
    uint64_t position;       /* of what it gave out last */
    uint8_t *buffer;     /* DPL__CODEC_ROOM bytes for smaller reads; NULL until there is one */
    const uint8_t *held; /* bytes in it that wait to be read */
    size_t n_held;
    dpl_status failed; /* DPL_OK until a read fails; then so does every later one */
    dpl_error failure;
};

static dpl_status open_codec(dpl__input *in, dpl_error *err)
{
    DPL_TRY(dpl__source_want(&in->src, LONGEST_MAGIC, err));
    for (size_t i = 0; dpl__codecs[i] && !in->codec; i++)
        if (dpl__codecs[i]->matches(in->src.p, in->src.n))
            in->codec = dpl__codecs[i];
    return in->codec ? in->codec->open(&in->state, &in->src, err) : DPL_OK;
}

/* The input owns the source from here on. */
static dpl_status open_source(dpl__input **out, dpl__source *src, dpl_error *err)
{
    *out = NULL;
    dpl__input *in = dpl__calloc(src->ctx, 1, sizeof *in);
    if (!in) {
        dpl__source_close(src);
        return dpl__fail_nomem(err);
    }
    in->src = *src;
    dpl_status status = open_codec(in, err);
    if (status != DPL_OK) {
        dpl__input_close(in);
        return status;
    }
    *out = in;
    return DPL_OK;
}

dpl_status dpl__input_open(dpl__input **out, dpl_ctx *ctx, const char *path, dpl_error *err)
{
    dpl__source src;
    *out = NULL;
    DPL_TRY(dpl__source_open(&src, ctx, path, err));
    return open_source(out, &src, err);
}

dpl_status dpl__input_open_memory(dpl__input **out, dpl_ctx *ctx, const char *name,
                                  const void *data, size_t n, dpl_error *err)
{
    dpl__source src;
    *out = NULL;
    DPL_TRY(dpl__source_open_memory(&src, ctx, name, data, n, err));
    return open_source(out, &src, err);
}

void dpl__input_close(dpl__input *in)
{
    if (!in)
        return;
    dpl_ctx *ctx = in->src.ctx;
    dpl__read_ahead_free(in->ahead);
    if (in->state)
        in->codec->close(in->state);
    dpl__free(ctx, in->buffer);
    dpl__source_close(&in->src);
    dpl__free(ctx, in);
}

static dpl_status fill_buffer(dpl__input *in)
{
    if (!in->buffer)
        in->buffer = dpl__alloc(in->src.ctx, DPL__CODEC_ROOM);
    if (!in->buffer)
        return dpl__fail_nomem(&in->failure);
    in->held = in->buffer;
    return in->codec->read(in->state, in->buffer, &in->n_held, &in->failure);
}

/* A pipe is none: whoever waits for one could not be ended. */
static bool may_read_ahead(const dpl__input *in)
{
    const dpl_ctx *ctx = in->src.ctx;
    return in->codec && !in->codec->has_threads && in->src.size &&
           dpl_ctx_threads(ctx) >= LEAST_THREADS && dpl_ctx_memory(ctx) >= LEAST_MEMORY;
}

static void begin_ahead(dpl__input *in)
{
    if (in->ahead || in->n_blocks > BLOCKS_BEFORE || in->n_blocks++ < BLOCKS_BEFORE)
        return;
    in->position = in->src.offset;
    in->ahead = may_read_ahead(in) ? dpl__read_ahead_new(in->codec, in->state, &in->src) : NULL;
}

dpl_status dpl__input_read(dpl__input *in, void *buffer, size_t n, size_t *got, dpl_error *err)
{
    assert(n > 0);
    *got = 0;
    if (in->n_held == 0 && in->failed == DPL_OK) {
        begin_ahead(in);
        if (in->ahead)
            in->failed = dpl__read_ahead_next(in->ahead, &in->held, &in->n_held, &in->position,
                                              &in->failure);
        else if (!in->codec)
            in->failed = dpl__source_read(&in->src, buffer, n, got, &in->failure);
        else if (n >= DPL__CODEC_ROOM)
            in->failed = in->codec->read(in->state, buffer, got, &in->failure);
        else
            in->failed = fill_buffer(in);
    }
    if (in->n_held) {
        *got = dpl__min(n, in->n_held);
        memcpy(buffer, in->held, *got);
        in->held += *got;
        in->n_held -= *got;
    }
    if (in->failed == DPL_OK || *got > 0) /* first the bytes, then the failure behind them */
        return DPL_OK;
    if (err)
        *err = in->failure;
    return in->failed;
}

const char *dpl__input_name(const dpl__input *in)
{
    return in->src.name;
}

uint64_t dpl__input_position(const dpl__input *in)
{
    return in->ahead ? in->position : in->src.offset;
}

uint64_t dpl__input_size(const dpl__input *in)
{
    return in->src.size;
}
