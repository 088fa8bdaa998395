/*
 * calibration.h - how fast this machine is, measured once and kept in a file.
 */
#ifndef CLI_CALIBRATION_H
#define CLI_CALIBRATION_H

#include "doppel/pairs.h"

/* From $XDG_CACHE_HOME/doppel, or ~/.cache/doppel; measured and kept there when there is
 * nothing for this processor, instruction set, number of threads and version, or `again`. A
 * file that cannot be written is no failure. Returns the exit code. */
int cli_calibrate(dpl_speeds *out, dpl_ctx *ctx, bool again);

/* From a file of that form, for whatever machine it was. Returns the exit code. */
int cli_read_speeds(dpl_speeds *out, const char *path);

#endif
