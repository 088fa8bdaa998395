/*
 * help.h - what the tables say about themselves: help, man pages, completion scripts.
 */
#ifndef CLI_HELP_H
#define CLI_HELP_H

#include "cli/command.h"

/* In three sizes: the commands, what people need of one of them, all of it. */
void cli_help_overview(void);
void cli_help_command(const cli_command *command, bool is_all);
/* Its commands, in a line each. */
void cli_help_family(const char *family);

/* In the man macros; NULL: the page of the program itself. No date, so that the same sources
 * give the same bytes. */
void cli_man_page(const cli_command *command);

/* "bash", "zsh", "fish"; NULL ends. */
extern const char *const cli_shells[];
void cli_completion_script(const char *shell);

/* "doppel-eval-pairs": of the man page. Returns out. */
enum { CLI_PAGE_NAME = 64 };
const char *cli_page_name(char out[CLI_PAGE_NAME], const cli_command *command);

/* ---- shared by the above ------------------------------------------------------------ */

extern const cli_item cli_exit_statuses[];
extern const char cli_exit_remark[];

/* The help of an option with its choices and default; with the table that it is from, also its
 * range and condition. Our texts are far shorter than this. Returns out. */
enum { CLI_OPTION_TEXT = 1200 };
const char *cli_option_text(char out[CLI_OPTION_TEXT], const cli_option *o,
                            const cli_option *table);

/* An example with the program's name where it says PROGRAM: for commands that several programs
 * have. Returns out. */
enum { CLI_EXAMPLE = 256 };
const char *cli_example(char out[CLI_EXAMPLE], const char *text);

#endif
