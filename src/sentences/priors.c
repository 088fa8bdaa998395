/*
 * priors.c - moments of lengths and counts of bead types, smoothed with usual values.
 */
#include "sentences/priors.h"

#include "base/maths.h"
#include "sentences/sentences_params.h"

/* The usual share of beads of k-l sentences. Larger beads than those with a parameter of their
 * own are rarer by a half and by three tenths of the last ones. */
static double usual(unsigned k, unsigned l)
{
    const double p[5][5] = {
        {0, P(prior_1_0), 0, 0, 0},
        {P(prior_1_0), P(prior_1_1), P(prior_1_2), P(prior_1_3), P(prior_1_4)},
        {0, P(prior_1_2), P(prior_2_2), P(prior_2_3), P(prior_many)},
        {0, P(prior_1_3), P(prior_2_3), P(prior_many), P(prior_many) * 0.5},
        {0, P(prior_1_4), P(prior_many), P(prior_many) * 0.5, P(prior_many) * 0.3}};
    if (k < 5 && l < 5)
        return p[k][l];
    return k == 1 || l == 1 ? P(prior_many) : P(prior_many) * 0.3;
}

void dpl__bead_priors_init(dpl__bead_priors *s)
{
    *s = (dpl__bead_priors){
        .log_ratio = 0, .variance = P(length_variance), .floor = P(length_floor)};
    for (unsigned k = 0; k <= DPL__MAX_SIDE; k++)
        for (unsigned l = 0; l <= DPL__MAX_SIDE; l++)
            s->log_p[k][l] = dpl__log(usual(k, l) + 1e-9);
}

static double chars_of(const dpl__bead_doc *doc, uint32_t first, uint32_t n)
{
    double sum = 0;
    for (uint32_t i = first; i < first + n; i++)
        sum += doc->chars[i] ? doc->chars[i] : 1;
    return sum;
}

void dpl__prior_counts_add(dpl__prior_counts *s, const dpl__bead_priors *priors,
                           const dpl__bead_doc docs[2], const dpl_bead *beads, size_t n)
{
    for (size_t i = 0; i < n; i++) {
        const dpl_bead *b = &beads[i];
        s->beads[b->n_left][b->n_right]++;
        if (!b->n_left || !b->n_right)
            continue;
        double left = chars_of(&docs[DPL__LEFT], b->left, b->n_left);
        double right = chars_of(&docs[DPL__RIGHT], b->right, b->n_right);
        double x = dpl__log(right / left), length = (left + right) / 2;
        unsigned bin = (unsigned)dpl__log(length);
        double off = x - priors->log_ratio;
        if (off * off >
            P(length_outlier) * P(length_outlier) * (priors->variance / length + priors->floor))
            continue;
        s->logs += x * length;
        s->chars += length;
        bin = bin < DPL__PRIOR_BINS ? bin : DPL__PRIOR_BINS - 1;
        s->n[bin]++;
        s->squares[bin] += off * off;
        s->lengths[bin] += length;
    }
}

void dpl__prior_counts_merge(dpl__prior_counts *s, const dpl__prior_counts *more)
{
    for (unsigned k = 0; k <= DPL__MAX_SIDE; k++)
        for (unsigned l = 0; l <= DPL__MAX_SIDE; l++)
            s->beads[k][l] += more->beads[k][l];
    s->logs += more->logs;
    s->chars += more->chars;
    for (unsigned i = 0; i < DPL__PRIOR_BINS; i++) {
        s->n[i] += more->n[i];
        s->squares[i] += more->squares[i];
        s->lengths[i] += more->lengths[i];
    }
}

/* Squares times length lie on a line, variance + floor * length: the one with the least squares
 * over all bins. Long sentences are few and vary much, so they count less. */
static void estimate_variance(dpl__bead_priors *priors, const dpl__prior_counts *s,
                              double mean_off)
{
    double n = 0, x = 0, xx = 0, y = 0, xy = 0;
    for (unsigned i = 0; i < DPL__PRIOR_BINS; i++) {
        if (!(s->n[i] > 0))
            continue;
        double length = s->lengths[i] / s->n[i];
        double off = s->squares[i] - s->n[i] * mean_off * mean_off;
        double before = priors->variance / length + priors->floor;
        double square = (off + P(prior_bin) * before) / (s->n[i] + P(prior_bin));
        double weight = s->n[i] / (1 + length * length / (P(length_scale) * P(length_scale)));
        n += weight;
        x += weight * length;
        xx += weight * length * length;
        y += weight * square * length;
        xy += weight * square * length * length;
    }
    double det = n * xx - x * x;
    if (!(n > 0) || !(det > 1e-9 * n * xx))
        return;
    double floor = (n * xy - x * y) / det;
    floor = floor < 0.003 ? 0.003 : floor > 0.1 ? 0.1 : floor;
    double variance = (y - floor * x) / n;
    priors->floor = floor;
    priors->variance = variance < 0.5 ? 0.5 : variance > 15 ? 15 : variance;
}

void dpl__bead_priors_estimate(dpl__bead_priors *priors, const dpl__prior_counts *s)
{
    double n = 0;
    for (unsigned k = 0; k <= DPL__MAX_SIDE; k++)
        for (unsigned l = 0; l <= DPL__MAX_SIDE; l++)
            n += s->beads[k][l];
    double ratio = s->chars > 0 ? s->logs / (s->chars + P(prior_chars)) : 0;
    estimate_variance(priors, s, ratio - priors->log_ratio);
    priors->log_ratio = ratio;
    double n_prior = P(prior_beads) + P(prior_share) * n;
    for (unsigned k = 0; k <= DPL__MAX_SIDE; k++)
        for (unsigned l = 0; l <= DPL__MAX_SIDE; l++) {
            /* Symmetric: what is split on one side here is split on the other elsewhere. */
            double found = (s->beads[k][l] + s->beads[l][k]) / 2;
            /* Beads of several on both sides fit anything: at most their usual share. */
            if (k > 1 && l > 1 && found > n * usual(k, l))
                found = n * usual(k, l);
            priors->log_p[k][l] =
                dpl__log((found + n_prior * usual(k, l)) / (n + n_prior) + 1e-9);
        }
}
