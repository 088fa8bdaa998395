/*
 * punctuation.h - the words of a text and the marks between them: what word alignment works
 * with.
 */
#ifndef DPL_LEXICON_PUNCTUATION_H
#define DPL_LEXICON_PUNCTUATION_H

#include "tokens/segment.h"

/* words: of the text (dpl__segment). Out, which is emptied first, come these, cut at
 * apostrophes, and between them the marks: all else that can be seen, runs of the same
 * character together. */
dpl_status dpl__add_punctuation(dpl__spans *out, dpl_ctx *ctx, dpl_str text,
                                const dpl__spans *words, dpl_error *err);

#endif
