/*
 * lab_run.c - runs experiments: which ones, what they lack, their outputs.
 *
 * In: names, inputs, options. Out: for each experiment its tables, script, pictures and page in
 * the folder. Experiments of one run share what data.c prepares.
 */
#include "lab/data.h"
#include "lab/experiment_page.h"
#include "lab/experiment_table.h"
#include "lab/lab_seeds.h"
#include "lab/plot.h"

#include "base/ctx.h"
#include "base/sized.h"
#include "doppel/file.h"
#include "io/files.h"

#include <stdio.h>
#include <stdlib.h>

struct dpl_lab_result {
    dpl_ctx *ctx;
    dpl__arena arena;
    DPL_VEC(dpl_lab_run_info) runs;
};

/* ---- which ones ------------------------------------------------------------------------- */

/* "lunch" for "lunch-figure-5". */
static bool begins_with(const char *name, const char *word)
{
    const size_t n = strlen(word);
    return strncmp(name, word, n) == 0 && name[n] == '-';
}

static bool is_meant(const char *name, const char *word)
{
    return strcmp(name, word) == 0 || begins_with(name, word);
}

static dpl_status choose(dpl_lab_result *r, const char *const *names, size_t n_names,
                         dpl_error *err)
{
    for (size_t i = 0; i < n_names; i++) {
        bool is_known = false;
        for (size_t k = 0; dpl__lab_rows[k].run; k++)
            is_known |= is_meant(dpl__lab_rows[k].about.name, names[i]);
        if (!is_known)
            return dpl__fail_code(err, DPL_E_USAGE, "lab-unknown",
                                  "there is no experiment '%s'", names[i]);
    }
    for (size_t k = 0; dpl__lab_rows[k].run; k++)
        for (size_t i = 0; i < n_names; i++)
            if (is_meant(dpl__lab_rows[k].about.name, names[i])) {
                const dpl_lab_run_info run = {.experiment = &dpl__lab_rows[k].about,
                                              .finding = ""};
                DPL_TRY(dpl__need(dpl__vec_push(r->ctx, &r->runs, run), err));
                break;
            }
    return DPL_OK;
}

/* What is missing for the experiment; NULL: nothing. */
static const char *lacks(const dpl_lab_experiment *what, const dpl_lab_options *o,
                         size_t n_inputs)
{
    const unsigned needs = what->needs;
    if (n_inputs == 0 && (needs & DPL_LAB_MAY_SYNTH))
        return NULL;
    if ((needs & DPL_LAB_TWO) && n_inputs < 2)
        return "a second collection";
    if ((needs & DPL_LAB_ONE) && n_inputs < 1)
        return "a collection";
    if ((needs & DPL_LAB_GOLD) && !o->gold)
        return "gold pairs";
    if ((needs & DPL_LAB_TRANSLATED) && !o->translated)
        return "translated documents";
    if ((needs & DPL_LAB_PARALLEL) && !o->parallel)
        return "sentence pairs to train on";
    if ((needs & DPL_LAB_TEST) && !o->test)
        return "sentence pairs to test with";
    if ((needs & DPL_LAB_NEEDS_LINKS) && !o->n_links && !o->gold)
        return "known links";
    return NULL;
}

/* ---- one experiment ---------------------------------------------------------------------- */

dpl_status dpl__lab_status(const dpl__lab *lab, dpl_error *err)
{
    return dpl__need(lab->failed == DPL_OK, err);
}

static const char *keep(dpl_lab_result *r, const dpl__lab *lab, const char *name,
                        const char *ending)
{
    char path[4300];
    snprintf(path, sizeof path, "%s/%s%s", lab->folder, name, ending);
    return dpl__arena_copy(&r->arena, dpl__cstr(path)).data;
}

