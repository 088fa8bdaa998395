/*
 * romanize.h - words of any script in the letters a to z.
 *
 *     dpl__romanizer *r = NULL;
 *     DPL_TRY(dpl__romanizer_new(&r, ctx, err));
 *     char letters[DPL__ROMANIZED];
 *     size_t n = dpl__romanize(r, letters, word);
 *     dpl__romanizer_free(r);
 *
 * Owned: one thread at a time.
 */
#ifndef DPL_UNICODE_ROMANIZE_H
#define DPL_UNICODE_ROMANIZE_H

#include "base/base.h"

enum { DPL__ROMANIZED = 64 }; /* letters, at most; what is longer is cut */

typedef struct dpl__romanizer dpl__romanizer;

dpl_status dpl__romanizer_new(dpl__romanizer **out, dpl_ctx *ctx, dpl_error *err);
void dpl__romanizer_free(dpl__romanizer *r);

/* The letters a to z and digits 0 to 9 that a word (valid UTF-8) is written with: marks are
 * dropped, digits of any script become ASCII, Han characters are written as they are read in
 * Mandarin, kana and other scripts by ICU's rules. Scripts that ICU has no rules for are read
 * by the names of their letters ("MEETEI MAYEK LETTER KOK" is k). Returns how many letters. */
size_t dpl__romanize(dpl__romanizer *r, char out[DPL__ROMANIZED], dpl_str word);

#endif
