/*
 * groups.c - pairs of many languages with one become groups.
 *
 * In: the pairs of each language with the pivot. Out: a line for each document of the pivot
 * that has a counterpart, with one document of each language or none. Pairs are one to one, so
 * a table of the pivot's documents and the languages holds them all: four bytes each.
 */
#include "mine/many.h"

#include "io/lines.h"
#include "mine/run_files.h"

static const uint32_t NONE = UINT32_MAX;

typedef struct groups {
    dpl__many_work *w;
    dpl_collection **c; /* of each language */
    size_t n_langs, pivot;
    uint32_t n_docs; /* of the pivot */
    uint32_t *docs;  /* of each of them, its counterpart in each language */
} groups;

static dpl_status open_collections(groups *g, dpl_error *err)
{
    dpl_ctx *ctx = g->w->ctx;
    g->c = dpl__calloc(ctx, g->n_langs, sizeof *g->c);
    if (!g->c)
        return dpl__fail_nomem(err);
    for (size_t i = 0; i < g->n_langs; i++)
        DPL_TRY(dpl_collection_open(&g->c[i], ctx, g->w->collections[i], err));
    g->n_docs = dpl_collection_get_sizes(g->c[g->pivot])->n_docs;
    g->docs = dpl__alloc(ctx, g->n_docs * g->n_langs * sizeof *g->docs);
    if (!g->docs)
        return dpl__fail_nomem(err);
    for (size_t i = 0; i < g->n_docs * g->n_langs; i++)
        g->docs[i] = i % g->n_langs == g->pivot ? (uint32_t)(i / g->n_langs) : NONE;
    return DPL_OK;
}

static dpl_status add_pairs(groups *g, const dpl_mine_many_run *run, dpl_error *err)
{
    char path[4200];
    size_t left = (size_t)(run->left - g->w->many->langs), n;
    dpl_doc_pair *pairs;
    dpl__many_path(path, g->w, run, "pairs.tsv");
    DPL_TRY(
        dpl_doc_pairs_read(&pairs, &n, g->w->ctx, path, g->c[left], g->c[g->pivot], NULL, err));
    for (size_t i = 0; i < n; i++)
        g->docs[pairs[i].right * g->n_langs + left] = pairs[i].left;
    dpl_doc_pairs_free(g->w->ctx, pairs, n);
    return DPL_OK;
}

/* The column behind the pivot's has the other languages in their order. */
static size_t at_column(const groups *g, size_t column)
{
    return column == 0 ? g->pivot : column - (column <= g->pivot);
}

static void write_header(dpl__output *o, const groups *g)
{
    for (size_t i = 0; i < g->n_langs; i++) {
        const char *code = g->w->many->langs[at_column(g, i)].code;
        dpl__output_write(o, code, strlen(code));
        dpl__output_write(o, i + 1 < g->n_langs ? "\t" : "\n", 1);
    }
}

static void write_group(dpl__output *o, const groups *g, const uint32_t *docs)
{
    for (size_t i = 0; i < g->n_langs; i++) {
        size_t lang = at_column(g, i);
        if (docs[lang] != NONE) {
            dpl_str id = dpl_collection_doc(g->c[lang], docs[lang]).id;
            dpl__output_write(o, id.data, id.n);
        }
        dpl__output_write(o, i + 1 < g->n_langs ? "\t" : "\n", 1);
    }
}

static dpl_status write_all(const groups *g, dpl_error *err)
{
    dpl__many *m = g->w->many;
    dpl__output *o = NULL;
    DPL_TRY(dpl__open_output(&o, g->w->ctx, g->w->dir, "groups.tsv", err));
    if (g->w->options.has_header)
        write_header(o, g);
    for (uint32_t doc = 0; doc < g->n_docs; doc++) {
        const uint32_t *docs = g->docs + doc * g->n_langs;
        size_t n = 0;
        for (size_t i = 0; i < g->n_langs; i++)
            n += docs[i] != NONE;
        if (n < 2)
            continue;
        write_group(o, g, docs);
        m->n_groups[n]++;
        for (size_t i = 0; i < g->n_langs; i++)
            m->langs[i].n_paired += docs[i] != NONE;
    }
    dpl_status status = dpl__output_finish(o, err);
    dpl__output_free(o);
    return status;
}

dpl_status dpl__write_groups(dpl__many_work *w, dpl_error *err)
{
    const dpl_mine_many_summary *s = &w->many->summary;
    groups g = {.w = w, .n_langs = s->n_langs, .pivot = (size_t)(s->pivot - s->langs)};
    dpl_status status = open_collections(&g, err);
    for (size_t i = 0; i < s->n_runs && status == DPL_OK; i++)
        if (!s->runs[i].is_empty)
            status = add_pairs(&g, &s->runs[i], err);
    if (status == DPL_OK)
        status = write_all(&g, err);
    dpl__free(w->ctx, g.docs, g.n_docs * g.n_langs * sizeof *g.docs);
    for (size_t i = 0; g.c && i < g.n_langs; i++)
        dpl_collection_close(g.c[i]);
    dpl__free(w->ctx, g.c, g.n_langs * sizeof *g.c);
    return status;
}

/* ---- files one behind the other ----------------------------------------------------- */

static dpl_status copy_lines(dpl__output *o, const dpl__many_work *w,
                             const dpl_mine_many_run *run, const char *name, dpl_error *err)
{
    char path[4200];
    dpl__many_path(path, w, run, name);
    dpl__lines lines;
    dpl_str line;
    DPL_TRY(dpl__lines_open(&lines, w->ctx, path, err));
    dpl_status status;
    while ((status = dpl__lines_next(&lines, &line, err)) == DPL_OK) {
        dpl__output_write(o, line.data, line.n);
        dpl__output_write(o, "\n", 1);
    }
    dpl__lines_close(&lines);
    return status == DPL_END ? DPL_OK : status;
}

dpl_status dpl__join_runs(const dpl__many_work *w, const char *name, dpl_error *err)
{
    const dpl_mine_many_summary *s = &w->many->summary;
    dpl__output *o = NULL;
    DPL_TRY(dpl__open_output(&o, w->ctx, w->dir, name, err));
    dpl_status status = DPL_OK;
    for (size_t i = 0; i < s->n_runs && status == DPL_OK; i++)
        if (!s->runs[i].is_empty)
            status = copy_lines(o, w, &s->runs[i], name, err);
    if (status == DPL_OK)
        status = dpl__output_finish(o, err);
    dpl__output_free(o);
    return status;
}
