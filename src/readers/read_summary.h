/*
 * read_summary.h - the figures about records that did not become documents, for the tables of
 * summaries.
 */
#ifndef DPL_READERS_READ_SUMMARY_H
#define DPL_READERS_READ_SUMMARY_H

#include "base/summary.h"

/* DPL_FIGURE_SKIPPED: dpl__skip_list_json. */
void dpl__put_skipped(dpl_json *j, const char *key, const void *list);

/* clang-format off */
/* The first of each reason; DROPPED: with a line that counts them. */
#define DPL__SKIPPED_AS(type_, field_, label_) \
    {DPL__FIGURE_OF(SKIPPED, "skipped", type_, field_), \
     .put = dpl__put_skipped, \
     .help = "records that were left out: counts (reason to number), and records: the first " \
             "of each reason, with file, line, reason and text", \
     .label = label_}
#define DPL__SKIPPED(type_, field_) DPL__SKIPPED_AS(type_, field_, NULL)
#define DPL__DROPPED(type_, field_) DPL__SKIPPED_AS(type_, field_, "dropped")
/* clang-format on */

#endif
