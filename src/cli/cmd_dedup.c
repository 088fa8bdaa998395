/*
 * cmd_dedup.c - doppel dedup: remove copies and near-duplicates.
 */
#include "cli/command.h"
#include "cli/figure_lines.h"
#include "cli/outfile.h"
#include "cli/shared.h"
#include "cli/shared_part.h"
#include "cli/talk.h"

#include "doppel/dedup.h"

#include <stdlib.h>

/* What the options set. */
typedef struct settings {
    dpl_reader_options read;
    dpl_dedup_options set;
    const char *output, *part_text;
    cli_texts against;
    unsigned sample;
} settings;

static const settings defaults = {.read = DPL_INIT(dpl_reader_options),
                                  .set = DPL_INIT(dpl_dedup_options)};

static const cli_option options[] = {
    CLI_FOLDER_OPTION(&defaults.output,
                      "write the results to this folder, which is made if it does not exist",
                      .is_common = true, ),
    CLI_SHARED_PART_OPTION(&defaults.part_text, .only_with = "!resume !state", ),
    CLI_OPTION(dedup, &defaults.set, "threshold", .letter = 't', .is_common = true),
    CLI_OPTION(dedup, &defaults.set, "unit", .is_common = true),
    CLI_OPTION(dedup, &defaults.set, "measure", .is_common = true),
    CLI_OPTION(dedup, &defaults.set, "shingle", .knob_of = "measure",
               .knob_with = "auto,jaccard,containment", .only_with = "unit=document"),
    CLI_OPTION(dedup, &defaults.set, "method"),
    CLI_OPTION(dedup, &defaults.set, "recall"),
    CLI_OPTION(dedup, &defaults.set, "select", .is_common = true),
    CLI_OPTION(dedup, &defaults.set, "field", .knob_of = "select",
               .knob_with = "newest,highest", .only_with = "unit=document",
               .help = "field that decides"),
    CLI_OPTION(dedup, &defaults.set, "linkage"),
    {.name = "against",
     .value = "FILE",
     .texts = &defaults.against,
     .is_common = true,
     .only_with = "unit=document",
     .complete = CLI_FILES,
     .help = "compare with these documents, too, which are kept and not written"},
    CLI_OPTION(dedup, &defaults.set, "only-against", .is_common = true,
               .only_with = "against unit=document"),
    CLI_OPTION(dedup, &defaults.set, "lexicon", .letter = 'l', .is_common = true),
    CLI_OPTION(dedup, &defaults.set, "lexicon-langs"),
    CLI_OPTION(dedup, &defaults.set, "translation"),
    CLI_OPTION(dedup, &defaults.set, "stem"),
    CLI_OPTION(dedup, &defaults.set, "min-words"),
    CLI_OPTION(dedup, &defaults.set, "min-count"),
    CLI_OPTION(dedup, &defaults.set, "drop-first"),
    CLI_OPTION(dedup, &defaults.set, "state", .is_common = true),
    CLI_OPTION(dedup, &defaults.set, "resume"),
    CLI_OPTION(dedup, &defaults.set, "floor",
               .help = "store pairs down to this similarity, so that --resume with another "
                       "--threshold, down to it, does not search again"),
    CLI_OPTION(dedup, &defaults.set, "compress"),
    {.name = "sample",
     .value = "N",
     .count = &defaults.sample,
     .max = 100000000,
     .standard = "500",
     .only_with = "unit=document !method=exact !measure=cosine",
     .help = "documents that the recall check compares with all others; 0: no check"},
    CLI_ALL_READER_OPTIONS(defaults.read),
    {0},
};

/* In the output folder; work/ looks after itself. */
static const char *const writes[] = {"clusters.tsv",  "contamination.tsv", "parts.tsv",
                                     "run.json",      "kept.jsonl",        "kept.jsonl.zst",
                                     "kept.jsonl.gz", "kept.tsv",          NULL};

static const cli_item examples[] = {
    {"doppel dedup crawl.jsonl.zst -o clean", "copies and near-duplicates; kept.jsonl.zst "
                                              "has the documents that stay"},
    {"doppel dedup crawl.jsonl.zst -o clean --resume --threshold 0.9",
     "another threshold, without another search"},
    {"doppel dedup new/*.jsonl.gz --against old.jsonl.gz -o clean",
     "new documents against each other and against those that are there"},
    {"doppel dedup monday.jsonl --state seen.dpl -o clean-monday",
     "the documents of each day, as if all days until then were one run"},
    {"doppel dedup train.jsonl --against test.jsonl --only-against "
     "--lexicon de-en.dpl -o clean",
     "clean a training set of a test set and of its translations; contamination.tsv has a "
     "line for each test item in a document, and says where and how"},
    {"doppel dedup pages.jsonl --unit line --min-count 5 -o clean",
     "remove lines that recur, such as menus"},
    {0},
};

/* ---- the summary -------------------------------------------------------------------- */

typedef struct said {
    const dpl_dedup_summary *s;
    bool only_against;
    const char *output;
    cli_machine machine;
} said;

