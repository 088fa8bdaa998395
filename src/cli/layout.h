/*
 * layout.h - text and numbers made to fit: columns of a terminal, not bytes.
 */
#ifndef CLI_LAYOUT_H
#define CLI_LAYOUT_H

#include "doppel/base.h"

/* The character of s at *i, which moves behind it. Bytes that are not UTF-8 come out as U+FFFD,
 * one at a time. */
uint32_t cli_next_char(dpl_str s, size_t *i);

/* Bytes that cli_fit needs for n columns: a base and some marks in each. */
#define CLI_FIT_BYTES(columns) ((size_t)(columns)*16 + 8)

/* Writes s as one line of at most `columns` columns, with "…" at the end when it was cut and
 * never inside a character; white space becomes one blank, what is not printable U+FFFD.
 * out is terminated. Returns the columns used. */
unsigned cli_fit(char *out, size_t n_out, dpl_str s, unsigned columns);

/* Prints all of s as one line, made printable in the same way. */
void cli_print_line(dpl_str s);

/* 1234567 -> "1,234,567" */
const char *cli_grouped(char out[32], uint64_t n);
/* 1610612736 -> "1.5 GiB" */
const char *cli_bytes(char out[32], uint64_t n);
/* 3.2 ms, 12 s, 5 min, 2.1 h, 4 days */
const char *cli_about(char out[32], double seconds);
/* 83.2 -> "1:23"; 5000 -> "1:23:20" */
const char *cli_duration(char out[32], double seconds);

/* One line of a summary: label, value set right, remark ("" for none). Returns out. */
const char *cli_row(char *out, size_t n_out, const char *label, const char *value,
                    const char *remark);

/* The next line of `text` when it is broken at blanks to fit into `columns`; *text moves behind
 * it. False at the end. A line break in the text stays, and so does a line that starts with a
 * blank, however long: it is an example. */
bool cli_wrap(dpl_str *line, const char **text, unsigned columns);

#endif
