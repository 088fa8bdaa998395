/*
 * many.c - documents in several languages: every language with the pivot.
 *
 * In: files. Out: a folder for each language and the pivot, as two sides give it, and what
 * they add up to. Each language is one collection, made once; the runs are ordinary ones over
 * two collections, so that resuming, memory and the same bytes are theirs. Comparing with one
 * pivot instead of all with all is linear in the number of languages, and groups need no
 * decision: what is paired with the same document belongs together.
 */
#include "mine/many.h"

#include "base/ctx.h"

#include <stdio.h>
#include <unistd.h>

/* ---- where things are --------------------------------------------------------------- */

void dpl__many_path(char out[4200], const dpl__many_work *w, const dpl_mine_many_run *run,
                    const char *name)
{
    snprintf(out, 4200, "%s/%s-%s%s%s", w->dir, run->left->code, run->right->code,
             *name ? "/" : "", name);
}

/* ---- languages ---------------------------------------------------------------------- */

static dpl_status import_language(dpl__many_work *w, size_t i, dpl_error *err)
{
    const dpl__language *l = &w->census.langs.data[i];
    char work[4100], path[4200];
    snprintf(work, sizeof work, "%s/work", w->dir);
    snprintf(path, sizeof path, "%s/%s.dpl", work, l->code);
    w->collections[i] =
        dpl__arena_copy(&w->many->arena, dpl__cstr(l->collection ? l->collection : path)).data;
    if (!w->collections[i])
        return dpl__fail_nomem(err);
    w->is_new[i] = !l->collection && access(path, R_OK) != 0;
    if (!w->is_new[i])
        return DPL_OK;
    dpl_reader_options read = w->options.read;
    read.size = sizeof read;
    read.lang = NULL;
    read.only_lang = l->is_mixed ? l->code : NULL;
    dpl_tokens_options tokens = DPL_INIT(dpl_tokens_options, .stem = !w->options.has_no_stems);
    dpl_import_options o =
        DPL_INIT(dpl_import_options, .read = &read, .tokens = &tokens, .spill_dir = work);
    return dpl_import(NULL, w->ctx, path, l->paths.data, l->paths.n, &o, err);
}

static dpl_status describe_language(dpl__many_work *w, size_t i, dpl_error *err)
{
    dpl_collection *c = NULL;
    dpl_mine_language *l = &w->many->langs[i];
    memcpy(l->code, w->census.langs.data[i].code, sizeof l->code);
    DPL_TRY(dpl_collection_open(&c, w->ctx, w->collections[i], err));
    const dpl_collection_sizes *sizes = dpl_collection_get_sizes(c);
    l->n_docs = sizes->n_docs;
    l->n_sentences = sizes->n_sentences;
    l->n_tokens = sizes->n_tokens;
    dpl_collection_close(c);
    return DPL_OK;
}

static bool is_there(const dpl__many_work *w, const char *code)
{
    for (size_t i = 0; i < w->census.langs.n; i++)
        if (strcmp(w->census.langs.data[i].code, code) == 0)
            return true;
    return false;
}

static dpl_status check_pivot(dpl__many_work *w, dpl_error *err)
{
    if (!w->options.pivot)
        return DPL_OK;
    memcpy(w->pivot, dpl_lang_canonical(dpl__cstr(w->options.pivot)).code, sizeof w->pivot);
    if (is_there(w, w->pivot))
        return DPL_OK;
    char all[200] = "";
    size_t n = 0;
    for (size_t i = 0; i < w->census.langs.n && n < sizeof all; i++)
        n += (size_t)snprintf(all + n, sizeof all - n, "%s%s", i ? ", " : "",
                              w->census.langs.data[i].code);
    dpl__fail(err, DPL_E_USAGE, "no documents in the pivot language '%s', only in %s",
              w->options.pivot, all);
    return dpl__code(err, DPL_E_USAGE, "pivot");
}

static const dpl_mine_language *choose_pivot(const dpl__many_work *w)
{
    const dpl_mine_many_summary *s = &w->many->summary;
    const dpl_mine_language *best = &s->langs[0];
    for (size_t i = 0; i < s->n_langs; i++) {
        const dpl_mine_language *l = &s->langs[i];
        if (*w->pivot ? strcmp(l->code, w->pivot) == 0 : l->n_tokens > best->n_tokens)
            best = l;
    }
    return best;
}

