/*
 * few_pairs.c - a mixture of three kinds of scores, by expectation and maximisation.
 *
 * Scores of right pairs are normal; so are, some way below, those of siblings, which differ
 * from a counterpart in a few words; those of unrelated pairs above few_floor are exponential.
 * Mean, deviation and rate begin at what other collections have and count as if that had been
 * seen a number of times (conjugate priors). The deviation of siblings is that of right pairs,
 * so that the odds between these two grow with the score. Cost: few_em_rounds passes over the
 * candidates.
 */
#include "mine/few_pairs.h"

#include "base/maths.h"
#include "mine/mine_params.h"
#include "mine/unit.h"

#include <math.h>

typedef struct mixture {
    double rate;            /* of unrelated ones */
    double mean, deviation; /* of right ones */
    double share[3];        /* of right ones, siblings and unrelated ones above the floor */
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
           DPL__P(mine, few_aligned) * dpl__log(DPL__P(mine, aligned_offset) - a->aligned) -
           DPL__P(mine, few_missing) *
               dpl__log(DPL__P(mine, missing_offset) + a->words.missing) -
           DPL__P(mine, few_length) * dpl__log(DPL__P(mine, length_share) + a->length);
}

static double normal(double x, double mean, double deviation)
{
    double z = (x - mean) / deviation, root = 2.5066282746310002; /* of 2 pi */
    return dpl__exp(-z * z / 2) / (deviation * root);
}

/* Probabilities that a score above the floor is that of a right pair, and of siblings. */
static void weigh(double p[2], const mixture *m, double score)
{
    double right = m->share[0] * normal(score, m->mean, m->deviation);
    double sibling =
        m->share[1] * normal(score, m->mean - DPL__P(mine, few_sibling_below), m->deviation);
    double other =
        m->share[2] * m->rate * dpl__exp(-m->rate * (score - DPL__P(mine, few_floor)));
    double all = right + sibling + other;
    p[0] = all > 0 ? right / all : 1;
    p[1] = all > 0 ? sibling / all : 0;
}

static void improve(mixture *m, const double *scores, size_t n)
{
    double floor = DPL__P(mine, few_floor), all = 0, right = 0, siblings = 0, sum = 0,
           above = 0, squares = 0;
    double mean_seen = DPL__P(mine, few_mean_seen), seen = DPL__P(mine, few_deviation_seen),
           rate_seen = DPL__P(mine, few_rate_seen), deviation = DPL__P(mine, few_deviation),
           siblings_seen = DPL__P(mine, few_siblings_seen);
    for (size_t i = 0; i < n; i++) {
        double p[2];
        if (scores[i] <= floor)
            continue;
        weigh(p, m, scores[i]);
        all++;
        right += p[0];
        siblings += p[1];
        sum += p[0] * scores[i];
        above += (1 - p[0] - p[1]) * (scores[i] - floor);
        squares += p[0] * (scores[i] - m->mean) * (scores[i] - m->mean);
    }
    double others = all - right - siblings, total = all + 2 + siblings_seen;
    m->share[0] = (right + 1) / total;
    m->share[1] = (siblings + siblings_seen) / total;
    m->share[2] = (others + 1) / total;
    m->rate = (others + rate_seen) / (above + rate_seen / DPL__P(mine, few_rate));
    m->mean = (sum + mean_seen * DPL__P(mine, few_mean)) / (right + mean_seen);
    m->deviation = sqrt((squares + seen * deviation * deviation) / (right + seen));
}

/* A normal density falls faster than an exponential one: beyond this score it would be the
 * unrelated ones again. */
static double best_score(const mixture *m)
{
    return m->mean + m->rate * m->deviation * m->deviation;
}

double dpl__few_pairs_fit(double *p, const double *scores, size_t n)
{
    mixture m = {.rate = DPL__P(mine, few_rate),
                 .mean = DPL__P(mine, few_mean),
                 .deviation = DPL__P(mine, few_deviation),
                 .share = {0.3, 0.1, 0.6}};
    double expected = 0;
    for (int round = 0; round < (int)DPL__P(mine, few_em_rounds); round++)
        improve(&m, scores, n);
    for (size_t i = 0; i < n; i++) {
        double of[2] = {0, 0};
        if (scores[i] > DPL__P(mine, few_floor))
            weigh(of, &m, fmin(scores[i], best_score(&m)));
        p[i] = of[0];
        expected += of[0];
    }
    return expected;
}
