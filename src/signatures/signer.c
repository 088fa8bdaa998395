/*
 * signer.c - rows of vectors to rows of words.
 *
 * Sparse rows: weights become whole numbers up to 63, relative to the largest of the row, and
 * the kernels do the rest; src/kernels/sign.h has the hyperplanes. Dense rows: numbers become
 * whole ones up to 2047 in size, and the entries of hyperplanes nearly Gaussian ones up to 495:
 * a few dimensions with entries of +1 and -1 know only a few directions. An entry is 16 times
 * the popcount of 61 random bits, with 3 bits to fill the gaps. All sums are whole numbers, so
 * every instruction set gives the same bits; and all are odd, so none is 0, and the opposite of
 * a row has the opposite signature.
 *
 * Cost: nothing per term of the vocabulary but its key (8 bytes, when they fit into an eighth
 * of the memory), nothing per hyperplane and term; dense rows have all hyperplanes in memory
 * when they fit into an eighth of it, else make them anew for every tile of rows.
 */
#include "signatures/signer.h"

#include "base/ctx.h"
#include "base/hash.h"
#include "kernels/kernels.h"
#include "par/pool.h"

#include <math.h>

enum { FIXED = 2047, PLANES = DPL__SIGN_PLANES, TILE_BYTES = 256 << 10, ALIGN = 64 };

struct dpl__sign_scratch {
    char *memory; /* all of it, of n_bytes */
    size_t n_bytes;
    void *kernel;
    uint64_t *keys;    /* sparse: of the row's terms */
    uint8_t *weights;  /* sparse */
    int16_t *rows;     /* dense: a tile */
    int16_t *planes;   /* dense, when there is no room for all */
    int32_t *products; /* of a row, or of a dense tile, for methods that keep them */
};

/* ---- sparse rows -------------------------------------------------------------------- */

enum { KEYS_PER_JOB = 1 << 14 };

static void make_keys(void *user, size_t job)
{
    const dpl__signer *s = user;
    size_t end = dpl__min((job + 1) * KEYS_PER_JOB, s->vectors->terms.n);
    for (size_t i = job * KEYS_PER_JOB; i < end; i++)
        s->keys[i] = dpl__term_key(dpl__string(&s->vectors->terms, i));
}

static void get_keys(const dpl__signer *s, uint64_t *out, uint64_t begin, size_t n)
{
    const uint32_t *terms = s->vectors->rows.terms + begin;
    if (!s->keys) {
        for (size_t i = 0; i < n; i++)
            out[i] = dpl__term_key(dpl__string(&s->vectors->terms, terms[i]));
        return;
    }
    for (size_t i = 0; i < n; i++)
        out[i] = s->keys[terms[i]];
}

static uint64_t seed_of(const dpl__signer *s, size_t word)
{
    return dpl__sign_seed(s->seed, s->method->info.method, word);
}

static void sign_sparse(const dpl__signer *s, uint64_t *out, uint32_t row,
                        struct dpl__sign_scratch *scr)
{
    const dpl__kernels *k = s->ctx->kernels;
    const dpl__rows *rows = &s->vectors->rows;
    uint64_t begin = rows->offsets[row];
    size_t n = (size_t)(rows->offsets[row + 1] - begin);
    get_keys(s, scr->keys, begin, n);
    if (s->method->has_weights)
        k->sign_weights(scr->weights, rows->weights + begin, n);
    const dpl__sign_row ready = {k, {scr->keys, scr->weights, n, scr->kernel}};
    if (s->method->has_products) {
        for (size_t word = 0; word < s->n / 64; word += DPL__SIGN_WORDS)
            k->sign_sums(scr->products + 64 * word, dpl__min(DPL__SIGN_WORDS, s->n / 64 - word),
                         &ready.terms, seed_of(s, word));
        k->quantise8((int8_t *)(void *)out, scr->products, s->n);
        return;
    }
    for (size_t word = 0; word < s->n_words; word += DPL__SIGN_WORDS)
        s->method->sign(out + word, &ready, s->n, word, seed_of(s, word));
}

/* ---- dense rows --------------------------------------------------------------------- */

static void make_plane(const dpl__signer *s, int16_t *out, size_t bit)
{
    uint64_t seed = dpl__mix(s->seed ^ dpl__mix(bit));
    size_t dim = s->vectors->dense.dim;
    for (size_t i = 0; i < dim; i++) {
        uint64_t random = dpl__mix(dpl__mix(i) ^ seed);
        out[i] =
            (int16_t)(16 * (int)dpl__n_ones(random >> 3) - 8 * 61 + 2 * (int)(random & 7) - 7);
    }
    memset(out + dim, 0, (s->dim - dim) * sizeof *out);
}

