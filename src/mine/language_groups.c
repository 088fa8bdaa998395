/*
 * language_groups.c - pairs of many languages become groups.
 *
 * In: the pairs of every two languages that were mined. Out: rows with one document of each
 * language or none. Runs with the pivot come first: a row for each document of the pivot that
 * has a counterpart. What they leave over is joined by the pairs of other languages: a document
 * that is in no group comes to the group of its counterpart, if that has none of its language;
 * two that are in none become a group. Cost: linear in documents and pairs.
 */
#include "mine/many.h"

#include "io/lines.h"
#include "mine/run_files.h"
#include "mine/triangles.h"

#include <stdio.h>

/* ---- finding ------------------------------------------------------------------------- */

typedef struct grouping {
    dpl_mine_result *m;
    uint32_t **group_of; /* of each document of each language; DPL_MINE_NO_DOC: none */
    uint32_t *docs;      /* n_langs of each group */
    size_t n_groups, most;
} grouping;

static size_t count_docs(const dpl_mine_result *m, size_t lang)
{
    const dpl_collection *c = dpl__result_collection(m, lang);
    return c ? dpl_collection_get_sizes(c)->n_docs : 0;
}

static void put_in(grouping *g, size_t group, size_t lang, uint32_t doc)
{
    g->docs[group * g->m->summary.n_langs + lang] = doc;
    g->group_of[lang][doc] = (uint32_t)group;
}

static size_t begin_group(grouping *g)
{
    const size_t n = g->m->summary.n_langs;
    assert(g->n_groups < g->most);
    for (size_t i = 0; i < n; i++)
        g->docs[g->n_groups * n + i] = DPL_MINE_NO_DOC;
    return g->n_groups++;
}

static void join_pair(grouping *g, const size_t langs[2], const uint32_t docs[2])
{
    const uint32_t groups[2] = {g->group_of[langs[0]][docs[0]], g->group_of[langs[1]][docs[1]]};
    const bool has[2] = {groups[0] != DPL_MINE_NO_DOC, groups[1] != DPL_MINE_NO_DOC};
    if (has[0] && has[1])
        return;
    const int with = has[1], without = !with;
    const size_t group = has[with] ? groups[with] : begin_group(g);
    if (!has[with])
        put_in(g, group, langs[with], docs[with]);
    if (g->docs[group * g->m->summary.n_langs + langs[without]] == DPL_MINE_NO_DOC)
        put_in(g, group, langs[without], docs[without]);
}

static void join_run(grouping *g, const dpl__pair_run *r)
{
    const size_t langs[2] = {(size_t)(r->summary.left - g->m->langs),
                             (size_t)(r->summary.right - g->m->langs)};
    for (size_t i = 0; i < r->summary.n_pairs; i++) {
        const dpl_doc_pair pair = r->final.found.pairs.data[i].docs;
        const uint32_t docs[2] = {dpl__doc_as_read(&r->read.numbers[0], pair.left),
                                  dpl__doc_as_read(&r->read.numbers[1], pair.right)};
        join_pair(g, langs, docs);
    }
}

/* Groups in the order of the pivot's documents, then as they were found. */
static void order_groups(uint32_t *out, const grouping *g, size_t pivot)
{
    const size_t n = g->m->summary.n_langs, n_docs = count_docs(g->m, pivot);
    size_t n_out = 0;
    for (size_t doc = 0; doc < n_docs; doc++)
        if (g->group_of[pivot][doc] != DPL_MINE_NO_DOC)
            memcpy(out + n_out++ * n, g->docs + g->group_of[pivot][doc] * n, n * sizeof *out);
    for (size_t i = 0; i < g->n_groups; i++)
        if (g->docs[i * n + pivot] == DPL_MINE_NO_DOC)
            memcpy(out + n_out++ * n, g->docs + i * n, n * sizeof *out);
    assert(n_out == g->n_groups);
}

