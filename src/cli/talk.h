/*
 * talk.h - what the command says: data on standard output, talk on standard error.
 *
 *     doppel import: cannot open 'x.jsonl': No such file or directory
 *     hint: ...
 *
 * Names of the command's own files start with cli_, so that a reader sees at once what is not
 * the library's. All of it runs on one thread.
 */
#ifndef CLI_TALK_H
#define CLI_TALK_H

#include "doppel/base.h"

/* What the process ends with. */
enum { CLI_DONE = 0, CLI_FAILED = 1, CLI_USAGE = 2, CLI_DAMAGED = 3, CLI_INTERRUPTED = 130 };

/* ---- talk --------------------------------------------------------------------------- */

/* The command's name in front of every error line, behind the program's; NULL: none. */
void cli_talk_as(const char *command);
/* No notes and no progress from here on; errors stay. */
void cli_talk_less(void);

void cli_error(const char *fmt, ...) DPL_PRINTF(1, 2);
void cli_hint(const char *fmt, ...) DPL_PRINTF(1, 2);
/* A line that --quiet takes away. */
void cli_note(const char *fmt, ...) DPL_PRINTF(1, 2);
/* Says what the record holds. Returns the exit code. */
int cli_fail(const dpl_error *err);
/* The same of an allocation of our own. */
int cli_no_memory(void);

/* Draws a line in place on a terminal, NULL erases it; everything else said erases it first.
 * Does nothing when cli_shows_status() is false. */
void cli_status(const char *line);
bool cli_shows_status(void);

/* Columns of the terminal behind fd, or of $COLUMNS, or 80. */
unsigned cli_width(int fd);

/* ---- data --------------------------------------------------------------------------- */

/* To standard output. Failures are kept and printed by cli_talk_end. */
void cli_print(const char *fmt, ...) DPL_PRINTF(1, 2);
void cli_write(const void *data, size_t n);
/* Data was written and the rest is for people: print to standard error from here on. */
void cli_print_to_stderr(void);

/* ---- begin and end ------------------------------------------------------------------ */

/* Before anything else, with the program's name: makes sure that no file of ours becomes
 * standard output by accident, and that a closed pipe or a file over the limit is an error
 * instead of a signal. */
void cli_talk_begin(const char *name);
/* Flushes; the exit code becomes 1 when not everything could be written. A reader that closed
 * the pipe (`| head`) needs no telling: no line then. */
int cli_talk_end(int code);

#endif
