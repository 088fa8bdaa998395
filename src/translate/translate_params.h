/*
 * translate_params.h - the constants of translation that decide results (base/params.h).
 *
 * "by hand": the value was fixed by hand; others were not compared.
 */
#ifndef DPL_TRANSLATE_TRANSLATE_PARAMS_H
#define DPL_TRANSLATE_TRANSLATE_PARAMS_H

#include "base/params.h"

/* clang-format off */
#define DPL__TRANSLATE_PARAMS(PARAM) \
    PARAM(translate, phrase_weight, 0.32, "", "Weight of ln p(target phrase|source phrase)") \
    PARAM(translate, back_weight, 0.512, "", "Weight of ln p(source phrase|target phrase)") \
    PARAM(translate, lexical_weight, 0.15, "", \
          "Weight of ln p of the words in each direction. By hand") \
    PARAM(translate, phrase_bonus, -0.2, "", \
          "Bonus for each phrase. Negative values prefer fewer, longer phrases; by hand") \
    PARAM(translate, word_bonus, 0.6, "", "Bonus for each target word. By hand") \
    PARAM(translate, model_weight, 0.5, "", "Weight of the language model. By hand") \
    PARAM(translate, jump_weight, 0.3, "", "Penalty for each word jumped over. By hand") \
    PARAM(translate, discount, 0.75, "count", \
          "Kneser-Ney discount of the language model. Usual") \
    PARAM(translate, unlinked, 0.02, "probability", \
          "Probability of a word without a link. By hand") \
    PARAM(translate, least_lexical, 1e-4, "probability", \
          "Probability of linked words that the lexicon does not have") \
    PARAM(translate, lexicon_count, 0.05, "phrase pairs", \
          "Phrase pairs that an entry of the lexicon counts as, times its probability") \
    PARAM(translate, lexicon_entries, 5, "translations", \
          "Maximum number of translations of a word from the lexicon") \
    PARAM(translate, unknown_score, -8, "ln p", "Score, ln p, of a word that is copied") \
    PARAM(translate, beam, 8, "hypotheses", \
          "Hypotheses kept for each number of translated words; an option")
/* clang-format on */

DPL__PARAMS_DECLARE(DPL__TRANSLATE_PARAMS)

#endif
