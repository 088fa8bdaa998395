/*
 * codes.c - the codes of all rows, on all threads.
 *
 * Columns: code c of all rows stands together, because that is what a search sorts. A block of
 * rows is made on one thread and written to its place in every column.
 */
#include "signatures/codes.h"

#include "base/ctx.h"
#include "par/pool.h"
#include "signatures/code_rows.h"
#include "signatures/signer.h"

#include <stdio.h>

enum { BLOCK = 256, ALIGN = 64 };

/* Scratch of a worker: a signature and what makes it, or the function's own, and codes. */
typedef struct worker {
    char *memory;
    void *own;        /* of the kernels, or of the function */
    uint64_t *words;  /* a signature, or a block of them */
    uint8_t *weights; /* of a row, as kernels take them */
    float *ones;
    uint64_t *codes; /* of a row */
} worker;

typedef struct making {
    dpl_ctx *ctx;
    const dpl_hash *hash;
    const dpl__hash_function *function;
    const dpl__signature_method *method; /* of a function that is made of signatures */
    unsigned n_sign;
    size_t n_words; /* of a signature */
    dpl__hash_rows rows;
    dpl__signer signer; /* of dense rows */
    bool is_dense;
    size_t n_worker_bytes;
    worker *workers;
    uint64_t *out;
    const uint32_t *numbers; /* of rows; NULL: all */
    uint32_t n;              /* rows to be made */
} making;

/* ---- one row ------------------------------------------------------------------------ */

static void sign_row(const making *m, worker *w, const dpl__hash_row *row)
{
    const dpl__kernels *k = m->ctx->kernels;
    if (m->method->has_weights)
        k->sign_weights(w->weights, row->weights ? row->weights : w->ones, row->n);
    dpl__sign_row ready = {k, {row->marks, w->weights, row->n, w->own}};
    const dpl_sign_method method = m->method->info.method;
    for (size_t word = 0; word < m->n_words; word += DPL__SIGN_WORDS)
        m->method->sign(w->words + word, &ready, m->n_sign, word,
                        dpl__sign_seed(m->hash->seed, method, word));
}

static void put(const making *m, uint32_t row, const uint64_t *codes)
{
    for (unsigned c = 0; c < m->hash->options.codes; c++)
        m->out[(size_t)c * m->n + row] = codes ? codes[c] : DPL_NO_CODE;
}

/* The i-th of those to be made. */
static void make_row(const making *m, uint32_t i, unsigned id)
{
    worker *w = &m->workers[id];
    const dpl__hash_row row = dpl__hash_rows_get(&m->rows, m->numbers ? m->numbers[i] : i, id);
    if (row.n == 0 && row.dim == 0) {
        put(m, i, NULL);
        return;
    }
    if (m->method) {
        sign_row(m, w, &row);
        m->function->encode(w->codes, m->hash, w->words);
    } else {
        m->function->codes(w->codes, m->hash, &row, w->own);
    }
    put(m, i, w->codes);
}

static dpl_status make_block(void *user, size_t block, unsigned id, dpl_error *err)
{
    (void)err;
    const making *m = user;
    const uint32_t first = (uint32_t)block * BLOCK;
    const uint32_t n = (uint32_t)dpl__min(BLOCK, m->n - first);
    if (!m->is_dense || !m->method) {
        for (uint32_t i = 0; i < n; i++)
            make_row(m, first + i, id);
        return DPL_OK;
    }
    worker *w = &m->workers[id];
    for (uint32_t i = 0; i < n; i++)
        if (m->numbers)
            dpl__signer_rows(&m->signer, w->words + i * m->n_words, m->numbers[first + i], 1,
                             id);
    if (!m->numbers)
        dpl__signer_rows(&m->signer, w->words, first, n, id);
    for (uint32_t i = 0; i < n; i++) {
        m->function->encode(w->codes, m->hash, w->words + i * m->n_words);
        put(m, first + i, w->codes);
    }
    return DPL_OK;
}

/* ---- setting up --------------------------------------------------------------------- */

