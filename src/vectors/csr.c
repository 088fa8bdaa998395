/*
 * csr.c - compressed sparse rows of the caller become vectors.
 *
 * In: offsets, term numbers and weights as SciPy, Arrow or Spark hold them. Out: the same rows
 * with terms in byte order of their names and weights of length one, in an unnamed file of
 * ours: what is made of arrays and what is opened from disk then go through the same checks.
 * Rows that have length one already keep their bits, so that rows taken from one set of vectors
 * and made another give the same cosines.
 *
 * Cost: one copy of the entries in memory; a sort of a row whose terms do not rise.
 */
#include "vectors/vectors.h"

#include "base/order.h"
#include "base/sized.h"
#include "io/container.h"
#include "lexicon/sort_words.h"
#include "readers/file_checks.h"

#include <float.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

enum { DIGITS = 10 };

typedef struct entry {
    uint32_t term;
    float weight;
} entry;

typedef struct builder {
    dpl_ctx *ctx;
    dpl_csr_array a;
    const char *name;
    uint32_t *ranks;    /* number of the caller's term in ours; NULL: the same */
    dpl__strings terms; /* names in byte order */
    DPL_VEC(entry) row;
    DPL_VEC(uint64_t) offsets, id_offsets;
    DPL_VEC(uint32_t) cols, docs;
    DPL_VEC(float) weights;
    dpl__bytes ids;
    dpl__writer *writer;
} builder;

/* ---- what the caller gave ----------------------------------------------------------- */

static dpl_status bad_entry(const builder *b, uint32_t row, uint64_t at, const char *what,
                            dpl_error *err)
{
    assert(row < b->a.n_rows && at >= b->a.offsets[row]);
    uint64_t column = at - b->a.offsets[row];
    dpl__fail(err, DPL_E_FORMAT, "'%s': %s in row %u, entry %llu (from 0)", b->name, what, row,
              (unsigned long long)column);
    dpl__error_place(err, (uint64_t)row + 1, column + 1, 0);
    return DPL_E_FORMAT;
}

static bool is_lang(const char *lang)
{
    return !lang || !*lang || dpl__is_lang_code(dpl__cstr(lang));
}

static dpl_status check_array(const builder *b, dpl_error *err)
{
    const dpl_csr_array *a = &b->a;
    if (a->n_rows == UINT32_MAX || a->n_terms == UINT32_MAX)
        return dpl__fail(err, DPL_E_UNSUPPORTED, "'%s' has more than %u rows or terms", b->name,
                         UINT32_MAX - 1);
    if (!is_lang(a->lang) || !is_lang(a->doc_lang))
        return dpl__fail(err, DPL_E_USAGE, "'%s' is not the code of a language",
                         is_lang(a->lang) ? a->doc_lang : a->lang);
    if (!a->offsets || a->offsets[0] != 0)
        return dpl__fail(err, DPL_E_USAGE, "'%s': offsets do not begin with 0", b->name);
    for (uint32_t i = 0; i < a->n_rows; i++)
        if (a->offsets[i] > a->offsets[i + 1])
            return dpl__fail(err, DPL_E_FORMAT, "'%s': offsets fall after row %u", b->name, i);
    if (a->offsets[a->n_rows] > b->ctx->memory / 16)
        return dpl__fail_code(err, DPL_E_LIMIT, "memory",
                              "'%s': %llu entries need %llu MiB of memory", b->name,
                              (unsigned long long)a->offsets[a->n_rows],
                              (unsigned long long)(a->offsets[a->n_rows] >> 16) + 1);
    return DPL_OK;
}

/* ---- names of terms ----------------------------------------------------------------- */

static dpl_status number_names(builder *b, dpl__terms *names, dpl_error *err)
{
    for (uint32_t i = 0; i < b->a.n_terms; i++) {
        uint32_t number;
        DPL_TRY(dpl__terms_number(names, b->a.term_names[i], &number, err));
        if (number != i)
            return dpl__fail(err, DPL_E_FORMAT, "'%s': terms %u and %u have the same name",
                             b->name, number, i);
    }
    return dpl__words_sort(&b->terms, b->ranks, names, err);
}

