/*
 * files.h - small things about files: whole writes, whole reads, names of folders.
 */
#ifndef DPL_IO_FILES_H
#define DPL_IO_FILES_H

#include "base/base.h"

/* All n bytes at the offset, or an errno. */
int dpl__pwrite_all(int fd, const void *data, size_t n, uint64_t offset);
/* All n bytes at the offset, or an errno; EIO when the file ends before. */
int dpl__pread_all(int fd, void *data, size_t n, uint64_t offset);

/* The bytes of a file, which are to be unmapped, or an errno; NULL, 0 of an empty one. */
int dpl__map_file(const char **data, size_t *n, const char *path);
void dpl__unmap_file(const char *data, size_t n);

/* All n bytes to what cannot seek, or an errno. */
int dpl__write_all(int fd, const void *data, size_t n);

/* The folder of path, "." when it names none, into out of n bytes. False if it does not fit. */
bool dpl__dirname(char *out, size_t n, const char *path);

/* Makes the folder and those above it unless they are there. */
dpl_status dpl__folder_make(const char *path, dpl_error *err);
/* Removes temporary folders (dpl_temp_dir_make) there of processes of this host that are gone.
 */
void dpl__temp_dirs_clean(const char *base);
/* Locks the folder itself, so that no file is left behind; *fd is to be closed, 0 after a
 * failure. Waits a moment,
 * because a run that was killed takes one to end; then another run writes to it
 * ("folder-in-use"). Where the file system has no such locks, it succeeds without. */
dpl_status dpl__folder_lock(int *fd, const char *path, dpl_error *err);

#endif
