/*
 * candidate_confidence.c - candidates and decoys become examples of the model of confidence.c.
 *
 * Cost: linear in the examples, and the rounds of the model.
 */
#include "base/ctx.h"
#include "mine/few_docs.h"
#include "mine/few_pairs.h"
#include "mine/mine_params.h"
#include "mine/unit.h"
#include "par/pool.h"
#include "par/sort.h"

#include <math.h>

static void note_cosine(dpl__doc_candidates *f)
{
    double sum = 0, count = 0;
    for (size_t i = 0; i < f->pairs.n; i++)
        if (f->pairs.data[i].confidence >= f->likely) {
            sum += (double)f->pairs.data[i].match.score;
            count++;
        }
    f->cosine = count > 0 ? sum / count : 0;
}

/* A pair or decoy as an example: they are added up by key, not by row. */
typedef struct judged {
    uint64_t key;
    float margin; /* one decoy may be found twice, among different rows */
    size_t i;     /* number of the pair, or of the decoy */
} judged;

static int by_key(const void *a, const void *b)
{
    const judged *x = a, *y = b;
    if (x->key != y->key)
        return x->key < y->key ? -1 : 1;
    if (x->margin < y->margin || x->margin > y->margin)
        return x->margin < y->margin ? -1 : 1;
    return (x->i > y->i) - (x->i < y->i);
}

static dpl_status sort_judged(judged *out, const dpl__comparable *p,
                              const dpl__doc_candidate_vec *f, dpl_error *err)
{
    for (size_t i = 0; i < f->n; i++)
        out[i] = (judged){dpl__pair_key(p, f->data[i].docs), f->data[i].match.margin, i};
    return dpl__parallel_sort(p->ctx, out, f->n, sizeof *out, by_key, err);
}

typedef struct judging {
    dpl__doc_candidates *found;
    const dpl__round_input *in;
    const dpl__alignment_features *alignment; /* NULL: not known */
    judged *pairs, *decoys;
    size_t *place; /* of each pair, among the examples */
    dpl__features *pair_features;
    dpl__decoy *decoy_features;
    double *confidence, *few_scores, *few_confidence;
} judging;

enum { FILLED = 512 }; /* examples of a part */

static void fill_pairs(void *user, size_t part)
{
    const judging *x = user;
    const dpl__doc_candidates *f = x->found;
    const size_t end = dpl__min((part + 1) * FILLED, f->pairs.n);
    for (size_t k = part * FILLED; k < end; k++) {
        size_t i = x->pairs[k].i;
        x->place[i] = k;
        x->pair_features[k] = x->in->unit->features(x->in, &f->pairs.data[i],
                                                    x->alignment ? &x->alignment[i] : NULL);
    }
}

static void fill_decoys(void *user, size_t part)
{
    const judging *x = user;
    const dpl__doc_candidates *f = x->found;
    const dpl__unit *unit = x->in->unit;
    const int pivot = x->in->corpus->pivot;
    const size_t end = dpl__min((part + 1) * FILLED, f->decoys.n);
    for (size_t k = part * FILLED; k < end; k++) {
        size_t i = x->decoys[k].i;
        const dpl__match *m = &f->decoys.data[i].match;
        dpl__decoy *decoy = &x->decoy_features[k];
        decoy->features = unit->features(x->in, &f->decoys.data[i],
                                         x->alignment ? &x->alignment[f->pairs.n + i] : NULL);
        for (int side = 0; side < 2; side++) {
            uint32_t taken = m->taken[side ? pivot : !pivot];
            bool counts_whole = f->is_by_spelling || unit->has_whole_decoys;
            decoy->taken[side] =
                counts_whole || taken == DPL__NO_ROW ? DPL__NO_PAIR : (uint32_t)x->place[taken];
        }
    }
}

static dpl_status fill_examples(judging *x, dpl_error *err)
{
    const dpl__doc_candidates *f = x->found;
    dpl_ctx *ctx = x->in->corpus->ctx;
    DPL_TRY(sort_judged(x->pairs, x->in->corpus, &f->pairs, err));
    DPL_TRY(sort_judged(x->decoys, x->in->corpus, &f->decoys, err));
    DPL_TRY(dpl__parallel_each(ctx, (f->pairs.n + FILLED - 1) / FILLED, x, fill_pairs, err));
    return dpl__parallel_each(ctx, (f->decoys.n + FILLED - 1) / FILLED, x, fill_decoys, err);
}

/* Of the smaller side; near-copies count once. */
static uint32_t count_docs(const dpl__comparable *p)
{
    return (uint32_t)dpl__min(p->n_docs[0] - p->n_copies[0], p->n_docs[1] - p->n_copies[1]);
}

bool dpl__implies_many(const dpl__comparable *p)
{
    return p->n_implied > 0 && p->n_implied >= DPL__P(mine, few_paired) * count_docs(p);
}

/* Whether what was learnt is better than fixed weights, which expect so many right pairs. */
static bool is_unlike_others(const judging *x, double right)
{
    return x->in->unit->score == DPL__SCORE_COSINE &&
           dpl__is_learnt_clearly(x->confidence, x->found->pairs.n, right);
}

/* Where few documents have a counterpart, what the model learns is chance (few_pairs.h); not
 * where other languages show that many have one. */
