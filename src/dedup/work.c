/*
 * work.c - the output folder of dedup: lock, settings of the run, pairs.
 *
 * work/import.json says which inputs were read and how, work/search.json how pairs were
 * searched; each is compared byte for byte, but for the floor of the search, which stands in a
 * line of its own. Inputs are known by name, size and time of the last change.
 */
#include "dedup/work.h"

#include "base/ctx.h"
#include "base/hash.h"
#include "base/json_writer.h"
#include "base/options.h"
#include "dedup/dedup_run.h"
#include "doppel/file.h"
#include "io/files.h"
#include "io/lines.h"
#include "io/sealed.h"
#include "io/target.h"
#include "readers/dir.h"

#include <dirent.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

static const char *const work_files[] = {
    "import.json", "search.json", "docs.dpl", "skipped.tsv", "edges.tsv", "stdin", NULL};

dpl_status dpl__work_file(char *out, size_t n_out, const dpl__work *w, bool is_work,
                          const char *name, dpl_error *err)
{
    const int n = snprintf(out, n_out, "%s/%s", is_work ? w->path : w->dir, name);
    return n > 0 && (size_t)n < n_out
               ? DPL_OK
               : dpl__fail_errno(err, ENAMETOOLONG, "cannot create '%s'", name);
}

/* ---- describing --------------------------------------------------------------------- */

static uint64_t add_stat(uint64_t hash, const char *path)
{
    struct stat st = {0};
    (void)stat(path, &st); /* what is not there is told by whoever opens it */
    const uint64_t facts[3] = {(uint64_t)st.st_size, (uint64_t)st.st_mtim.tv_sec,
                               (uint64_t)st.st_mtim.tv_nsec};
    return dpl__hash(facts, sizeof facts, hash);
}

static dpl_status hash_path(uint64_t *hash, dpl_ctx *ctx, const char *path, dpl_error *err)
{
    struct stat st = {0};
    *hash = add_stat(0, path);
    if (stat(path, &st) != 0 || !S_ISDIR(st.st_mode))
        return DPL_OK;
    dpl__dir_list list;
    DPL_TRY(dpl__dir_list_open(&list, ctx, path, true, err));
    for (size_t i = 0; i < list.n; i++)
        *hash = dpl__hash(list.data[i].name, strlen(list.data[i].name),
                          add_stat(*hash, list.data[i].path));
    dpl__dir_list_close(&list);
    return DPL_OK;
}

dpl_status dpl__work_fingerprint(uint64_t *out, dpl_ctx *ctx, const dpl_input *in,
                                 dpl_error *err)
{
    *out = 0;
    if (in->path && !dpl__is_stream(in->path))
        return hash_path(out, ctx, in->path, err);
    if (in->buffer.data)
        *out = dpl__hash(in->buffer.data, in->buffer.n, 0);
    return DPL_OK;
}

static dpl_status put_input(dpl_json *j, dpl_ctx *ctx, const dpl_input *in, dpl_error *err)
{
    uint64_t hash = in->buffer.n;
    char print[24];
    if (in->path)
        DPL_TRY(hash_path(&hash, ctx, in->path, err));
    else if (in->buffer.data)
        hash = dpl__hash(in->buffer.data, in->buffer.n, 0);
    else if (in->collection)
        hash = dpl_collection_get_sizes(in->collection)->n_tokens;
    snprintf(print, sizeof print, "%016llx", (unsigned long long)hash);
    dpl_json_begin(j, NULL, '{');
    dpl_json_cstr(j, "name", dpl_input_name(in));
    dpl_json_cstr(j, "fingerprint", print);
    dpl_json_end(j, '}');
    return DPL_OK;
}

static dpl_status put_inputs(dpl_json *j, dpl_ctx *ctx, const char *key,
                             const dpl_input *inputs, size_t n, dpl_error *err)
{
    dpl_json_begin(j, key, '[');
    for (size_t i = 0; i < n; i++)
        DPL_TRY(put_input(j, ctx, &inputs[i], err));
    dpl_json_end(j, ']');
    return DPL_OK;
}

static dpl_status describe_import(dpl__json_text *text, const dpl_input *inputs, size_t n,
                                  const dpl_dedup_options *o, dpl_error *err)
{
    dpl_json j = dpl__json_into(text, DPL_JSON_LINES);
    dpl_json_begin(&j, NULL, '{');
    dpl_json_cstr(&j, "doppel dedup", dpl_version());
    DPL_TRY(put_inputs(&j, text->ctx, "inputs", inputs, n, err));
    DPL_TRY(put_inputs(&j, text->ctx, "against", o->against, o->n_against, err));
    dpl_options_json(&j, "read", dpl__reader_option_table(), o->read, true);
    dpl_json_bool(&j, "stem", o->stem);
    dpl_json_end(&j, '}');
    return text->has_failed ? dpl__fail_nomem(err) : DPL_OK;
}

