/*
 * write.h - words, tables and perhaps a model become a lexicon file.
 */
#ifndef DPL_SRC_LEXICON_WRITE_H
#define DPL_SRC_LEXICON_WRITE_H

#include "doppel/lexicon.h"

#include "lexicon/table.h"
#include "lexicon/wordmodel.h"
#include "lexicon/words.h"

/* What a lexicon consists of; the left side is the source. Borrowed. */
typedef struct dpl__lexicon_parts {
    const char *lang[2]; /* canonical; "" when not known */
    bool is_stemmed;
    bool is_pretokenized;      /* trained on words between blanks */
    dpl__strings words[2];     /* folded, in byte order */
    const uint64_t *counts[2]; /* of each word; NULL: not known */
    dpl__table table[2]; /* [DPL__LEFT]: p(right|left), a row for each left word; [DPL__RIGHT]:
                            p(left|right) */
    const dpl__wordmodel *model; /* of the same words; NULL: none */
} dpl__lexicon_parts;

dpl_status dpl__lexicon_write(uint64_t *n_bytes, dpl_ctx *ctx, const char *out_path,
                              const dpl__lexicon_parts *parts, dpl_error *err);

/* Leaves of each row what the options let stay (doppel/lexicon.h); counts[i] belongs to entry
 * i, NULL: not known. Of equals the lower number stays. In place. */
dpl_status dpl__prune(dpl__table *table, dpl_ctx *ctx, const float *counts,
                      const dpl_prune *options, dpl_error *err);

#endif
