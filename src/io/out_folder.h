/*
 * out_folder.h - the output folder of a run: made, locked, recognised again.
 *
 *     DPL_TRY(dpl__out_folder_open(&folder, &names, dir, temp_dir, err));
 *     DPL_TRY(dpl__out_folder_check_input(&folder, path, err));    of each input
 *     DPL_TRY(dpl__out_folder_begin(&folder, ctx, settings, &is_resumed, err));
 *     ...
 *     dpl__out_folder_close(&folder);
 */
#ifndef DPL_IO_OUT_FOLDER_H
#define DPL_IO_OUT_FOLDER_H

#include "doppel/file.h"

#include "base/base.h"

/* What a command makes. Names are patterns of fnmatch, with NULL at the end. */
typedef struct dpl__folder_names {
    const char *command;        /* "doppel mine": the first key of its settings */
    const char *settings;       /* file of the settings, in work/ */
    const char *const *results; /* in the folder */
    const char *const *work;    /* in work/, the settings among them */
    const char *const *passing; /* in work/, made and removed while a run is at work */
} dpl__folder_names;

/* Owned. Zeroed memory may be closed. */
typedef struct dpl__out_folder {
    const dpl__folder_names *names;
    char dir[3900];
    char work[4000];        /* dir/work */
    int lock;               /* descriptor of work/, with a lock on it; 0: none */
    dpl_temp_dir temporary; /* what dir is then; else empty */
} dpl__out_folder;

/* Makes dir and dir/work (dir NULL: a temporary folder in temp_dir, which close removes), and
 * locks dir/work against other runs until it is closed: one that is locked is DPL_E_IO, code
 * "folder-in-use". After a failure it is closed. */
dpl_status dpl__out_folder_open(dpl__out_folder *f, const dpl__folder_names *names,
                                const char *dir, const char *temp_dir, dpl_error *err);
void dpl__out_folder_close(dpl__out_folder *f);

/* What is read must be neither removed nor replaced: DPL_E_USAGE, code "input-in-work" or
 * "output-is-input". NULL and "-" are fine. */
dpl_status dpl__out_folder_check_input(const dpl__out_folder *f, const char *path,
                                       dpl_error *err);

/* `settings` describes the inputs and all options that change results: JSON, some of it a line,
 * with the command as its first key. With *is_resumed an existing description must be the same
 * (DPL_E_USAGE, code "resume-other-run"); otherwise the files of the earlier run in work/ are
 * removed and it is written. *is_resumed becomes whether there was one to resume.
 *
 * A work/ that holds anything, but no settings of the command, is left alone (DPL_E_USAGE, code
 * "folder-foreign"). Files that a killed run left unfinished are removed, and the results of an
 * earlier run in a folder that is ours: there are none until the run has succeeded. */
dpl_status dpl__out_folder_begin(const dpl__out_folder *f, dpl_ctx *ctx, dpl_str settings,
                                 bool *is_resumed, dpl_error *err);

/* dir/name or, with is_work, dir/work/name, in out. */
dpl_status dpl__out_folder_file(char *out, size_t n_out, const dpl__out_folder *f, bool is_work,
                                const char *name, dpl_error *err);

/* Removes what an earlier run left in dir and dir/work, if it was one of the command: it cannot
 * be resumed any more. Folders that are empty then are removed. */
void dpl__out_folder_clear(const dpl__folder_names *names, dpl_ctx *ctx, const char *dir);
/* Removes what a run left in dir/work, and both if nothing else is in them. */
void dpl__out_folder_remove(const dpl__folder_names *names, const char *dir);

#endif