static dpl_status describe_search(dpl__json_text *text, const dpl_dedup_options *o,
                                  dpl_error *err)
{
    dpl_json j = dpl__json_into(text, DPL_JSON_COMPACT);
    dpl_json_begin(&j, NULL, '{');
    dpl_json_cstr(&j, "measure", dpl__dedup_measure_name(o->measure));
    dpl_json_number(&j, "shingle", o->shingle);
    dpl_json_cstr(&j, "method", dpl__dedup_method_name(o->method));
    dpl_json_real(&j, "recall", o->recall);
    dpl_json_bool(&j, "only_against", o->only_against);
    dpl_json_number(&j, "seed", text->ctx->seed);
    dpl_json_real(&j, "translation", o->translation);
    dpl_json_begin(&j, "lexicon", '[');
    if (o->lexicon) {
        const dpl_input lexicon = {.path = o->lexicon};
        DPL_TRY(put_input(&j, text->ctx, &lexicon, err));
    }
    dpl_json_end(&j, ']');
    dpl_json_end(&j, '}');
    return text->has_failed ? dpl__fail_nomem(err) : DPL_OK;
}

/* ---- comparing and writing ---------------------------------------------------------- */

static dpl_status write_text(const dpl__work *w, const char *name, dpl_str text, bool is_sealed,
                             dpl_error *err)
{
    char path[4200];
    dpl_output *output = NULL;
    DPL_TRY(dpl__work_file(path, sizeof path, w, true, name, err));
    DPL_TRY(dpl_output_new(&output, w->ctx, path, err));
    dpl_output_write(output, text.data, text.n);
    dpl_output_write(output, "\n", 1);
    if (is_sealed)
        dpl__output_seal(output);
    dpl_status status = dpl_output_finish(output, err);
    dpl_output_free(output);
    return status;
}

/* Does the file begin with this text and a line end? *rest: the number on the next line. */
static bool file_has(const dpl__work *w, const char *name, dpl_str text, double *rest)
{
    char path[4200];
    dpl__lines lines = {0};
    dpl_str line;
    size_t at = 0;
    if (dpl__work_file(path, sizeof path, w, true, name, NULL) != DPL_OK ||
        dpl__lines_open(&lines, w->ctx, path, NULL) != DPL_OK)
        return false;
    bool is_same = true;
    while (is_same && at < text.n && dpl__lines_next(&lines, &line, NULL) == DPL_OK) {
        is_same = line.n <= text.n - at && memcmp(text.data + at, line.data, line.n) == 0;
        at += line.n + 1;
    }
    is_same = is_same && at >= text.n;
    if (is_same && rest) {
        char number[40] = "";
        is_same = dpl__check_seal(w->ctx, path, NULL) == DPL_OK;
        if (dpl__lines_next(&lines, &line, NULL) == DPL_OK && line.n < sizeof number)
            memcpy(number, line.data, line.n);
        is_same = is_same && dpl_parse_real(rest, number);
    }
    dpl__lines_close(&lines);
    return is_same;
}

static bool exists(const dpl__work *w, const char *name)
{
    char path[4200];
    return dpl__work_file(path, sizeof path, w, true, name, NULL) == DPL_OK &&
           access(path, F_OK) == 0;
}

static void remove_file(const dpl__work *w, const char *name)
{
    char path[4200];
    if (dpl__work_file(path, sizeof path, w, true, name, NULL) == DPL_OK)
        (void)unlink(path);
}

/* Sets has_import and has_search, and writes down what this run does. */
static dpl_status compare(dpl__work *w, const dpl_input *inputs, size_t n,
                          const dpl_dedup_options *o, dpl_error *err)
{
    dpl__json_text import = {.ctx = w->ctx}, search = {.ctx = w->ctx};
    double floor = 2;
    dpl_status status;
    DPL__STEP(describe_import(&import, inputs, n, o, err));
    DPL__STEP(describe_search(&search, o, err));
    const dpl_str a = {import.bytes.data, import.bytes.n};
    dpl_str b = {search.bytes.data, search.bytes.n};
    if (o->resume && exists(w, "import.json") && !file_has(w, "import.json", a, NULL)) {
        dpl__fail(err, DPL_E_USAGE, "'%s' is of a run with other inputs or options", w->path);
        DPL__STEP(dpl__code(err, DPL_E_USAGE, "resume-other-run"));
    }
    w->has_import = o->resume && exists(w, "import.json") && exists(w, "docs.dpl");
    w->has_search = w->has_import && exists(w, "edges.tsv") &&
                    file_has(w, "search.json", b, &floor) && floor <= o->floor;
    for (size_t i = 0; work_files[i]; i++) {
        const bool is_search = strcmp(work_files[i], "search.json") == 0 ||
                               strcmp(work_files[i], "edges.tsv") == 0;
        if (!(is_search ? w->has_search : w->has_import))
            remove_file(w, work_files[i]);
    }
    if (!w->has_import)
        DPL__STEP(write_text(w, "import.json", a, false, err));
    if (!w->has_search) {
        char line[64];
        snprintf(line, sizeof line, "\n%.9g", o->floor);
        if (!dpl__vec_append(w->ctx, &search.bytes, line, strlen(line)))
            DPL__STEP(dpl__fail_nomem(err));
        b = (dpl_str){search.bytes.data, search.bytes.n};
        status = write_text(w, "search.json", b, true, err);
    }
done:
    dpl__vec_clear(w->ctx, &search.bytes);
    dpl__vec_clear(w->ctx, &import.bytes);
    return status;
}

