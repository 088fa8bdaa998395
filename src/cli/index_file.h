/*
 * index_file.h - what the commands that write an index have in common.
 */
#ifndef CLI_INDEX_FILE_H
#define CLI_INDEX_FILE_H

#include "cli/command.h"
#include "cli/summary.h"

#include "doppel/index.h"

/* The summary of an index that was written to path. */
void cli_index_summary(const dpl_index_summary *s, const dpl_ctx *ctx, const char *path);

/* clang-format off */
#define CLI_INDEX_JSON \
    {"documents", "documents of the index"}, \
    {"empty", "documents without words"}, \
    {"deleted", "documents that were left out or replaced"}, \
    {"codes, slots", "codes of all documents, and different ones"}, \
    {"output", "path of the index"}, \
    {"bytes", "size of the index"}, \
    {"spilled_bytes", "bytes written to temporary files"}, \
    {"seconds", "time it took"}, \
    CLI_MACHINE_JSON
/* clang-format on */

#endif
