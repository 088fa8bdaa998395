/*
 * beads.c - output of 'doppel align'.
 */
#define _POSIX_C_SOURCE 200809L
#include "cli/beads.h"

#include "cli/talk.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

static bool holds_one_pair(dpl_beads_format format)
{
    return format == DPL_BEADS_LADDER || format == DPL_BEADS_VECALIGN;
}

static void put(void *user, int side, const char *data, size_t n)
{
    cli_beads *b = user;
    cli_output_write(&b->out[side], data, n);
}

/* ---- a folder ----------------------------------------------------------------------- */

static int open_folder(const cli_beads *b)
{
    const char *format = dpl_beads_format_name(b->options.format);
    if (cli_is_stdout(b->path)) {
        cli_error("%s holds one document pair, and there are more", format);
        cli_hint("-o FOLDER makes a file of each");
        return CLI_USAGE;
    }
    if (cli_is_folder(b->path) || mkdir(b->path, 0777) == 0)
        return CLI_DONE;
    cli_error("cannot make the folder '%s': %s", b->path, strerror(errno));
    cli_hint("%s holds one document pair: there is a file for each", format);
    return CLI_FAILED;
}

/* An id as part of a file's name: "/" and "%" become %2F and %25. */
static size_t put_id(char *out, size_t n_out, dpl_str id)
{
    size_t n = 0;
    for (size_t i = 0; i < id.n && n + 4 < n_out; i++) {
        if (id.data[i] == '/' || id.data[i] == '%')
            n += (size_t)snprintf(out + n, n_out - n, "%%%02X", (unsigned)id.data[i]);
        else
            out[n++] = id.data[i];
    }
    out[n] = 0;
    return n;
}

static dpl_status write_file(cli_beads *b, const dpl_aligned_docs *docs, dpl_error *err)
{
    char path[4096], left[1500], right[1500];
    put_id(left, sizeof left, dpl_collection_doc(b->c[0], docs->docs.left).id);
    put_id(right, sizeof right, dpl_collection_doc(b->c[1], docs->docs.right).id);
    snprintf(path, sizeof path, "%.1000s/%s--%s.%s", b->path, left, right,
             dpl_beads_format_name(b->options.format));
    dpl_beads_writer *writer = NULL;
    uint64_t n_rows = 0;
    dpl_status status =
        dpl_beads_open(&writer, b->ctx, path, b->c[0], b->c[1], &b->options, err);
    if (status == DPL_OK)
        status = dpl_beads_write(writer, docs, err);
    if (status == DPL_OK)
        status = dpl_beads_finish(&n_rows, writer, err);
    dpl_beads_close(writer);
    b->n_written += n_rows;
    return status;
}

/* ---- files -------------------------------------------------------------------------- */

static int open_moses(cli_beads *b, char **inputs, size_t n_inputs)
{
    int code = CLI_DONE;
    for (int i = 0; i < 2 && code == CLI_DONE; i++) {
        int n = snprintf(b->names[i], sizeof b->names[i], "%s.%s", b->path, b->options.lang[i]);
        if (n >= (int)sizeof b->names[i]) {
            cli_error("the output's name is too long");
            return CLI_FAILED;
        }
        code = cli_check_output(b->names[i], "the sentences go", true, inputs, n_inputs);
        if (code == CLI_DONE)
            code = cli_output_open(&b->out[i], b->names[i]);
    }
    return code;
}

static int fail_to_open(const cli_beads *b, const dpl_error *err)
{
    int code = cli_fail(err);
    if (b->options.format == DPL_BEADS_MOSES && code == CLI_USAGE)
        cli_hint("--left-lang and --right-lang say the languages");
    return code;
}

/* The writer first: it knows what is wrong with the options. */
int cli_beads_open(cli_beads *b, size_t n_pairs, char **inputs, size_t n_inputs)
{
    dpl_error err = {0};
    b->is_folder = holds_one_pair(b->options.format) && (n_pairs > 1 || cli_is_folder(b->path));
    if (b->is_folder)
        return open_folder(b);
    b->options.put = put;
    b->options.user = b;
    if (dpl_beads_open(&b->writer, b->ctx, NULL, b->c[0], b->c[1], &b->options, &err) != DPL_OK)
        return fail_to_open(b, &err);
    return b->options.format == DPL_BEADS_MOSES ? open_moses(b, inputs, n_inputs)
                                                : cli_output_open(&b->out[0], b->path);
}

dpl_status cli_beads_take(void *beads, const dpl_aligned_docs *docs, dpl_error *err)
{
    cli_beads *b = beads;
    return b->is_folder ? write_file(b, docs, err) : dpl_beads_write(b->writer, docs, err);
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
