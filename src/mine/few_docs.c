/*
 * few_docs.c - the share of right pairs, by expectation and maximisation.
 *
 * Weights were fitted by logistic regression to candidates of collections of 5 to 50 documents,
 * right and wrong ones counted alike; those of the aligned share are 1. Cost: few_em_rounds
 * passes over the candidates, MEANS times.
 */
#include "mine/few_docs.h"

#include "base/maths.h"
#include "mine/mine_params.h"
#include "mine/unit.h"

#include <float.h>
#include <math.h>

bool dpl__are_few_docs(const dpl__doc_candidates *found)
{
    return (double)found->pairs.n < DPL__P(mine, few_docs_candidates);
}

/* With words that are not aligned. */
static double share_of(const dpl__alignment_features *a)
{
    return a->aligned.most * a->n_words / (a->n_words + DPL__P(mine, few_docs_words));
}

double dpl__few_docs_chance(const dpl__alignment_features *decoys, size_t n)
{
    const double seen = DPL__P(mine, few_docs_chance_seen);
    double sum = seen * DPL__P(mine, few_docs_chance);
    for (size_t i = 0; i < n; i++)
        sum += share_of(&decoys[i]);
    return sum / ((double)n + seen);
}

double dpl__few_docs_odds(const dpl__unit *unit, const dpl__match *m,
                          const dpl__alignment_features *a, double chance)
{
    const double n = a->n_words, more = DPL__P(mine, few_docs_words), aligned = share_of(a),
                 least = DPL__P(mine, few_docs_least), most = DPL__P(mine, most_log_odds),
                 margin = unit->score == DPL__SCORE_COSINE ? (double)m->margin : 1,
                 length = (a->length * n + DPL__P(mine, few_docs_unlike) * more) / (n + more);
    const double odds =
        DPL__P(mine, few_docs_margin) * dpl__log(margin) +
        DPL__P(mine, few_docs_score) * dpl__log(fmax(a->score, DPL__P(mine, least_cosine))) -
        DPL__P(mine, few_docs_length) * dpl__log(DPL__P(mine, length_share) + length) -
        dpl__log(DPL__P(mine, aligned_offset) - aligned) +
        dpl__log((aligned + least) / (chance + least));
    return fmin(fmax(odds, -most), most);
}

enum { MEANS = 5 }; /* rounds in which the mean of right pairs is estimated */

/* Right pairs of a collection are alike: what is far below their mean is none. */
static double liken(double odds, double mean)
{
    return odds -
           DPL__P(mine, few_docs_far) * fmax(mean - odds - DPL__P(mine, few_docs_spread), 0);
}

static double fit(double *p, const double *odds, size_t n, double mean)
{
    double share = 0.5, evidence = 0; /* half of a right and of a wrong one are seen before */
    for (int round = 0; round < (int)DPL__P(mine, few_em_rounds); round++) {
        double right = 0.5;
        evidence = 0;
        for (size_t i = 0; i < n; i++) {
            const double likely = share * dpl__exp(liken(odds[i], mean)),
                         both = likely + 1 - share;
            p[i] = likely / both;
            right += p[i];
            evidence += dpl__log(both);
        }
        share = right / ((double)n + 1);
    }
    return evidence;
}

double dpl__few_docs_fit(double *p, const double *odds, size_t n)
{
    double mean = -DPL__P(mine, most_log_odds), evidence = fit(p, odds, n, mean);
    for (int round = 0; round < MEANS; round++) {
        double sum = 0, right = DBL_MIN;
        for (size_t i = 0; i < n; i++) {
            sum += p[i] * odds[i];
            right += p[i];
        }
        mean = sum / right;
        evidence = fit(p, odds, n, mean);
    }
    return evidence;
}

bool dpl__is_learnt_clearly(const double *learnt, size_t n, double right)
{
    double all = 0, sure = 0;
    for (size_t i = 0; i < n; i++) {
        all += learnt[i];
        sure += learnt[i] >= DPL__P(mine, train_confidence) ? learnt[i] : 0;
    }
    return all >= DPL__P(mine, few_unlike_pairs) &&
           sure >= DPL__P(mine, few_unlike_sure) * all &&
           right < DPL__P(mine, few_unlike) * all;
}
