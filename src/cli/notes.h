/*
 * notes.h - what a command says when it is done: a line for each thing, or with --json an
 * object for programs.
 *
 *     static void print_json(const result *r)
 *     {
 *         dpl_json j = cli_summary_begin(cli_is_stdout(output));
 *         dpl_json_number(&j, "rows", r->n_rows);
 *         cli_json_machine(&j, r->ctx);
 *         cli_summary_end(&j);
 *     }
 */
#ifndef CLI_NOTES_H
#define CLI_NOTES_H

#include "cli/layout.h"

#include "doppel/json.h"
#include "doppel/pairs.h"
#include "doppel/text.h"

/* ---- notes -------------------------------------------------------------------------- */

/* A row as a note: a value, a number with its thousands apart. */
void cli_note_row(const char *label, const char *value, const char *remark);
void cli_note_count(const char *label, uint64_t n, const char *remark);

/* The first records that could not be read or are of no known type, below a row that counts
 * them. */
void cli_note_skipped(const dpl_skip_list *list);

/* Where the output is, and how large; 0: nothing to say about that. */
void cli_note_output(const char *path, uint64_t n_bytes);
/* How long it took; with a context, behind the remark, on how many threads. */
void cli_note_time(double seconds, const char *remark, const dpl_ctx *ctx);

/* ---- data for people --------------------------------------------------------------- */

/* The same rows on standard output; a share has four digits. */
void cli_print_row(const char *label, const char *value, const char *remark);
void cli_print_count(const char *label, uint64_t n, const char *remark);
void cli_print_share(const char *label, double share, const char *remark);

/* ---- for programs ------------------------------------------------------------------- */

/* A JSON writer whose text goes to standard output, as cli_write does it. */
dpl_json cli_json(void);
/* An object on a line of its own, on standard error when data takes standard output. */
dpl_json cli_summary_begin(bool is_stdout_taken);
void cli_summary_end(dpl_json *j);

/* How the context worked, as documented by CLI_MACHINE_JSON. */
void cli_json_machine(dpl_json *j, const dpl_ctx *ctx);
/* clang-format off */
#define CLI_MACHINE_JSON \
    {"peak_bytes", "largest amount of memory in use"}, \
    {"threads", "number of threads"}, \
    {"cpu", "instruction set in use"}
/* clang-format on */

#endif
