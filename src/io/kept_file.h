/*
 * kept_file.h - the value of a stage as a file: made once, read by all who need it.
 *
 *     const dpl__kept_file file = {"round", path, .key = key, .make = search, .read = load};
 *     DPL_TRY(dpl__kept_file_get(ctx, &file, err));
 *
 * A file that is there is read: an interrupted run left it in its work folder. Where processes
 * share the run (io/shared_run.h), one of them makes the file and the others get it, by its
 * key. Otherwise it is made here. Whoever made it, the value is read from the file; so a run
 * that is resumed, and one of several parts, cannot differ from one that was not.
 */
#ifndef DPL_IO_KEPT_FILE_H
#define DPL_IO_KEPT_FILE_H

#include "doppel/file.h"

#include "base/base.h"

typedef struct dpl__kept_file {
    const char *name; /* of the stage */
    const char *path; /* in the work folder */
    /* Others that make has written by the time the file is there, or not, and which go with it;
     * NULL at the end. NULL: none. */
    const char *const *more;
    uint64_t key; /* of what decides the file, beside its name and the settings of the run */
    void *user;
    /* Writes the file through a temporary name, or none, where the stage has no value. As
     * `make` of divided work (io/shared_run.h). */
    dpl_status (*make)(void *user, const char *path, dpl_error *err);
    /* DPL_END: a file that was there is not the one that is wanted; it is made again. */
    dpl_status (*read)(void *user, const char *path, dpl_error *err);
    bool is_passing; /* it is not kept for a run that is resumed: gone when it has been read */
    bool is_divided, is_for_all; /* as of shared work */
} dpl__kept_file;

/* A file that was there and cannot be read: its error, code "resume-damaged". One of another
 * process is made again. */
dpl_status dpl__kept_file_get(dpl_ctx *ctx, const dpl__kept_file *file, dpl_error *err);

#endif
