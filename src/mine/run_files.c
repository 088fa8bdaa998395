/*
 * output.c - pairs.tsv, sentences.tsv, lexicon.tsv.zst, run.json.
 */
#include "mine/run_files.h"

#include "base/ctx.h"
#include "base/decimal.h"

#include <stdio.h>
#include <zstd.h>

dpl_status dpl__open_output(dpl__output **out, dpl_ctx *ctx, const char *dir, const char *name,
                            dpl_error *err)
{
    char path[4200];
    snprintf(path, sizeof path, "%s/%s", dir, name);
    return dpl__output_new(out, ctx, path, err);
}

static void put(dpl__output *o, dpl_str s)
{
    dpl__output_write(o, s.data, s.n);
}

static void put_text(dpl__output *o, const char *text)
{
    put(o, dpl__cstr(text));
}

/* ---- pairs and sentences ------------------------------------------------------------ */

dpl_status dpl__write_pairs(const char *dir, const char *name, const dpl__comparable *p,
                            const dpl__doc_candidate_vec *pairs, double least, dpl_error *err)
{
    dpl__output *o = NULL;
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
    dpl_status status = dpl__output_finish(o, err);
    dpl__output_free(o);
    return status;
}

dpl_status dpl__write_sentences(dpl_mine_summary *summary, const char *dir,
                                const dpl__comparable *p, const dpl_doc_pair *pairs,
                                size_t n_pairs, const dpl_lexicon *lexicon, dpl_error *err)
{
    char path[4200];
    snprintf(path, sizeof path, "%s/sentences.tsv", dir);
    dpl_sentences_options o = p->options->sentences;
    dpl_sentences_input in = DPL_INIT(dpl_sentences_input, .left = p->c[0], .right = p->c[1],
                                      .pairs = pairs, .n_pairs = n_pairs, .lexicon = lexicon);
    o.size = sizeof o;
    o.no_learning = lexicon != NULL;
    summary->sentences.size = sizeof summary->sentences;
    dpl_beads_options beads = DPL_INIT(dpl_beads_options, .is_one_per_line = o.is_one_per_line);
    dpl_beads_writer *writer = NULL;
    DPL_TRY(dpl_beads_open(&writer, p->ctx, path, p->c[0], p->c[1], &beads, err));
    dpl_status status =
        dpl_sentences_align(&summary->sentences, p->ctx, &in, &o, dpl_beads_write, writer, err);
    if (status == DPL_OK)
        status = dpl_beads_finish(&summary->n_sentence_pairs, writer, err);
    dpl_beads_close(writer);
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
static dpl_status compress(dpl__output *o, dpl_ctx *ctx, const dpl__bytes *text, dpl_error *err)
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
    dpl__output *o = NULL;
    lexicon_text text = {.ctx = ctx};
    DPL_TRY(dpl__open_output(&o, ctx, dir, "lexicon.tsv.zst", err));
    dpl_status status = dpl_lexicon_write_tsv(NULL, lexicon, NULL, add_text, &text, err);
    if (status == DPL_OK)
        status = compress(o, ctx, &text.bytes, err);
    if (status == DPL_OK)
        status = dpl__output_finish(o, err);
    dpl__vec_clear(ctx, &text.bytes);
    dpl__output_free(o);
    return status;
}

/* ---- the run ------------------------------------------------------------------------ */

void dpl__put_number(dpl__output *o, const char *name, double x, const char *behind)
{
    char number[32];
    put_text(o, "\"");
    put_text(o, name);
    put_text(o, "\": ");
    put_text(o, dpl__decimal(number, x));
    put_text(o, behind);
}

static void put_side(dpl__output *o, const dpl__comparable *p, const dpl_mine_summary *s,
                     int side)
{
    put_text(o, side ? "  \"right\": {" : "  \"left\": {");
    put_text(o, "\"lang\": \"");
    put_text(o, p->lang[side]);
    put_text(o, "\", ");
    dpl__put_number(o, "documents", (double)s->n_docs[side], ", ");
    dpl__put_number(o, "copies", (double)s->n_duplicates[side], ", ");
    dpl__put_number(o, "sentences", (double)s->n_sentences[side], "},\n");
}

