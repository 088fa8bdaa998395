/*
 * out_folder.c - the output folder: lock, settings, removal of files of earlier runs.
 *
 * Nothing is removed from a folder that is not known to be ours, and only names that a run
 * makes.
 */
#include "io/out_folder.h"

#include "base/base.h"
#include "base/ctx.h"
#include "io/files.h"
#include "io/lines.h"
#include "io/target.h"
#include "io/text_output.h"

#include <dirent.h>
#include <errno.h>
#include <fnmatch.h>
#include <limits.h>
#include <stdio.h>
#include <sys/stat.h>
#include <unistd.h>

/* ---- settings: a text, compared byte for byte --------------------------------------- */

static dpl_status settings_write(dpl_ctx *ctx, const char *path, dpl_str text, dpl_error *err)
{
    dpl_output *o = NULL;
    DPL_TRY(dpl_output_new(&o, ctx, path, err));
    dpl__put_str(o, text);
    return dpl__output_end(o, DPL_OK, err);
}

/* The value that holds place `at` of a line, with its key: what lies between two commas or
 * brackets. */
static dpl_str value_at(dpl_str line, size_t at)
{
    size_t from = dpl__min(at, line.n), to = from;
    while (from > 0 && !strchr("{[,", line.data[from - 1]))
        from--;
    while (from < to && line.data[from] == ' ')
        from++;
    while (to < line.n && !strchr("}],", line.data[to]))
        to++;
    return (dpl_str){line.data ? line.data + from : "", dpl__min(to - from, (size_t)80)};
}

/* The key that a line begins with; the line may have none. */
static dpl_str key_of(dpl_str line)
{
    const char *begin = line.n ? memchr(line.data, '"', line.n) : NULL;
    size_t n_rest = begin ? line.n - (size_t)(begin + 1 - line.data) : 0;
    const char *end = n_rest ? memchr(begin + 1, '"', n_rest) : NULL;
    return end ? (dpl_str){begin + 1, (size_t)(end - begin) - 1} : DPL_STR("text");
}

/* Says what differs between a line of the file and this run's; one of them may be empty. */
static dpl_status fail_other(const char *path, dpl_str old, dpl_str new, dpl_error *err)
{
    size_t at = 0;
    while (at < old.n && at < new.n &&old.data[at] == new.data[at])
        at++;
    dpl_str key = key_of(new.n ? new : old), was = value_at(old, at), is = value_at(new, at);
    return dpl__fail_code(err, DPL_E_USAGE, "resume-other-run",
                          "'%s' is of another run: '%.*s' has %.*s, in this run %.*s", path,
                          (int)key.n, key.data, was.n ? (int)was.n : 7,
                          was.n ? was.data : "nothing", is.n ? (int)is.n : 7,
                          is.n ? is.data : "nothing");
}

/* The first line of a text, without its end; the text becomes the rest. */
static dpl_str take_line(dpl_str *text)
{
    const char *end = text->n ? memchr(text->data, '\n', text->n) : NULL;
    dpl_str line = {text->data, end ? (size_t)(end - text->data) : text->n};
    size_t n_taken = line.n + (end != NULL);
    *text = (dpl_str){text->data ? text->data + n_taken : NULL, text->n - n_taken};
    return line;
}

/* DPL_E_USAGE, code "resume-other-run", when the file holds anything else. */
static dpl_status settings_compare(dpl_ctx *ctx, const char *path, dpl_str text, dpl_error *err)
{
    dpl__lines old;
    DPL_TRY(dpl__lines_open(&old, ctx, path, err));
    dpl_str rest = text, line;
    dpl_status status;
    while ((status = dpl__lines_next(&old, &line, err)) == DPL_OK) {
        bool is_more = rest.n > 0;
        dpl_str own = take_line(&rest);
        if (!is_more) {
            dpl__fail(err, DPL_E_USAGE, "'%s' is not as it was written: it has more lines",
                      path);
            status = dpl__code(err, DPL_E_USAGE, "resume-other-run");
            break;
        }
        if (!dpl__str_eq(own, line)) {
            status = fail_other(path, line, own, err);
            break;
        }
    }
    if (status == DPL_END)
        status = rest.n ? fail_other(path, (dpl_str){0}, take_line(&rest), err) : DPL_OK;
    dpl__lines_close(&old);
    return status;
}

