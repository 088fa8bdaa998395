/*
 * vectors_open.c - vectors, opened and walked.
 *
 * As with collections, opening verifies every checksum and every number that anything later
 * relies on: terms rise, weights are finite and above 0, rows have length one.
 */
#include "vectors/vectors.h"

#include "par/pool.h"
#include "readers/file_checks.h"
#include "vectors/dense.h"

#include <fcntl.h>
#include <math.h>
#include <unistd.h>

enum { BLOCK_ROWS = 512 };

/* ---- sparse rows -------------------------------------------------------------------- */

static dpl_status check_row(const dpl_vectors *v, uint32_t row, dpl_error *err)
{
    const dpl__rows *r = &v->rows;
    double squares = 0;
    uint64_t begin = r->offsets[row], end = r->offsets[row + 1];
    if (end > begin && r->terms[end - 1] >= r->n_terms) /* the largest */
        return dpl__damaged(v->file, "row.terms", "number out of range", err);
    for (uint64_t i = begin; i < end; i++) {
        double x = (double)r->weights[i];
        if (i > begin && r->terms[i] <= r->terms[i - 1])
            return dpl__damaged(v->file, "row.terms", "terms out of order", err);
        if (!(x > 0 && x < 2))
            return dpl__damaged(v->file, "row.weights", "weight out of range", err);
        squares += x * x;
    }
    return fabs(sqrt(squares) - 1) < 1e-3
               ? DPL_OK
               : dpl__damaged(v->file, "row.weights", "a row's length is not 1", err);
}

static dpl_status check_rows(void *user, size_t block, unsigned worker, dpl_error *err)
{
    const dpl_vectors *v = user;
    (void)worker;
    size_t row = block * BLOCK_ROWS, end = dpl__min(row + BLOCK_ROWS, v->rows.n_rows);
    for (; row < end; row++)
        DPL_TRY(check_row(v, (uint32_t)row, err));
    return DPL_OK;
}

static dpl_status get_terms(dpl_vectors *v, dpl_error *err)
{
    DPL_TRY(dpl__get_strings(v->file, "term.offsets", "term.bytes", &v->terms, SIZE_MAX, err));
    for (size_t i = 1; i < v->terms.n; i++)
        if (dpl__str_cmp(dpl__string(&v->terms, i - 1), dpl__string(&v->terms, i)) >= 0)
            return dpl__damaged(v->file, "term.bytes", "terms out of order", err);
    v->rows.n_terms = v->sizes.n_terms = (uint32_t)v->terms.n;
    return DPL_OK;
}

static dpl_status get_rows(dpl_vectors *v, dpl_error *err)
{
    const dpl_file *f = v->file;
    dpl__rows *r = &v->rows;
    size_t n = v->ids.n, n_entries;
    r->n_rows = v->sizes.n_rows = (uint32_t)n;
    DPL_TRY(dpl__get(f, "row.terms", 4, &r->terms, &n_entries, err));
    DPL_TRY(dpl__get_n(f, "row.weights", 4, &r->weights, n_entries, err));
    DPL_TRY(dpl__get_offsets(f, "row.offsets", &r->offsets, n, n_entries, err));
    v->sizes.n_entries = n_entries;
    return dpl__parallel_for(v->ctx, (n + BLOCK_ROWS - 1) / BLOCK_ROWS, v, check_rows, err);
}

static dpl_status get_docs(dpl_vectors *v, dpl_error *err)
{
    const uint64_t *n_docs = NULL;
    size_t n = v->ids.n;
    DPL_TRY(dpl__get_n(v->file, "docs", 8, &n_docs, 1, err));
    DPL_TRY(dpl__get_n(v->file, "row.docs", 4, &v->docs, n, err));
    if (*n_docs < n || *n_docs > UINT32_MAX)
        return dpl__damaged(v->file, "docs", "number out of range", err);
    DPL_TRY(dpl__check_below(v->file, "row.docs", v->docs, n, (size_t)*n_docs, err));
    for (size_t i = 1; i < n; i++)
        if (v->docs[i] <= v->docs[i - 1])
            return dpl__damaged(v->file, "row.docs", "documents out of order", err);
    v->sizes.n_dropped = (uint32_t)(*n_docs - n);
    return DPL_OK;
}

static dpl_status get_everything(dpl_vectors *v, dpl_error *err)
{
    DPL_TRY(get_terms(v, err));
    DPL_TRY(dpl__get_strings(v->file, "id.offsets", "id.bytes", &v->ids, SIZE_MAX, err));
    DPL_TRY(dpl__check_names(v->file, "id.bytes", &v->ids, err));
    DPL_TRY(dpl__check_unique(v->file, "id.bytes", &v->ids, err));
    DPL_TRY(get_rows(v, err));
    DPL_TRY(get_docs(v, err));
    const uint8_t *direction = NULL;
    DPL_TRY(dpl__get_n(v->file, "direction", 1, &direction, 1, err));
    if (*direction > DPL_DIRECTION_SOURCE)
        return dpl__damaged(v->file, "direction", "number out of range", err);
    v->is_projected = *direction != DPL_DIRECTION_AUTO;
    DPL_TRY(dpl__get_text(v->file, "space", &v->space, err));
    DPL_TRY(dpl__get_lang(v->file, "lang", &v->lang, err));
    DPL_TRY(dpl__get_lang(v->file, "doc.lang", &v->doc_lang, err));
    return dpl__get_json(v->file, "settings", &v->settings, err);
}

static dpl_status check_file(const dpl_file *file, dpl_error *err)
{
    DPL_TRY(dpl__check_kind(file, "vectors", err));
    return dpl_file_check(file, err);
}

