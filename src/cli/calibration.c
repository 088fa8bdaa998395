/*
 * calibration.c - speeds in a small text file: a line for what they hold for, a line for each.
 *
 *     doppel speeds 0.1.0 avx512 2 Intel(R) Xeon(R) Platinum 8375C CPU @ 2.90GHz
 *     compare_ns 0.612
 *     ...
 *
 * Instruction set, threads and device are also in its name, so that calls with different
 * options do not push each other out. A file that is damaged, or for something else, is as good
 * as none.
 */
#include "cli/calibration.h"

#include "doppel/device.h"
#include "doppel/file.h"

#include "cli/arguments.h"
#include "cli/talk.h"

#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

enum { PATH_MOST = 1024, LINE_MOST = 300 };

static const struct {
    const char *name;
    size_t offset;
} fields[] = {
    {"compare_ns", offsetof(dpl_speeds, compare_ns)},
    {"single_ns", offsetof(dpl_speeds, single_ns)},
    {"permute_ns", offsetof(dpl_speeds, permute_ns)},
    {"multiply_ns", offsetof(dpl_speeds, multiply_ns)},
    {"dense_ns", offsetof(dpl_speeds, dense_ns)},
    {"verify_ns", offsetof(dpl_speeds, verify_ns)},
    {"sign_ns", offsetof(dpl_speeds, sign_ns)},
    {"near_ns", offsetof(dpl_speeds, near_ns)},
    {"product_ns", offsetof(dpl_speeds, product_ns)},
    {"device_ns", offsetof(dpl_speeds, device_ns)}, /* only where there is one */
};

enum { N_FIELDS = sizeof fields / sizeof *fields, N_NEEDED = N_FIELDS - 1 };

static double *field_of(dpl_speeds *speeds, size_t i)
{
    return (double *)((char *)speeds + fields[i].offset);
}

/* ---- the file ----------------------------------------------------------------------- */

/* The next line without its end; false when there is none or it is too long. */
static bool read_line(FILE *file, char line[LINE_MOST])
{
    if (!fgets(line, LINE_MOST, file))
        return false;
    size_t n = strcspn(line, "\n");
    bool is_whole = line[n] == '\n';
    line[n] = 0;
    return is_whole;
}

/* "name value" for each field, in any order, each once. */
static bool read_fields(FILE *file, dpl_speeds *out)
{
    char line[LINE_MOST];
    while (read_line(file, line)) {
        char *blank = strchr(line, ' ');
        if (!blank)
            return false;
        *blank = 0;
        size_t i = 0;
        while (i < N_FIELDS && strcmp(fields[i].name, line) != 0)
            i++;
        double value;
        if (i == N_FIELDS || *field_of(out, i) != 0 || !dpl_parse_real(&value, blank + 1) ||
            !(value > 0))
            return false;
        *field_of(out, i) = value;
    }
    for (size_t i = 0; i < N_NEEDED; i++)
        if (!(*field_of(out, i) > 0))
            return false;
    return feof(file) != 0;
}

/* key NULL: any. */
static bool load(dpl_speeds *out, const char *path, const char *key)
{
    char line[LINE_MOST];
    FILE *file = fopen(path, "r");
    *out = (dpl_speeds)DPL_INIT(dpl_speeds);
    bool is_good = file && read_line(file, line) && (!key || strcmp(line, key) == 0) &&
                   read_fields(file, out);
    if (file)
        fclose(file);
    return is_good;
}

static void store(dpl_ctx *ctx, const char *path, const char *key, dpl_speeds speeds)
{
    dpl_output *file = NULL;
    if (dpl_output_new(&file, ctx, path, NULL) != DPL_OK)
        return;
    dpl_output_write(file, key, strlen(key));
    dpl_output_write(file, "\n", 1);
    for (size_t i = 0; i < N_FIELDS; i++) {
        char line[LINE_MOST];
        if (i >= N_NEEDED && !(*field_of(&speeds, i) > 0))
            continue;
        int n = snprintf(line, sizeof line, "%s %.4g\n", fields[i].name, *field_of(&speeds, i));
        dpl_output_write(file, line, (size_t)n);
    }
    (void)dpl_output_finish(file, NULL);
    dpl_output_free(file);
}

/* ---- what it is for ----------------------------------------------------------------- */

static void find_model(char *out, size_t n_out)
{
    char line[LINE_MOST];
    FILE *file = fopen("/proc/cpuinfo", "r");
    snprintf(out, n_out, "unknown processor");
    while (file && fgets(line, sizeof line, file)) {
        const char *value = strchr(line, ':');
        if (strncmp(line, "model name", 10) != 0 || !value)
            continue;
        value += strspn(value, ": \t");
        snprintf(out, n_out, "%.*s", (int)strcspn(value, "\n"), value);
        break;
    }
    if (file)
        fclose(file);
}

/* "-cuda"; nothing for the CPU. */
static const char *device_of(const dpl_ctx *ctx)
{
    static char text[60];
    const char *name = dpl_ctx_device(ctx);
    snprintf(text, sizeof text, "-%s", name);
    return strcmp(name, "cpu") == 0 ? "" : text;
}

static void make_key(char *out, size_t n_out, const dpl_ctx *ctx)
{
    char model[200];
    find_model(model, sizeof model);
    snprintf(out, n_out, "doppel speeds %s %s %u%s %s", dpl_version(),
             dpl_cpu_name(dpl_ctx_cpu(ctx)), dpl_ctx_threads(ctx), device_of(ctx), model);
}

/* The file's path, its folder made; false where there is no place for it. */
static bool make_path(char out[PATH_MOST], const dpl_ctx *ctx)
{
    const char *base = getenv("XDG_CACHE_HOME"), *home = getenv("HOME");
    char folder[PATH_MOST / 2];
    int n = -1;
    if (base && base[0] == '/')
        n = snprintf(folder, sizeof folder, "%s", base);
    else if (home && *home)
        n = snprintf(folder, sizeof folder, "%s/.cache", home);
    if (n <= 0 || (size_t)n + sizeof "/doppel" > sizeof folder)
        return false;
    mkdir(folder, 0700);
    strcat(folder, "/doppel");
    mkdir(folder, 0777);
    snprintf(out, PATH_MOST, "%s/speeds-%s-%u%s", folder, dpl_cpu_name(dpl_ctx_cpu(ctx)),
             dpl_ctx_threads(ctx), device_of(ctx));
    return true;
}

int cli_calibrate(dpl_speeds *out, dpl_ctx *ctx, bool again)
{
    char path[PATH_MOST], key[LINE_MOST];
    dpl_error err = {0};
    bool has_path = make_path(path, ctx);
    make_key(key, sizeof key, ctx);
    if (has_path && !again && load(out, path, key))
        return CLI_DONE;
    cli_status("measuring how fast this machine is");
    dpl_status status = dpl_speeds_measure(out, ctx, &err);
    cli_status(NULL);
    if (status != DPL_OK)
        return cli_fail(&err);
    if (has_path)
        store(ctx, path, key, *out);
    return CLI_DONE;
}

int cli_read_speeds(dpl_speeds *out, const char *path)
{
    if (load(out, path, NULL))
        return CLI_DONE;
    cli_error("'%s' holds no speeds", path);
    return CLI_FAILED;
}
