/*
 * folder.h - the folder of a run: made, locked, recognised again.
 *
 *     DPL_TRY(dpl__folder_open(&folder, ctx, dir, inputs, n_inputs, options, err));
 *     ...
 *     dpl__folder_close(&folder);
 */
#ifndef DPL_MINE_FOLDER_H
#define DPL_MINE_FOLDER_H

#include "doppel/file.h"
#include "doppel/mine.h"

/* Owned. Zeroed memory may be closed. */
typedef struct dpl__folder {
    char dir[3900];
    char work[4000];        /* dir/work */
    int lock;               /* descriptor of work/, with a lock on it; 0: none */
    dpl_temp_dir temporary; /* what dir is then; else empty */
} dpl__folder;

/* Makes dir and dir/work (dir NULL: a temporary folder, which close removes), and locks
 * dir/work against other runs until it is closed: one that is locked is DPL_E_IO, code
 * "folder-in-use".
 *
 * work/settings.json describes the inputs and all options that change results. With
 * options->resume an existing one must be the same (DPL_E_USAGE, code "resume-other-run");
 * otherwise the files of the earlier run in work/ are removed. A work/ that holds anything, but
 * no settings.json of ours, is left alone (DPL_E_USAGE, code "folder-foreign"), and so is one
 * that an input is in, or a dir whose outputs would replace an input ("output-is-input").
 * Files that a killed run left unfinished are removed, and the results of an earlier run in a
 * folder that is ours: there are none until the run has succeeded. */
dpl_status dpl__folder_open(dpl__folder *out, dpl_ctx *ctx, const char *dir,
                            const dpl_input *inputs, size_t n_inputs,
                            const dpl_mine_options *options, dpl_error *err);
void dpl__folder_close(dpl__folder *folder);

/* Removes what an earlier run left in dir and dir/work, if it was one of ours: it cannot be
 * resumed any more. Folders that are empty then are removed. */
void dpl__folder_clear(dpl_ctx *ctx, const char *dir);

/* Removes what a run left in the folder's work/, and both if nothing else is in them. */
void dpl__folder_remove(const char *dir);

#endif