/* Runs over other documents in the folders of language pairs are not resumed. */
static void forget_runs(const dpl__many_work *w)
{
    size_t n = w->census.langs.n;
    for (size_t i = 0; i < n * n; i++) {
        char dir[4200];
        snprintf(dir, sizeof dir, "%s/%s-%s", w->dir, w->census.langs.data[i / n].code,
                 w->census.langs.data[i % n].code);
        dpl__folder_clear(w->ctx, dir);
    }
}

static dpl_status open_folder(dpl__many_work *w, const char *const *paths, size_t n_paths,
                              dpl_error *err)
{
    DPL_TRY(dpl__folder_open(&w->folder, w->ctx, w->dir, paths, n_paths, &w->options, err));
    if (!w->options.resume)
        forget_runs(w);
    return DPL_OK;
}

static dpl_status make_room(dpl__many_work *w, dpl_error *err)
{
    dpl__many *m = w->many;
    size_t n = w->census.langs.n;
    m->langs = dpl__arena_alloc(&m->arena, n * sizeof *m->langs);
    m->runs = dpl__arena_alloc(&m->arena, n * sizeof *m->runs);
    m->n_groups = dpl__arena_alloc(&m->arena, (n + 1) * sizeof *m->n_groups);
    w->collections = dpl__arena_alloc(&m->arena, n * sizeof *w->collections);
    w->is_new = dpl__arena_alloc(&m->arena, n * sizeof *w->is_new);
    dpl_mine_language *left_out =
        dpl__arena_alloc(&m->arena, w->census.left_out.n * sizeof *left_out);
    if (!m->langs || !m->runs || !m->n_groups || !w->collections || !w->is_new || !left_out)
        return dpl__fail_nomem(err);
    memset(m->langs, 0, n * sizeof *m->langs);
    memset(m->runs, 0, n * sizeof *m->runs);
    memset(m->n_groups, 0, (n + 1) * sizeof *m->n_groups);
    for (size_t i = 0; i < w->census.left_out.n; i++) {
        left_out[i] = (dpl_mine_language){.n_docs = w->census.left_out.data[i].n_docs};
        memcpy(left_out[i].code, w->census.left_out.data[i].code, sizeof left_out[i].code);
    }
    m->summary = (dpl_mine_many_summary){.is_many = true,
                                         .langs = m->langs,
                                         .n_langs = n,
                                         .left_out = left_out,
                                         .n_left_out = w->census.left_out.n,
                                         .runs = m->runs,
                                         .n_groups = m->n_groups};
    return DPL_OK;
}

static dpl_status import_all(dpl__many_work *w, dpl_error *err)
{
    dpl_mine_many_summary *s = &w->many->summary;
    for (size_t i = 0; i < s->n_langs; i++) {
        DPL_TRY(import_language(w, i, err));
        DPL_TRY(describe_language(w, i, err));
    }
    s->pivot = choose_pivot(w);
    for (size_t i = 0; i < s->n_langs; i++)
        if (&s->langs[i] != s->pivot) {
            dpl_mine_many_run *run = &w->many->runs[s->n_runs++];
            run->left = &s->langs[i];
            run->right = s->pivot;
        }
    return DPL_OK;
}

/* ---- a lexicon to begin with -------------------------------------------------------- */

/* A dictionary becomes a lexicon to find out about its languages. */
static dpl_status open_beginning(dpl_lexicon **out, const dpl__many_work *w, dpl_error *err)
{
    const dpl_mine_options *o = &w->options;
    char path[4200];
    if (o->lexicon)
        return dpl_lexicon_open(out, w->ctx, o->lexicon, NULL, err);
    dpl_dictionary dictionary = {.path = o->dictionary};
    snprintf(path, sizeof path, "%s/work/dictionary.dpl", w->dir);
    DPL_TRY(dpl_lexicon_import(NULL, w->ctx, path, &dictionary, 1, NULL, err));
    return dpl_lexicon_open(out, w->ctx, path, NULL, err);
}

static const char *beginning(const dpl__many_work *w)
{
    return w->options.lexicon ? w->options.lexicon : w->options.dictionary;
}

/* Which languages it is for, before anything that takes long. */
static dpl_status look_at_beginning(dpl__many_work *w, dpl_error *err)
{
    if (!beginning(w) || w->census.langs.n == 2)
        return DPL_OK;
    dpl_lexicon *lexicon = NULL;
    dpl_status status = open_beginning(&lexicon, w, err);
    if (status == DPL_OK) {
        snprintf(w->source, sizeof w->source, "%s", dpl_lexicon_source_lang(lexicon));
        snprintf(w->target, sizeof w->target, "%s", dpl_lexicon_target_lang(lexicon));
    }
    dpl_lexicon_close(lexicon);
    if (status != DPL_OK || (*w->source && *w->target))
        return status;
    dpl__fail(err, DPL_E_USAGE, "'%s' does not say which of %zu languages it is for",
              beginning(w), w->census.langs.n);
    return dpl__code(err, DPL_E_USAGE, "lexicon-without-languages");
}

