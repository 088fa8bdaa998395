/*
 * folder.c - settings written down, compared.
 *
 * Inputs are known by name, size and time of the last change: reading them again would take as
 * long as the work that is saved.
 */
#include "mine/folder.h"

#include "base/ctx.h"
#include "base/decimal.h"
#include "base/vec.h"
#include "io/files.h"
#include "io/lines.h"
#include "io/output.h"

#include <dirent.h>
#include <errno.h>
#include <fnmatch.h>
#include <stdio.h>
#include <sys/stat.h>
#include <unistd.h>

static dpl_status make_folder(const char *path, dpl_error *err)
{
    struct stat st;
    if (mkdir(path, 0777) == 0)
        return DPL_OK;
    int code = errno;
    if (code == EEXIST && stat(path, &st) == 0 && S_ISDIR(st.st_mode))
        return DPL_OK;
    return dpl__fail_errno(err, code, "cannot make the folder '%s'", path);
}

/* ---- settings ----------------------------------------------------------------------- */

static bool add(dpl__bytes *text, dpl_ctx *ctx, const char *s)
{
    return dpl__vec_append(ctx, text, s, strlen(s));
}

/* A JSON string; names of files may hold anything. */
static bool add_string(dpl__bytes *text, dpl_ctx *ctx, const char *s)
{
    bool has_room = dpl__vec_push(ctx, text, '"');
    for (; *s && has_room; s++) {
        char escaped[8] = {*s, 0};
        if (*s == '"' || *s == '\\' || (unsigned char)*s < 0x20)
            snprintf(escaped, sizeof escaped, "\\u%04x", (unsigned)(unsigned char)*s);
        has_room = add(text, ctx, escaped);
    }
    return has_room && dpl__vec_push(ctx, text, '"');
}

static bool add_file(dpl__bytes *text, dpl_ctx *ctx, const char *name, const char *path)
{
    struct stat st = {0};
    char facts[100];
    if (path)
        (void)stat(path, &st); /* what is not there is told by whoever opens it */
    snprintf(facts, sizeof facts, ", %llu, %lld.%09ld],\n", (unsigned long long)st.st_size,
             (long long)st.st_mtim.tv_sec, st.st_mtim.tv_nsec);
    return add(text, ctx, name) && add_string(text, ctx, path ? path : "") &&
           add(text, ctx, facts);
}

static bool add_name(dpl__bytes *text, dpl_ctx *ctx, const char *name)
{
    return add(text, ctx, ", \"") && add(text, ctx, name) && add(text, ctx, "\": ");
}

static bool add_text(dpl__bytes *text, dpl_ctx *ctx, const char *name, const char *value)
{
    return add_name(text, ctx, name) &&
           (value ? add_string(text, ctx, value) : add(text, ctx, "null"));
}

/* Below 0 one number means what another does. */
static bool add_number(dpl__bytes *text, dpl_ctx *ctx, const char *name, double value)
{
    char number[32];
    return add_name(text, ctx, name) &&
           add(text, ctx, value < 0 ? "-1" : dpl__decimal(number, value < 1e11 ? value : 1e11));
}

static bool add_reading(dpl__bytes *text, dpl_ctx *ctx, const dpl_mine_options *o)
{
    const dpl_reader_options *r = &o->read;
    return add(text, ctx, "\"read\": {\"stem\": ") &&
           add(text, ctx, o->has_no_stems ? "0" : "1") &&
           add_text(text, ctx, "left_lang", o->lang[0]) &&
           add_text(text, ctx, "right_lang", o->lang[1]) &&
           add_number(text, ctx, "format", r->format) &&
           add_number(text, ctx, "on_error", r->on_error) &&
           add_text(text, ctx, "id_key", r->id_key) &&
           add_text(text, ctx, "lang_key", r->lang_key) &&
           add_text(text, ctx, "title_key", r->title_key) &&
           add_text(text, ctx, "text_key", r->text_key) &&
           add_text(text, ctx, "columns", r->columns) &&
           add_number(text, ctx, "with_title", r->with_title) &&
           add_number(text, ctx, "max_record", (double)r->max_record) &&
           add_number(text, ctx, "min_chars", r->min_chars) && add(text, ctx, "},\n");
}