/* Takes n bytes; with no memory yet it only counts. */
static void *take(making *m, char **at, size_t n)
{
    void *p = *at;
    n = (n + ALIGN - 1) / ALIGN * ALIGN;
    if (*at)
        *at += n;
    else
        m->n_worker_bytes += n;
    return p;
}

static void lay_out(making *m, worker *w)
{
    char *at = w->memory ? w->memory + -(uintptr_t)w->memory % ALIGN : NULL;
    const size_t longest = m->rows.scratch[0].n;
    const size_t own = m->function->n_scratch ? m->function->n_scratch(m->hash) : 0;
    w->own = take(m, &at, m->method ? DPL__SIGN_SCRATCH : own);
    w->words = take(m, &at, m->n_words * (m->is_dense ? BLOCK : 1) * sizeof *w->words);
    w->weights = take(m, &at, longest * sizeof *w->weights);
    w->ones = take(m, &at, longest * sizeof *w->ones);
    w->codes = take(m, &at, m->hash->options.codes * sizeof *w->codes);
    for (size_t i = 0; w->memory && i < longest; i++)
        w->ones[i] = 1;
}

static dpl_status set_up_workers(making *m, dpl_error *err)
{
    worker count = {0};
    m->workers = dpl__calloc(m->ctx, m->ctx->n_threads, sizeof *m->workers);
    DPL_TRY(dpl__need(m->workers, err));
    lay_out(m, &count);
    m->n_worker_bytes += ALIGN;
    for (unsigned i = 0; i < m->ctx->n_threads; i++) {
        m->workers[i].memory = dpl__alloc(m->ctx, m->n_worker_bytes);
        DPL_TRY(dpl__need(m->workers[i].memory, err));
        lay_out(m, &m->workers[i]);
    }
    return DPL_OK;
}

static dpl_status making_init(making *m, dpl_ctx *ctx, const dpl_hash *hash,
                              const dpl_hash_input *input, dpl_error *err)
{
    *m = (making){.ctx = ctx, .hash = hash, .function = hash->function};
    DPL_TRY(dpl__hash_rows_init(&m->rows, ctx, hash, input, err));
    m->is_dense = m->rows.input.vectors && m->rows.input.vectors->sizes.dim;
    if (m->function->has_signature) {
        m->method = dpl__signature_method_of(m->function->signature);
        m->n_sign = m->function->n_sign(&hash->options);
        m->n_words = m->method->n_words(m->n_sign);
    }
    if (m->is_dense && m->method) {
        DPL_TRY(dpl__signer_init(&m->signer, ctx, m->rows.input.vectors, m->method->info.method,
                                 m->n_sign, err));
        m->signer.seed = hash->seed;
    }
    return set_up_workers(m, err);
}

static void making_clear(making *m)
{
    for (unsigned i = 0; m->workers && i < m->ctx->n_threads; i++)
        dpl__free(m->ctx, m->workers[i].memory);
    dpl__free(m->ctx, m->workers);
    if (m->signer.ctx)
        dpl__signer_clear(&m->signer);
    dpl__hash_rows_clear(&m->rows);
}

/* Room for all codes, in memory or in an unnamed file. */
static dpl_status make_room(dpl_codes *c, const char *spill_dir, dpl_error *err)
{
    const size_t n_words = (size_t)c->n_rows * c->n_codes;
    DPL_TRY(dpl__spill_init(&c->spill, c->ctx, spill_dir ? spill_dir : "/tmp", err));
    DPL_TRY(dpl__scratch_init(&c->made, &c->spill, 2 * n_words + 2,
                              (size_t)(c->ctx->memory / 4), err));
    c->words = (uint64_t *)(void *)c->made.data;
    return DPL_OK;
}

/* ---- public ------------------------------------------------------------------------- */

static dpl_status number_rows(dpl_codes *c, dpl_error *err)
{
    c->numbers = dpl__alloc(c->ctx, ((size_t)c->n_rows + 1) * DPL__NUMBER_BYTES);
    DPL_TRY(dpl__need(c->numbers, err));
    for (uint32_t row = 0; row < c->n_rows; row++)
        snprintf(c->numbers + (size_t)row * DPL__NUMBER_BYTES, DPL__NUMBER_BYTES, "%u", row);
    return DPL_OK;
}

