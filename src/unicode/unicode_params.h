/*
 * unicode_params.h - the constants of language identification that decide results
 * (base/params.h). docs/reference/LANGUAGES.md has how often it is right.
 */
#ifndef DPL_UNICODE_UNICODE_PARAMS_H
#define DPL_UNICODE_UNICODE_PARAMS_H

#include "base/params.h"

/* clang-format off */
#define DPL__UNICODE_PARAMS(PARAM) \
    PARAM(unicode, words_text, 240, "bytes", \
          "of a text whose language function words may tell") \
    PARAM(unicode, words_fewest, 18, "words", \
          "of the pieces that are looked at") \
    PARAM(unicode, words_percent, 24, "%", \
          "of these words in the list of function words of the language") \
    PARAM(unicode, words_rival, 55, "%", \
          "of the best score that any other language may have") \
    PARAM(unicode, words_different, 10, "words", \
          "of the list, different ones, in a piece counted once") \
    PARAM(unicode, words_exclusive, 6, "weight", \
          "of a word that is in the list of one language only; shared by those that have it") \
    PARAM(unicode, sentence_bytes, 240, "bytes", \
          "of a sentence whose language is checked that are looked at") \
    PARAM(unicode, sentence_first, 60, "bytes", \
          "after which the expected language of a sentence may be certain") \
    PARAM(unicode, sentence_own, 3, "words", \
          "different ones of its list that it takes for that") \
    PARAM(unicode, sentence_words, 5, "words", \
          "of a sentence that may be in another language than expected") \
    PARAM(unicode, sentence_foreign, 2, "words", \
          "different ones, that only the other language has, at least") \
    PARAM(unicode, sentence_for_each, 2, "words", \
          "more of these for each that only the expected language has") \
    PARAM(unicode, sentence_percent, 15, "%", \
          "of the words of the sentence that these are, at least") \
    PARAM(unicode, short_text, 512, "bytes", \
          "up to which no tiny sample is taken to identify a language") \
    PARAM(unicode, tiny_percent, 99, "%", \
          "of a tiny sample in one language, which decides; also the confidence of function words") \
    PARAM(unicode, clear_percent, 95, "%", \
          "of a small sample in one language, which decides") \
    PARAM(unicode, least_percent, 50, "%", \
          "of the text that an unreliable answer covers, or the language is unknown")
/* clang-format on */

DPL__PARAMS_DECLARE(DPL__UNICODE_PARAMS)

#endif
