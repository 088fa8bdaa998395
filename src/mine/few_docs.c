/*
 * few_docs.c - the share of right pairs, by expectation and maximisation.
 *
 * Weights were fitted by logistic regression to candidates of collections of 5 to 50 documents,
 * right and wrong ones counted alike. Cost: few_em_rounds passes over the candidates.
 */
#include "mine/few_docs.h"

#include "base/maths.h"
#include "mine/mine_params.h"
#include "mine/unit.h"

#include <math.h>

bool dpl__are_few_docs(const dpl__doc_candidates *found)
{
    return (double)found->pairs.n < DPL__P(mine, few_docs_candidates);
}

double dpl__few_docs_odds(const dpl__unit *unit, const dpl__match *m,
                          const dpl__alignment_features *a)
{
    const double n = a->n_words, more = DPL__P(mine, few_docs_words),
                 aligned = a->aligned * n / (n + more),
                 length = (a->length * n + DPL__P(mine, few_docs_unlike) * more) / (n + more),
                 margin = unit->score == DPL__SCORE_COSINE
                              ? (double)m->margin / DPL__P(mine, few_docs_usual_margin)
                              : 1,
                 most = DPL__P(mine, most_log_odds);
    const double odds =
        DPL__P(mine, few_docs_bias) + DPL__P(mine, few_docs_margin) * dpl__log(margin) +
        DPL__P(mine, few_docs_score) * dpl__log(fmax(a->score, DPL__P(mine, least_cosine))) -
        DPL__P(mine, few_docs_aligned) * dpl__log(DPL__P(mine, aligned_offset) - aligned) -
        DPL__P(mine, few_docs_length) * dpl__log(DPL__P(mine, length_share) + length);
    return fmin(fmax(odds, -most), most);
}

double dpl__few_docs_fit(double *p, const double *odds, size_t n)
{
    double share = 0.5, evidence = 0; /* half of a right and of a wrong one are seen before */
    for (int round = 0; round < (int)DPL__P(mine, few_em_rounds); round++) {
        double right = 0.5;
        evidence = 0;
        for (size_t i = 0; i < n; i++) {
            const double likely = share * dpl__exp(odds[i]), both = likely + 1 - share;
            p[i] = likely / both;
            right += p[i];
            evidence += dpl__log(both);
        }
        share = right / ((double)n + 1);
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