static void put_round(dpl__output *o, const dpl_mine_round *r, bool is_last)
{
    put_text(o, "    {");
    dpl__put_number(o, "matches", (double)r->n_matches, ", ");
    dpl__put_number(o, "pairs", (double)r->n_pairs, ", ");
    dpl__put_number(o, "new", (double)r->n_new, ", ");
    dpl__put_number(o, "gone", (double)r->n_gone, ", ");
    dpl__put_number(o, "cosine", r->cosine, ", ");
    dpl__put_number(o, "alone", r->alone, ", ");
    dpl__put_number(o, "sentence_pairs", (double)r->n_rows, ", ");
    dpl__put_number(o, "lexicon_entries", (double)r->n_entries, ", ");
    dpl__put_number(o, "align_seconds", r->align_seconds, ", ");
    dpl__put_number(o, "train_seconds", r->train_seconds, ", ");
    dpl__put_number(o, "search_seconds", r->search_seconds, is_last ? "}\n" : "},\n");
}

static void put_receipt(dpl__output *o, const dpl_recall_check *r)
{
    put_text(o, r->is_exact ? "  \"receipt\": {\"exact\": true, "
                            : "  \"receipt\": {\"exact\": false, ");
    dpl__put_number(o, "recall", r->recall, ", ");
    dpl__put_number(o, "low", r->low, ", ");
    dpl__put_number(o, "high", r->high, "},\n");
}

dpl_status dpl__write_run(const char *dir, const dpl__comparable *p, const dpl_mine_summary *s,
                          dpl_error *err)
{
    dpl__output *o = NULL;
    DPL_TRY(dpl__open_output(&o, p->ctx, dir, "run.json", err));
    put_text(o, "{\n  \"version\": \"");
    put_text(o, dpl_version());
    put_text(o, "\",\n");
    put_side(o, p, s, 0);
    put_side(o, p, s, 1);
    put_text(o, "  ");
    dpl__put_number(o, "least_confidence", p->options->confidence, ",\n  ");
    dpl__put_number(o, "most_rounds", p->options->rounds, ",\n");
    put_text(o, s->is_stable ? "  \"stable\": true,\n" : "  \"stable\": false,\n");
    put_text(o, "  \"rounds\": [\n");
    for (size_t i = 0; i < s->n_rounds; i++)
        put_round(o, &s->rounds[i], i + 1 == s->n_rounds);
    put_text(o, "  ],\n  ");
    dpl__put_number(o, "pairs", (double)s->n_pairs, ",\n  ");
    dpl__put_number(o, "sentence_pairs", (double)s->n_sentence_pairs, ",\n  ");
    dpl__put_number(o, "expected_precision", s->precision, ",\n  ");
    dpl__put_number(o, "expected_recall", s->recall, ",\n  \"dropped_sentences\": {");
    for (int v = 1; v < DPL_N_VERDICTS; v++)
        dpl__put_number(o, dpl_verdict_name((dpl_verdict)v), (double)s->sentences.n_verdicts[v],
                        v + 1 < DPL_N_VERDICTS ? ", " : "},\n");
    put_receipt(o, &s->receipt);
    put_text(o, "  ");
    dpl__put_number(o, "import_seconds", s->import_seconds, ",\n  ");
    dpl__put_number(o, "final_seconds", s->final_seconds, ",\n  ");
    dpl__put_number(o, "seconds", s->seconds, ",\n  ");
    dpl__put_number(o, "peak_bytes", (double)dpl_ctx_peak(p->ctx), "\n}\n");
    dpl_status status = dpl__output_finish(o, err);
    dpl__output_free(o);
    return status;
}
