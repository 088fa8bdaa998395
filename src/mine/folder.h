/*
 * folder.h - the output folder of mining (io/out_folder.h): its names, and what a run in it is
 * known by.
 */
#ifndef DPL_MINE_FOLDER_H
#define DPL_MINE_FOLDER_H

#include "doppel/mine.h"

#include "io/out_folder.h"

extern const dpl__folder_names dpl__mine_names;

/* A run that is to be recognised. */
typedef struct dpl__mine_folder_run {
    const char *dir; /* NULL: a temporary folder */
    const dpl_input *inputs;
    size_t n_inputs;
    const dpl_mine_options *options;
} dpl__mine_folder_run;

/* Opens and begins: work/settings.json has the version, inputs, seed, and every option that
 * changes results, by the tables of doppel/options.h. */
dpl_status dpl__run_folder_open(dpl__out_folder *out, dpl_ctx *ctx,
                                const dpl__mine_folder_run *run, dpl_error *err);

#endif
