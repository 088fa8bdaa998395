/*
 * stems.h - stems of the words of an index, for a page, which has no stemmers.
 */
#ifndef DPL_PAGE_STEMS_H
#define DPL_PAGE_STEMS_H

#include "base/vec.h"
#include "doppel/index.h"

/* Appends a table of the words in the texts of a stemmed index. Per language a line "=de", then
 * lines "word<TAB>stem" in the order of their bytes, without a stem where it is the word; then
 * a line "~de" and lines "suffix<TAB>n text" likewise: of other words with that suffix, n bytes
 * go and the text comes; "^" in a suffix is the begin of the word. DPL_E_UNSUPPORTED with the
 * code "page-stems" when the index has no texts. */
dpl_status dpl__page_stems(dpl__bytes *out, dpl_ctx *ctx, const dpl_index *index,
                           dpl_error *err);

#endif
