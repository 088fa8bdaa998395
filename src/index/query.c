/*
 * query.c - a question from its words to its answer.
 *
 * Exact first: postings are read as long as the budget lasts, which often proves that nothing
 * is missing; the result says so, or how similar a document is at most that was missed. Without
 * postings candidates come from codes.
 */
#include "index/query.h"

#include "base/ctx.h"
#include "base/sized.h"
#include "index/index_params.h"

#include <math.h>

#define PN(name) ((uint32_t)DPL__P(index, name))

enum { MOST_TOP = 10000, MOST_PROBES = 4096 };

static dpl_status check(dpl_query *q, dpl_error *err)
{
    dpl_query_options *o = &q->o;
    if (o->top > MOST_TOP || o->probes > MOST_PROBES || o->terms > 1000)
        return dpl__fail(err, DPL_E_USAGE, "a query has at most %d hits, %d probes, 1000 terms",
                         MOST_TOP, MOST_PROBES);
    if (!(o->threshold >= 0 && o->threshold <= 1))
        return dpl__fail(err, DPL_E_USAGE, "the threshold %g is not between 0 and 1",
                         o->threshold);
    if (!dpl_query_method_name((unsigned)o->method))
        return dpl__fail(err, DPL_E_USAGE, "no query method number %d", (int)o->method);
    if (o->method >= DPL_QUERY_EXACT && !(q->index->flags & DPL__F_POSTINGS))
        return dpl__fail_code(err, DPL_E_UNSUPPORTED, "no-postings", "'%s' has no postings",
                              dpl_file_get_info(q->index->file).path);
    q->only_lang = UINT32_MAX;
    if (o->only_lang) {
        q->only_lang = dpl__index_find_lang(q->index, o->only_lang);
        if (q->only_lang == UINT32_MAX) /* no document has it: a number that none has */
            q->only_lang = DPL__MOST_LANGS + 1;
    }
    q->has_threshold = o->threshold > 0;
    o->top = o->top ? o->top : PN(top);
    o->probes = o->probes ? o->probes : (int)PN(probes);
    o->terms = o->terms ? o->terms : PN(terms);
    o->budget = o->budget ? o->budget : PN(budget);
    return DPL_OK;
}

dpl_status dpl__query_set(dpl_query *q, const dpl_query_options *options, dpl_error *err)
{
    const dpl_query_options before = q->o;
    const uint32_t lang = q->only_lang;
    const bool has_threshold = q->has_threshold;
    dpl_status status;
    DPL__STEP(DPL__TAKE(&q->o, options, err));
    DPL__STEP(check(q, err));
done:
    if (status != DPL_OK) {
        q->o = before;
        q->only_lang = lang;
        q->has_threshold = has_threshold;
    }
    return status;
}

static dpl_status prepare(dpl_query *q, const dpl_query_options *options, dpl_error *err)
{
    const size_t n = (size_t)q->index->n_docs + 1;
    q->stamps = dpl__calloc(q->ctx, n, sizeof *q->stamps);
    q->places = dpl__alloc(q->ctx, n * sizeof *q->places);
    DPL_TRY(dpl__need(q->stamps && q->places, err));
    DPL_TRY(dpl__coder_init(&q->coder, q->ctx, &q->index->hash, err));
    return dpl__query_set(q, options, err);
}

dpl_status dpl_query_new(dpl_query **out, const dpl_index *index,
                         const dpl_query_options *options, dpl_error *err)
{
    *out = NULL;
    dpl_ctx *ctx = index->ctx;
    dpl_query *q = dpl__calloc(ctx, 1, sizeof *q);
    DPL_TRY(dpl__need(q, err));
    q->ctx = ctx;
    q->index = index;
    dpl_status status = prepare(q, options, err);
    if (status != DPL_OK) {
        dpl_query_free(q);
        return status;
    }
    *out = q;
    return DPL_OK;
}

void dpl_query_free(dpl_query *q)
{
    if (!q)
        return;
    dpl_ctx *ctx = q->ctx;
    if (q->free_matching)
        q->free_matching(q);
    if (q->free_tokenizer)
        q->free_tokenizer(q);
    dpl__vec_clear(ctx, &q->words);
    dpl__query_numbers_clear(&q->word_numbers, ctx);
    dpl__vec_clear(ctx, &q->entries);
    dpl__places_clear(&q->entry_places, ctx);
    dpl__vec_clear(ctx, &q->shown, &q->written, &q->codes, &q->marks, &q->margins,
                   &q->code_weights, &q->probes, &q->candidates);
    dpl__row_sums_clear(&q->row_sums, ctx);
    dpl__vec_clear(ctx, &q->hopeful_sums, &q->sums, &q->hits, &q->terms, &q->passages);
    dpl__coder_clear(&q->coder);
    dpl__free(ctx, q->stamps, q->places, q);
}

dpl__candidate *dpl__query_candidate(dpl_query *q, uint32_t row)
{
    assert(row < q->index->n_docs);
    if (q->stamps[row] == q->stamp)
        return &q->candidates.data[q->places[row]];
    const dpl__candidate c = {.row = row, .bound = 2};
    if (!dpl__vec_push(q->ctx, &q->candidates, c))
        return NULL;
    q->stamps[row] = q->stamp;
    q->places[row] = (uint32_t)q->candidates.n - 1;
    return &q->candidates.data[q->candidates.n - 1];
}