static void make_planes(void *user, size_t job)
{
    const dpl__signer *s = user;
    for (size_t bit = job * PLANES; bit < (job + 1) * PLANES; bit++)
        make_plane(s, s->planes + bit * s->dim, bit);
}

/* Numbers relative to the largest; their sum is odd. */
static void to_fixed(const dpl__signer *s, int16_t *out, const float *row)
{
    size_t dim = s->vectors->dense.dim, largest = 0;
    for (size_t i = 1; i < dim; i++)
        if (fabsf(row[i]) > fabsf(row[largest]))
            largest = i;
    const float scale = FIXED / fabsf(row[largest]);
    int sum = 0;
    for (size_t i = 0; i < dim; i++) {
        out[i] = (int16_t)(row[i] * scale + (row[i] < 0 ? -0.5f : 0.5f));
        sum ^= out[i];
    }
    if (sum % 2 == 0)
        out[largest] = (int16_t)(out[largest] > 0 ? out[largest] - 1 : out[largest] + 1);
    memset(out + dim, 0, (s->dim - dim) * sizeof *out);
}

/* Products of a row and the hyperplanes from number `first` on. */
static void put_dots(const dpl__signer *s, uint64_t *out, const struct dpl__sign_scratch *scr,
                     uint32_t row, size_t first, const int16_t *planes)
{
    int64_t dots[PLANES];
    s->ctx->kernels->sign_dots(dots, scr->rows + row * s->dim, planes, s->dim);
    if (s->method->has_products) {
        for (size_t i = 0; i < PLANES; i++)
            scr->products[(size_t)row * s->n + first + i] = (int32_t)(dots[i] >> s->shift);
        return;
    }
    uint64_t bits = 0;
    for (size_t i = 0; i < PLANES; i++)
        bits |= (uint64_t)(dots[i] > 0) << i;
    out[(size_t)row * s->n_words + first / 64] |= bits << first % 64;
}

static void sign_tile(const dpl__signer *s, uint64_t *out, uint32_t first, uint32_t n,
                      struct dpl__sign_scratch *scr)
{
    const dpl__dense *dense = &s->vectors->dense;
    memset(out, 0, (size_t)n * s->n_words * sizeof *out);
    for (uint32_t i = 0; i < n; i++)
        to_fixed(s, scr->rows + i * s->dim, dense->values + (size_t)(first + i) * dense->dim);
    for (size_t bit = 0; bit < s->n; bit += PLANES) {
        const int16_t *planes = s->planes ? s->planes + bit * s->dim : scr->planes;
        for (size_t i = 0; !s->planes && i < PLANES; i++)
            make_plane(s, scr->planes + i * s->dim, bit + i);
        for (uint32_t i = 0; i < n; i++)
            put_dots(s, out, scr, i, bit, planes);
    }
    for (uint32_t i = 0; i < n && s->method->has_products; i++)
        s->ctx->kernels->quantise8((int8_t *)(void *)(out + (size_t)i * s->n_words),
                                   scr->products + (size_t)i * s->n, s->n);
}

/* ---- both --------------------------------------------------------------------------- */

void dpl__signer_rows(const dpl__signer *s, uint64_t *out, uint32_t first, uint32_t n,
                      unsigned worker)
{
    struct dpl__sign_scratch *scr = &s->scratch[worker];
    assert(first <= s->vectors->sizes.n_rows && n <= s->vectors->sizes.n_rows - first);
    if (s->dim == 0)
        for (uint32_t i = 0; i < n; i++)
            sign_sparse(s, out + (size_t)i * s->n_words, first + i, scr);
    else
        for (uint32_t i = 0; i < n; i += (uint32_t)s->n_tile)
            sign_tile(s, out + (size_t)i * s->n_words, first + i,
                      (uint32_t)dpl__min(s->n_tile, n - i), scr);
}

static size_t longest_row(const dpl__rows *rows)
{
    uint64_t n = 0;
    for (uint32_t r = 0; r < rows->n_rows; r++)
        if (rows->offsets[r + 1] - rows->offsets[r] > n)
            n = rows->offsets[r + 1] - rows->offsets[r];
    return (size_t)n;
}

/* The first aligned place in memory that has ALIGN bytes to spare. */
static void *aligned(char *memory)
{
    return memory + -(uintptr_t)memory % ALIGN;
}

/* Takes n bytes of a worker's memory; with none yet it only counts. */
static void *take(struct dpl__sign_scratch *scr, char **at, size_t n)
{
    void *p = *at;
    n = (n + ALIGN - 1) / ALIGN * ALIGN;
    if (scr->memory)
        *at += n;
    else
        scr->n_bytes += n;
    return p;
}