static dpl_status sort_names(builder *b, dpl_error *err)
{
    dpl__terms names;
    b->ranks = dpl__calloc(b->ctx, (size_t)b->a.n_terms + 1, sizeof *b->ranks);
    DPL_TRY(dpl__need(b->ranks, err));
    dpl__terms_init(&names, b->ctx);
    dpl_status status = number_names(b, &names, err);
    dpl__terms_clear(&names);
    return status;
}

/* The numbers with leading zeros: in byte order, and the same in every array. */
static dpl_status make_names(builder *b, dpl_error *err)
{
    size_t n = b->a.n_terms;
    uint64_t *offsets = dpl__alloc(b->ctx, (n + 1) * sizeof *offsets);
    char *bytes = dpl__alloc(b->ctx, n * DIGITS + 1);
    b->terms = (dpl__strings){offsets, bytes, n};
    DPL_TRY(dpl__need(offsets && bytes, err));
    for (size_t i = 0; i < n; i++)
        snprintf(bytes + i * DIGITS, DIGITS + 1, "%010zu", i);
    for (size_t i = 0; i <= n; i++)
        offsets[i] = i * DIGITS;
    return DPL_OK;
}

static void free_names(builder *b)
{
    dpl_ctx *ctx = b->ctx;
    if (b->ranks) {
        dpl__words_free(&b->terms, ctx);
        dpl__free(ctx, b->ranks);
        return;
    }
    dpl__free(ctx, (void *)(uintptr_t)b->terms.offsets, (void *)(uintptr_t)b->terms.bytes);
}

/* ---- rows --------------------------------------------------------------------------- */

DPL__ORDER(by_term, entry, DPL__RISING(term))

/* The row's entries in our numbers, without zeros; false when they do not rise. */
static dpl_status take_row(builder *b, uint32_t row, bool *is_rising, dpl_error *err)
{
    const dpl_csr_array *a = &b->a;
    b->row.n = 0;
    *is_rising = true;
    for (uint64_t i = a->offsets[row]; i < a->offsets[row + 1]; i++) {
        float w = a->weights[i];
        if (a->terms[i] >= a->n_terms)
            return bad_entry(b, row, i, "a term out of range", err);
        if (!isfinite(w) || w < 0)
            return bad_entry(b, row, i,
                             isnan(w) ? "NaN"
                             : w < 0  ? "a negative weight"
                                      : "infinity",
                             err);
        entry e = {b->ranks ? b->ranks[a->terms[i]] : a->terms[i], w};
        if (b->row.n && w > 0 && b->row.data[b->row.n - 1].term >= e.term)
            *is_rising = false;
        if (w > 0 && !dpl__vec_push(b->ctx, &b->row, e))
            return dpl__fail_nomem(err);
    }
    return DPL_OK;
}

static dpl_status add_id(builder *b, uint32_t row, dpl_error *err)
{
    char number[DIGITS + 1];
    dpl_str id = b->a.ids
                     ? b->a.ids[row]
                     : (dpl_str){number, (size_t)snprintf(number, sizeof number, "%u", row)};
    bool is_done = dpl__vec_append(b->ctx, &b->ids, id.data, id.n) &&
                   dpl__vec_push(b->ctx, &b->id_offsets, b->ids.n) &&
                   dpl__vec_push(b->ctx, &b->docs, row);
    return dpl__need(is_done, err);
}

/* Rows of length one, up to the rounding of floats, stay as they are. */
static double scale_of(const entry *row, size_t n)
{
    double squares = 0;
    for (size_t i = 0; i < n; i++)
        squares += (double)row[i].weight * (double)row[i].weight;
    double length = sqrt(squares);
    return fabs(length - 1) < 1e-6 ? 1 : 1 / length;
}

static dpl_status add_row(builder *b, uint32_t row, dpl_error *err)
{
    bool is_rising;
    DPL_TRY(take_row(b, row, &is_rising, err));
    size_t n = b->row.n;
    if (!n)
        return DPL_OK; /* dropped: it has no direction */
    if (!is_rising)
        qsort(b->row.data, n, sizeof *b->row.data, by_term);
    double scale = scale_of(b->row.data, n);
    for (size_t i = 0; i < n; i++) {
        if (i && b->row.data[i].term == b->row.data[i - 1].term)
            return dpl__fail(err, DPL_E_FORMAT, "'%s': a term is twice in row %u", b->name,
                             row);
        float w = (float)((double)b->row.data[i].weight * scale);
        DPL_TRY(dpl__need(dpl__vec_push(b->ctx, &b->cols, b->row.data[i].term) &&
                              dpl__vec_push(b->ctx, &b->weights, w > FLT_MIN ? w : FLT_MIN),
                          err));
    }
    DPL_TRY(add_id(b, row, err));
    return dpl__need(dpl__vec_push(b->ctx, &b->offsets, b->cols.n), err);
}

