/*
 * cmd_eval_pairs.c - doppel eval pairs: precision and recall of document pairs.
 */
#include "cli/command.h"
#include "cli/figure_lines.h"
#include "cli/progress.h"
#include "cli/talk.h"

#include "doppel/eval.h"

#include <string.h>

/* What the options set. */
typedef struct settings {
    cli_texts dups;
    const char *against;
} settings;

static const settings defaults;

static const cli_option options[] = {
    {.name = "dups",
     .value = "FILE",
     .texts = &defaults.dups,
     .complete = CLI_FILES,
     .help = "groups of interchangeable ids, one group per line, separated by tabs"},
    {.name = "against",
     .value = "FILE",
     .text = &defaults.against,
     .complete = CLI_FILES,
     .help = "compare with the pairs of another run, taken as complete, such as those of "
             "--method exact"},
    {0},
};

static const cli_item examples[] = {
    {"doppel eval pairs gold.tsv pairs.tsv", "evaluate the pairs"},
    {"doppel eval pairs gold.tsv pairs.tsv --dups copies.tsv",
     "the ids in one line of copies.tsv are interchangeable"},
    {"doppel eval pairs --against exact.tsv pairs.tsv",
     "what a faster method missed, compared with an exact one"},
    {"doppel eval pairs gold.tsv pairs.tsv --json | jq .f1", "for a program"},
    {0},
};

/* ---- what comes out ----------------------------------------------------------------- */

#define COUNT(name, field, ...) CLI_COUNT_FIGURE(dpl_eval_pairs, name, field, __VA_ARGS__)
#define SHARE(name, field, ...) CLI_SHARE_FIGURE(dpl_eval_pairs, name, field, __VA_ARGS__)

static const dpl_figure of_gold[] = {
    COUNT("gold", n_gold, .label = "gold", .help = "distinct pairs in GOLD"),
    COUNT("found", n_found, .label = "found", .help = "distinct pairs in FOUND"),
    COUNT("matching", n_matching, .label = "matching", .remark = "found and gold",
          .help = "pairs in both"),
    COUNT("touching", n_touching, .label = "touching",
          .remark = "found, not gold, one document is in gold",
          .help = "pairs in FOUND but not in GOLD, with one document that is in GOLD"),
    COUNT("other", n_other, .label = "other", .remark = "found, no document is in gold",
          .help = "pairs in FOUND with no document that is in GOLD"),
    SHARE("precision", precision, .label = "precision",
          .remark = "matching / (matching + touching)",
          .help = "matching / (matching + touching)"),
    SHARE("recall", recall, .label = "recall", .remark = "matching / gold",
          .help = "matching / gold"),
    SHARE("f1", f1, .label = "F1", .help = "harmonic mean of the two"),
    SHARE("strict_precision", strict_precision, .label = "strict", .remark = "matching / found",
          .help = "matching / found"),
    {.name = "mismatch",
     .type = DPL_FIGURE_CHARS,
     CLI_FIELD(dpl_eval_pairs, mismatch),
     .only_with = "mismatch",
     .help = "no id of FOUND is in GOLD: the likely reason, in one line; else left out"},
};
static const dpl_summary_table gold_figures = CLI_SUMMARY(dpl_eval_pairs, of_gold);

static const dpl_figure of_other[] = {
    COUNT("pairs", n_gold, .label = "pairs", .help = "pairs of the other run"),
    COUNT("found", n_found, .label = "found", .help = "distinct pairs in FOUND"),
    COUNT("common", n_matching, .label = "common", .help = "pairs in both"),
    SHARE("precision", strict_precision, .label = "precision", .remark = "common / found",
          .help = "common / found"),
    SHARE("recall", recall, .label = "recall", .remark = "common / pairs",
          .help = "common / pairs"),
    SHARE("f1", strict_f1, .label = "F1", .help = "harmonic mean of the two"),
};
static const dpl_summary_table other_figures = CLI_SUMMARY(dpl_eval_pairs, of_other);

typedef struct result {
    const dpl_eval_pairs *gold, *against; /* NULL: not compared */
    const char *path;                     /* of the other run */
} result;

