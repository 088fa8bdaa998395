/*
 * tokens_params.h - the constants of tokens that decide results (base/params.h).
 */
#ifndef DPL_TOKENS_TOKENS_PARAMS_H
#define DPL_TOKENS_TOKENS_PARAMS_H

#include "base/params.h"

/* clang-format off */
#define DPL__TOKENS_PARAMS(PARAM) \
    /* languages of the inputs */ \
    PARAM(tokens, language_docs, 5, "documents", \
          "Languages with fewer documents are left out") \
    PARAM(tokens, language_percent, 1, "%", \
          "Undeclared languages with a smaller percentage of documents are left out. They are " \
          "mostly misidentified") \
    PARAM(tokens, single_percent, 80, "%", \
          "A file with this percentage of documents in one language is wholly in that " \
          "language") \
    PARAM(tokens, declared_percent, 5, "%", \
          "Unless this percentage of documents declares another language") \
    /* languages of sentences */ \
    PARAM(tokens, sentence_bytes, 60, "bytes", \
          "A shorter sentence, in bytes, has the language of the one before or of its " \
          "document") \
    /* parts of words (morphs.c) */ \
    PARAM(tokens, morph_words, 50000, "words", \
          "Most words that parts are learned from") \
    PARAM(tokens, morph_docs, 0.05, "share of documents", \
          "Parts in more documents say little. F1 of verses in five languages: 0.827, with all " \
          "0.825 in a sixth more time") \
    PARAM(tokens, morph_turns, 6, "turns", \
          "Most turns over all words") \
    PARAM(tokens, morph_gain, 0.005, "nats", \
          "A turn that shortens the description of a word by less is the last")
/* clang-format on */
DPL__PARAMS_DECLARE(DPL__TOKENS_PARAMS)

#endif
