/*
 * plot.h - scripts that draw the tables, and the program that runs them.
 */
#ifndef DPL_LAB_PLOT_H
#define DPL_LAB_PLOT_H

#include "lab/experiment.h"

/* Writes NAME.gp with all plots of the experiment, and with a renderer runs it: one .svg and
 * one .png for each. A renderer that fails is no failure: lab->no_picture says what happened.
 */
dpl_status dpl__lab_render(dpl__lab *lab, dpl_error *err);
/* Name of the i-th picture, without its ending; NULL behind the last. */
const char *dpl__lab_picture(const dpl__lab *lab, size_t i);

#endif
