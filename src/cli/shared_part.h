/*
 * shared_part.h - --part i/n of commands that do one run together (dpl_shared_run).
 *
 *     cli_shared shared = {0};
 *     const char *path = o->output;
 *     code = cli_shared_open(&shared, &path, ctx, o->part_text, args, n_args);
 *     if (code == CLI_DONE && !shared.is_over && work(path, &err) != DPL_OK)
 *         code = cli_shared_fail(&shared, &err);
 *     code = cli_shared_finish(&shared, code);
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

#define CLI_SHARED_PART_JSON \
    {"part, parts, done", "with --part, when others have completed the run: which part of how many"}

/* clang-format on */

typedef struct cli_shared {
    dpl_shared_run *run; /* NULL: none */
    dpl_part part;
    const char *output;
    bool is_over; /* others have completed the run: there is nothing to do or to say */
} cli_shared;

/* Without a text nothing happens. *path, the output, becomes what this process writes to. */
int cli_shared_open(cli_shared *s, const char **path, dpl_ctx *ctx, const char *text,
                    char *const *inputs, size_t n_inputs);
/* The exit code of a failure, which it has printed; CLI_DONE when the run is over. */
int cli_shared_fail(cli_shared *s, dpl_error *err);
/* After the work: the output goes to its place. */
int cli_shared_finish(cli_shared *s, int code);
void cli_shared_close(cli_shared *s);

#endif
