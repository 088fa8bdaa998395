/*
 * folder.c - the output folder: lock, settings, removal of files of earlier runs.
 *
 * Nothing is removed from a folder that is not known to be ours, and only names that a run
 * makes. Inputs are known by name, size and time of the last change, folders by those of all
 * files in them: reading the contents would take as long as the work that resuming saves.
 */
#include "mine/folder.h"

#include "base/ctx.h"
#include "base/vec.h"
#include "doppel/file.h"
#include "io/files.h"
#include "io/target.h"
#include "mine/run_settings.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <fnmatch.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

/* ---- names that a run makes ----------------------------------------------------------- */

static const char *const results[] = {"pairs.tsv",
                                      "sentences.tsv",
                                      "sentences.jsonl",
                                      "sentences.tmx",
                                      "sentences.xliff",
                                      "sentences.[a-z][a-z]",
                                      "sentences.[a-z][a-z][a-z]",
                                      "sentences.left",
                                      "sentences.right",
                                      "lexicon.tsv.zst",
                                      "report.html",
                                      "run.json",
                                      "groups.tsv",
                                      "copies.tsv",
                                      "dropped.tsv",
                                      "left-out.tsv",
                                      "passages.tsv",
                                      "missing-links.tsv",
                                      "suspicious-links.tsv",
                                      "links.html",
                                      NULL};
static const char settings_name[] = "settings.json";
static const char *const work_files[] = {"settings.json",
                                         "left.dpl",
                                         "right.dpl",
                                         "skipped-[a-z]*.tsv",
                                         "left-sentences.dpl",
                                         "right-sentences.dpl",
                                         "left-passages.dpl",
                                         "right-passages.dpl",
                                         "left-own.dpl",
                                         "right-own.dpl",
                                         "left-clean.dpl",
                                         "right-clean.dpl",
                                         "dictionary.dpl",
                                         "[a-z][a-z].dpl",
                                         "lexicon-[0-9].dpl",
                                         "lexicon-[0-9][0-9].dpl",
                                         "[a-z][a-z][a-z].dpl",
                                         "round-[0-9].dpl",
                                         "round-[0-9][0-9].dpl",
                                         "pairs-[0-9].tsv",
                                         "pairs-[0-9][0-9].tsv",
                                         NULL};
/* Made and removed while a run is at work. */
static const char *const passing_files[] = {"vectors-left.dpl", "vectors-right.dpl", "fold.dpl",
                                            "gold.dpl", NULL};

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

static dpl_status look_into(contents *out, dpl_ctx *ctx, const char *work, const char *path,
                            dpl_error *err)
{
    static const char *const own[] = {settings_name, NULL};
    *out = (contents){0};
    DIR *dir = opendir(work);
    if (!dir)
        return dpl__fail_errno(err, errno, "cannot open the folder '%s'", work);
    for (const struct dirent *e; (e = readdir(dir));) {
        const char *name = e->d_name;
        bool is_own = strcmp(name, ".") == 0 || strcmp(name, "..") == 0 ||
                      strcmp(name, settings_name) == 0 || is_unfinished(name, own);
        out->has_others = out->has_others || !is_own;
    }
    closedir(dir);
    struct stat st;
    if (stat(path, &st) != 0)
        return DPL_OK;
    out->has_settings = dpl__settings_are_ours(ctx, path);
    out->has_others = out->has_others || !out->has_settings;
    return DPL_OK;
}

