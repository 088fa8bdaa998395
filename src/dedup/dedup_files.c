/*
 * dedup_files.c - what a run leaves for its user besides the documents: clusters.tsv,
 * contamination.tsv, run.json.
 */
#include "base/decimal.h"
#include "base/options.h"
#include "base/summary.h"
#include "dedup/dedup_run.h"
#include "doppel/file.h"

#include <stdio.h>

static dpl_status open_output(dpl_output **out, const dpl_dedup_result *r, const char *name,
                              dpl_error *err)
{
    char path[4200];
    DPL_TRY(dpl__out_folder_file(path, sizeof path, &r->work.folder, false, name, err));
    return dpl_output_new(out, r->ctx, path, err);
}

static bool ends_column(char c)
{
    return c == '\t' || c == '\n' || c == '\r' || c == '\0';
}

/* Tabs and line ends within an id become blanks. */
static void put_id(dpl_output *o, dpl_str id)
{
    for (size_t i = 0, end; i < id.n; i = end + 1) {
        for (end = i; end < id.n && !ends_column(id.data[end]);)
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

dpl_status dpl__dedup_write_contamination(dpl_dedup_result *r, dpl_error *err)
{
    dpl_output *o = NULL;
    DPL_TRY(open_output(&o, r, "contamination.tsv", err));
    for (size_t i = 0; i < r->hits.n; i++) {
        const dpl_dedup_hit *h = &r->hits.data[i];
        char text[128], score[32];
        put_id(o, dpl_dedup_get_item(r, h->item));
        dpl_output_write(o, "\t", 1);
        put_id(o, dpl_dedup_get_doc(r, h->doc).id);
        const int n =
            snprintf(text, sizeof text, "\t%s\t%s\t%u\t%u\n", dpl_dedup_how_name(h->how),
                     dpl__millionths(score, h->score), h->begin, h->end);
        assert(n > 0 && (size_t)n < sizeof text);
        dpl_output_write(o, text, (size_t)n);
    }
    dpl_status status = dpl_output_finish(o, err);
    dpl_output_free(o);
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
    dpl_options_json(&j, "options", dpl__dedup_option_table(), &r->o, false);
    dpl_summary_json(&j, &(dpl_figures){.table = &dpl_dedup_figures, .summary = &r->s});
    dpl_json_number(&j, "peak_bytes", dpl_ctx_peak(r->ctx));
    dpl_json_number(&j, "threads", dpl_ctx_threads(r->ctx));
    dpl_json_end(&j, '}');
    dpl_output_write(o, "\n", 1);
    dpl_status status = dpl_output_finish(o, err);
    dpl_output_free(o);
    return status;
}
