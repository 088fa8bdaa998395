/*
 * outfile.h - where a command's data goes: a file that appears when it is complete, or standard
 * output; and a folder for files that do not stay.
 */
#ifndef CLI_OUTFILE_H
#define CLI_OUTFILE_H

#include "doppel/file.h"

#include "cli/command.h"

/* CLI_DONE, or CLI_USAGE when the name is missing or empty, which it has printed then. what:
 * "the collection goes", for the hint. A container (`is_text` false) is not for a terminal. */
int cli_check_output(const char *path, const char *what, bool is_text);
/* The same for what the command's table says of -o. */
int cli_check_outputs(const cli_command *command);
/* CLI_DONE, or CLI_USAGE when the file is one of the inputs, which it has printed then. */
int cli_check_same(const char *path, char *const *inputs, size_t n_inputs);
/* False, and says so, when one of the command's outputs would replace one of its inputs, or
 * several of these are "-": all are known from its table (arguments and options that complete
 * files; is_output). */
bool cli_check_inputs(const cli_command *command, char *const *args, size_t n_args);
/* Paths as inputs of the library, to be freed with free(). */
struct dpl_input *cli_inputs(const char *const *paths, size_t n);
bool cli_is_folder(const char *path);
/* "-", or a name of descriptor 1 such as "/dev/stdout". */
bool cli_is_stdout(const char *path);
/* For the summary: the path, or "(standard output)". */
const char *cli_output_name(const char *path);

/* ---- text ---------------------------------------------------------------------------- */

/* Lines to a file that appears when it is complete, or to a stream. Zero it first. */
typedef struct cli_output {
    dpl_output *file; /* NULL: standard output */
} cli_output;

int cli_output_open(cli_output *out, dpl_ctx *ctx, const char *path);
void cli_output_write(cli_output *out, const void *data, size_t n);
/* The same for a JSON writer: user is the cli_output. */
void cli_output_put(void *user, const char *data, size_t n);
/* A line of a file of pairs: both ids and the score; and the line with the names of columns. */
void cli_output_pair(cli_output *out, dpl_str left, dpl_str right, double score);
void cli_output_pairs_header(cli_output *out);
/* With CLI_DONE the file gets its name, else it is removed; returns the exit code. */
int cli_output_close(cli_output *out, int code);

/* ---- files that do not stay ---------------------------------------------------------- */

/* A folder of the command's own, made when the first path is asked for. Zero it first. */
typedef struct cli_folder {
    const char *base; /* NULL: $TMPDIR or /tmp */
    dpl_temp_dir dir;
} cli_folder;

/* The path of a file in it, NULL when the folder cannot be made, which it has printed then. */
const char *cli_folder_file(cli_folder *folder, char *out, size_t n_out, const char *name);
/* Removes it with everything in it. */
void cli_folder_remove(cli_folder *folder);

/* Writes a container to path, or through a temporary file to standard output or another stream:
 * write(user, path) makes it and returns an exit code. */
int cli_write_container(const char *path, dpl_ctx *ctx, const char *temp,
                        int (*write)(void *user, const char *path), void *user);

#endif
