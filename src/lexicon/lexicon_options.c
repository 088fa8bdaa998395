/*
 * lexicon_options.c - the options of lexicons: opening, pruning, training, alignment, import.
 */
#include "base/options.h"

#include "doppel/lexicon.h"

DPL__NAMES_IN(symmetry, dpl_symmetry_info, dpl_symmetry_get_info, name)
DPL__NAMES_IN(dictionary_format, dpl_dictionary_format_info, dpl_dictionary_format_get_info,
              name)

/* In the order of dpl_on_error; nothing is replaced in lexicons. */
DPL__STATIC_NAMES(policy, "fail", "", "skip")

static const dpl_option lexicon_options[] = {
    {DPL__OPTION(TEXT, "source-lang", dpl_lexicon_options, source_lang), .value = "LANG",
     .standard = "as the file says", .changes_result = true,
     .help = "set the language of the first column"},
    {DPL__OPTION(TEXT, "target-lang", dpl_lexicon_options, target_lang), .value = "LANG",
     .standard = "as the file says", .changes_result = true,
     .help = "set the language of the second column"},
    {DPL__OPTION(CHOICE, "on-error", dpl_lexicon_options, on_error), .value = "WHAT",
     .choice = policy, .changes_result = true,
     .help = "what to do with lines that cannot be read; fail allows one in 1,000"},
};
DPL__OPTION_TABLE(lexicon, dpl_lexicon_options, lexicon_options)

static const dpl_option prune_options[] = {
    {DPL__OPTION(INTEGER, "top", dpl_prune, top), .value = "N", .max = 1000000,
     .standard = "15", .has_zero = true, .changes_result = true,
     .help = "keep at most this many translations of a word, the most probable; 0: "
             "all"},
    {DPL__OPTION(REAL, "cumulative", dpl_prune, cumulative), .value = "P", .least = 0,
     .most = 1, .standard = "0.95", .has_zero = true, .changes_result = true,
     .help = "keep the most probable translations of a word until their "
             "probabilities sum to P; 0: all"},
    {DPL__OPTION(REAL, "threshold", dpl_prune, threshold), .value = "T", .least = 0, .most = 1,
     .standard = "0.001", .has_zero = true, .changes_result = true,
     .help = "drop translations that are less probable; 0: none"},
    {DPL__OPTION(REAL, "min-count", dpl_prune, min_count), .value = "C", .least = 0,
     .most = 1e+09, .standard = "0.1", .has_zero = true, .changes_result = true,
     .help = "drop translations with a smaller expected number of alignments; 0: "
             "none"},
};
DPL__OPTION_TABLE(prune, dpl_prune, prune_options)

static const dpl_option train_options[] = {
    {DPL__OPTION(GROUP, "read", dpl_train_options, read), .group = dpl__bitext_option_table,
     .changes_result = true, .help = "how the parallel text is read"},
    {DPL__OPTION(FLAG, "pretokenized", dpl_train_options, pretokenized), .changes_result = true,
     .only_with = "!lexicon",
     .help = "words are separated by blanks already: do not segment the text"},
    {DPL__OPTION(FLAG, "stem", dpl_train_options, stem), .changes_result = true,
     .only_with = "!lexicon",
     .help = "reduce words to their stems, in the languages that have a stemmer"},
    {DPL__OPTION(FILE_IN, "lexicon", dpl_train_options, lexicon), .value = "L.dpl",
     .changes_result = true,
     .help = "continue the training of this lexicon, with its languages and its "
             "segmentation"},
    {DPL__OPTION(COUNT, "model1", dpl_train_options, model1), .value = "N", .min = 1,
     .max = 1000, .standard = "5", .changes_result = true,
     .help = "iterations of IBM Model 1, which ignores word order"},
    {DPL__OPTION(COUNT, "hmm", dpl_train_options, hmm), .value = "N", .min = 1, .max = 1000,
     .standard = "5", .changes_result = true, .only_with = "!no-hmm",
     .help = "iterations of the hidden Markov model, which uses word order"},
    {DPL__OPTION(FLAG, "no-hmm", dpl_train_options, no_hmm), .changes_result = true,
     .help = "train IBM Model 1 only"},
    {DPL__OPTION(COUNT, "max-words", dpl_train_options, max_words), .value = "N", .min = 1,
     .max = 100000, .standard = "200", .changes_result = true,
     .help = "skip rows with more words on a side"},
    {DPL__OPTION(GROUP, "prune", dpl_train_options, prune), .group = dpl__prune_option_table,
     .changes_result = true, .help = "which entries the tables keep"},
    {DPL__OPTION(REAL, "min-link", dpl_train_options, min_link), .value = "C", .least = 0,
     .most = 1e+09, .standard = "links that were never aligned; Model 1 only: 0.01",
     .has_zero = true, .changes_result = true, .only_with = "!no-model",
     .help = "drop links of the alignment model with a smaller expected number of "
             "alignments; 0: none"},
    {DPL__OPTION(FLAG, "no-model", dpl_train_options, no_model), .changes_result = true,
     .help = "write the tables without the alignment model: a smaller file that can "
             "neither align words nor be trained further"},
};
DPL__OPTION_TABLE(train, dpl_train_options, train_options)

