/*
 * codes_file.c - codes and the function that made them, written and read.
 *
 * Opening verifies every checksum and every number, as for all our files: what was learnt is
 * checked to be finite and in order, so that a function from a file cannot misbehave.
 */
#include "base/ctx.h"
#include "base/json_writer.h"
#include "doppel/options.h"
#include "hash/codes.h"
#include "hash/fuzzy.h"
#include "hash/rows.h"
#include "io/container.h"
#include "text/file_checks.h"

#include <math.h>

/* The numbers of section `shape`. */
enum {
    SHAPE_VERSION,
    SHAPE_FUNCTION,
    SHAPE_K,
    SHAPE_L,
    SHAPE_SHINGLE,
    SHAPE_R,
    SHAPE_WIDTH, /* the bits of a double */
    SHAPE_ENCODING,
    SHAPE_SEED,
    N_SHAPE
};

/* Changes with anything that makes other codes of the same rows. */
enum { VERSION = 1 };

/* ---- writing ------------------------------------------------------------------------ */

static dpl_status write_ids(dpl__writer *w, const dpl_codes *c, dpl_error *err)
{
    uint64_t end = 0;
    DPL_TRY(dpl__writer_begin(w, "id.offsets", 8, err));
    DPL_TRY(dpl__writer_append(w, &end, sizeof end, err));
    for (uint32_t row = 0; row < c->n_rows; row++) {
        end += dpl_codes_id(c, row).n;
        DPL_TRY(dpl__writer_append(w, &end, sizeof end, err));
    }
    DPL_TRY(dpl__writer_begin(w, "id.bytes", 1, err));
    for (uint32_t row = 0; row < c->n_rows; row++) {
        const dpl_str id = dpl_codes_id(c, row);
        DPL_TRY(dpl__writer_append(w, id.data, id.n, err));
    }
    return DPL_OK;
}

static dpl_status write_shape(dpl__writer *w, const dpl_hash *h, dpl_error *err)
{
    const dpl_hash_options *o = &h->options;
    uint64_t shape[N_SHAPE] = {[SHAPE_VERSION] = VERSION,
                               [SHAPE_FUNCTION] = (uint64_t)o->function,
                               [SHAPE_K] = o->k,
                               [SHAPE_L] = o->l,
                               [SHAPE_SHINGLE] = o->shingle,
                               [SHAPE_R] = o->r,
                               [SHAPE_SEED] = h->seed,
                               [SHAPE_ENCODING] = (uint64_t)o->encoding};
    memcpy(&shape[SHAPE_WIDTH], &o->width, sizeof o->width);
    return dpl__writer_add(w, "shape", 8, shape, sizeof shape, err);
}

static dpl_status write_settings(dpl__writer *w, const dpl_hash *h, dpl_error *err)
{
    dpl__json_text text = {.ctx = h->ctx};
    dpl_json j = dpl__json_into(&text, DPL_JSON_COMPACT);
    dpl_json_begin(&j, NULL, '{');
    dpl_json_number(&j, "seed", h->seed);
    dpl_options_json(&j, "hash", dpl_hash_option_table(), &h->options, true);
    dpl_json_end(&j, '}');
    return dpl__writer_add_json(w, "settings", &text, err);
}

static size_t n_bounds(const dpl_hash_options *o)
{
    return (size_t)o->l * o->k * (o->r - 1);
}

static dpl_status write_fuzzy(dpl__writer *w, const dpl_hash *h, dpl_error *err)
{
    const dpl__fuzzy *f = &h->fuzzy;
    const size_t n = f->prefixes.n, k = h->options.k;
    DPL_TRY(dpl__writer_add(w, "prefix.offsets", 8, f->prefixes.offsets,
                            (n + 1) * sizeof *f->prefixes.offsets, err));
    DPL_TRY(dpl__writer_add(w, "prefix.bytes", 1, f->prefixes.bytes,
                            (size_t)f->prefixes.offsets[n], err));
    DPL_TRY(dpl__writer_add(w, "prefix.classes", 1, f->classes, n, err));
    DPL_TRY(dpl__writer_add(w, "class.mean", 4, f->mean, k * sizeof *f->mean, err));
    DPL_TRY(dpl__writer_add(w, "class.sd", 4, f->sd, k * sizeof *f->sd, err));
    return dpl__writer_add(w, "class.bounds", 4, f->bounds,
                           n_bounds(&h->options) * sizeof *f->bounds, err);
}

