/*
 * shared_part.h - --part i/n of commands that do one run together (dpl_shared_run).
 *
 *     cli_shared shared = {.text = o->part_text, .output = o->output, .inputs = args,
 *                          .n_inputs = n_args, .call = work, .user = &x};
 *     code = cli_shared_run(&shared, ctx);
 *     if (code == CLI_DONE && !shared.is_over)
 *         ... the summary ...
 *     cli_shared_close(&shared);
 */
#ifndef CLI_SHARED_PART_H
#define CLI_SHARED_PART_H

#include "doppel/file.h"

#include "cli/arguments.h"

/* clang-format off */

/* place is a const char *; then other fields of the option, each with a comma behind it. */
#define CLI_SHARED_PART_OPTION(place, ...) \
    {.name = "part", .value = "I/N", .text = place, __VA_ARGS__ \
     .help = "run the same command N times, with I from 1 to N, on any machines and in any order: " \
             "they share the work through the folder OUTPUT.parts, and the output has the bytes " \
             "of one run; a part that was killed may be run again"}

/* clang-format on */

typedef struct cli_shared {
    const char *text; /* of the option; NULL: one process does all */
    const char *output;
    char *const *inputs;
    size_t n_inputs;
    /* The work, whose output goes to path: an exit code. What is in err is printed here. */
    int (*call)(const char *path, void *user, dpl_error *err);
    void *user;
    /* set by the run */
    bool is_over; /* others have completed it: there is nothing to say */
    dpl_shared_run *run;
    dpl_part part;
} cli_shared;

/* Does the work, alone or with others, and puts the output in its place. The exit code; what
 * went wrong has been printed. */
int cli_shared_run(cli_shared *s, dpl_ctx *ctx);
/* After the last use of a result. */
void cli_shared_close(cli_shared *s);

#endif