static void lay_out(const dpl__signer *s, struct dpl__sign_scratch *scr, size_t longest)
{
    char *at = scr->memory ? aligned(scr->memory) : NULL;
    scr->kernel = take(scr, &at, DPL__SIGN_SCRATCH);
    scr->keys = take(scr, &at, longest * sizeof *scr->keys);
    scr->weights = take(scr, &at, longest * sizeof *scr->weights);
    scr->rows = take(scr, &at, s->n_tile * s->dim * sizeof *scr->rows);
    scr->planes = take(scr, &at, s->planes ? 0 : PLANES * s->dim * sizeof *scr->planes);
    const size_t n_products = s->method->has_products ? dpl__max(s->n_tile, 1) * s->n : 0;
    scr->products = take(scr, &at, n_products * sizeof *scr->products);
}

static dpl_status set_up_workers(dpl__signer *s, dpl_error *err)
{
    size_t longest = s->dim ? 0 : longest_row(&s->vectors->rows);
    s->scratch = dpl__calloc(s->ctx, s->ctx->n_threads, sizeof *s->scratch);
    DPL_TRY(dpl__need(s->scratch, err));
    for (unsigned i = 0; i < s->ctx->n_threads; i++) {
        struct dpl__sign_scratch *scr = &s->scratch[i];
        lay_out(s, scr, longest);
        scr->n_bytes += ALIGN;
        scr->memory = dpl__alloc(s->ctx, scr->n_bytes);
        DPL_TRY(dpl__need(scr->memory, err));
        lay_out(s, scr, longest);
    }
    return DPL_OK;
}

static dpl_status set_up_sparse(dpl__signer *s, dpl_error *err)
{
    size_t n = s->vectors->terms.n;
    if (n == 0 || n > s->ctx->memory / 8 / sizeof *s->keys)
        return DPL_OK;
    s->keys = dpl__alloc(s->ctx, n * sizeof *s->keys);
    DPL_TRY(dpl__need(s->keys, err));
    return dpl__parallel_each(s->ctx, (n + KEYS_PER_JOB - 1) / KEYS_PER_JOB, s, make_keys, err);
}

static dpl_status set_up_dense(dpl__signer *s, dpl_error *err)
{
    size_t dim = s->vectors->dense.dim;
    s->dim = (dim + DPL__SIGN_DIMS - 1) / DPL__SIGN_DIMS * DPL__SIGN_DIMS;
    s->n_tile = dpl__max(1, TILE_BYTES / (s->dim * sizeof *s->planes));
    if (s->method->has_products)
        s->n_tile = dpl__max(1, dpl__min(s->n_tile, 4 * TILE_BYTES / s->n / sizeof(int32_t)));
    while (s->dim >> s->shift >> 11) /* products are below 2^20 */
        s->shift++;
    if (s->dim > s->ctx->memory / 8 / sizeof *s->planes / s->n)
        return DPL_OK;
    s->n_plane_bytes = s->n * s->dim * sizeof *s->planes + ALIGN;
    s->plane_memory = dpl__alloc(s->ctx, s->n_plane_bytes);
    DPL_TRY(dpl__need(s->plane_memory, err));
    s->planes = aligned(s->plane_memory);
    return dpl__parallel_each(s->ctx, s->n / PLANES, s, make_planes, err);
}

dpl_status dpl__signer_init(dpl__signer *s, dpl_ctx *ctx, const dpl_vectors *vectors,
                            dpl_sign_method method, unsigned n, dpl_error *err)
{
    *s = (dpl__signer){.ctx = ctx,
                       .vectors = vectors,
                       .method = dpl__signature_method_of(method),
                       .n = n,
                       .seed = ctx->seed};
    s->n_words = s->method->n_words(n);
    bool is_dense = vectors->sizes.dim > 0;
    if (is_dense && !s->method->info.takes_dense) {
        dpl__fail(err, DPL_E_USAGE, "'%s' has dense rows, and %s needs terms", vectors->path,
                  s->method->info.name);
        dpl__hint(err, "rp takes dense rows");
        return DPL_E_USAGE;
    }
    DPL_TRY(is_dense ? set_up_dense(s, err) : set_up_sparse(s, err));
    return set_up_workers(s, err);
}

void dpl__signer_clear(dpl__signer *s)
{
    for (unsigned i = 0; s->scratch && i < s->ctx->n_threads; i++)
        dpl__free(s->ctx, s->scratch[i].memory);
    dpl__free(s->ctx, s->scratch, s->keys, s->plane_memory);
}