static bool is_for(const dpl__many_work *w, const char *source, const char *target)
{
    return strcmp(w->source, source) == 0 && strcmp(w->target, target) == 0;
}

static dpl_status check_beginning(const dpl__many_work *w, dpl_error *err)
{
    const dpl_mine_many_summary *s = &w->many->summary;
    for (size_t i = 0; i < s->n_runs && *w->source; i++) {
        const char *left = s->runs[i].left->code, *right = s->runs[i].right->code;
        if (is_for(w, left, right) || is_for(w, right, left))
            return DPL_OK;
    }
    if (!*w->source)
        return DPL_OK;
    dpl__fail(err, DPL_E_USAGE, "'%s' is for %s and %s, which are not paired: the pivot is %s",
              beginning(w), w->source, w->target, s->pivot->code);
    return dpl__code(err, DPL_E_USAGE, "pivot");
}

/* What each run begins with. */
static void begin_with(dpl_mine_options *o, const dpl__many_work *w,
                       const dpl_mine_many_run *run)
{
    const char *left = run->left->code, *right = run->right->code;
    if (!*w->source || is_for(w, left, right))
        return;
    const char *turned = is_for(w, right, left) ? beginning(w) : NULL;
    o->lexicon = NULL;
    o->dictionary = turned; /* which is turned round */
}

/* ---- runs --------------------------------------------------------------------------- */

/* Progress with the languages in front. */
typedef struct caller {
    dpl_progress_fn progress;
    void *user;
    const dpl_mine_many_run *run;
} caller;

static int name_progress(void *user, const dpl_progress *progress)
{
    const caller *c = user;
    char stage[100];
    dpl_progress named = *progress;
    snprintf(stage, sizeof stage, "%s-%s %s", c->run->left->code, c->run->right->code,
             progress->stage);
    named.stage = stage;
    return c->progress(c->user, &named);
}

static dpl_status run_named(dpl__many_work *w, dpl_mine_many_run *run,
                            const dpl_mine_options *options, dpl_error *err)
{
    dpl_ctx *ctx = w->ctx;
    char dir[4200];
    dpl__many_path(dir, w, run, "");
    caller c = {ctx->progress, ctx->progress_user, run};
    if (c.progress) {
        ctx->progress = name_progress;
        ctx->progress_user = &c;
    }
    dpl_status status =
        dpl_mine_run(&run->summary, ctx, dir, w->collections[run->left - w->many->langs],
                     w->collections[run->right - w->many->langs], options, err);
    ctx->progress = c.progress;
    ctx->progress_user = c.user;
    return status;
}

/* Languages that have nothing in common do not keep the others from being paired. */
static dpl_status run_one(dpl__many_work *w, dpl_mine_many_run *run, dpl_error *err)
{
    dpl_mine_options o = w->options;
    o.pivot = NULL;
    o.read = (dpl_reader_options)DPL_INIT(dpl_reader_options);
    o.resume = o.resume && !w->is_new[run->left - w->many->langs] &&
               !w->is_new[run->right - w->many->langs];
    begin_with(&o, w, run);
    dpl_status status = run_named(w, run, &o, err);
    run->is_empty = status == DPL_E_NOTHING;
    return run->is_empty ? DPL_OK : status;
}

static dpl_status run_all(dpl__many_work *w, dpl_error *err)
{
    dpl_mine_many_summary *s = &w->many->summary;
    size_t n_empty = 0;
    for (size_t i = 0; i < s->n_runs; i++) {
        DPL_TRY(run_one(w, &w->many->runs[i], err));
        n_empty += s->runs[i].is_empty;
    }
    if (n_empty == s->n_runs) /* err says why */
        return DPL_E_NOTHING;
    if (n_empty && err)
        *err = (dpl_error){0};
    return DPL_OK;
}

/* ---- all of it ---------------------------------------------------------------------- */

