/*
 * run_files.c - pairs.tsv, lexicon.tsv.zst, run.json.
 */
#include "mine/run_files.h"

#include "base/ctx.h"
#include "base/decimal.h"
#include "doppel/options.h"

#include <stdio.h>
#include <zstd.h>

dpl_status dpl__open_output(dpl_output **out, dpl_ctx *ctx, const char *dir, const char *name,
                            dpl_error *err)
{
    char path[4200];
    snprintf(path, sizeof path, "%s/%s", dir, name);
    return dpl_output_new(out, ctx, path, err);
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
    return dpl__vec_append(t->ctx, &t->bytes, text, n) ? DPL_OK : dpl__fail_nomem(err);
}

/* A lexicon is some megabytes: it is compressed in one piece. */
static dpl_status compress(dpl_output *o, dpl_ctx *ctx, const dpl__bytes *text, dpl_error *err)
{
    size_t room = ZSTD_compressBound(text->n);
    char *to = dpl__alloc(ctx, room);
    if (!to)
        return dpl__fail_nomem(err);
    size_t n = ZSTD_compress(to, room, text->data, text->n, 9);
    dpl_status status = ZSTD_isError(n) ? dpl__fail_nomem(err) : DPL_OK;
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
    dpl_status status = dpl_lexicon_write_tsv(NULL, lexicon, NULL, add_text, &text, err);
    if (status == DPL_OK)
        status = compress(o, ctx, &text.bytes, err);
    if (status == DPL_OK)
        status = dpl_output_finish(o, err);
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
    dpl_json_cstr(&j, "version", dpl_version());
    return j;
}

void dpl__run_json_end(dpl_json *j, dpl_ctx *ctx, double seconds)
{
    dpl_json_decimal(j, "seconds", seconds);
    dpl_json_number(j, "peak_bytes", dpl_ctx_peak(ctx));
    dpl_json_end(j, '}');
    j->put(j->user, "\n", 1);
}

static void put_side(dpl_json *j, const dpl_mine_run *r, bool is_right)
{
    const dpl_mine_language *side = is_right ? r->right : r->left;
    dpl_json_begin(j, is_right ? "right" : "left", '{');
    dpl_json_cstr(j, "lang", side->code);
    dpl_json_number(j, "documents", side->n_docs);
    dpl_json_number(j, "duplicates", r->n_duplicates[is_right]);
    dpl_json_number(j, "near_copies", r->n_copies[is_right]);
    dpl_json_number(j, "boilerplate_sentences", r->n_boilerplate[is_right]);
    dpl_json_number(j, "untranslated_sentences", r->n_untranslated[is_right]);
    dpl_json_number(j, "untranslated_documents", r->n_untranslated_docs[is_right]);
    if (r->n_other_language[is_right])
        dpl_json_number(j, "other_language_documents", r->n_other_language[is_right]);
    dpl_json_number(j, "sentences", side->n_sentences);
    dpl_json_number(j, "tokens", side->n_tokens);
    dpl_json_end(j, '}');
}

static void put_round(dpl_json *j, const dpl_mine_round *r)
{
    dpl_json_begin(j, NULL, '{');
    dpl_json_number(j, "candidates", r->n_candidates);
    dpl_json_number(j, "pairs", r->n_pairs);
    dpl_json_number(j, "new", r->n_new);
    dpl_json_number(j, "gone", r->n_gone);
    dpl_json_decimal(j, "mean_cosine", r->mean_cosine);
    dpl_json_decimal(j, "known_words", r->known_words);
    dpl_json_decimal(j, "unpaired", r->unpaired);
    dpl_json_number(j, "sentence_pairs", r->n_sentence_pairs);
    dpl_json_number(j, "lexicon_entries", r->n_lexicon_entries);
    if (r->n_sampled_docs)
        dpl_json_number(j, "sampled_documents", r->n_sampled_docs);
    if (r->n_sampled_pairs)
        dpl_json_number(j, "sampled_pairs", r->n_sampled_pairs);
    if (r->least_cosine > 0)
        dpl_json_decimal(j, "least_cosine", r->least_cosine);
    dpl_json_cstr(j, "search", dpl_pairs_method_name(r->search));
    dpl_json_decimal(j, "align_seconds", r->align_seconds);
    dpl_json_decimal(j, "train_seconds", r->train_seconds);
    dpl_json_decimal(j, "search_seconds", r->search_seconds);
    dpl_json_end(j, '}');
}

static void put_stages(dpl_json *j, const dpl_mine_run *r)
{
    dpl_json_begin(j, "stages", '[');
    for (size_t i = 0; i < r->n_stages; i++) {
        dpl_json_begin(j, NULL, '{');
        dpl_json_cstr(j, "name", r->stages[i].name);
        dpl_json_decimal(j, "seconds", r->stages[i].seconds);
        dpl_json_decimal(j, "core_seconds", r->stages[i].core_seconds);
        dpl_json_number(j, "peak_bytes", r->stages[i].peak_bytes);
        dpl_json_end(j, '}');
    }
    dpl_json_end(j, ']');
}

static void put_sentences(dpl_json *j, const dpl_sentences_summary *s)
{
    dpl_json_begin(j, "dropped_sentences", '{');
    for (int v = 1; v < DPL_N_VERDICTS; v++)
        dpl_json_number(j, dpl_verdict_name((dpl_verdict)v), s->n_verdicts[v]);
    dpl_json_end(j, '}');
}

