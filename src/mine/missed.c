/*
 * missed.c - leads of the pairs that were found; the curve that fits them; its tail.
 *
 * The leads of right pairs fall off about exponentially towards low ones and faster towards
 * high ones, so a logistic distribution is fitted to all but the highest, by maximum likelihood
 * on a grid. Of talks 196 right pairs had a lead below missed_lead or were not found, and the
 * fit says 186; of captions 1,308, and it says 1,622. A normal distribution says 106 and 1,014.
 * Weighting each pair by the share of competitors below its score was tried, too: a few pairs
 * with low scores decide then. Counts are whole numbers, so that the order of
 * pairs does not matter. Cost: a histogram of the pairs, and the grid.
 */
#include "mine/missed.h"

#include "base/ctx.h"
#include "base/maths.h"
#include "mine/mine_params.h"

#include <math.h>

enum {
    BINS = 64, /* of the lead, one unit each; the last one has all above */
};

#define UNIT 1048576.0 /* of a confidence, as a whole number */

/* Sums of confidences in each bin. */
typedef struct leads {
    double count[BINS];
    double below; /* of leads that are lower than the first bin that counts */
    int first, end;
} leads;

static void count_leads(leads *out, const dpl__doc_candidates *found)
{
    uint64_t sums[BINS] = {0}, below = 0, all = 0, sum = 0;
    int first = (int)DPL__P(mine, missed_lead);
    for (size_t i = 0; i < found->pairs.n; i++) {
        const dpl__doc_candidate *m = &found->pairs.data[i];
        double least = fmin((double)m->match.lead[0], (double)m->match.lead[1]),
               lead = DPL__P(mine, score_scale) * dpl__log(least);
        uint64_t counts = (uint64_t)(m->confidence * UNIT);
        int bin = lead < first ? -1 : lead < BINS - 1 ? (int)lead : BINS - 1;
        if (bin < 0)
            below += counts;
        else
            sums[bin] += counts;
        all += bin < 0 ? 0 : counts;
    }
    *out = (leads){.below = (double)below / UNIT, .first = first, .end = first};
    for (int bin = first; bin < BINS; bin++) {
        out->count[bin] = (double)sums[bin] / UNIT;
        out->end += (double)sum < DPL__P(mine, missed_share) * (double)all;
        sum += sums[bin];
    }
}

static double logistic(double x, double middle, double scale)
{
    return 1 / (1 + dpl__exp((middle - x) / scale));
}

/* Logarithm of the likelihood of the bins, given that leads are there. */
static double fit_of(const leads *l, double middle, double scale)
{
    double sum = 0, before = logistic(l->first, middle, scale),
           all = logistic(l->end, middle, scale) - before;
    for (int bin = l->first; bin < l->end; bin++) {
        double to = logistic(bin + 1, middle, scale);
        sum += l->count[bin] * dpl__log(fmax((to - before) / all, 1e-12));
        before = to;
    }
    return sum;
}

double dpl__missed_estimate(const dpl__doc_candidates *found)
{
    leads l;
    double n = 0, best = -INFINITY, share = 0;
    count_leads(&l, found);
    for (int bin = l.first; bin < l.end; bin++)
        n += l.count[bin];
    if (n < DPL__P(mine, missed_pairs) || l.end - l.first < 3)
        return 0;
    for (double middle = l.first; middle <= l.end + (l.end - l.first); middle += 0.5)
        for (double scale = 1; scale <= BINS / 4; scale *= 1.05) {
            double fit = fit_of(&l, middle, scale), low = logistic(l.first, middle, scale);
            if (fit > best) {
                best = fit;
                share = low / (logistic(l.end, middle, scale) - low);
            }
        }
    return fmax(n * share - l.below, 0);
}
