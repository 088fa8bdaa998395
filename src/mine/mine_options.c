/*
 * mine_options.c - the options of mining.
 */
#include "base/options.h"

#include "doppel/mine.h"

DPL__NAMES_OF(unit, dpl_mine_unit_name)

static const dpl_option options[] = {
    {DPL__OPTION(GROUP, "read", dpl_mine_options, read), .group = dpl__reader_option_table,
     .changes_result = true, .help = "how the documents are read"},
    {DPL__OPTION(TEXT, "left-lang", dpl_mine_options, langs[0]), .value = "LANG",
     .standard = "detected from the text", .changes_result = true,
     .help = "two inputs: set the language of the first"},
    {DPL__OPTION(TEXT, "right-lang", dpl_mine_options, langs[1]), .value = "LANG",
     .standard = "detected from the text", .changes_result = true,
     .help = "two inputs: set the language of the second"},
    {DPL__OPTION(FLAG, "no-stem", dpl_mine_options, no_stem), .changes_result = true,
     .help = "leave words as they are: no stems, no parts"},
    {DPL__OPTION(FILE_IN, "lexicon", dpl_mine_options, lexicon), .value = "FILE",
     .changes_result = true, .help = "start with this lexicon instead of spelling"},
    {DPL__OPTION(FILE_IN, "dictionary", dpl_mine_options, dictionary), .value = "FILE",
     .changes_result = true, .only_with = "!lexicon",
     .help = "start with a dictionary in any format that lexicon import reads"},
    {DPL__OPTION(COUNT, "rounds", dpl_mine_options, rounds), .value = "N", .min = 1,
     .max = DPL_MINE_MOST_ROUNDS, .standard = "20",
     .help = "maximum number of rounds; mining stops earlier when the pairs no longer change, "
             "and after five rounds when their number no longer grows"},
    {DPL__OPTION(REAL, "confidence", dpl_mine_options, confidence), .value = "P",
     .least = 0.001, .most = 1, .standard = "0.5",
     .help = "lowest probability that a pair is a translation; 0.5 is less for few pairs"},
    {DPL__OPTION(GROUP, "search", dpl_mine_options, search), .group = dpl__pairs_option_table,
     .changes_result = true,
     .help = "method, recall and signatures of the search; the rest is set by mining"},
    {DPL__OPTION(GROUP, "sentences", dpl_mine_options, sentences),
     .group = dpl__sentences_option_table, .changes_result = true,
     .help = "sentence alignment"},
    {DPL__OPTION(FLAG, "resume", dpl_mine_options, resume),
     .help = "continue an interrupted run in the same folder"},
    {DPL__OPTION(TEXT, "pivot", dpl_mine_options, pivot), .value = "LANG",
     .standard = "the one with the most documents, then characters", .changes_result = true,
     .help = "more than two languages: the pivot, the language that all others are "
             "paired with first, as a code such as en"},
    {DPL__OPTION(FLAG, "header", dpl_mine_options, header),
     .help = "more than two languages: begin groups.tsv with a line of the language "
             "codes"},
    {DPL__OPTION(FOLDER, "temp", dpl_mine_options, temp), .value = "DIR", .standard = "/tmp",
     .help = "without an output folder: where work files go"},
    {DPL__OPTION(CHOICE, "unit", dpl_mine_options, unit), .value = "UNIT", .choice = unit,
     .changes_result = true,
     .help = "compare whole documents, single sentences, or passages (where only parts of "
             "documents are translations); auto: sentences if documents are one sentence long, "
             "passages if whole documents give no pairs, or pairs that can only be aligned in "
             "part"},
    {DPL__OPTION(TEXT, "to", dpl_mine_options, to), .value = "LIST", .standard = "tsv",
     .help =
         "write the sentence pairs in these formats, with commas between them: tsv, "
         "jsonl, moses (sentences.LANG of each language), tmx, xliff; sentences.tsv is always "
         "written"},
    {DPL__OPTION(FLAG, "unique", dpl_mine_options, unique),
     .help = "keep each sentence pair once, where it has the best score"},
    {DPL__OPTION(FLAG, "drop-frequent", dpl_mine_options, drop_frequent),
     .help = "drop sentence pairs that occur in at least 5 document pairs and in 10 % of "
             "them, such as menus"},
    {DPL__OPTION(FILE_IN, "known", dpl_mine_options, known), .value = "FILE",
     .changes_result = true,
     .help = "use known pairs: lines of left id, right id and accept or reject, separated by "
             "tabs, as in a server's judgements.tsv, or lines of two ids; accepted pairs are "
             "trained on and always in the result, rejected pairs never"},
    {DPL__OPTION(TEXT, "command", dpl_mine_options, command), .value = "TEXT",
     .help = "the command that was typed, for the report"},
    {DPL__OPTION(OTHER, "on-round", dpl_mine_options, on_round),
     .help = "a function that is called after each round"},
    {DPL__OPTION(OTHER, "user", dpl_mine_options, user),
     .help = "first argument of that function"},
    {DPL__OPTION(OTHER, "links", dpl_mine_options, links),
     .help = "links that are known between the documents"},
    {DPL__OPTION(OTHER, "n-links", dpl_mine_options, n_links),
     .help = "how many files of links there are"},
    {DPL__OPTION(FLAG, "use-links", dpl_mine_options, use_links), .changes_result = true,
     .help = "train the first lexicon on linked documents; the evaluation then uses the same "
             "links"},
    {DPL__OPTION(FLAG, "keep-repeats", dpl_mine_options, keep_repeats),
     .help = "moses, tmx, xliff: also write sentence pairs that were written before"},
    {DPL__OPTION(OTHER, "more-dictionaries", dpl_mine_options, more_dictionaries),
     .help = "dictionaries that are mixed with the first one"},
    {DPL__OPTION(OTHER, "n-more-dictionaries", dpl_mine_options, n_more_dictionaries),
     .help = "how many of them there are"},
    {DPL__OPTION(REAL, "fdr", dpl_mine_options, fdr), .value = "Q", .least = 0.0001,
     .most = 0.9999, .only_with = "!confidence", .standard = "none: by confidence",
     .help = "keep as many pairs as possible of which at most this share is expected to be"
             " wrong (false discovery rate)"},
};
DPL__OPTION_TABLE(mine, dpl_mine_options, options)
