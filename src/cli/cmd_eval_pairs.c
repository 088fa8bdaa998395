/*
 * cmd_eval_pairs.c - doppel eval pairs: precision and recall of document pairs.
 */
#include "cli/command.h"
#include "cli/notes.h"
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

static const cli_item json_keys[] = {
    {"gold", "distinct pairs in GOLD"},
    {"found", "distinct pairs in FOUND"},
    {"matching", "pairs in both"},
    {"touching", "pairs in FOUND but not in GOLD, with one document that is in GOLD"},
    {"other", "pairs in FOUND with no document that is in GOLD"},
    {"precision", "matching / (matching + touching)"},
    {"recall", "matching / gold"},
    {"f1", "harmonic mean of the two"},
    {"strict_precision", "matching / found"},
    {"mismatch", "no id of FOUND is in GOLD: the likely reason, in one line; else left out"},
    {"against", "with --against, object: pairs (of the other run), found, common (to both), "
                "precision (common / found), recall (common / pairs), f1; without GOLD it is "
                "the only key"},
    {0},
};

/* ---- what comes out ----------------------------------------------------------------- */

static void print_gold(const dpl_eval_pairs *e)
{
    cli_print_count("gold", e->n_gold, "");
    cli_print_count("found", e->n_found, "");
    cli_print_count("matching", e->n_matching, "found and gold");
    cli_print_count("touching", e->n_touching, "found, not gold, one document is in gold");
    cli_print_count("other", e->n_other, "found, no document is in gold");
    cli_print_share("precision", e->precision, "matching / (matching + touching)");
    cli_print_share("recall", e->recall, "matching / gold");
    cli_print_share("F1", e->f1, "");
    cli_print_share("strict", e->strict_precision, "matching / found");
}

static void print_against(const settings *o, const dpl_eval_pairs *e)
{
    cli_print("against '%s'\n", o->against);
    cli_print_count("pairs", e->n_gold, "");
    cli_print_count("found", e->n_found, "");
    cli_print_count("common", e->n_matching, "");
    cli_print_share("precision", e->strict_precision, "common / found");
    cli_print_share("recall", e->recall, "common / pairs");
    cli_print_share("F1", e->strict_f1, "");
}

static void put_gold(dpl_json *j, const dpl_eval_pairs *e)
{
    dpl_json_number(j, "gold", e->n_gold);
    dpl_json_number(j, "found", e->n_found);
    dpl_json_number(j, "matching", e->n_matching);
    dpl_json_number(j, "touching", e->n_touching);
    dpl_json_number(j, "other", e->n_other);
    dpl_json_real(j, "precision", e->precision);
    dpl_json_real(j, "recall", e->recall);
    dpl_json_real(j, "f1", e->f1);
    dpl_json_real(j, "strict_precision", e->strict_precision);
    if (*e->mismatch)
        dpl_json_cstr(j, "mismatch", e->mismatch);
}

static void put_against(dpl_json *j, const dpl_eval_pairs *e)
{
    dpl_json_begin(j, "against", '{');
    dpl_json_number(j, "pairs", e->n_gold);
    dpl_json_number(j, "found", e->n_found);
    dpl_json_number(j, "common", e->n_matching);
    dpl_json_real(j, "precision", e->strict_precision);
    dpl_json_real(j, "recall", e->recall);
    dpl_json_real(j, "f1", e->strict_f1);
    dpl_json_end(j, '}');
}

/* Behind the figures, which then are all 0. */
static void warn(const dpl_eval_pairs *e)
{
    if (e && *e->mismatch)
        cli_error("%s", e->mismatch);
}

static void print(const settings *o, const dpl_eval_pairs *gold, const dpl_eval_pairs *other)
{
    if (!cli_set.json) {
        if (gold)
            print_gold(gold);
        if (other)
            print_against(o, other);
        return;
    }
    dpl_json j = cli_summary_begin(false);
    if (gold)
        put_gold(&j, gold);
    if (other)
        put_against(&j, other);
    cli_summary_end(&j);
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

static int check_usage(const settings *o, char **args, size_t n_args)
{
    size_t n_streams = o->against && strcmp(o->against, "-") == 0;
    if (n_args < 2 && !o->against) {
        cli_error("no FOUND given");
        cli_hint("usage: doppel eval pairs GOLD FOUND, or --against FILE FOUND");
        return CLI_USAGE;
    }
    for (size_t i = 0; i < n_args; i++)
        n_streams += strcmp(args[i], "-") == 0;
    for (size_t i = 0; i < o->dups.n; i++)
        n_streams += strcmp(o->dups.at[i], "-") == 0;
    bool is_twice = n_args == 2 && o->against && strcmp(args[1], "-") == 0;
    if (n_streams > 1 || is_twice) {
        cli_error("standard input can be read only once");
        return CLI_USAGE;
    }
    return CLI_DONE;
}

static int run(char **args, size_t n_args, void *user)
{
    settings *o = user;
    static const cli_texts none;
    int code = check_usage(o, args, n_args);
    if (code != CLI_DONE)
        return code;
    dpl_ctx *ctx;
    code = cli_ctx_new(&ctx, true);
    if (code != CLI_DONE)
        return code;
    dpl_eval_pairs gold = DPL_INIT(dpl_eval_pairs), other = DPL_INIT(dpl_eval_pairs);
    const char *found = args[n_args - 1];
    if (n_args == 2)
        code = run_one(&gold, ctx, args[0], found, &o->dups);
    if (code == CLI_DONE && o->against)
        code = run_one(&other, ctx, o->against, found, &none);
    if (code == CLI_DONE) {
        print(o, n_args == 2 ? &gold : NULL, o->against ? &other : NULL);
        warn(&gold);
        warn(&other);
    }
    dpl_ctx_free(ctx);
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
    .json = json_keys,
    .argument = "GOLD",
    .min_args = 1,
    .max_args = 2,
    .complete = CLI_FILES,
    .run_with = run,
    .defaults = &defaults,
    .n_defaults = sizeof defaults,
};