/* ---- the folder --------------------------------------------------------------------- */

static bool is_ours(const char *name)
{
    if (strcmp(name, ".") == 0 || strcmp(name, "..") == 0 || dpl__is_temporary_name(name))
        return true;
    for (size_t i = 0; work_files[i]; i++)
        if (strcmp(name, work_files[i]) == 0)
            return true;
    return false;
}

/* "NAME.doppel-x7k2qa" of one of our names. */
static bool is_unfinished(const char *name)
{
    for (size_t i = 0; work_files[i]; i++) {
        const size_t n = strlen(work_files[i]);
        if (strncmp(name, work_files[i], n) == 0 && strncmp(name + n, ".doppel-", 8) == 0 &&
            dpl__is_temporary_name(name))
            return true;
    }
    return false;
}

/* Files under construction whose writer was killed: work/ is locked, so nobody writes them. */
static void remove_unfinished(const dpl__work *w)
{
    DIR *dir = opendir(w->path);
    for (const struct dirent *e; dir && (e = readdir(dir));)
        if (is_unfinished(e->d_name))
            remove_file(w, e->d_name);
    if (dir)
        closedir(dir);
}

static dpl_status check_foreign(const dpl__work *w, dpl_error *err)
{
    DIR *dir = opendir(w->path);
    bool has_others = false;
    if (!dir)
        return dpl__fail_errno(err, errno, "cannot open the folder '%s'", w->path);
    for (const struct dirent *e; (e = readdir(dir));)
        has_others = has_others || !is_ours(e->d_name);
    closedir(dir);
    if (!has_others)
        return DPL_OK;
    dpl__fail(err, DPL_E_USAGE, "'%s' holds files that are not of a run of doppel dedup",
              w->path);
    return dpl__code(err, DPL_E_USAGE, "folder-foreign");
}

/* What is read must not be replaced. */
static dpl_status check_inputs(const dpl__work *w, const dpl_input *inputs, size_t n,
                               dpl_error *err)
{
    static const char *const results[] = {"clusters.tsv",   "run.json",   "contamination.tsv",
                                          "parts.tsv",      "kept.jsonl", "kept.jsonl.gz",
                                          "kept.jsonl.zst", "kept.tsv",   NULL};
    char path[4200];
    for (size_t i = 0; i < n; i++)
        for (size_t k = 0; results[k] && inputs[i].path; k++) {
            DPL_TRY(dpl__work_file(path, sizeof path, w, false, results[k], err));
            DPL_TRY(dpl__check_overwrite(path, &inputs[i].path, 1, err));
        }
    return DPL_OK;
}

dpl_status dpl__work_open(dpl__work *w, dpl_ctx *ctx, const char *dir, const dpl_input *inputs,
                          size_t n_inputs, const dpl_dedup_options *o, dpl_error *err)
{
    *w = (dpl__work){.ctx = ctx, .is_temporary = !dir};
    if (!dir)
        DPL_TRY(dpl_temp_dir_make(&w->temp, o->temp_dir, err));
    const int n = snprintf(w->dir, sizeof w->dir, "%s", dir ? dir : w->temp.path);
    if (n < 0 || (size_t)n >= sizeof w->dir)
        return dpl__fail_errno(err, ENAMETOOLONG, "cannot make the folder '%s'", w->dir);
    snprintf(w->path, sizeof w->path, "%s/work", w->dir);
    DPL_TRY(dpl__folder_make(w->dir, err));
    DPL_TRY(dpl__folder_make(w->path, err));
    DPL_TRY(dpl__folder_lock(&w->lock, w->path, err));
    DPL_TRY(check_foreign(w, err));
    DPL_TRY(check_inputs(w, inputs, n_inputs, err));
    DPL_TRY(check_inputs(w, o->against, o->n_against, err));
    remove_unfinished(w);
    return compare(w, inputs, n_inputs, o, err);
}

