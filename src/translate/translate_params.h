/*
 * translate_params.h - the constants of translation that decide results (base/params.h).
 *
 * "by hand": the value was fixed by hand; others were not compared.
 */
#ifndef DPL_TRANSLATE_TRANSLATE_PARAMS_H
#define DPL_TRANSLATE_TRANSLATE_PARAMS_H

#include "base/params.h"

/* clang-format off */
#define DPL__TRANSLATE_PARAMS(PARAM)                                                           \
    PARAM(translate, phrase_weight, 0.32, "", "of ln p(target phrase|source phrase)")                    \
    PARAM(translate, back_weight, 0.512, "", "of ln p(source phrase|target phrase); the same") \
    PARAM(translate, lexical_weight, 0.15, "", "of ln p of the words, each way; by hand")      \
    PARAM(translate, phrase_bonus, -0.2, "", "for each phrase: fewer, longer ones; by hand")   \
    PARAM(translate, word_bonus, 0.6, "", "for each target word; by hand")                     \
    PARAM(translate, model_weight, 0.5, "", "of the language model; by hand")                  \
    PARAM(translate, jump_weight, 0.3, "", "for each word jumped over; by hand")               \
    PARAM(translate, discount, 0.75, "count", "of the language model: Kneser-Ney, usual")      \
    PARAM(translate, unlinked, 0.02, "probability", "of a word without a link; by hand")       \
    PARAM(translate, least_lexical, 1e-4, "probability", "of linked words that the lexicon does not have") \
    PARAM(translate, lexicon_count, 0.05, "phrase pairs",                                      \
          "that an entry of the lexicon counts as, times its probability")                     \
    PARAM(translate, lexicon_entries, 5, "translations", "of a word that come from the lexicon") \
    PARAM(translate, unknown_score, -8, "ln p", "of a word that is copied")                    \
    PARAM(translate, beam, 8, "hypotheses", "kept of each number of words that are translated, unless an option says otherwise")
/* clang-format on */

DPL__PARAMS_DECLARE(DPL__TRANSLATE_PARAMS)

#endif