static void count_groups(dpl_mine_result *m)
{
    const size_t n = m->summary.n_langs;
    for (size_t i = 0; i < n; i++)
        m->langs[i].n_paired = 0;
    for (size_t i = 0; i < m->summary.n_groups; i++) {
        size_t n_there = 0;
        for (size_t lang = 0; lang < n; lang++) {
            const bool is_there = m->groups[i * n + lang] != DPL_MINE_NO_DOC;
            m->langs[lang].n_paired += is_there;
            n_there += is_there;
        }
        m->n_by_size[n_there]++;
    }
}

static dpl_status find_groups(grouping *g, dpl_error *err)
{
    dpl_mine_result *m = g->m;
    const size_t n = m->summary.n_langs, pivot = (size_t)(m->summary.pivot - m->langs);
    for (size_t lang = 0; lang < n; lang++) {
        const size_t n_docs = count_docs(m, lang);
        g->group_of[lang] = dpl__alloc(m->ctx, (n_docs + 1) * sizeof(uint32_t));
        DPL_TRY(dpl__need(g->group_of[lang], err));
        for (size_t i = 0; i < n_docs; i++)
            g->group_of[lang][i] = DPL_MINE_NO_DOC;
    }
    for (size_t i = 0; i < m->n_runs; i++)
        g->most += m->runs[i]->summary.n_pairs;
    g->docs = dpl__alloc(m->ctx, (g->most * n + 1) * sizeof *g->docs);
    DPL_TRY(dpl__need(g->docs, err));
    for (size_t i = 0; i < m->n_runs; i++)
        join_run(g, m->runs[i]);
    if (!g->n_groups)
        return DPL_OK;
    m->groups = dpl__alloc(m->ctx, g->n_groups * n * sizeof *m->groups);
    DPL_TRY(dpl__need(m->groups, err));
    order_groups(m->groups, g, pivot);
    m->summary.n_groups = g->n_groups;
    return DPL_OK;
}

dpl_status dpl__find_groups(dpl_mine_result *m, dpl_error *err)
{
    const size_t n = m->summary.n_langs;
    grouping g = {.m = m, .group_of = dpl__calloc(m->ctx, n, sizeof *g.group_of)};
    dpl_status status = g.group_of ? find_groups(&g, err) : dpl__fail_nomem(err);
    if (status == DPL_OK)
        count_groups(m);
    if (g.docs)
        dpl__free(m->ctx, g.docs);
    for (size_t lang = 0; g.group_of && lang < n; lang++)
        if (g.group_of[lang])
            dpl__free(m->ctx, g.group_of[lang]);
    dpl__free(m->ctx, g.group_of);
    return status;
}

/* ---- groups.tsv ----------------------------------------------------------------------- */

/* The pivot's column comes first, then the other languages in their order. */
static size_t at_column(size_t pivot, size_t column)
{
    return column == 0 ? pivot : column - (column <= pivot);
}

static void write_header(dpl_output *o, const dpl_mine_result *m, size_t pivot)
{
    for (size_t i = 0; i < m->summary.n_langs; i++) {
        dpl__put(o, "%s%c", m->langs[at_column(pivot, i)].code,
                 i + 1 < m->summary.n_langs ? '\t' : '\n');
    }
}

static void write_group(dpl_output *o, const dpl_mine_result *m, size_t pivot,
                        const uint32_t *docs)
{
    for (size_t i = 0; i < m->summary.n_langs; i++) {
        size_t lang = at_column(pivot, i);
        if (docs[lang] != DPL_MINE_NO_DOC) {
            dpl_str id = dpl_collection_doc(dpl__result_collection(m, lang), docs[lang]).id;
            dpl__put_str(o, id);
        }
        dpl_output_write(o, i + 1 < m->summary.n_langs ? "\t" : "\n", 1);
    }
}

