/*
 * locate.c - tokens of passages become bytes and sentences.
 */
#include "reuse/reuse_run.h"

#include "base/order.h"
#include "tokens/collection.h"
#include "tokens/token_places.h"

#include <stdlib.h>

typedef struct locator {
    dpl__token_places places;
    const dpl_collection *c;
    uint32_t doc; /* whose places are at hand */
} locator;

static dpl_status locate(locator *l, dpl_span *span, dpl_error *err)
{
    const dpl_doc doc = dpl_collection_doc(l->c, span->doc);
    assert(span->n_tokens > 0);
    const uint32_t last = span->first_token + span->n_tokens - 1;
    if (l->doc != span->doc)
        DPL_TRY(dpl__token_places_read(&l->places, &doc, err));
    l->doc = span->doc;
    span->first_sentence = dpl__collection_sentence_of(l->c, span->doc, span->first_token);
    span->n_sentences =
        dpl__collection_sentence_of(l->c, span->doc, last) - span->first_sentence + 1;
    dpl__token_places_span(&l->places, &doc, span->first_token, span->n_tokens, &span->begin,
                           &span->end);
    assert(span->begin <= span->end && span->end <= doc.text.n);
    return DPL_OK;
}

/* Passages by document of one side, so that each document is tokenized once. */
DPL__ORDER_POINTERS(by_query, dpl_passage, DPL__RISING(query.doc))

DPL__ORDER_POINTERS(by_source, dpl_passage, DPL__RISING(source.doc))

static dpl_status locate_side(dpl_reuse_result *r, dpl_passage **order, bool is_source,
                              dpl_error *err)
{
    const size_t n = r->passages.n;
    locator l = {.c = r->c[is_source], .doc = UINT32_MAX};
    if (n)
        qsort(order, n, sizeof(dpl_passage *), is_source ? by_source : by_query);
    dpl_status status =
        dpl__token_places_init(&l.places, r->ctx, r->words[is_source].stem, err);
    for (size_t i = 0; status == DPL_OK && i < n; i++)
        status = locate(&l, is_source ? &order[i]->source : &order[i]->query, err);
    dpl__token_places_clear(&l.places);
    return status;
}

dpl_status dpl__reuse_locate(dpl_reuse_result *r, dpl_error *err)
{
    const size_t n = r->passages.n;
    dpl_passage **order = dpl__alloc(r->ctx, (n + 1) * sizeof(dpl_passage *));
    DPL_TRY(dpl__need(order, err));
    for (size_t i = 0; i < n; i++)
        order[i] = &r->passages.data[i];
    dpl_status status;
    DPL__STEP(locate_side(r, order, false, err));
    DPL__STEP(locate_side(r, order, true, err));
done:
    dpl__free(r->ctx, order);
    return status;
}
