/*
 * cmd_eval_words.c - doppel eval words: precision, recall and error rate of word links.
 */
#include "cli/command.h"
#include "cli/notes.h"
#include "cli/outfile.h"
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

static const cli_item json_keys[] = {
    {"rows", "rows of GOLD"},
    {"sure", "distinct sure links in GOLD"},
    {"possible", "distinct links in GOLD, those that are sure included"},
    {"found", "distinct links in FOUND"},
    {"found_sure", "of these, links that are sure in GOLD"},
    {"found_possible", "of these, links that are in GOLD, sure or possible"},
    {"precision", "found_possible / found"},
    {"recall", "found_sure / sure"},
    {"f1", "harmonic mean of the two"},
    {"aer", "alignment error rate: 1 - (found_sure + found_possible) / (found + sure)"},
    {0},
};

/* ---- what comes out ----------------------------------------------------------------- */

static void print_text(const dpl_eval_words *w)
{
    char remark[100], sure[32], possible[32];
    cli_print_count("rows", w->n_rows, "");
    cli_print_count("sure", w->n_sure, "links in gold");
    cli_print_count("possible", w->n_possible, "links in gold, with the sure ones");
    snprintf(remark, sizeof remark, "of them %s sure, %s possible",
             cli_grouped(sure, w->n_found_sure), cli_grouped(possible, w->n_found_possible));
    cli_print_count("found", w->n_found, remark);
    cli_print_share("precision", w->precision, "found and possible / found");
    cli_print_share("recall", w->recall, "found and sure / sure");
    cli_print_share("F1", w->f1, "");
    cli_print_share("AER", w->aer, "alignment error rate");
}

static void print_json(const dpl_eval_words *w)
{
    dpl_json j = cli_summary_begin(false);
    dpl_json_number(&j, "rows", w->n_rows);
    dpl_json_number(&j, "sure", w->n_sure);
    dpl_json_number(&j, "possible", w->n_possible);
    dpl_json_number(&j, "found", w->n_found);
    dpl_json_number(&j, "found_sure", w->n_found_sure);
    dpl_json_number(&j, "found_possible", w->n_found_possible);
    dpl_json_real(&j, "precision", w->precision);
    dpl_json_real(&j, "recall", w->recall);
    dpl_json_real(&j, "f1", w->f1);
    dpl_json_real(&j, "aer", w->aer);
    cli_summary_end(&j);
}

/* ---- the work ----------------------------------------------------------------------- */

static int work(const settings *o, dpl_ctx *ctx, char **args)
{
    dpl_error err = {0};
    dpl_eval_words w = DPL_INIT(dpl_eval_words);
    if (dpl_eval_words_run(&w, ctx, args[0], args[1], &o->set, &err) != DPL_OK)
        return cli_fail_or_stop(&err);
    (cli_set.json ? print_json : print_text)(&w);
    return CLI_DONE;
}

static int run(char **args, size_t n_args, void *user)
{
    settings *o = user;
    o->set.found_format = o->set.gold_format;
    dpl_ctx *ctx = NULL;
    int code = cli_check_streams(args, n_args);
    if (code == CLI_DONE)
        code = cli_ctx_new(&ctx, true);
    if (code == CLI_DONE)
        code = work(o, ctx, args);
    dpl_ctx_free(ctx);
    return code;
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
    .json = json_keys,
    .see_also = "doppel-eval-pairs(1)",
    .argument = "GOLD",
    .second = "FOUND",
    .min_args = 2,
    .max_args = 2,
    .complete = CLI_FILES,
    .run_with = run,
    .defaults = &defaults,
    .n_defaults = sizeof defaults,
};
