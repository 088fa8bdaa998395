/*
 * lab_options.c - the options of experiments.
 */
#include "base/options.h"
#include "lab/lab_option_tables.h"

#include "doppel-lab/lab.h"

static const dpl_option options[] = {
    {DPL__OPTION(GROUP, "read", dpl_lab_options, read), .group = dpl__reader_option_table,
     .changes_result = true, .help = "how the documents are read"},
    {DPL__OPTION(FILE_IN, "gold", dpl_lab_options, gold), .value = "FILE",
     .changes_result = true,
     .help = "pairs of documents that are right: left id, right id, with a tab between"},
    {DPL__OPTION(FILE_IN, "lexicon", dpl_lab_options, lexicon), .value = "FILE",
     .standard = "learned from the two collections", .changes_result = true,
     .help = "project the left documents with this lexicon"},
    {DPL__OPTION(TEXT, "lexicon-langs", dpl_lab_options, lexicon_langs), .value = "X-Y",
     .standard = "as the lexicon says", .changes_result = true,
     .help = "languages of the columns of a lexicon in text, such as de-en"},
    {DPL__OPTION(FILE_IN, "translated", dpl_lab_options, translated), .value = "FILE",
     .changes_result = true,
     .help = "machine translations of the left documents, with the same ids"},
    {DPL__OPTION(FILE_IN, "parallel", dpl_lab_options, parallel), .value = "FILE",
     .changes_result = true,
     .help = "sentence pairs to train a translator on: left, right, with a tab between, or "
             "another format of parallel text"},
    {DPL__OPTION(FILE_IN, "test", dpl_lab_options, test), .value = "FILE",
     .changes_result = true,
     .help = "sentence pairs to test a translator with, in the same formats"},
    {DPL__OPTION(OTHER, "links", dpl_lab_options, links), .changes_result = true,
     .help = "known links between the documents"},
    {DPL__OPTION(OTHER, "n-links", dpl_lab_options, n_links), .changes_result = true,
     .help = "number of these files"},
    {DPL__OPTION(FLAG, "small", dpl_lab_options, is_small), .changes_result = true,
     .help = "take fewer points and samples: seconds instead of minutes"},
    {DPL__OPTION(REAL, "threshold", dpl_lab_options, threshold), .value = "T", .least = 0.01,
     .most = 0.99, .standard = "0.3", .changes_result = true,
     .help = "least cosine of a pair that counts"},
    {DPL__OPTION(COUNT, "bits", dpl_lab_options, bits), .value = "D", .min = 64, .max = 65536,
     .standard = "1024", .changes_result = true,
     .help = "bits of signatures, where the experiment does not vary them"},
    {DPL__OPTION(COUNT, "sample", dpl_lab_options, sample), .value = "N", .min = 1,
     .standard = "1064", .changes_result = true,
     .help = "documents that are looked at, where not all are"},
    {DPL__OPTION(COUNT, "repeats", dpl_lab_options, repeats), .value = "N", .min = 1,
     .max = 100, .standard = "3",
     .help = "times that everything with a time is done; the fastest counts"},
    {DPL__OPTION(TEXT, "renderer", dpl_lab_options, renderer), .value = "PROGRAM",
     .help = "gnuplot, which draws the pictures"},
    {DPL__OPTION(OTHER, "command", dpl_lab_options, command), .help = "as it was typed"},
    {DPL__OPTION(FOLDER, "temp", dpl_lab_options, temp_dir), .value = "DIR", .standard = "/tmp",
     .help = "folder for temporary files"},
    {DPL__OPTION(FLAG, "keep-data", dpl_lab_options, keep_data),
     .help = "leave the collections that an experiment makes in the folder NAME-data"},
    {DPL__OPTION(COUNT, "most-documents", dpl_lab_options, most_documents), .value = "N",
     .min = 100, .max = 100000000, .standard = "8000", .changes_result = true,
     .help = "mine-size: documents a side of the largest collection"},
    {DPL__OPTION(COUNT, "seeds", dpl_lab_options, seeds), .value = "N", .min = 1, .max = 20,
     .standard = "1", .changes_result = true,
     .help = "run with N seeds: means with 95 % intervals"},
    {DPL__OPTION(FLAG, "as-paper", dpl_lab_options, as_paper), .changes_result = true,
     .help = "do it as the papers do: 1000 bits, distances up to 400, p(f|e), all n-gram "
             "candidates, the unsmoothed filter"},
    {DPL__OPTION(FILE_IN, "reference", dpl_lab_options, reference), .value = "FILE",
     .standard = "the collection itself", .changes_result = true,
     .help = "take the prefix classes of fuzzy-fingerprints from this collection"},
};
DPL__OPTION_TABLE(lab, dpl_lab_options, options)
