/*
 * tokens_params.h - the constants of tokens that decide results (base/params.h).
 */
#ifndef DPL_TOKENS_TOKENS_PARAMS_H
#define DPL_TOKENS_TOKENS_PARAMS_H

#include "base/params.h"

/* clang-format off */
#define DPL__TOKENS_PARAMS(PARAM)                                                              \
    /* languages of the inputs */                                                              \
    PARAM(tokens, language_docs, 5, "documents", "a language with fewer takes no part")        \
    PARAM(tokens, language_percent, 1, "%",                                                    \
          "and with a smaller share, unless documents declare it: mostly misidentified")       \
    PARAM(tokens, single_percent, 80, "%",                                                     \
          "a file with such a share in one language is in that language as a whole")           \
    PARAM(tokens, declared_percent, 5, "%",                                                    \
          "unless such a share declares another one")                                          \
    /* languages of sentences */                                                               \
    PARAM(tokens, sentence_bytes, 60, "bytes",                                                 \
          "a shorter sentence is in the language of the one before, or of its document")
/* clang-format on */
DPL__PARAMS_DECLARE(DPL__TOKENS_PARAMS)

#endif
