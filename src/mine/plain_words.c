/*
 * plain_words.c - candidates of two lexicons: of stems or parts, and of words as they are.
 *
 * Where few sentences have a counterpart, a lexicon is learned from a few hundred pairs, and
 * which wrong pairs look right is chance. A lexicon of other words makes other mistakes, and
 * finds other pairs. The confidence of a pair is a weighted mean, in which the higher one
 * counts more: what one lexicon cannot know is no evidence against it. Rounds that know their
 * pairs by heart (hidden_pairs.h) do not count.
 *
 * Cost: tokenizing once more, and as much as the strict rounds.
 */
#include "mine/plain_words.h"

#include "base/ctx.h"
#include "mine/derived_docs.h"
#include "mine/doc_key.h"
#include "mine/hidden_pairs.h"
#include "mine/mine_params.h"

#include <math.h>
#include <stdlib.h>

typedef struct plain {
    dpl__comparable corpus; /* that of the run, with other words */
    dpl_collection *owned[2];
    dpl__rounds rounds;
} plain;

static dpl_status open_side(plain *x, const dpl__pair_run *r, int side, dpl_error *err)
{
    const dpl__comparable *p = &r->corpus;
    dpl__doc_walk s = {.c = p->c[side]};
    const dpl__derived_docs docs = {
        .side = side,
        .what = "words",
        .source = {dpl__doc_walk_next, &s, dpl_input_name(r->task.inputs[side])}};
    DPL_TRY(dpl__derived_docs_open(&x->owned[side], p, &docs, err));
    x->corpus.c[side] = x->owned[side];
    assert(dpl_collection_get_sizes(x->owned[side])->n_docs ==
           dpl_collection_get_sizes(s.c)->n_docs);
    return DPL_OK;
}

/* ---- two lists become one ------------------------------------------------------------- */

/* The weighted mean of two confidences. */
static double mean(double a, double b)
{
    const double weight = DPL__P(mine, likelier_lexicon);
    return weight * fmax(a, b) + (1 - weight) * fmin(a, b);
}

/* other: its confidence by the other lexicon. */
static void put(dpl__doc_candidate_vec *out, const dpl__doc_candidate *c, double other)
{
    dpl__doc_candidate *to = &out->data[out->n++];
    assert(out->n <= out->cap);
    *to = *c;
    to->confidence = mean(c->confidence, other);
}

/* All of both, by left document; of a pair that is in both, the likelier one. */
static void merge(dpl__doc_candidate_vec *out, const dpl__doc_candidate_vec *a,
                  const dpl__doc_candidate_vec *b)
{
    for (size_t i = 0, k = 0; i < a->n || k < b->n;) {
        const dpl__doc_candidate *x = &a->data[i], *y = &b->data[k];
        const bool has_x = i < a->n && (k == b->n || x->docs.left <= y->docs.left),
                   has_y = k < b->n && (i == a->n || y->docs.left <= x->docs.left);
        if (has_x && has_y && x->docs.right == y->docs.right) {
            const bool is_x = x->confidence >= y->confidence;
            put(out, is_x ? x : y, is_x ? y->confidence : x->confidence);
        } else {
            if (has_x)
                put(out, x, 0);
            if (has_y)
                put(out, y, 0);
        }
        i += has_x;
        k += has_y;
    }
}