/* Does the file begin as settings with this first key do? */
static bool settings_are_of(dpl_ctx *ctx, const char *path, const char *first_key)
{
    char begin[80];
    dpl__lines lines;
    dpl_str line = {0};
    snprintf(begin, sizeof begin, "  \"%s\": ", first_key);
    if (dpl__lines_open(&lines, ctx, path, NULL) != DPL_OK)
        return false;
    bool is_ours = dpl__lines_next(&lines, &line, NULL) == DPL_OK &&
                   dpl__str_eq(line, dpl__cstr("{")) &&
                   dpl__lines_next(&lines, &line, NULL) == DPL_OK && line.n >= strlen(begin) &&
                   memcmp(line.data, begin, strlen(begin)) == 0;
    dpl__lines_close(&lines);
    return is_ours;
}

/* ---- names that a run makes ----------------------------------------------------------- */

static bool is_one_of(const char *name, const char *const patterns[])
{
    for (size_t i = 0; patterns[i]; i++)
        if (fnmatch(patterns[i], name, 0) == 0)
            return true;
    return false;
}

/* "NAME.doppel-x7k2qa" of one of the names: a file under construction whose writer was killed.
 */
static bool is_unfinished(const char *name, const char *const patterns[])
{
    static const char marker[] = ".doppel-";
    char base[NAME_MAX + 1];
    const char *end = dpl__is_temporary_name(name) ? strstr(name, marker) : NULL;
    if (!end || (size_t)(end - name) >= sizeof base)
        return false;
    memcpy(base, name, (size_t)(end - name));
    base[end - name] = '\0';
    return is_one_of(base, patterns);
}

/* ---- whose folder is it? --------------------------------------------------------------- */

/* What work/ holds before the run. */
typedef struct contents {
    bool has_settings; /* of ours */
    bool has_others;   /* than settings, whole or unfinished */
} contents;

static dpl_status look_into(contents *out, dpl_ctx *ctx, const dpl__out_folder *f,
                            const char *path, dpl_error *err)
{
    const char *settings = f->names->settings;
    const char *const own[] = {settings, NULL};
    *out = (contents){0};
    DIR *dir = opendir(f->work);
    if (!dir)
        return dpl__fail_errno(err, errno, "cannot open the folder '%s'", f->work);
    for (const struct dirent *e; (e = readdir(dir));) {
        const char *name = e->d_name;
        bool is_own = strcmp(name, ".") == 0 || strcmp(name, "..") == 0 ||
                      strcmp(name, settings) == 0 || is_unfinished(name, own);
        out->has_others = out->has_others || !is_own;
    }
    closedir(dir);
    struct stat st;
    if (stat(path, &st) != 0)
        return DPL_OK;
    out->has_settings = settings_are_of(ctx, path, f->names->command);
    out->has_others = out->has_others || !out->has_settings;
    return DPL_OK;
}

static dpl_status check_foreign(const contents *c, const dpl__out_folder *f, dpl_error *err)
{
    if (c->has_settings || !c->has_others)
        return DPL_OK;
    return dpl__fail_code(err, DPL_E_USAGE, "folder-foreign",
                          "'%s' holds files that are not of a run of %s", f->work,
                          f->names->command);
}

/* Is the path the folder, or a file in it, by whatever name or link? */
static bool is_in(const char *folder, const char *path)
{
    char other[4400];
    if (dpl__is_same_file(folder, path))
        return true;
    DIR *dir = opendir(folder);
    bool is_there = false;
    for (const struct dirent *e; dir && !is_there && (e = readdir(dir));)
        is_there =
            strcmp(e->d_name, ".") != 0 && strcmp(e->d_name, "..") != 0 &&
            (size_t)snprintf(other, sizeof other, "%s/%s", folder, e->d_name) < sizeof other &&
            dpl__is_same_file(other, path);
    if (dir)
        closedir(dir);
    return is_there;
}

dpl_status dpl__out_folder_check_input(const dpl__out_folder *f, const char *path,
                                       dpl_error *err)
{
    if (!path || strcmp(path, "-") == 0)
        return DPL_OK;
    if (is_in(f->work, path))
        return dpl__fail_code(err, DPL_E_USAGE, "input-in-work",
                              "'%s' is in '%s', which a run empties", path, f->work);
    char output[4400];
    dpl_status status = DPL_OK;
    DIR *entries = opendir(f->dir);
    for (const struct dirent *e; entries && status == DPL_OK && (e = readdir(entries));)
        if (is_one_of(e->d_name, f->names->results) &&
            (size_t)snprintf(output, sizeof output, "%s/%s", f->dir, e->d_name) < sizeof output)
            status = dpl__check_overwrite(output, &path, 1, err);
    if (entries)
        closedir(entries);
    return status;
}

/* ---- removing --------------------------------------------------------------------------- */

typedef bool want_fn(const dpl__folder_names *n, const char *name);

static bool is_litter_of_work(const dpl__folder_names *n, const char *name)
{
    return is_unfinished(name, n->work) || is_unfinished(name, n->passing) ||
           is_one_of(name, n->passing);
}

