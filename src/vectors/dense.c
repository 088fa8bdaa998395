/*
 * dense.c - rows of numbers from a file, scaled to length one.
 *
 * .npy is a magic, a header (npy.c) and the numbers; .fvecs is rows of a 32-bit count and so
 * many numbers, all little-endian. The scaled copy is in memory, or in an unnamed file when it
 * is more than a quarter of the context's memory. Rows are read on all threads; what a file
 * says about itself is checked against its size before anything is allocated.
 */
#include "vectors/dense.h"

#include "base/hash.h"
#include "base/json_writer.h"
#include "base/sized.h"
#include "io/files.h"
#include "par/pool.h"
#include "readers/file_checks.h"

#include <math.h>
#include <stdatomic.h>
#include <stdio.h>
#include <sys/stat.h>

enum { BLOCK = 1 << 20, MOST_HEADER = 1 << 20 };

static const uint8_t npy_magic[6] = {0x93, 'N', 'U', 'M', 'P', 'Y'};

static bool has_ending(const char *path, const char *ending)
{
    size_t n = strlen(path), m = strlen(ending);
    return n >= m && strcmp(path + n - m, ending) == 0;
}

static bool is_npy(const uint8_t *head, size_t n)
{
    return n >= sizeof npy_magic && memcmp(head, npy_magic, sizeof npy_magic) == 0;
}

bool dpl__is_dense(const char *path, const uint8_t *head, size_t n)
{
    return is_npy(head, n) || has_ending(path, ".npy") || has_ending(path, ".fvecs");
}

/* ---- layout ------------------------------------------------------------------------- */

static dpl_status truncated(const char *path, dpl_error *err)
{
    return dpl__fail(err, DPL_E_FORMAT, "'%s': the file ends inside its header", path);
}

/* head has at least 12 bytes. */
static dpl_status read_npy_header(dpl__layout *out, dpl_vectors *v, int fd, const uint8_t *head,
                                  uint64_t n_file, dpl_error *err)
{
    unsigned major = head[6];
    if (major < 1 || major > 3)
        return dpl__fail(err, DPL_E_UNSUPPORTED, "'%s' is version %u.%u of .npy, not 1 to 3",
                         v->path, major, head[7]);
    uint32_t n = major == 1 ? (uint32_t)(head[8] | head[9] << 8) : dpl__load32(head + 8);
    out->begin = (major == 1 ? 10u : 12u) + (uint64_t)n;
    if (n > MOST_HEADER)
        return dpl__fail(err, DPL_E_FORMAT, "'%s': a header of %u bytes", v->path, n);
    if (out->begin > n_file)
        return truncated(v->path, err);
    char *text = dpl__alloc(v->ctx, (size_t)n + 1);
    DPL_TRY(dpl__need(text, err));
    int e = dpl__pread_all(fd, text, n, out->begin - n);
    dpl_status status = e ? dpl__fail_errno(err, e, "cannot read '%s'", v->path)
                          : dpl__npy_header(out, v->path, (dpl_str){text, n}, err);
    dpl__free(v->ctx, text);
    out->stride = (uint64_t)out->dim * out->element;
    return status;
}

static dpl_status read_fvecs_header(dpl__layout *out, const dpl_vectors *v, const uint8_t *head,
                                    size_t n_head, uint64_t n_file, dpl_error *err)
{
    if (n_head < 4)
        return truncated(v->path, err);
    uint32_t dim = dpl__load32(head);
    if (dim == 0 || dim > DPL__MOST_DIM)
        return dpl__fail(err, DPL_E_FORMAT, "'%s': row 0 says it has %u numbers, not 1 to %d",
                         v->path, dim, DPL__MOST_DIM);
    uint64_t stride = 4 + 4 * (uint64_t)dim;
    *out = (dpl__layout){.n_rows = (n_file + stride - 1) / stride,
                         .dim = dim,
                         .element = 4,
                         .stride = stride,
                         .gap = 4};
    assert(out->stride == out->gap + (uint64_t)out->element * out->dim);
    return DPL_OK;
}

