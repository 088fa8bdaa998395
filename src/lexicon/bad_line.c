/*
 * bad_line.c - the error of a line that cannot be read.
 */
#include "lexicon/bad_line.h"

#include <stdarg.h>
#include <stdio.h>

dpl_status dpl__bad_line(dpl__line_place place, dpl_error *err, const char *fmt, ...)
{
    if (place.n_skipped) {
        ++*place.n_skipped;
        return DPL_END;
    }
    char text[400];
    va_list ap;
    va_start(ap, fmt);
    vsnprintf(text, sizeof text, fmt, ap);
    va_end(ap);
    dpl__fail(err, DPL_E_FORMAT, "'%s' line %llu: %s", place.name,
              (unsigned long long)place.line, text);
    dpl__error_place(err, place.line, place.column, 0);
    return DPL_E_FORMAT;
}
