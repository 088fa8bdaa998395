/*
 * page.h - the web page as bytes in the library.
 *
 * web/assemble.cmake puts the files of web/ together at build time and computes the hashes for
 * the policy. The page has one inline style, one inline script, and fetches nothing but
 * /api/v1/ of the server that sent it.
 */
#ifndef DPL_PAGE_PAGE_H
#define DPL_PAGE_PAGE_H

#include <stddef.h>

#include "base/vec.h"
#include "doppel/index.h"

/* The page of the server: a whole HTML document. */
extern const unsigned char dpl__page[];
extern const size_t dpl__page_size;
/* Value of the Content-Security-Policy header it must be sent with. */
extern const char dpl__page_csp[];

/* ---- the page without a server ---------------------------------------------------------- */

extern const unsigned char dpl__offline_head[];
extern const size_t dpl__offline_head_size;
extern const unsigned char dpl__offline_tail[];
extern const size_t dpl__offline_tail_size;
/* Size 0: built without a compiler for WebAssembly. */
extern const unsigned char dpl__offline_wasm[];
extern const size_t dpl__offline_wasm_size;

/* Appends a table of the words in the texts of a stemmed index. Per language a line "=de", then
 * lines "word<TAB>stem" in the order of their bytes, without a stem where it is the word; then
 * a line "~de" and lines "suffix<TAB>n text" likewise: of other words with that suffix, n bytes
 * go and the text comes; "^" in a suffix is the begin of the word. DPL_E_UNSUPPORTED with the
 * code "page-stems" when the index has no texts. */
dpl_status dpl__page_stems(dpl__bytes *out, dpl_ctx *ctx, const dpl_index *index,
                           dpl_error *err);

#endif
