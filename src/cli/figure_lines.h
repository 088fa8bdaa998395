/*
 * figure_lines.h - a summary by its table (doppel/summary.h): a line for each figure that has a
 * label, or with --json one object.
 *
 *     typedef struct result {
 *         dpl_sign_summary s;
 *         const char *output;
 *         cli_machine machine;
 *     } result;
 *
 *     static const dpl_figure figures[] = {
 *         CLI_FIGURES_OF(result, s, dpl_sign_figures),
 *         CLI_OUTPUT_FIGURE(result, output),
 *         CLI_FIGURES_OF(result, machine, cli_machine_figures),
 *     };
 *     static const dpl_summary_table summary = CLI_SUMMARY(result, figures);
 */
#ifndef CLI_FIGURE_LINES_H
#define CLI_FIGURE_LINES_H

#include "doppel/pairs.h"
#include "doppel/summary.h"

/* clang-format off */
#define CLI_FIELD(type_, field_) \
    .offset = (uint32_t)offsetof(type_, field_), \
    .n_bytes = (uint32_t)sizeof(((type_ *)0)->field_)
#define CLI_FIGURES_OF(type_, field_, table_) \
    {.name = #field_, .type = DPL_FIGURE_PART, CLI_FIELD(type_, field_), .group = &(table_)}
/* Some of them: their names, with blanks between; "!a b": all but these. */
#define CLI_SOME_FIGURES(type_, field_, table_, names_) \
    {.name = #field_, .type = DPL_FIGURE_PART, CLI_FIELD(type_, field_), .group = &(table_), \
     .only = names_}
#define CLI_GROUP_FIGURE(type_, field_, table_, help_) \
    {.name = #field_, .type = DPL_FIGURE_GROUP, CLI_FIELD(type_, field_), .group = &(table_), \
     .help = help_}
#define CLI_COUNT_FIGURE(type_, name_, field_, ...) \
    {.name = name_, .type = DPL_FIGURE_COUNT, CLI_FIELD(type_, field_), __VA_ARGS__}
#define CLI_REAL_FIGURE(type_, name_, field_, ...) \
    {.name = name_, .type = DPL_FIGURE_REAL, CLI_FIELD(type_, field_), .is_any = true, __VA_ARGS__}
/* Structs, n_each bytes apart, or pointers to them (0). */
#define CLI_LIST_FIGURE(type_, field_, count_, n_each_, table_, help_) \
    {.name = #field_, .type = DPL_FIGURE_LIST, CLI_FIELD(type_, field_), \
     .count = (uint32_t)offsetof(type_, count_), .n_each = (n_each_), .group = &(table_), \
     .help = help_}
/* A share, with four digits on its line. */
#define CLI_SHARE_FIGURE(type_, name_, field_, ...) \
    {.name = name_, .type = DPL_FIGURE_REAL, CLI_FIELD(type_, field_), \
     .value = "{" name_ ":.4f}", __VA_ARGS__}
#define CLI_TEXT_FIGURE(type_, name_, field_, ...) \
    {.name = name_, .type = DPL_FIGURE_TEXT, CLI_FIELD(type_, field_), __VA_ARGS__}
#define CLI_FLAG_FIGURE(type_, name_, field_, ...) \
    {.name = name_, .type = DPL_FIGURE_FLAG, CLI_FIELD(type_, field_), __VA_ARGS__}
#define CLI_SECONDS_FIGURE(type_, field_) \
    {.name = "seconds", .type = DPL_FIGURE_REAL, CLI_FIELD(type_, field_), .help = "time it took"}
/* A path with a line of its own. */
#define CLI_OUTPUT_LINE(type_, field_) \
    CLI_TEXT_FIGURE(type_, "output", field_, .label = "output", .value = "", \
                    .remark = "'{output}'")
/* A path, for the line of another figure. */
#define CLI_OUTPUT_FIGURE(type_, field_) \
    {.name = "output", .type = DPL_FIGURE_TEXT, CLI_FIELD(type_, field_)}
#define CLI_SUMMARY(type_, figures_) \
    {.name = #type_, .n_bytes = sizeof(type_), .figures = (figures_), \
     .n_figures = sizeof(figures_) / sizeof *(figures_)}
/* clang-format on */

/* How the context worked. Its line has the figure "seconds" and, where there are any, the words
 * "pace" of the summary. */
typedef struct cli_machine {
    uint64_t peak_bytes;
    unsigned threads;
    const char *cpu;
    bool tells_memory; /* has a line for it, too */
} cli_machine;

extern const dpl_summary_table cli_machine_figures;
cli_machine cli_machine_of(const dpl_ctx *ctx, bool tells_memory);

/* The text of a line (doppel/summary.h), cut where it does not fit. Returns out. */
const char *cli_expand(char *out, size_t n_out, const dpl_figures *in, size_t position,
                       const char *text);

void cli_print_text(const dpl_figures *in, const char *text);

/* A column of a list: its heading, its width (negative: to the left), the text of an element.
 * Text NULL: behind the last. */
typedef struct cli_column {
    const char *name;
    int width;
    const char *text;
} cli_column;

/* The list of that name as a table; best: the figure with the number of the element that gets
 * a star, NULL: none does. */
void cli_print_columns(const dpl_figures *in, const char *list, const cli_column *columns,
                       const char *best);

/* The note of the last element of a list. */
void cli_note_last(const dpl_figures *in, const char *list);
/* Notes, or with --json the object, on standard error when data takes standard output. */
void cli_say_summary(const dpl_summary_table *table, const void *summary, bool is_stdout_taken);
/* The same on standard output: the figures are what the command is for. */
void cli_print_summary(const dpl_summary_table *table, const void *summary);
/* With --json the object on standard output; returns whether it was. */
bool cli_print_json(const dpl_summary_table *table, const void *summary);

#endif
