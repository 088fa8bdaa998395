/*
 * many.c - documents in several languages: every language with the pivot, then with each other.
 *
 * In: documents. Out: a run for each language and the pivot, and groups of documents. Each
 * language is one collection, made once; the runs are ordinary ones over two collections, so
 * that resuming, memory and the same bytes are theirs. Comparing with one pivot instead of all
 * with all is linear in the number of languages, and groups need no decision: what is paired
 * with the same document belongs together. Where there are few languages, the other ones are
 * paired, too: what groups imply about two of them teaches their first lexicon, and what all
 * runs support teaches the unsure ones once more.
 */
#include "mine/many.h"

#include "base/ctx.h"
#include "base/sized.h"
#include "io/target.h"
#include "mine/given_lexicon.h"
#include "mine/mine_params.h"
#include "mine/triangles.h"

#include <dirent.h>
#include <errno.h>
#include <fnmatch.h>
#include <stdio.h>
#include <unistd.h>

/* ---- where things are --------------------------------------------------------------- */

void dpl__many_path(char out[4200], const dpl__many_work *w, const dpl_mine_run *run,
                    const char *name)
{
    snprintf(out, 4200, "%s/%s-%s%s%s", w->folder.dir, run->left->code, run->right->code,
             *name ? "/" : "", name);
}

bool dpl__has_all_pairs(size_t n_langs)
{
    return n_langs <= (size_t)DPL__P(mine, paired_langs);
}

/* ---- languages ---------------------------------------------------------------------- */

/* The documents of a language become a collection. */
static dpl_status import_documents(const dpl__many_work *w, const dpl__language *l,
                                   const char *path, dpl_error *err)
{
    dpl_reader_options read = w->settings.read;
    read.lang = NULL;
    read.only_lang = l->is_mixed ? l->code : NULL;
    dpl_tokens_options tokens =
        DPL_INIT(dpl_tokens_options, .stem = !w->settings.options.no_stem);
    dpl_import_options o = DPL_INIT(dpl_import_options, .read = &read, .tokens = &tokens,
                                    .temp = w->folder.work, .tell_inputs = true);
    struct dpl_skip_list skipped = {.ctx = w->ctx};
    dpl_import_summary s = DPL_INIT(dpl_import_summary, .skipped = &skipped);
    dpl_status status = dpl_import(&s, w->ctx, path, l->paths.data, l->paths.n, &o, err);
    if (status == DPL_OK)
        status = dpl__skipped_save(&skipped, w->folder.work, l->code, err);
    dpl__skips_clear(&skipped);
    return status;
}

static dpl_status import_language(dpl__many_work *w, size_t i, dpl_error *err)
{
    const dpl__language *l = &w->census.langs.data[i];
    char path[4200];
    snprintf(path, sizeof path, "%s/%s.dpl", w->folder.work, l->code);
    w->collections[i] =
        dpl__arena_copy(&w->result->arena, dpl__cstr(l->collection ? l->collection : path))
            .data;
    DPL_TRY(dpl__need(w->collections[i], err));
    w->sources[i] = (dpl_input){.path = w->collections[i]};
    w->is_new[i] = !l->collection && access(path, R_OK) != 0;
    if (w->is_new[i])
        DPL_TRY(import_documents(w, l, path, err));
    return l->collection ? DPL_OK
                         : dpl__skipped_load(&w->result->skipped, w->folder.work, l->code, err);
}

static dpl_status describe_language(dpl__many_work *w, size_t i, dpl_error *err)
{
    dpl_collection *c = NULL;
    dpl_mine_language *l = &w->result->langs[i];
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
    if (!w->settings.options.pivot)
        return DPL_OK;
    memcpy(w->pivot, dpl_lang_canonical(dpl__cstr(w->settings.options.pivot)).code,
           sizeof w->pivot);
    if (is_there(w, w->pivot))
        return DPL_OK;
    char all[200] = "";
    size_t n = 0;
    for (size_t i = 0; i < w->census.langs.n && n < sizeof all; i++)
        n += (size_t)snprintf(all + n, sizeof all - n, "%s%s", i ? ", " : "",
                              w->census.langs.data[i].code);
    return dpl__fail_code(err, DPL_E_USAGE, "pivot",
                          "no documents in the pivot language '%s', only in %s",
                          w->settings.options.pivot, all);
}