static dpl_status add_rows(builder *b, dpl_error *err)
{
    DPL_TRY(dpl__need(dpl__vec_push(b->ctx, &b->offsets, 0) &&
                          dpl__vec_push(b->ctx, &b->id_offsets, 0),
                      err));
    for (uint32_t row = 0; row < b->a.n_rows; row++)
        DPL_TRY(add_row(b, row, err));
    return DPL_OK;
}

/* ---- the file ----------------------------------------------------------------------- */

static dpl_status write_text(builder *b, const char *section, const char *text, dpl_error *err)
{
    return dpl__writer_add(b->writer, section, 1, text ? text : "", text ? strlen(text) : 0,
                           err);
}

static dpl_status write_rows(builder *b, dpl_error *err)
{
    dpl__writer *w = b->writer;
    DPL_TRY(dpl__writer_add(w, "row.weights", 4, b->weights.data, 4 * b->weights.n, err));
    DPL_TRY(dpl__writer_add(w, "row.terms", 4, b->cols.data, 4 * b->cols.n, err));
    DPL_TRY(dpl__writer_add(w, "row.offsets", 8, b->offsets.data, 8 * b->offsets.n, err));
    DPL_TRY(dpl__writer_add(w, "row.docs", 4, b->docs.data, 4 * b->docs.n, err));
    DPL_TRY(dpl__writer_add(w, "id.offsets", 8, b->id_offsets.data, 8 * b->id_offsets.n, err));
    return dpl__writer_add(w, "id.bytes", 1, b->ids.data, b->ids.n, err);
}

static dpl_status write_rest(builder *b, dpl_error *err)
{
    uint64_t n_docs = b->a.n_rows;
    uint8_t direction = DPL_DIRECTION_AUTO;
    size_t n = b->terms.n;
    DPL_TRY(dpl__writer_add(b->writer, "term.offsets", 8, b->terms.offsets, 8 * (n + 1), err));
    DPL_TRY(dpl__writer_add(b->writer, "term.bytes", 1, b->terms.bytes,
                            (size_t)b->terms.offsets[n], err));
    DPL_TRY(dpl__writer_add(b->writer, "docs", 8, &n_docs, sizeof n_docs, err));
    DPL_TRY(dpl__writer_add(b->writer, "direction", 1, &direction, sizeof direction, err));
    DPL_TRY(write_text(b, "space", b->a.space ? b->a.space : "array", err));
    DPL_TRY(write_text(b, "lang", b->a.lang, err));
    DPL_TRY(write_text(b, "doc.lang", b->a.doc_lang, err));
    return write_text(b, "settings", "{\"format\":\"array\"}", err);
}

static dpl_status build(builder *b, dpl_file **file, dpl_error *err)
{
    DPL_TRY(check_array(b, err));
    DPL_TRY(b->a.term_names ? sort_names(b, err) : make_names(b, err));
    DPL_TRY(add_rows(b, err));
    DPL_TRY(dpl__writer_new(&b->writer, b->ctx, NULL, "vectors", err));
    DPL_TRY(write_rows(b, err));
    DPL_TRY(write_rest(b, err));
    return dpl__writer_open(b->writer, file, err);
}

static void clear(builder *b)
{
    dpl__writer_free(b->writer);
    dpl__vec_clear(b->ctx, &b->row, &b->offsets, &b->id_offsets, &b->cols, &b->docs,
                   &b->weights, &b->ids);
    free_names(b);
}

dpl_status dpl_vectors_from_csr(dpl_vectors **out, dpl_ctx *ctx, const dpl_csr_array *array,
                                dpl_error *err)
{
    builder b = {.ctx = ctx};
    dpl_file *file = NULL;
    *out = NULL;
    DPL_TRY(DPL__TAKE(&b.a, array, err));
    b.name = b.a.name ? b.a.name : "(array)";
    dpl_status status;
    DPL__STEP(build(&b, &file, err));
    status = dpl__vectors_from_file(out, ctx, file, b.name, err);
done:
    clear(&b);
    return status;
}
