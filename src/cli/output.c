/*
 * output.c - files that are complete or not there.
 */
#define _XOPEN_SOURCE 700 /* mkdtemp */
#include "cli/output.h"

#include "cli/talk.h"

#include <dirent.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

bool cli_is_stdout(const char *path)
{
    return strcmp(path, "-") == 0;
}

const char *cli_output_name(const char *path)
{
    return cli_is_stdout(path) ? "(standard output)" : path;
}

/* An output that replaces its own source is a slip, not a wish. */
static bool is_same_file(const char *a, const char *b)
{
    struct stat x, y;
    return stat(a, &x) == 0 && stat(b, &y) == 0 && x.st_dev == y.st_dev && x.st_ino == y.st_ino;
}

int cli_check_output(const char *path, const char *what, bool is_text, char **inputs,
                     size_t n_inputs)
{
    if (!path) {
        cli_error("no output given");
        cli_hint("-o FILE says where %s", what);
        return CLI_USAGE;
    }
    if (!*path) {
        cli_error("the output's name is empty");
        return CLI_USAGE;
    }
    if (!is_text && cli_is_stdout(path) && isatty(STDOUT_FILENO)) {
        cli_error("a .dpl file is not for a terminal");
        cli_hint("-o FILE says where %s", what);
        return CLI_USAGE;
    }
    for (size_t i = 0; i < n_inputs; i++)
        if (is_same_file(inputs[i], path)) {
            cli_error("'%s' is input and output", inputs[i]);
            return CLI_USAGE;
        }
    return CLI_DONE;
}

int cli_check_streams(char **inputs, size_t n_inputs)
{
    size_t n = 0;
    for (size_t i = 0; i < n_inputs; i++)
        n += strcmp(inputs[i], "-") == 0;
    if (n > 1)
        cli_error("standard input can be read only once");
    return n > 1 ? CLI_USAGE : CLI_DONE;
}

bool cli_is_folder(const char *path)
{
    struct stat st;
    return stat(path, &st) == 0 && S_ISDIR(st.st_mode);
}

/* ---- text --------------------------------------------------------------------------- */

int cli_output_open(cli_output *out, const char *path)
{
    *out = (cli_output){.path = path};
    if (cli_is_stdout(path))
        return CLI_DONE;
    struct stat st; /* a pipe or a device keeps its name */
    bool is_special = stat(path, &st) == 0 && !S_ISREG(st.st_mode);
    int n = is_special ? 0
                       : snprintf(out->temporary, sizeof out->temporary, "%s.%ld.tmp", path,
                                  (long)getpid());
    if (n >= (int)sizeof out->temporary)
        errno = ENAMETOOLONG;
    else
        out->file = fopen(is_special ? path : out->temporary, "wb");
    if (out->file)
        return CLI_DONE;
    cli_error("cannot write '%s': %s", path, strerror(errno));
    out->temporary[0] = 0;
    return CLI_FAILED;
}

void cli_output_write(cli_output *out, const void *data, size_t n)
{
    if (out->file)
        fwrite(data, 1, n, out->file);
    else
        cli_write(data, n);
}

int cli_output_close(cli_output *out, int code)
{
    if (!out->file)
        return code;
    bool is_good = fflush(out->file) == 0 && !ferror(out->file);
    if (code == CLI_DONE && is_good && out->temporary[0])
        is_good = fsync(fileno(out->file)) == 0;
    is_good = fclose(out->file) == 0 && is_good;
    if (code == CLI_DONE && is_good && out->temporary[0])
        is_good = rename(out->temporary, out->path) == 0;
    if (code == CLI_DONE && !is_good) {
        cli_error("cannot write '%s': %s", out->path, strerror(errno));
        code = CLI_FAILED;
    }
    if (code != CLI_DONE && out->temporary[0])
        remove(out->temporary);
    out->file = NULL;
    return code;
}

/* ---- files that do not stay --------------------------------------------------------- */

const char *cli_folder_file(cli_folder *folder, char *out, size_t n_out, const char *name)
{
    if (!folder->path[0]) {
        const char *base = folder->base ? folder->base : getenv("TMPDIR");
        snprintf(folder->path, sizeof folder->path, "%s/doppel.XXXXXX",
                 base && *base ? base : "/tmp");
        if (!mkdtemp(folder->path)) {
            cli_error("cannot make a folder '%s': %s", folder->path, strerror(errno));
            folder->path[0] = 0;
            return NULL;
        }
    }
    snprintf(out, n_out, "%s/%s", folder->path, name);
    return out;
}

void cli_folder_remove(cli_folder *folder)
{
    if (!folder->path[0])
        return;
    DIR *dir = opendir(folder->path);
    for (struct dirent *entry; dir && (entry = readdir(dir));) {
        char path[2048];
        snprintf(path, sizeof path, "%s/%s", folder->path, entry->d_name);
        if (entry->d_name[0] != '.')
            remove(path);
    }
    if (dir)
        closedir(dir);
    rmdir(folder->path);
    folder->path[0] = 0;
}

static int copy_to_stdout(const char *path)
{
    char buffer[1 << 16];
    FILE *file = fopen(path, "rb");
    size_t n = 0;
    while (file && (n = fread(buffer, 1, sizeof buffer, file)) > 0)
        cli_write(buffer, n);
    int code = file && !ferror(file) ? CLI_DONE : CLI_FAILED;
    if (code != CLI_DONE)
        cli_error("cannot read '%s': %s", path, strerror(errno));
    if (file)
        fclose(file);
    return code;
}

/* A container is written from several places at once and cannot be a stream. */
int cli_write_container(const char *path, const char *temp,
                        int (*write)(void *user, const char *path), void *user)
{
    if (!cli_is_stdout(path))
        return write(user, path);
    cli_folder folder = {.base = temp};
    char inside[1100];
    if (!cli_folder_file(&folder, inside, sizeof inside, "output.dpl"))
        return CLI_FAILED;
    int code = write(user, inside);
    if (code == CLI_DONE)
        code = copy_to_stdout(inside);
    cli_folder_remove(&folder);
    return code;
}
