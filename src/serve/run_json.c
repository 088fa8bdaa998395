/*
 * run_json.c - languages, unit and runs from a run.json.
 */
#include "serve/mine_folder.h"

#include "readers/json_parser.h"
#include "unicode/unicode.h"

#include <fcntl.h>
#include <stdio.h>
#include <sys/stat.h>
#include <unistd.h>

#include "io/files.h"

enum { MOST_BYTES = 16 << 20 };

/* The bytes of a file of moderate size; no file: DPL_END. */
static dpl_status read_file(dpl__bytes *out, dpl_ctx *ctx, const char *path, dpl_error *err)
{
    struct stat st;
    const int fd = open(path, O_RDONLY | O_CLOEXEC);
    if (fd < 0)
        return errno == ENOENT || errno == ENOTDIR
                   ? DPL_END
                   : dpl__fail_errno(err, errno, "cannot open '%s'", path);
    dpl_status status = DPL_OK;
    if (fstat(fd, &st) != 0 || !S_ISREG(st.st_mode) || st.st_size > MOST_BYTES)
        status = dpl__fail(err, DPL_E_FORMAT, "'%s' is no description of a run", path);
    else if (!dpl__vec_reserve(ctx, out, (size_t)st.st_size + 1))
        status = dpl__fail_nomem(err);
    else if (dpl__pread_all(fd, out->data, (size_t)st.st_size, 0) != 0)
        status = dpl__fail(err, DPL_E_IO, "cannot read '%s'", path);
    else
        out->n = (size_t)st.st_size;
    close(fd);
    return status;
}

/* ---- values ------------------------------------------------------------------------- */

typedef struct reader {
    dpl__json json;
    dpl__arena *arena;
    dpl_ctx *ctx;
} reader;

/* Any value; of a string, as much as fits. */
static dpl_status read_text(reader *r, char *out, size_t n_out)
{
    dpl_str s;
    if (dpl__json_peek(&r->json) != '"')
        return dpl__json_skip(&r->json, &s);
    DPL_TRY(dpl__json_string(&r->json, r->arena, &s));
    snprintf(out, n_out, "%.*s", (int)dpl__min(s.n, n_out - 1), s.data);
    return DPL_OK;
}

static dpl_status read_unit(reader *r, bool *is_sentences)
{
    char unit[20] = "";
    DPL_TRY(read_text(r, unit, sizeof unit));
    *is_sentences = strcmp(unit, "sentence") == 0;
    return DPL_OK;
}

/* The text under a key of the object that comes next; another value is passed over. */
static dpl_status read_member(reader *r, const char *wanted, char *out, size_t n_out)
{
    dpl_str key, raw;
    if (dpl__json_peek(&r->json) != '{')
        return dpl__json_skip(&r->json, &raw);
    dpl_status status = dpl__json_open(&r->json, '{');
    while (status == DPL_OK && (status = dpl__json_member(&r->json, r->arena, &key)) == DPL_OK)
        status = dpl__str_eq(key, dpl__cstr(wanted)) ? read_text(r, out, n_out)
                                                     : dpl__json_skip(&r->json, &raw);
    return status == DPL_END ? DPL_OK : status;
}

/* ---- run.json ----------------------------------------------------------------------- */

static dpl_status read_one_run(reader *r, dpl__run_langs *out)
{
    dpl_str key, raw;
    dpl_status status = dpl__json_open(&r->json, '{');
    while (status == DPL_OK && (status = dpl__json_member(&r->json, r->arena, &key)) == DPL_OK)
        status = dpl__str_eq(key, DPL_STR("left"))
                     ? read_text(r, out->langs[0], sizeof out->langs[0])
                 : dpl__str_eq(key, DPL_STR("right"))
                     ? read_text(r, out->langs[1], sizeof out->langs[1])
                 : dpl__str_eq(key, DPL_STR("unit")) ? read_unit(r, &out->is_sentences)
                                                     : dpl__json_skip(&r->json, &raw);
    return status == DPL_END ? DPL_OK : status;
}

