/*
 * few_pairs.c - a mixture of three kinds of scores, by expectation and maximisation.
 *
 * Scores of right pairs are normal; so are those of siblings, the further below the less they
 * resemble each other and the longer they are; those of unrelated pairs above few_floor are
 * exponential. Siblings are not estimated from the scores: there are as many as within the
 * sides (siblings.h), less those of which one has a counterpart. Mean, deviation and rate begin
 * at what other collections have and count as if that had been seen a number of times
 * (conjugate priors). The deviation of siblings is that of right pairs, so that the odds
 * between these two grow with the score. Cost: few_em_rounds passes over the candidates.
 */
#include "mine/few_pairs.h"

#include "base/maths.h"
#include "base/order.h"
#include "mine/mine_params.h"
#include "mine/unit.h"

#include <math.h>
#include <stdlib.h>

typedef struct mixture {
    const dpl__siblings *siblings;
    double rate;            /* of unrelated ones */
    double mean, deviation; /* of right ones */
    /* Of right ones and unrelated ones above the floor, and of siblings within the sides that
     * are between them, too. */
    double right, other, alone;
} mixture;

double dpl__few_pairs_score(const dpl__unit *unit, const dpl__match *m,
                            const dpl__alignment_features *a)
{
    double lead[2] = {dpl__log((double)m->lead[0]), dpl__log((double)m->lead[1])};
    /* votes have a wider range than cosines */
    double by = unit->score == DPL__SCORE_VOTES ? 1 : DPL__P(mine, few_cosines);
    return DPL__P(mine, few_bias) +
           by * (DPL__P(mine, few_margin) * dpl__log((double)m->margin) +
                 DPL__P(mine, few_most_lead) * fmax(lead[0], lead[1])) -
           DPL__P(mine, few_aligned) *
               dpl__log(DPL__P(mine, aligned_offset) - a->aligned.mean) -
           DPL__P(mine, few_missing) *
               dpl__log(DPL__P(mine, missing_offset) + a->words.missing) -
           DPL__P(mine, few_length) * dpl__log(DPL__P(mine, length_share) + a->length);
}

static double normal(double x, double mean, double deviation)
{
    double z = (x - mean) / deviation, root = 2.5066282746310002; /* of 2 pi */
    return dpl__exp(-z * z / 2) / (deviation * root);
}

static double sibling_density(const mixture *m, double score)
{
    const double distance = DPL__P(mine, few_sibling_distance) * sqrt(m->siblings->words);
    double sum = 0;
    for (size_t bin = 0; bin < DPL__SIBLING_BINS; bin++)
        if (m->siblings->n[bin] > 0)
            sum += m->siblings->n[bin] *
                   normal(score, m->mean - distance * (1 - dpl__siblings_cosine(bin)),
                          m->deviation);
    return m->alone * sum;
}

/* Probabilities that a score above the floor is that of a right pair, and of siblings. */
static void weigh(double p[2], const mixture *m, double score)
{
    double right = m->right * normal(score, m->mean, m->deviation),
           sibling = sibling_density(m, score),
           other = m->other * m->rate * dpl__exp(-m->rate * (score - DPL__P(mine, few_floor)));
    double all = right + sibling + other;
    p[0] = all > 0 ? right / all : 1;
    p[1] = all > 0 ? sibling / all : 0;
}

/* Both of two siblings are without a counterpart, or one would be paired with that. */
static double share_alone(double right, double n_docs)
{
    const double share = fmax(1 - right / n_docs, 0);
    return share * share;
}

static void improve(mixture *m, const double *scores, size_t n, double n_docs)
{
    double floor = DPL__P(mine, few_floor), right = 0, other = 0, sum = 0, above = 0,
           squares = 0;
    double mean_seen = DPL__P(mine, few_mean_seen), seen = DPL__P(mine, few_deviation_seen),
           rate_seen = DPL__P(mine, few_rate_seen), deviation = DPL__P(mine, few_deviation);
    for (size_t i = 0; i < n; i++) {
        double p[2];
        if (scores[i] <= floor)
            continue;
        weigh(p, m, scores[i]);
        right += p[0];
        other += 1 - p[0] - p[1];
        sum += p[0] * scores[i];
        above += (1 - p[0] - p[1]) * (scores[i] - floor);
        squares += p[0] * (scores[i] - m->mean) * (scores[i] - m->mean);
    }
    m->right = right + 1;
    m->other = other + 1;
    m->alone = share_alone(right, n_docs);
    m->rate = (other + rate_seen) / (above + rate_seen / DPL__P(mine, few_rate));
    m->mean = (sum + mean_seen * DPL__P(mine, few_mean)) / (right + mean_seen);
    m->deviation = sqrt((squares + seen * deviation * deviation) / (right + seen));
}

/* A normal density falls faster than an exponential one: beyond this score it would be the
 * unrelated ones again. */
static double best_score(const mixture *m)
{
    return m->mean + m->rate * m->deviation * m->deviation;
}

double dpl__few_pairs_fit(double *p, const double *scores, size_t n,
                          const dpl__siblings *siblings, double n_docs)
{
    double expected = 0, n_above = 0;
    for (size_t i = 0; i < n; i++)
        n_above += scores[i] > DPL__P(mine, few_floor);
    mixture m = {.siblings = siblings,
                 .rate = DPL__P(mine, few_rate),
                 .mean = DPL__P(mine, few_mean),
                 .deviation = DPL__P(mine, few_deviation),
                 .right = n_above / 3,
                 .other = n_above * 2 / 3,
                 .alone = 1};
    for (int round = 0; round < (int)DPL__P(mine, few_em_rounds); round++)
        improve(&m, scores, n, n_docs);
    for (size_t i = 0; i < n; i++) {
        double of[2] = {0, 0};
        if (scores[i] > DPL__P(mine, few_floor))
            weigh(of, &m, fmin(scores[i], best_score(&m)));
        p[i] = of[0];
        expected += of[0];
    }
    return expected;
}

DPL__FALLING_NUMBERS(falling, double)

double dpl__few_pairs_cut(double *p, size_t n)
{
    double all = 0, right = 0, best = 0, cut = 1;
    if (n)
        qsort(p, n, sizeof *p, falling);
    for (size_t i = 0; i < n; i++)
        all += p[i];
    for (size_t i = 0; i < n; i++) {
        right += p[i];
        const double f1 = 2 * right / ((double)(i + 1) + all);
        if (f1 > best) {
            best = f1;
            cut = p[i];
        }
    }
    return cut;
}
