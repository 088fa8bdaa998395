/*
 * cmd_eval_bleu.c - doppel eval bleu: BLEU of translations.
 */
#include "cli/command.h"
#include "cli/notes.h"
#include "cli/progress.h"
#include "cli/talk.h"

#include "doppel/eval.h"

#include <stdio.h>

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

static const cli_item json_keys[] = {
    {"rows", "sentences"},
    {"words", "words of the translations"},
    {"reference_words", "words of the references, of several those nearest in length"},
    {"ngrams", "n-grams of 1, 2, 3 and 4 words in the translations"},
    {"matching", "of these, those that a reference has, too"},
    {"precision", "matching / ngrams, smoothed where nothing matches"},
    {"brevity", "penalty of translations that are shorter than the references, 0 to 1"},
    {"bleu", "the score, 0 to 100"},
    {0},
};

/* ---- what comes out ----------------------------------------------------------------- */

static void print_text(const dpl_eval_bleu *b)
{
    char text[64], remark[100], a[32], c[32];
    static const char *const labels[] = {"1 word", "2 words", "3 words", "4 words"};
    cli_print_count("rows", b->n_rows, "sentences");
    snprintf(remark, sizeof remark, "of the translations; references: %s",
             cli_grouped(a, b->n_reference_words));
    cli_print_count("words", b->n_words, remark);
    for (size_t n = 0; n < 4; n++) {
        snprintf(remark, sizeof remark, "precision: %s of %s n-grams match",
                 cli_grouped(a, b->n_matching[n]), cli_grouped(c, b->n_ngrams[n]));
        cli_print_share(labels[n], b->precision[n], remark);
    }
    cli_print_share("brevity", b->brevity, "penalty of short translations");
    snprintf(text, sizeof text, "%.2f", b->bleu);
    cli_print_row("BLEU", text, "of 100");
}

static void print_counts(dpl_json *j, const char *key, const uint64_t counts[4])
{
    dpl_json_begin(j, key, '[');
    for (size_t n = 0; n < 4; n++)
        dpl_json_number(j, NULL, counts[n]);
    dpl_json_end(j, ']');
}

static void print_json(const dpl_eval_bleu *b)
{
    dpl_json j = cli_summary_begin(false);
    dpl_json_number(&j, "rows", b->n_rows);
    dpl_json_number(&j, "words", b->n_words);
    dpl_json_number(&j, "reference_words", b->n_reference_words);
    print_counts(&j, "ngrams", b->n_ngrams);
    print_counts(&j, "matching", b->n_matching);
    dpl_json_begin(&j, "precision", '[');
    for (size_t n = 0; n < 4; n++)
        dpl_json_real(&j, NULL, b->precision[n]);
    dpl_json_end(&j, ']');
    dpl_json_real(&j, "brevity", b->brevity);
    dpl_json_real(&j, "bleu", b->bleu);
    cli_summary_end(&j);
}

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
    (cli_set.json ? print_json : print_text)(&b);
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
    .json = json_keys,
    .see_also = "doppel-translate(1), doppel-eval-words(1)",
    .argument = "TRANSLATED",
    .second = "REFERENCE",
    .min_args = 2,
    .max_args = 17,
    .complete = CLI_FILES,
    .work = run,
    CLI_DEFAULTS(defaults),
};
