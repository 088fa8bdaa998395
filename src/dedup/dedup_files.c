/*
 * dedup_files.c - what a run leaves for its user besides the documents: clusters.tsv,
 * contamination.tsv, run.json.
 */
#include "base/decimal.h"
#include "base/options.h"
#include "base/summary.h"
#include "dedup/dedup_run.h"
#include "io/text_output.h"

static dpl_status open_output(dpl_output **out, const dpl_dedup_result *r, const char *name,
                              dpl_error *err)
{
    return dpl__open_output(out, r->ctx, r->work.folder.dir, name, err);
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
        dpl__put_field(o, d.id, "\t");
        dpl__put_field(o, d.cluster, "\t");
        dpl__put(o, "%s\t%d\n", dpl__millionths(score, d.score), d.is_kept);
    }
    return dpl__output_end(o, DPL_OK, err);
}

dpl_status dpl__dedup_write_contamination(dpl_dedup_result *r, dpl_error *err)
{
    dpl_output *o = NULL;
    DPL_TRY(open_output(&o, r, "contamination.tsv", err));
    for (size_t i = 0; i < r->hits.n; i++) {
        const dpl_dedup_hit *h = &r->hits.data[i];
        char score[32];
        dpl__put_field(o, dpl_dedup_get_item(r, h->item), "\t");
        dpl__put_field(o, dpl_dedup_get_doc(r, h->doc).id, "\t");
        dpl__put(o, "%s\t%s\t%u\t%u\n", dpl_dedup_how_name(h->how),
                 dpl__millionths(score, h->score), h->begin, h->end);
    }
    return dpl__output_end(o, DPL_OK, err);
}

/* ---- run.json ------------------------------------------------------------------------ */

dpl_status dpl__dedup_write_run(dpl_dedup_result *r, dpl_error *err)
{
    dpl_output *o = NULL;
    DPL_TRY(open_output(&o, r, "run.json", err));
    dpl_json j = dpl__output_json(o, DPL_JSON_LINES);
    dpl_json_begin(&j, NULL, '{');
    dpl_json_number(&j, "schema_version", DPL__RUN_SCHEMA);
    dpl_json_cstr(&j, "version", dpl_version());
    dpl_options_json(&j, "options", dpl__dedup_option_table(), &r->o, false);
    dpl_summary_json(&j, &(dpl_figures){.table = &dpl_dedup_figures, .summary = &r->s});
    dpl_json_number(&j, "peak_bytes", dpl_ctx_peak(r->ctx));
    dpl_json_number(&j, "threads", dpl_ctx_threads(r->ctx));
    dpl_json_end(&j, '}');
    dpl_output_write(o, "\n", 1);
    return dpl__output_end(o, DPL_OK, err);
}