static bool is_of_work(const dpl__folder_names *n, const char *name)
{
    return is_litter_of_work(n, name) || is_one_of(name, n->work);
}

static bool is_litter_of_results(const dpl__folder_names *n, const char *name)
{
    return is_unfinished(name, n->results);
}

static bool is_result(const dpl__folder_names *n, const char *name)
{
    return is_litter_of_results(n, name) || is_one_of(name, n->results);
}

static void clean(const char *folder, const dpl__folder_names *names, want_fn *wants)
{
    char path[4400];
    DIR *dir = opendir(folder);
    for (const struct dirent *e; dir && (e = readdir(dir));)
        if (wants(names, e->d_name) &&
            (size_t)snprintf(path, sizeof path, "%s/%s", folder, e->d_name) < sizeof path)
            unlink(path);
    if (dir)
        closedir(dir);
}

void dpl__out_folder_clear(const dpl__folder_names *names, dpl_ctx *ctx, const char *dir)
{
    char work[4100], path[4200];
    snprintf(work, sizeof work, "%s/work", dir);
    snprintf(path, sizeof path, "%s/%s", work, names->settings);
    if (!settings_are_of(ctx, path, names->command))
        return;
    clean(dir, names, is_result);
    clean(work, names, is_of_work);
    if (rmdir(work) == 0)
        rmdir(dir);
}

void dpl__out_folder_remove(const dpl__folder_names *names, const char *dir)
{
    char work[4100];
    snprintf(work, sizeof work, "%s/work", dir);
    clean(work, names, is_of_work);
    if (rmdir(work) == 0)
        rmdir(dir);
}

/* ---- opening ---------------------------------------------------------------------------- */

dpl_status dpl__out_folder_begin(const dpl__out_folder *f, dpl_ctx *ctx, dpl_str settings,
                                 bool *is_resumed, dpl_error *err)
{
    char path[4200];
    contents found;
    snprintf(path, sizeof path, "%s/%s", f->work, f->names->settings);
    DPL_TRY(look_into(&found, ctx, f, path, err));
    DPL_TRY(check_foreign(&found, f, err));
    *is_resumed = *is_resumed && found.has_settings;
    if (*is_resumed)
        DPL_TRY(settings_compare(ctx, path, settings, err));
    /* Results first: a run that fails, or is killed at any point, does not leave those of an
     * earlier one beside its own work/. */
    clean(f->dir, f->names, found.has_settings ? is_result : is_litter_of_results);
    clean(f->work, f->names, is_litter_of_work);
    if (*is_resumed)
        return DPL_OK;
    clean(f->work, f->names, is_of_work);
    return settings_write(ctx, path, settings, err);
}

/* "out", or a temporary folder. */
static dpl_status name_folder(dpl__out_folder *f, const char *dir, const char *temp_dir,
                              dpl_error *err)
{
    if (!dir)
        DPL_TRY(dpl_temp_dir_make(&f->temporary, temp_dir, err));
    int n = snprintf(f->dir, sizeof f->dir, "%s", dir ? dir : f->temporary.path);
    if (n < 0 || (size_t)n >= sizeof f->dir)
        return dpl__fail_errno(err, ENAMETOOLONG, "cannot make the folder '%s'",
                               dir ? dir : temp_dir);
    snprintf(f->work, sizeof f->work, "%s/work", f->dir);
    return dpl__folder_make(f->dir, err);
}

dpl_status dpl__out_folder_open(dpl__out_folder *f, const dpl__folder_names *names,
                                const char *dir, const char *temp_dir, dpl_error *err)
{
    dpl_status status;
    *f = (dpl__out_folder){.names = names};
    DPL__STEP(name_folder(f, dir, temp_dir, err));
    DPL__STEP(dpl__folder_make(f->work, err));
    DPL__STEP(dpl__folder_lock(&f->lock, f->work, err));
    return DPL_OK;
done:
    dpl__out_folder_close(f);
    return status;
}

void dpl__out_folder_close(dpl__out_folder *f)
{
    if (f->lock > 0)
        close(f->lock); /* and with it the lock */
    dpl_temp_dir_remove(&f->temporary);
    f->lock = 0;
}

dpl_status dpl__out_folder_file(char *out, size_t n_out, const dpl__out_folder *f, bool is_work,
                                const char *name, dpl_error *err)
{
    const int n = snprintf(out, n_out, "%s/%s", is_work ? f->work : f->dir, name);
    return n > 0 && (size_t)n < n_out
               ? DPL_OK
               : dpl__fail_errno(err, ENAMETOOLONG, "cannot create '%s'", name);
}