static dpl_status judge_few(judging *x, dpl_error *err)
{
    dpl__doc_candidates *f = x->found;
    dpl__siblings siblings;
    size_t n = f->pairs.n;
    DPL_TRY(dpl__siblings_find(&siblings, x->in->corpus, err));
    for (size_t i = 0; i < n; i++)
        x->few_scores[x->place[i]] =
            dpl__few_pairs_score(x->in->unit, &f->pairs.data[i].match, &x->alignment[i]);
    double n_docs = count_docs(x->in->corpus),
           right = dpl__few_pairs_fit(x->few_confidence, x->few_scores, n, &siblings, n_docs);
    if (right >= DPL__P(mine, few_paired) * n_docs || is_unlike_others(x, right))
        return DPL_OK;
    f->has_few = true;
    f->alone = 1 - right / n_docs;
    memcpy(x->confidence, x->few_confidence, n * sizeof *x->confidence);
    f->likely = fmin(dpl__few_pairs_cut(x->few_confidence, n), f->likely);
    return DPL_OK;
}

/* A model can hardly be learnt from so few candidates (few_docs.h). */
static void judge_few_docs(judging *x)
{
    dpl__doc_candidates *f = x->found;
    const double n_docs = count_docs(x->in->corpus),
                 chance = dpl__few_docs_chance(x->alignment + f->pairs.n, f->decoys.n);
    double right = 0;
    for (size_t i = 0; i < f->pairs.n; i++)
        x->few_scores[x->place[i]] =
            dpl__few_docs_odds(x->in->unit, &f->pairs.data[i].match, &x->alignment[i], chance);
    f->evidence = dpl__few_docs_fit(x->few_confidence, x->few_scores, f->pairs.n);
    for (size_t k = 0; k < f->pairs.n; k++)
        right += x->few_confidence[k];
    if (f->evidence >= DPL__P(mine, few_docs_evidence) && is_unlike_others(x, right))
        return;
    f->has_few_docs = true;
    f->has_few = right < DPL__P(mine, few_paired) * n_docs;
    f->alone = fmax(1 - right / n_docs, 0);
    memcpy(x->confidence, x->few_confidence, f->pairs.n * sizeof *x->confidence);
}

static dpl_status judge(judging *x, dpl_error *err)
{
    const dpl__comparable *p = x->in->corpus;
    const dpl__sample *sample = x->in->sample;
    const dpl__unit *unit = x->in->unit;
    dpl__doc_candidates *f = x->found;
    dpl__confidence model;
    assert(unit->has_alignment || !x->alignment);
    DPL_TRY(fill_examples(x, err));
    dpl__confidence_input in = {.pairs = x->pair_features,
                                .n_pairs = f->pairs.n,
                                .decoys = x->decoy_features,
                                .n_decoys = f->decoys.n,
                                .n_features = unit->n_features +
                                              (x->alignment ? DPL__ALIGNMENT_FEATURES : 0),
                                .n_docs = sample->is_used ? sample->n_docs : count_docs(p),
                                .is_cautious = unit->is_cautious};
    for (int side = 0; side < 2 && unit->counts_unpaired; side++)
        in.n_side[side] = sample->is_used && side == sample->side
                              ? sample->n_docs
                              : p->n_docs[side] - p->n_copies[side];
    DPL_TRY(dpl__confidence_fit(&model, x->confidence, p->ctx, &in, err));
    f->alone = model.alone;
    f->likely = DPL__P(mine, train_confidence);
    f->has_few = f->has_few_docs = false;
    if (x->alignment && dpl__are_few_docs(f))
        judge_few_docs(x);
    else if (x->alignment && f->alone > DPL__P(mine, few_model_unpaired) &&
             !dpl__implies_many(p) && !x->in->has_many)
        DPL_TRY(judge_few(x, err));
    for (size_t i = 0; i < f->pairs.n; i++)
        f->pairs.data[i].confidence = x->confidence[x->place[i]];
    if (x->alignment && !f->has_few && unit->score == DPL__SCORE_COSINE)
        f->likely = fmin(dpl__few_pairs_cut(x->confidence, f->pairs.n), f->likely);
    note_cosine(f);
    return DPL_OK;
}

dpl_status dpl__estimate_confidence(dpl__doc_candidates *f, const dpl__round_input *in,
                                    const dpl__alignment_features *alignment, dpl_error *err)
{
    const dpl__comparable *p = in->corpus;
    size_t n = f->pairs.n + 1, n_decoys = f->decoys.n + 1;
    judging x = {.found = f,
                 .in = in,
                 .alignment = alignment,
                 .pairs = dpl__alloc(p->ctx, n * sizeof *x.pairs),
                 .decoys = dpl__alloc(p->ctx, n_decoys * sizeof *x.decoys),
                 .place = dpl__alloc(p->ctx, n * sizeof *x.place),
                 .pair_features = dpl__alloc(p->ctx, n * sizeof *x.pair_features),
                 .decoy_features = dpl__alloc(p->ctx, n_decoys * sizeof *x.decoy_features),
                 .confidence = dpl__alloc(p->ctx, n * sizeof *x.confidence),
                 .few_scores = dpl__alloc(p->ctx, n * sizeof *x.few_scores),
                 .few_confidence = dpl__alloc(p->ctx, n * sizeof *x.few_confidence)};
    bool has_memory = x.pairs && x.decoys && x.place && x.pair_features && x.decoy_features &&
                      x.confidence && x.few_scores && x.few_confidence;
    dpl_status status = has_memory ? judge(&x, err) : dpl__fail_nomem(err);
    dpl__free(p->ctx, x.few_confidence, x.few_scores, x.confidence, x.decoy_features,
              x.pair_features, x.place, x.decoys, x.pairs);
    return status;
}