static dpl_status check_size(const dpl__layout *l, const char *path, uint64_t n_file,
                             dpl_error *err)
{
    assert(l->stride > 0 && l->begin <= n_file);
    uint64_t n_whole = (n_file - l->begin) / l->stride, rest = (n_file - l->begin) % l->stride;
    if (n_whole < l->n_rows)
        return dpl__fail(err, DPL_E_FORMAT, "'%s': the file ends in row %llu of %llu", path,
                         (unsigned long long)n_whole, (unsigned long long)l->n_rows);
    if (n_whole > l->n_rows || rest)
        return dpl__fail(err, DPL_E_FORMAT,
                         "'%s': there are bytes behind the last of %llu rows", path,
                         (unsigned long long)l->n_rows);
    if (l->n_rows >= UINT32_MAX)
        return dpl__fail(err, DPL_E_UNSUPPORTED, "'%s' has more than %u rows", path,
                         UINT32_MAX - 1);
    return DPL_OK;
}

static dpl_status find_layout(dpl__layout *out, dpl_vectors *v, int fd, const uint8_t *head,
                              size_t n_head, dpl_error *err)
{
    struct stat st;
    if (fstat(fd, &st) != 0)
        return dpl__fail_errno(err, errno, "cannot read '%s'", v->path);
    uint64_t n_file = (uint64_t)st.st_size;
    *out = (dpl__layout){0};
    if (is_npy(head, n_head) && n_head < 12)
        return truncated(v->path, err);
    if (is_npy(head, n_head))
        DPL_TRY(read_npy_header(out, v, fd, head, n_file, err));
    else if (has_ending(v->path, ".npy"))
        return dpl__fail(err, DPL_E_FORMAT, "'%s' does not begin like a .npy file", v->path);
    else
        DPL_TRY(read_fvecs_header(out, v, head, n_head, n_file, err));
    return check_size(out, v->path, n_file, err);
}

/* ---- rows --------------------------------------------------------------------------- */

typedef struct loader {
    dpl_vectors *v;
    int fd;
    const uint8_t *memory; /* rows of the caller instead of the file; NULL: none */
    const dpl_str *ids;    /* of all of its rows; NULL: their numbers */
    dpl__layout layout;
    size_t block_rows;
    uint8_t *buffers; /* block_rows rows for every thread */
    float *values;
    atomic_uint n_zero;
} loader;

float dpl__half(uint16_t half)
{
    uint32_t sign = (uint32_t)(half & 0x8000) << 16, exponent = half >> 10 & 31;
    uint32_t fraction = half & 1023, bits;
    if (exponent == 0) { /* zero, or below the normal range: the fraction counts 2^-24 */
        float small = (float)fraction * 0x1p-24f;
        return sign ? -small : small;
    }
    bits = sign | (exponent == 31 ? 0x7F800000 : (exponent + 112) << 23) | fraction << 13;
    float x;
    memcpy(&x, &bits, sizeof x);
    return x;
}

static void take_numbers(float *out, const uint8_t *p, const dpl__layout *l)
{
    if (l->element == 4) {
        memcpy(out, p, (size_t)l->dim * 4);
        return;
    }
    for (uint32_t i = 0; i < l->dim; i++)
        out[i] = dpl__half((uint16_t)(p[2 * i] | p[2 * i + 1] << 8));
}

static dpl_status not_finite(const loader *l, uint64_t row, const float *x, dpl_error *err)
{
    uint32_t col = 0;
    while (isfinite(x[col]))
        col++;
    dpl__fail(err, DPL_E_FORMAT, "'%s': %s in row %llu, column %u (from 0)", l->v->path,
              isnan(x[col]) ? "NaN" : "infinity", (unsigned long long)row, col);
    dpl__error_place(err, row + 1, (uint64_t)col + 1, 0);
    return DPL_E_FORMAT;
}

/* The length of a row; not finite when one of the numbers is not. */
static double length(const float *x, uint32_t n)
{
    double sums[4] = {0};
    for (uint32_t i = 0; i < n; i++)
        sums[i % 4] += (double)x[i] * (double)x[i];
    return sqrt((sums[0] + sums[2]) + (sums[1] + sums[3]));
}

