/*
 * run_files.c - pairs.tsv, lexicon.tsv.zst, run.json.
 */
#include "mine/run_files.h"

#include "base/ctx.h"
#include "base/decimal.h"
#include "base/options.h"
#include "base/summary.h"
#include "doppel/device.h"
#include "io/codec.h"
#include "pairs/method.h"

#include <stdio.h>
#include <string.h>
#include <zstd.h>

dpl_status dpl__open_output(dpl_output **out, dpl_ctx *ctx, const char *dir, const char *name,
                            dpl_error *err)
{
    char path[4200];
    snprintf(path, sizeof path, "%s/%s", dir, name);
    return dpl_output_new(out, ctx, path, err);
}

void dpl__put_field(dpl_output *o, dpl_str s, const char *end)
{
    for (size_t i = 0, from = 0; i <= s.n; i++) {
        if (i < s.n && (unsigned char)s.data[i] >= ' ')
            continue;
        if (i > from)
            dpl_output_write(o, s.data + from, i - from);
        if (i < s.n)
            dpl_output_write(o, " ", 1);
        from = i + 1;
    }
    dpl_output_write(o, end, strlen(end));
}

static void put(dpl_output *o, dpl_str s)
{
    dpl_output_write(o, s.data, s.n);
}

static void put_text(dpl_output *o, const char *text)
{
    put(o, dpl__cstr(text));
}

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
        put(o, dpl_collection_doc(p->c[0], m->docs.left).id);
        put_text(o, "\t");
        put(o, dpl_collection_doc(p->c[1], m->docs.right).id);
        put_text(o, "\t");
        put_text(o, dpl__millionths(score, m->confidence));
        put_text(o, "\n");
    }
    dpl_status status = dpl_output_finish(o, err);
    dpl_output_free(o);
    return status;
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
        put(o, (dpl_str){to, n});
    dpl__free(ctx, to, room);
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
    DPL__STEP(dpl_output_finish(o, err));
done:
    dpl__vec_clear(ctx, &text.bytes);
    dpl_output_free(o);
    return status;
}

/* ---- figures of the run --------------------------------------------------------------- */

static void put_json(void *user, const char *data, size_t n)
{
    dpl_output_write(user, data, n);
}

dpl_json dpl__run_json(dpl_output *o)
{
    dpl_json j = {.put = put_json, .user = o, .style = DPL_JSON_LINES};
    dpl_json_begin(&j, NULL, '{');
    dpl_json_number(&j, "schema_version", DPL__RUN_SCHEMA);
    dpl_json_cstr(&j, "version", dpl_version());
    return j;
}

void dpl__run_json_end(dpl_json *j, dpl_ctx *ctx)
{
    dpl_json_number(j, "threads", dpl_ctx_threads(ctx));
    dpl_json_cstr(j, "device", dpl_ctx_device(ctx));
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
    dpl_status status = dpl_output_finish(o, err);
    dpl_output_free(o);
    return status;
}