dpl_status dpl__write_groups(const dpl__many_work *w, dpl_error *err)
{
    const dpl_mine_result *m = w->result;
    size_t pivot = (size_t)(m->summary.pivot - m->langs);
    dpl_output *o = NULL;
    DPL_TRY(dpl__open_output(&o, w->ctx, w->dir, "groups.tsv", err));
    if (w->settings.options.header)
        write_header(o, m, pivot);
    for (size_t i = 0; i < m->summary.n_groups; i++)
        write_group(o, m, pivot, m->groups + i * m->summary.n_langs);
    return dpl__output_end(o, DPL_OK, err);
}

/* ---- pairs of all runs ---------------------------------------------------------------- */

/* More than two languages: both of each pair, behind the columns that any pairs.tsv has. */
static void write_langs(dpl_output *o, const dpl_mine_run *run)
{
    dpl__put(o, "\t%s\t%s", run->left->code, run->right->code);
}

static dpl_status copy_pairs(dpl_output *o, const dpl__many_work *w, const dpl_mine_run *run,
                             dpl_error *err)
{
    char path[4200];
    dpl__many_path(path, w, run, "pairs.tsv");
    dpl__lines lines;
    dpl_str line;
    DPL_TRY(dpl__lines_open(&lines, w->ctx, path, err));
    dpl_status status;
    while ((status = dpl__lines_next(&lines, &line, err)) == DPL_OK) {
        dpl__put_str(o, line);
        if (dpl__has_lang_columns(w))
            write_langs(o, run);
        dpl__put(o, "\n");
    }
    dpl__lines_close(&lines);
    return status == DPL_END ? DPL_OK : status;
}

/* For two languages that were not mined: the pairs that follow from their pairs with the
 * pivot. */
static dpl_status write_implied(dpl_output *o, const dpl__many_work *w, size_t left,
                                size_t right, dpl_error *err)
{
    const dpl_mine_result *m = w->result;
    const dpl_collection *c[2] = {dpl__result_collection(m, left),
                                  dpl__result_collection(m, right)};
    const dpl_mine_run names = {.left = &m->langs[left], .right = &m->langs[right]};
    dpl__implied_vec implied = {0};
    char score[DPL_SCORE_TEXT];
    dpl_status status = dpl__implied_by_pivot(&implied, m, left, right, err);
    for (size_t i = 0; i < implied.n && status == DPL_OK; i++) {
        const dpl__implied *one = &implied.data[i];
        if (one->confidence < w->settings.options.confidence)
            continue;
        dpl__put_str(o, dpl_collection_doc(c[0], one->docs.left).id);
        dpl__put(o, "\t");
        dpl__put_str(o, dpl_collection_doc(c[1], one->docs.right).id);
        dpl_score_text(score, one->confidence);
        dpl__put(o, "\t%s", score);
        write_langs(o, &names);
        dpl__put(o, "\n");
    }
    dpl__vec_clear(m->ctx, &implied);
    return status;
}

static dpl_status write_all_implied(dpl_output *o, const dpl__many_work *w, dpl_error *err)
{
    const size_t n = w->result->summary.n_langs,
                 pivot = (size_t)(w->result->summary.pivot - w->result->langs);
    for (size_t left = 0; left < n && !dpl__has_all_pairs(n); left++)
        for (size_t right = left + 1; right < n; right++)
            if (left != pivot && right != pivot)
                DPL_TRY(write_implied(o, w, left, right, err));
    return DPL_OK;
}

dpl_status dpl__join_pairs(const dpl__many_work *w, dpl_error *err)
{
    const dpl_mine_summary *s = &w->result->summary;
    dpl_output *o = NULL;
    DPL_TRY(dpl__open_output(&o, w->ctx, w->dir, "pairs.tsv", err));
    dpl_status status = DPL_OK;
    for (size_t i = 0; i < s->n_runs && status == DPL_OK; i++)
        if (!s->runs[i]->is_empty)
            status = copy_pairs(o, w, s->runs[i], err);
    if (status == DPL_OK)
        status = write_all_implied(o, w, err);
    return dpl__output_end(o, status, err);
}
