/*
 * cmd_eval_words.c - doppel eval words: precision, recall and error rate of word links.
 */
#include "cli/command.h"
#include "cli/figure_lines.h"
#include "cli/progress.h"
#include "cli/talk.h"

#include "doppel/eval.h"

#include <stdio.h>
#include <string.h>

/* What the options set. */
typedef struct settings {
    dpl_eval_words_options set;
} settings;

static const settings defaults = {.set = DPL_INIT(dpl_eval_words_options)};

/* "0,1" */
static bool parse_first(const cli_option *o, void *place, const char *value)
{
    dpl_eval_words_options *set = place;
    const bool is_pair = strlen(value) == 3 && value[1] == ',';
    if (!is_pair || !strchr("01", value[0]) || !strchr("01", value[2]))
        return cli_bad_value(o, value, "two numbers, each 0 or 1, such as 0,1");
    set->gold_first = (unsigned)(value[0] - '0');
    set->found_first = (unsigned)(value[2] - '0');
    return true;
}

static const cli_option options[] = {
    CLI_OPTION(eval_words, &defaults.set, "from", .of = "gold-format",
               .help = "set the format of both files; auto detects that of each from its first "
                       "line"),
    {.name = "first",
     .value = "G,F",
     .parse = parse_first,
     .place = &defaults.set,
     .standard = "0,0",
     .only_with = "from=auto,pharaoh",
     .help = "numbers of the first word of a row in GOLD and in FOUND, 0 or 1"},
    CLI_OPTION(eval_words, &defaults.set, "turned"),
    {0},
};

static const cli_item examples[] = {
    {"doppel eval words gold.tsv found.pharaoh", "evaluate word links"},
    {"doppel lexicon align text.tsv --lexicon de-en.dpl -o - | doppel eval words gold.tsv -",
     "evaluate links directly"},
    {"doppel eval words test.wa.nonullalign found.txt --first 0,1 --turned",
     "gold of a shared task; found links are j-i, from 1"},
    {"doppel eval words gold.tsv found.pharaoh --json | jq .aer", "for a program"},
    {0},
};

#define COUNT(name, field, ...) CLI_COUNT_FIGURE(dpl_eval_words, name, field, __VA_ARGS__)
#define SHARE(name, field, ...) CLI_SHARE_FIGURE(dpl_eval_words, name, field, __VA_ARGS__)

static const dpl_figure figures[] = {
    COUNT("rows", n_rows, .label = "rows", .help = "rows of GOLD"),
    COUNT("sure", n_sure, .label = "sure", .remark = "links in gold",
          .help = "distinct sure links in GOLD"),
    COUNT("possible", n_possible, .label = "possible",
          .remark = "links in gold, with the sure ones",
          .help = "distinct links in GOLD, those that are sure included"),
    COUNT("found", n_found, .label = "found",
          .remark = "of them {found_sure} sure, {found_possible} possible",
          .help = "distinct links in FOUND"),
    COUNT("found_sure", n_found_sure, .help = "of these, links that are sure in GOLD"),
    COUNT("found_possible", n_found_possible,
          .help = "of these, links that are in GOLD, sure or possible"),
    SHARE("precision", precision, .label = "precision", .remark = "found and possible / found",
          .help = "found_possible / found"),
    SHARE("recall", recall, .label = "recall", .remark = "found and sure / sure",
          .help = "found_sure / sure"),
    SHARE("f1", f1, .label = "F1", .help = "harmonic mean of the two"),
    SHARE("aer", aer, .label = "AER", .remark = "alignment error rate",
          .help = "alignment error rate: 1 - (found_sure + found_possible) / (found + sure)"),
};
static const dpl_summary_table summary = CLI_SUMMARY(dpl_eval_words, figures);

/* ---- the work ----------------------------------------------------------------------- */

static int run(dpl_ctx *ctx, char **args, size_t n_args, void *user)
{
    (void)n_args;
    settings *o = user;
    o->set.found_format = o->set.gold_format;
    dpl_error err = {0};
    dpl_eval_words w = DPL_INIT(dpl_eval_words);
    if (dpl_eval_words_run(&w, ctx, args[0], args[1], &o->set, &err) != DPL_OK)
        return cli_fail_or_stop(&err);
    cli_print_summary(&summary, &w);
    return CLI_DONE;
}

const cli_command cli_eval_words = {
    .name = "eval words",
    .family = "eval",
    .summary = "compute precision, recall and error rate of word alignments",
    .synopsis = "GOLD FOUND",
    .about =
        "Compare the word alignments in FOUND with the true ones in GOLD, for the "
        "same rows, each in one of two formats. Files compressed with gzip, zstd, "
        "bzip2 or xz are read as they are; - is standard input. A repeated link "
        "counts once."
        "\n"
        "\n"
        "pharaoh: one row per line, links separated by blanks, 3-4 for the left word "
        "3 and the right word 4, counted from 0 (--first). 3p4 "
        "and 3?4 are possible links, the others sure. Earlier columns may contain text: of "
        "tab-separated columns, only the last one is read. Both files have the same "
        "number of lines; a row without links is an empty line."
        "\n"
        "\n"
        "naacl: one link per line, as in the shared tasks of 2003 and 2005: row, left"
        " word, right word, all counted from 1, then optionally S (sure) or P "
        "(possible), and a confidence, which is ignored. A word 0 says that the other"
        " one has no counterpart. Rows of FOUND must be in GOLD."
        "\n"
        "\n"
        "Annotators mark a link as possible when they are not certain, or when a "
        "phrase corresponds to a phrase. A found link is right when it is possible or"
        " sure, and a link is missing when it is sure and not found:"
        "\n"
        "\n"
        "    precision = found and possible / found\n"
        "    recall    = found and sure / sure\n"
        "    AER       = 1 - (found and sure + found and possible) / (found + sure)"
        "\n"
        "\n"
        "Sure links are possible, too. Without other possible links the alignment "
        "error rate (AER) is 1 - F1. All links of FOUND count the same.",
    .options = options,
    .examples = examples,
    .figures = &summary,
    .see_also = "doppel-eval-pairs(1)",
    .argument = "GOLD",
    .second = "FOUND",
    .min_args = 2,
    .max_args = 2,
    .complete = CLI_FILES,
    .work = run,
    CLI_DEFAULTS(defaults),
};
