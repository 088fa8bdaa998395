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

/* Usual values: sentences of about 100 characters. */
static void init_runs(dpl__bead_priors *s)
{
    for (int side = 0; side < 2; side++)
        for (unsigned k = 1; k <= DPL__MAX_SIDE; k++)
            s->runs[side][k] = (dpl__run_prior){.mean = dpl__log(P(length_scale) * k),
                                                .variance = P(run_variance) / k};
}

void dpl__bead_priors_init(dpl__bead_priors *s)
{
    *s = (dpl__bead_priors){
        .log_ratio = 0, .variance = P(length_variance), .floor = P(length_floor)};
    for (unsigned k = 0; k <= DPL__MAX_SIDE; k++)
        for (unsigned l = 0; l <= DPL__MAX_SIDE; l++)
            s->log_p[k][l] = dpl__log(usual(k, l) + 1e-9);
    init_runs(s);
}

/* ---- by chance ---------------------------------------------------------------------- */

static void count_run(dpl__run_counts *s, int side, unsigned n, double log,
                      const dpl__signs *signs)
{
    s->n[side][n]++;
    s->logs[side][n] += log;
    s->squares[side][n] += log * log;
    for (unsigned i = 0; i < DPL__SIGNS && signs; i++)
        s->signs[side][n][i][signs->at[i]]++;
}

void dpl__run_counts_add(dpl__run_counts *s, const dpl__bead_doc docs[2])
{
    s->has_signs = docs[0].signs && docs[1].signs;
    for (int side = 0; side < 2; side++)
        for (uint32_t i = 0; i < docs[side].n; i++) {
            const dpl__bead_doc *d = &docs[side];
            dpl__signs signs = {0};
            double sum = 0;
            for (uint32_t k = 0; k < DPL__MAX_SIDE && k <= i; k++) {
                sum += d->chars[i - k] ? d->chars[i - k] : 1;
                if (s->has_signs)
                    signs = k ? dpl__signs_join(d->signs[i - k], signs) : d->signs[i];
                count_run(s, side, k + 1, dpl__log(sum), s->has_signs ? &signs : NULL);
            }
            s->chars[side] += d->chars[i];
        }
}

bool dpl__run_counts_are_lopsided(const dpl__run_counts *s)
{
    const double left = s->chars[DPL__LEFT], right = s->chars[DPL__RIGHT];
    return left > P(lopsided) * right || right > P(lopsided) * left;
}

void dpl__run_counts_merge(dpl__run_counts *s, const dpl__run_counts *more)
{
    s->has_signs = more->has_signs && (s->has_signs || !(s->chars[0] + s->chars[1] > 0));
    for (int side = 0; side < 2; side++) {
        s->chars[side] += more->chars[side];
        for (unsigned k = 1; k <= DPL__MAX_SIDE; k++) {
            s->n[side][k] += more->n[side][k];
            s->logs[side][k] += more->logs[side][k];
            s->squares[side][k] += more->squares[side][k];
            for (unsigned i = 0; i < DPL__SIGNS; i++)
                for (unsigned v = 0; v < DPL__SIGN_VALUES; v++)
                    s->signs[side][k][i][v] += more->signs[side][k][i][v];
        }
    }
}

/* Smoothed shares of the values of a sign. */
static void shares_of(double out[DPL__SIGN_VALUES], const double counts[DPL__SIGN_VALUES])
{
    double n = 0;
    for (unsigned v = 0; v < DPL__SIGN_VALUES; v++)
        n += counts[v];
    for (unsigned v = 0; v < DPL__SIGN_VALUES; v++)
        out[v] = (counts[v] + 0.5) / (n + 0.5 * DPL__SIGN_VALUES);
}