void dpl__work_close(dpl__work *w)
{
    if (!w->ctx)
        return;
    if (w->lock)
        close(w->lock);
    dpl_temp_dir_remove(&w->temp);
    *w = (dpl__work){0};
}

/* ---- pairs -------------------------------------------------------------------------- */

dpl_status dpl__work_write_edges(const dpl__work *w, const dpl__found *found, dpl_error *err)
{
    char path[4200], line[128];
    dpl_output *output = NULL;
    DPL_TRY(dpl__work_file(path, sizeof path, w, true, "edges.tsv", err));
    DPL_TRY(dpl_output_new(&output, w->ctx, path, err));
    int n =
        snprintf(line, sizeof line, "%u\t%u\t%u\t%u\t%llu\t%llu\n", found->method,
                 found->is_exact, found->code_length, found->n_codes,
                 (unsigned long long)found->n_candidates, (unsigned long long)found->edges.n);
    dpl_output_write(output, line, (size_t)n);
    for (size_t i = 0; i < found->edges.n; i++) {
        const dpl_dedup_edge *e = &found->edges.data[i];
        n = snprintf(line, sizeof line, "%u\t%u\t%u\t%.9g\n", e->left, e->right, e->kind,
                     (double)e->score);
        dpl_output_write(output, line, (size_t)n);
    }
    dpl__output_seal(output);
    dpl_status status = dpl_output_finish(output, err);
    dpl_output_free(output);
    return status;
}

/* The numbers of a line, tabs between; false unless there are n of them. */
static bool parse_numbers(double *out, size_t n, dpl_str line)
{
    size_t i = 0;
    for (size_t at = 0; i < n && at <= line.n; i++) {
        char number[40] = "";
        const char *tab = memchr(line.data + at, '\t', line.n - at);
        const size_t end = tab ? (size_t)(tab - line.data) : line.n;
        if (end - at >= sizeof number)
            return false;
        memcpy(number, line.data + at, end - at);
        if (!dpl_parse_real(&out[i], number) || !(out[i] >= 0 && out[i] < 0x1p53))
            return false;
        at = end + 1;
    }
    return i == n;
}

static dpl_status read_edge(dpl__found *found, dpl__lines *lines, dpl_str line, uint32_t n_docs,
                            dpl_error *err)
{
    double x[4];
    if (!parse_numbers(x, 4, line) || x[1] >= n_docs || x[0] >= x[1] ||
        x[2] > DPL_EDGE_TRANSLATION || x[0] != (uint32_t)x[0] || x[1] != (uint32_t)x[1])
        return dpl__lines_bad(lines, err, "not a pair of documents");
    const dpl_dedup_edge e = {(uint32_t)x[0], (uint32_t)x[1], (float)x[3], (uint32_t)x[2]};
    return dpl__vec_push(lines->ctx, &found->edges, e) ? DPL_OK : dpl__fail_nomem(err);
}

dpl_status dpl__work_parse_edges(dpl__found *found, dpl__lines *lines, uint32_t n_docs,
                                 dpl_error *err)
{
    double x[6];
    dpl_str line;
    dpl_status status = dpl__lines_next(lines, &line, err);
    if (status == DPL_END || (status == DPL_OK && !parse_numbers(x, 6, line)))
        return dpl__lines_bad(lines, err, "not the facts of a search");
    DPL_TRY(status);
    if (x[0] > DPL_DEDUP_SIMHASH || x[2] > UINT32_MAX || x[3] > UINT32_MAX)
        return dpl__lines_bad(lines, err, "not the facts of a search");
    found->method = (uint32_t)x[0];
    found->is_exact = x[1] != 0;
    found->code_length = (uint32_t)x[2];
    found->n_codes = (uint32_t)x[3];
    found->n_candidates = (uint64_t)x[4];
    while ((status = dpl__lines_next(lines, &line, err)) == DPL_OK && !dpl__is_seal(line))
        DPL_TRY(read_edge(found, lines, line, n_docs, err));
    if (status < 0)
        return status;
    return found->edges.n == (uint64_t)x[5]
               ? DPL_OK
               : dpl__lines_bad(lines, err, "the file is not complete");
}

dpl_status dpl__work_read_edges(dpl__found *found, const dpl__work *w, uint32_t n_docs,
                                dpl_error *err)
{
    char path[4200];
    dpl__lines lines = {0};
    DPL_TRY(dpl__work_file(path, sizeof path, w, true, "edges.tsv", err));
    DPL_TRY(dpl__check_seal(w->ctx, path, err));
    DPL_TRY(dpl__lines_open(&lines, w->ctx, path, err));
    dpl_status status = dpl__work_parse_edges(found, &lines, n_docs, err);
    dpl__lines_close(&lines);
    return status;
}
