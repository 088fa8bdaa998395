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
          "Shortest text, in bytes, whose language function words may decide") \
    PARAM(unicode, words_fewest, 18, "words", \
          "Lowest number of words in the pieces that are read") \
    PARAM(unicode, words_percent, 24, "%", \
          "Lowest percentage of these words in the language's list of function words") \
    PARAM(unicode, words_rival, 55, "%", \
          "Highest percentage of the best score that another language may reach") \
    PARAM(unicode, words_different, 10, "words", \
          "Lowest number of different words of the list") \
    PARAM(unicode, words_exclusive, 6, "weight", \
          "Weight of a word in the list of one language only. Languages that share a word " \
          "share its weight") \
    PARAM(unicode, sentence_bytes, 240, "bytes", \
          "Bytes of a sentence that the check of its language reads") \
    PARAM(unicode, sentence_first, 60, "bytes", \
          "Bytes after which the expected language may be certain") \
    PARAM(unicode, sentence_own, 3, "words", \
          "Lowest number of different words of its list for that") \
    PARAM(unicode, sentence_words, 5, "words", \
          "Lowest number of words of a sentence that may be in another language") \
    PARAM(unicode, sentence_foreign, 2, "words", \
          "Lowest number of different words that only the other language has") \
    PARAM(unicode, sentence_for_each, 2, "words", \
          "Further such words for each word that only the expected language has") \
    PARAM(unicode, sentence_percent, 15, "%", \
          "Lowest percentage of the sentence's words that these are") \
    PARAM(unicode, short_text, 512, "bytes", \
          "Language identification takes no tiny sample of shorter texts, in bytes") \
    PARAM(unicode, tiny_percent, 99, "%", \
          "A tiny sample with this percentage in one language decides. Also the confidence of " \
          "function words") \
    PARAM(unicode, clear_percent, 95, "%", \
          "A small sample with this percentage in one language decides") \
    PARAM(unicode, least_percent, 50, "%", \
          "An unreliable answer that covers less of the text, in percent, means unknown")
/* clang-format on */

DPL__PARAMS_DECLARE(DPL__UNICODE_PARAMS)

#endif
