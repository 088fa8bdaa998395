/*
 * lab_seeds.h - an experiment that was run with several seeds as one.
 */
#ifndef DPL_LAB_LAB_SEEDS_H
#define DPL_LAB_LAB_SEEDS_H

#include "lab/experiment.h"

enum { DPL__LAB_MOST_SEEDS = 20 };

/* A text in which the numbers of all n texts are replaced by their means, with as many decimals
 * as in the first; with_interval: "mean (low to high)" where they differ. Texts whose words
 * differ: the first. low and high, where they are not NULL and the texts are one number each,
 * get the 95 % interval of the mean, else NaN. */
void dpl__lab_pool(dpl__bytes *out, dpl__lab *lab, const dpl_str *texts, size_t n,
                   bool with_interval, double *low, double *high);

/* Pools tables and findings of the other runs into those of the first. Columns that differ get
 * two more at the end of their table, "NAME, low" and "NAME, high". */
dpl_status dpl__lab_pool_runs(dpl__lab *runs, size_t n, dpl_error *err);

#endif
