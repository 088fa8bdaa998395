/*
 * cmd_dedup.c - doppel dedup: remove copies and near-duplicates.
 */
#include "cli/command.h"
#include "cli/outfile.h"
#include "cli/progress.h"
#include "cli/shared.h"
#include "cli/summary.h"
#include "cli/talk.h"

#include "doppel/dedup.h"

#include <stdio.h>
#include <stdlib.h>

static dpl_reader_options read = DPL_INIT(dpl_reader_options);
static dpl_dedup_options set = DPL_INIT(dpl_dedup_options, .read = &read);
static const char *output;
static cli_texts against;

static const cli_option options[] = {
    {.name = "output",
     .letter = 'o',
     .value = "DIR",
     .text = &output,
     .complete = CLI_FOLDERS,
     .is_output = true,
     .help = "write the results to this folder, which is made if it does not exist"},
    CLI_OPTION(dedup, &set, "threshold", .letter = 't'),
    CLI_OPTION(dedup, &set, "measure"),
    CLI_OPTION(dedup, &set, "shingle"),
    CLI_OPTION(dedup, &set, "method"),
    CLI_OPTION(dedup, &set, "recall"),
    CLI_OPTION(dedup, &set, "keep"),
    CLI_OPTION(dedup, &set, "field", .help = "field that decides"),
    CLI_OPTION(dedup, &set, "linkage"),
    {.name = "against",
     .value = "FILE",
     .texts = &against,
     .only_with = "unit=document",
     .complete = CLI_FILES,
     .help = "compare with these documents, too, which are kept and not written; may be given "
             "several times"},
    CLI_OPTION(dedup, &set, "only-against", .only_with = "against unit=document"),
    CLI_OPTION(dedup, &set, "lexicon", .letter = 'l'),
    CLI_OPTION(dedup, &set, "lexicon-langs"),
    CLI_OPTION(dedup, &set, "translation"),
    CLI_OPTION(dedup, &set, "stem"),
    CLI_OPTION(dedup, &set, "unit"),
    CLI_OPTION(dedup, &set, "min-words"),
    CLI_OPTION(dedup, &set, "min-count"),
    CLI_OPTION(dedup, &set, "drop-first"),
    CLI_OPTION(dedup, &set, "resume"),
    CLI_OPTION(dedup, &set, "floor",
               .help = "store pairs down to this similarity, so that --resume with another "
                       "--threshold, down to it, does not search again"),
    CLI_OPTION(dedup, &set, "compress"),
    CLI_OPTION(dedup, &set, "sample"),
    CLI_OPTION(dedup, &set, "no-recall-check"),
    CLI_ALL_READER_OPTIONS(read),
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
    {"doppel dedup train.jsonl --against test.jsonl --only-against --measure containment "
     "--lexicon de-en.dpl -o clean",
     "clean a training set of a test set and of its translations; contamination.tsv has a "
     "line for each test item that was found"},
    {"doppel dedup pages.jsonl --unit line --min-count 5 -o clean",
     "remove lines that recur, such as menus"},
    {0},
};

static const cli_item json_keys[] = {
    {"unit, measure, method, threshold", "what was removed, and how it was found"},
    {"documents, against", "new documents, and those that they were compared with"},
    {"dropped", "object: reason to number of records that could not be used"},
    CLI_SKIPPED_JSON,
    {"kept, removed", "of the new documents"},
    {"copies", "documents with the same words as another one, beyond the first; "
               "--only-against: as one of --against"},
    {"clusters, largest", "clusters of two and more documents, and the size of the largest"},
    {"candidates", "pairs whose similarity was computed"},
    {"near_pairs, translation_pairs", "pairs at or above the threshold"},
    {"contaminated", "documents of --against that a new one duplicates"},
    {"code_length, codes", "minima of a code, and codes of a document (minhash)"},
    {"recall_check",
     "object: exact, rows, true, found, recall, low, high (95 % interval): the share of true "
     "pairs of sampled documents that are in one cluster; recall is null when there is none"},
    {"resumed", "pairs of an earlier run were used"},
    {"parts, parts_removed, distinct_removed", "--unit: lines or paragraphs"},
    {"bytes, bytes_removed", "--unit: of text"},
    {"changed, emptied", "--unit: documents that lost some of their text, all of it"},
    {"output, kept_path", "paths of the output folder and of the kept documents"},
    {"spilled_bytes", "bytes written to temporary files"},
    {"import_seconds, search_seconds, verify_seconds, cluster_seconds, write_seconds, seconds",
     "time it took"},
    CLI_MACHINE_JSON,
    {0},
};

