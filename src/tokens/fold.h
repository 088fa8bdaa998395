/*
 * fold.h - from a word in the text to its term.
 *
 * Full case folding, NFC, soft hyphens out, one kind of apostrophe; then, as the options ask:
 * stop words dropped, elided articles ("l'eau") cut off, stemmed; at last cut to a length.
 */
#ifndef DPL_TOKENS_FOLD_H
#define DPL_TOKENS_FOLD_H

#include "doppel/tokens.h"

#include "base/arena.h"
#include "tokens/terms.h"

/* Characters of a term, unless the options say otherwise. */
enum { DPL__MAX_TOKEN = 40 };

/* Owned: one per worker. */
typedef struct dpl__folder dpl__folder;

/* Checks the options. Their stop_file is not read here: see dpl__folder_stop. */
dpl_status dpl__folder_new(dpl__folder **out, dpl_ctx *ctx, const dpl_tokens_options *options,
                           dpl_error *err);
void dpl__folder_free(dpl__folder *folder);
/* Drops these words, too (stop_file.h), from now on; NULL: none. Borrowed. */
void dpl__folder_stop(dpl__folder *folder, const dpl__terms *words);

/* Sets the language of the following words. Cheap if it stays the same. */
dpl_status dpl__folder_language(dpl__folder *folder, const char *lang, dpl_error *err);

/* Whether the language keeps dotted and dotless i apart: elsewhere "I" and "i", and so any two
 * words that differ in the case of A to Z alone, have the same term. */
bool dpl__folder_is_turkic(const dpl__folder *folder);

/* The term of a word (valid UTF-8); empty when it is dropped. Borrowed until the next call. */
dpl_status dpl__fold(dpl__folder *folder, dpl_str word, dpl_str *term, dpl_error *err);

#endif
