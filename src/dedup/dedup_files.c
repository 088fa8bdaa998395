/*
 * dedup_files.c - what a run leaves for its user besides the documents: clusters.tsv,
 * contamination.tsv, run.json.
 */
#include "base/ctx.h"
#include "base/decimal.h"
#include "base/summary.h"
#include "dedup/dedup_run.h"
#include "doppel/file.h"
#include "doppel/options.h"

#include <stdio.h>
#include <stdlib.h>

static dpl_status open_output(dpl_output **out, const dpl_dedup_result *r, const char *name,
                              dpl_error *err)
{
    char path[4200];
    DPL_TRY(dpl__work_file(path, sizeof path, &r->work, false, name, err));
    return dpl_output_new(out, r->ctx, path, err);
}

/* Tabs and line ends within an id become blanks. */
static void put_id(dpl_output *o, dpl_str id)
{
    for (size_t i = 0, end; i < id.n; i = end + 1) {
        for (end = i; end < id.n && !strchr("\t\n\r", id.data[end]);)
            end++;
        dpl_output_write(o, id.data + i, end - i);
        if (end < id.n)
            dpl_output_write(o, " ", 1);
    }
}

dpl_status dpl__dedup_write_clusters(dpl_dedup_result *r, dpl_error *err)
{
    dpl_output *o = NULL;
    if (r->work.is_temporary)
        return DPL_OK;
    DPL_TRY(open_output(&o, r, "clusters.tsv", err));
    for (uint32_t doc = 0; doc < r->docs.n_new; doc++) {
        const dpl_dedup_doc d = dpl_dedup_get_doc(r, doc);
        char score[32];
        put_id(o, d.id);
        dpl_output_write(o, "\t", 1);
        put_id(o, d.cluster);
        dpl_output_write(o, "\t", 1);
        dpl__millionths(score, d.score);
        dpl_output_write(o, score, strlen(score));
        dpl_output_write(o, d.is_kept ? "\t1\n" : "\t0\n", 3);
    }
    dpl_status status = dpl_output_finish(o, err);
    dpl_output_free(o);
    return status;
}

/* ---- contamination ------------------------------------------------------------------ */

/* What duplicates a document of `against`. */
typedef struct hit {
    uint32_t n, doc; /* new documents, and the most similar one */
    float score;
    uint32_t kind;
} hit;

static void add_hit(hit *h, uint32_t doc, float score, uint32_t kind)
{
    if (!h->n || kind < h->kind || (kind == h->kind && score > h->score)) {
        h->doc = doc;
        h->score = score;
        h->kind = kind;
    }
    h->n++;
}

/* A pair of rows is one of all their documents. */
typedef struct row_docs {
    uint32_t *first, *docs; /* documents of each row */
} row_docs;

static void list_docs(row_docs *l, const dpl__dedup_docs *d)
{
    memset(l->first, 0, ((size_t)d->n_rows + 2) * sizeof *l->first);
    for (uint32_t doc = 0; doc < d->n_docs; doc++)
        l->first[d->row_of[doc] + 2]++;
    for (uint32_t row = 0; row < d->n_rows; row++)
        l->first[row + 2] += l->first[row + 1];
    for (uint32_t doc = 0; doc < d->n_docs; doc++)
        l->docs[l->first[d->row_of[doc] + 1]++] = doc;
}

/* The edge is one of rows. */
static void add_rows(hit *hits, const dpl__dedup_docs *d, const row_docs *l,
                     const dpl_dedup_edge *e)
{
    const uint32_t a = e->left, b = e->right;
    for (uint32_t i = l->first[a]; i < l->first[a + 1]; i++)
        for (uint32_t k = l->first[b]; k < l->first[b + 1]; k++) {
            const uint32_t x = l->docs[i], y = l->docs[k];
            if (x < d->n_new && y >= d->n_new)
                add_hit(&hits[y - d->n_new], x, e->score, e->kind);
            else if (y < d->n_new && x >= d->n_new && a != b)
                add_hit(&hits[x - d->n_new], y, e->score, e->kind);
        }
}