dpl_status dpl_codes_save(const dpl_codes *c, const char *path, dpl_error *err)
{
    if (!c->hash)
        return dpl__fail(err, DPL_E_UNSUPPORTED,
                         "codes from a buffer have no function and cannot be saved");
    dpl__writer *w = NULL;
    dpl_status status = dpl__writer_new(&w, c->ctx, path, "codes", err);
    if (status == DPL_OK)
        status = dpl__writer_add_large(w, "codes", 8, c->words,
                                       (size_t)c->n_rows * c->n_codes * sizeof *c->words, err);
    if (status == DPL_OK)
        status = write_ids(w, c, err);
    if (status == DPL_OK)
        status = write_shape(w, c->hash, err);
    if (status == DPL_OK && c->hash->function->learn)
        status = write_fuzzy(w, c->hash, err);
    if (status == DPL_OK)
        status = write_settings(w, c->hash, err);
    if (status == DPL_OK)
        status = dpl__writer_finish(w, NULL, err);
    dpl__writer_free(w);
    return status;
}

/* ---- reading ------------------------------------------------------------------------ */

static dpl_status get_shape(dpl_codes *c, dpl_hash *h, dpl_error *err)
{
    const uint64_t *shape = NULL;
    DPL_TRY(dpl__get_n(c->file, "shape", 8, &shape, N_SHAPE, err));
    if (shape[SHAPE_VERSION] != VERSION)
        return dpl__fail(err, DPL_E_UNSUPPORTED,
                         "'%s': section 'shape': codes of version %llu are not known here",
                         dpl_file_path(c->file), (unsigned long long)shape[SHAPE_VERSION]);
    for (size_t i = SHAPE_FUNCTION; i < SHAPE_WIDTH; i++)
        if (shape[i] > INT32_MAX)
            return dpl__damaged(c->file, "shape", "number out of range", err);
    dpl_hash_options o = DPL_INIT(dpl_hash_options);
    o.function = (dpl_hash_function)shape[SHAPE_FUNCTION];
    o.k = (unsigned)shape[SHAPE_K];
    o.l = (unsigned)shape[SHAPE_L];
    o.shingle = (unsigned)shape[SHAPE_SHINGLE];
    o.r = (unsigned)shape[SHAPE_R];
    memcpy(&o.width, &shape[SHAPE_WIDTH], sizeof o.width);
    o.encoding = shape[SHAPE_ENCODING] ? DPL_ENCODE_SUMMATION : DPL_ENCODE_CONCATENATION;
    h->function = dpl__hash_function_of(o.function);
    h->options = o;
    h->seed = shape[SHAPE_SEED];
    if (!h->function || o.k == 0 || o.l == 0 || o.shingle == 0 || shape[SHAPE_ENCODING] > 1 ||
        dpl__hash_check(h, NULL) != DPL_OK || h->options.r != o.r ||
        !(h->options.width == o.width))
        return dpl__damaged(c->file, "shape", "number out of range", err);
    return DPL_OK;
}

static dpl_status get_finite(const dpl_codes *c, const char *name, const float **out, size_t n,
                             dpl_error *err)
{
    DPL_TRY(dpl__get_n(c->file, name, 4, out, n, err));
    for (size_t i = 0; i < n; i++)
        if (!isfinite((*out)[i]))
            return dpl__damaged(c->file, name, "not a number", err);
    return DPL_OK;
}

static dpl_status get_fuzzy(const dpl_codes *c, dpl_hash *h, dpl_error *err)
{
    dpl__fuzzy *f = &h->fuzzy;
    const dpl_hash_options *o = &h->options;
    DPL_TRY(dpl__get_strings(c->file, "prefix.offsets", "prefix.bytes", &f->prefixes, SIZE_MAX,
                             err));
    for (size_t i = 1; i < f->prefixes.n; i++)
        if (dpl__str_cmp(dpl__string(&f->prefixes, i - 1), dpl__string(&f->prefixes, i)) >= 0)
            return dpl__damaged(c->file, "prefix.bytes", "not in order", err);
    DPL_TRY(dpl__get_n(c->file, "prefix.classes", 1, &f->classes, f->prefixes.n, err));
    for (size_t i = 0; i < f->prefixes.n; i++)
        if (f->classes[i] >= o->k)
            return dpl__damaged(c->file, "prefix.classes", "number out of range", err);
    DPL_TRY(get_finite(c, "class.mean", &f->mean, o->k, err));
    DPL_TRY(get_finite(c, "class.sd", &f->sd, o->k, err));
    return get_finite(c, "class.bounds", &f->bounds, n_bounds(o), err);
}

