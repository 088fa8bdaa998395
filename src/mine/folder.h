/*
 * folder.h - the folder of a run: made, and known again.
 */
#ifndef DPL_SRC_FOLDER_H
#define DPL_SRC_FOLDER_H

#include "doppel/mine.h"

/* Makes dir and its work/. What work/ holds depends on the inputs and some options; they are
 * written to work/settings.json. With options->resume they must be the same as there; else what
 * an earlier run left in work/ is removed, and an input that is in there is DPL_E_USAGE. */
dpl_status dpl__folder_begin(dpl_ctx *ctx, const char *dir, const char *const *paths,
                             size_t n_paths, const dpl_mine_options *options, dpl_error *err);

/* Removes what a run left in the folder's work/, and both if nothing else is in them. */
void dpl__folder_remove(const char *dir);

#endif