static dpl_status load_row(loader *l, uint64_t row, const uint8_t *p, dpl_error *err)
{
    const dpl__layout *a = &l->layout;
    if (a->gap && dpl__load32(p) != a->dim)
        return dpl__fail(err, DPL_E_FORMAT, "'%s': row %llu says it has %u numbers, row 0 %u",
                         l->v->path, (unsigned long long)row, dpl__load32(p), a->dim);
    float *x = l->values + (size_t)row * a->dim;
    take_numbers(x, p + a->gap, a);
    double norm = length(x, a->dim);
    if (!isfinite(norm))
        return not_finite(l, row, x, err);
    if (norm == 0) {
        atomic_fetch_add_explicit(&l->n_zero, 1, memory_order_relaxed);
        return DPL_OK;
    }
    double scale = 1 / norm;
    for (uint32_t i = 0; i < a->dim; i++)
        x[i] = (float)((double)x[i] * scale);
    return DPL_OK;
}

static dpl_status load_block(void *user, size_t i, unsigned worker, dpl_error *err)
{
    loader *l = user;
    uint64_t first = (uint64_t)i * l->block_rows, n = l->layout.n_rows - first;
    if (n > l->block_rows)
        n = l->block_rows;
    const uint8_t *p;
    if (l->memory) {
        p = l->memory + first * l->layout.stride;
    } else {
        uint8_t *buffer = l->buffers + (size_t)worker * l->block_rows * l->layout.stride;
        int e = dpl__pread_all(l->fd, buffer, (size_t)(n * l->layout.stride),
                               l->layout.begin + first * l->layout.stride);
        if (e)
            return dpl__fail_errno(err, e, "cannot read '%s'", l->v->path);
        p = buffer;
    }
    for (uint64_t k = 0; k < n; k++)
        DPL_TRY(load_row(l, first + k, p + k * l->layout.stride, err));
    return DPL_OK;
}

static dpl_status load_rows(loader *l, dpl_error *err)
{
    dpl_ctx *ctx = l->v->ctx;
    const dpl__layout *a = &l->layout;
    l->block_rows = dpl__max(1, (size_t)(BLOCK / a->stride));
    size_t n_bytes = l->memory ? 1 : ctx->n_threads * l->block_rows * (size_t)a->stride;
    l->buffers = dpl__alloc(ctx, n_bytes);
    DPL_TRY(dpl__need(l->buffers, err));
    size_t n_blocks = (size_t)((a->n_rows + l->block_rows - 1) / l->block_rows);
    dpl_status status = dpl__parallel_for(ctx, n_blocks, l, load_block, err);
    dpl__free(ctx, l->buffers);
    return status;
}

static bool is_zero(const float *x, uint32_t n)
{
    uint32_t i = 0;
    while (i < n && x[i] == 0)
        i++;
    return i == n;
}

enum { DIGITS = 10 };

/* The row's id, or its number; returns the length. */
static size_t put_id(char *out, const dpl_str *ids, uint32_t row)
{
    assert(!ids || ids[row].data || !ids[row].n);
    if (!ids)
        return (size_t)snprintf(out, DIGITS + 1, "%u", row);
    if (ids[row].n)
        memcpy(out, ids[row].data, ids[row].n);
    return ids[row].n;
}

/* Moves the rows that stay together, and writes down their ids. */
static dpl_status number_rows(loader *l, dpl_error *err)
{
    dpl_vectors *v = l->v;
    uint32_t n_all = (uint32_t)l->layout.n_rows, dim = l->layout.dim, n = 0;
    uint32_t n_rows = n_all - atomic_load(&l->n_zero);
    size_t n_bytes = (size_t)n_rows * DIGITS + 1;
    for (uint32_t row = 0; l->ids && row < n_all; row++)
        n_bytes += l->ids[row].n;
    uint64_t *offsets = dpl__arena_alloc(&v->arena, ((size_t)n_rows + 1) * sizeof *offsets);
    char *bytes = dpl__arena_alloc(&v->arena, n_bytes);
    DPL_TRY(dpl__need(offsets && bytes, err));
    offsets[0] = 0;
    for (uint32_t row = 0; row < n_all; row++) {
        float *x = l->values + (size_t)row * dim;
        if (n_rows < n_all && is_zero(x, dim))
            continue;
        if (n < row)
            memcpy(l->values + (size_t)n * dim, x, dim * sizeof *x);
        offsets[n + 1] = offsets[n] + put_id(bytes + offsets[n], l->ids, row);
        n++;
    }
    assert(n == n_rows);
    v->ids = (dpl__strings){offsets, bytes, n_rows};
    return DPL_OK;
}

/* ---- opening ------------------------------------------------------------------------ */

