/*
 * codes_file.c - codes and the function that made them, written and read.
 *
 * Opening verifies every checksum and every number, as for all our files.
 */
#include "base/ctx.h"
#include "base/json_writer.h"
#include "base/options.h"
#include "doppel/options.h"
#include "io/container.h"
#include "readers/file_checks.h"
#include "signatures/codes.h"
#include "signatures/hash_file.h"

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

static dpl_status write_settings(dpl__writer *w, const dpl_hash *h, dpl_error *err)
{
    dpl__json_text text = {.ctx = h->ctx};
    dpl_json j = dpl__json_into(&text, DPL_JSON_COMPACT);
    dpl_json_begin(&j, NULL, '{');
    dpl_json_number(&j, "seed", h->seed);
    dpl_options_json(&j, "hash", dpl__hash_option_table(), &h->options, true);
    dpl_json_end(&j, '}');
    return dpl__writer_add_json(w, "settings", &text, err);
}

static dpl_status write_all(dpl__writer *w, const dpl_codes *c, dpl_error *err)
{
    DPL_TRY(dpl__writer_add_large(w, "codes", 8, c->words,
                                  (size_t)c->n_rows * c->n_codes * sizeof *c->words, err));
    DPL_TRY(write_ids(w, c, err));
    DPL_TRY(dpl__hash_write(w, c->hash, "shape", err));
    DPL_TRY(write_settings(w, c->hash, err));
    return dpl__writer_finish(w, NULL, err);
}

dpl_status dpl_codes_save(const dpl_codes *c, const char *path, dpl_error *err)
{
    if (!c->hash)
        return dpl__fail(err, DPL_E_UNSUPPORTED,
                         "codes from a buffer have no function and cannot be saved");
    dpl__writer *w = NULL;
    DPL_TRY(dpl__writer_new(&w, c->ctx, path, "codes", err));
    dpl_status status = write_all(w, c, err);
    dpl__writer_free(w);
    return status;
}

/* ---- reading ------------------------------------------------------------------------ */

static dpl_status get_everything(dpl_codes *c, const char *path, dpl_error *err)
{
    dpl_str settings;
    DPL_TRY(dpl_file_open(&c->file, c->ctx, path, err));
    dpl_hash *h = c->own_hash = dpl__calloc(c->ctx, 1, sizeof *c->own_hash);
    DPL_TRY(dpl__need(h, err));
    h->ctx = c->ctx;
    dpl__arena_init(&h->arena, c->ctx);
    c->hash = h;
    DPL_TRY(dpl__check_kind(c->file, "codes", err));
    DPL_TRY(dpl_file_check(c->file, err));
    DPL_TRY(dpl__hash_read(h, c->file, "shape", err));
    DPL_TRY(dpl__get_strings(c->file, "id.offsets", "id.bytes", &c->ids, SIZE_MAX, err));
    if (c->ids.n > UINT32_MAX)
        return dpl__damaged(c->file, "id.offsets", "too many rows", err);
    DPL_TRY(dpl__check_names(c->file, "id.bytes", &c->ids, err));
    DPL_TRY(dpl__check_unique(c->file, "id.bytes", &c->ids, err));
    c->n_rows = (uint32_t)c->ids.n;
    c->n_codes = h->options.codes;
    DPL_TRY(dpl__get_n(c->file, "codes", 8, &c->words, (size_t)c->n_rows * c->n_codes, err));
    return dpl__get_json(c->file, "settings", &settings, err);
}

dpl_status dpl_codes_open(dpl_codes **out, dpl_ctx *ctx, const char *path, dpl_error *err)
{
    *out = NULL;
    dpl_codes *c = dpl__calloc(ctx, 1, sizeof *c);
    DPL_TRY(dpl__need(c, err));
    c->ctx = ctx;
    dpl_status status = get_everything(c, path, err);
    if (status != DPL_OK) {
        dpl_codes_close(c);
        return status;
    }
    *out = c;
    return DPL_OK;
}

/* ---- matching ----------------------------------------------------------------------- */

static bool is_same_fuzzy(const dpl_hash *a, const dpl_hash *b)
{
    const dpl__fuzzy *f = &a->fuzzy, *g = &b->fuzzy;
    const size_t n = f->prefixes.n, k = a->options.length;
    return n == g->prefixes.n && f->prefixes.offsets[n] == g->prefixes.offsets[n] &&
           memcmp(f->prefixes.bytes, g->prefixes.bytes, (size_t)f->prefixes.offsets[n]) == 0 &&
           memcmp(f->classes, g->classes, n) == 0 &&
           memcmp(f->mean, g->mean, k * sizeof *f->mean) == 0 &&
           memcmp(f->sd, g->sd, k * sizeof *f->sd) == 0 &&
           memcmp(f->bounds, g->bounds, dpl__hash_n_bounds(&a->options) * sizeof *f->bounds) ==
               0;
}

dpl_status dpl__codes_check_match(const dpl_codes *left, const dpl_codes *right, dpl_error *err)
{
    const dpl_hash *a = left->hash, *b = right->hash;
    const char *what = NULL;
    if (a == b || !a || !b) /* codes from a buffer have none */
        return DPL_OK;
    if (a->function != b->function)
        what = "they have different functions";
    else if (dpl__options_differ(dpl__hash_option_table(), &a->options, &b->options, true))
        what = "they have different parameters";
    else if (a->seed != b->seed)
        what = "they have different seeds";
    else if (a->function->learn && !is_same_fuzzy(a, b))
        what = "they have different references";
    if (!what)
        return DPL_OK;
    return dpl__fail_code(err, DPL_E_USAGE, "other-codes",
                          "codes of '%s' and '%s' cannot be compared: %s",
                          dpl_codes_get_info(left).path, dpl_codes_get_info(right).path, what);
}
