/*
 * cmd_eval_bleu.c - doppel eval bleu: BLEU of translations.
 */
#include "cli/command.h"
#include "cli/figure_lines.h"
#include "cli/progress.h"
#include "cli/talk.h"

#include "doppel/eval.h"

/* What the options set. */
typedef struct settings {
    dpl_eval_bleu_options set;
} settings;

static const settings defaults = {.set = DPL_INIT(dpl_eval_bleu_options)};

static const cli_option options[] = {
    CLI_OPTION(eval_bleu, &defaults.set, "lowercase"),
    CLI_OPTION(eval_bleu, &defaults.set, "pretokenized"),
    {0},
};

static const cli_item examples[] = {
    {"doppel eval bleu translated.en newstest.en", "score a translation"},
    {"doppel translate newstest.de --to lines --phrases M.dpl -o - | doppel eval bleu - "
     "newstest.en",
     "score it directly"},
    {"doppel eval bleu translated.en first.en second.en --lowercase",
     "two references, ignoring case"},
    {"doppel eval bleu translated.en newstest.en --json | jq .bleu", "for a program"},
    {0},
};

/* ---- what comes out ----------------------------------------------------------------- */

static void put_counts(dpl_json *j, const char *key, const void *field)
{
    const uint64_t *counts = field;
    dpl_json_begin(j, key, '[');
    for (size_t n = 0; n < 4; n++)
        dpl_json_number(j, NULL, counts[n]);
    dpl_json_end(j, ']');
}

static void put_shares(dpl_json *j, const char *key, const void *field)
{
    const double *shares = field;
    dpl_json_begin(j, key, '[');
    for (size_t n = 0; n < 4; n++)
        dpl_json_decimal(j, NULL, shares[n]);
    dpl_json_end(j, ']');
}

/* clang-format off */
#define OTHER(name_, field_, put_, help_) \
    {.name = name_, .type = DPL_FIGURE_OTHER, CLI_FIELD(dpl_eval_bleu, field_), .put = (put_), \
     .help = help_}
/* A line for n-grams of n words. */
#define OF_LENGTH(n_, label_) \
    CLI_COUNT_FIGURE(dpl_eval_bleu, "ngrams" #n_, n_ngrams[n_ - 1], .help = NULL), \
    CLI_COUNT_FIGURE(dpl_eval_bleu, "matching" #n_, n_matching[n_ - 1], .help = NULL), \
    CLI_SHARE_FIGURE(dpl_eval_bleu, "precision" #n_, precision[n_ - 1], .label = label_, \
                     .remark = "precision: {matching" #n_ "} of {ngrams" #n_ "} n-grams match")
/* clang-format on */

static const dpl_figure figures[] = {
    CLI_COUNT_FIGURE(dpl_eval_bleu, "rows", n_rows, .help = "sentences", .label = "rows",
                     .remark = "sentences"),
    CLI_COUNT_FIGURE(dpl_eval_bleu, "words", n_words, .help = "words of the translations",
                     .label = "words",
                     .remark = "of the translations; references: {reference_words}"),
    CLI_COUNT_FIGURE(dpl_eval_bleu, "reference_words", n_reference_words,
                     .help = "words of the references, of several those nearest in length"),
    OTHER("ngrams", n_ngrams, put_counts, "n-grams of 1, 2, 3 and 4 words in the translations"),
    OTHER("matching", n_matching, put_counts, "of these, those that a reference has, too"),
    OTHER("precision", precision, put_shares,
          "matching / ngrams, smoothed where nothing matches"),
    OF_LENGTH(1, "1 word"),
    OF_LENGTH(2, "2 words"),
    OF_LENGTH(3, "3 words"),
    OF_LENGTH(4, "4 words"),
    CLI_SHARE_FIGURE(dpl_eval_bleu, "brevity", brevity,
                     .help =
                         "penalty of translations that are shorter than the references, 0 to 1",
                     .label = "brevity", .remark = "penalty of short translations"),
    {.name = "bleu",
     .type = DPL_FIGURE_REAL,
     CLI_FIELD(dpl_eval_bleu, bleu),
     .help = "the score, 0 to 100",
     .label = "BLEU",
     .value = "{bleu:.2f}",
     .remark = "of 100"},
};
static const dpl_summary_table summary = CLI_SUMMARY(dpl_eval_bleu, figures);

/* ---- the work ----------------------------------------------------------------------- */

static int run(dpl_ctx *ctx, char **args, size_t n_args, void *user)
{
    const settings *o = user;
    dpl_error err = {0};
    dpl_eval_bleu b = DPL_INIT(dpl_eval_bleu);
    dpl_bleu_input in =
        DPL_INIT(dpl_bleu_input, .translation_path = args[0],
                 .reference_paths = (const char *const *)args + 1, .n_references = n_args - 1);
    if (dpl_eval_bleu_run(&b, ctx, &in, &o->set, &err) != DPL_OK)
        return cli_fail_or_stop(&err);
    cli_print_summary(&summary, &b);
    return CLI_DONE;
}

const cli_command cli_eval_bleu = {
    .name = "eval bleu",
    .family = "eval",
    .summary = "compute the BLEU score of translations",
    .synopsis = "TRANSLATED REFERENCE...",
    .about =
        "Compare translated sentences, one per line, with reference translations: line "
        "i of TRANSLATED belongs to line i of every REFERENCE. Files compressed with "
        "gzip, zstd, bzip2 or xz are read as they are; - is standard input."
        "\n"
        "\n"
        "BLEU is the geometric mean of four precisions, those of runs of one to four "
        "words, times a penalty for translations that are shorter than the references. "
        "All sentences are counted together. A run of words that is in a translation "
        "several times matches as often as it is in the reference that has most of it:"
        "\n"
        "\n"
        "    precision = runs that match / runs of the translations\n"
        "    brevity   = min(1, exp(1 - reference words / words))\n"
        "    BLEU      = 100 * brevity * (p1 * p2 * p3 * p4) ^ (1/4)"
        "\n"
        "\n"
        "Where no run of a length matches, half a match is counted, a quarter at the next "
        "such length. Punctuation is split off by the rules of mteval-v13a. The score is "
        "that of sacrebleu with its defaults, nrefs:1|case:mixed|eff:no|tok:13a|smooth:exp;"
        " --lowercase is its -lc.",
    .options = options,
    .examples = examples,
    .figures = &summary,
    .see_also = "doppel-translate(1), doppel-eval-words(1)",
    .argument = "TRANSLATED",
    .second = "REFERENCE",
    .min_args = 2,
    .max_args = 17,
    .complete = CLI_FILES,
    .work = run,
    CLI_DEFAULTS(defaults),
};