void dpl__bead_priors_start_signs(dpl__bead_priors *p, const dpl__run_counts *s, double weight)
{
    for (unsigned i = 0; i < DPL__SIGNS; i++) {
        double left[DPL__SIGN_VALUES], right[DPL__SIGN_VALUES];
        shares_of(left, s->signs[DPL__LEFT][1][i]);
        shares_of(right, s->signs[DPL__RIGHT][1][i]);
        for (unsigned a = 0; a < DPL__SIGN_VALUES; a++)
            for (unsigned b = 0; b < DPL__SIGN_VALUES; b++) {
                double same = a == b ? 1 / dpl__pow(left[a] * right[b], 0.5) : 0;
                double lift = 1 - P(sign_same) + P(sign_same) * same;
                p->signs[i][a][b] =
                    weight * dpl__log(lift) + 0.5 * (dpl__log(left[a]) + dpl__log(right[b]));
            }
    }
}

void dpl__bead_priors_start(dpl__bead_priors *p, const dpl__run_counts *s)
{
    p->log_ratio = dpl__log((s->chars[DPL__RIGHT] + P(prior_chars)) /
                            (s->chars[DPL__LEFT] + P(prior_chars)));
    for (int side = 0; side < 2; side++)
        for (unsigned k = 1; k <= DPL__MAX_SIDE; k++) {
            dpl__run_prior *r = &p->runs[side][k];
            double n = s->n[side][k], mean = r->mean, usual_n = P(prior_bin);
            r->mean = (s->logs[side][k] + usual_n * (mean)) / (n + usual_n);
            double squares =
                s->squares[side][k] - 2 * r->mean * s->logs[side][k] + n * r->mean * r->mean;
            r->variance = (squares + usual_n * r->variance) / (n + usual_n);
            r->variance = r->variance < 0.05 ? 0.05 : r->variance;
            for (unsigned i = 0; i < DPL__SIGNS; i++) {
                shares_of(r->signs[i], s->signs[side][k][i]);
                for (unsigned v = 0; v < DPL__SIGN_VALUES; v++)
                    r->signs[i][v] = dpl__log(r->signs[i][v]);
            }
        }
    p->has_signs = s->has_signs;
    if (p->has_signs)
        dpl__bead_priors_start_signs(p, s, 1);
}

/* ---- in beads ----------------------------------------------------------------------- */

void dpl__prior_counts_bead(dpl__prior_counts *s, const dpl__bead_priors *priors,
                            const unsigned n[2], const double logs[2],
                            const dpl__signs *const signs[2], double weight)
{
    s->beads[n[0]][n[1]] += weight;
    if (!n[0] || !n[1])
        return;
    double x = logs[1] - logs[0], log = (logs[0] + logs[1]) / 2, length = dpl__exp(log);
    double off = x - priors->log_ratio;
    if (signs)
        for (unsigned i = 0; i < DPL__SIGNS; i++)
            s->signs[i][signs[0]->at[i]][signs[1]->at[i]] += weight;
    if (off * off >
        P(length_outlier) * P(length_outlier) * (priors->variance / length + priors->floor))
        return;
    unsigned bin = (unsigned)log;
    bin = bin < DPL__PRIOR_BINS ? bin : DPL__PRIOR_BINS - 1;
    s->logs += x * length * weight;
    s->chars += length * weight;
    s->n[bin] += weight;
    s->squares[bin] += off * off * weight;
    s->lengths[bin] += length * weight;
}

/* The logarithm of the length of a run, and its signs. */
static double run_of(const dpl__bead_doc *doc, uint32_t first, uint32_t n, dpl__signs *signs)
{
    double sum = 0;
    for (uint32_t i = first; i < first + n; i++) {
        sum += doc->chars[i] ? doc->chars[i] : 1;
        if (doc->signs)
            *signs = i == first ? doc->signs[i] : dpl__signs_join(*signs, doc->signs[i]);
    }
    return n ? dpl__log(sum) : 0;
}

void dpl__prior_counts_add(dpl__prior_counts *s, const dpl__bead_priors *priors,
                           const dpl__bead_doc docs[2], const dpl_bead *beads, size_t n)
{
    for (size_t i = 0; i < n; i++) {
        const dpl_bead *b = &beads[i];
        dpl__signs signs[2] = {{{0}}, {{0}}};
        const dpl__signs *const both[2] = {&signs[0], &signs[1]};
        double logs[2] = {run_of(&docs[0], b->left, b->n_left, &signs[0]),
                          run_of(&docs[1], b->right, b->n_right, &signs[1])};
        dpl__prior_counts_bead(s, priors, (unsigned[2]){b->n_left, b->n_right}, logs,
                               docs[0].signs && docs[1].signs ? both : NULL, 1);
    }
}

