/*
 * skipped.h - records that were left out when inputs became collections: kept in work/, so that
 * a run that is resumed still knows them, and a section of the report.
 */
#ifndef DPL_REPORT_SKIPPED_H
#define DPL_REPORT_SKIPPED_H

#include "doppel/file.h"

#include "readers/skips.h"

/* The list of the collection called `name` in work/; none is left of an earlier run. */
dpl_status dpl__skipped_save(const struct dpl_skip_list *list, const char *work,
                             const char *name, dpl_error *err);
/* Adds the list of that collection, if there is one. */
dpl_status dpl__skipped_load(struct dpl_skip_list *list, const char *work, const char *name,
                             dpl_error *err);
void dpl__skipped_path(char out[4200], const char *work, const char *name);
void dpl__skipped_remove(const char *work, const char *name);

/* Whether anything was dropped that a reader of the report should know of. */
bool dpl__has_skipped(const dpl_skip_list *list);
/* Counts and the first records, as the inside of a section. */
void dpl__report_skipped(dpl_output *o, const dpl_skip_list *list);

#endif
