/*
 * sort_words.h - a set of words put into byte order.
 */
#ifndef DPL_LEXICON_SORT_WORDS_H
#define DPL_LEXICON_SORT_WORDS_H

#include "io/sections.h"
#include "tokens/terms.h"

/* Copies the terms into strings in byte order; rank[i] (room for all of them) receives the
 * place of term i. Cost: n log n comparisons, most of them of eight bytes. */
dpl_status dpl__words_sort(dpl__strings *out, uint32_t *rank, const dpl__terms *terms,
                           dpl_error *err);
/* The same of different texts. */
dpl_status dpl__texts_sort(dpl__strings *out, uint32_t *rank, dpl_ctx *ctx,
                           const dpl_str *texts, size_t n, dpl_error *err);
/* Copies texts into strings, in their order. */
dpl_status dpl__words_pack(dpl__strings *out, dpl_ctx *ctx, const dpl_str *texts, size_t n,
                           dpl_error *err);
/* Whether there is a control character or a line break in it: files of lexicons have none. */
bool dpl__has_control(dpl_str text);
/* Frees strings that were made here; zeroed ones are allowed. */
void dpl__words_free(dpl__strings *words, dpl_ctx *ctx);

#endif
