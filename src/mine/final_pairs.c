/*
 * final_pairs.c - candidates become final pairs.
 *
 * Cost: linear in the candidates; an alignment of each near-copy.
 */
#include "mine/final_pairs.h"

#include "base/order.h"
#include "mine/copy_choice.h"
#include "mine/gold.h"
#include "mine/hidden_pairs.h"
#include "mine/mine_params.h"

#include <math.h>
#include <stdlib.h>

DPL__FALLING_NUMBERS(falling, double)

/* The least confidence of as many pairs as possible of which few enough are expected to be
 * wrong (--fdr); above 1: none. */
static dpl_status find_least(double *out, const dpl__comparable *p,
                             const dpl__doc_candidate_vec *pairs, const dpl__estimate_input *e,
                             dpl_error *err)
{
    size_t n_bytes = (pairs->n + 1) * sizeof(double);
    double right = 0, *confidence = dpl__alloc(p->ctx, n_bytes);
    if (!confidence)
        return dpl__fail_nomem(err);
    for (size_t i = 0; i < pairs->n; i++)
        confidence[i] = pairs->data[i].confidence;
    qsort(confidence, pairs->n, sizeof *confidence, falling);
    *out = 2;
    for (size_t i = 0; i < pairs->n; i++) {
        right += confidence[i];
        bool is_tied = i + 1 < pairs->n && confidence[i + 1] >= confidence[i];
        if (!is_tied && dpl__has_fewer_wrong(e, right / (double)(i + 1), p->options->fdr))
            *out = confidence[i];
    }
    dpl__free(p->ctx, confidence);
    return DPL_OK;
}

bool dpl__are_chance(const dpl__doc_candidates *f, double n_pairs)
{
    if (f->has_few_docs)
        return f->evidence < DPL__P(mine, few_docs_evidence);
    return (f->has_few && n_pairs < DPL__P(mine, chance_pairs)) ||
           (n_pairs < DPL__P(mine, chance_docs) && f->aligned < DPL__P(mine, chance_aligned));
}

/* Whether sides without any counterpart would give as many pairs, as likely ones. */
static bool looks_like_chance(const dpl__doc_candidates *f, const dpl__estimate_input *e,
                              const dpl__hidden_pairs *hidden, bool trusts_given)
{
    const double n = (double)e->n_pairs;
    if (e->is_strict)
        return n < DPL__P(mine, chance_sentences) ||
               (!trusts_given && dpl__knows_by_heart(hidden));
    if (e->unit->has_alignment)
        return dpl__are_chance(f, n);
    /* a lexicon knows them by heart */
    return n < DPL__P(mine, strict_pairs) * (double)e->n_smaller &&
           hidden->n_back < DPL__P(mine, chance_back) * hidden->n_hidden;
}

/* What is known by hiding pairs of single sentences. The share of strict pairs that is wrong is
 * the mean of what two lexicons say: the one that they taught, and the one that they did not.
 */
static dpl_status look_at_hidden(dpl__hidden_pairs *out, dpl__estimate_input *e,
                                 const dpl__rounds *rounds, const dpl__comparable *p,
                                 dpl_error *err)
{
    *out = rounds->hidden;
    if (rounds->unit->has_alignment)
        return DPL_OK;
    if (out->n_hidden <= 0)
        DPL_TRY(dpl__hidden_pairs_search(out, rounds, p, err));
    if (out->n_hidden <= 0)
        return DPL_OK;
    e->back = out->n_back / out->n_hidden;
    const double n = dpl__doc_candidates_n_likely(&rounds->found);
    const double wrong = 1 - e->usual / fmax(n, 1);
    if (rounds->trusts_given)
        e->doubt = DPL__P(mine, given_doubt);
    else if (e->is_strict && wrong > 0)
        e->doubt = (wrong + 1 - out->right / out->n_hidden) / (2 * wrong);
    return DPL_OK;
}

/* Where many pairs lead their second best by little, others lost to it: pairs that were not
 * found, for each one that was. Documents of which parts are translations have such pairs. */
