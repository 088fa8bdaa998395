/*
 * read_summary.h - the figures about records that did not become documents, for the tables of
 * summaries.
 */
#ifndef DPL_READERS_READ_SUMMARY_H
#define DPL_READERS_READ_SUMMARY_H

#include "base/summary.h"

/* The name of the i-th dpl_drop. */
const char *dpl__drop_choice(unsigned i);
/* DPL_FIGURE_SKIPPED: dpl_skip_list_json. */
void dpl__put_skipped(dpl_json *j, const char *key, const void *list);

/* clang-format off */
/* By reason; and the first of them. */
#define DPL__DROPPED(type_, field_, zeros_) \
    {.name = "dropped", .type = DPL_FIGURE_COUNTS, DPL__FIGURE(type_, field_), \
     .choice = dpl__drop_choice, .has_zeros = zeros_, .label = "dropped", \
     .help = "object: reason to number of records that did not become documents"}
#define DPL__SKIPPED(type_, field_) \
    {.name = "skipped", .type = DPL_FIGURE_SKIPPED, DPL__FIGURE(type_, field_), \
     .put = dpl__put_skipped, \
     .help = "records that were left out: counts (reason to number), and records: the first " \
             "of each reason, with file, line, reason and text"}
/* clang-format on */

/* The same of dpl_read_counts, as a part. */
extern const dpl_summary_table dpl__dropped_figures;

#endif
