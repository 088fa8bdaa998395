/*
 * index_file.h - what the commands that write an index have in common.
 */
#ifndef CLI_INDEX_FILE_H
#define CLI_INDEX_FILE_H

#include "cli/command.h"
#include "cli/notes.h"

#include "doppel/page.h"

/* Is the file a pocket index? */
bool cli_is_pocket(dpl_ctx *ctx, const char *path);

/* The summary of an index that was written to path. */
void cli_index_summary(const dpl_index_summary *s, const dpl_ctx *ctx, const char *path);
/* The same with a page; path or page_path may be NULL: it was not written. */
void cli_page_summary(const dpl_index_summary *s, const dpl_page_summary *page,
                      const dpl_ctx *ctx, const char *path, const char *page_path);

extern const dpl_summary_table cli_index_figures;

#endif
