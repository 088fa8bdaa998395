/*
 * run_files.c - pairs.tsv, lexicon.tsv.zst, run.json.
 */
#include "mine/run_files.h"

#include "base/ctx.h"
#include "base/decimal.h"
#include "base/options.h"
#include "base/summary.h"
#include "devices/device.h"
#include "io/codec.h"
#include "pairs/method.h"

#include <zstd.h>

/* ---- pairs -------------------------------------------------------------------------- */

dpl_status dpl__write_pairs(const char *dir, const char *name, const dpl__comparable *p,
                            const dpl__doc_candidate_vec *pairs, double least, dpl_error *err)
{
    dpl_output *o = NULL;
    DPL_TRY(dpl__open_output(&o, p->ctx, dir, name, err));
    for (size_t i = 0; i < pairs->n; i++) {
        const dpl__doc_candidate *m = &pairs->data[i];
        if (m->confidence < least)
            continue;
        char score[32];
        dpl__put_str(o, dpl_collection_doc(p->c[0], m->docs.left).id);
        dpl__put(o, "\t");
        dpl__put_str(o, dpl_collection_doc(p->c[1], m->docs.right).id);
        dpl__put(o, "\t%s\n", dpl__millionths(score, m->confidence));
    }
    return dpl__output_end(o, DPL_OK, err);
}

/* ---- lexicon ------------------------------------------------------------------------ */

typedef struct lexicon_text {
    dpl_ctx *ctx;
    dpl__bytes bytes;
} lexicon_text;

static dpl_status add_text(void *user, const char *text, size_t n, dpl_error *err)
{
    lexicon_text *t = user;
    return dpl__need(dpl__vec_append(t->ctx, &t->bytes, text, n), err);
}

/* A lexicon is some megabytes: it is compressed in one piece. */
static dpl_status compress(dpl_output *o, dpl_ctx *ctx, const dpl__bytes *text, dpl_error *err)
{
    size_t room = ZSTD_compressBound(text->n);
    char *to = dpl__alloc(ctx, room);
    DPL_TRY(dpl__need(to, err));
    size_t n = room;
    dpl_status status =
        dpl__need(dpl__zstd_pack(to, &n, (dpl_str){text->data, text->n}, 9), err);
    if (status == DPL_OK)
        dpl_output_write(o, to, n);
    dpl__free(ctx, to);
    return status;
}

dpl_status dpl__write_lexicon(const char *dir, dpl_ctx *ctx, const dpl_lexicon *lexicon,
                              dpl_error *err)
{
    dpl_output *o = NULL;
    lexicon_text text = {.ctx = ctx};
    DPL_TRY(dpl__open_output(&o, ctx, dir, "lexicon.tsv.zst", err));
    dpl_status status;
    DPL__STEP(dpl_lexicon_write_tsv(NULL, lexicon, NULL, add_text, &text, err));
    DPL__STEP(compress(o, ctx, &text.bytes, err));
done:
    dpl__vec_clear(ctx, &text.bytes);
    return dpl__output_end(o, status, err);
}

/* ---- figures of the run --------------------------------------------------------------- */

dpl_json dpl__run_json(dpl_output *o)
{
    dpl_json j = dpl__output_json(o, DPL_JSON_LINES);
    dpl_json_begin(&j, NULL, '{');
    dpl_json_number(&j, "schema_version", DPL__RUN_SCHEMA);
    dpl_json_cstr(&j, "version", dpl_version());
    return j;
}

void dpl__run_json_end(dpl_json *j, dpl_ctx *ctx)
{
    dpl_json_number(j, "threads", dpl_ctx_threads(ctx));
    dpl_json_cstr(j, "device", dpl__device_used(ctx));
    dpl_json_number(j, "peak_bytes", dpl_ctx_peak(ctx));
    dpl_json_end(j, '}');
    j->put(j->user, "\n", 1);
}

dpl_status dpl__write_run(const char *dir, const dpl__comparable *p, const dpl_mine_run *r,
                          dpl_error *err)
{
    dpl_output *o = NULL;
    DPL_TRY(dpl__open_output(&o, p->ctx, dir, "run.json", err));
    dpl_json j = dpl__run_json(o);
    dpl_summary_json(&j, &(dpl_figures){.table = &dpl_mine_run_figures, .summary = r});
    dpl_options_json(&j, "options", dpl__mine_option_table(), p->options, true);
    if (p->options->command)
        dpl_json_cstr(&j, "command", p->options->command);
    dpl_json_decimal(&j, "confidence", p->options->confidence);
    if (p->options->fdr > 0)
        dpl_json_decimal(&j, "fdr", p->options->fdr);
    dpl_json_number(&j, "max_rounds", p->options->rounds);
    dpl_json_cstr(&j, "to", p->options->to ? p->options->to : "tsv");
    dpl_json_bool(&j, "unique", p->options->unique);
    dpl_json_bool(&j, "drop_frequent", p->options->drop_frequent);
    dpl_json_bool(&j, "stem", p->is_stemmed);
    if (r->n_rounds)
        dpl_json_cstr(&j, "method", dpl__pairs_method_name(r->rounds[r->n_rounds - 1]->search));
    dpl__run_json_end(&j, p->ctx);
    return dpl__output_end(o, DPL_OK, err);
}
