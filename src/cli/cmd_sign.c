/*
 * cmd_sign.c - doppel sign: bit signatures of vectors.
 */
#include "cli/command.h"
#include "cli/figure_lines.h"
#include "cli/outfile.h"
#include "cli/part_option.h"
#include "cli/shared.h"
#include "cli/sign_codes.h"
#include "cli/talk.h"

#include "doppel/signatures.h"

#include <string.h>

/* What the options set. */
typedef struct settings {
    const char *output, *temp, *part_text;
    unsigned method, length;
    dpl_sign_options set;
    cli_codes_request codes;
} settings;

static const settings defaults = {.set = DPL_INIT(dpl_sign_options),
                                  .codes.hashing = DPL_INIT(dpl_hash_options)};

/* Signatures, then what gives codes only. */
static const char *const methods[] = {"rp",    "simhash", "minhash", "rp8",
                                      "fuzzy", "pstable", NULL};

#define HAVE_CODES "rp,simhash,minhash,fuzzy,pstable"

static const cli_option options[] = {
    CLI_OUTPUT_OPTION(&defaults.output, NULL,
                      "write the signatures to FILE; - is standard output"),
    {.name = "method",
     .value = "METHOD",
     .choice = &defaults.method,
     .choices = methods,
     .is_common = true,
     .help = "set what is computed"},
    {.name = "length",
     .value = "D",
     .count = &defaults.length,
     .min = 1,
     .max = 65536,
     .knob_of = "method",
     .standard = "1024 bits for rp, 64 for simhash, 128 values for minhash, 448 dimensions for "
                 "rp8; of codes: 16 bits, 5 minima, 26 prefix classes, 8 projections",
     .help =
         "length of a signature: bits of rp (rounded up to a multiple of 64) and simhash (64 "
         "or 128), values of minhash (at most 4096), dimensions of rp8 (rounded up to a "
         "multiple of 64); of codes: numbers that a code is made of (at most 100), longer "
         "codes find fewer wrong candidates"},
    CLI_OPTION(
        hash, &defaults.codes.hashing, "codes", .knob_of = "method", .knob_with = HAVE_CODES,
        .standard = "rp, simhash, minhash: one signature instead; fuzzy: 3; pstable: 20",
        .help = "write this number of 64-bit codes for each document: more codes find more of "
                "the similar pairs"),
    CLI_OPTION(hash, &defaults.codes.hashing, "shingle", .knob_of = "method",
               .knob_with = "minhash", .only_with = "codes",
               .help = "codes: hash sequences of W words instead of single words"),
    CLI_OPTION(hash, &defaults.codes.hashing, "radix", .knob_of = "method",
               .knob_with = "fuzzy", .only_with = ""),
    {.name = "reference",
     .value = "FILE",
     .text = &defaults.codes.reference,
     .complete = CLI_FILES,
     .knob_of = "method",
     .knob_with = "fuzzy",
     .standard = "the documents themselves",
     .help = "take the expectation of prefix classes from this collection, or from "
             "these vectors"},
    CLI_OPTION(hash, &defaults.codes.hashing, "width", .knob_of = "method",
               .knob_with = "pstable", .only_with = ""),
    CLI_PART_OPTION(&defaults.part_text, "of the rows"),
    CLI_TEMP_OPTION(&defaults.temp),
    {0},
};

static const cli_item examples[] = {
    {"doppel sign en.vectors.dpl -o en.signatures.dpl", "1024 bits for each row"},
    {"doppel sign --method rp:length=4096 embeddings.npy -o e.signatures.dpl",
     "dense rows from elsewhere"},
    {"doppel sign --method rp8 en.vectors.dpl -o en.rp8.dpl",
     "448 signed bytes for each row, a little more precise than 1024 bits"},
    {"doppel sign en.dpl --method minhash:codes=25,shingle=3 -o en.codes.dpl",
     "25 codes for each document, of sequences of 3 words"},
    {"doppel sign en.vectors.dpl --method fuzzy:reference=news.vectors.dpl -o f.dpl",
     "fuzzy-fingerprints with the expectation of another collection"},
    {"doppel sign en.vectors.dpl --part 3/7 -o en.sign.3.dpl",
     "the third of seven parts of the rows, for 'doppel merge'"},
    {0},
};