/* ---- opening ------------------------------------------------------------------------ */

/* The first n bytes, or as many as there are. */
static ssize_t read_head(int fd, uint8_t *out, size_t n)
{
    size_t have = 0;
    while (have < n) {
        ssize_t got = pread(fd, out + have, n - have, (off_t)have);
        if (got < 0 && errno != EINTR)
            return -1;
        if (got == 0)
            break;
        have += got > 0 ? (size_t)got : 0;
    }
    return (ssize_t)have;
}

static dpl_status open_any(dpl_vectors *v, const char *path, dpl_error *err)
{
    uint8_t head[16];
    int fd = open(path, O_RDONLY | O_CLOEXEC);
    ssize_t n = fd >= 0 ? read_head(fd, head, sizeof head) : -1;
    if (n < 0) {
        dpl_status status =
            dpl__fail_errno(err, errno, "cannot %s '%s'", fd < 0 ? "open" : "read", path);
        if (fd >= 0)
            close(fd);
        return status;
    }
    bool is_dense = dpl__is_dense(path, head, (size_t)n);
    dpl_status status = is_dense ? dpl__dense_open(v, fd, head, (size_t)n, err) : DPL_OK;
    close(fd);
    if (is_dense)
        return status;
    DPL_TRY(dpl_file_open(&v->file, v->ctx, path, err));
    DPL_TRY(check_file(v->file, err));
    return get_everything(v, err);
}

dpl_status dpl__vectors_new(dpl_vectors **out, dpl_ctx *ctx, const char *path, dpl_error *err)
{
    *out = NULL;
    dpl_vectors *v = dpl__calloc(ctx, 1, sizeof *v);
    DPL_TRY(dpl__need(v, err));
    v->ctx = ctx;
    v->sizes = (dpl_vectors_sizes)DPL_INIT(dpl_vectors_sizes);
    dpl__arena_init(&v->arena, ctx);
    v->path = (char *)(uintptr_t)dpl__arena_copy(&v->arena, dpl__cstr(path)).data;
    if (!v->path) {
        dpl_vectors_close(v);
        return dpl__fail_nomem(err);
    }
    *out = v;
    return DPL_OK;
}

/* Hands v over, or closes it after a failure. */
static dpl_status settle(dpl_vectors **out, dpl_vectors *v, dpl_status status)
{
    if (status == DPL_OK)
        *out = v;
    else
        dpl_vectors_close(v);
    return status;
}

dpl_status dpl__vectors_from_file(dpl_vectors **out, dpl_ctx *ctx, dpl_file *file,
                                  const char *name, dpl_error *err)
{
    dpl_vectors *v = NULL;
    *out = NULL;
    dpl_status status =
        dpl__vectors_new(&v, ctx, name ? name : dpl_file_get_info(file).path, err);
    if (status != DPL_OK) {
        dpl_file_close(file);
        return status;
    }
    v->file = file;
    return settle(out, v, get_everything(v, err));
}

dpl_status dpl_vectors_open(dpl_vectors **out, dpl_ctx *ctx, const char *path, dpl_error *err)
{
    dpl_vectors *v = NULL;
    *out = NULL;
    DPL_TRY(dpl__vectors_new(&v, ctx, path, err));
    return settle(out, v, open_any(v, path, err));
}

dpl_status dpl_vectors_save(const dpl_vectors *v, const char *path, dpl_error *err)
{
    if (!v->file)
        return dpl__fail(err, DPL_E_UNSUPPORTED, "'%s': dense rows cannot be written to a .dpl",
                         v->path);
    return dpl__file_save(v->file, path, err);
}

void dpl_vectors_close(dpl_vectors *v)
{
    if (!v)
        return;
    dpl__scratch_clear(&v->values);
    dpl__spill_clear(&v->spill);
    dpl_file_close(v->file);
    dpl__arena_clear(&v->arena);
    dpl__free(v->ctx, v);
}

/* ---- walking ------------------------------------------------------------------------ */

const dpl_vectors_sizes *dpl_vectors_get_sizes(const dpl_vectors *v)
{
    return &v->sizes;
}

dpl_vectors_info dpl_vectors_get_info(const dpl_vectors *v)
{
    return (dpl_vectors_info){v->path, v->settings, v->space, v->lang, v->doc_lang};
}

dpl_str dpl_vectors_id(const dpl_vectors *v, uint32_t row)
{
    assert(row < v->sizes.n_rows);
    return dpl__string(&v->ids, row);
}

dpl_str dpl_vectors_term(const dpl_vectors *v, uint32_t term)
{
    assert(term < v->sizes.n_terms);
    return dpl__string(&v->terms, term);
}

bool dpl_vectors_find_term(const dpl_vectors *v, dpl_str text, uint32_t *term)
{
    return dpl__find_string(&v->terms, NULL, text, term);
}

const uint32_t *dpl_vectors_row(const dpl_vectors *v, uint32_t row, const float **weights,
                                size_t *n)
{
    assert(row < v->rows.n_rows);
    uint64_t at = v->rows.offsets[row];
    *n = (size_t)(v->rows.offsets[row + 1] - at);
    *weights = v->rows.weights + at;
    return v->rows.terms + at;
}

const uint64_t *dpl_vectors_get_csr(const dpl_vectors *v, const uint32_t **terms,
                                    const float **weights)
{
    *terms = v->rows.terms;
    *weights = v->rows.weights;
    return v->rows.offsets;
}

const float *dpl_vectors_dense(const dpl_vectors *v, uint32_t row)
{
    assert(row < v->dense.n_rows);
    return v->dense.values + (size_t)row * v->dense.dim;
}
