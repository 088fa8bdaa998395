/*
 * index_options.c - the options of building and asking an index.
 */
#include "base/options.h"

#include "doppel/index.h"

DPL__NAMES(dpl_query_method_name, "auto", "codes", "exact", "postings")

static const dpl_option options[] = {
    {DPL__OPTION(GROUP, "read", dpl_index_options, read), .group = dpl__reader_option_table,
     .changes_result = true, .help = "how the documents are read"},
    {DPL__OPTION(GROUP, "tokens", dpl_index_options, tokens), .group = dpl__tokens_option_table,
     .changes_result = true, .help = "how they are cut into words"},
    {DPL__OPTION(GROUP, "hash", dpl_index_options, hash), .group = dpl__hash_option_table,
     .changes_result = true, .help = "similarity hash function"},
    {DPL__OPTION(COUNT, "checksum", dpl_index_options, checksum), .value = "BITS", .min = 1,
     .max = 32, .standard = "16", .changes_result = true,
     .help =
         "bits of the checksum of a code: a code that no document has is taken for one that "
         "a document has once in 2^BITS times"},
    {DPL__OPTION(FLAG, "texts", dpl_index_options, texts), .changes_result = true,
     .help = "keep the texts of the documents, compressed: for matching passages"},
    {DPL__OPTION(FLAG, "no-vectors", dpl_index_options, no_vectors), .changes_result = true,
     .help = "do not store word counts and postings: the smallest index; similarities are "
             "estimated from codes"},
    {DPL__OPTION(FLAG, "no-postings", dpl_index_options, no_postings), .changes_result = true,
     .help = "do not store postings: no short queries, no exact answers"},
    {DPL__OPTION(OTHER, "lexicons", dpl_index_options, lexicons), .changes_result = true,
     .help = "lexicons of the pivot language and one other language each"},
    {DPL__OPTION(OTHER, "n-lexicons", dpl_index_options, n_lexicons), .changes_result = true,
     .help = "how many there are"},
    {DPL__OPTION(TEXT, "pivot", dpl_index_options, pivot), .value = "LANG",
     .standard = "the language that all lexicons have", .changes_result = true,
     .help = "language that documents and queries of all others are translated into, word by "
             "word"},
    {DPL__OPTION(COUNT, "sample", dpl_index_options, sample), .value = "N", .min = 1,
     .max = 100000, .standard = "200", .changes_result = true,
     .help = "documents whose nearest neighbours are measured, for 'doppel show'"},
    {DPL__OPTION(FOLDER, "temp", dpl_index_options, temp), .value = "DIR",
     .standard = "beside the output", .help = "folder for temporary files"},
    {DPL__OPTION(FLAG, "plain-texts", dpl_index_options, plain_texts), .changes_result = true,
     .help = "keep the texts of the documents, not compressed"},
    {DPL__OPTION(TEXT, "lexicon-langs", dpl_index_options, lexicon_langs), .value = "X,Y",
     .standard = "as the lexicon says", .changes_result = true,
     .help = "languages of the columns of a lexicon in text, such as de,en"},
    {DPL__OPTION(FLAG, "needs-docs", dpl_index_options, needs_docs),
     .help = "fail when there are no documents"},
};
DPL__OPTION_TABLE(index, dpl_index_options, options)

static const dpl_option query_options[] = {
    {DPL__OPTION(COUNT, "top", dpl_query_options, top), .value = "N", .min = 1, .max = 10000,
     .standard = "10", .changes_result = true, .help = "maximum number of documents per query"},
    {DPL__OPTION(REAL, "threshold", dpl_query_options, threshold), .value = "T", .least = 0.001,
     .most = 1, .standard = "0.1", .changes_result = true,
     .help = "lowest similarity: the cosine of the vectors, 1 for the same words; the "
             "default is lower for a query that is much shorter than the documents"},
    {DPL__OPTION(CHOICE, "method", dpl_query_options, method), .value = "METHOD",
     .choice = dpl_query_method_name, .changes_result = true,
     .help =
         "set how documents are found: by the postings of the query's rarest words, within a "
         "budget (postings), or of all its words (exact: every document at or above the "
         "threshold), or by similarity hash codes (codes); auto: postings, or codes if the "
         "index has no postings; the answer is exact if the budget suffices"},
    {DPL__OPTION(TEXT, "lang", dpl_query_options, lang), .value = "LANG",
     .standard = "detected, when the index has a lexicon", .changes_result = true,
     .help = "language of the query"},
    {DPL__OPTION(TEXT, "only-lang", dpl_query_options, only_lang), .value = "LANG",
     .standard = "all", .changes_result = true, .help = "documents in this language only"},
    {DPL__OPTION(INTEGER, "probes", dpl_query_options, probes), .value = "N", .max = 4096,
     .has_zero = true, .standard = "64", .changes_result = true,
     .only_with = "method=auto,codes",
     .help = "rp: codes near each code of the query that are looked up, too"},
    {DPL__OPTION(COUNT, "terms", dpl_query_options, terms), .value = "N", .min = 1, .max = 1000,
     .standard = "10", .changes_result = true,
     .help = "maximum number of words shown for a document"},
    {DPL__OPTION(COUNT, "budget", dpl_query_options, budget), .value = "N", .min = 1,
     .standard = "4000", .changes_result = true, .only_with = "method=auto,postings",
     .help = "maximum number of postings read per query"},
};
DPL__OPTION_TABLE(query, dpl_query_options, query_options)
