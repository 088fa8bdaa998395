/*
 * work.c - the output folder of dedup: settings of the run, pairs.
 *
 * work/import.json says which inputs were read and how (io/out_folder.h), work/search.json how
 * pairs were searched: compared byte for byte, but for the floor of the search, which stands in
 * a line of its own.
 */
#include "dedup/work.h"

#include "base/ascii.h"
#include "base/ctx.h"
#include "base/json_writer.h"
#include "base/options.h"
#include "dedup/dedup_run.h"
#include "io/lines.h"
#include "io/sealed.h"
#include "io/text_output.h"
#include "tokens/input_print.h"

#include <stdio.h>
#include <unistd.h>

static const char *const results[] = {
    "clusters.tsv", "pairs.tsv", "contamination.tsv", "parts.tsv", "run.json",
    "kept.[a-z]*",  NULL};
static const char *const work_files[] = {"import.json", "search.json", "docs.dpl",
                                         "skipped.tsv", "edges.tsv",   NULL};
static const char *const passing_files[] = {"stdin", NULL};

static const dpl__folder_names names = {"doppel dedup", "import.json", results, work_files,
                                        passing_files};

/* ---- describing --------------------------------------------------------------------- */

static dpl_status put_inputs(dpl_json *j, dpl_ctx *ctx, const char *key,
                             const dpl_input *inputs, size_t n, dpl_error *err)
{
    dpl_json_begin(j, key, '[');
    for (size_t i = 0; i < n; i++)
        DPL_TRY(dpl__input_describe(j, ctx, NULL, &inputs[i], err));
    dpl_json_end(j, ']');
    return DPL_OK;
}

static dpl_status describe_import(dpl__json_text *text, const dpl__work_run *run,
                                  dpl_error *err)
{
    const dpl_dedup_options *o = run->options;
    dpl_json j = dpl__json_into(text, DPL_JSON_LINES);
    dpl_json_begin(&j, NULL, '{');
    dpl_json_cstr(&j, names.command, dpl_version());
    DPL_TRY(put_inputs(&j, text->ctx, "inputs", run->inputs, run->n_inputs, err));
    DPL_TRY(put_inputs(&j, text->ctx, "against", o->against, o->n_against, err));
    dpl_options_json(&j, "read", dpl__reader_option_table(), o->read, true);
    dpl_json_bool(&j, "stem", o->stem);
    dpl_json_end(&j, '}');
    DPL_TRY(dpl__need(dpl__vec_push(text->ctx, &text->bytes, '\n'), err));
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
    DPL_TRY(dpl__file_describe(&j, text->ctx, "lexicon", o->lexicon, err));
    if (o->lexicon_langs)
        dpl_json_cstr(&j, "lexicon_langs", o->lexicon_langs);
    dpl_json_end(&j, '}');
    return text->has_failed ? dpl__fail_nomem(err) : DPL_OK;
}

/* ---- comparing and writing ---------------------------------------------------------- */

/* How this run searches, and to which floor. */
static dpl_status write_search(const dpl__work *w, dpl_str text, double floor, dpl_error *err)
{
    dpl_output *output = NULL;
    DPL_TRY(dpl__open_output(&output, w->ctx, w->folder.work, "search.json", err));
    dpl__put_str(output, text);
    dpl__put(output, "\n%.9g\n", floor);
    dpl__output_seal(output);
    return dpl__output_end(output, DPL_OK, err);
}

/* How an earlier run searched. */
typedef struct search_before {
    bool is_same;
    double floor;  /* to which one, if is_same */
    bool is_gated; /* it may have left documents out of the import (item_gate.c) */
} search_before;

static bool has_part(dpl_str s, dpl_str part)
{
    for (size_t i = 0; i + part.n <= s.n; i++)
        if (memcmp(s.data + i, part.data, part.n) == 0)
            return true;
    return false;
}

/* Compared with the search that `text` describes. */
static search_before compare_search(const dpl__work *w, dpl_str text)
{
    search_before out = {.is_gated = true};
    char path[4200];
    dpl__lines lines = {0};
    dpl_str line;
    if (dpl__out_folder_file(path, sizeof path, &w->folder, true, "search.json", NULL) !=
            DPL_OK ||
        dpl__check_seal(w->ctx, path, NULL) != DPL_OK ||
        dpl__lines_open(&lines, w->ctx, path, NULL) != DPL_OK)
        return out;
    if (dpl__lines_next(&lines, &line, NULL) == DPL_OK) {
        out.is_same = dpl__str_eq(line, text);
        out.is_gated = has_part(line, dpl__cstr("\"only_against\":true"));
    }
    out.is_same = out.is_same && dpl__lines_next(&lines, &line, NULL) == DPL_OK &&
                  dpl__parse_real(&out.floor, line);
    dpl__lines_close(&lines);
    return out;
}

static bool exists(const dpl__work *w, const char *name)
{
    char path[4200];
    return dpl__out_folder_file(path, sizeof path, &w->folder, true, name, NULL) == DPL_OK &&
           access(path, F_OK) == 0;
}

