/*
 * sign_codes.c - doppel sign, of methods that give codes to be looked up: similarity hash codes
 * of documents.
 */
#include "cli/sign_codes.h"

#include "cli/figure_lines.h"
#include "cli/outfile.h"
#include "cli/talk.h"

#include "doppel/file.h"

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
    const char *output;
    cli_machine machine;
} result;

/* ---- the summary -------------------------------------------------------------------- */

static const char *unit_name(unsigned i)
{
    return dpl_hash_get_function_info((dpl_hash_function)i)->unit;
}

static const char *function_name(unsigned i)
{
    return dpl_hash_get_function_info((dpl_hash_function)i)->name;
}

static const dpl_figure figures[] = {
    CLI_COUNT_FIGURE(result, "rows", n_rows, .help = "rows that were signed", .label = "rows"),
    {.name = "unit",
     .type = DPL_FIGURE_CHOICE,
     CLI_FIELD(result, options.function),
     .choice = unit_name},
    {.name = "method",
     .type = DPL_FIGURE_CHOICE,
     CLI_FIELD(result, options.function),
     .choice = function_name,
     .help = "the function"},
    CLI_COUNT_FIGURE(result, "code_length", options.length,
                     .help = "numbers that a code is made of"),
    CLI_COUNT_FIGURE(result, "codes", options.codes, .help = "codes of a row", .label = "codes",
                     .remark = "for each row, of {code_length} {unit}, by {method}"),
    CLI_COUNT_FIGURE(result, "seed", seed, .help = "of the functions"),
    CLI_OUTPUT_LINE(result, output),
    CLI_SECONDS_FIGURE(result, seconds),
    CLI_FIGURES_OF(result, machine, cli_machine_figures),
};
static const dpl_summary_table summary = CLI_SUMMARY(result, figures);

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
    if (code == CLI_DONE) {
        r.output = cli_output_name(request->output);
        r.machine = cli_machine_of(ctx, true);
        cli_say_summary(&summary, &r, cli_is_stdout(request->output));
    }
    return code;
}