static const cli_item json_keys[] = {
    {"code_length, codes", "codes: numbers that a code is made of, codes of a row"},
    CLI_PART_JSON,
    {0},
};

/* What the summary is about. */
typedef struct result {
    const settings *o;
    dpl_sign_summary s;
    dpl_sign_options options;
    dpl_ctx *ctx;
    const char *input;
    dpl_part part;
    dpl_part_summary made;
    const char *method, *unit, *output;
    cli_machine machine;
} result;

static const dpl_figure figures[] = {
    CLI_SOME_FIGURES(result, s, dpl_sign_figures, "rows"),
    {.name = "method",
     .type = DPL_FIGURE_TEXT,
     CLI_FIELD(result, method),
     .help = "rp, simhash, minhash, rp8, fuzzy or pstable"},
    {.name = "unit", .type = DPL_FIGURE_TEXT, CLI_FIELD(result, unit)},
    CLI_OUTPUT_FIGURE(result, output),
    CLI_SOME_FIGURES(result, s, dpl_sign_figures, "bits values dims seed output_bytes seconds"),
    CLI_FIGURES_OF(result, machine, cli_machine_figures),
};
static const dpl_summary_table summary = CLI_SUMMARY(result, figures);

static const char *unit(const settings *o)
{
    return dpl_sign_get_method_info(o->set.method)->unit;
}

/* ---- the work ----------------------------------------------------------------------- */

static int make(void *user, const char *path)
{
    result *r = user;
    const settings *o = r->o;
    dpl_vectors *vectors = NULL;
    dpl_error err = {0};
    int code = CLI_DONE;
    dpl_status status = dpl_vectors_open(&vectors, r->ctx, r->input, &err);
    if (status == DPL_OK)
        status = o->part_text ? dpl_sign_part(&r->made, r->ctx, path, vectors, &r->part,
                                              &r->options, &err)
                              : dpl_sign(&r->s, r->ctx, path, vectors, &r->options, &err);
    if (status != DPL_OK)
        code = cli_fail(&err);
    dpl_vectors_close(vectors);
    return code;
}

/* The options as the library will use them. */
static int check_length(dpl_sign_options *out, const settings *o)
{
    dpl_error err = {0};
    *out = o->set;
    out->length = o->length;
    if (dpl_sign_check(&out->length, out, &err) != DPL_OK)
        return cli_fail(&err);
    if (o->length && out->length != o->length)
        cli_note("%u %s are rounded up to %u", o->length, unit(o), out->length);
    return CLI_DONE;
}

static void say(result *r)
{
    const settings *o = r->o;
    r->method = dpl_sign_get_method_info(o->set.method)->name;
    r->unit = unit(o);
    r->output = cli_output_name(o->output);
    r->machine = cli_machine_of(r->ctx, true);
    cli_say_summary(&summary, r, cli_is_stdout(o->output));
}

static int make_signatures(settings *o, dpl_ctx *ctx, char **args)
{
    result r = {.o = o,
                .ctx = ctx,
                .s = DPL_INIT(dpl_sign_summary),
                .made = DPL_INIT(dpl_part_summary),
                .input = args[0]};
    int code = CLI_DONE;
    o->set.method = (dpl_sign_method)o->method;
    if (o->part_text)
        code = cli_part_parse(&r.part, o->part_text);
    if (code == CLI_DONE)
        code = check_length(&r.options, o);
    if (code == CLI_DONE)
        code = cli_write_container(o->output, ctx, o->temp, make, &r);
    if (code == CLI_DONE && o->part_text)
        cli_part_say(
            &(cli_part_said){
                .made = r.made, .what = "rows", .number = r.part.number + 1, .n = r.part.n},
            o->output, ctx);
    else if (code == CLI_DONE)
        say(&r);
    return code;
}

