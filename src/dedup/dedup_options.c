/*
 * dedup_options.c - the options of duplicate removal, and the names of its choices.
 */
#include "base/options.h"
#include "dedup/dedup_run.h"

#include "doppel/dedup.h"

DPL__NAMES(dpl__dedup_unit_name, "document", "paragraph", "line")
DPL__NAMES(dpl__dedup_measure_name, "auto", "jaccard", "cosine", "containment")
DPL__NAMES(dpl__dedup_method_name, "auto", "exact", "minhash", "simhash")
DPL__NAMES(dpl__dedup_keep_name, "longest", "first", "newest", "highest")
DPL__NAMES(dpl__dedup_linkage_name, "components", "star")
DPL__NAMES(dpl__dedup_compress_name, "input", "none", "gzip", "zstd")
DPL__NAMES(dpl_dedup_kind_name, "copy", "near", "translation")
DPL__NAMES(dpl_dedup_how_name, "verbatim", "rewrapped", "embedded", "edited", "translated")

static const dpl_option options[] = {
    {DPL__OPTION(GROUP, "read", dpl_dedup_options, read), .group = dpl__reader_option_table,
     .changes_result = true, .help = "how the documents are read"},
    {DPL__OPTION(CHOICE, "unit", dpl_dedup_options, unit), .value = "UNIT",
     .choice = dpl__dedup_unit_name, .changes_result = true,
     .help = "remove whole documents, or paragraphs or lines that recur in documents; a "
             "paragraph ends with an empty line, or where there is none with its line"},
    {DPL__OPTION(CHOICE, "measure", dpl_dedup_options, measure), .value = "MEASURE",
     .choice = dpl__dedup_measure_name, .changes_result = true, .only_with = "unit=document",
     .help = "set the similarity: shared shingles (sequences of words) divided by those of "
             "either document (jaccard) or of the shorter one (containment; only against "
             "others: of the other document), or the cosine of term vectors; auto: jaccard, "
             "only against others containment"},
    {DPL__OPTION(REAL, "threshold", dpl_dedup_options, threshold), .value = "T", .least = 0.01,
     .most = 1, .standard = "0.8; containment only against others: 0.5", .changes_result = true,
     .only_with = "unit=document", .help = "lowest similarity of near-duplicates"},
    {DPL__OPTION(REAL, "floor", dpl_dedup_options, floor), .value = "T", .least = 0.01,
     .most = 1, .standard = "the threshold", .changes_result = true,
     .only_with = "unit=document",
     .help = "store pairs down to this similarity, so that a run that is resumed with another "
             "threshold, down to it, does not search again"},
    {DPL__OPTION(COUNT, "shingle", dpl_dedup_options, shingle), .value = "N", .min = 1,
     .max = 64, .standard = "5", .changes_result = true,
     .only_with = "unit=document !measure=cosine", .help = "words of a shingle"},
    {DPL__OPTION(CHOICE, "method", dpl_dedup_options, method), .value = "METHOD",
     .choice = dpl__dedup_method_name, .changes_result = true, .only_with = "unit=document",
     .help =
         "set how pairs are found: all of them (exact), by MinHash codes of "
         "shingles (minhash), or by 64-bit fingerprints that differ in at most 3 bits "
         "(simhash); auto is exact for shingles, unless minhash is faster, and for cosines "
         "what the plan recommends; the similarity of what is found is computed in any case"},
    {DPL__OPTION(REAL, "recall", dpl_dedup_options, recall), .value = "R", .least = 0.01,
     .most = 0.9999, .standard = "0.99", .changes_result = true,
     .only_with = "unit=document method=auto,minhash",
     .help = "wanted share of the pairs at the threshold, of methods that do not find all"},
    {DPL__OPTION(CHOICE, "select", dpl_dedup_options, select), .value = "WHAT",
     .choice = dpl__dedup_keep_name, .changes_result = true,
     .only_with = "unit=document !only-against",
     .help = "set the document of a cluster that is kept: the longest, the first, the one with "
             "the last value of a field in text order (newest), or the one with its highest "
             "number (highest); ties: smallest id"},
    {DPL__OPTION(TEXT, "field", dpl_dedup_options, field), .value = "NAME",
     .changes_result = true, .only_with = "unit=document select=newest,highest",
     .help = "field of the documents that decides which is newest or highest"},
    {DPL__OPTION(CHOICE, "linkage", dpl_dedup_options, linkage), .value = "LINKAGE",
     .choice = dpl__dedup_linkage_name, .changes_result = true,
     .only_with = "unit=document !only-against",
     .help = "set what a cluster is: all documents that pairs connect (components), or a kept "
             "document and those that are paired with it directly (star)"},
    {DPL__OPTION(OTHER, "against", dpl_dedup_options, against),
     .help = "documents to compare with, which are kept and not written"},
    {DPL__OPTION(OTHER, "n-against", dpl_dedup_options, n_against), .help = "their number"},
    {DPL__OPTION(FLAG, "only-against", dpl_dedup_options, only_against), .changes_result = true,
     .only_with = "unit=document",
     .help = "do not compare the new documents with each other: remove only those that "
             "duplicate one of the others"},
    {DPL__OPTION(FILE_IN, "lexicon", dpl_dedup_options, lexicon), .value = "FILE",
     .changes_result = true, .only_with = "unit=document",
     .help = "find translations between the two languages of this lexicon, too"},
    {DPL__OPTION(REAL, "translation", dpl_dedup_options, translation), .value = "T",
     .least = 0.01, .most = 1, .standard = "0.2", .changes_result = true,
     .only_with = "unit=document lexicon", .help = "lowest cosine of a translation"},
    {DPL__OPTION(FLAG, "stem", dpl_dedup_options, stem), .standard = "if the lexicon has stems",
     .changes_result = true, .only_with = "unit=document",
     .help = "reduce words to their stems, in the languages that have a stemmer"},
    {DPL__OPTION(COUNT, "min-words", dpl_dedup_options, min_words), .value = "N", .min = 1,
     .standard = "3", .changes_result = true, .only_with = "unit=paragraph,line",
     .help = "keep lines and paragraphs with fewer words"},
    {DPL__OPTION(COUNT, "min-count", dpl_dedup_options, min_count), .value = "N", .min = 2,
     .standard = "2", .changes_result = true, .only_with = "unit=paragraph,line",
     .help = "remove lines and paragraphs that occur at least this often"},
    {DPL__OPTION(FLAG, "drop-first", dpl_dedup_options, drop_first), .changes_result = true,
     .only_with = "unit=paragraph,line", .help = "remove the first occurrence, too"},
    {DPL__OPTION(COUNT, "sample", dpl_dedup_options, sample), .value = "N", .min = 1,
     .standard = "500",
     .only_with = "unit=document !method=exact !measure=cosine !no-recall-check",
     .help = "documents that the recall check compares with all others"},
    {DPL__OPTION(FLAG, "no-recall-check", dpl_dedup_options, no_recall_check),
     .help = "do not measure the recall on a sample"},
    {DPL__OPTION(CHOICE, "compress", dpl_dedup_options, compress), .value = "HOW",
     .choice = dpl__dedup_compress_name,
     .help = "compress the kept documents: as their input (xz and bzip2 become zstd), not at "
             "all, or as named"},
    {DPL__OPTION(FLAG, "resume", dpl_dedup_options, resume), .only_with = "unit=document",
     .help = "use the documents and, if the search is the same, the pairs of an earlier run "
             "with the same inputs in the output folder"},
    {DPL__OPTION(FOLDER, "temp", dpl_dedup_options, temp), .value = "DIR", .standard = "/tmp",
     .help = "without an output folder: folder for temporary files"},
    {DPL__OPTION(FILE_OUT, "state", dpl_dedup_options, state), .value = "FILE",
     .changes_result = true, .only_with = "unit=document !resume",
     .help = "remember the documents in this file: clusters are those of one run over all "
             "documents so far"},
    {DPL__OPTION(TEXT, "lexicon-langs", dpl_dedup_options, lexicon_langs), .value = "X,Y",
     .standard = "as the lexicon says", .changes_result = true,
     .only_with = "unit=document lexicon",
     .help = "languages of the columns of a lexicon in text, such as de,en"},
};
DPL__OPTION_TABLE(dedup, dpl_dedup_options, options)
