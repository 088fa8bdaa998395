/*
 * cmd_docalign.c - doppel docalign: the options, input and output of ParaCrawl's document
 * aligner.
 */
#include "cli/command.h"
#include "cli/notes.h"
#include "cli/outfile.h"
#include "cli/progress.h"
#include "cli/shared.h"
#include "cli/talk.h"

#include "doppel/mine.h"
#include "doppel/ngram.h"

#include <stdio.h>
#include <stdlib.h>

static dpl_docalign_options set = DPL_INIT(dpl_docalign_options);
static const char *output = "-";
static uint64_t batch_size;
static bool is_verbose, is_untranslated;

static const cli_option options[] = {
    CLI_OUTPUT_OPTION(&output, "-", "write the pairs to FILE; - is standard output"),
    CLI_OPTION(docalign, &set, "ngram_size", .of = "ngram-size", .letter = 'n',
               .only_with = "!untranslated"),
    {.name = "jobs",
     .letter = 'j',
     .value = "N",
     .count = &cli_set.threads,
     .max = 4096,
     .standard = "all",
     .help = "the same as --threads"},
    CLI_OPTION(docalign, &set, "threshold", .only_with = "!untranslated"),
    CLI_OPTION(docalign, &set, "min_count", .of = "min-count", .only_with = "!untranslated"),
    CLI_OPTION(docalign, &set, "max_count", .of = "max-count", .only_with = "!untranslated"),
    {.name = "batch_size",
     .letter = 'b',
     .value = "N",
     .number = &batch_size,
     .help = "accepted and ignored: n-grams are not counted in batches"},
    CLI_OPTION(docalign, &set, "all", .only_with = "!untranslated"),
    {.name = "untranslated",
     .flag = &is_untranslated,
     .help =
         "TRANSLATED is in its original language: learn to translate from the two files, as "
         "'doppel mine' does, and write confidences as scores"},
    {.name = "verbose",
     .letter = 'v',
     .flag = &is_verbose,
     .help = "print what was counted, which is printed only with this option"},
    CLI_TEMP_OPTION(&set.spill_dir),
    {0},
};

static const cli_item examples[] = {
    {"doppel docalign translated.b64.gz english.b64.gz >pairs.tsv",
     "in place of ParaCrawl's docalign"},
    {"doppel docalign --untranslated foreign.b64.gz english.b64.gz >pairs.tsv",
     "documents that nobody has translated"},
    {"doppel docalign -n 2 -j 4 --threshold 0.1 translated.b64 english.b64", "its options"},
    {0},
};

static const cli_item json_keys[] = {
    {"translated, english", "documents of either file"},
    {"entries", "n-grams of all documents, each counted once a document"},
    {"ngrams", "object: distinct, and of these rare (below min_count), frequent (above "
               "max_count)"},
    {"products", "multiply-adds"},
    {"scored", "pairs at or above the threshold"},
    {"pairs", "pairs written"},
    {"seconds", "time it took"},
    CLI_MACHINE_JSON,
    {0},
};

static dpl_status write_pair(void *user, const dpl_pair *pair, dpl_error *err)
{
    (void)err;
    char line[80];
    int n = snprintf(line, sizeof line, "%.5f\t%llu\t%llu\n", (double)pair->score,
                     pair->left + 1ULL, pair->right + 1ULL);
    cli_output_write(user, line, (size_t)n);
    return DPL_OK;
}

static void print_json(const dpl_docalign_summary *s, const dpl_ctx *ctx)
{
    dpl_json j = cli_summary_begin(cli_is_stdout(output));
    dpl_json_number(&j, "translated", s->n_docs[0]);
    dpl_json_number(&j, "english", s->n_docs[1]);
    dpl_json_number(&j, "entries", s->n_entries);
    dpl_json_begin(&j, "ngrams", '{');
    dpl_json_number(&j, "distinct", s->n_ngrams);
    dpl_json_number(&j, "rare", s->n_rare);
    dpl_json_number(&j, "frequent", s->n_frequent);
    dpl_json_end(&j, '}');
    dpl_json_number(&j, "products", s->n_products);
    dpl_json_number(&j, "scored", s->n_scored);
    dpl_json_number(&j, "pairs", s->n_pairs);
    dpl_json_real(&j, "seconds", s->seconds);
    cli_json_machine(&j, ctx);
    cli_summary_end(&j);
}

static void note_summary(const dpl_docalign_summary *s, const dpl_ctx *ctx)
{
    const cli_reason dropped[] = {
        {s->n_rare, "rare"},
        {s->n_frequent, "frequent"},
    };
    cli_note_count("translated", s->n_docs[0], "documents");
    cli_note_count("english", s->n_docs[1], "documents");
    cli_note_count("n-grams", s->n_ngrams, "distinct");
    cli_note_reasons("dropped", dropped, sizeof dropped / sizeof *dropped);
    cli_note_count("products", s->n_products, "multiply-adds");
    cli_note_count("scored", s->n_scored, "pairs at or above the threshold");
    cli_note_count("pairs", s->n_pairs, "");
    cli_note_time(s->seconds, "", ctx);
}

/* ---- without a translation ------------------------------------------------------------ */

