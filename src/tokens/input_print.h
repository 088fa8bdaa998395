/*
 * input_print.h - what inputs of a run are recognised by.
 *
 * A file by its size and time of the last change, a folder by those of all files in it: reading
 * the contents would take as long as the work that resuming saves.
 */
#ifndef DPL_TOKENS_INPUT_PRINT_H
#define DPL_TOKENS_INPUT_PRINT_H

#include "doppel/json.h"
#include "doppel/text.h"

/* A number that says whether the input is the same one. 0: not known, as of a stream, of
 * documents from the caller, or of a file that is not there. */
dpl_status dpl__input_print(uint64_t *out, dpl_ctx *ctx, const dpl_input *in, dpl_error *err);

/* Name, bytes and that number as an object; key NULL: in an array. */
dpl_status dpl__input_describe(dpl_json *j, dpl_ctx *ctx, const char *key, const dpl_input *in,
                               dpl_error *err);
/* The same of a file; path may be NULL. */
dpl_status dpl__file_describe(dpl_json *j, dpl_ctx *ctx, const char *key, const char *path,
                              dpl_error *err);

#endif
