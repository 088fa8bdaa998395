/*
 * bead_rating.c - a logistic model of beads, with weights from collections with known lines.
 *
 * In: the evidence of the beads of a document pair. Out: their probabilities. The weights
 * (params.h) were fitted on five collections whose lines correspond, with lines joined,
 * removed, inserted and cut, and with wrong document pairs among right ones;
 * docs/measurements/calibration.md shows how well the probabilities hold for five others. They
 * have no language in them: every feature is a share, or relative to what the run's own
 * documents gave. Cost: a logarithm for each document pair, an exponential for each bead.
 */
#include "sentences/bead_rating.h"

#include "base/maths.h"
#include "sentences/sentences_params.h"
#include "sentences/sigmoid.h"

static double least(double a, double b)
{
    return a < b ? a : b;
}

void dpl__bead_rating_init(dpl__bead_rating *r, const dpl__bead_priors *priors)
{
    *r = (dpl__bead_rating){
        .all = P(rate_bias), .one_one = P(prior_1_1), .is_unordered = !priors};
    double alone = 2 * P(prior_1_0), one_one = dpl__log(P(prior_1_1));
    if (priors) {
        one_one = priors->log_p[1][1];
        r->one_one = dpl__exp(one_one);
        alone = dpl__exp(priors->log_p[1][0]) + dpl__exp(priors->log_p[0][1]);
        for (unsigned k = 1; k <= DPL__MAX_SIDE; k++)
            for (unsigned l = 1; l <= DPL__MAX_SIDE; l++)
                r->type[k][l] = P(rate_type) * (priors->log_p[k][l] - one_one);
    }
    r->all += P(rate_alone) * dpl__log(alone) + P(rate_one_one) * one_one;
}

/* Mutual information of the aligned words as a share of the expected one. */
static double information_share(const dpl__bead_score *e)
{
    double expected = e->expected < P(least_expected) ? P(least_expected) : e->expected;
    return least(e->information / expected, P(rate_most_information));
}

static double least_coverage(const dpl__bead_score *e)
{
    return least(e->coverage[0], e->coverage[1]);
}

static bool has_both(const dpl_bead *b)
{
    return b->n_left && b->n_right;
}

/* Log-odds that come from the document pair: how many of its beads have common words, and how
 * much is usually covered, which depends on the lexicon. */
static double rate_docs(const dpl__bead_rating *r, const dpl_bead *beads,
                        const dpl__bead_score *scores, size_t n)
{
    double n_good = 0, n_both = 0, coverage = 0;
    for (size_t i = 0; i < n; i++) {
        if (!has_both(&beads[i]))
            continue;
        const dpl__bead_score *e = &scores[i];
        n_good += e->expected < P(least_expected) ||
                  e->information >= P(min_information) * e->expected;
        n_both++;
        coverage += least_coverage(e);
    }
    double share =
        (n_good + P(rate_docs_beads) * r->one_one) / ((double)n + P(rate_docs_beads));
    if (r->is_unordered) /* most sentences have no counterpart */
        share = r->one_one;
    return P(rate_docs) * dpl__log(share) +
           P(rate_docs_coverage) * (coverage + 0.5) / (n_both + 1);
}

static double rate_bead(const dpl__bead_rating *r, const dpl_bead *b, const dpl__bead_score *e)
{
    double off = least(e->off, P(rate_flat));
    return r->type[b->n_left][b->n_right] + P(rate_information) * information_share(e) +
           P(rate_coverage) * least_coverage(e) +
           P(rate_length) * off / (1 + off / P(rate_flat));
}

void dpl__bead_rating_apply(const dpl__bead_rating *r, dpl_bead *beads,
                            const dpl__bead_score *scores, size_t n)
{
    double docs = r->all + rate_docs(r, beads, scores, n);
    for (size_t i = 0; i < n; i++)
        beads[i].score = has_both(&beads[i])
                             ? (float)dpl__sigmoid(docs + rate_bead(r, &beads[i], &scores[i]))
                             : 0;
}
