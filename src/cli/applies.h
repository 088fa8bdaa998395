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

/* False when an option was given that has no effect with the others; it has printed the error
 * then. The table may be NULL. */
bool cli_check_applies(const cli_option *table);
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

/* The next condition of a text, which moves behind it; false at its end. */
bool cli_next_condition(cli_condition *out, const char **text);

#endif
