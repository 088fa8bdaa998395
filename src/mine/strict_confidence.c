/*
 * strict_confidence.c - the confidence of single sentences of which few have a counterpart.
 *
 * Where one sentence in fifty has one, decoys that take a pair away (candidate_confidence.c)
 * are the second best of wrong pairs, and let nine wrong pairs pass for one that is right.
 * Decoys of rank two need no right pair (decoy_rates.h). A lexicon prefers the pairs that it
 * was trained on to their decoys, so half of the pairs can also be judged by themselves, with a
 * lexicon of the other half (hidden_pairs.h).
 *
 * Cost: one more matching of the neighbours, and what decoy_rates.c takes.
 */
#include "mine/strict_confidence.h"

#include "base/ctx.h"
#include "mine/decoy_rates.h"
#include "mine/mine_params.h"
#include "mine/unit.h"
#include "par/sort.h"
#include "vectors/vectors.h"

#include <math.h>
#include <stdlib.h>

typedef struct judging {
    dpl__doc_candidates *found;
    const dpl__round_input *in;
    dpl_vectors *const *v;
    dpl__rank_decoys seconds;
    dpl__keyed *order; /* of pairs: by key, not by row */
    uint32_t *place;   /* of each pair, in this order */
    double *scores;
    dpl__scored_decoy *decoys;
    dpl__decoy_rate *rates;
} judging;

static double score_of(const judging *x, const dpl__match *m, const uint32_t row[2])
{
    const dpl__doc_candidate candidate = {
        .docs = {x->v[0]->docs[row[0]], x->v[1]->docs[row[1]]}, .match = *m};
    return x->in->unit->features(x->in, &candidate, NULL).x[0];
}

/* Keeps the pairs of one half, and the decoys behind these. */
static dpl_status keep_half(judging *x, dpl_error *err)
{
    const dpl__comparable *p = x->in->corpus;
    dpl__doc_candidate_vec *pairs = &x->found->pairs;
    const size_t n_all = pairs->n;
    uint32_t *place = dpl__alloc(p->ctx, (n_all + 1) * sizeof *place), n = 0;
    if (!place)
        return dpl__fail_nomem(err);
    for (size_t i = 0; i < n_all; i++) {
        const bool is_kept = dpl__half_of(p, pairs->data[i].docs) == x->in->half;
        place[i] = is_kept ? n : DPL__NO_ROW;
        if (is_kept)
            pairs->data[n++] = pairs->data[i];
    }
    pairs->n = n;
    n = 0;
    for (size_t i = 0; i < x->seconds.n; i++) {
        dpl__rank_decoy d = x->seconds.data[i];
        const dpl_doc_pair docs = {x->v[0]->docs[d.is.row[0]], x->v[1]->docs[d.is.row[1]]};
        const bool has_pair = d.above != DPL__NO_ROW;
        if (has_pair ? place[d.above] == DPL__NO_ROW : dpl__half_of(p, docs) != x->in->half)
            continue;
        if (has_pair)
            d.above = place[d.above];
        x->seconds.data[n++] = d;
    }
    x->seconds.n = n;
    dpl__free(p->ctx, place);
    return DPL_OK;
}

static dpl_status fill_in(judging *x, dpl_error *err)
{
    const dpl__comparable *p = x->in->corpus;
    const dpl__doc_candidate_vec *pairs = &x->found->pairs;
    for (size_t i = 0; i < pairs->n; i++)
        x->order[i] = (dpl__keyed){dpl__pair_key(p, pairs->data[i].docs), i};
    DPL_TRY(dpl__parallel_sort(p->ctx, x->order, pairs->n, sizeof *x->order, dpl__by_key, err));
    for (size_t k = 0; k < pairs->n; k++) {
        const dpl__match *m = &pairs->data[x->order[k].number].match;
        x->place[x->order[k].number] = (uint32_t)k;
        x->scores[k] = score_of(x, m, m->row);
    }
    for (size_t i = 0; i < x->seconds.n; i++) {
        const dpl__rank_decoy *d = &x->seconds.data[i];
        x->decoys[i] = (dpl__scored_decoy){
            score_of(x, &d->is, d->is.row), score_of(x, &d->raised, d->is.row),
            d->above == DPL__NO_ROW ? DPL__NO_MATCH : x->place[d->above]};
    }
    return DPL_OK;
}

static int falling(const void *a, const void *b)
{
    double x = ((const dpl__decoy_rate *)a)->p, y = ((const dpl__decoy_rate *)b)->p;
    return (x < y) - (x > y);
}

/* A share of the candidates is learnt from, likely or not: wrong pairs do little harm at the
 * start, since their words contradict each other, and too few right ones would not grow. */
static void set_train_confidence(judging *x)
{
    dpl__doc_candidates *f = x->found;
    size_t n = (size_t)(x->in->train_share * (double)f->pairs.n);
    if (n == 0)
        return;
    qsort(x->rates, f->pairs.n, sizeof *x->rates, falling);
    f->train_confidence = fmin(x->rates[n - 1].p, f->train_confidence);
}

static dpl_status judge(judging *x, dpl_error *err)
{
    dpl__doc_candidates *f = x->found;
    const dpl__comparable *p = x->in->corpus;
    double right = 0, n_docs = (double)dpl__min(p->n_docs[0], p->n_docs[1]);
    DPL_TRY(fill_in(x, err));
    const dpl__decoy_rates_input in = {x->scores, f->pairs.n, x->decoys, x->seconds.n};
    DPL_TRY(dpl__decoy_rates_fit(x->rates, p->ctx, &in, err));
    for (size_t k = 0; k < f->pairs.n; k++)
        right += x->rates[k].p;
    for (size_t i = 0; i < f->pairs.n; i++)
        f->pairs.data[i].confidence = x->rates[x->place[i]].p;
    f->alone = fmax(1 - right / fmax(n_docs, 1), 0);
    set_train_confidence(x);
    return DPL_OK;
}

dpl_status dpl__estimate_strictly(dpl__doc_candidates *f, const dpl__round_input *in,
                                  const dpl__neighbours *c, dpl_vectors *const v[2],
                                  dpl_error *err)
{
    assert(!in->sample->is_used && in->unit->n_features == 1);
    dpl_ctx *ctx = in->corpus->ctx;
    judging x = {.found = f, .in = in, .v = v};
    size_t n = 0, n_decoys = 0;
    dpl_status status = dpl__rank_decoys_find(&x.seconds, c, err);
    if (status != DPL_OK || (in->half && (status = keep_half(&x, err)) != DPL_OK))
        goto done;
    n = f->pairs.n + 1;
    n_decoys = x.seconds.n + 1;
    x.order = dpl__alloc(ctx, n * sizeof *x.order);
    x.place = dpl__alloc(ctx, n * sizeof *x.place);
    x.scores = dpl__alloc(ctx, n * sizeof *x.scores);
    x.rates = dpl__alloc(ctx, n * sizeof *x.rates);
    x.decoys = dpl__alloc(ctx, n_decoys * sizeof *x.decoys);
    bool has_memory = x.order && x.place && x.scores && x.rates && x.decoys;
    status = has_memory ? judge(&x, err) : dpl__fail_nomem(err);
done:
    dpl__free(ctx, x.decoys, x.rates, x.scores, x.place, x.order);
    dpl__vec_clear(ctx, &x.seconds);
    return status;
}
