/*
 * sealed.h - text files of ours that are read again: the last line is "crc32c", tab and the
 * CRC-32C of all before it.
 */
#ifndef DPL_IO_SEALED_H
#define DPL_IO_SEALED_H

#include "doppel/file.h"

#include "base/base.h"

enum { DPL__SEAL = 16 }; /* bytes of that line, with its end */

/* Writes the last line. */
void dpl__output_seal(dpl_output *output);

/* DPL_E_FORMAT unless the file is as it was written. */
dpl_status dpl__check_seal(dpl_ctx *ctx, const char *path, dpl_error *err);
/* Is this the last line? */
bool dpl__is_seal(dpl_str line);

#endif