static dpl_status describe(loader *l, dpl_error *err)
{
    dpl_vectors *v = l->v;
    char space[32];
    dpl__json_text settings = {.ctx = v->ctx};
    dpl_json j = dpl__json_into(&settings, DPL_JSON_COMPACT);
    dpl_json_begin(&j, NULL, '{');
    dpl_json_cstr(&j, "format", l->memory ? "array" : l->layout.gap ? "fvecs" : "npy");
    dpl_json_number(&j, "bits", l->layout.element * 8);
    dpl_json_end(&j, '}');
    snprintf(space, sizeof space, "dense %u", l->layout.dim);
    v->space = dpl__arena_copy(&v->arena, dpl__cstr(space));
    v->settings = dpl__arena_copy(&v->arena, (dpl_str){settings.bytes.data, settings.bytes.n});
    dpl__vec_clear(v->ctx, &settings.bytes);
    if (settings.has_failed)
        return dpl__fail_nomem(err);
    DPL_TRY(dpl__need(v->space.data && v->settings.data, err));
    v->lang = v->doc_lang = DPL_STR("");
    v->dense = (dpl__dense){(uint32_t)v->ids.n, l->layout.dim, l->values};
    v->sizes = (dpl_vectors_sizes)DPL_INIT(
        dpl_vectors_sizes, .n_rows = v->dense.n_rows, .n_dropped = atomic_load(&l->n_zero),
        .dim = l->layout.dim, .n_entries = (uint64_t)v->dense.n_rows * l->layout.dim);
    return DPL_OK;
}

static dpl_status load(loader *l, dpl_error *err)
{
    dpl_vectors *v = l->v;
    DPL_TRY(dpl__spill_init(&v->spill, v->ctx, "/tmp", err));
    DPL_TRY(dpl__scratch_init(&v->values, &v->spill, (size_t)l->layout.n_rows * l->layout.dim,
                              (size_t)(v->ctx->memory / 4), err));
    l->values = (float *)(void *)v->values.data;
    DPL_TRY(load_rows(l, err));
    DPL_TRY(number_rows(l, err));
    return describe(l, err);
}

dpl_status dpl__dense_open(dpl_vectors *v, int fd, const uint8_t *head, size_t n_head,
                           dpl_error *err)
{
    loader l = {.v = v, .fd = fd};
    DPL_TRY(find_layout(&l.layout, v, fd, head, n_head, err));
    return load(&l, err);
}

/* ---- rows of the caller ------------------------------------------------------------- */

static dpl_status check_array(const dpl_dense_array *a, dpl_error *err)
{
    if (a->dim == 0 || a->dim > DPL__MOST_DIM)
        return dpl__fail(err, DPL_E_USAGE, "rows of %u numbers, not 1 to %d", a->dim,
                         DPL__MOST_DIM);
    if (a->stride && a->stride < a->dim)
        return dpl__fail(err, DPL_E_USAGE, "rows of %u numbers are only %zu apart", a->dim,
                         a->stride);
    if (a->n_rows == UINT32_MAX)
        return dpl__fail(err, DPL_E_UNSUPPORTED, "more than %u rows", UINT32_MAX - 1);
    return DPL_OK;
}

dpl_status dpl_vectors_from_dense(dpl_vectors **out, dpl_ctx *ctx, const dpl_dense_array *array,
                                  dpl_error *err)
{
    dpl_dense_array a;
    dpl_vectors *v = NULL;
    *out = NULL;
    DPL_TRY(DPL__TAKE(&a, array, err));
    DPL_TRY(check_array(&a, err));
    DPL_TRY(dpl__vectors_new(&v, ctx, a.name ? a.name : "(array)", err));
    loader l = {.v = v,
                .memory = a.n_rows ? (const uint8_t *)a.values : (const uint8_t *)"",
                .ids = a.ids,
                .layout = {.n_rows = a.n_rows,
                           .dim = a.dim,
                           .element = 4,
                           .stride = 4 * (uint64_t)(a.stride ? a.stride : a.dim)}};
    dpl_status status;
    DPL__STEP(load(&l, err));
    if (a.ids)
        DPL__STEP(dpl__check_ids(ctx, v->path, &v->ids, err));
    *out = v;
    v = NULL;
done:
    dpl_vectors_close(v);
    return status;
}
