/*
 * reuse_options.c - the options of the search for reused text.
 */
#include "base/options.h"

#include "doppel/reuse.h"

DPL__NAMES(dpl_passage_kind_name, "verbatim", "edited", "reordered", "translated")

static const dpl_option options[] = {
    {DPL__OPTION(GROUP, "read", dpl_reuse_options, read), .group = dpl__reader_option_table,
     .changes_result = true, .help = "how the documents are read"},
    {DPL__OPTION(COUNT, "seed-words", dpl_reuse_options, seed_words), .value = "N", .min = 2,
     .max = 16, .standard = "3", .changes_result = true,
     .help = "words of a seed: a sequence that both sides have, from which a passage grows"},
    {DPL__OPTION(COUNT, "gap", dpl_reuse_options, gap), .value = "N", .min = 1,
     .standard = "24", .changes_result = true,
     .help = "maximum number of words between two seeds of a passage"},
    {DPL__OPTION(COUNT, "min-words", dpl_reuse_options, min_words), .value = "N", .min = 1,
     .standard = "15", .changes_result = true, .help = "lowest number of words of a passage"},
    {DPL__OPTION(REAL, "threshold", dpl_reuse_options, threshold), .value = "T", .least = 0.01,
     .most = 1, .standard = "0.55", .changes_result = true,
     .help = "lowest share of words that both sides of a passage have; rare words count more; "
             "passages of fewer than 40 words must be more similar"},
    {DPL__OPTION(FILE_IN, "lexicon", dpl_reuse_options, lexicon), .value = "FILE",
     .changes_result = true,
     .help = "find translated passages between the two languages of this lexicon, too"},
    {DPL__OPTION(TEXT, "lexicon-langs", dpl_reuse_options, lexicon_langs), .value = "X,Y",
     .standard = "as the lexicon says", .changes_result = true, .only_with = "lexicon",
     .help = "languages of the columns of a lexicon in text, such as de,en"},
    {DPL__OPTION(REAL, "translation", dpl_reuse_options, translation), .value = "T",
     .least = 0.01, .most = 1, .standard = "0.45", .changes_result = true,
     .only_with = "lexicon",
     .help = "lowest share of the words of a translated passage that have a translation on the "
             "other side; rare words count more"},
    {DPL__OPTION(FLAG, "skip-same-id", dpl_reuse_options, skip_same_id), .changes_result = true,
     .help = "do not compare a document with one of the same id"},
    {DPL__OPTION(COUNT, "top", dpl_reuse_options, top), .value = "N", .min = 1, .standard = "5",
     .changes_result = true,
     .help =
         "maximum number of sources for the same words of the query, the most similar first"},
    {DPL__OPTION(OTHER, "lexicons", dpl_reuse_options, lexicons), .changes_result = true,
     .help = "open lexicons, beside the one of a file"},
    {DPL__OPTION(OTHER, "n-lexicons", dpl_reuse_options, n_lexicons), .changes_result = true,
     .help = "number of open lexicons"},
    {DPL__OPTION(FOLDER, "temp", dpl_reuse_options, temp), .value = "DIR", .standard = "/tmp",
     .help = "folder for temporary files"},
};
DPL__OPTION_TABLE(reuse, dpl_reuse_options, options)
