/*
 * hints.h - what to try when the library fails, with the options of the command line.
 *
 * The library names the problem and a code (dpl_error.code); which option helps is known here
 * only. One table, hints.c, has a row for each code; a program may have more of its own
 * (cli_program).
 */
#ifndef CLI_HINTS_H
#define CLI_HINTS_H

#include "doppel/base.h"

/* The hint for a code of the library; NULL when there is none. Static text. */
const char *cli_hint_for(const char *code);
/* The same as a command says it: without the parts (between "; ") that name options which it
 * does not take. Returns out, or NULL when nothing is
 * left. */
const char *cli_hint_as(char *out, size_t n_out, const char *command, const char *code);
/* The i-th row of the table; false past the last one. */
bool cli_hint_at(size_t i, const char **code, const char **hint);

#endif
