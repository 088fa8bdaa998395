/*
 * report_chart.h - histograms as drawings (SVG) that stretch with the page.
 */
#ifndef DPL_REPORT_REPORT_CHART_H
#define DPL_REPORT_REPORT_CHART_H

#include "doppel/file.h"

#include "report/report.h"

/* Best and second-best cosines of each round, one below the other, all on one scale. */
void dpl__chart_rounds(dpl_output *o, const dpl__report_round *rounds, size_t n);

/* Confidence, with the threshold marked. */
void dpl__chart_confidence(dpl_output *o, const dpl__histogram *h, double threshold);

/* How many things a histogram counts; no more than UINT64_MAX. */
uint64_t dpl__histogram_total(const dpl__histogram *h);

#endif
