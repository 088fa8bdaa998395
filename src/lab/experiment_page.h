/*
 * experiment_page.h - the Markdown page of an experiment.
 */
#ifndef DPL_LAB_EXPERIMENT_PAGE_H
#define DPL_LAB_EXPERIMENT_PAGE_H

#include "lab/experiment.h"

/* Writes NAME.md from the findings, notes, pictures and tables of the experiment. */
dpl_status dpl__lab_page_write(const dpl__lab *lab, double seconds, dpl_error *err);

#endif