static bool add_search(dpl__bytes *text, dpl_ctx *ctx, const dpl_mine_options *o)
{
    const dpl_pairs_options *s = &o->search;
    char seed[60];
    snprintf(seed, sizeof seed, "\"search\": {\"seed\": %llu", (unsigned long long)ctx->seed);
    return add(text, ctx, seed) && add_number(text, ctx, "method", s->method) &&
           add_number(text, ctx, "recall", s->recall) &&
           add_number(text, ctx, "no_verify", s->no_verify) &&
           add_number(text, ctx, "sign", s->sign.method) &&
           add_number(text, ctx, "bits", s->sign.n) &&
           add_number(text, ctx, "tables", s->window.n_tables) &&
           add_number(text, ctx, "window", s->window.size) &&
           add_number(text, ctx, "no_early_stop", s->no_early_stop) &&
           add_number(text, ctx, "sample", s->sample) &&
           add_number(text, ctx, "no_receipt", s->no_recall_check) && add(text, ctx, "},\n");
}

static bool add_sentences(dpl__bytes *text, dpl_ctx *ctx, const dpl_mine_options *o)
{
    const dpl_sentences_options *s = &o->sentences;
    return add(text, ctx, "\"sentences\": {\"one_per_line\": ") &&
           add(text, ctx, s->is_one_per_line ? "1" : "0") &&
           add_number(text, ctx, "max_side", s->max_side) &&
           add_number(text, ctx, "unordered", s->is_unordered) &&
           add_number(text, ctx, "margin", s->margin) &&
           add_number(text, ctx, "no_learning", s->no_learning) &&
           add_number(text, ctx, "sample", s->sample) &&
           add_number(text, ctx, "no_filter", s->no_filter) &&
           add_number(text, ctx, "min_tokens", s->min_tokens) &&
           add_number(text, ctx, "max_length_ratio", s->max_length_ratio) &&
           add_number(text, ctx, "min_information", s->min_information) &&
           add_number(text, ctx, "no_lang_check", s->no_lang_check) &&
           add(text, ctx, "}}\n");
}

static bool add_inputs(dpl__bytes *text, dpl_ctx *ctx, const char *const *paths, size_t n_paths,
                       const char *pivot)
{
    bool has_room = true;
    for (size_t i = 0; i < n_paths && has_room; i++) {
        char name[40];
        snprintf(name, sizeof name, "\"input-%zu\": [", i + 1);
        has_room = add_file(text, ctx, name, paths[i]);
    }
    return has_room && add(text, ctx, "\"pivot\": ") &&
           add_string(text, ctx, pivot ? pivot : "") && add(text, ctx, ",\n");
}

/* Everything that changes what a round finds, some of it a line. The number of rounds and the
 * least confidence of the end may be others when a run is taken up again. */
static dpl_status describe(dpl__bytes *text, dpl_ctx *ctx, const char *const *paths,
                           size_t n_paths, const dpl_mine_options *o, dpl_error *err)
{
    bool has_room = add(text, ctx, "{\"version\": ") && add_string(text, ctx, dpl_version()) &&
                    add(text, ctx, ",\n") && add_inputs(text, ctx, paths, n_paths, o->pivot) &&
                    add_file(text, ctx, "\"lexicon\": [", o->lexicon) &&
                    add_file(text, ctx, "\"dictionary\": [", o->dictionary) &&
                    add_reading(text, ctx, o) && add_search(text, ctx, o) &&
                    add_sentences(text, ctx, o);
    return has_room ? DPL_OK : dpl__fail_nomem(err);
}

/* ---- the same run? ------------------------------------------------------------------ */

/* Line by line, so that the difference can be told. */
static dpl_status compare(dpl_ctx *ctx, const char *path, const dpl__bytes *text,
                          dpl_error *err)
{
    dpl__lines old;
    DPL_TRY(dpl__lines_open(&old, ctx, path, err));
    dpl_str rest = {text->data, text->n}, line;
    dpl_status status;
    while ((status = dpl__lines_next(&old, &line, err)) == DPL_OK) {
        const char *end = rest.n ? memchr(rest.data, '\n', rest.n) : NULL;
        size_t n = end ? (size_t)(end - rest.data) : rest.n;
        if (!dpl__str_eq((dpl_str){rest.data, n}, line)) {
            status = dpl__fail(err, DPL_E_USAGE,
                               "'%s' is of another run: it has %.*s, this one %.*s", path,
                               (int)dpl__min(line.n, (size_t)100), line.data,
                               (int)dpl__min(n, (size_t)100), rest.data);
            dpl__hint(err, "without --resume it begins anew");
            break;
        }
        rest.data += n + 1;
        rest.n -= n + 1;
    }
    dpl__lines_close(&old);
    return status == DPL_END ? DPL_OK : status;
}