static dpl_status count_characters(uint64_t *out, const dpl__many_work *w, size_t lang,
                                   dpl_error *err)
{
    dpl_collection *c = NULL;
    DPL_TRY(dpl_collection_open(&c, w->ctx, w->collections[lang], err));
    *out = 0;
    for (uint32_t i = 0; i < dpl_collection_get_sizes(c)->n_docs; i++) {
        dpl_str text = dpl_collection_doc(c, i).text;
        for (size_t k = 0; k < text.n; k++)
            *out += (text.data[k] & 0xC0) != 0x80;
    }
    dpl_collection_close(c);
    return DPL_OK;
}

/* The language with the most documents, and of those with as many the one with the most
 * characters. Words are no measure: languages are cut into more or fewer of them. */
static dpl_status choose_pivot(dpl__many_work *w, dpl_error *err)
{
    dpl_mine_summary *s = &w->result->summary;
    size_t best = 0;
    uint64_t most = 0; /* characters of the best, once counted */
    for (size_t i = 0; i < s->n_langs; i++) {
        const dpl_mine_language *l = s->langs[i];
        uint64_t n_chars;
        if (*w->pivot ? strcmp(l->code, w->pivot) == 0 : l->n_docs > s->langs[best]->n_docs) {
            best = i;
            most = 0;
        } else if (!*w->pivot && i != best && l->n_docs == s->langs[best]->n_docs) {
            if (!most)
                DPL_TRY(count_characters(&most, w, best, err));
            DPL_TRY(count_characters(&n_chars, w, i, err));
            if (n_chars > most) {
                best = i;
                most = n_chars;
            }
        }
    }
    s->pivot = s->langs[best];
    return DPL_OK;
}

/* Runs over other documents in the folders of language pairs are not resumed, and what they
 * found does not stay. Folders that are not ours are left alone. */
static void forget_runs(const dpl__many_work *w)
{
    DIR *folder = opendir(w->folder.dir);
    for (const struct dirent *e; folder && (e = readdir(folder));) {
        char dir[4200];
        if (fnmatch("[a-z][a-z]*-[a-z][a-z]*", e->d_name, 0) != 0 ||
            (size_t)snprintf(dir, sizeof dir, "%s/%s", w->folder.dir, e->d_name) >= sizeof dir)
            continue;
        dpl__out_folder_clear(&dpl__mine_names, w->ctx, dir);
    }
    if (folder)
        closedir(folder);
}

static dpl_status open_folder(dpl__many_work *w, dpl_error *err)
{
    const dpl__mine_folder_run run = {w->dir, w->inputs, w->n_inputs, &w->settings.options};
    DPL_TRY(dpl__run_folder_open(&w->folder, w->ctx, &run, err));
    if (!w->settings.options.resume)
        forget_runs(w);
    return DPL_OK;
}

