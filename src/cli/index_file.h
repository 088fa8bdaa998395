/*
 * index_file.h - what the commands that write an index have in common.
 */
#ifndef CLI_INDEX_FILE_H
#define CLI_INDEX_FILE_H

#include "cli/command.h"
#include "cli/summary.h"

#include "doppel/page.h"

/* The summary of an index that was written to path. */
void cli_index_summary(const dpl_index_summary *s, const dpl_ctx *ctx, const char *path);
/* The same with a page; path or page_path may be NULL: it was not written. */
void cli_page_summary(const dpl_index_summary *s, const dpl_page_summary *page,
                      const dpl_ctx *ctx, const char *path, const char *page_path);

/* clang-format off */
#define CLI_INDEX_JSON \
    {"documents", "documents of the index"}, \
    {"empty", "documents without words"}, \
    {"deleted", "documents that were left out or replaced"}, \
    {"codes, slots", "codes of all documents, and different ones"}, \
    {"output", "path of the index"}, \
    {"bytes", "size of the index"}, \
    {"page, page_bytes", "path and size of the page, if one was written"}, \
    {"spilled_bytes", "bytes written to temporary files"}, \
    {"seconds", "time it took"}, \
    CLI_MACHINE_JSON
/* clang-format on */

#endif
