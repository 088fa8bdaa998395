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
#include "base/order.h"
#include "mine/derived_docs.h"
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

typedef struct entry {
    dpl__doc_candidate candidate;
    uint64_t key;
} entry;

DPL__ORDER(by_pair, entry,
           DPL__RISING(candidate.docs.left) DPL__RISING(candidate.docs.right)
               DPL__FALLING(candidate.confidence))
DPL__ORDER(by_confidence, entry, DPL__FALLING(candidate.confidence) DPL__RISING(key))
DPL__ORDER(by_left, dpl__doc_candidate, DPL__RISING(docs.left))

/* The weighted mean of two confidences. */
static double mean(double a, double b)
{
    const double weight = DPL__P(mine, likelier_lexicon);
    return weight * fmax(a, b) + (1 - weight) * fmin(a, b);
}

static void fill(entry *out, const dpl__comparable *p, const dpl__doc_candidate_vec *from)
{
    for (size_t i = 0; i < from->n; i++)
        out[i] = (entry){from->data[i], dpl__pair_key(p, from->data[i].docs)};
}

static bool are_same(const entry *a, const entry *b)
{
    return a->candidate.docs.left == b->candidate.docs.left &&
           a->candidate.docs.right == b->candidate.docs.right;
}

/* Of a pair that is there twice, the likelier one stays. */
static size_t join_same(entry *e, size_t n)
{
    size_t n_kept = 0;
    for (size_t i = 0; i < n; i++) {
        const bool has_both = i + 1 < n && are_same(&e[i], &e[i + 1]);
        entry joined = e[i];
        joined.candidate.confidence =
            mean(joined.candidate.confidence, has_both ? e[i + 1].candidate.confidence : 0);
        e[n_kept++] = joined;
        i += has_both;
    }
    return n_kept;
}

dpl_status dpl__candidates_join(dpl__doc_candidate_vec *out, const dpl__comparable *p,
                                const dpl__doc_candidate_vec *other, dpl_error *err)
{
    dpl_ctx *ctx = p->ctx;
    size_t n = out->n + other->n, n_bytes = (n + 1) * sizeof(entry);
    entry *e = dpl__alloc(ctx, n_bytes);
    uint8_t *taken[2] = {0};
    dpl_status status;
    for (int side = 0; side < 2; side++)
        taken[side] =
            dpl__calloc(ctx, (size_t)dpl_collection_get_sizes(p->c[side])->n_docs + 1, 1);
    DPL__STEP(dpl__need(e && taken[0] && taken[1], err));
    fill(e, p, out);
    fill(e + out->n, p, other);
    qsort(e, n, sizeof *e, by_pair);
    n = join_same(e, n);
    qsort(e, n, sizeof *e, by_confidence);
    out->n = 0;
    for (size_t i = 0; i < n; i++) {
        const dpl_doc_pair docs = e[i].candidate.docs;
        if (taken[0][docs.left] || taken[1][docs.right])
            continue;
        taken[0][docs.left] = taken[1][docs.right] = 1;
        DPL__STEP(dpl__need(dpl__vec_push(ctx, out, e[i].candidate), err));
    }
    qsort(out->data, out->n, sizeof *out->data, by_left);
done:
    dpl__free(ctx, taken[1], taken[0], e);
    return status;
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