static dpl_status describe(dpl_lab_run_info *info, dpl_lab_result *r, const dpl__lab *lab,
                           dpl_error *err)
{
    const dpl__lab_table *first = lab->tables;
    while (first && first->next)
        first = first->next;
    info->page = keep(r, lab, lab->about->name, ".md");
    if (first)
        info->table = keep(r, lab, first->name, ".tsv");
    if (!lab->no_picture && dpl__lab_picture(lab, 0))
        info->picture = keep(r, lab, dpl__lab_picture(lab, 0), ".svg");
    if (lab->no_picture && dpl__lab_picture(lab, 0))
        info->no_picture = dpl__arena_copy(&r->arena, dpl__cstr(lab->no_picture)).data;
    dpl_str line = {lab->findings.data, lab->findings.n};
    const char *end = line.n ? memchr(line.data, '\n', line.n) : NULL;
    if (end)
        info->finding =
            dpl__arena_copy(&r->arena, (dpl_str){line.data + 2, (size_t)(end - line.data) - 2})
                .data;
    return dpl__need(info->page && info->finding, err);
}

static dpl_status write_all(dpl__lab *lab, double seconds, dpl_error *err)
{
    DPL_TRY(dpl__lab_status(lab, err));
    for (const dpl__lab_table *t = lab->tables; t; t = t->next)
        DPL_TRY(dpl__lab_table_write(t, err));
    DPL_TRY(dpl__lab_render(lab, err));
    return dpl__lab_page_write(lab, seconds, err);
}

static void clear(dpl__lab *lab)
{
    dpl__lab_tables_clear(lab);
    dpl__vec_clear(lab->ctx, &lab->findings, &lab->notes, &lab->plots, &lab->pictures);
    dpl__arena_clear(&lab->arena);
}

/* With each seed; the context's own one is the first. */
static dpl_status run_seeds(dpl__lab *runs, size_t *n, const dpl__lab *lab, dpl__lab_fn *run,
                            dpl_error *err)
{
    dpl_ctx *ctx = lab->ctx;
    const uint64_t seed = ctx->seed;
    dpl_status status = DPL_OK;
    while (*n < lab->set->seeds && status == DPL_OK) {
        dpl__lab *one = &runs[*n];
        *one = *lab;
        one->seed = (unsigned)(*n)++;
        dpl__arena_init(&one->arena, ctx);
        ctx->seed = seed + one->seed;
        status = dpl__lab_progress(one, 0, 0, err);
        if (status == DPL_OK)
            status = run(one, err);
        if (status == DPL_OK)
            status = dpl__lab_status(one, err);
    }
    ctx->seed = seed;
    return status;
}

static dpl_status run_one(dpl_lab_run_info *info, dpl_lab_result *r, dpl__lab lab,
                          dpl_error *err)
{
    size_t row = 0, n = 0;
    while (&dpl__lab_rows[row].about != info->experiment)
        row++;
    lab.about = info->experiment;
    dpl__lab *runs = dpl__calloc(lab.ctx, lab.set->seeds, sizeof *runs);
    DPL_TRY(dpl__need(runs, err));
    const double begin = dpl__now();
    dpl_status status;
    DPL__STEP(run_seeds(runs, &n, &lab, dpl__lab_rows[row].run, err));
    DPL__STEP(dpl__lab_pool_runs(runs, n, err));
    info->seconds = dpl__now() - begin;
    DPL__STEP(write_all(&runs[0], info->seconds, err));
    DPL__STEP(describe(info, r, &runs[0], err));
done:
    while (n)
        clear(&runs[--n]);
    dpl__free(lab.ctx, runs);
    return status;
}

/* Whether the experiment has nothing to work with here: others may. */
static bool is_lack(dpl_status status, const dpl_error *err)
{
    return status == DPL_E_NOTHING || strcmp(err->code, "lab-needs") == 0;
}

/* Of several experiments, one of those that lack something. */
static dpl_status skip(dpl_lab_run_info *info, dpl_lab_result *r, const char *reason,
                       dpl_error *err)
{
    *info =
        (dpl_lab_run_info){.experiment = info->experiment, .is_skipped = true, .finding = ""};
    info->reason = dpl__arena_copy(&r->arena, dpl__cstr(reason)).data;
    return dpl__need(info->reason, err);
}

/* Whether the experiment's page is there, made by the same command. */
static bool is_done(const dpl__lab *lab, const dpl_lab_experiment *what)
{
    char path[4300], line[4200], command[4200];
    bool is_same = false;
    if (!lab->set->resume || !lab->set->command)
        return false;
    snprintf(path, sizeof path, "%s/%s.md", lab->folder, what->name);
    snprintf(command, sizeof command, "    %s\n", lab->set->command);
    FILE *f = fopen(path, "re");
    while (f && !is_same && fgets(line, sizeof line, f))
        is_same = strcmp(line, command) == 0;
    if (f)
        fclose(f);
    return is_same;
}

