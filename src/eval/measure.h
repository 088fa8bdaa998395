/*
 * measure.h - what the measures of this folder have in common.
 */
#ifndef DPL_EVAL_MEASURE_H
#define DPL_EVAL_MEASURE_H

#include "io/lines.h"

/* Shares of nothing are 0. */
static inline double dpl__share(uint64_t part, uint64_t whole)
{
    return whole ? (double)part / (double)whole : 0;
}

static inline double dpl__f1(double precision, double recall)
{
    return precision + recall > 0 ? 2 * precision * recall / (precision + recall) : 0;
}

/* Once for each line that was read: reports the progress from time to time. */
dpl_status dpl__measure_report(const dpl__lines *lines, dpl_error *err);

/* "auto", "pharaoh", "naacl"; NULL when out of range. */
const char *dpl__word_links_format_name(unsigned format);

#endif
