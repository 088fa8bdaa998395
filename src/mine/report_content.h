/*
 * report_content.h - what the report shows: chosen pairs, their sentences, matching words.
 */
#ifndef DPL_MINE_REPORT_CONTENT_H
#define DPL_MINE_REPORT_CONTENT_H

#include "mine/pair_run.h"
#include "report/report.h"

/* report.html in the folder, of a run whose pairs are aligned. */
dpl_status dpl__write_report(const char *dir, const dpl__pair_run *run, dpl_error *err);

#endif
