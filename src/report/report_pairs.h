/*
 * report_pairs.h - document pairs side by side: their sentences, and the words that match.
 */
#ifndef DPL_REPORT_REPORT_PAIRS_H
#define DPL_REPORT_REPORT_PAIRS_H

#include "doppel/file.h"

#include "report/report.h"

dpl_status dpl__report_pairs(dpl_output *o, dpl_ctx *ctx, const dpl__report *report,
                             dpl_error *err);

#endif
