/*
 * lexicon.h - what a lexicon holds, as plain arrays. Frozen.
 */
#ifndef DPL_SRC_LEXICON_H
#define DPL_SRC_LEXICON_H

#include "doppel/lexicon.h"

#include "lexicon/table.h"
#include "lexicon/words.h"

struct dpl_lexicon {
    dpl_ctx *ctx;
    dpl_lexicon_sizes sizes;
    char source_lang[12], target_lang[12]; /* canonical; "" when not known */
    dpl__strings sources, targets;         /* folded, in byte order */
    dpl__table table;                      /* p(target|source) */
};

/* The same over text in memory; name is for messages. */
dpl_status dpl__lexicon_open_memory(dpl_lexicon **out, dpl_ctx *ctx, const char *name,
                                    dpl_str text, const dpl_lexicon_options *options,
                                    dpl_error *err);

#endif
