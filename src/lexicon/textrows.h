/*
 * textrows.h - some rows of parallel text in memory. Owned.
 */
#ifndef DPL_SRC_TEXTROWS_H
#define DPL_SRC_TEXTROWS_H

#include "doppel/text.h"

#include "base/vec.h"

/* Zeroed memory with a context is an empty one. */
typedef struct dpl__textrows {
    dpl_ctx *ctx;
    dpl__bytes text;
    DPL_VEC(dpl_bitext_row) rows; /* slices of text */
} dpl__textrows;

/* The next rows, in place of those that were there: until there are enough, or some million
 * bytes of them. DPL_END when there is none left. */
dpl_status dpl__textrows_read(dpl__textrows *rows, dpl_bitext *reader, dpl_error *err);
void dpl__textrows_clear(dpl__textrows *rows);

#endif