static const dpl_option align_options[] = {
    {DPL__OPTION(GROUP, "read", dpl_align_options, read), .group = dpl__bitext_option_table,
     .changes_result = true, .help = "how the parallel text is read"},
    {DPL__OPTION(FLAG, "pretokenized", dpl_align_options, pretokenized), .changes_result = true,
     .help = "words are separated by blanks already, and are numbered accordingly"},
    {DPL__OPTION(CHOICE, "symmetrize", dpl_align_options, symmetrize), .value = "HOW",
     .choice = symmetry, .changes_result = true,
     .help = "how to combine the alignments of both directions"},
    {DPL__OPTION(REAL, "threshold", dpl_align_options, threshold), .value = "T", .least = 0.001,
     .most = 1, .standard = "0.5", .changes_result = true, .only_with = "symmetrize=posterior",
     .help = "lowest mean of both directions' posterior probabilities of "
             "a link"},
    {DPL__OPTION(COUNT, "max-words", dpl_align_options, max_words), .value = "N", .min = 1,
     .max = 100000, .standard = "1000", .changes_result = true,
     .help = "write no links for rows with more words on a side"},
};
DPL__OPTION_TABLE(align, dpl_align_options, align_options)

static const dpl_option lexicon_import_options[] = {
    {DPL__OPTION(CHOICE, "from", dpl_lexicon_import_options, from), .value = "FORMAT",
     .choice = dictionary_format, .changes_result = true,
     .help = "set the format of the dictionaries"},
    {DPL__OPTION(TEXT, "source-lang", dpl_lexicon_import_options, source_lang), .value = "LANG",
     .standard = "as a .dpl or the name of a dictionary says", .changes_result = true,
     .help = "set the language of the source words, as a code such as de; a "
             "dictionary of the other direction is reversed"},
    {DPL__OPTION(TEXT, "target-lang", dpl_lexicon_import_options, target_lang), .value = "LANG",
     .standard = "as a .dpl or the name of a dictionary says", .changes_result = true,
     .help = "set the language of the target words"},
    {DPL__OPTION(FLAG, "stem", dpl_lexicon_import_options, stem), .changes_result = true,
     .help = "reduce words to their stems, in the languages that have a stemmer"},
    {DPL__OPTION(CHOICE, "on-error", dpl_lexicon_import_options, on_error), .value = "WHAT",
     .choice = policy, .changes_result = true,
     .help = "what to do with a line or an article that cannot be read"},
    {DPL__OPTION(GROUP, "prune", dpl_lexicon_import_options, prune),
     .group = dpl__prune_option_table, .changes_result = true,
     .help = "which entries the tables keep"},
};
DPL__OPTION_TABLE(lexicon_import, dpl_lexicon_import_options, lexicon_import_options)
