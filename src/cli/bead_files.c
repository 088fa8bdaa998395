/*
 * bead_files.c - output of 'doppel align'.
 */
#include "cli/bead_files.h"

#include "cli/talk.h"

#include <stdio.h>

static void put(void *user, int side, const char *data, size_t n)
{
    cli_beads *b = user;
    cli_output_write(&b->out[side], data, n);
}

/* ---- files -------------------------------------------------------------------------- */

static int open_moses(cli_beads *b, char **inputs, size_t n_inputs)
{
    int code = CLI_DONE;
    for (int i = 0; i < 2 && code == CLI_DONE; i++) {
        int n =
            snprintf(b->names[i], sizeof b->names[i], "%s.%s", b->path, b->options.langs[i]);
        if (n >= (int)sizeof b->names[i]) {
            cli_error("the output's name is too long");
            return CLI_FAILED;
        }
        code = cli_check_same(b->names[i], inputs, n_inputs);
        if (code == CLI_DONE)
            code = cli_output_open(&b->out[i], b->ctx, b->names[i]);
    }
    return code;
}

/* The writer first: it checks the options. */
int cli_beads_open(cli_beads *b, size_t n_pairs, char **inputs, size_t n_inputs)
{
    dpl_error err = {0};
    const dpl_beads_format_info *format = dpl_beads_format_info_of(b->options.to);
    b->is_folder = format->is_per_pair && (n_pairs > 1 || cli_is_folder(b->path));
    if (b->is_folder && cli_is_stdout(b->path)) {
        cli_error("%s holds one document pair, and there are more", format->name);
        cli_hint("-o FOLDER makes a file of each");
        return CLI_USAGE;
    }
    b->options.folder = b->is_folder;
    b->options.put = b->is_folder ? NULL : put;
    b->options.user = b;
    if (dpl_beads_open(&b->writer, b->ctx, b->path, b->c[0], b->c[1], &b->options, &err) !=
        DPL_OK)
        return cli_fail(&err);
    if (b->is_folder)
        return CLI_DONE;
    return format->has_two_files ? open_moses(b, inputs, n_inputs)
                                 : cli_output_open(&b->out[0], b->ctx, b->path);
}

int cli_beads_close(cli_beads *b, int code)
{
    dpl_error err = {0};
    if (b->writer && code == CLI_DONE &&
        dpl_beads_finish(&b->n_written, b->writer, &err) != DPL_OK)
        code = cli_fail(&err);
    dpl_beads_close(b->writer);
    for (int i = 0; i < 2; i++)
        code = cli_output_close(&b->out[i], code);
    return code;
}
