/*
 * temporary.h - unnamed temporary files, for spill.c and sorter.c.
 */
#ifndef DPL_SRC_TEMPORARY_H
#define DPL_SRC_TEMPORARY_H

#include "io/spill.h"

dpl_status dpl__temporary_open(int *fd, const dpl__spill *spill, dpl_error *err);
dpl_status dpl__temporary_write(int fd, dpl__spill *spill, const void *data, size_t n,
                                uint64_t offset, dpl_error *err);
dpl_status dpl__temporary_read(int fd, const dpl__spill *spill, void *data, size_t n,
                               uint64_t offset, dpl_error *err);

#endif
