/*
 * settings_file.h - inputs and options of a run as a text, to recognise the run again: written,
 * and compared byte for byte.
 */
#ifndef DPL_IO_SETTINGS_FILE_H
#define DPL_IO_SETTINGS_FILE_H

#include "base/base.h"

dpl_status dpl__settings_write(dpl_ctx *ctx, const char *path, dpl_str text, dpl_error *err);

/* DPL_E_USAGE, code "resume-other-run", when the file holds anything else. */
dpl_status dpl__settings_compare(dpl_ctx *ctx, const char *path, dpl_str text, dpl_error *err);

/* Does the file begin as settings with this first key do? */
bool dpl__settings_are_of(dpl_ctx *ctx, const char *path, const char *first_key);

#endif
