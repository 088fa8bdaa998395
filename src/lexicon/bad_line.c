/*
 * bad_line.c - the error of a line that cannot be read.
 */
#include "lexicon/bad_line.h"

#include <stdarg.h>
#include <stdio.h>

dpl_status dpl__bad_line(dpl__line_place place, dpl_error *err, const char *fmt, ...)
{
    const bool is_skipped = place.n_skipped != NULL;
    if (is_skipped) {
        if (++*place.n_skipped > 1 || !place.first)
            return DPL_END;
        err = place.first;
    }
    char text[400];
    va_list ap;
    va_start(ap, fmt);
    vsnprintf(text, sizeof text, fmt, ap);
    va_end(ap);
    dpl__fail(err, DPL_E_FORMAT, "'%s' line %llu: %s", place.name,
              (unsigned long long)place.line, text);
    dpl__error_place(err, place.line, place.column, 0);
    return is_skipped ? DPL_END : DPL_E_FORMAT;
}
