/*
 * part_option.h - --part i/n: commands that do one part of their work, for many machines.
 */
#ifndef CLI_PART_OPTION_H
#define CLI_PART_OPTION_H

#include "doppel/file.h"

#include "cli/arguments.h"
#include "cli/figure_lines.h"

/* clang-format off */

/* place is a const char *; what: "of the documents". */
#define CLI_PART_OPTION(place, what) \
    {.name = "part", .value = "I/N", .text = place, \
     .help = "do part I of N " what ", and write a part file for 'doppel merge'; a part that " \
             "is there with the same inputs and options is not done again"}

#define CLI_PART_JSON \
    {"part, parts", "with --part: which part of how many"}, \
    {"kept", "with --part: true when the part was there already"}

/* For the page of a command. */
#define CLI_PART_ABOUT \
    "With --part the work can be spread over tasks of Slurm, make or any other scheduler: each " \
    "does one part, on any machine that has the inputs, and 'doppel merge' joins the part files " \
    "to the same bytes as without --part."

/* clang-format on */

/* Reads I/N; CLI_DONE, or CLI_USAGE, which it has printed then. */
int cli_part_parse(dpl_part *out, const char *text);

/* What the summary of a part, or of parts that were merged, is about. */
typedef struct cli_part_said {
    dpl_part_summary made;
    const char *what;   /* its items: documents, rows, pairs, candidates; NULL: none */
    uint32_t number, n; /* from 1; 0: all n of them */
    const char *kind;   /* of merged parts */
    bool is_over;       /* other processes have done it: there is nothing else to say */
    /* Filled in when it is said: */
    const char *output;
    cli_machine machine;
} cli_part_said;

extern const dpl_summary_table cli_part_figures;
void cli_part_say(cli_part_said *said, const char *output, const dpl_ctx *ctx);

#endif
