/*
 * surface.h - stems become words again, as a text writes them, without a tokenizer: for lists
 * of words that people read, also in the page without a server.
 */
#ifndef DPL_SERVE_SURFACE_H
#define DPL_SERVE_SURFACE_H

#include "base/base.h"

/* out[i]: the shortest word of the text that begins like stems[i], whatever case and accents of
 * Latin letters, or stems[i] when there is none. Borrowed from the text. */
void dpl__surface_words(dpl_str *out, const dpl_str *stems, size_t n, dpl_str text);

#endif