static dpl_status check_foreign(const contents *c, const char *work, dpl_error *err)
{
    if (c->has_settings || !c->has_others)
        return DPL_OK;
    dpl__fail(err, DPL_E_USAGE, "'%s' holds files that are not of a run of doppel mine", work);
    return dpl__code(err, DPL_E_USAGE, "folder-foreign");
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

/* What is read must be neither removed nor replaced. */
static dpl_status check_input(const char *dir, const char *work, const char *path,
                              dpl_error *err)
{
    if (!path || strcmp(path, "-") == 0)
        return DPL_OK;
    if (is_in(work, path)) {
        dpl__fail(err, DPL_E_USAGE, "'%s' is in '%s', which a run empties", path, work);
        return dpl__code(err, DPL_E_USAGE, "input-in-work");
    }
    char output[4400];
    dpl_status status = DPL_OK;
    DIR *entries = opendir(dir);
    for (const struct dirent *e; entries && status == DPL_OK && (e = readdir(entries));)
        if (is_one_of(e->d_name, results) &&
            (size_t)snprintf(output, sizeof output, "%s/%s", dir, e->d_name) < sizeof output)
            status = dpl__check_overwrite(output, &path, 1, err);
    if (entries)
        closedir(entries);
    return status;
}

static dpl_status check_inputs(const char *dir, const char *work, const dpl_input *inputs,
                               size_t n_inputs, const dpl_mine_options *o, dpl_error *err)
{
    for (size_t i = 0; i < n_inputs; i++) {
        DPL_TRY(check_input(dir, work, inputs[i].path, err));
        if (o->resume && inputs[i].source)
            return dpl__fail(err, DPL_E_USAGE,
                             "'%s': documents from the caller cannot be recognised to resume",
                             dpl_input_name(&inputs[i]));
    }
    DPL_TRY(check_input(dir, work, o->lexicon, err));
    DPL_TRY(check_input(dir, work, o->dictionary, err));
    for (size_t i = 0; i < o->n_more_dictionaries; i++)
        DPL_TRY(check_input(dir, work, o->more_dictionaries[i], err));
    return check_input(dir, work, o->known, err);
}

/* ---- removing --------------------------------------------------------------------------- */

typedef bool want_fn(const char *name);

static bool is_litter_of_work(const char *name)
{
    return is_unfinished(name, work_files) || is_unfinished(name, passing_files) ||
           is_one_of(name, passing_files);
}

static bool is_of_work(const char *name)
{
    return is_litter_of_work(name) || is_one_of(name, work_files);
}

static bool is_litter_of_results(const char *name)
{
    return is_unfinished(name, results);
}

static bool is_result(const char *name)
{
    return is_litter_of_results(name) || is_one_of(name, results);
}

static void clean(const char *folder, want_fn *wants)
{
    char path[4400];
    DIR *dir = opendir(folder);
    for (const struct dirent *e; dir && (e = readdir(dir));)
        if (wants(e->d_name) &&
            (size_t)snprintf(path, sizeof path, "%s/%s", folder, e->d_name) < sizeof path)
            unlink(path);
    if (dir)
        closedir(dir);
}

void dpl__folder_clear(dpl_ctx *ctx, const char *dir)
{
    char work[4100], path[4200];
    snprintf(work, sizeof work, "%s/work", dir);
    snprintf(path, sizeof path, "%s/%s", work, settings_name);
    if (!dpl__settings_are_ours(ctx, path))
        return;
    clean(dir, is_result);
    clean(work, is_of_work);
    if (rmdir(work) == 0)
        rmdir(dir);
}

void dpl__folder_remove(const char *dir)
{
    char work[4100];
    snprintf(work, sizeof work, "%s/work", dir);
    clean(work, is_of_work);
    if (rmdir(work) == 0)
        rmdir(dir);
}

/* ---- opening ---------------------------------------------------------------------------- */

static dpl_status write_settings(dpl_ctx *ctx, const char *path, const dpl__bytes *text,
                                 dpl_error *err)
{
    dpl_output *o = NULL;
    DPL_TRY(dpl_output_new(&o, ctx, path, err));
    dpl_output_write(o, text->data, text->n);
    dpl_status status = dpl_output_finish(o, err);
    dpl_output_free(o);
    return status;
}

static dpl_status begin(const dpl__folder *f, dpl_ctx *ctx, const char *dir,
                        const dpl__bytes *text, bool is_resumed, dpl_error *err)
{
    char path[4200];
    contents found;
    snprintf(path, sizeof path, "%s/%s", f->work, settings_name);
    DPL_TRY(look_into(&found, ctx, f->work, path, err));
    DPL_TRY(check_foreign(&found, f->work, err));
    if (is_resumed && found.has_settings)
        DPL_TRY(dpl__settings_compare(ctx, path, text, err));
    /* Results first: a run that fails, or is killed at any point, does not leave those of an
     * earlier one beside its own work/. */
    clean(dir, found.has_settings ? is_result : is_litter_of_results);
    clean(f->work, is_litter_of_work);
    if (is_resumed && found.has_settings)
        return DPL_OK;
    clean(f->work, is_of_work);
    return write_settings(ctx, path, text, err);
}

/* "out", or a temporary folder. */
static dpl_status name_folder(dpl__folder *f, const char *dir, const char *temp_dir,
                              dpl_error *err)
{
    if (!dir)
        DPL_TRY(dpl_temp_dir_make(&f->temporary, temp_dir, err));
    int n = snprintf(f->dir, sizeof f->dir, "%s", dir ? dir : f->temporary.path);
    if (n >= 0 && (size_t)n < sizeof f->dir)
        return dpl__folder_make(f->dir, err);
    dpl_temp_dir_remove(&f->temporary);
    return dpl__fail_errno(err, ENAMETOOLONG, "cannot make the folder '%s'",
                           dir ? dir : temp_dir);
}

static dpl_status open_named(dpl__folder *f, dpl_ctx *ctx, const dpl_input *inputs,
                             size_t n_inputs, const dpl_mine_options *options, dpl_error *err)
{
    snprintf(f->work, sizeof f->work, "%s/work", f->dir);
    DPL_TRY(dpl__folder_make(f->work, err));
    DPL_TRY(dpl__folder_lock(&f->lock, f->work, err));
    dpl__bytes text = {0};
    dpl_status status = check_inputs(f->dir, f->work, inputs, n_inputs, options, err);
    if (status == DPL_OK)
        status = dpl__settings_describe(&text, ctx, inputs, n_inputs, options, err);
    if (status == DPL_OK)
        status = begin(f, ctx, f->dir, &text, options->resume, err);
    dpl__vec_clear(ctx, &text);
    return status;
}

dpl_status dpl__folder_open(dpl__folder *f, dpl_ctx *ctx, const char *dir,
                            const dpl_input *inputs, size_t n_inputs,
                            const dpl_mine_options *options, dpl_error *err)
{
    *f = (dpl__folder){0};
    DPL_TRY(name_folder(f, dir, options->temp_dir, err));
    dpl_status status = open_named(f, ctx, inputs, n_inputs, options, err);
    if (status != DPL_OK)
        dpl__folder_close(f);
    return status;
}

void dpl__folder_close(dpl__folder *f)
{
    if (f->lock > 0)
        close(f->lock); /* and with it the lock */
    dpl_temp_dir_remove(&f->temporary);
    f->lock = 0;
}
