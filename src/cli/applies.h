/*
 * applies.h - options that have an effect only together with others.
 *
 * The condition stands beside the option in its table: only_with of a cli_option, or of the
 * dpl_option that describes the field. It is checked once, when the line has been read, and
 * help and man page print it.
 */
#ifndef CLI_APPLIES_H
#define CLI_APPLIES_H

#include "cli/arguments.h"

enum { CLI_CONDITION_TEXT = 200 };

/* False when an option of the command was given that has no effect with the others; it has
 * printed the error then. */
bool cli_check_applies(const struct cli_command *command);
/* "only with --method window or auto"; "" for an option that always applies. Returns out. */
const char *cli_condition_text(char out[CLI_CONDITION_TEXT], const cli_option *option,
                               const cli_option *table);

/* One condition of several: the option that it names, and what is wanted of it. */
typedef struct cli_condition {
    dpl_str name, values; /* no values: it must be given */
    bool is_not, is_or;   /* is_or: it or the one before it */
} cli_condition;

/* Whether a value is one of "a,b,c". */
bool cli_is_listed(const char *list, const char *value);
/* "a,b,c" -> "a, b or c". Returns out. */
const char *cli_or_list(char *out, size_t n_out, const char *list);

/* The condition of an option: its own, or what the library says of its field, in names of
 * fields then; "" for none. */
const char *cli_condition_of(const cli_option *o, bool *is_librarys);
/* The option that a condition of o names; NULL when the command does not offer it, and the
 * condition says nothing. */
const cli_option *cli_condition_names(const cli_option *table, const cli_option *o,
                                      const cli_condition *c, bool is_librarys);

/* The next condition of a text, which moves behind it; false at its end. */
bool cli_next_condition(cli_condition *out, const char **text);

#endif