static dpl_status get_everything(dpl_codes *c, dpl_error *err)
{
    dpl_str settings;
    dpl_hash *h = c->own_hash;
    DPL_TRY(dpl__check_kind(c->file, "codes", err));
    DPL_TRY(dpl_file_check(c->file, err));
    DPL_TRY(get_shape(c, h, err));
    DPL_TRY(dpl__get_strings(c->file, "id.offsets", "id.bytes", &c->ids, SIZE_MAX, err));
    if (c->ids.n > UINT32_MAX)
        return dpl__damaged(c->file, "id.offsets", "too many rows", err);
    DPL_TRY(dpl__check_names(c->file, "id.bytes", &c->ids, err));
    DPL_TRY(dpl__check_unique(c->file, "id.bytes", &c->ids, err));
    c->n_rows = (uint32_t)c->ids.n;
    c->n_codes = h->options.l;
    DPL_TRY(dpl__get_n(c->file, "codes", 8, &c->words, (size_t)c->n_rows * c->n_codes, err));
    if (h->function->learn)
        DPL_TRY(get_fuzzy(c, h, err));
    return dpl__get_json(c->file, "settings", &settings, err);
}

dpl_status dpl_codes_open(dpl_codes **out, dpl_ctx *ctx, const char *path, dpl_error *err)
{
    *out = NULL;
    dpl_codes *c = dpl__calloc(ctx, 1, sizeof *c);
    if (!c)
        return dpl__fail_nomem(err);
    c->ctx = ctx;
    dpl_status status = dpl_file_open(&c->file, ctx, path, err);
    if (status == DPL_OK) {
        c->own_hash = dpl__calloc(ctx, 1, sizeof *c->own_hash);
        status = c->own_hash ? DPL_OK : dpl__fail_nomem(err);
    }
    if (status == DPL_OK) {
        c->own_hash->ctx = ctx;
        dpl__arena_init(&c->own_hash->arena, ctx);
        c->hash = c->own_hash;
        status = get_everything(c, err);
    }
    if (status == DPL_OK)
        *out = c;
    else
        dpl_codes_close(c);
    return status;
}

/* ---- matching ----------------------------------------------------------------------- */

static bool is_same_fuzzy(const dpl_hash *a, const dpl_hash *b)
{
    const dpl__fuzzy *f = &a->fuzzy, *g = &b->fuzzy;
    const size_t n = f->prefixes.n, k = a->options.k;
    return n == g->prefixes.n && f->prefixes.offsets[n] == g->prefixes.offsets[n] &&
           memcmp(f->prefixes.bytes, g->prefixes.bytes, (size_t)f->prefixes.offsets[n]) == 0 &&
           memcmp(f->classes, g->classes, n) == 0 &&
           memcmp(f->mean, g->mean, k * sizeof *f->mean) == 0 &&
           memcmp(f->sd, g->sd, k * sizeof *f->sd) == 0 &&
           memcmp(f->bounds, g->bounds, n_bounds(&a->options) * sizeof *f->bounds) == 0;
}

dpl_status dpl_codes_check_match(const dpl_codes *left, const dpl_codes *right, dpl_error *err)
{
    const dpl_hash *a = left->hash, *b = right->hash;
    const char *what = NULL;
    if (a == b)
        return DPL_OK;
    if (!a || !b)
        what = "one of them has no function";
    else if (a->function != b->function)
        what = "they have different functions";
    else if (dpl_options_differ(dpl_hash_option_table(), &a->options, &b->options, true))
        what = "they have different parameters";
    else if (a->seed != b->seed)
        what = "they have different seeds";
    else if (a->function->learn && !is_same_fuzzy(a, b))
        what = "they have different references";
    if (!what)
        return DPL_OK;
    dpl__fail(err, DPL_E_USAGE, "codes of '%s' and '%s' cannot be compared: %s",
              dpl_codes_path(left), dpl_codes_path(right), what);
    return dpl__code(err, DPL_E_USAGE, "other-codes");
}