/* ---- answers ------------------------------------------------------------------------ */

/* Share of the documents at or above the threshold that were found when it was measured. */
static double measured_recall(const dpl_query *q, const uint32_t *found)
{
    const uint32_t *pairs = q->index->receipt.pairs;
    uint64_t n = 0, n_found = 0;
    for (int b = 0; b < DPL_INDEX_BINS; b++)
        if ((b + 1) / (double)DPL_INDEX_BINS > q->threshold) {
            n += pairs[b];
            n_found += found[b];
        }
    return n ? (double)n_found / (double)n : 0;
}

static dpl_status find_by_postings(dpl_query *q, dpl_error *err)
{
    const dpl_index_receipt *r = &q->index->receipt;
    bool is_complete = false;
    q->is_exact = q->o.method == DPL_QUERY_EXACT || q->is_short;
    DPL_TRY(dpl__query_by_postings(q, q->is_exact ? UINT64_MAX / 4 : q->o.budget, &is_complete,
                                   err));
    q->result.method = is_complete ? DPL_QUERY_EXACT : DPL_QUERY_POSTINGS;
    q->result.recall = is_complete ? 1 : measured_recall(q, r->found_auto);
    q->result.complete = is_complete ? 0 : q->missed;
    return DPL_OK;
}

static dpl_status find_candidates(dpl_query *q, dpl_error *err)
{
    if (q->index->flags & DPL__F_POSTINGS && q->o.method != DPL_QUERY_CODES)
        return find_by_postings(q, err);
    DPL_TRY(dpl__query_by_codes(q, err));
    q->result.method = DPL_QUERY_CODES;
    q->result.recall = measured_recall(q, q->index->receipt.found);
    q->result.complete = 2;
    return DPL_OK;
}

/* The cosine of a query with a much longer document falls with the root of the ratio of their
 * lengths, even if the document contains the whole query. */
static double own_threshold(const dpl_query *q)
{
    const double least = 0.1, share = PN(times_longer) * (double)q->words.n / q->index->average;
    return q->is_short ? 0 : share < 1 ? least * sqrt(share) : least;
}

static void begin_answer(dpl_query *q)
{
    q->candidates.n = q->hopeful_sums.n = q->hits.n = 0;
    if (++q->stamp == 0) {
        memset(q->stamps, 0, ((size_t)q->index->n_docs + 1) * sizeof *q->stamps);
        q->stamp = 1;
    }
    q->is_short = q->words.n < PN(short_words);
    q->threshold = q->has_threshold ? q->o.threshold : own_threshold(q);
    q->missed = 0;
    q->result.n_terms = (uint32_t)q->words.n;
    for (size_t i = 0; i < q->words.n; i++)
        q->result.n_known += q->words.data[i].term != DPL__NO_WORD;
}

dpl_status dpl__query_answer(dpl_query *q, dpl_query_result *out, dpl_error *err)
{
    const double began = dpl__now();
    begin_answer(q);
    DPL_TRY(dpl__query_make_vector(q, err));
    DPL_TRY(find_candidates(q, err));
    q->result.n_candidates = (uint32_t)q->candidates.n;
    DPL_TRY(dpl__query_verify(q, err));
    q->result.hits = q->hits.data;
    q->result.n_hits = q->hits.n;
    q->result.micros += (dpl__now() - began) * 1e6;
    DPL__GIVE(out, &q->result);
    return DPL_OK;
}

static void begin_question(dpl_query *q, const char *lang)
{
    q->result = (dpl_query_result)DPL_INIT(dpl_query_result);
    q->own_row = DPL__NO_WORD;
    q->lang = UINT32_MAX;
    q->text = (dpl_str){0};
    q->tokens = NULL;
    q->n_tokens = 0;
    q->is_matched = false;
    if (!lang || !*lang)
        return;
    strncpy(q->result.lang, lang, sizeof q->result.lang - 1);
    q->lang = dpl__index_find_lang(q->index, lang);
}

dpl_status dpl__query_tokens(dpl_query *q, const dpl__cut_text *cut, const char *lang,
                             dpl_query_result *out, dpl_error *err)
{
    DPL_TRY(DPL__CHECK_OUT(out, err));
    begin_question(q, lang);
    q->text = cut->text;
    q->tokens = cut->tokens;
    q->n_tokens = cut->n_tokens;
    q->result.n_words = (uint32_t)dpl__min(cut->n_tokens, UINT32_MAX);
    DPL_TRY(dpl__query_find_words(q, err));
    return dpl__query_answer(q, out, err);
}

dpl_status dpl_query_row(dpl_query *q, uint32_t row, dpl_query_result *out, dpl_error *err)
{
    DPL_TRY(DPL__CHECK_OUT(out, err));
    assert(row < q->index->n_docs);
    if (!(q->index->flags & DPL__F_VECTORS))
        return dpl__fail_code(err, DPL_E_UNSUPPORTED, "no-vectors",
                              "'%s' has no vectors of its documents",
                              dpl_file_get_info(q->index->file).path);
    begin_question(q, dpl_index_document(q->index, row).lang);
    q->own_row = row;
    q->result.n_words = (uint32_t)dpl__packed_get(&q->index->doc_words, row);
    DPL_TRY(dpl__query_take_row(q, row, err));
    return dpl__query_answer(q, out, err);
}
