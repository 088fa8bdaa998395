/*
 * cmd_sign.c - doppel sign: bit signatures of vectors.
 */
#include "cli/command.h"
#include "cli/figure_lines.h"
#include "cli/notes.h"
#include "cli/outfile.h"
#include "cli/part_option.h"
#include "cli/shared.h"
#include "cli/talk.h"

#include "doppel/signatures.h"

#include <stdio.h>
#include <string.h>

/* What the options set. */
typedef struct settings {
    const char *output, *temp, *part_text;
    dpl_sign_options set; /* its length comes from one of: */
    unsigned bits, values, dims;
} settings;

static const settings defaults = {.set = DPL_INIT(dpl_sign_options)};

static const cli_option options[] = {
    CLI_OUTPUT_OPTION(&defaults.output, NULL,
                      "write the signatures to FILE; - is standard output"),
    CLI_OPTION(sign, &defaults.set, "method"),
    {.name = "bits",
     .value = "D",
     .count = &defaults.bits,
     .min = 1,
     .max = 65536,
     .standard = "1024 for rp, 64 for simhash",
     .only_with = "method=rp,simhash",
     .help = "bits of a signature; rp: rounded up to a multiple of 64; simhash: 64 or 128"},
    {.name = "values",
     .value = "K",
     .count = &defaults.values,
     .min = 1,
     .max = 4096,
     .standard = "128",
     .only_with = "method=minhash",
     .help = "values of a signature"},
    {.name = "dims",
     .value = "D",
     .count = &defaults.dims,
     .min = 1,
     .max = 65536,
     .standard = "448",
     .only_with = "method=rp8",
     .help = "dimensions of a signature; rounded up to a multiple of 64"},
    CLI_PART_OPTION(&defaults.part_text, "of the rows"),
    CLI_TEMP_OPTION(&defaults.temp),
    {0},
};

static const cli_item examples[] = {
    {"doppel sign en.vectors.dpl -o en.signatures.dpl", "1024 bits for each row"},
    {"doppel sign --bits 4096 embeddings.npy -o e.signatures.dpl", "dense rows from elsewhere"},
    {"doppel sign --method minhash --values 256 en.vectors.dpl -o en.minhash.dpl",
     "sets of terms, without their weights"},
    {"doppel sign --method rp8 en.vectors.dpl -o en.rp8.dpl",
     "448 signed bytes for each row, which say a little more than 1024 bits"},
    {"doppel sign en.vectors.dpl --part 3/7 -o en.sign.3.dpl",
     "the third of seven parts of the rows, for 'doppel merge'"},
    {0},
};

static const cli_item json_keys[] = {CLI_PART_JSON, {0}};

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
     .help = "rp, simhash, minhash or rp8"},
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
    const struct {
        const char *name;
        unsigned n;
    } lengths[] = {{"bits", o->bits}, {"values", o->values}, {"dims", o->dims}};
    *out = o->set;
    for (size_t i = 0; i < sizeof lengths / sizeof *lengths; i++)
        if (strcmp(lengths[i].name, unit(o)) == 0)
            out->n = lengths[i].n;
    const unsigned wanted = out->n;
    if (dpl_sign_check(&out->n, out, &err) != DPL_OK)
        return cli_fail(&err);
    if (wanted && out->n != wanted)
        cli_note("%u %s are rounded up to %u", wanted, unit(o), out->n);
    return CLI_DONE;
}

static void say(result *r)
{
    const settings *o = r->o;
    r->method = dpl_sign_method_name(o->set.method);
    r->unit = unit(o);
    r->output = cli_output_name(o->output);
    r->machine = cli_machine_of(r->ctx, true);
    cli_say_summary(&summary, r, cli_is_stdout(o->output));
}

static int run(char **args, size_t n_args, void *user)
{
    settings *o = user;
    result r = {.o = o,
                .s = DPL_INIT(dpl_sign_summary),
                .made = DPL_INIT(dpl_part_summary),
                .input = args[0]};
    int code = cli_check_output(o->output, "the signatures go", false, args, n_args);
    if (code == CLI_DONE && o->part_text)
        code = cli_part_parse(&r.part, o->part_text);
    if (code == CLI_DONE)
        code = check_length(&r.options, o);
    if (code == CLI_DONE)
        code = cli_ctx_new(&r.ctx, true);
    if (code != CLI_DONE)
        return code;
    code = cli_write_container(o->output, r.ctx, o->temp, make, &r);
    if (code == CLI_DONE && o->part_text)
        cli_part_say(&r.made, &r.part, "rows", o->output, r.ctx);
    else if (code == CLI_DONE)
        say(&r);
    dpl_ctx_free(r.ctx);
    return code;
}

const cli_command cli_sign = {
    .name = "sign",
    .summary = "compute bit signatures of vectors",
    .synopsis = "V.dpl -o S.dpl",
    .about = "Compute a short signature of each row, by which rows can be compared "
             "quickly: the higher the cosine of two rows, the more similar are their "
             "signatures. V.dpl is made by 'doppel vectors', or has dense rows (.npy, "
             ".fvecs). The bytes depend on the rows, the options and --seed only, not on "
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
    .run_with = run,
    .defaults = &defaults,
    .n_defaults = sizeof defaults,
};
