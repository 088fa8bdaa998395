/*
 * markup.h - markup with values in it: text escaped, numbers the same in every locale.
 *
 *     dpl__markup_put(o, "<td lang=\"$\">$</td>", dpl__as_name(lang), dpl__as_text(text));
 *
 * Each $ of the markup stands for the next value. What comes out is well-formed XML whatever
 * bytes the values hold, as long as the markup is.
 */
#ifndef DPL_REPORT_MARKUP_H
#define DPL_REPORT_MARKUP_H

#include "doppel/file.h"

#include "base/summary.h"

typedef struct dpl__value {
    enum {
        DPL__VALUE_TEXT,
        DPL__VALUE_COUNT,
        DPL__VALUE_FIXED,
        DPL__VALUE_SECONDS,
        DPL__VALUE_PLACE
    } kind;
    int digits;
    dpl_str text;
    uint64_t count;
    double number;
} dpl__value;

/* Escaped for elements and for attributes in double quotes. What XML cannot hold (control
 * characters, bytes that are no UTF-8) becomes U+FFFD. */
static inline dpl__value dpl__as_text(dpl_str text)
{
    return (dpl__value){.kind = DPL__VALUE_TEXT, .text = text};
}

/* NULL is empty. */
static inline dpl__value dpl__as_name(const char *name)
{
    return dpl__as_text(dpl__cstr(name));
}

/* 12,345 */
static inline dpl__value dpl__as_count(uint64_t n)
{
    return (dpl__value){.kind = DPL__VALUE_COUNT, .count = n};
}

/* 1,234.50 with two digits; a dash where there is no number. */
static inline dpl__value dpl__as_fixed(double x, int digits)
{
    return (dpl__value){.kind = DPL__VALUE_FIXED, .number = x, .digits = digits};
}

/* 3.20 s, 12 min 5 s, 3 h 20 min */
static inline dpl__value dpl__as_seconds(double x)
{
    return (dpl__value){.kind = DPL__VALUE_SECONDS, .number = x};
}

/* A place in a drawing: -1234.5, no more digits than needed, two behind the point at most. */
static inline dpl__value dpl__as_place(double x)
{
    return (dpl__value){.kind = DPL__VALUE_PLACE, .number = x};
}

/* Markup as it is. */
void dpl__markup_raw(dpl_output *o, const char *markup);
void dpl__markup_text(dpl_output *o, dpl_str text);
void dpl__markup_fill(dpl_output *o, const char *markup, const dpl__value *values, size_t n);
#define dpl__markup_put(o, markup, ...)                                                        \
    dpl__markup_fill((o), (markup), (const dpl__value[]){__VA_ARGS__},                         \
                     DPL_LEN(((const dpl__value[]){__VA_ARGS__})))

/* Markup that is a text of doppel/summary.h: values by the names of figures. {name:.1f} has
 * that number of digits, {name:.1p} is a percentage without its sign, {name:s} a time. */
void dpl__markup_figures(dpl_output *o, const dpl_figures *in, size_t position,
                         const char *markup);

#endif