static void put_recall_check(dpl_json *j, const dpl_recall_check *r)
{
    dpl_json_begin(j, "recall_check", '{');
    dpl_json_bool(j, "exact", r->is_exact);
    dpl_json_decimal(j, "recall", r->recall);
    dpl_json_decimal(j, "low", r->low);
    dpl_json_decimal(j, "high", r->high);
    dpl_json_end(j, '}');
}

void dpl_links_agreement_json(dpl_json *j, const dpl_links_agreement *l)
{
    if (!l)
        return;
    dpl_json_begin(j, "links", '{');
    dpl_json_number(j, "read", l->read->n_read);
    dpl_json_number(j, "links", l->read->n_links);
    dpl_json_number(j, "absent_left", l->read->n_absent[0]);
    dpl_json_number(j, "absent_right", l->read->n_absent[1]);
    dpl_json_number(j, "redirected", l->read->n_redirected);
    dpl_json_number(j, "contradicted", l->read->n_contradicted);
    dpl_json_decimal(j, "share_left", l->share[0]);
    dpl_json_decimal(j, "share_right", l->share[1]);
    dpl_json_number(j, "found", l->n_found);
    dpl_json_number(j, "matching", l->n_matching);
    dpl_json_number(j, "touching", l->n_touching);
    dpl_json_number(j, "missing", l->n_missing);
    dpl_json_number(j, "suspicious", l->n_suspicious);
    dpl_json_decimal(j, "precision", l->precision);
    dpl_json_decimal(j, "recall", l->recall);
    dpl_json_decimal(j, "estimated_precision", l->estimated_precision);
    dpl_json_real(j, "shift", l->shift);
    dpl_json_end(j, '}');
}

void dpl__put_run(dpl_json *j, const dpl_mine_run *r)
{
    dpl_json_cstr(j, "unit", dpl_mine_unit_name(r->unit));
    if (r->n_document_rounds)
        dpl_json_number(j, "document_rounds", r->n_document_rounds);
    dpl_json_decimal(j, "aligned_share", r->aligned_share);
    if (r->has_ranges) {
        dpl_json_begin(j, "parallel_share", '{');
        dpl_json_decimal(j, "left", r->parallel_share[0]);
        dpl_json_decimal(j, "right", r->parallel_share[1]);
        dpl_json_end(j, '}');
    }
    dpl_json_bool(j, "few_pairs", r->has_few_pairs);
    if (r->has_gold) {
        dpl_json_begin(j, "gold", '{');
        dpl_json_number(j, "accepted", r->n_accepted);
        dpl_json_number(j, "rejected", r->n_rejected);
        dpl_json_number(j, "unknown", r->n_gold_unknown);
        dpl_json_number(j, "left_out", r->n_gold_left_out);
        dpl_json_end(j, '}');
    }
    dpl_json_bool(j, "stable", r->is_stable);
    dpl_json_number(j, "pairs", r->n_pairs);
    dpl_json_number(j, "sentence_pairs", r->n_sentence_pairs);
    dpl_json_decimal(j, "estimated_precision", r->estimated_precision);
    dpl_json_decimal(j, "estimated_recall", r->estimated_recall);
    if (r->why_no_estimate)
        dpl_json_cstr(j, "why_no_estimate", r->why_no_estimate);
    if (r->is_empty)
        dpl_json_cstr(j, "why_empty", r->why_empty);
    dpl_links_agreement_json(j, r->links);
}

dpl_status dpl__write_run(const char *dir, const dpl__comparable *p, const dpl_mine_run *r,
                          dpl_error *err)
{
    dpl_output *o = NULL;
    DPL_TRY(dpl__open_output(&o, p->ctx, dir, "run.json", err));
    dpl_json j = dpl__run_json(o);
    put_side(&j, r, false);
    put_side(&j, r, true);
    dpl_options_json(&j, "options", dpl_mine_option_table(), p->options, true);
    if (p->options->command)
        dpl_json_cstr(&j, "command", p->options->command);
    dpl_json_decimal(&j, "confidence", p->options->confidence);
    dpl_json_number(&j, "max_rounds", p->options->rounds);
    dpl_json_cstr(&j, "formats", p->options->formats ? p->options->formats : "tsv");
    dpl_json_bool(&j, "unique", p->options->is_unique);
    dpl_json_bool(&j, "drop_frequent", p->options->drop_frequent);
    dpl_json_begin(&j, "rounds", '[');
    for (size_t i = 0; i < r->n_rounds; i++)
        put_round(&j, r->rounds[i]);
    dpl_json_end(&j, ']');
    dpl__put_run(&j, r);
    put_sentences(&j, r->sentences);
    put_recall_check(&j, r->recall_check);
    dpl_skip_list_json(r->skipped, &j, "skipped");
    put_stages(&j, r);
    dpl_json_decimal(&j, "import_seconds", r->import_seconds);
    dpl_json_decimal(&j, "final_seconds", r->final_seconds);
    dpl__run_json_end(&j, p->ctx, r->seconds);
    dpl_status status = dpl_output_finish(o, err);
    dpl_output_free(o);
    return status;
}