static void find_hits(hit *hits, const dpl_dedup_result *r, const row_docs *l)
{
    const dpl__dedup_docs *d = &r->docs;
    for (uint32_t row = 0; row < d->n_rows; row++)
        if (d->rows[row].has_new && d->rows[row].has_old)
            add_rows(hits, d, l, &(dpl_dedup_edge){row, row, 1, DPL_EDGE_COPY});
    for (size_t i = 0; i < r->found.edges.n; i++) {
        const dpl_dedup_edge *e = &r->found.edges.data[i];
        const double least =
            e->kind == DPL_EDGE_TRANSLATION ? r->o.translation : r->o.threshold;
        if (e->score >= (float)least)
            add_rows(
                hits, d, l,
                &(dpl_dedup_edge){d->row_of[e->left], d->row_of[e->right], e->score, e->kind});
    }
}

static dpl_status write_hits(dpl_dedup_result *r, const hit *hits, dpl_error *err)
{
    dpl_output *o = NULL;
    char text[128], score[32];
    if (!r->work.is_temporary)
        DPL_TRY(open_output(&o, r, "contamination.tsv", err));
    for (uint32_t i = 0; i < r->docs.n_docs - r->docs.n_new; i++) {
        r->s.n_contaminated += hits[i].n > 0;
        if (!hits[i].n || !o)
            continue;
        put_id(o, dpl__dedup_bare_id(&r->docs, r->docs.n_new + i));
        int n = snprintf(text, sizeof text, "\t%s\t%u\t", dpl_dedup_kind_name(hits[i].kind),
                         hits[i].n);
        dpl_output_write(o, text, (size_t)n);
        put_id(o, dpl__dedup_bare_id(&r->docs, hits[i].doc));
        n = snprintf(text, sizeof text, "\t%s\n", dpl__millionths(score, hits[i].score));
        dpl_output_write(o, text, (size_t)n);
    }
    dpl_status status = o ? dpl_output_finish(o, err) : DPL_OK;
    dpl_output_free(o);
    return status;
}

dpl_status dpl__dedup_write_contamination(dpl_dedup_result *r, dpl_error *err)
{
    const dpl__dedup_docs *d = &r->docs;
    const size_t n_old = (size_t)(d->n_docs - d->n_new) + 1, n_first = (size_t)d->n_rows + 2,
                 n_docs = (size_t)d->n_docs + 1;
    hit *hits = dpl__calloc(r->ctx, n_old, sizeof *hits);
    row_docs l = {dpl__alloc(r->ctx, n_first * sizeof *l.first),
                  dpl__alloc(r->ctx, n_docs * sizeof *l.docs)};
    dpl_status status = hits && l.first && l.docs ? DPL_OK : dpl__fail_nomem(err);
    if (status == DPL_OK) {
        list_docs(&l, d);
        find_hits(hits, r, &l);
        status = write_hits(r, hits, err);
    }
    dpl__free(r->ctx, l.docs, n_docs * sizeof *l.docs);
    dpl__free(r->ctx, l.first, n_first * sizeof *l.first);
    dpl__free(r->ctx, hits, n_old * sizeof *hits);
    return status;
}

/* ---- run.json ------------------------------------------------------------------------ */

static void put(void *user, const char *data, size_t n)
{
    dpl_output_write(user, data, n);
}

dpl_status dpl__dedup_write_run(dpl_dedup_result *r, dpl_error *err)
{
    dpl_output *o = NULL;
    DPL_TRY(open_output(&o, r, "run.json", err));
    dpl_json j = {.put = put, .user = o, .style = DPL_JSON_LINES};
    dpl_json_begin(&j, NULL, '{');
    dpl_json_number(&j, "schema_version", DPL__RUN_SCHEMA);
    dpl_json_cstr(&j, "version", dpl_version());
    dpl_options_json(&j, "options", dpl_dedup_option_table(), &r->o, false);
    dpl_summary_json(&j, &(dpl_figures){.table = &dpl_dedup_figures, .summary = &r->s});
    dpl_json_number(&j, "peak_bytes", dpl_ctx_peak(r->ctx));
    dpl_json_number(&j, "threads", dpl_ctx_threads(r->ctx));
    dpl_json_end(&j, '}');
    dpl_output_write(o, "\n", 1);
    dpl_status status = dpl_output_finish(o, err);
    dpl_output_free(o);
    return status;
}