static const dpl_figure figures[] = {
    {.name = "only_against", .type = DPL_FIGURE_FLAG, CLI_FIELD(said, only_against)},
    CLI_FIGURES_OF(said, s, dpl_dedup_figures),
    {.name = "output",
     .type = DPL_FIGURE_TEXT,
     CLI_FIELD(said, output),
     .help = "path of the output folder"},
    CLI_FIGURES_OF(said, machine, cli_machine_figures),
};
static const dpl_summary_table summary_figures = CLI_SUMMARY(said, figures);

/* ---- the work ----------------------------------------------------------------------- */

typedef struct call {
    const settings *o;
    dpl_ctx *ctx;
    const dpl_input *inputs;
    size_t n_inputs;
    dpl_dedup_result *result;
} call;

static int dedup(const char *path, void *user, dpl_error *err)
{
    call *c = user;
    return dpl_dedup(&c->result, c->ctx, path, c->inputs, c->n_inputs, &c->o->set, err) ==
                   DPL_OK
               ? CLI_DONE
               : CLI_FAILED;
}

static int run(dpl_ctx *ctx, char **args, size_t n_args, void *user)
{
    settings *o = user;
    o->set.read = &o->read;
    o->set.sample = o->sample;
    o->set.no_recall_check = cli_given("sample") && o->sample == 0;
    dpl_input *inputs = cli_inputs((const char *const *)args, n_args),
              *others = cli_inputs(o->against.at, o->against.n);
    o->set.against = others;
    o->set.n_against = o->against.n;
    call c = {o, ctx, inputs, n_args, NULL};
    cli_shared shared = {.text = o->part_text,
                         .output = o->output,
                         .inputs = args,
                         .n_inputs = n_args,
                         .call = dedup,
                         .user = &c};
    int code = cli_shared_run(&shared, ctx);
    dpl_dedup_result *result = c.result;
    if (code == CLI_INTERRUPTED && o->set.unit == DPL_DEDUP_DOCUMENT)
        cli_hint(o->part_text ? "the same command continues from here"
                              : "--resume continues from here");
    const dpl_dedup_summary *summary = result ? dpl_dedup_get_summary(result) : NULL;
    const said all = {summary, o->set.only_against, o->output, cli_machine_of(ctx, false)};
    if (code == CLI_DONE && summary)
        cli_say_summary(&summary_figures, &all, false);
    if (code == CLI_DONE && summary && !summary->n_docs) {
        cli_error("no documents");
        code = CLI_FAILED;
    }
    dpl_dedup_result_free(result);
    cli_shared_close(&shared);
    free(others);
    free(inputs);
    return code;
}

const cli_command cli_dedup = {
    .name = "dedup",
    .summary = "remove copies and near-duplicates of documents",
    .synopsis = "IN... -o DIR",
    .about =
        "Find documents that are copies or near-duplicates of each other, keep one of each "
        "cluster, and write the kept documents. Copies have the same words in the same order; "
        "case and punctuation do not count. Near-duplicates have a similarity at or above the "
        "threshold: the share of common shingles (some words in a row) of all shingles of "
        "both, of those of the shorter one, or the cosine of the term vectors. With --lexicon "
        "documents that are translations of each other are duplicates, too."
        "\n"
        "\n"
        "Each IN is raw documents in any format that 'doppel import' reads, or a collection. "
        "The output folder then contains"
        "\n"
        "\n"
        "    clusters.tsv       id, cluster, score, keep: for each document the id of the one\n"
        "                       that is kept of its cluster, the similarity with it, and 1 or\n"
        "                       0\n"
        "    kept.jsonl         documents that are kept; their lines as they were in IN, if\n"
        "                       that is JSON Lines, TSV or base64; of several INs kept/NAME\n"
        "    contamination.tsv  with --against: for each of its documents and each one of IN\n"
        "                       that has it both ids, how (verbatim, rewrapped, embedded,\n"
        "                       edited, translated), the similarity, and where it begins and\n"
        "                       ends in the text of IN, in bytes\n"
        "    run.json           options, counts and times\n"
        "    work/              documents and pairs, from which --resume continues"
        "\n"
        "\n"
        "With --unit=line or paragraph, those that recur anywhere in IN are removed from the "
        "documents but for the first one; parts.tsv has them with their counts."
        "\n"
        "\n"
        "The clusters are the same for any order of the documents, any number of threads and "
        "any memory limit. The recall is the share of all pairs at or above the threshold "
        "that ended up in one cluster, measured on a sample where the method may miss some.",
    .options = options,
    .examples = examples,
    .figures = &summary_figures,
    .see_also = "doppel-reuse(1), doppel-pairs(1), doppel-import(1)",
    .argument = "IN",
    .min_args = 1,
    .rereads = true,
    .max_args = CLI_MANY,
    .complete = CLI_FILES,
    .writes = writes,
    .work = run,
    CLI_DEFAULTS(defaults),
};
