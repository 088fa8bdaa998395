/*
 * temporary.h - unnamed temporary files, for spill.c, sorter.c and container.c.
 */
#ifndef DPL_IO_TEMPORARY_H
#define DPL_IO_TEMPORARY_H

#include "io/spill.h"

/* Where unnamed files go when the caller has not said: "/tmp". */
extern const char dpl__unnamed_dir[];

/* A file in dir without a name, which is gone when it is closed and unmapped. */
dpl_status dpl__unnamed_open(int *fd, const char *dir, dpl_error *err);

dpl_status dpl__temporary_open(int *fd, const dpl__spill *spill, dpl_error *err);
dpl_status dpl__temporary_write(int fd, dpl__spill *spill, const void *data, size_t n,
                                uint64_t offset, dpl_error *err);
dpl_status dpl__temporary_read(int fd, const dpl__spill *spill, void *data, size_t n,
                               uint64_t offset, dpl_error *err);

#endif
