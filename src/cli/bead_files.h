/*
 * bead_files.h - where aligned sentences go: a stream, the two files of moses, or a folder with
 * a file for each document pair.
 */
#ifndef CLI_BEAD_FILES_H
#define CLI_BEAD_FILES_H

#include "cli/outfile.h"

#include "doppel/sentences.h"

/* Fill in the first part, zero the rest. */
typedef struct cli_beads {
    const char *path;
    dpl_ctx *ctx;
    const dpl_collection *c[2];
    dpl_beads_options options;

    bool is_folder;
    dpl_beads_writer *writer;
    cli_output out[2];
    char names[2][4096]; /* of moses' files */
    uint64_t n_written;
} cli_beads;

/* b->writer is open then. The formats that hold one document pair are a folder when there are
 * more, or when the path is one. Returns the exit code; when it is not 0 the reason has been
 * printed. */
int cli_beads_open(cli_beads *b, size_t n_pairs, char **inputs, size_t n_inputs);
/* With CLI_DONE files get their names, else they are removed, but for those in a folder that
 * were complete. Returns the exit code. */
int cli_beads_close(cli_beads *b, int code);

#endif
