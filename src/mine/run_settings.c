/*
 * run_settings.c - settings of a run, written and compared byte for byte.
 */
#include "mine/run_settings.h"

#include "base/ctx.h"
#include "base/hash.h"
#include "base/options.h"
#include "io/lines.h"
#include "readers/dir.h"

#include <errno.h>
#include <stdio.h>
#include <sys/stat.h>

static const char first_key[] = "doppel mine";

/* ---- describing --------------------------------------------------------------------- */

typedef struct sink {
    dpl_ctx *ctx;
    dpl__bytes *text;
    bool has_room;
} sink;

static void put(void *user, const char *data, size_t n)
{
    sink *s = user;
    s->has_room = s->has_room && dpl__vec_append(s->ctx, s->text, data, n);
}

static uint64_t add_stat(uint64_t hash, const struct stat *st)
{
    const uint64_t facts[3] = {(uint64_t)st->st_size, (uint64_t)st->st_mtim.tv_sec,
                               (uint64_t)st->st_mtim.tv_nsec};
    return dpl__hash(facts, sizeof facts, hash);
}

/* Names, sizes and times of all files below the folder. */
static dpl_status hash_folder(uint64_t *hash, dpl_ctx *ctx, const char *path, dpl_error *err)
{
    dpl__dir_list list;
    DPL_TRY(dpl__dir_list_open(&list, ctx, path, true, err));
    for (size_t i = 0; i < list.n; i++) {
        struct stat st = {0};
        (void)stat(list.data[i].path, &st); /* one that is gone is told by whoever opens it */
        *hash = dpl__hash(list.data[i].name, strlen(list.data[i].name), add_stat(*hash, &st));
    }
    dpl__dir_list_close(&list);
    return DPL_OK;
}

/* A file or a folder: name, size, and a hash of size and time of the last change. */
static dpl_status put_file(dpl_json *j, dpl_ctx *ctx, const char *key, const char *path,
                           dpl_error *err)
{
    struct stat st = {0};
    char print[24];
    uint64_t hash = 0;
    if (path && stat(path, &st) == 0) { /* what is not there is told by whoever opens it */
        hash = add_stat(0, &st);
        if (S_ISDIR(st.st_mode))
            DPL_TRY(hash_folder(&hash, ctx, path, err));
    }
    snprintf(print, sizeof print, "%016llx", (unsigned long long)hash);
    dpl_json_begin(j, key, '{');
    dpl_json_cstr(j, "path", path);
    dpl_json_number(j, "bytes", S_ISDIR(st.st_mode) ? 0 : (uint64_t)st.st_size);
    dpl_json_cstr(j, "fingerprint", print);
    dpl_json_end(j, '}');
    return DPL_OK;
}

/* Documents from the caller have a name only: they cannot be resumed. */
static dpl_status put_input(dpl_json *j, dpl_ctx *ctx, const char *key, const dpl_input *in,
                            dpl_error *err)
{
    char print[24];
    uint64_t hash = 0;
    if (in->path)
        return put_file(j, ctx, key, in->path, err);
    if (in->buffer.data)
        hash = dpl__hash(in->buffer.data, in->buffer.n, 0);
    snprintf(print, sizeof print, "%016llx", (unsigned long long)hash);
    dpl_json_begin(j, key, '{');
    dpl_json_cstr(j, "name", dpl_input_name(in));
    dpl_json_number(j, "bytes", in->buffer.n);
    dpl_json_cstr(j, "fingerprint", print);
    if (in->collection)
        dpl_json_number(j, "tokens", dpl_collection_get_sizes(in->collection)->n_tokens);
    dpl_json_end(j, '}');
    return DPL_OK;
}

dpl_status dpl__settings_describe(dpl__bytes *text, dpl_ctx *ctx, const dpl_input *inputs,
                                  size_t n_inputs, const dpl_mine_options *o, dpl_error *err)
{
    sink s = {ctx, text, true};
    dpl_json j = {.put = put, .user = &s, .style = DPL_JSON_LINES};
    dpl_json_begin(&j, NULL, '{');
    dpl_json_cstr(&j, first_key, dpl_version());
    dpl_json_number(&j, "seed", ctx->seed);
    for (size_t i = 0; i < n_inputs; i++) {
        char key[40];
        snprintf(key, sizeof key, "input_%zu", i + 1);
        DPL_TRY(put_input(&j, ctx, key, &inputs[i], err));
    }
    DPL_TRY(put_file(&j, ctx, "lexicon", o->lexicon, err));
    DPL_TRY(put_file(&j, ctx, "dictionary", o->dictionary, err));
    for (size_t i = 0; i < o->n_more_dictionaries; i++)
        DPL_TRY(put_file(&j, ctx, "dictionary", o->more_dictionaries[i], err));
    if (o->known)
        DPL_TRY(put_file(&j, ctx, "known", o->known, err));
    for (size_t i = 0; i < o->n_links; i++)
        DPL_TRY(put_file(&j, ctx, "links", o->links[i], err));
    dpl_options_json(&j, "options", dpl__mine_option_table(), o, true);
    dpl_json_end(&j, '}');
    put(&s, "\n", 1);
    return s.has_room ? DPL_OK : dpl__fail_nomem(err);
}