/* What is to be read must not be what is removed. */
static dpl_status check_inside(const char *work, const char *path, dpl_error *err)
{
    char folder[4100];
    struct stat in, out;
    bool is_inside = path && dpl__dirname(folder, sizeof folder, path) &&
                     stat(folder, &in) == 0 && stat(work, &out) == 0 &&
                     in.st_dev == out.st_dev && in.st_ino == out.st_ino;
    if (!is_inside)
        return DPL_OK;
    dpl__fail(err, DPL_E_USAGE, "'%s' is in '%s', which a new run empties", path, work);
    dpl__hint(err, "copy it, or write to another folder");
    return DPL_E_USAGE;
}

/* ---- what is left of earlier runs --------------------------------------------------- */

static const char *const kept[] = {"settings.json",       "left.dpl",
                                   "right.dpl",           "dictionary.dpl",
                                   "lexicon-[0-9]*.dpl",  "round-[0-9]*.dpl",
                                   "pairs-[0-9]*.tsv",    "[a-z][a-z].dpl",
                                   "[a-z][a-z][a-z].dpl", NULL};

/* What a run makes only for a while and a kill -9 leaves; files under construction (see
 * dpl__is_temporary_name) in the folder around work/ as well. */
static const char *const unfinished[] = {"*.doppel-??????", NULL};
static const char *const passing[] = {"*.doppel-??????",   ".doppel.??????", "vectors-left.dpl",
                                      "vectors-right.dpl", "fold.dpl",       NULL};

/* Of work/, which is ours; the folder around it may hold files of the user. */
static void clean(const char *work, const char *const patterns[])
{
    char path[4400];
    DIR *dir = opendir(work);
    for (const struct dirent *e; dir && (e = readdir(dir));)
        for (size_t i = 0; patterns[i]; i++)
            if (fnmatch(patterns[i], e->d_name, 0) == 0 &&
                (size_t)snprintf(path, sizeof path, "%s/%s", work, e->d_name) < sizeof path)
                unlink(path);
    if (dir)
        closedir(dir);
}

void dpl__folder_remove(const char *dir)
{
    char work[4100];
    snprintf(work, sizeof work, "%s/work", dir);
    clean(work, passing);
    clean(work, kept);
    if (rmdir(work) == 0)
        rmdir(dir);
}

static dpl_status begin_anew(dpl_ctx *ctx, const char *work, const char *path,
                             const dpl__bytes *text, dpl_error *err)
{
    clean(work, kept);
    dpl__output *o = NULL;
    DPL_TRY(dpl__output_new(&o, ctx, path, err));
    dpl__output_write(o, text->data, text->n);
    dpl_status status = dpl__output_finish(o, err);
    dpl__output_free(o);
    return status;
}

dpl_status dpl__folder_begin(dpl_ctx *ctx, const char *dir, const char *const *paths,
                             size_t n_paths, const dpl_mine_options *options, dpl_error *err)
{
    char work[4100], path[4200];
    if ((size_t)snprintf(work, sizeof work, "%s/work", dir) >= 4000)
        return dpl__fail_errno(err, ENAMETOOLONG, "cannot make the folder '%s'", dir);
    snprintf(path, sizeof path, "%s/settings.json", work);
    DPL_TRY(make_folder(dir, err));
    DPL_TRY(make_folder(work, err));
    if (!options->resume) {
        for (size_t i = 0; i < n_paths; i++)
            DPL_TRY(check_inside(work, paths[i], err));
        DPL_TRY(check_inside(work, options->lexicon, err));
        DPL_TRY(check_inside(work, options->dictionary, err));
    }
    clean(work, passing);
    clean(dir, unfinished);
    dpl__bytes text = {0};
    dpl_status status = describe(&text, ctx, paths, n_paths, options, err);
    if (status == DPL_OK)
        status = options->resume && access(path, F_OK) == 0
                     ? compare(ctx, path, &text, err)
                     : begin_anew(ctx, work, path, &text, err);
    dpl__vec_clear(ctx, &text);
    return status;
}