/* Drops candidates of which a document has a likelier one. */
static dpl_status keep_likeliest(dpl__doc_candidate_vec *all, const dpl__comparable *p,
                                 dpl_error *err)
{
    dpl_ctx *ctx = p->ctx;
    const size_t n = all->n;
    dpl__ranked *order = dpl__alloc(ctx, (n + 1) * sizeof *order);
    uint8_t *is_kept = dpl__calloc(ctx, n + 1, 1), *taken[2];
    for (int side = 0; side < 2; side++)
        taken[side] =
            dpl__calloc(ctx, (size_t)dpl_collection_get_sizes(p->c[side])->n_docs + 1, 1);
    const bool has_memory = order && is_kept && taken[0] && taken[1];
    for (size_t i = 0; i < n && has_memory; i++)
        order[i] =
            (dpl__ranked){all->data[i].confidence, dpl__pair_key(p, all->data[i].docs), i};
    if (n && has_memory)
        qsort(order, n, sizeof *order, dpl__by_rank);
    for (size_t i = 0; i < n && has_memory; i++) {
        const dpl_doc_pair docs = all->data[order[i].number].docs;
        uint8_t *left = &taken[0][docs.left], *right = &taken[1][docs.right];
        if (!*left && !*right)
            *left = *right = is_kept[order[i].number] = 1;
    }
    all->n = 0;
    for (size_t i = 0; i < n && has_memory; i++)
        if (is_kept[i])
            all->data[all->n++] = all->data[i];
    dpl__free(ctx, taken[1], taken[0], is_kept, order);
    return dpl__need(has_memory, err);
}

dpl_status dpl__candidates_join(dpl__doc_candidate_vec *out, const dpl__comparable *p,
                                const dpl__doc_candidate_vec *other, dpl_error *err)
{
    dpl__doc_candidate_vec all = {0};
    DPL_TRY(dpl__need(dpl__vec_reserve(p->ctx, &all, out->n + other->n), err));
    merge(&all, out, other);
    dpl__vec_clear(p->ctx, out);
    *out = all;
    return keep_likeliest(out, p, err);
}

static dpl__hidden_pairs add(const dpl__hidden_pairs *a, const dpl__hidden_pairs *b)
{
    return (dpl__hidden_pairs){a->n_hidden + b->n_hidden, a->n_back + b->n_back,
                               a->right + b->right};
}

/* Candidates of those rounds that learned more than chance. */
static dpl_status join_rounds(dpl__rounds *strict, plain *x, const dpl__comparable *p,
                              dpl_error *err)
{
    dpl__rounds *other = &x->rounds;
    DPL_TRY(dpl__hidden_pairs_search(&other->hidden, other, &x->corpus, err));
    DPL_TRY(dpl__hidden_pairs_search(&strict->hidden, strict, p, err));
    if (dpl__knows_by_heart(&other->hidden))
        return DPL_OK;
    if (dpl__knows_by_heart(&strict->hidden)) {
        dpl__doc_candidate_vec *pairs = &strict->found.pairs;
        pairs->n = 0;
        strict->hidden = other->hidden;
        return dpl__need(
            dpl__vec_append(p->ctx, pairs, other->found.pairs.data, other->found.pairs.n), err);
    }
    strict->hidden = add(&strict->hidden, &other->hidden);
    return dpl__candidates_join(&strict->found.pairs, p, &other->found.pairs, err);
}

dpl_status dpl__plain_words_find(dpl__rounds *strict, dpl__pair_run *r,
                                 const dpl__rounds_input *in, dpl_error *err)
{
    plain x = {.corpus = r->corpus};
    dpl_status status = DPL_OK;
    assert(strict->is_strict && !dpl__is_nothing(&strict->why_empty));
    if (!r->corpus.is_stemmed)
        return DPL_OK;
    dpl__stage_set(&r->stage, "plain words");
    x.corpus.is_stemmed = false;
    x.corpus.given = NULL; /* of stems, as that of the input */
    for (int side = 0; side < 2; side++) {
        x.corpus.words[side] = NULL;
        x.corpus.checksum[side] = ~r->corpus.checksum[side];
        DPL__STEP(open_side(&x, r, side, err));
    }
    dpl__rounds_input again = *in;
    again.corpus = &x.corpus;
    again.first = strict->first + strict->n;
    again.given = NULL;
    again.tell = NULL;
    DPL__STEP(dpl__rounds_run(&x.rounds, &again, err));
    if (!dpl__is_nothing(&x.rounds.why_empty))
        DPL__STEP(join_rounds(strict, &x, &r->corpus, err));
done:
    dpl__rounds_clear(&x.rounds, &x.corpus);
    for (int side = 0; side < 2; side++)
        dpl_collection_close(x.owned[side]);
    return status;
}
