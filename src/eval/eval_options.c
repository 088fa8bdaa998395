/*
 * eval_options.c - the options of measuring word links and translations.
 */
#include "base/options.h"
#include "eval/measure.h"

#include "doppel/eval.h"

static const dpl_option options[] = {
    {.name = "gold-format",
     .type = DPL_OPTION_CHOICE,
     DPL__FIELD(dpl_eval_words_options, gold_format),
     .value = "FORMAT",
     .choice = dpl__word_links_format_name,
     .changes_result = true,
     .help = "set the format of GOLD; auto detects it from the first line"},
    {.name = "found-format",
     .type = DPL_OPTION_CHOICE,
     DPL__FIELD(dpl_eval_words_options, found_format),
     .value = "FORMAT",
     .choice = dpl__word_links_format_name,
     .changes_result = true,
     .help = "set the format of FOUND"},
    {.name = "gold-first",
     .type = DPL_OPTION_COUNT,
     DPL__FIELD(dpl_eval_words_options, gold_first),
     .value = "N",
     .max = 1,
     .standard = "0",
     .changes_result = true,
     .only_with = "gold-format=auto,pharaoh",
     .help = "number of the first word of a row in GOLD"},
    {.name = "found-first",
     .type = DPL_OPTION_COUNT,
     DPL__FIELD(dpl_eval_words_options, found_first),
     .value = "N",
     .max = 1,
     .standard = "0",
     .changes_result = true,
     .only_with = "found-format=auto,pharaoh",
     .help = "number of the first word of a row in FOUND"},
    {.name = "turned",
     .type = DPL_OPTION_FLAG,
     DPL__FIELD(dpl_eval_words_options, is_turned),
     .changes_result = true,
     .help = "swap left and right of FOUND"},
};
DPL__OPTION_TABLE(eval_words, dpl_eval_words_options, options)

static const dpl_option bleu_options[] = {
    {.name = "lowercase",
     .type = DPL_OPTION_FLAG,
     DPL__FIELD(dpl_eval_bleu_options, is_lowercase),
     .changes_result = true,
     .help = "ignore the case of letters"},
    {.name = "pretokenized",
     .type = DPL_OPTION_FLAG,
     DPL__FIELD(dpl_eval_bleu_options, is_pretokenized),
     .changes_result = true,
     .help = "words are separated by white space; without it punctuation is split off by the "
             "13a rules"},
};
DPL__OPTION_TABLE(eval_bleu, dpl_eval_bleu_options, bleu_options)