static dpl_status make_room(dpl__many_work *w, dpl_error *err)
{
    dpl_mine_result *m = w->result;
    size_t n = w->census.langs.n, n_left_out = w->census.left_out.n;
    DPL_TRY(dpl__result_reserve(m, n, dpl__has_all_pairs(n) ? n * (n - 1) / 2 : n - 1, err));
    w->collections = dpl__arena_alloc(&m->arena, n * sizeof *w->collections);
    w->sources = dpl__arena_alloc(&m->arena, n * sizeof *w->sources);
    w->is_new = dpl__arena_alloc(&m->arena, n * sizeof *w->is_new);
    dpl_mine_language *left_out =
        dpl__arena_alloc(&m->arena, (n_left_out + 1) * sizeof *left_out);
    const dpl_mine_language **list =
        dpl__arena_alloc(&m->arena, (n_left_out + 1) * sizeof *list);
    DPL_TRY(dpl__need(w->collections && w->sources && w->is_new && left_out && list, err));
    for (size_t i = 0; i < n_left_out; i++) {
        left_out[i] = (dpl_mine_language){.n_docs = w->census.left_out.data[i].n_docs};
        memcpy(left_out[i].code, w->census.left_out.data[i].code, sizeof left_out[i].code);
        list[i] = &left_out[i];
    }
    m->summary.is_many = true;
    m->summary.skipped = &m->skipped;
    m->summary.left_out = list;
    m->summary.n_left_out = n_left_out;
    return DPL_OK;
}

static dpl_status import_all(dpl__many_work *w, dpl_error *err)
{
    dpl_mine_summary *s = &w->result->summary;
    for (size_t i = 0; i < s->n_langs; i++) {
        DPL_TRY(import_language(w, i, err));
        DPL_TRY(describe_language(w, i, err));
    }
    return choose_pivot(w, err);
}

/* ---- a lexicon to begin with -------------------------------------------------------- */

/* A dictionary becomes a lexicon to find out about its languages. */
static dpl_status open_beginning(dpl_lexicon **out, const dpl__many_work *w, dpl_error *err)
{
    const dpl_mine_options *o = &w->settings.options;
    char path[4200];
    if (o->lexicon)
        return dpl_lexicon_open(out, w->ctx, o->lexicon, NULL, err);
    dpl_lexicon_import_options import = DPL_INIT(dpl_lexicon_import_options);
    snprintf(path, sizeof path, "%s/dictionary.dpl", w->folder.work);
    DPL_TRY(dpl__given_dictionaries_import(w->ctx, path, o, &import, err));
    return dpl_lexicon_open(out, w->ctx, path, NULL, err);
}

static const char *beginning(const dpl__many_work *w)
{
    return w->settings.options.lexicon ? w->settings.options.lexicon
                                       : w->settings.options.dictionary;
}

/* Which languages it is for, before anything that takes long. */
static dpl_status look_at_beginning(dpl__many_work *w, dpl_error *err)
{
    if (!beginning(w) || w->census.langs.n == 2)
        return DPL_OK;
    dpl_lexicon *lexicon = NULL;
    dpl_status status = open_beginning(&lexicon, w, err);
    if (status == DPL_OK) {
        snprintf(w->source, sizeof w->source, "%s", dpl_lexicon_get_info(lexicon).source_lang);
        snprintf(w->target, sizeof w->target, "%s", dpl_lexicon_get_info(lexicon).target_lang);
    }
    dpl_lexicon_close(lexicon);
    if (status != DPL_OK || (*w->source && *w->target))
        return status;
    return dpl__fail_code(err, DPL_E_USAGE, "lexicon-without-languages",
                          "'%s' does not say which of %zu languages it is for", beginning(w),
                          w->census.langs.n);
}

static bool is_for(const dpl__many_work *w, const char *source, const char *target)
{
    return strcmp(w->source, source) == 0 && strcmp(w->target, target) == 0;
}

static dpl_status check_beginning(const dpl__many_work *w, dpl_error *err)
{
    const dpl_mine_summary *s = &w->result->summary;
    for (size_t i = 0; i < s->n_langs && *w->source; i++)
        for (size_t k = 0; k < s->n_langs; k++)
            if ((s->langs[k] == s->pivot || dpl__has_all_pairs(s->n_langs)) &&
                (is_for(w, s->langs[i]->code, s->langs[k]->code) ||
                 is_for(w, s->langs[k]->code, s->langs[i]->code)))
                return DPL_OK;
    if (!*w->source)
        return DPL_OK;
    return dpl__fail_code(err, DPL_E_USAGE, "pivot",
                          "'%s' is for %s and %s, which are not paired: the pivot is %s",
                          beginning(w), w->source, w->target, s->pivot->code);
}