void dpl__prior_counts_merge(dpl__prior_counts *s, const dpl__prior_counts *more)
{
    for (unsigned k = 0; k <= DPL__MAX_SIDE; k++)
        for (unsigned l = 0; l <= DPL__MAX_SIDE; l++)
            s->beads[k][l] += more->beads[k][l];
    s->logs += more->logs;
    s->chars += more->chars;
    s->total += more->total;
    for (unsigned i = 0; i < DPL__PRIOR_BINS; i++) {
        s->n[i] += more->n[i];
        s->squares[i] += more->squares[i];
        s->lengths[i] += more->lengths[i];
    }
    for (unsigned i = 0; i < DPL__SIGNS; i++)
        for (unsigned a = 0; a < DPL__SIGN_VALUES; a++)
            for (unsigned b = 0; b < DPL__SIGN_VALUES; b++)
                s->signs[i][a][b] += more->signs[i][a][b];
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

/* The lift of every two values of a sign in the beads, over independence; the fewer beads, the
 * closer to none. */
static void estimate_sign(double out[DPL__SIGN_VALUES][DPL__SIGN_VALUES],
                          double counts[DPL__SIGN_VALUES][DPL__SIGN_VALUES])
{
    double left[DPL__SIGN_VALUES] = {0}, right[DPL__SIGN_VALUES] = {0}, n = 0;
    for (unsigned a = 0; a < DPL__SIGN_VALUES; a++)
        for (unsigned b = 0; b < DPL__SIGN_VALUES; b++) {
            left[a] += counts[a][b];
            right[b] += counts[a][b];
            n += counts[a][b];
        }
    shares_of(left, left);
    shares_of(right, right);
    for (unsigned a = 0; a < DPL__SIGN_VALUES; a++)
        for (unsigned b = 0; b < DPL__SIGN_VALUES; b++) {
            double alone = left[a] * right[b];
            double both = (counts[a][b] + P(sign_beads) * alone) / (n + P(sign_beads));
            out[a][b] = dpl__log(both) - 0.5 * (dpl__log(left[a]) + dpl__log(right[b]));
        }
}

void dpl__bead_priors_estimate(dpl__bead_priors *priors, const dpl__prior_counts *s)
{
    double n = 0;
    for (unsigned k = 0; k <= DPL__MAX_SIDE; k++)
        for (unsigned l = 0; l <= DPL__MAX_SIDE; l++)
            n += s->beads[k][l];
    double ratio = (s->logs + P(prior_chars) * priors->log_ratio) / (s->chars + P(prior_chars));
    estimate_variance(priors, s, ratio - priors->log_ratio);
    priors->log_ratio = ratio;
    double n_prior = P(prior_beads) + P(prior_share) * n;
    for (unsigned k = 0; k <= DPL__MAX_SIDE; k++)
        for (unsigned l = 0; l <= DPL__MAX_SIDE; l++) {
            double found = s->beads[k][l];
            /* Beads of several on both sides fit anything: at most their usual share. */
            if (k > 1 && l > 1 && found > n * usual(k, l) * P(prior_most))
                found = n * usual(k, l) * P(prior_most);
            /* Beads that cannot be found must not make all others unlikely. */
            if ((!k || !l) && found > n * P(prior_alone))
                found = n * P(prior_alone);
            priors->log_p[k][l] =
                dpl__log((found + n_prior * usual(k, l)) / (n + n_prior) + 1e-9);
        }
    for (unsigned i = 0; i < DPL__SIGNS && priors->has_signs; i++) {
        double counts[DPL__SIGN_VALUES][DPL__SIGN_VALUES];
        memcpy(counts, s->signs[i], sizeof counts);
        estimate_sign(priors->signs[i], counts);
    }
}
