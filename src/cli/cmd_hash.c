/*
 * cmd_hash.c - doppel hash: similarity hash codes of documents.
 */
#include "cli/command.h"
#include "cli/notes.h"
#include "cli/outfile.h"
#include "cli/shared.h"
#include "cli/talk.h"

#include "doppel/file.h"
#include "doppel/hash.h"

#include <stdio.h>
#include <string.h>
#include <time.h>

static const char *output, *reference_path;
static dpl_hash_options set = DPL_INIT(dpl_hash_options);

static const cli_option options[] = {
    CLI_OUTPUT_OPTION(&output, NULL, "write the codes to FILE; - is standard output"),
    CLI_OPTION(hash, &set, "function"),
    CLI_OPTION(hash, &set, "code-length"),
    CLI_OPTION(hash, &set, "codes"),
    CLI_OPTION(hash, &set, "shingle"),
    CLI_OPTION(hash, &set, "radix"),
    {.name = "reference",
     .value = "FILE",
     .text = &reference_path,
     .complete = CLI_FILES,
     .standard = "the documents themselves",
     .only_with = "function=fuzzy",
     .help = "take the expectation of prefix classes from this collection, or from "
             "these vectors"},
    CLI_OPTION(hash, &set, "width"),
    CLI_OPTION(hash, &set, "code-encoding", .of = "encoding"),
    CLI_TEMP_OPTION(&set.spill_dir),
    {0},
};

static const cli_item examples[] = {
    {"doppel hash en.vectors.dpl -o en.codes.dpl", "32 codes of 16 bits for each row"},
    {"doppel hash en.dpl --function minhash --shingle 3 -o en.codes.dpl",
     "25 codes for each document, of sequences of 3 words"},
    {"doppel hash en.vectors.dpl --function fuzzy --reference news.vectors.dpl -o f.dpl",
     "fuzzy-fingerprints with the expectation of another collection"},
    {0},
};

static const cli_item json_keys[] = {
    {"rows", "rows that were hashed"},
    {"function", "rp, simhash, minhash, fuzzy or pstable"},
    {"code_length", "k: numbers that a code is made of"},
    {"codes", "l: codes of a row"},
    {"seed", "of random numbers"},
    {"seconds", "time it took, without reading the input"},
    CLI_MACHINE_JSON,
    {0},
};

/* What the summary is about. */
typedef struct result {
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
    dpl_json j = cli_summary_begin(cli_is_stdout(output));
    dpl_json_number(&j, "rows", r->n_rows);
    dpl_json_cstr(&j, "function", dpl_hash_function_name(r->options.function));
    dpl_json_number(&j, "code_length", r->options.k);
    dpl_json_number(&j, "codes", r->options.l);
    dpl_json_number(&j, "seed", r->seed);
    dpl_json_real(&j, "seconds", r->seconds);
    cli_json_machine(&j, r->ctx);
    cli_summary_end(&j);
}

static void note_summary(const result *r)
{
    char remark[100];
    const dpl_hash_function_info *info = dpl_hash_get_function_info(r->options.function);
    snprintf(remark, sizeof remark, "for each row, of %u %s, by %s", r->options.k, info->unit,
             info->name);
    cli_note_count("rows", r->n_rows, "");
    cli_note_count("codes", r->options.l, remark);
    cli_note_output(output, 0);
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
    dpl_file *file = NULL;
    bool is_collection = dpl_file_open(&file, ctx, path, NULL) == DPL_OK &&
                         strcmp(dpl_file_kind(file), "collection") == 0;
    dpl_file_close(file);
    r->input = (dpl_hash_input)DPL_INIT(dpl_hash_input);
    dpl_status status = is_collection ? dpl_collection_open(&r->collection, ctx, path, err)
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
    dpl_status status = dpl_hash_new(&hash, r->ctx, &set, &reference->input, err);
    if (status == DPL_OK)
        status = dpl_codes_make(&codes, r->ctx, hash, &in->input, err);
    if (status == DPL_OK)
        status = dpl_codes_save(codes, path, err);
    if (status == DPL_OK) {
        r->n_rows = dpl_codes_n_rows(codes);
        r->options = *dpl_hash_get_options(hash);
        r->seed = dpl_hash_seed(hash);
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
    if (status == DPL_OK && reference_path)
        status = open_rows(&reference, r->ctx, reference_path, &err);
    if (status == DPL_OK)
        status = hash_rows(r, path, &in, reference_path ? &reference : &in, &err);
    close_rows(&reference);
    close_rows(&in);
    return status == DPL_OK ? CLI_DONE : cli_fail(&err);
}

static int run(char **args, size_t n_args)
{
    (void)n_args;
    result r = {.input = args[0]};
    char *inputs[] = {args[0], (char *)(uintptr_t)reference_path};
    int code = cli_check_output(output, "the codes go", false, inputs, reference_path ? 2 : 1);
    if (code != CLI_DONE)
        return code;
    code = cli_ctx_new(&r.ctx, true);
    if (code != CLI_DONE)
        return code;
    code = cli_write_container(output, r.ctx, set.spill_dir, make, &r);
    if (code == CLI_DONE)
        (cli_set.json ? print_json : note_summary)(&r);
    dpl_ctx_free(r.ctx);
    return code;
}

static const char *function_name(unsigned i)
{
    return dpl_hash_function_name((dpl_hash_function)i);
}

static const char *function_help(unsigned i)
{
    return dpl_hash_get_function_info((dpl_hash_function)i)->help;
}

const cli_command cli_hash = {
    .name = "hash",
    .summary = "compute similarity hash codes of documents",
    .synopsis = "IN -o H.dpl",
    .about =
        "Compute a few codes of 64 bits for each document, such that similar documents are "
        "likely to share one and others are not. IN is a collection, or vectors made by "
        "'doppel vectors', or dense rows (.npy, .fvecs). All functions are one "
        "construction: a document is embedded (a few numbers), quantised (each to a small "
        "number) and encoded (all of them to one code), several times over. The length of "
        "a code controls precision, the number of codes controls recall. The bytes depend "
        "on the input, the options and --seed only."
        "\n"
        "\n"
        "fuzzy learns from a reference: prefixes of words are put into classes of about "
        "equal frequency; a document's share of each class is compared with its "
        "expectation in the reference. 'doppel pairs --method hash' does all of it in one "
        "step, verifies candidates and checks the recall.",
    .values = {"Functions (--function)", function_name, function_help},
    .options = options,
    .examples = examples,
    .json = json_keys,
    .see_also = "doppel-vectors(1), doppel-pairs(1), doppel-plan(1), doppel-show(1)",
    .argument = "IN",
    .min_args = 1,
    .max_args = 1,
    .complete = CLI_FILES,
    .run = run,
};