static void remove_file(const dpl__work *w, const char *name)
{
    char path[4200];
    if (dpl__out_folder_file(path, sizeof path, &w->folder, true, name, NULL) == DPL_OK)
        (void)unlink(path);
}

/* Sets has_import and has_search, and writes down what this run does. */
static dpl_status begin(dpl__work *w, const dpl__work_run *run, dpl_error *err)
{
    const dpl_dedup_options *o = run->options;
    dpl__json_text import = {.ctx = w->ctx}, search = {.ctx = w->ctx};
    bool is_resumed = o->resume;
    dpl_status status;
    DPL__STEP(describe_import(&import, run, err));
    DPL__STEP(describe_search(&search, o, err));
    const dpl_str how = {search.bytes.data, search.bytes.n};
    DPL__STEP(dpl__out_folder_begin(
        &w->folder, w->ctx, (dpl_str){import.bytes.data, import.bytes.n}, &is_resumed, err));
    const search_before before = compare_search(w, how);
    w->has_import = is_resumed && exists(w, "docs.dpl") && (before.is_same || !before.is_gated);
    w->has_search =
        w->has_import && exists(w, "edges.tsv") && before.is_same && before.floor <= o->floor;
    if (!w->has_import)
        remove_file(w, "docs.dpl");
    if (!w->has_search) {
        remove_file(w, "edges.tsv");
        DPL__STEP(write_search(w, how, o->floor, err));
    }
done:
    dpl__vec_clear(w->ctx, &search.bytes, &import.bytes);
    return status;
}

/* ---- the folder --------------------------------------------------------------------- */

static dpl_status check_inputs(const dpl__work *w, const dpl_input *inputs, size_t n,
                               dpl_error *err)
{
    for (size_t i = 0; i < n; i++)
        DPL_TRY(dpl__out_folder_check_input(&w->folder, inputs[i].path, err));
    return DPL_OK;
}

dpl_status dpl__work_open(dpl__work *w, dpl_ctx *ctx, const dpl__work_run *run, dpl_error *err)
{
    const dpl_dedup_options *o = run->options;
    *w = (dpl__work){.ctx = ctx, .is_temporary = !run->dir};
    DPL_TRY(dpl__out_folder_open(&w->folder, &names, run->dir, o->temp, err));
    DPL_TRY(check_inputs(w, run->inputs, run->n_inputs, err));
    DPL_TRY(check_inputs(w, o->against, o->n_against, err));
    return begin(w, run, err);
}

void dpl__work_close(dpl__work *w)
{
    dpl__out_folder_close(&w->folder);
    *w = (dpl__work){0};
}

/* ---- pairs -------------------------------------------------------------------------- */

dpl_status dpl__work_write_edges(const dpl__work *w, const dpl__found *found, dpl_error *err)
{
    dpl_output *output = NULL;
    DPL_TRY(dpl__open_output(&output, w->ctx, w->folder.work, "edges.tsv", err));
    dpl__put(output, "%u\t%u\t%u\t%u\t%llu\t%llu\n", found->method, found->is_exact,
             found->code_length, found->n_codes, (unsigned long long)found->n_candidates,
             (unsigned long long)found->edges.n);
    for (size_t i = 0; i < found->edges.n; i++) {
        const dpl_dedup_edge *e = &found->edges.data[i];
        dpl__put(output, "%u\t%u\t%u\t%.9g\n", e->left, e->right, e->kind, (double)e->score);
    }
    dpl__output_seal(output);
    return dpl__output_end(output, DPL_OK, err);
}

/* The numbers of a line, tabs between; false unless there are n of them. */
static bool parse_numbers(double *out, size_t n, dpl_str line)
{
    for (size_t i = 0; i < n; i++) {
        const bool is_number = dpl__parse_real(&out[i], dpl__next_column(&line));
        if (!is_number || !(out[i] >= 0 && out[i] < 0x1p53))
            return false;
    }
    return true;
}

static dpl_status read_edge(dpl__found *found, dpl__lines *lines, dpl_str line, uint32_t n_docs,
                            dpl_error *err)
{
    double x[4];
    if (!parse_numbers(x, 4, line) || x[1] >= n_docs || x[0] >= x[1] ||
        x[2] > DPL_EDGE_TRANSLATION || x[0] != (uint32_t)x[0] || x[1] != (uint32_t)x[1])
        return dpl__lines_bad(lines, err, "not a pair of documents");
    const dpl_dedup_edge e = {(uint32_t)x[0], (uint32_t)x[1], (float)x[3], (uint32_t)x[2]};
    return dpl__need(dpl__vec_push(lines->ctx, &found->edges, e), err);
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
    DPL_TRY(dpl__out_folder_file(path, sizeof path, &w->folder, true, "edges.tsv", err));
    DPL_TRY(dpl__check_seal(w->ctx, path, err));
    DPL_TRY(dpl__lines_open(&lines, w->ctx, path, err));
    dpl_status status = dpl__work_parse_edges(found, &lines, n_docs, err);
    dpl__lines_close(&lines);
    return status;
}