/* What the run of two languages begins with. */
static void begin_with(dpl_mine_options *o, const dpl__many_work *w, const char *left,
                       const char *right)
{
    if (!*w->source || is_for(w, left, right))
        return;
    const char *turned = is_for(w, right, left) ? beginning(w) : NULL;
    o->lexicon = NULL;
    o->dictionary = turned; /* which is turned round */
    o->n_more_dictionaries = turned ? o->n_more_dictionaries : 0;
}

/* ---- runs --------------------------------------------------------------------------- */

/* A run that has nothing in common to learn from stays, empty. given becomes its own. */
static dpl_status begin_run(dpl__many_work *w, size_t lang, size_t other, dpl_lexicon *given,
                            dpl_error *err)
{
    double n_implied;
    dpl_mine_result *m = w->result;
    const size_t number = m->n_runs;
    dpl_mine_options o = w->settings.options;
    dpl_mine_run names = {.left = &m->langs[lang], .right = &m->langs[other]};
    char dir[4200], prefix[32];
    dpl__many_path(dir, w, &names, "");
    snprintf(prefix, sizeof prefix, "%.11s-%.11s ", names.left->code, names.right->code);
    o.pivot = NULL;
    o.read = NULL;
    o.resume = o.resume && !w->is_new[lang] && !w->is_new[other];
    begin_with(&o, w, names.left->code, names.right->code);
    DPL_TRY(dpl__count_implied(&n_implied, m, lang, other, err));
    dpl__pair_run_input in = {.dir = dir,
                              .left = &w->sources[lang],
                              .right = &w->sources[other],
                              .prefix = prefix,
                              .has_no_files = !w->dir,
                              .langs = {lang, other},
                              .given = given,
                              .n_implied = n_implied};
    DPL_TRY(dpl__pair_run_new(&m->runs[number], w->ctx, &in, &o, err));
    dpl__pair_run *run = m->runs[m->n_runs++];
    m->run_list[number] = &run->summary;
    m->summary.n_runs = m->n_runs;
    DPL_TRY(dpl__pair_run_import(run, err));
    return dpl__pair_run_find(run, err);
}

static dpl_status finish_run(dpl__many_work *w, dpl__pair_run *run, dpl_error *err)
{
    dpl_status status = dpl__pair_run_finish(run, err);
    run->summary.left = &w->result->langs[run->task.langs[0]];
    run->summary.right = &w->result->langs[run->task.langs[1]];
    return status;
}

static size_t pivot_of(const dpl_mine_result *m)
{
    return (size_t)(m->summary.pivot - m->langs);
}

/* Languages that have nothing in common do not keep the others from being paired. */
static dpl_status run_with_pivot(dpl__many_work *w, dpl_error *err)
{
    for (size_t i = 0; i < w->result->summary.n_langs; i++)
        if (i != pivot_of(w->result))
            DPL_TRY(begin_run(w, i, pivot_of(w->result), NULL, err));
    return DPL_OK;
}

/* A lexicon that was given for two languages is better than one through a third. */
static bool is_given(const dpl__many_work *w, size_t lang, size_t other)
{
    const dpl_mine_language *langs = w->result->langs;
    return is_for(w, langs[lang].code, langs[other].code) ||
           is_for(w, langs[other].code, langs[lang].code);
}

static dpl_status run_other_two(dpl__many_work *w, size_t lang, size_t other, dpl_error *err)
{
    dpl_lexicon *given = NULL;
    if (!is_given(w, lang, other))
        DPL_TRY(dpl__compose_lexicon(&given, w->result, lang, other,
                                     DPL__P(mine, composed_share), err));
    return begin_run(w, lang, other, given, err);
}