static dpl_status read_runs(reader *r, dpl__run_json *out)
{
    dpl_status status = dpl__json_open(&r->json, '[');
    while (status == DPL_OK && (status = dpl__json_element(&r->json)) == DPL_OK) {
        dpl__run_langs *more = dpl__resize(r->ctx, out->runs, (out->n_runs + 1) * sizeof *more);
        if (!more)
            return DPL_E_NOMEM;
        out->runs = more;
        out->runs[out->n_runs] = (dpl__run_langs){0};
        status = read_one_run(r, &out->runs[out->n_runs++]);
    }
    return status == DPL_END ? DPL_OK : status;
}

static dpl_status read_key(reader *r, dpl__run_json *out, dpl_str key)
{
    dpl_str raw;
    if (dpl__str_eq(key, DPL_STR("left")))
        return read_member(r, "lang", out->langs[0], sizeof out->langs[0]);
    if (dpl__str_eq(key, DPL_STR("right")))
        return read_member(r, "lang", out->langs[1], sizeof out->langs[1]);
    if (dpl__str_eq(key, DPL_STR("unit")))
        return read_unit(r, &out->is_sentences);
    if (dpl__str_eq(key, DPL_STR("runs")))
        return read_runs(r, out);
    if (dpl__str_eq(key, DPL_STR("input_1")))
        return read_member(r, "path", out->inputs[0], sizeof out->inputs[0]);
    if (dpl__str_eq(key, DPL_STR("input_2")))
        return read_member(r, "path", out->inputs[1], sizeof out->inputs[1]);
    return dpl__json_skip(&r->json, &raw);
}

static dpl_status parse(dpl__run_json *out, dpl_ctx *ctx, dpl_str text)
{
    dpl__arena arena;
    dpl_str key;
    if (!dpl__is_utf8(ctx, text))
        return DPL_E_FORMAT;
    dpl__arena_init(&arena, ctx);
    reader r = {dpl__json_begin(ctx, text), &arena, ctx};
    dpl_status status = dpl__json_open(&r.json, '{');
    while (status == DPL_OK && (status = dpl__json_member(&r.json, &arena, &key)) == DPL_OK)
        status = read_key(&r, out, key);
    dpl__arena_clear(&arena);
    return status == DPL_END ? DPL_OK : status;
}

static dpl_status read_and_parse(dpl__run_json *out, dpl_ctx *ctx, const char *path,
                                 dpl_error *err)
{
    dpl__bytes text = {0};
    dpl_status status = read_file(&text, ctx, path, err);
    if (status == DPL_OK) {
        status = parse(out, ctx, (dpl_str){text.data, text.n});
        if (status == DPL_E_NOMEM)
            dpl__fail_nomem(err);
        else if (status != DPL_OK)
            dpl__fail(err, status, "'%s' is no description of a run", path);
    }
    dpl__vec_clear(ctx, &text);
    return status;
}

/* Codes of languages become parts of paths. */
static bool is_safe(const char langs[2][12])
{
    for (int side = 0; side < 2; side++)
        for (const char *p = langs[side]; *p; p++)
            if (*p == '/' || *p == '.')
                return false;
    return true;
}

dpl_status dpl__run_json_read(dpl__run_json *out, dpl_ctx *ctx, const char *dir, dpl_error *err)
{
    char path[4100];
    *out = (dpl__run_json){0};
    snprintf(path, sizeof path, "%s/work/settings.json", dir);
    dpl_status status = read_and_parse(out, ctx, path, err);
    if (status != DPL_OK && status != DPL_END)
        return status;
    snprintf(path, sizeof path, "%s/run.json", dir);
    status = read_and_parse(out, ctx, path, err);
    if (status == DPL_END)
        return dpl__fail_code(err, DPL_E_USAGE, "not-a-run",
                              "'%s' is not the folder of a mine run: it has no run.json", dir);
    bool is_good = is_safe((const char(*)[12])out->langs);
    for (size_t i = 0; i < out->n_runs; i++)
        is_good = is_good && is_safe((const char(*)[12])out->runs[i].langs);
    return status != DPL_OK ? status
           : is_good        ? DPL_OK
                     : dpl__fail(err, DPL_E_FORMAT, "'%s' is no description of a run", path);
}

void dpl__run_json_clear(dpl__run_json *r, dpl_ctx *ctx)
{
    dpl__free(ctx, r->runs);
    *r = (dpl__run_json){0};
}