static const dpl_figure figures[] = {
    CLI_FIGURES_OF(result, gold, gold_figures),
    {.name = "path",
     .type = DPL_FIGURE_TEXT,
     CLI_FIELD(result, path),
     .label = "against",
     .value = "",
     .remark = "'{path}'",
     .shown_with = "path"},
    CLI_GROUP_FIGURE(result, against, other_figures,
                     "with --against; without GOLD it is the only key"),
};
static const dpl_summary_table summary = CLI_SUMMARY(result, figures);

/* Behind the figures, which then are all 0. */
static void warn(const dpl_eval_pairs *e)
{
    if (e && *e->mismatch)
        cli_error("%s", e->mismatch);
}

/* ---- the work ----------------------------------------------------------------------- */

static int run_one(dpl_eval_pairs *out, dpl_ctx *ctx, const char *gold, const char *found,
                   const cli_texts *groups)
{
    dpl_error err = {0};
    dpl_eval_pairs_input in =
        DPL_INIT(dpl_eval_pairs_input, .gold_path = gold, .found_path = found,
                 .dup_paths = groups->at, .n_dup_paths = groups->n);
    if (dpl_eval_pairs_run(out, ctx, &in, &err) != DPL_OK)
        return cli_fail_or_stop(&err);
    return CLI_DONE;
}

static int check(char **args, size_t n_args, void *user)
{
    const settings *o = user;
    if (n_args < 2 && !o->against) {
        cli_error("no FOUND given");
        cli_hint("usage: doppel eval pairs GOLD FOUND, or --against FILE FOUND");
        return CLI_USAGE;
    }
    if (n_args == 2 && o->against && strcmp(args[1], "-") == 0) { /* compared with both */
        cli_error("standard input can be read only once");
        return CLI_USAGE;
    }
    return CLI_DONE;
}

static int run(dpl_ctx *ctx, char **args, size_t n_args, void *user)
{
    const settings *o = user;
    static const cli_texts none;
    dpl_eval_pairs gold = DPL_INIT(dpl_eval_pairs), other = DPL_INIT(dpl_eval_pairs);
    const char *found = args[n_args - 1];
    int code = CLI_DONE;
    if (n_args == 2)
        code = run_one(&gold, ctx, args[0], found, &o->dups);
    if (code == CLI_DONE && o->against)
        code = run_one(&other, ctx, o->against, found, &none);
    if (code == CLI_DONE) {
        const result r = {n_args == 2 ? &gold : NULL, o->against ? &other : NULL, o->against};
        cli_print_summary(&summary, &r);
        warn(&gold);
        warn(&other);
    }
    return code;
}

const cli_command cli_eval_pairs = {
    .name = "eval pairs",
    .family = "eval",
    .summary = "compute precision and recall of document pairs",
    .synopsis = "GOLD FOUND",
    .about = "Compare the document pairs in FOUND with the true ones in GOLD. Both files "
             "have left id, tab, right id on each line; further columns are ignored, and "
             "so is a first line 'left_id<TAB>right_id...'. Files compressed with gzip, "
             "zstd, bzip2 or xz are read as they are; - is standard input. Repeated pairs "
             "count once. The left id is first in both files."
             "\n"
             "\n"
             "A found pair is matching when it is in GOLD. A pair that is not in GOLD, but"
             " has a document that is in GOLD, is touching: it is wrong according to GOLD."
             " Pairs of documents that GOLD does not have are counted as other and left "
             "out of the precision, because GOLD is seldom complete; the strict precision "
             "counts them as wrong."
             "\n"
             "\n"
             "    precision = matching / (matching + touching)\n"
             "    recall    = matching / gold\n"
             "    strict    = matching / found"
             "\n"
             "\n"
             "With --dups, pairs that become the same by replacing ids within their groups"
             " are one pair, in GOLD and in FOUND. Groups that share an id are one; they "
             "hold for both sides."
             "\n"
             "\n"
             "--against compares with all pairs of another run: a pair that is not among "
             "them is wrong, a pair of them that is not found is missed. GOLD may be left "
             "out then.",
    .options = options,
    .examples = examples,
    .figures = &summary,
    .argument = "GOLD",
    .min_args = 1,
    .max_args = 2,
    .complete = CLI_FILES,
    .check = check,
    .work = run,
    CLI_DEFAULTS(defaults),
};