/* With few languages, every two that are not the pivot: the cost grows with their square. */
static dpl_status run_others(dpl__many_work *w, dpl_error *err)
{
    const size_t n = w->result->summary.n_langs, pivot = pivot_of(w->result);
    for (size_t i = 0; i < n && dpl__has_all_pairs(n); i++)
        for (size_t k = i + 1; k < n; k++)
            if (i != pivot && k != pivot)
                DPL_TRY(run_other_two(w, i, k, err));
    return DPL_OK;
}

/* What a run learns from once more. */
typedef struct third {
    dpl_lexicon *composed; /* NULL: none */
    double n_implied;
} third;

static dpl_status look_at_thirds(third *out, const dpl__many_work *w, size_t run,
                                 dpl_error *err)
{
    const dpl_mine_result *m = w->result;
    const size_t *langs = m->runs[run]->task.langs;
    if (!is_given(w, langs[0], langs[1]))
        DPL_TRY(dpl__compose_lexicon(&out->composed, m, langs[0], langs[1], 0, err));
    return dpl__count_implied(&out->n_implied, m, langs[0], langs[1], err);
}

/* All runs once more, from the pairs that they support and lexicons through each other; all
 * begin with what was known before. */
static dpl_status run_again(dpl__many_work *w, dpl_error *err)
{
    dpl_mine_result *m = w->result;
    third *thirds = dpl__calloc(w->ctx, m->n_runs + 1, sizeof *thirds);
    dpl_status status = dpl__need(thirds, err);
    for (size_t i = 0; i < m->n_runs && status == DPL_OK; i++)
        status = look_at_thirds(&thirds[i], w, i, err);
    for (size_t i = 0; i < m->n_runs && status == DPL_OK; i++) {
        dpl_lexicon *composed = thirds[i].composed;
        thirds[i].composed = NULL;
        status = dpl__pair_run_find_again(m->runs[i], composed, thirds[i].n_implied, err);
    }
    for (size_t i = 0; thirds && i < m->n_runs; i++)
        dpl_lexicon_close(thirds[i].composed);
    dpl__free(w->ctx, thirds);
    return status == DPL_OK ? dpl__support_candidates(m, err) : status;
}

static dpl_status run_all(dpl__many_work *w, dpl_error *err)
{
    DPL_TRY(run_with_pivot(w, err));
    DPL_TRY(run_others(w, err));
    DPL_TRY(dpl__support_candidates(w->result, err));
    if (w->result->n_runs > w->result->summary.n_langs - 1) /* triangles */
        DPL_TRY(run_again(w, err));
    for (size_t i = 0; i < w->result->n_runs; i++)
        DPL_TRY(finish_run(w, w->result->runs[i], err));
    return DPL_OK;
}

bool dpl__has_lang_columns(const dpl__many_work *w)
{
    return w->result->summary.n_langs > 2;
}

static dpl_status write_files(dpl__many_work *w, dpl_error *err)
{
    DPL_TRY(dpl__join_sentences(w, err));
    DPL_TRY(dpl__join_pairs(w, err));
    DPL_TRY(dpl__write_groups(w, err));
    w->result->summary.seconds = dpl__now() - w->began;
    return dpl__write_overview(w, err);
}

static dpl_status run_many(dpl__many_work *w, dpl_error *err)
{
    DPL_TRY(dpl__census_divide(&w->census, err));
    DPL_TRY(check_pivot(w, err));
    DPL_TRY(make_room(w, err));
    DPL_TRY(open_folder(w, err));
    DPL_TRY(look_at_beginning(w, err));
    DPL_TRY(import_all(w, err));
    DPL_TRY(check_beginning(w, err));
    DPL_TRY(run_all(w, err));
    DPL_TRY(dpl__find_groups(w->result, err));
    return w->dir ? write_files(w, err) : DPL_OK;
}

/* ---- two sides ------------------------------------------------------------------------ */

static void keep_run(dpl_mine_result *m, dpl__pair_run *r)
{
    for (int side = 0; side < 2; side++)
        m->langs[side] = r->sides[side];
    r->summary.left = &m->langs[0];
    r->summary.right = &m->langs[1];
    m->run_list[0] = &r->summary;
    m->summary.n_runs = m->n_runs;
}

