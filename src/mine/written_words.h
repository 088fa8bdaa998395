/*
 * written_words.h - stems become words again, as a collection writes them: for people to read.
 */
#ifndef DPL_MINE_WRITTEN_WORDS_H
#define DPL_MINE_WRITTEN_WORDS_H

#include "doppel/tokens.h"

#include "base/base.h"

/* Terms of a collection in its language, and how it was split into words. */
typedef struct dpl__writing {
    dpl_ctx *ctx;
    const dpl_collection *docs;
    const dpl_tokens_options *options;
    const char *lang;
} dpl__writing;

/* Each of terms becomes the most frequent word with that stem in the documents that were
 * looked at: those with one of the terms, from the first on, up to some MB. Ties: the one that
 * comes first. A term that was not found stays. Borrowed from the collection. */
dpl_status dpl__words_as_written(const dpl__writing *w, dpl_str *terms, size_t n,
                                 dpl_error *err);

#endif