/* ---- the summary -------------------------------------------------------------------- */

static void print_recall(dpl_json *j, const dpl_recall_check *c)
{
    const double nothing = 0. / 0.; /* null */
    const bool says = c->is_exact || (c->n_rows && !c->is_empty);
    dpl_json_begin(j, "recall_check", '{');
    dpl_json_bool(j, "exact", c->is_exact);
    dpl_json_number(j, "rows", c->n_rows);
    dpl_json_number(j, "true", c->n_true);
    dpl_json_number(j, "found", c->n_found);
    dpl_json_real(j, "recall", says ? c->recall : nothing);
    dpl_json_real(j, "low", says ? c->low : nothing);
    dpl_json_real(j, "high", says ? c->high : nothing);
    dpl_json_end(j, '}');
}

static void print_parts(dpl_json *j, const dpl_dedup_summary *s)
{
    dpl_json_number(j, "parts", s->n_parts);
    dpl_json_number(j, "parts_removed", s->n_parts_removed);
    dpl_json_number(j, "distinct_removed", s->n_distinct);
    dpl_json_number(j, "bytes", s->n_bytes);
    dpl_json_number(j, "bytes_removed", s->n_bytes_removed);
    dpl_json_number(j, "changed", s->n_changed);
    dpl_json_number(j, "emptied", s->n_emptied);
}

static void print_documents(dpl_json *j, const dpl_dedup_summary *s)
{
    dpl_json_cstr(j, "measure", dpl_dedup_measure_name(s->measure));
    dpl_json_cstr(j, "method", dpl_dedup_method_name(s->method));
    dpl_json_real(j, "threshold", s->threshold);
    dpl_json_number(j, "against", s->n_old);
    dpl_json_number(j, "copies", s->n_copies);
    dpl_json_number(j, "clusters", s->n_clusters);
    dpl_json_number(j, "largest", s->largest);
    dpl_json_number(j, "candidates", s->n_candidates);
    dpl_json_number(j, "near_pairs", s->n_near);
    dpl_json_number(j, "translation_pairs", s->n_translations);
    dpl_json_number(j, "contaminated", s->n_contaminated);
    dpl_json_number(j, "code_length", s->code_length);
    dpl_json_number(j, "codes", s->n_codes);
    print_recall(j, s->recall_check);
    dpl_json_bool(j, "resumed", s->is_resumed);
}

static void print_json(const dpl_dedup_summary *s, const dpl_ctx *ctx)
{
    dpl_json j = cli_summary_begin(false);
    dpl_json_cstr(&j, "unit", dpl_dedup_unit_name(s->unit));
    dpl_json_number(&j, "documents", s->n_docs);
    dpl_json_begin(&j, "dropped", '{');
    for (unsigned i = 0; i < DPL_N_DROPS; i++)
        if (s->read->n_dropped[i])
            dpl_json_number(&j, dpl_drop_name((dpl_drop)i), s->read->n_dropped[i]);
    dpl_json_end(&j, '}');
    dpl_skip_list_json(s->skipped, &j, "skipped");
    dpl_json_number(&j, "kept", s->n_kept);
    dpl_json_number(&j, "removed", s->n_removed);
    if (s->unit == DPL_DEDUP_DOCUMENT)
        print_documents(&j, s);
    else
        print_parts(&j, s);
    dpl_json_cstr(&j, "output", output);
    dpl_json_cstr(&j, "kept_path", s->kept_path);
    dpl_json_number(&j, "spilled_bytes", s->n_spilled_bytes);
    dpl_json_real(&j, "import_seconds", s->import_seconds);
    dpl_json_real(&j, "search_seconds", s->search_seconds);
    dpl_json_real(&j, "verify_seconds", s->verify_seconds);
    dpl_json_real(&j, "cluster_seconds", s->cluster_seconds);
    dpl_json_real(&j, "write_seconds", s->write_seconds);
    dpl_json_real(&j, "seconds", s->seconds);
    cli_json_machine(&j, ctx);
    cli_summary_end(&j);
}

static void note_reading(const dpl_dedup_summary *s)
{
    cli_reason reasons[DPL_N_DROPS];
    for (unsigned i = 0; i < DPL_N_DROPS; i++)
        reasons[i] = (cli_reason){s->read->n_dropped[i], dpl_drop_name((dpl_drop)i)};
    cli_note_count("documents", s->n_docs, s->is_resumed ? "pairs of the earlier run" : "");
    cli_note_reasons("dropped", reasons, DPL_N_DROPS);
    cli_note_skipped(s->skipped);
    if (s->n_old)
        cli_note_count("against", s->n_old, "documents");
}

