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

/* From the most frequent words of the collection, which need not stay open. NULL: no word has
 * parts. */
dpl_status dpl__morphs_learn(dpl__morphs **out, dpl_ctx *ctx, const dpl_collection *c,
                             dpl_error *err);
void dpl__morphs_free(dpl__morphs *morphs);

/* The likeliest parts of a word: the end of each, in bytes, and how many there are. 1: the word
 * is a part itself, has digits or 40 characters and more, or is of a script without blanks. */
size_t dpl__morphs_split(size_t ends[DPL__MOST_MORPHS], const dpl__morphs *morphs,
                         dpl_str word);

#endif
