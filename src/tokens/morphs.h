/*
 * morphs.h - the parts that words of a language are made of, learned from its words alone.
 *
 * A language without a stemmer has many forms of each word, most of them rare. Their parts
 * (morphs: "veg" + "semd" + "ar") are frequent.
 */
#ifndef DPL_TOKENS_MORPHS_H
#define DPL_TOKENS_MORPHS_H

#include "doppel/tokens.h"

enum { DPL__MOST_MORPHS = 40 }; /* of a word */

/* Frozen. */
typedef struct dpl__morphs dpl__morphs;

/* Learns from the most frequent words of the collection, which may be closed afterwards. NULL:
 * no word has parts. */
dpl_status dpl__morphs_learn(dpl__morphs **out, dpl_ctx *ctx, const dpl_collection *c,
                             dpl_error *err);
void dpl__morphs_free(dpl__morphs *morphs);

/* What a word says by its parts: the likeliest ones, in order, without those of one character
 * and those in many documents, which say little. 0: it is a part itself, has digits or 40
 * characters and more, or is of a script without blanks. Borrowed from the word. */
size_t dpl__morphs_of(dpl_str parts[DPL__MOST_MORPHS], const dpl__morphs *morphs, dpl_str word);

#endif
