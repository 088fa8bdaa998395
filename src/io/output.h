/*
 * output.h - text of any length to a file that appears when it is complete: dpl_output of
 * doppel/file.h under its name inside the library.
 */
#ifndef DPL_IO_OUTPUT_H
#define DPL_IO_OUTPUT_H

#include "doppel/file.h"

#include "base/base.h"

typedef dpl_output dpl__output;
#define dpl__output_new dpl_output_new
#define dpl__output_free dpl_output_free
#define dpl__output_write dpl_output_write
#define dpl__output_finish dpl_output_finish

#endif
