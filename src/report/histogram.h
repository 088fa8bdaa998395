/*
 * histogram.h - counts of values in equal steps.
 */
#ifndef DPL_REPORT_HISTOGRAM_H
#define DPL_REPORT_HISTOGRAM_H

#include "base/base.h"

enum { DPL__BINS = 40 };

typedef struct dpl__histogram {
    double low, high;
    uint64_t n[DPL__BINS];
} dpl__histogram;

/* What lies outside counts for the first or the last step. */
static inline void dpl__histogram_add(dpl__histogram *h, double x)
{
    double at = (x - h->low) / (h->high - h->low) * DPL__BINS;
    h->n[at < 0 ? 0 : at >= DPL__BINS ? DPL__BINS - 1 : (size_t)at]++;
}

#endif
