/*
 * locate.c - tokens of passages become bytes and sentences.
 *
 * A collection knows where sentences begin, in bytes and tokens, but not where each token
 * stands: documents with passages are tokenized once more.
 */
#include "reuse/reuse_run.h"

#include "base/ctx.h"

#include <stdlib.h>

/* The sentence that holds the token. */
static uint32_t sentence_of(const dpl_collection *c, uint32_t doc, uint32_t token)
{
    size_t low = 0, high = dpl_collection_n_sentences(c, doc);
    while (high - low > 1) {
        const size_t middle = low + (high - low) / 2;
        if (dpl_collection_sentence(c, doc, middle).token <= token)
            low = middle;
        else
            high = middle;
    }
    return (uint32_t)low;
}

typedef struct locator {
    dpl_ctx *ctx;
    dpl_tokens *tokens;
    const dpl_collection *c;
    uint32_t doc; /* whose places are at hand */
    DPL_VEC(uint32_t) begins, ends;
} locator;

static dpl_status read_places(locator *l, uint32_t doc, dpl_error *err)
{
    const dpl_doc d = dpl_collection_doc(l->c, doc);
    dpl_token token;
    char lang[16] = "";
    memcpy(lang, d.lang.data, dpl__min(d.lang.n, sizeof lang - 1));
    l->begins.n = l->ends.n = 0;
    DPL_TRY(dpl_tokens_start(l->tokens, d.text, lang, err));
    dpl_status status;
    while ((status = dpl_tokens_next(l->tokens, &token, err)) == DPL_OK)
        if (!dpl__vec_push(l->ctx, &l->begins, token.begin) ||
            !dpl__vec_push(l->ctx, &l->ends, token.end))
            return dpl__fail_nomem(err);
    l->doc = doc;
    return status == DPL_END ? DPL_OK : status;
}

static dpl_status locate(locator *l, dpl_span *span, dpl_error *err)
{
    if (l->doc != span->doc)
        DPL_TRY(read_places(l, span->doc, err));
    const uint32_t last = span->first_token + span->n_tokens - 1;
    const size_t n = l->begins.n;
    const dpl_str text = dpl_collection_doc(l->c, span->doc).text;
    span->first_sentence = sentence_of(l->c, span->doc, span->first_token);
    span->n_sentences = sentence_of(l->c, span->doc, last) - span->first_sentence + 1;
    span->begin = span->first_token < n ? l->begins.data[span->first_token] : 0;
    span->end = last < n ? l->ends.data[last] : (uint32_t)text.n;
    return DPL_OK;
}

/* Passages by document of one side, so that each document is tokenized once. */
static int by_query(const void *a, const void *b)
{
    const dpl_passage *x = *(dpl_passage *const *)a, *y = *(dpl_passage *const *)b;
    return x->query.doc < y->query.doc ? -1 : x->query.doc > y->query.doc;
}

static int by_source(const void *a, const void *b)
{
    const dpl_passage *x = *(dpl_passage *const *)a, *y = *(dpl_passage *const *)b;
    return x->source.doc < y->source.doc ? -1 : x->source.doc > y->source.doc;
}

static dpl_status locate_side(dpl_reuse_result *r, dpl_passage **order, bool is_source,
                              dpl_error *err)
{
    const size_t n = r->passages.n;
    locator l = {.ctx = r->ctx, .c = r->c[is_source], .doc = UINT32_MAX};
    const dpl_tokens_options o = DPL_INIT(dpl_tokens_options, .stem = r->words[is_source].stem);
    DPL_TRY(dpl_tokens_new(&l.tokens, r->ctx, &o, err));
    if (n)
        qsort(order, n, sizeof(dpl_passage *), is_source ? by_source : by_query);
    dpl_status status = DPL_OK;
    for (size_t i = 0; status == DPL_OK && i < n; i++)
        status = locate(&l, is_source ? &order[i]->source : &order[i]->query, err);
    dpl__vec_clear(r->ctx, &l.begins);
    dpl__vec_clear(r->ctx, &l.ends);
    dpl_tokens_free(l.tokens);
    return status;
}

dpl_status dpl__reuse_locate(dpl_reuse_result *r, dpl_error *err)
{
    const size_t n = r->passages.n;
    dpl_passage **order = dpl__alloc(r->ctx, (n + 1) * sizeof(dpl_passage *));
    if (!order)
        return dpl__fail_nomem(err);
    for (size_t i = 0; i < n; i++)
        order[i] = &r->passages.data[i];
    dpl_status status;
    DPL__STEP(locate_side(r, order, false, err));
    DPL__STEP(locate_side(r, order, true, err));
done:
    dpl__free(r->ctx, order, (n + 1) * sizeof(dpl_passage *));
    return status;
}