static double missed_for_each(const dpl__doc_candidates *f, const dpl__unit *unit)
{
    double n = 0, close = 0;
    for (size_t i = 0; i < f->pairs.n; i++) {
        const dpl__doc_candidate *c = &f->pairs.data[i];
        if (c->confidence < f->likely)
            continue;
        n++;
        close += (double)fminf(c->match.lead[0], c->match.lead[1]) < DPL__P(mine, close_lead);
    }
    const double share = n > 0 ? close / n : 0;
    return share * share *
           (unit->score == DPL__SCORE_VOTES ? DPL__P(mine, close_votes)
                                            : DPL__P(mine, close_cosines));
}

/* Keeps the pairs that are likely enough. */
static dpl_status keep_likely(dpl__final_pairs *out, const dpl__rounds *rounds,
                              const dpl__round_input *in, dpl_error *err)
{
    const dpl__comparable *p = in->corpus;
    dpl__doc_candidates *f = &out->found;
    dpl__hidden_pairs hidden = {0};
    double all = 0, taken = 0, missed = missed_for_each(f, in->unit);
    size_t n = 0;
    dpl__estimate_input e = {.unit = in->unit,
                             .has_few = f->has_few,
                             .has_few_docs = f->has_few_docs,
                             .is_strict = rounds->is_strict,
                             .n_smaller = dpl__min(p->n_docs[0], p->n_docs[1]),
                             .n_candidates = f->pairs.n};
    out->least = dpl__least_confidence(p, f);
    for (size_t i = 0; i < f->pairs.n; i++) {
        double confidence = f->pairs.data[i].confidence;
        assert(confidence >= 0 && confidence <= 1);
        all += confidence;
        e.usual += confidence >= f->likely ? confidence : 0;
        dpl__histogram_add(&out->confidence, confidence);
    }
    DPL_TRY(look_at_hidden(&hidden, &e, rounds, p, err));
    out->back = e.back;
    if (out->least < p->options->confidence)
        out->why_cut = "this cut has the highest expected F1";
    if (p->options->fdr > 0) {
        out->why_cut = "as many pairs as the allowed share of wrong ones leaves";
        DPL_TRY(find_least(&out->least, p, &f->pairs, &e, err));
    }
    for (size_t i = 0; i < f->pairs.n; i++) {
        double confidence = f->pairs.data[i].confidence;
        if (confidence < out->least)
            continue;
        taken += confidence;
        f->pairs.data[n++] = f->pairs.data[i];
        if (!dpl__vec_push(p->ctx, &out->docs, f->pairs.data[i].docs))
            return dpl__fail_nomem(err);
    }
    f->pairs.n = n;
    e.n_pairs = n;
    e.right = taken;
    e.all = all * (1 + missed);
    dpl__estimates_make(&out->estimates, &e);
    out->is_chance = !p->gold && n && looks_like_chance(f, &e, &hidden, rounds->trusts_given);
    if (out->is_chance) {
        f->pairs.n = out->docs.n = 0;
        dpl__estimates_make(&out->estimates, &(dpl__estimate_input){.unit = in->unit});
    }
    return DPL_OK;
}

void dpl__final_pairs_empty(dpl__final_pairs *out)
{
    *out = (dpl__final_pairs){.confidence = {.low = 0, .high = 1}};
}

dpl_status dpl__final_pairs_select(dpl__final_pairs *out, dpl__rounds *rounds,
                                   const dpl__comparable *p, dpl_error *err)
{
    const dpl__round_input in = dpl__rounds_as_input(rounds, p);
    dpl__final_pairs_empty(out);
    DPL_TRY(dpl__doc_candidates_copy(&out->found, &rounds->found, p->ctx, err));
    DPL_TRY(dpl__choose_copies(&out->found, rounds, p, err));
    if (p->gold)
        DPL_TRY(dpl__gold_apply(&out->found, &in, err));
    DPL_TRY(keep_likely(out, rounds, &in, err));
    return dpl__list_copies(out->copy_of, p, &(dpl__pair_list){out->docs.data, out->docs.n},
                            err);
}

void dpl__final_pairs_clear(dpl__final_pairs *f, const dpl__comparable *p)
{
    for (int side = 0; side < 2; side++)
        if (f->copy_of[side])
            dpl__free(p->ctx, f->copy_of[side]);
    dpl__vec_clear(p->ctx, &f->docs);
    dpl__doc_candidates_clear(&f->found, p->ctx);
}
