/*
 * pairs_options.c - the options of the search for pairs.
 */
#include "base/options.h"

#include "doppel/pairs.h"
#include "pairs/method.h"

DPL__NAMES_OF(pairs_method, dpl__pairs_method_name)
DPL__NAMES_OF(selection, dpl_select_name)

/* Signatures that can be searched; the others are not offered. */
static const char *signature(unsigned i)
{
    const dpl_sign_method_info *info = dpl_sign_get_method_info((dpl_sign_method)i);
    return !info ? NULL : info->has_bits || info->has_products ? info->name : "";
}

/* In the order of dpl_assignment. */
DPL__STATIC_NAMES(assignment, "greedy", "optimal")

static const dpl_option pairs_options[] = {
    {DPL__OPTION(CHOICE, "method", dpl_pairs_options, method), .value = "METHOD",
     .choice = pairs_method, .changes_result = true,
     .help = "set the search method; auto takes the one that the plan recommends"},
    {DPL__OPTION(REAL, "threshold", dpl_pairs_options, threshold), .value = "T", .least = 0,
     .most = 1, .standard = "0.3", .has_zero = true, .changes_result = true,
     .help = "lowest cosine of a pair"},
    {DPL__OPTION(REAL, "recall", dpl_pairs_options, recall), .value = "R", .least = 0.01,
     .most = 0.9999, .standard = "0.99", .changes_result = true,
     .only_with = "method=auto,brute,window,hash",
     .help = "share of the pairs above the threshold that the search must find"},
    {DPL__OPTION(FLAG, "no-verify", dpl_pairs_options, no_verify), .changes_result = true,
     .only_with = "method=auto,brute,window",
     .help = "estimate the cosine from the signatures instead of "
             "computing it from the vectors"},
    {DPL__OPTION(FLAG, "no-early-stop", dpl_pairs_options, no_early_stop),
     .changes_result = true, .only_with = "method=auto,brute,window",
     .help = "compare all bits of every pair, even where the first "
             "part decides"},
    {DPL__OPTION(CHOICE, "signature", dpl_pairs_options, signature), .value = "S",
     .choice = signature, .changes_result = true, .only_with = "method=auto,brute,window",
     .help = "kind of signature to compute where none are given; rp8 with "
             "brute only"},
    {DPL__OPTION(COUNT, "length", dpl_pairs_options, length), .value = "D", .min = 1,
     .max = 65536,
     .standard = "1024 for rp, with brute up to 3072 where that saves time; 64 for simhash, "
                 "448 for rp8",
     .changes_result = true, .only_with = "method=auto,brute,window",
     .help = "bits of a signature, dimensions of rp8"},
    {DPL__OPTION(COUNT, "tables", dpl_pairs_options, tables), .value = "Q", .min = 1,
     .max = 1000000, .standard = "as planned for the recall", .changes_result = true,
     .only_with = "method=auto,window", .help = "number of sorted tables"},
    {DPL__OPTION(COUNT, "width", dpl_pairs_options, width), .value = "B", .min = 1,
     .max = 1000000000, .standard = "as planned for the recall", .changes_result = true,
     .only_with = "method=auto,window",
     .help = "compare each signature with those at most B places behind it "
             "in a table"},
    {DPL__OPTION(COUNT, "chunk", dpl_pairs_options, chunk), .value = "M", .min = 2,
     .standard = "as many as fit into memory", .only_with = "method=auto,window",
     .help = "rows of a table to process at a time"},
    {DPL__OPTION(FLAG, "basic", dpl_pairs_options, basic), .only_with = "method=auto,window",
     .help = "use one queue over the whole table instead of chunks; same "
             "result"},
    {DPL__OPTION(CHOICE, "select", dpl_pairs_options, select), .value = "WHAT",
     .choice = selection, .changes_result = true,
     .help = "which of the pairs above the threshold to keep (best: of each left "
             "document; mutual: each is the best match of the other; one-to-one: "
             "each document in at most one pair; near: the same, of pairs whose score is "
             "near the best of both)"},
    {DPL__OPTION(COUNT, "top", dpl_pairs_options, top), .value = "N", .min = 1, .max = 1000000,
     .standard = "1", .changes_result = true, .only_with = "select=best",
     .help = "pairs to keep for each left document"},
    {DPL__OPTION(CHOICE, "assignment", dpl_pairs_options, assignment), .value = "HOW",
     .choice = assignment, .changes_result = true, .only_with = "select=one-to-one",
     .help = "how to assign (greedy takes the best pair "
             "first, optimal maximises the sum of scores)"},
    {DPL__OPTION(REAL, "ratio", dpl_pairs_options, ratio), .value = "R", .least = 0, .most = 1,
     .standard = "0.7", .has_zero = true, .changes_result = true, .only_with = "select=near",
     .help = "lowest score of a pair as a share of the best score of either document"},
    {DPL__OPTION(COUNT, "margin", dpl_pairs_options, margin), .value = "K", .min = 1,
     .max = 1000, .standard = "score by cosine", .changes_result = true,
     .only_with = "!method=ngram",
     .help = "select and score by margin: the cosine divided by the mean cosine of "
             "both documents' K nearest neighbours"},
    {DPL__OPTION(COUNT, "sample", dpl_pairs_options, sample), .value = "N", .min = 1,
     .max = 100000000, .standard = "500", .changes_result = true,
     .only_with = "method=auto,brute,window,hash !no-recall-check",
     .help = "left documents to search exactly for the recall check"},
    {DPL__OPTION(FLAG, "no-recall-check", dpl_pairs_options, no_recall_check),
     .changes_result = true, .help = "skip the recall check"},
    {DPL__OPTION(FOLDER, "temp", dpl_pairs_options, temp), .value = "DIR", .standard = "/tmp",
     .help = "folder for temporary files"},
    {DPL__OPTION(GROUP, "hash", dpl_pairs_options, hash), .group = dpl__hash_option_table,
     .changes_result = true, .help = "hash: the similarity hash function and its parameters"},
    /* No group: names like "threshold" stand in both tables, and mining has n-grams of its
     * own.
     */
    {DPL__OPTION(OTHER, "ngram", dpl_pairs_options, ngram), .changes_result = true,
     .help = "ngram: n-grams, their limits and the selection of pairs"},
};
DPL__OPTION_TABLE(pairs, dpl_pairs_options, pairs_options)
