/*
 * stemming.h - words of one language without their endings: Snowball.
 */
#ifndef DPL_TOKENS_STEMMING_H
#define DPL_TOKENS_STEMMING_H

#include "base/base.h"

/* Owned. */
typedef struct dpl__stemmer dpl__stemmer;

/* Whether there is a stemmer for this language, given by its canonical code. */
bool dpl__stem_has(const char *lang);
/* DPL_E_UNSUPPORTED when there is none. */
dpl_status dpl__stemmer_new(dpl__stemmer **out, dpl_ctx *ctx, const char *lang, dpl_error *err);
void dpl__stemmer_free(dpl__stemmer *stemmer);

/* The stem of a word in valid UTF-8, case-folded, under 2 GiB. Never empty unless the word is;
 * a word that cannot be stemmed comes back as it is. Borrowed until the next call, or as long
 * as the word. */
dpl_str dpl__stem(dpl__stemmer *stemmer, dpl_str word);

/* The i-th language that has a stemmer; NULL past the last one. */
const char *dpl__stem_language(size_t i);

#endif
