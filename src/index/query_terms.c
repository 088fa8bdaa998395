/*
 * query_terms.c - the words that carry a similarity.
 *
 * The score of a hit is a sum over the terms that it shares with the query; each part is shown
 * with the word of the query and the word of the document that brought most of it.
 */
#include "index/query.h"

#include "base/order.h"

DPL__ORDER(by_weight, dpl_query_term, DPL__FALLING(weight) DPL__BY_BYTES(query))

/* The word of the query that adds most to an entry. */
static dpl_str query_word(const dpl_query *q, const dpl__query_entry *e)
{
    const dpl__pocket_lexicon *l = dpl__index_lexicon(q->index, q->lang);
    uint32_t best = e->word;
    double most = 0;
    for (uint32_t i = 0; l && i < q->words.n; i++) {
        const dpl__query_word *w = &q->words.data[i];
        if (w->term == DPL__NO_WORD)
            continue;
        for (uint32_t k = l->offsets[w->term]; k < l->offsets[w->term + 1]; k++)
            if (q->index->lexicon_terms[k] == e->term &&
                (double)w->count * (double)q->index->lexicon_p[k] > most) {
                most = (double)w->count * (double)q->index->lexicon_p[k];
                best = i;
            }
    }
    return q->words.data[best].text;
}

/* A part of the document that an entry gets from one of its words. */
typedef struct part {
    uint32_t term; /* of the document */
    double tf, most;
} part;

static dpl_status take_parts(dpl_query *q, uint32_t row, part *parts, double *length,
                             dpl_error *err)
{
    const dpl_index *x = q->index;
    const dpl__pocket_lexicon *l = dpl__index_lexicon(x, dpl__index_doc_lang(x, row));
    (void)err;
    dpl__row_reader r;
    dpl__row_begin(&r, x, row);
    while (dpl__row_next(&r)) {
        const uint32_t begin = l ? l->offsets[r.term] : 0, end = l ? l->offsets[r.term + 1] : 0;
        for (uint32_t k = begin; k < end || k == begin; k++) {
            const bool is_own = begin == end;
            const double tf = is_own ? r.count : (double)r.count * (double)x->lexicon_p[k];
            const dpl__query_entry *e =
                dpl__query_entry_of(q, is_own ? r.term : x->lexicon_terms[k]);
            *length += tf;
            if (!e)
                continue;
            part *p = &parts[e - q->entries.data];
            p->tf += tf;
            if (tf > p->most) {
                p->most = tf;
                p->term = r.term;
            }
        }
    }
    return DPL_OK;
}

dpl_status dpl_query_terms(dpl_query *q, size_t hit, const dpl_query_term **terms, size_t *n,
                           dpl_error *err)
{
    const dpl_index *x = q->index;
    assert(hit < q->hits.n);
    *terms = NULL;
    *n = 0;
    q->terms.n = 0;
    if (!(x->flags & DPL__F_VECTORS))
        return DPL_OK;
    const uint32_t row = q->hits.data[hit].row;
    const size_t n_parts = q->entries.n + 1;
    part *parts = dpl__calloc(q->ctx, n_parts, sizeof *parts);
    DPL_TRY(dpl__need(parts, err));
    double length = 0;
    dpl_status status = take_parts(q, row, parts, &length, err);
    const double damp = dpl__bm25_damp(x, length), norm = (double)x->norms[row];
    for (size_t i = 0; i < q->entries.n && status == DPL_OK; i++) {
        const dpl__query_entry *e = &q->entries.data[i];
        if (parts[i].tf <= 0 || norm <= 0)
            continue;
        const dpl_query_term term = {
            .query = query_word(q, e),
            .document = dpl__index_term(x, parts[i].term),
            .weight = (float)((double)e->weight * dpl__bm25((double)e->idf, parts[i].tf, damp) /
                              norm)};
        if (!dpl__vec_push(q->ctx, &q->terms, term))
            status = dpl__fail_nomem(err);
    }
    dpl__free(q->ctx, parts);
    if (status != DPL_OK)
        return status;
    dpl__vec_sort(&q->terms, by_weight);
    q->terms.n = dpl__min(q->terms.n, q->o.terms);
    *terms = q->terms.data;
    *n = q->terms.n;
    return DPL_OK;
}