static dpl_status run_all(dpl_lab_result *r, const dpl__lab *lab, dpl_error *err)
{
    for (size_t i = 0; i < r->runs.n; i++) {
        dpl_lab_run_info *info = &r->runs.data[i];
        const char *missing = lacks(info->experiment, lab->set, lab->n_inputs);
        if (is_done(lab, info->experiment)) {
            DPL_TRY(skip(info, r, "done before", err));
            continue;
        }
        if (missing && r->runs.n == 1)
            return dpl__fail_code(err, DPL_E_USAGE, "lab-needs", "'%s' needs %s",
                                  info->experiment->name, missing);
        dpl_error own = {0};
        dpl_status status = DPL_OK;
        if (missing)
            snprintf(own.text, sizeof own.text, "needs %s", missing);
        else
            status = run_one(info, r, *lab, &own);
        if (missing || (r->runs.n > 1 && is_lack(status, &own)))
            status = skip(info, r, own.text, &own);
        if (status != DPL_OK && err)
            *err = own;
        DPL_TRY(status);
    }
    return DPL_OK;
}

/* ---- a run ------------------------------------------------------------------------------- */

static dpl_status run_in(dpl_lab_result *r, const dpl__lab *lab, dpl_error *err)
{
    dpl_temp_dir scratch;
    DPL_TRY(dpl_temp_dir_make(&scratch, lab->set->temp, err));
    dpl__lab_data data;
    dpl__lab_data_init(&data, lab->ctx);
    dpl__lab all = *lab;
    all.data = &data;
    all.scratch = scratch.path;
    const dpl_status status = run_all(r, &all, err);
    dpl__lab_data_clear(&data);
    dpl_temp_dir_remove(&scratch);
    return status;
}

dpl_status dpl_lab_run(dpl_lab_result **out, dpl_ctx *ctx, const char *folder,
                       const char *const *names, size_t n_names, const dpl_input *inputs,
                       size_t n_inputs, const dpl_lab_options *options, dpl_error *err)
{
    dpl_lab_options o;
    *out = NULL;
    DPL_TRY(DPL__TAKE(&o, options, err));
    o.threshold = o.threshold != 0 ? o.threshold : 0.3;
    o.bits = o.bits ? o.bits : o.as_paper ? 1000 : 1024;
    o.seeds = o.seeds ? o.seeds : 1;
    if (o.seeds > DPL__LAB_MOST_SEEDS)
        return dpl__fail(err, DPL_E_USAGE, "at most %d seeds", DPL__LAB_MOST_SEEDS);
    o.sample = o.sample ? o.sample : o.small ? 100 : 1064;
    o.repeats = o.repeats ? o.repeats : o.small ? 1 : 3;
    dpl_lab_result *r = dpl__calloc(ctx, 1, sizeof *r);
    DPL_TRY(dpl__need(r, err));
    r->ctx = ctx;
    dpl__arena_init(&r->arena, ctx);
    const dpl__lab lab = {
        .ctx = ctx, .set = &o, .inputs = inputs, .n_inputs = n_inputs, .folder = folder};
    dpl_status status;
    DPL__STEP(choose(r, names, n_names, err));
    DPL__STEP(dpl__folder_make(folder, err));
    DPL__STEP(run_in(r, &lab, err));
    *out = r;
    r = NULL;
done:
    dpl_lab_result_free(r);
    return status;
}

void dpl_lab_result_free(dpl_lab_result *r)
{
    if (!r)
        return;
    dpl__vec_clear(r->ctx, &r->runs);
    dpl__arena_clear(&r->arena);
    dpl__free(r->ctx, r);
}

size_t dpl_lab_n_runs(const dpl_lab_result *r)
{
    return r->runs.n;
}

const dpl_lab_run_info *dpl_lab_get_run(const dpl_lab_result *r, size_t i)
{
    assert(i < r->runs.n);
    return &r->runs.data[i];
}
