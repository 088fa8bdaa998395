/*
 * run_settings.h - inputs and options of a run as a text, to recognise the run again.
 */
#ifndef DPL_MINE_RUN_SETTINGS_H
#define DPL_MINE_RUN_SETTINGS_H

#include "doppel/mine.h"

#include "base/vec.h"

/* JSON, some of it a line: version, inputs, seed, and every option that changes results, by the
 * tables of doppel/options.h. */
dpl_status dpl__settings_describe(dpl__bytes *text, dpl_ctx *ctx, const dpl_input *inputs,
                                  size_t n_inputs, const dpl_mine_options *options,
                                  dpl_error *err);

/* DPL_E_USAGE, code "resume-other-run", when the file holds anything else. */
dpl_status dpl__settings_compare(dpl_ctx *ctx, const char *path, const dpl__bytes *text,
                                 dpl_error *err);

/* Does the file begin as settings do? */
bool dpl__settings_are_ours(dpl_ctx *ctx, const char *path);

#endif
