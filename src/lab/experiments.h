/*
 * experiments.h - the experiments; each is in the file of its name.
 */
#ifndef DPL_LAB_EXPERIMENTS_H
#define DPL_LAB_EXPERIMENTS_H

#include "lab/experiment.h"

dpl__lab_fn dpl__lab_plan_settings, dpl__lab_plan_surface;
dpl__lab_fn dpl__lab_mine_counterparts, dpl__lab_mine_translated, dpl__lab_mine_size;
dpl__lab_fn dpl__lab_hash_figure_3, dpl__lab_hash_figure_4, dpl__lab_hash_table_2,
    dpl__lab_hash_figure_5, dpl__lab_hash_growth, dpl__lab_hash_tradeoff, dpl__lab_hash_learned,
    dpl__lab_pocket_figure_1;

#endif
