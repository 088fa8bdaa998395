/*
 * cmd_eval_clusters.c - doppel eval clusters: precision, recall and adjusted Rand index of
 * clusters of documents.
 */
#include "cli/command.h"
#include "cli/notes.h"
#include "cli/outfile.h"
#include "cli/progress.h"
#include "cli/talk.h"

#include "doppel/eval.h"

static const cli_item examples[] = {
    {"doppel eval clusters gold.tsv clean/clusters.tsv", "evaluate what 'doppel dedup' found"},
    {"doppel eval clusters gold.tsv clean/clusters.tsv --json | jq .f1", "for a program"},
    {0},
};

static const cli_item json_keys[] = {
    {"documents", "documents in GOLD"},
    {"gold, found", "clusters with more than one of these documents"},
    {"missing", "documents of GOLD that are not in FOUND: each is a cluster of its own there"},
    {"other", "lines of FOUND about documents that are not in GOLD, which are ignored"},
    {"gold_pairs, found_pairs", "pairs of documents that are in one cluster"},
    {"matching", "pairs that are in one cluster of both"},
    {"precision, recall, f1", "of these pairs"},
    {"adjusted_rand_index", "agreement of both, corrected for chance: 1: the same clusters, 0: "
                            "no better than random ones"},
    {0},
};

static void print_text(const dpl_eval_clusters *c)
{
    cli_print_count("documents", c->n_docs, "");
    if (c->n_missing)
        cli_print_count("missing", c->n_missing, "not found: each is a cluster of its own");
    if (c->n_other)
        cli_print_count("other", c->n_other, "found, but not in gold: ignored");
    cli_print_count("gold", c->n_gold, "clusters with more than one document");
    cli_print_count("found", c->n_found, "clusters with more than one document");
    cli_print_count("matching", c->n_matching, "pairs that are in one cluster of both");
    cli_print_share("precision", c->precision, "matching / pairs in found clusters");
    cli_print_share("recall", c->recall, "matching / pairs in gold clusters");
    cli_print_share("F1", c->f1, "");
    cli_print_share("Rand index", c->rand_index, "adjusted for chance");
}

static void print_json(const dpl_eval_clusters *c)
{
    dpl_json j = cli_summary_begin(false);
    dpl_json_number(&j, "documents", c->n_docs);
    dpl_json_number(&j, "gold", c->n_gold);
    dpl_json_number(&j, "found", c->n_found);
    dpl_json_number(&j, "missing", c->n_missing);
    dpl_json_number(&j, "other", c->n_other);
    dpl_json_number(&j, "gold_pairs", c->n_gold_pairs);
    dpl_json_number(&j, "found_pairs", c->n_found_pairs);
    dpl_json_number(&j, "matching", c->n_matching);
    dpl_json_real(&j, "precision", c->precision);
    dpl_json_real(&j, "recall", c->recall);
    dpl_json_real(&j, "f1", c->f1);
    dpl_json_real(&j, "adjusted_rand_index", c->rand_index);
    cli_summary_end(&j);
}

static int run(char **args, size_t n_args)
{
    dpl_ctx *ctx;
    dpl_error err = {0};
    dpl_eval_clusters c = DPL_INIT(dpl_eval_clusters);
    dpl_eval_clusters_input in =
        DPL_INIT(dpl_eval_clusters_input, .gold_path = args[0], .found_path = args[1]);
    int code = cli_check_streams(args, n_args);
    if (code == CLI_DONE)
        code = cli_ctx_new(&ctx, true);
    if (code != CLI_DONE)
        return code;
    if (dpl_eval_clusters_run(&c, ctx, &in, &err) != DPL_OK)
        code = cli_fail_or_stop(&err);
    else
        (cli_set.json ? print_json : print_text)(&c);
    dpl_ctx_free(ctx);
    return code;
}

const cli_command cli_eval_clusters = {
    .name = "eval clusters",
    .family = "eval",
    .summary = "compute precision and recall of clusters of documents",
    .synopsis = "GOLD FOUND",
    .about =
        "Compare the clusters of documents in FOUND with the true ones in GOLD. Both have a "
        "document on each line: its id, a tab, and the name of its cluster; more columns are "
        "ignored, as in clusters.tsv of 'doppel dedup'. Files compressed with gzip, zstd, "
        "bzip2 "
        "or xz are read as they are; - is standard input."
        "\n"
        "\n"
        "Precision and recall are of pairs of documents that are in one cluster. The adjusted "
        "Rand index (Hubert and Arabie 1985) counts pairs that are together, or apart, in "
        "both; "
        "it is 1 for the same clusters, and 0 on average for random ones of the same sizes. "
        "The documents are those of GOLD: others in FOUND are ignored, and one that FOUND does "
        "not have is a cluster of its own there.",
    .examples = examples,
    .json = json_keys,
    .see_also = "doppel-dedup(1), doppel-eval-pairs(1)",
    .argument = "GOLD",
    .second = "FOUND",
    .min_args = 2,
    .max_args = 2,
    .complete = CLI_FILES,
    .run = run,
};
