/*
 * sample.c - documents to search with and pairs to train on, by a hash of their content.
 *
 * A lexicon needs some ten thousand sentence pairs, not all of a large collection. How many
 * documents have so many depends on how many have a counterpart that is found: a sample grows
 * from round to round until its pairs suffice. Documents
 * are taken in the order of the hash of their tokens, so a sample does not depend on the order
 * of documents. Cost: a hash of each document, a sort.
 */
#include "mine/sample.h"

#include "base/order.h"
#include "mine/mine_params.h"

#include <stdlib.h>

/* A document or a pair. */
typedef struct item {
    dpl__keyed by; /* its key and number */
    uint64_t n_sentences;
} item;

/* Sentence pairs that two documents can have. */
static uint64_t count_sentences(const dpl__comparable *p, dpl_doc_pair pair)
{
    uint64_t n[2] = {dpl_collection_n_sentences(p->c[0], pair.left),
                     dpl_collection_n_sentences(p->c[1], pair.right)};
    return dpl__min(n[0], n[1]);
}

/* How many of the items, in the order of hashes, have at least so many documents and sentences;
 * n: all are needed. */
static size_t take(item *items, size_t n, size_t n_docs, uint64_t n_sentences)
{
    uint64_t sum = 0;
    size_t i = 0;
    if (n)
        qsort(items, n, sizeof *items, dpl__by_key);
    for (; i < n && (i < n_docs || sum < n_sentences); i++)
        sum += items[i].n_sentences;
    return i;
}

/* ---- documents ---------------------------------------------------------------------- */

static void choose_docs(dpl__sample *s, const dpl__comparable *p, item *items)
{
    const dpl_collection *c = p->c[s->side];
    uint32_t n_docs = dpl_collection_get_sizes(c)->n_docs;
    size_t n = 0;
    for (uint32_t doc = 0; doc < n_docs; doc++) {
        s->skip[doc] = 1;
        if (!p->skip[s->side][doc])
            items[n++] =
                (item){{p->keys[s->side][doc], doc}, dpl_collection_n_sentences(c, doc)};
    }
    size_t n_taken = take(items, n, (size_t)(s->times * DPL__P(mine, sample_docs)),
                          (uint64_t)(s->times * DPL__P(mine, sample_sentences)));
    for (size_t i = 0; i < n_taken; i++)
        s->skip[items[i].by.number] = 0;
    s->n_docs = (uint32_t)n_taken;
    s->is_used = 2 * n_taken <= n; /* or the round more costs what a sample saves */
}

static dpl_status make_sample(dpl__sample *s, const dpl__comparable *p, dpl_error *err)
{
    size_t n = dpl_collection_get_sizes(p->c[s->side])->n_docs;
    item *items = dpl__alloc(p->ctx, n * sizeof *items);
    if (!s->skip)
        s->skip = dpl__alloc(p->ctx, n);
    bool has_memory = items && s->skip;
    if (has_memory)
        choose_docs(s, p, items);
    dpl__free(p->ctx, items);
    return dpl__need(has_memory, err);
}

dpl_status dpl__sample_docs(dpl__sample *s, const dpl__comparable *p, dpl_error *err)
{
    *s = (dpl__sample){.side = p->n_docs[0] != p->n_docs[1] ? p->n_docs[1] < p->n_docs[0]
                                                            : !p->pivot,
                       .times = 1};
    if ((double)p->n_docs[s->side] < 2 * DPL__P(mine, sample_docs))
        return DPL_OK;
    DPL_TRY(make_sample(s, p, err));
    s->is_large = s->is_used;
    return DPL_OK;
}

dpl_status dpl__sample_grow(bool *has_grown, dpl__sample *s, const dpl__comparable *p,
                            dpl__pair_list pairs, dpl_error *err)
{
    double n = 1, wanted = DPL__P(mine, sample_found) * DPL__P(mine, sample_sentences);
    for (size_t i = 0; i < pairs.n; i++)
        n += (double)count_sentences(p, pairs.data[i]);
    *has_grown = n < wanted;
    if (!*has_grown)
        return DPL_OK;
    double times = wanted / n;
    s->times *= times < DPL__P(mine, sample_least_growth) ? DPL__P(mine, sample_least_growth)
                : times > DPL__P(mine, sample_growth)     ? DPL__P(mine, sample_growth)
                                                          : times;
    return make_sample(s, p, err);
}

void dpl__sample_clear(dpl__sample *s, const dpl__comparable *p)
{
    if (s->skip)
        dpl__free(p->ctx, s->skip);
    s->skip = NULL;
}

/* ---- pairs -------------------------------------------------------------------------- */

DPL__ORDER(by_number, item, DPL__RISING(by.number))

dpl_status dpl__sample_pairs(dpl__doc_pairs *out, const dpl__comparable *p,
                             const dpl_doc_pair *pairs, size_t n_pairs, dpl_error *err)
{
    uint64_t n_sentences = 0, most = (uint64_t)DPL__P(mine, train_sentences);
    out->n = 0;
    for (size_t i = 0; i < n_pairs; i++)
        n_sentences += count_sentences(p, pairs[i]);
    if (n_sentences <= most)
        return DPL_OK;
    item *items = dpl__alloc(p->ctx, n_pairs * sizeof *items);
    DPL_TRY(dpl__need(items, err));
    for (size_t i = 0; i < n_pairs; i++)
        items[i] = (item){{dpl__pair_key(p, pairs[i]), i}, count_sentences(p, pairs[i])};
    size_t n = take(items, n_pairs, 0, most);
    qsort(items, n, sizeof *items, by_number);
    bool has_memory = dpl__vec_reserve(p->ctx, out, n);
    for (size_t i = 0; i < n && has_memory; i++)
        out->data[out->n++] = pairs[items[i].by.number];
    dpl__free(p->ctx, items);
    return dpl__need(has_memory, err);
}