/* ---- comparing ---------------------------------------------------------------------- */

/* The value that holds place `at` of a line, with its key: what lies between two commas or
 * brackets. */
static dpl_str value_at(dpl_str line, size_t at)
{
    size_t from = dpl__min(at, line.n), to = from;
    while (from > 0 && !strchr("{[,", line.data[from - 1]))
        from--;
    while (from < to && line.data[from] == ' ')
        from++;
    while (to < line.n && !strchr("}],", line.data[to]))
        to++;
    return (dpl_str){line.data ? line.data + from : "", dpl__min(to - from, (size_t)80)};
}

/* The key that a line begins with; the line may have none. */
static dpl_str key_of(dpl_str line)
{
    const char *begin = line.n ? memchr(line.data, '"', line.n) : NULL;
    size_t n_rest = begin ? line.n - (size_t)(begin + 1 - line.data) : 0;
    const char *end = n_rest ? memchr(begin + 1, '"', n_rest) : NULL;
    return end ? (dpl_str){begin + 1, (size_t)(end - begin) - 1} : DPL_STR("text");
}

/* Says what differs between a line of the file and this run's; one of them may be empty. */
static dpl_status fail_other(const char *path, dpl_str old, dpl_str new, dpl_error *err)
{
    size_t at = 0;
    while (at < old.n && at < new.n &&old.data[at] == new.data[at])
        at++;
    dpl_str key = key_of(new.n ? new : old), was = value_at(old, at), is = value_at(new, at);
    dpl__fail(err, DPL_E_USAGE, "'%s' is of another run: '%.*s' has %.*s, in this run %.*s",
              path, (int)key.n, key.data, was.n ? (int)was.n : 7, was.n ? was.data : "nothing",
              is.n ? (int)is.n : 7, is.n ? is.data : "nothing");
    return dpl__code(err, DPL_E_USAGE, "resume-other-run");
}

/* The first line of a text, without its end; the text becomes the rest. */
static dpl_str take_line(dpl_str *text)
{
    const char *end = text->n ? memchr(text->data, '\n', text->n) : NULL;
    dpl_str line = {text->data, end ? (size_t)(end - text->data) : text->n};
    size_t n_taken = line.n + (end != NULL);
    *text = (dpl_str){text->data ? text->data + n_taken : NULL, text->n - n_taken};
    return line;
}

dpl_status dpl__settings_compare(dpl_ctx *ctx, const char *path, const dpl__bytes *text,
                                 dpl_error *err)
{
    dpl__lines old;
    DPL_TRY(dpl__lines_open(&old, ctx, path, err));
    dpl_str rest = {text->data, text->n}, line;
    dpl_status status;
    while ((status = dpl__lines_next(&old, &line, err)) == DPL_OK) {
        bool is_more = rest.n > 0;
        dpl_str own = take_line(&rest);
        if (!is_more) {
            dpl__fail(err, DPL_E_USAGE, "'%s' is not as it was written: it has more lines",
                      path);
            status = dpl__code(err, DPL_E_USAGE, "resume-other-run");
            break;
        }
        if (!dpl__str_eq(own, line)) {
            status = fail_other(path, line, own, err);
            break;
        }
    }
    if (status == DPL_END)
        status = rest.n ? fail_other(path, (dpl_str){0}, take_line(&rest), err) : DPL_OK;
    dpl__lines_close(&old);
    return status;
}

bool dpl__settings_are_ours(dpl_ctx *ctx, const char *path)
{
    char begin[40];
    dpl__lines lines;
    dpl_str line = {0};
    snprintf(begin, sizeof begin, "  \"%s\": ", first_key);
    if (dpl__lines_open(&lines, ctx, path, NULL) != DPL_OK)
        return false;
    bool is_ours = dpl__lines_next(&lines, &line, NULL) == DPL_OK &&
                   dpl__str_eq(line, dpl__cstr("{")) &&
                   dpl__lines_next(&lines, &line, NULL) == DPL_OK && line.n >= strlen(begin) &&
                   memcmp(line.data, begin, strlen(begin)) == 0;
    dpl__lines_close(&lines);
    return is_ours;
}