static int by_score(const void *a, const void *b)
{
    const dpl_pair *x = a, *y = b;
    if (x->score != y->score)
        return x->score > y->score ? -1 : 1;
    return x->left < y->left ? -1 : x->left > y->left;
}

/* Documents without an id have their line number, from 1, as one. */
static uint32_t line_of(dpl_str id)
{
    uint32_t n = 0;
    for (size_t i = 0; i < id.n; i++)
        n = 10 * n + (uint32_t)(id.data[i] - '0');
    return n - 1;
}

static int write_mined(const dpl_mine_result *result, cli_output *out)
{
    dpl_error err = {0};
    size_t n = (size_t)dpl_mine_get_summary(result)->runs[0]->n_pairs;
    dpl_pair *pairs = malloc((n + 1) * sizeof *pairs);
    if (!pairs)
        return cli_no_memory();
    for (size_t i = 0; i < n; i++) {
        dpl_mine_pair p = dpl_mine_get_pair(result, 0, i);
        pairs[i] = (dpl_pair){line_of(p.left_id), line_of(p.right_id), (float)p.confidence};
    }
    qsort(pairs, n, sizeof *pairs, by_score);
    for (size_t i = 0; i < n; i++)
        write_pair(out, &pairs[i], &err);
    free(pairs);
    return CLI_DONE;
}

static int mine(dpl_ctx *ctx, cli_output *out, char **args)
{
    dpl_error err = {0};
    dpl_mine_result *result = NULL;
    dpl_reader_options read = DPL_INIT(dpl_reader_options, .format = DPL_FORMAT_DOCENC);
    dpl_mine_options o = DPL_INIT(dpl_mine_options, .read = &read, .unit = DPL_UNIT_DOCUMENT);
    const dpl_input inputs[] = {{.path = args[0]}, {.path = args[1]}};
    int code = dpl_mine(&result, ctx, NULL, inputs, 2, &o, &err) == DPL_OK
                   ? CLI_DONE
                   : cli_fail_or_stop(&err);
    if (code == CLI_DONE && dpl_mine_get_summary(result)->is_many) {
        cli_error("the documents of a file are in several languages");
        cli_hint("'doppel mine' pairs documents in many languages");
        code = CLI_USAGE;
    }
    if (code == CLI_DONE)
        code = write_mined(result, out);
    dpl_mine_result_free(result);
    return code;
}

static int align(dpl_ctx *ctx, char **args)
{
    static const char header[] = "mt_doc_aligner_score\tidx_translated\tidx_trg\n";
    cli_output out;
    dpl_error err = {0};
    int code = cli_output_open(&out, ctx, output);
    if (code != CLI_DONE)
        return code;
    cli_output_write(&out, header, sizeof header - 1);
    if (is_untranslated)
        return cli_output_close(&out, mine(ctx, &out, args));
    dpl_docalign_input in = DPL_INIT(dpl_docalign_input, .translated = args[0],
                                     .english = args[1], .take = write_pair, .user = &out);
    dpl_docalign_summary s = DPL_INIT(dpl_docalign_summary);
    if (dpl_docalign(&s, ctx, &in, &set, &err) != DPL_OK)
        code = cli_fail_or_stop(&err);
    code = cli_output_close(&out, code);
    if (code == CLI_DONE && cli_set.json)
        print_json(&s, ctx);
    else if (code == CLI_DONE && is_verbose)
        note_summary(&s, ctx);
    return code;
}

static int run(char **args, size_t n_args)
{
    int code = cli_check_output(output, "the pairs go", true, args, n_args);
    if (code == CLI_DONE)
        code = cli_check_streams(args, n_args);
    if (code != CLI_DONE)
        return code;
    dpl_ctx *ctx;
    code = cli_ctx_new(&ctx, true);
    if (code == CLI_DONE)
        code = align(ctx, args);
    dpl_ctx_free(ctx);
    return code;
}

const cli_command cli_docalign = {
    .name = "docalign",
    .summary = "align documents in base64, as ParaCrawl's docalign",
    .synopsis = "TRANSLATED ENGLISH >P.tsv",
    .about = "Find the pairs of documents of two files that are translations of each other. "
             "Each line is a document in base64, its words separated by white space, "
             "compressed or not; TRANSLATED has been translated into the language of "
             "ENGLISH ('doppel translate'). The output is a line of column names and then, "
             "separated by tabs, score and the line numbers of both documents, from 1."
             "\n"
             "\n"
             "Input, output, weights and options are those of the document aligner of "
             "ParaCrawl and Bitextor, which it can replace: documents are compared by their "
             "n-grams, weighted by ln(tf + 1) ln(N / (1 + df)); pairs are taken best first, "
             "each document once."
             "\n"
             "\n"
             "With --untranslated, the first file is in its original language: 'doppel mine' "
             "learns to translate from the two files themselves, and the scores are its "
             "confidences; options about n-grams and the threshold have no effect then.",
    .options = options,
    .examples = examples,
    .json = json_keys,
    .see_also = "doppel-translate(1), doppel-pairs(1), doppel-mine(1)",
    .argument = "TRANSLATED",
    .second = "ENGLISH",
    .min_args = 2,
    .max_args = 2,
    .complete = CLI_FILES,
    .run = run,
};