/* is_certain: there is nothing to be decided. Else *is_done says whether they were two sides;
 * if not, nothing has been done. */
static dpl_status run_two(dpl__many_work *w, bool is_certain, bool *is_done, dpl_error *err)
{
    dpl_mine_result *m = w->result;
    dpl__pair_run_input in = {.dir = w->dir, .left = &w->inputs[0], .right = &w->inputs[1]};
    dpl_error failed = {0};
    *is_done = true;
    DPL_TRY(dpl__result_reserve(m, 2, 1, err));
    DPL_TRY(dpl__pair_run_new(&m->runs[0], w->ctx, &in, &w->settings.options, err));
    dpl__pair_run *r = m->runs[0];
    m->n_runs = 1;
    dpl_status status = dpl__pair_run_import(r, &failed);
    if (!is_certain &&
        ((status == DPL_OK && !dpl__are_two_sides(r->read.langs)) || status == DPL_E_FORMAT)) {
        *is_done = false;
        dpl__pair_run_discard(r);
        dpl__pair_run_free(r);
        m->runs[0] = NULL;
        m->n_runs = 0;
        return DPL_OK;
    }
    if (status != DPL_OK && err)
        *err = failed;
    for (int side = 0; side < 2 && w->census.inputs; side++) /* a collection does not say it */
        r->read.langs[side].is_single = w->census.inputs[side].is_single;
    if (status == DPL_OK)
        status = dpl__pair_run_find(r, err);
    if (status == DPL_OK)
        status = dpl__pair_run_finish(r, err);
    keep_run(m, r);
    m->summary.skipped = &r->read.skipped;
    m->summary.seconds = r->summary.seconds;
    return status;
}

/* Did an earlier run divide the inputs? Then there are collections of languages. */
static bool was_divided(const char *dir)
{
    char work[4100];
    snprintf(work, sizeof work, "%s/work", dir);
    DIR *folder = opendir(work);
    bool is_there = false;
    for (const struct dirent *e; folder && (e = readdir(folder));)
        is_there = is_there || fnmatch("[a-z][a-z].dpl", e->d_name, 0) == 0 ||
                   fnmatch("[a-z][a-z][a-z].dpl", e->d_name, 0) == 0;
    if (folder)
        closedir(folder);
    return is_there;
}

static dpl_status count_languages(dpl__many_work *w, dpl_error *err)
{
    const char **paths = dpl__arena_alloc(&w->result->arena, w->n_inputs * sizeof *paths);
    DPL_TRY(dpl__need(paths, err));
    for (size_t i = 0; i < w->n_inputs; i++)
        paths[i] = w->inputs[i].path;
    return dpl__census_take(&w->census, w->ctx, paths, w->n_inputs, &w->settings.read, err);
}

/* ---- all of it ---------------------------------------------------------------------- */

/* Two inputs that can be read once only, or whose languages are given, are two sides. */
static dpl_status run(dpl__many_work *w, dpl_error *err)
{
    const dpl_mine_options *o = &w->settings.options;
    bool has_langs = o->langs[0] || o->langs[1], is_once = false, is_done = false;
    for (size_t i = 0; i < w->n_inputs; i++)
        is_once = is_once || !w->inputs[i].path || dpl__is_stream(w->inputs[i].path);
    const bool has_both = o->langs[0] && o->langs[1];
    if (has_langs && (o->pivot || (w->n_inputs != 2 && !has_both)))
        return dpl__fail(err, DPL_E_USAGE,
                         o->pivot ? "two languages do not go with a pivot"
                                  : "inputs in several languages need both of those to mine");
    bool may_be_two = w->n_inputs == 2 && !o->pivot;
    bool was_many = o->resume && w->dir && was_divided(w->dir);
    if (may_be_two && !was_many)
        DPL_TRY(run_two(w, has_langs || is_once, &is_done, err));
    if (is_done)
        return DPL_OK;
    if (is_once)
        return dpl__fail_code(err, DPL_E_USAGE, "stream-read-twice",
                              "documents in several languages are read several times, "
                              "which a pipe cannot be");
    DPL_TRY(count_languages(w, err));
    for (int i = 0; i < 2 && has_both; i++)
        w->census.wanted[i] = o->langs[i];
    if (has_both)
        w->settings.options.pivot = o->langs[1]; /* which is the right side */
    return may_be_two && dpl__census_is_two_sided(&w->census) ? run_two(w, true, &is_done, err)
                                                              : run_many(w, err);
}

