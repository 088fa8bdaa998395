/*
 * reuse_output.h - passages and sources as 'doppel reuse' and 'doppel query' write them.
 */
#ifndef CLI_REUSE_OUTPUT_H
#define CLI_REUSE_OUTPUT_H

#include "cli/outfile.h"

#include "doppel/json.h"
#include "doppel/reuse.h"

/* Members "passages" and "sources" of an object. */
void cli_json_reuse(dpl_json *j, const dpl_reuse_result *r);
/* The first sources, a line each. */
void cli_print_sources(cli_output *out, const dpl_reuse_result *r);
/* A line for each passage: kind, similarity, sentences, source. */
void cli_list_passages(cli_output *out, const dpl_reuse_result *r);

#endif
