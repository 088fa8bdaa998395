/*
 * priors.c - moments of lengths, counts of beads, both held back by what is usual.
 */
#include "sentences/priors.h"

#include "base/maths.h"

#define HOLD 30.0       /* beads of the usual shape that are added to those found ... */
#define HOLD_SHARE 0.03 /* ... and this part of them */
#define HOLD_BIN 10.0   /* beads of the spread before that are added to each bin */
#define HOLD_CHARS 1000 /* characters of equal length */

/* How often a bead of k-l sentences is met with. */
static double usual(unsigned k, unsigned l)
{
    static const double p[5][5] = {{0, 0.024, 0, 0, 0},
                                   {0.024, 0.85, 0.04, 0.006, 0.002},
                                   {0, 0.04, 0.002, 0.0005, 0.0001},
                                   {0, 0.006, 0.0005, 0.0001, 0.00005},
                                   {0, 0.002, 0.0001, 0.00005, 0.00003}};
    return k < 5 && l < 5 ? p[k][l] : k == 1 || l == 1 ? 0.0001 : 0.00003;
}

void dpl__bead_priors_init(dpl__bead_priors *s)
{
    *s = (dpl__bead_priors){.log_ratio = 0, .variance = 7, .floor = 0.02};
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
        if (off * off > 9 * (priors->variance / length + priors->floor))
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
 * over all bins. Long sentences are few and scatter much, so that they count less. */
static void learn_spread(dpl__bead_priors *priors, const dpl__prior_counts *s, double mean_off)
{
    double n = 0, x = 0, xx = 0, y = 0, xy = 0;
    for (unsigned i = 0; i < DPL__PRIOR_BINS; i++) {
        if (!(s->n[i] > 0))
            continue;
        double length = s->lengths[i] / s->n[i];
        double off = s->squares[i] - s->n[i] * mean_off * mean_off;
        double before = priors->variance / length + priors->floor;
        double square = (off + HOLD_BIN * before) / (s->n[i] + HOLD_BIN);
        double weight = s->n[i] / (1 + length * length / 10000);
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
    double ratio = s->chars > 0 ? s->logs / (s->chars + HOLD_CHARS) : 0;
    learn_spread(priors, s, ratio - priors->log_ratio);
    priors->log_ratio = ratio;
    double hold = HOLD + HOLD_SHARE * n;
    for (unsigned k = 0; k <= DPL__MAX_SIDE; k++)
        for (unsigned l = 0; l <= DPL__MAX_SIDE; l++) {
            /* Both directions alike: what is split here is split there, in another text. */
            double found = (s->beads[k][l] + s->beads[l][k]) / 2;
            /* Several against several can hide anything: no more of them than usual. */
            if (k > 1 && l > 1 && found > n * usual(k, l))
                found = n * usual(k, l);
            priors->log_p[k][l] = dpl__log((found + hold * usual(k, l)) / (n + hold) + 1e-9);
        }
}