static void note_documents(const dpl_dedup_summary *s)
{
    char remark[200], number[32];
    cli_note_count("copies", s->n_copies,
                   set.only_against ? "documents with the same words as one of --against"
                                    : "documents with the same words as another one");
    snprintf(remark, sizeof remark, "pairs, %s %g or more, by %s",
             dpl_dedup_measure_name(s->measure), s->threshold,
             dpl_dedup_method_name(s->method));
    cli_note_count("near", s->n_near, remark);
    if (s->n_translations)
        cli_note_count("translations", s->n_translations, "pairs");
    snprintf(remark, sizeof remark, "the largest of %s documents",
             cli_grouped(number, s->largest));
    cli_note_count("clusters", s->n_clusters, s->n_clusters ? remark : "");
    if (s->n_old)
        cli_note_count("contaminated", s->n_contaminated,
                       "documents of --against that a new one duplicates");
    cli_note_recall(s->recall_check, "has a near-duplicate");
}

static void note_parts(const dpl_dedup_summary *s)
{
    char remark[200], number[32];
    cli_note_count(s->unit == DPL_DEDUP_LINE ? "lines" : "paragraphs", s->n_parts, "");
    snprintf(remark, sizeof remark, "of them removed, %s different",
             cli_grouped(number, s->n_distinct));
    cli_note_count("recurring", s->n_parts_removed, remark);
    snprintf(remark, sizeof remark, "of them removed: %.1f %%",
             s->n_bytes ? 100.0 * (double)s->n_bytes_removed / (double)s->n_bytes : 0.0);
    cli_note_bytes("text", s->n_bytes, remark);
    cli_note_count("changed", s->n_changed, "documents");
}

static void note_summary(const dpl_dedup_summary *s, const dpl_ctx *ctx)
{
    char remark[100], number[32];
    note_reading(s);
    if (s->unit == DPL_DEDUP_DOCUMENT)
        note_documents(s);
    else
        note_parts(s);
    snprintf(remark, sizeof remark, "documents, %s removed", cli_grouped(number, s->n_removed));
    cli_note_count("kept", s->n_kept, remark);
    cli_note_output(s->kept_path, 0);
    if (s->n_spilled_bytes)
        cli_note_bytes("spilled", s->n_spilled_bytes, "to temporary files");
    cli_note_time(s->seconds, "", ctx);
}

/* ---- the work ----------------------------------------------------------------------- */

static int run(char **args, size_t n_args)
{
    dpl_ctx *ctx;
    int code = cli_check_output_folder(output);
    if (code == CLI_DONE)
        code = cli_check_streams(args, n_args);
    if (code == CLI_DONE)
        code = cli_ctx_new(&ctx, true);
    if (code != CLI_DONE)
        return code;
    dpl_dedup_result *result = NULL;
    dpl_error err = {0};
    dpl_input *inputs = cli_inputs((const char *const *)args, n_args),
              *others = cli_inputs(against.at, against.n);
    set.against = others;
    set.n_against = against.n;
    if (dpl_dedup(&result, ctx, output, inputs, n_args, &set, &err) != DPL_OK)
        code = cli_fail_or_stop(&err);
    if (code == CLI_INTERRUPTED && set.unit == DPL_DEDUP_DOCUMENT)
        cli_hint("--resume goes on from here");
    const dpl_dedup_summary *summary = result ? dpl_dedup_get_summary(result) : NULL;
    if (code == CLI_DONE && cli_set.json)
        print_json(summary, ctx);
    else if (code == CLI_DONE)
        note_summary(summary, ctx);
    if (code == CLI_DONE && !summary->n_docs) {
        cli_error("no documents");
        code = CLI_FAILED;
    }
    dpl_dedup_result_free(result);
    free(others);
    free(inputs);
    dpl_ctx_free(ctx);
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
        "    contamination.tsv  with --against: documents of it that IN has, their kind "
        "(copy,\n"
        "                       near, translation), how often, the nearest one, and its score\n"
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
    .json = json_keys,
    .see_also = "doppel-reuse(1), doppel-pairs(1), doppel-import(1)",
    .argument = "IN",
    .min_args = 1,
    .max_args = CLI_MANY,
    .complete = CLI_FILES,
    .writes = writes,
    .run = run,
};
