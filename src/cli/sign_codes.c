/*
 * sign_codes.c - doppel sign, of methods that give codes to be looked up: similarity hash codes
 * of documents.
 */
#include "cli/sign_codes.h"

#include "cli/notes.h"
#include "cli/outfile.h"
#include "cli/talk.h"

#include "doppel/file.h"

#include <stdio.h>
#include <string.h>
#include <time.h>

/* What the summary is about. */
typedef struct result {
    const cli_codes_request *o;
    dpl_ctx *ctx;
    const char *input;
    uint32_t n_rows;
    dpl_hash_options options;
    uint64_t seed;
    double seconds;
} result;

/* ---- the summary -------------------------------------------------------------------- */

static void print_json(const result *r)
{
    dpl_json j = cli_summary_begin(cli_is_stdout(r->o->output));
    dpl_json_number(&j, "rows", r->n_rows);
    dpl_json_cstr(&j, "method", dpl_hash_get_function_info(r->options.function)->name);
    dpl_json_number(&j, "code_length", r->options.length);
    dpl_json_number(&j, "codes", r->options.codes);
    dpl_json_number(&j, "seed", r->seed);
    dpl_json_real(&j, "seconds", r->seconds);
    cli_json_machine(&j, r->ctx);
    cli_summary_end(&j);
}

static void note_summary(const result *r)
{
    char remark[100];
    const dpl_hash_function_info *info = dpl_hash_get_function_info(r->options.function);
    snprintf(remark, sizeof remark, "for each row, of %u %s, by %s", r->options.length,
             info->unit, info->name);
    cli_note_count("rows", r->n_rows, "");
    cli_note_count("codes", r->options.codes, remark);
    cli_note_output(r->o->output, 0);
    cli_note_bytes("memory", dpl_ctx_peak(r->ctx), "at most");
    cli_note_time(r->seconds, "", r->ctx);
}

/* ---- the work ----------------------------------------------------------------------- */

/* Documents or vectors. */
typedef struct rows {
    dpl_collection *collection;
    dpl_vectors *vectors;
    dpl_hash_input input;
} rows;

static dpl_status open_rows(rows *r, dpl_ctx *ctx, const char *path, dpl_error *err)
{
    char kind[DPL_FILE_KIND];
    DPL_TRY(dpl_file_detect(kind, ctx, path, err));
    r->input = (dpl_hash_input)DPL_INIT(dpl_hash_input);
    const dpl_status status = strcmp(kind, "collection") == 0
                                  ? dpl_collection_open(&r->collection, ctx, path, err)
                                  : dpl_vectors_open(&r->vectors, ctx, path, err);
    r->input.collection = r->collection;
    r->input.vectors = r->vectors;
    return status;
}

static void close_rows(rows *r)
{
    dpl_collection_close(r->collection);
    dpl_vectors_close(r->vectors);
}

static double now(void)
{
    struct timespec t;
    timespec_get(&t, TIME_UTC);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static dpl_status hash_rows(result *r, const char *path, const rows *in, const rows *reference,
                            dpl_error *err)
{
    dpl_hash *hash = NULL;
    dpl_codes *codes = NULL;
    const double began = now();
    dpl_status status = dpl_hash_new(&hash, r->ctx, &r->o->hashing, &reference->input, err);
    if (status == DPL_OK)
        status = dpl_codes_make(&codes, r->ctx, hash, &in->input, err);
    if (status == DPL_OK)
        status = dpl_codes_save(codes, path, err);
    if (status == DPL_OK) {
        r->n_rows = dpl_codes_get_info(codes).n_rows;
        r->options = *dpl_hash_get_info(hash).options;
        r->seed = dpl_hash_get_info(hash).seed;
        r->seconds = now() - began;
    }
    dpl_codes_close(codes);
    dpl_hash_free(hash);
    return status;
}

static int make(void *user, const char *path)
{
    result *r = user;
    rows in = {0}, reference = {0};
    dpl_error err = {0};
    dpl_status status = open_rows(&in, r->ctx, r->input, &err);
    if (status == DPL_OK && r->o->reference)
        status = open_rows(&reference, r->ctx, r->o->reference, &err);
    if (status == DPL_OK)
        status = hash_rows(r, path, &in, r->o->reference ? &reference : &in, &err);
    close_rows(&reference);
    close_rows(&in);
    return status == DPL_OK ? CLI_DONE : cli_fail(&err);
}

int cli_codes_make(const cli_codes_request *request, dpl_ctx *ctx, const char *input)
{
    result r = {.o = request, .ctx = ctx, .input = input};
    int code = cli_write_container(request->output, ctx, request->hashing.temp, make, &r);
    if (code == CLI_DONE)
        (cli_set.json ? print_json : note_summary)(&r);
    return code;
}
