/*
 * language_groups.c - pairs of many languages with one become groups.
 *
 * In: the pairs of each language with the pivot. Out: a line for each document of the pivot
 * that has a counterpart, with one document of each language or none. Pairs are one to one, so
 * a table of the pivot's documents and the languages holds them all: four bytes each.
 */
#include "mine/many.h"

#include "io/lines.h"
#include "mine/run_files.h"

/* ---- finding ------------------------------------------------------------------------- */

/* Of each document of the pivot, its counterpart in each language. */
static void fill_table(uint32_t *docs, const dpl_mine_result *m, size_t pivot, size_t n_docs)
{
    size_t n = m->summary.n_langs;
    for (size_t i = 0; i < n_docs * n; i++)
        docs[i] = i % n == pivot ? (uint32_t)(i / n) : DPL_MINE_NO_DOC;
    for (size_t k = 0; k < m->n_runs; k++) {
        const dpl__pair_run *r = m->runs[k];
        size_t left = (size_t)(r->summary.left - m->langs);
        for (size_t i = 0; i < r->summary.n_pairs; i++) {
            dpl_doc_pair pair = r->final.found.pairs.data[i].docs;
            const size_t right = dpl__doc_as_read(&r->read.numbers[1], pair.right);
            docs[right * n + left] = dpl__doc_as_read(&r->read.numbers[0], pair.left);
        }
    }
}

/* Rows of two documents and more come to the front; returns how many there are. */
static size_t keep_groups(uint32_t *docs, dpl_mine_result *m, size_t n_docs)
{
    size_t n = m->summary.n_langs, n_groups = 0;
    for (size_t doc = 0; doc < n_docs; doc++) {
        const uint32_t *row = docs + doc * n;
        size_t n_there = 0;
        for (size_t i = 0; i < n; i++)
            n_there += row[i] != DPL_MINE_NO_DOC;
        if (n_there < 2)
            continue;
        m->n_by_size[n_there]++;
        for (size_t i = 0; i < n; i++)
            m->langs[i].n_paired += row[i] != DPL_MINE_NO_DOC;
        memmove(docs + n_groups++ * n, row, n * sizeof *docs);
    }
    return n_groups;
}

dpl_status dpl__find_groups(dpl_mine_result *m, dpl_error *err)
{
    size_t n = m->summary.n_langs, pivot = (size_t)(m->summary.pivot - m->langs);
    size_t n_docs = dpl_collection_get_sizes(dpl__result_collection(m, pivot))->n_docs;
    size_t n_bytes = n_docs * n * sizeof(uint32_t);
    uint32_t *docs = dpl__alloc(m->ctx, n_bytes + 1);
    if (!docs)
        return dpl__fail_nomem(err);
    for (size_t i = 0; i < n; i++)
        m->langs[i].n_paired = 0;
    fill_table(docs, m, pivot, n_docs);
    size_t n_groups = keep_groups(docs, m, n_docs), n_kept = n_groups * n * sizeof *docs;
    m->groups = n_groups ? dpl__alloc(m->ctx, n_kept) : NULL;
    if (m->groups)
        memcpy(m->groups, docs, n_kept);
    dpl__free(m->ctx, docs, n_bytes + 1);
    if (n_groups && !m->groups)
        return dpl__fail_nomem(err);
    m->summary.n_groups = n_groups;
    return DPL_OK;
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
        const char *code = m->langs[at_column(pivot, i)].code;
        dpl_output_write(o, code, strlen(code));
        dpl_output_write(o, i + 1 < m->summary.n_langs ? "\t" : "\n", 1);
    }
}

static void write_group(dpl_output *o, const dpl_mine_result *m, size_t pivot,
                        const uint32_t *docs)
{
    for (size_t i = 0; i < m->summary.n_langs; i++) {
        size_t lang = at_column(pivot, i);
        if (docs[lang] != DPL_MINE_NO_DOC) {
            dpl_str id = dpl_collection_doc(dpl__result_collection(m, lang), docs[lang]).id;
            dpl_output_write(o, id.data, id.n);
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
    if (w->settings.options.has_header)
        write_header(o, m, pivot);
    for (size_t i = 0; i < m->summary.n_groups; i++)
        write_group(o, m, pivot, m->groups + i * m->summary.n_langs);
    dpl_status status = dpl_output_finish(o, err);
    dpl_output_free(o);
    return status;
}

/* ---- pairs of all runs ---------------------------------------------------------------- */

static void put(dpl_output *o, dpl_str s)
{
    dpl_output_write(o, s.data, s.n);
}

/* More than two languages: both of each pair, behind the columns that any pairs.tsv has. */
static void write_langs(dpl_output *o, const dpl_mine_run *run)
{
    for (int side = 0; side < 2; side++) {
        put(o, DPL_STR("\t"));
        put(o, dpl__cstr((side ? run->right : run->left)->code));
    }
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
        put(o, line);
        if (dpl__has_lang_columns(w))
            write_langs(o, run);
        put(o, DPL_STR("\n"));
    }
    dpl__lines_close(&lines);
    return status == DPL_END ? DPL_OK : status;
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
        status = dpl_output_finish(o, err);
    dpl_output_free(o);
    return status;
}