static int make_codes(settings *o, dpl_ctx *ctx, dpl_hash_function function, char **args)
{
    if (o->part_text) {
        cli_error("codes are not made in parts: --part does not apply with --method %s",
                  methods[o->method]);
        return CLI_USAGE;
    }
    o->codes.hashing.function = function;
    o->codes.hashing.length = o->length;
    o->codes.hashing.temp = o->temp;
    o->codes.output = o->output;
    return cli_codes_make(&o->codes, ctx, args[0]);
}

/* The hash function of the method; false when signatures are wanted. */
static bool find_function(dpl_hash_function *out, const settings *o)
{
    const bool has_signature = dpl_sign_get_method_info((dpl_sign_method)o->method) != NULL;
    for (unsigned i = 0; dpl_hash_get_function_info((dpl_hash_function)i); i++)
        if (strcmp(dpl_hash_get_function_info((dpl_hash_function)i)->name,
                   methods[o->method]) == 0) {
            *out = (dpl_hash_function)i;
            return !has_signature || cli_given("codes");
        }
    return false;
}

static int run(dpl_ctx *ctx, char **args, size_t n_args, void *user)
{
    (void)n_args;
    dpl_hash_function function;
    return find_function(&function, user) ? make_codes(user, ctx, function, args)
                                          : make_signatures(user, ctx, args);
}

const cli_command cli_sign = {
    .name = "sign",
    .summary = "compute bit signatures or hash codes of vectors",
    .synopsis = "V.dpl -o S.dpl",
    .about =
        "Compute a short signature of each row, by which rows can be compared "
        "quickly: the higher the cosine of two rows, the more similar are their "
        "signatures. V.dpl is made by 'doppel vectors', or has dense rows (.npy, "
        ".fvecs); codes are also made of a collection. The bytes depend on the rows, the "
        "options and --seed only, not on "
        "threads, memory or processor."
        "\n"
        "\n"
        "rp: random projection. Each bit says on which side of a random hyperplane "
        "the row lies, so two rows at an angle of x degrees differ in x/180 of the "
        "bits. 1024 bits estimate the cosine with a standard error of about 0.04, "
        "four times as many bits with half of that."
        "\n"
        "\n"
        "simhash: 64 or 128 bits; each bit is the sign of a sum of the term weights, "
        "with signs from the hash of the term. Web crawlers find near-duplicates this"
        " way."
        "\n"
        "\n"
        "minhash: for each of K random orders of all terms, the first term of the "
        "row. The share of equal values estimates the Jaccard similarity of the sets "
        "of terms, whatever their weights. Dense rows have no terms."
        "\n"
        "\n"
        "rp8: random projection with signed bytes instead of bits. Each number is the "
        "product of the row and a random hyperplane, relative to the root mean square "
        "of them all; the dot product of two signatures estimates the cosine. 448 of "
        "them say as much as 1100 bits, take 3.5 times the room, and are compared "
        "faster where the processor has AMX, slower elsewhere."
        "\n"
        "\n"
        "Codes (fuzzy, pstable, and with the knob codes rp, simhash and minhash) are numbers "
        "of 64 bits, several for each document, such that similar documents are likely "
        "to share one and others are not: each is made of as many numbers as its length "
        "says. fuzzy: fuzzy-fingerprints; prefixes of words are put into classes of about "
        "equal frequency, and a document's share of each class is compared with its "
        "expectation in a reference. pstable: random projections, each rounded to an "
        "interval. 'doppel pairs --method hash' makes codes, verifies the candidates and "
        "checks the recall in one step."
        "\n"
        "\n"
        "Signatures can be compared when they have the same method, length and seed, "
        "and come from comparable vectors."
        "\n"
        "\n" CLI_PART_ABOUT,
    .options = options,
    .examples = examples,
    .figures = &summary,
    .json = json_keys,
    .see_also = "doppel-vectors(1), doppel-pairs(1), doppel-show(1)",
    .argument = "vectors",
    .min_args = 1,
    .max_args = 1,
    .complete = CLI_FILES,
    .output_goes = "the signatures go",
    .work = run,
    CLI_DEFAULTS(defaults),
};
