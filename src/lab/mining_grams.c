/*
 * mining_grams.c - the bigrams of two collections and the cosines of documents by them (section
 * 2.1 of document mining): weighted by idf as in the paper, by tf-idf, by BM25.
 *
 * Bigrams of one document alone are dropped, as the paper does; the length of a document, which
 * BM25 divides by, is that of all of its bigrams.
 */
#include "lab/mining.h"

#include "base/hash.h"
#include "base/maths.h"
#include "base/order.h"

#include <math.h>
#include <stdlib.h>

static const double k1 = 1.2, b = 0.75;

typedef dpl__mining_gram gram;
typedef dpl__mining_grams grams;

DPL__ORDER(by_key, gram, DPL__RISING(key) DPL__RISING(doc))

DPL__ORDER(by_doc, gram, DPL__RISING(doc) DPL__RISING(key))

static dpl_status extract(grams *g, const dpl_collection *c, uint32_t from, dpl_error *err)
{
    for (uint32_t doc = 0; doc < dpl_collection_get_sizes(c)->n_docs; doc++) {
        size_t n;
        const uint32_t *tokens = dpl_collection_tokens(c, doc, &n);
        uint64_t before = 0;
        for (size_t i = 0; i < n; i++) {
            const dpl_str word = dpl_collection_term(c, tokens[i]);
            const uint64_t key = dpl__hash(word.data, word.n, 0);
            const gram one = {dpl__mix(before * 3 + key), from + doc, 1, 0};
            if (i && !dpl__vec_push(g->lab->ctx, &g->all, one))
                return dpl__fail_nomem(err);
            before = key;
        }
    }
    return DPL_OK;
}

/* Each bigram of a document once, with its frequencies; those of one document are dropped. */
static void count(grams *g)
{
    gram *x = g->all.data;
    size_t n = 0;
    qsort(x, g->all.n, sizeof *x, by_key);
    for (size_t i = 0; i < g->all.n; i++)
        if (n && x[n - 1].key == x[i].key && x[n - 1].doc == x[i].doc)
            x[n - 1].tf++;
        else
            x[n++] = x[i];
    size_t kept = 0;
    for (size_t i = 0, end; i < n; i = end) {
        for (end = i; end < n && x[end].key == x[i].key;)
            end++;
        for (size_t k = i; k < end && end - i > 1; k++) {
            x[kept] = x[k];
            x[kept++].df = (uint32_t)(end - i);
        }
    }
    g->all.n = kept;
    qsort(x, kept, sizeof *x, by_doc);
}

dpl_status dpl__mining_grams_make(grams *g, dpl__lab *lab, const dpl__mining_sides *sides,
                                  dpl_error *err)
{
    *g = (grams){.lab = lab};
    g->n_left = dpl_collection_get_sizes(sides->c[0])->n_docs;
    g->n_docs = g->n_left + dpl_collection_get_sizes(sides->c[1])->n_docs;
    DPL_TRY(extract(g, sides->c[0], 0, err));
    DPL_TRY(extract(g, sides->c[1], g->n_left, err));
    g->mean_length = (double)g->all.n / (double)dpl__max(g->n_docs, 1);
    g->begin = dpl__arena_alloc(&lab->arena, ((size_t)g->n_docs + 1) * sizeof *g->begin);
    g->lengths = dpl__arena_alloc(&lab->arena, ((size_t)g->n_docs + 1) * sizeof *g->lengths);
    DPL_TRY(dpl__need(g->begin && g->lengths, err));
    memset(g->lengths, 0, ((size_t)g->n_docs + 1) * sizeof *g->lengths);
    for (size_t i = 0; i < g->all.n; i++)
        g->lengths[g->all.data[i].doc]++;
    if (g->all.n)
        count(g);
    size_t at = 0;
    for (uint32_t doc = 0; doc <= g->n_docs; doc++) {
        while (at < g->all.n && g->all.data[at].doc < doc)
            at++;
        g->begin[doc] = at;
    }
    return DPL_OK;
}

static double weight(const grams *g, const gram *x, double length, dpl__mining_scheme scheme)
{
    const double idf = dpl__log((double)g->n_docs / x->df);
    const double tf = x->tf;
    if (scheme == DPL__MINING_IDF)
        return idf;
    return scheme == DPL__MINING_TF_IDF
               ? tf * idf
               : idf * tf * (k1 + 1) / (tf + k1 * (1 - b + b * length / g->mean_length));
}

double dpl__mining_grams_score(const grams *g, uint32_t left, uint32_t right,
                               dpl__mining_scheme scheme)
{
    const double lengths[2] = {g->lengths[left], g->lengths[right]};
    double dot = 0, norms[2] = {0, 0};
    uint64_t i = g->begin[left], k = g->begin[right];
    const uint64_t ends[2] = {g->begin[left + 1], g->begin[right + 1]};
    while (i < ends[0] || k < ends[1]) {
        const gram *x = i < ends[0] ? &g->all.data[i] : NULL,
                   *y = k < ends[1] ? &g->all.data[k] : NULL;
        const bool has_left = x && (!y || x->key <= y->key),
                   has_right = y && (!x || y->key <= x->key);
        const double w = has_left ? weight(g, x, lengths[0], scheme) : 0,
                     v = has_right ? weight(g, y, lengths[1], scheme) : 0;
        dot += w * v;
        norms[0] += w * w;
        norms[1] += v * v;
        i += has_left;
        k += has_right;
    }
    return dot > 0 ? dot / sqrt(norms[0] * norms[1]) : 0;
}
