/*
 * experiments.h - the experiments; each is in the file of its name.
 */
#ifndef DPL_LAB_EXPERIMENTS_H
#define DPL_LAB_EXPERIMENTS_H

#include "lab/lab.h"

dpl__lab_fn dpl__lab_plan_settings;
dpl__lab_fn dpl__lab_mine_counterparts, dpl__lab_mine_translated, dpl__lab_mine_size;

#endif