static dpl_status make(dpl_codes *c, making *m, dpl_error *err)
{
    c->n_rows = m->rows.n_rows;
    c->n_codes = c->hash->options.codes;
    c->vectors = m->rows.input.vectors;
    c->collection = m->rows.input.collection;
    if (!c->vectors && !c->collection)
        DPL_TRY(number_rows(c, err));
    DPL_TRY(make_room(c, c->hash->options.temp, err));
    m->out = (uint64_t *)(uintptr_t)c->words;
    m->n = c->n_rows;
    return dpl__parallel_for(m->ctx, (m->n + BLOCK - 1) / BLOCK, m, make_block, err);
}

dpl_status dpl_codes_make(dpl_codes **out, dpl_ctx *ctx, const dpl_hash *hash,
                          const dpl_hash_input *input, dpl_error *err)
{
    *out = NULL;
    making m;
    dpl_codes *c = dpl__calloc(ctx, 1, sizeof *c);
    DPL_TRY(dpl__need(c, err));
    c->ctx = ctx;
    c->hash = hash;
    dpl_status status;
    DPL__STEP(making_init(&m, ctx, hash, input, err));
    DPL__STEP(make(c, &m, err));
    *out = c;
    c = NULL;
done:
    making_clear(&m);
    dpl_codes_close(c);
    return status;
}

dpl_status dpl__codes_of_rows(uint64_t *out, dpl_ctx *ctx, const dpl_hash *hash,
                              const dpl_hash_input *input, const dpl__some_rows *rows,
                              dpl_error *err)
{
    making m;
    dpl_status status;
    DPL__STEP(making_init(&m, ctx, hash, input, err));
    m.out = out;
    m.numbers = rows->numbers;
    m.n = rows->n;
    DPL__STEP(dpl__parallel_for(ctx, (m.n + BLOCK - 1) / BLOCK, &m, make_block, err));
done:
    making_clear(&m);
    return status;
}

dpl_status dpl_codes_from_buffer(dpl_codes **out, dpl_ctx *ctx, const uint64_t *words,
                                 uint32_t n_rows, unsigned n_codes, dpl_error *err)
{
    *out = NULL;
    if (!words && n_rows && n_codes)
        return dpl__fail(err, DPL_E_USAGE, "%u codes of %u rows without memory", n_codes,
                         n_rows);
    dpl_codes *c = dpl__calloc(ctx, 1, sizeof *c);
    DPL_TRY(dpl__need(c, err));
    *c = (dpl_codes){.ctx = ctx, .n_rows = n_rows, .n_codes = n_codes, .words = words};
    dpl_status status;
    DPL__STEP(number_rows(c, err));
    *out = c;
    c = NULL;
done:
    dpl_codes_close(c);
    return status;
}

void dpl_codes_close(dpl_codes *c)
{
    if (!c)
        return;
    dpl__free(c->ctx, c->numbers);
    dpl__scratch_clear(&c->made);
    dpl__spill_clear(&c->spill);
    dpl_hash_free(c->own_hash);
    dpl_file_close(c->file);
    dpl__free(c->ctx, c);
}

const uint64_t *dpl_codes_column(const dpl_codes *c, unsigned code)
{
    assert(code < c->n_codes);
    return c->words + (size_t)code * c->n_rows;
}

dpl_str dpl_codes_id(const dpl_codes *c, uint32_t row)
{
    assert(row < c->n_rows);
    if (c->vectors)
        return dpl_vectors_id(c->vectors, row);
    if (c->collection)
        return dpl_collection_doc(c->collection, row).id;
    if (c->file)
        return dpl__string(&c->ids, row);
    return dpl__cstr(c->numbers + (size_t)row * DPL__NUMBER_BYTES);
}

dpl_codes_info dpl_codes_get_info(const dpl_codes *c)
{
    return (dpl_codes_info){c->n_rows, c->n_codes, c->hash,
                            c->file ? dpl_file_get_info(c->file).path : "(memory)"};
}