static dpl_status run_many(dpl__many_work *w, const char *const *paths, size_t n_paths,
                           dpl_error *err)
{
    if (w->options.lexicon && w->options.dictionary)
        return dpl__fail(err, DPL_E_USAGE,
                         "a lexicon and a dictionary to start with: only one can be used");
    DPL_TRY(dpl__census_divide(&w->census, err));
    DPL_TRY(check_pivot(w, err));
    DPL_TRY(make_room(w, err));
    DPL_TRY(open_folder(w, paths, n_paths, err));
    DPL_TRY(look_at_beginning(w, err));
    DPL_TRY(import_all(w, err));
    DPL_TRY(check_beginning(w, err));
    DPL_TRY(run_all(w, err));
    DPL_TRY(dpl__join_runs(w, "pairs.tsv", err));
    DPL_TRY(dpl__join_runs(w, "sentences.tsv", err));
    DPL_TRY(dpl__write_groups(w, err));
    w->many->summary.seconds = dpl__now() - w->began;
    return dpl__write_overview(w, err);
}

static dpl_status run_two(dpl__many_work *w, const char *const paths[2], dpl_error *err)
{
    dpl__many *m = w->many;
    m->langs = dpl__arena_alloc(&m->arena, 2 * sizeof *m->langs);
    m->runs = dpl__arena_alloc(&m->arena, sizeof *m->runs);
    if (!m->langs || !m->runs)
        return dpl__fail_nomem(err);
    dpl_mine_summary *s = &m->runs->summary;
    DPL_TRY(dpl_mine_run(s, w->ctx, w->dir, paths[0], paths[1], &w->options, err));
    for (int side = 0; side < 2; side++) {
        m->langs[side] = (dpl_mine_language){.n_docs = s->n_docs[side],
                                             .n_sentences = s->n_sentences[side],
                                             .n_paired = s->n_pairs};
        memcpy(m->langs[side].code, s->lang[side], sizeof s->lang[side]);
    }
    m->runs->left = &m->langs[0];
    m->runs->right = &m->langs[1];
    m->runs->is_empty = false;
    m->summary = (dpl_mine_many_summary){
        .langs = m->langs, .n_langs = 2, .runs = m->runs, .n_runs = 1, .seconds = s->seconds};
    return DPL_OK;
}

/* Two sides that cannot be read twice, or whose languages are given, are what they are. */
static dpl_status run(dpl__many_work *w, const char *const *paths, size_t n_paths,
                      dpl_error *err)
{
    const dpl_mine_options *o = &w->options;
    bool has_langs = o->lang[0] || o->lang[1], has_stream = false;
    for (size_t i = 0; i < n_paths; i++)
        has_stream = has_stream || dpl__is_stream(paths[i]);
    if (has_langs && (n_paths != 2 || o->pivot))
        return dpl__fail(err, DPL_E_USAGE,
                         "languages of left and right are for two inputs without a pivot");
    if (n_paths == 2 && !o->pivot && (has_langs || has_stream))
        return run_two(w, paths, err);
    if (has_stream) {
        dpl__fail(err, DPL_E_USAGE,
                  "documents in several languages are read several times, "
                  "which a pipe cannot be");
        return dpl__code(err, DPL_E_USAGE, "stream-read-twice");
    }
    DPL_TRY(dpl__census_take(&w->census, w->ctx, paths, n_paths, &o->read, err));
    return !o->pivot && dpl__census_is_two_sided(&w->census) ? run_two(w, paths, err)
                                                             : run_many(w, paths, n_paths, err);
}

dpl_status dpl_mine_many(dpl_mine_many_summary **out, dpl_ctx *ctx, const char *dir,
                         const char *const *paths, size_t n_paths,
                         const dpl_mine_options *options, dpl_error *err)
{
    if (out)
        *out = NULL;
    if (n_paths == 0)
        return dpl__fail(err, DPL_E_USAGE, "no documents given");
    dpl__many *m = dpl__calloc(ctx, 1, sizeof *m);
    if (!m)
        return dpl__fail_nomem(err);
    m->ctx = ctx;
    dpl__arena_init(&m->arena, ctx);
    dpl__many_work w = {.ctx = ctx, .began = dpl__now(), .dir = dir, .many = m};
    if (options)
        w.options = *options;
    dpl_status status = run(&w, paths, n_paths, err);
    dpl__census_clear(&w.census);
    dpl__folder_close(&w.folder);
    if (status == DPL_OK && out)
        *out = &m->summary;
    else
        dpl_mine_many_free(&m->summary);
    return status;
}

void dpl_mine_many_free(dpl_mine_many_summary *summary)
{
    dpl__many *m = (dpl__many *)summary;
    if (!m)
        return;
    dpl__arena_clear(&m->arena);
    dpl__free(m->ctx, m, sizeof *m);
}
