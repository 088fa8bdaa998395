/*
 * outfile.c - files that are complete or not there.
 */
#include "cli/outfile.h"

#include "doppel/pairs.h"
#include "doppel/text.h"

#include "cli/progress.h"
#include "cli/talk.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

bool cli_is_stdout(const char *path)
{
    return strcmp(path, "-") == 0 || strcmp(path, "/dev/stdout") == 0 ||
           strcmp(path, "/dev/fd/1") == 0 || strcmp(path, "/proc/self/fd/1") == 0;
}

/* A device or a FIFO: it is written to and cannot be read again. */
static bool is_stream(const char *path)
{
    struct stat st;
    return strncmp(path, "/dev/fd/", 8) == 0 ||
           (stat(path, &st) == 0 && !S_ISREG(st.st_mode) && !S_ISDIR(st.st_mode));
}

const char *cli_output_name(const char *path)
{
    return cli_is_stdout(path) ? "(standard output)" : path;
}

/* ---- an output over an input ---------------------------------------------------------- */

static bool is_same_file(const char *a, const char *b)
{
    struct stat x, y;
    return stat(a, &x) == 0 && stat(b, &y) == 0 && x.st_dev == y.st_dev &&
           x.st_ino == y.st_ino && S_ISREG(x.st_mode);
}

static bool refuse_same(const char *input)
{
    cli_error("'%s' is input and output", input);
    cli_hint("write to another file");
    return false;
}

/* Would writing the output replace the input? */
static bool is_replaced(const cli_command *command, const char *input, const char *output)
{
    if (is_same_file(input, output))
        return true;
    for (size_t i = 0; command->writes && command->writes[i]; i++) {
        char path[4200];
        if (snprintf(path, sizeof path, "%s/%s", output, command->writes[i]) <
                (int)sizeof path &&
            is_same_file(input, path))
            return true;
    }
    return false;
}

/* The value of an option that is a text; NULL: none. */
static const char *text_of(const cli_option *o)
{
    return o->text ? *(const char *const *)cli_place(o->text) : NULL;
}

/* Compares an input with every output of the command, and counts those that are streams. */
static bool check_input(const cli_command *command, const char *input, size_t *n_streams)
{
    *n_streams += strcmp(input, "-") == 0;
    if (*n_streams > 1) {
        cli_error("standard input can be read only once");
        return false;
    }
    for (const cli_option *o = command->options; o && o->name; o++)
        if (o->is_output && text_of(o) && is_replaced(command, input, text_of(o)))
            return refuse_same(input);
    return true;
}

bool cli_check_inputs(const cli_command *command, char *const *args, size_t n_args)
{
    bool is_good = true;
    size_t n_streams = 0;
    for (size_t i = 0; i < n_args && is_good && command->complete == CLI_FILES; i++)
        is_good = check_input(command, args[i], &n_streams);
    for (const cli_option *entry = command->options; entry && entry->name && is_good; entry++) {
        cli_described room;
        const cli_option *o = cli_describe(&room, entry);
        if (o->complete != CLI_FILES || o->is_output)
            continue;
        const cli_texts *texts = o->texts ? cli_place(o->texts) : NULL;
        if (text_of(o))
            is_good = check_input(command, text_of(o), &n_streams);
        for (size_t i = 0; texts && i < texts->n && is_good; i++)
            is_good = check_input(command, texts->at[i], &n_streams);
    }
    return is_good;
}

/* ---- checks ---------------------------------------------------------------------------- */

static int check_folder(const char *path)
{
    if (path && *path && !cli_is_stdout(path))
        return CLI_DONE;
    if (path && cli_is_stdout(path))
        cli_error("the results are several files in a folder: -o - cannot hold them");
    else
        cli_error("no output folder given");
    cli_hint("set it with -o DIR");
    return CLI_USAGE;
}

dpl_input *cli_inputs(const char *const *paths, size_t n)
{
    dpl_input *inputs = calloc(n + 1, sizeof *inputs);
    if (!inputs)
        abort();
    for (size_t i = 0; i < n; i++)
        inputs[i].path = paths[i];
    return inputs;
}

int cli_check_output(const char *path, const char *what, bool is_text)
{
    if (!path) {
        cli_error("no output given");
        cli_hint("set where %s with -o FILE", what);
        return CLI_USAGE;
    }
    if (!*path) {
        cli_error("the output's name is empty");
        return CLI_USAGE;
    }
    if (!is_text && cli_is_stdout(path) && isatty(STDOUT_FILENO)) {
        cli_error("a .dpl file cannot be written to a terminal");
        cli_hint("set where %s with -o FILE", what);
        return CLI_USAGE;
    }
    return CLI_DONE;
}

