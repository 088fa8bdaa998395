/*
 * eval_options.c - the options of measuring word links and translations.
 */
#include "base/options.h"
#include "eval/measure.h"

#include "doppel/eval.h"

static const dpl_option options[] = {
    {DPL__OPTION(CHOICE, "gold-format", dpl_eval_words_options, gold_format), .value = "FORMAT",
     .choice = dpl__word_links_format_name, .changes_result = true,
     .help = "set the format of GOLD; auto detects it from the first line"},
    {DPL__OPTION(CHOICE, "found-format", dpl_eval_words_options, found_format),
     .value = "FORMAT", .choice = dpl__word_links_format_name, .changes_result = true,
     .help = "set the format of FOUND"},
    {DPL__OPTION(COUNT, "gold-first", dpl_eval_words_options, gold_first), .value = "N",
     .max = 1, .standard = "0", .changes_result = true, .only_with = "gold-format=auto,pharaoh",
     .help = "number of the first word of a row in GOLD"},
    {DPL__OPTION(COUNT, "found-first", dpl_eval_words_options, found_first), .value = "N",
     .max = 1, .standard = "0", .changes_result = true,
     .only_with = "found-format=auto,pharaoh",
     .help = "number of the first word of a row in FOUND"},
    {DPL__OPTION(FLAG, "turned", dpl_eval_words_options, turned), .changes_result = true,
     .help = "swap left and right of FOUND"},
};
DPL__OPTION_TABLE(eval_words, dpl_eval_words_options, options)

static const dpl_option bleu_options[] = {
    {DPL__OPTION(FLAG, "lowercase", dpl_eval_bleu_options, lowercase), .changes_result = true,
     .help = "ignore the case of letters"},
    {DPL__OPTION(FLAG, "pretokenized", dpl_eval_bleu_options, pretokenized),
     .changes_result = true,
     .help = "words are separated by white space; without it punctuation is split off by the "
             "13a rules"},
};
DPL__OPTION_TABLE(eval_bleu, dpl_eval_bleu_options, bleu_options)
