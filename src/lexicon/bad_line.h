/*
 * bad_line.h - a line that cannot be read: an error that names it, or skipped and counted.
 */
#ifndef DPL_LEXICON_BAD_LINE_H
#define DPL_LEXICON_BAD_LINE_H

#include "base/base.h"

typedef struct dpl__line_place {
    const char *name;    /* of the input */
    uint64_t line;       /* from 1 */
    uint64_t column;     /* in bytes, from 1; 0: not known */
    uint64_t *n_skipped; /* such lines are skipped and counted here; NULL: they are errors */
    dpl_error *first;    /* with n_skipped: gets the error of the first one; NULL: not kept */
} dpl__line_place;

/* "'NAME' line N: TEXT", DPL_E_FORMAT; DPL_END when the line is skipped. */
DPL_COLD dpl_status dpl__bad_line(dpl__line_place place, dpl_error *err, const char *fmt, ...)
    DPL_PRINTF(3, 4);

/* The length of s for "%.*s" in such a text, which has limited room. */
static inline int dpl__shown(dpl_str s)
{
    return (int)dpl__min(s.n, 100);
}

#endif