int cli_check_outputs(const cli_command *command)
{
    int code = CLI_DONE;
    for (const cli_option *o = command->options; o && o->name && code == CLI_DONE; o++) {
        if (!o->is_output || o->letter != 'o')
            continue;
        if (o->complete == CLI_FOLDERS)
            code = check_folder(text_of(o));
        else if (command->output_goes)
            code = cli_check_output(text_of(o), command->output_goes, command->is_text);
    }
    return code;
}

int cli_check_same(const char *path, char *const *inputs, size_t n_inputs)
{
    for (size_t i = 0; i < n_inputs; i++)
        if (is_same_file(inputs[i], path)) {
            refuse_same(inputs[i]);
            return CLI_USAGE;
        }
    return CLI_DONE;
}

bool cli_is_folder(const char *path)
{
    struct stat st;
    return stat(path, &st) == 0 && S_ISDIR(st.st_mode);
}

/* ---- text --------------------------------------------------------------------------- */

int cli_output_open(cli_output *out, dpl_ctx *ctx, const char *path)
{
    dpl_error err = {0};
    *out = (cli_output){0};
    if (cli_is_stdout(path) || dpl_output_new(&out->file, ctx, path, &err) == DPL_OK)
        return CLI_DONE;
    return cli_fail_or_stop(&err);
}

void cli_output_write(cli_output *out, const void *data, size_t n)
{
    if (out->file)
        dpl_output_write(out->file, data, n);
    else
        cli_write(data, n);
}

void cli_output_put(void *user, const char *data, size_t n)
{
    cli_output_write(user, data, n);
}

void cli_output_pair(cli_output *out, dpl_str left, dpl_str right, double score)
{
    char text[DPL_SCORE_TEXT];
    size_t n = dpl_score_text(text, score);
    cli_output_write(out, left.data, left.n);
    cli_output_write(out, "\t", 1);
    cli_output_write(out, right.data, right.n);
    cli_output_write(out, "\t", 1);
    cli_output_write(out, text, n);
    cli_output_write(out, "\n", 1);
}

void cli_output_pairs_header(cli_output *out)
{
    static const char header[] = "left_id\tright_id\tscore\n";
    cli_output_write(out, header, sizeof header - 1);
}

int cli_output_close(cli_output *out, int code)
{
    dpl_error err = {0};
    if (out->file && code == CLI_DONE && dpl_output_finish(out->file, &err) != DPL_OK)
        code = cli_fail_or_stop(&err);
    dpl_output_free(out->file);
    out->file = NULL;
    return code;
}

/* ---- files that do not stay --------------------------------------------------------- */

const char *cli_folder_file(cli_folder *folder, char *out, size_t n_out, const char *name)
{
    dpl_error err = {0};
    const char *base = folder->base ? folder->base : getenv("TMPDIR");
    if (!folder->dir.path[0] && dpl_temp_dir_make(&folder->dir, base, &err) != DPL_OK) {
        cli_fail(&err);
        return NULL;
    }
    if ((size_t)snprintf(out, n_out, "%s/%s", folder->dir.path, name) >= n_out) {
        cli_error("the name of the temporary folder is too long");
        return NULL;
    }
    return out;
}

void cli_folder_remove(cli_folder *folder)
{
    dpl_temp_dir_remove(&folder->dir);
}

static int copy_to(const char *output, dpl_ctx *ctx, const char *path)
{
    char buffer[1 << 16];
    cli_output out;
    int code = cli_output_open(&out, ctx, output);
    if (code != CLI_DONE)
        return code;
    FILE *file = fopen(path, "rb");
    size_t n = 0;
    while (file && (n = fread(buffer, 1, sizeof buffer, file)) > 0)
        cli_output_write(&out, buffer, n);
    if (!file || ferror(file)) {
        cli_error("cannot read '%s': %s", path, strerror(errno));
        code = CLI_FAILED;
    }
    if (file)
        fclose(file);
    return cli_output_close(&out, code);
}

/* A container is written from several places at once and cannot be a stream. */
int cli_write_container(const char *path, dpl_ctx *ctx, const char *temp,
                        int (*write)(void *user, const char *path), void *user)
{
    if (!cli_is_stdout(path) && !is_stream(path))
        return write(user, path);
    cli_folder folder = {.base = temp};
    char inside[4200];
    if (!cli_folder_file(&folder, inside, sizeof inside, "output.dpl"))
        return CLI_FAILED;
    int code = write(user, inside);
    if (code == CLI_DONE)
        code = copy_to(path, ctx, inside);
    cli_folder_remove(&folder);
    return code;
}
