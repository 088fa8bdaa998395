/*
 * cmd_eval_clusters.c - doppel eval clusters: precision, recall and adjusted Rand index of
 * clusters of documents.
 */
#include "cli/command.h"
#include "cli/figure_lines.h"
#include "cli/progress.h"
#include "cli/talk.h"

#include "doppel/eval.h"

static const cli_item examples[] = {
    {"doppel eval clusters gold.tsv clean/clusters.tsv", "evaluate what 'doppel dedup' found"},
    {"doppel eval clusters gold.tsv clean/clusters.tsv --json | jq .f1", "for a program"},
    {0},
};

#define COUNT(name, field, ...) CLI_COUNT_FIGURE(dpl_eval_clusters, name, field, __VA_ARGS__)
#define SHARE(name, field, ...) CLI_SHARE_FIGURE(dpl_eval_clusters, name, field, __VA_ARGS__)

static const dpl_figure figures[] = {
    COUNT("documents", n_docs, .label = "documents", .help = "documents in GOLD"),
    COUNT("missing", n_missing, .label = "missing", .shown_with = "missing",
          .remark = "not found: each is a cluster of its own",
          .help =
              "documents of GOLD that are not in FOUND: each is a cluster of its own there"),
    COUNT("other", n_other, .label = "other", .shown_with = "other",
          .remark = "found, but not in gold: ignored",
          .help = "lines of FOUND about documents that are not in GOLD, which are ignored"),
    COUNT("gold", n_gold, .label = "gold", .remark = "clusters with more than one document",
          .help = "clusters of GOLD with more than one of these documents"),
    COUNT("found", n_found, .label = "found", .remark = "clusters with more than one document",
          .help = "clusters of FOUND with more than one of these documents"),
    COUNT("gold_pairs", n_gold_pairs,
          .help = "pairs of documents that are in one cluster of GOLD"),
    COUNT("found_pairs", n_found_pairs,
          .help = "pairs of documents that are in one cluster of FOUND"),
    COUNT("matching", n_matching, .label = "matching",
          .remark = "pairs that are in one cluster of both",
          .help = "pairs that are in one cluster of both"),
    SHARE("precision", precision, .label = "precision",
          .remark = "matching / pairs in found clusters", .help = "matching / found_pairs"),
    SHARE("recall", recall, .label = "recall", .remark = "matching / pairs in gold clusters",
          .help = "matching / gold_pairs"),
    SHARE("f1", f1, .label = "F1", .help = "harmonic mean of the two"),
    SHARE("adjusted_rand_index", rand_index, .label = "Rand index",
          .remark = "adjusted for chance",
          .help = "agreement of both, corrected for chance: 1: the same clusters, 0: no better "
                  "than random ones"),
};
static const dpl_summary_table summary = CLI_SUMMARY(dpl_eval_clusters, figures);

static int run(dpl_ctx *ctx, char **args, size_t n_args, void *user)
{
    (void)n_args, (void)user;
    dpl_error err = {0};
    dpl_eval_clusters c = DPL_INIT(dpl_eval_clusters);
    dpl_eval_clusters_input in =
        DPL_INIT(dpl_eval_clusters_input, .gold_path = args[0], .found_path = args[1]);
    if (dpl_eval_clusters_run(&c, ctx, &in, &err) != DPL_OK)
        return cli_fail_or_stop(&err);
    cli_print_summary(&summary, &c);
    return CLI_DONE;
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
    .figures = &summary,
    .see_also = "doppel-dedup(1), doppel-eval-pairs(1)",
    .argument = "GOLD",
    .second = "FOUND",
    .min_args = 2,
    .max_args = 2,
    .complete = CLI_FILES,
    .work = run,
};