dpl_status dpl_mine(dpl_mine_result **out, dpl_ctx *ctx, const char *dir,
                    const dpl_input *inputs, size_t n_inputs, const dpl_mine_options *options,
                    dpl_error *err)
{
    dpl_mine_result *m = NULL;
    if (out)
        *out = NULL;
    if (n_inputs == 0)
        return dpl__fail(err, DPL_E_USAGE, "no documents given");
    dpl__many_work *w = dpl__calloc(ctx, 1, sizeof *w);
    DPL_TRY(dpl__need(w, err));
    *w = (dpl__many_work){
        .ctx = ctx, .began = dpl__now(), .dir = dir, .inputs = inputs, .n_inputs = n_inputs};
    dpl_status status = dpl__mine_settings_take(&w->settings, options, err);
    if (status == DPL_OK)
        status = dpl__result_new(&m, ctx, err);
    w->result = m;
    if (status == DPL_OK)
        status = run(w, err);
    if (status == DPL_OK)
        m->summary.seconds = dpl__now() - w->began;
    dpl__census_clear(&w->census);
    dpl__out_folder_close(&w->folder);
    dpl__free(ctx, w);
    if (status == DPL_OK && out)
        *out = m;
    else
        dpl_mine_result_free(m);
    return status;
}

dpl_status dpl_lexicon_learn(dpl_mine_result **out, dpl_ctx *ctx, const char *out_path,
                             const dpl_input *left, const dpl_input *right,
                             const dpl_mine_options *options, dpl_error *err)
{
    char dir[3900];
    dpl_mine_options o;
    dpl_mine_result *m = NULL;
    if (out)
        *out = NULL;
    DPL_TRY(DPL__TAKE(&o, options, err));
    if (o.resume)
        return dpl__fail(err, DPL_E_USAGE, "there is nothing to resume");
    if ((size_t)snprintf(dir, sizeof dir, "%s.work", out_path) >= sizeof dir)
        return dpl__fail_errno(err, ENAMETOOLONG, "cannot write '%s'", out_path);
    const char *inputs[] = {left->path, right->path, o.lexicon, o.dictionary};
    DPL_TRY(dpl__check_overwrite(out_path, inputs, DPL_LEN(inputs), err));
    dpl__pair_run_input in = {.dir = dir,
                              .left = left,
                              .right = right,
                              .lexicon_path = out_path,
                              .has_no_files = true};
    dpl_status status;
    if ((status = dpl__result_new(&m, ctx, err)) != DPL_OK ||
        (status = dpl__result_reserve(m, 2, 1, err)) != DPL_OK ||
        (status = dpl__pair_run_new(&m->runs[0], ctx, &in, &o, err)) != DPL_OK)
        goto done;
    m->n_runs = 1;
    status = dpl__pair_run_import(m->runs[0], err);
    if (status == DPL_OK)
        status = dpl__pair_run_find(m->runs[0], err);
    if (status == DPL_OK)
        status = dpl__pair_run_finish(m->runs[0], err);
    keep_run(m, m->runs[0]);
    m->summary.seconds = m->runs[0]->summary.seconds;
    dpl__out_folder_remove(&dpl__mine_names, dir);
done:
    if (status == DPL_OK && out)
        *out = m;
    else
        dpl_mine_result_free(m);
    return status;
}
