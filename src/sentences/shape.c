/*
 * shape.c - moments of lengths, counts of beads, both held back by what is usual.
 */
#include "sentences/shape.h"

#include "sentences/logarithm.h"

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

void dpl__bead_shape_init(dpl__bead_shape *s)
{
    *s = (dpl__bead_shape){.log_ratio = 0, .variance = 7, .floor = 0.02};
    for (unsigned k = 0; k <= DPL__MAX_SIDE; k++)
        for (unsigned l = 0; l <= DPL__MAX_SIDE; l++)
            s->prior[k][l] = dpl__log(usual(k, l) + 1e-9);
}

static double chars_of(const dpl__bead_doc *doc, uint32_t first, uint32_t n)
{
    double sum = 0;
    for (uint32_t i = first; i < first + n; i++)
        sum += doc->chars[i] ? doc->chars[i] : 1;
    return sum;
}

void dpl__shape_add(dpl__shape_sums *s, const dpl__bead_shape *shape,
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
        double off = x - shape->log_ratio;
        if (off * off > 9 * (shape->variance / length + shape->floor))
            continue;
        s->logs += x * length;
        s->chars += length;
        bin = bin < DPL__SHAPE_BINS ? bin : DPL__SHAPE_BINS - 1;
        s->n[bin]++;
        s->squares[bin] += off * off;
        s->lengths[bin] += length;
    }
}

void dpl__shape_merge(dpl__shape_sums *s, const dpl__shape_sums *more)
{
    for (unsigned k = 0; k <= DPL__MAX_SIDE; k++)
        for (unsigned l = 0; l <= DPL__MAX_SIDE; l++)
            s->beads[k][l] += more->beads[k][l];
    s->logs += more->logs;
    s->chars += more->chars;
    for (unsigned i = 0; i < DPL__SHAPE_BINS; i++) {
        s->n[i] += more->n[i];
        s->squares[i] += more->squares[i];
        s->lengths[i] += more->lengths[i];
    }
}

/* Squares times length lie on a line, variance + floor * length: the one with the least squares
 * over all bins. Long sentences are few and scatter much, so that they count less. */
static void learn_spread(dpl__bead_shape *shape, const dpl__shape_sums *s, double mean_off)
{
    double n = 0, x = 0, xx = 0, y = 0, xy = 0;
    for (unsigned i = 0; i < DPL__SHAPE_BINS; i++) {
        if (!(s->n[i] > 0))
            continue;
        double length = s->lengths[i] / s->n[i];
        double off = s->squares[i] - s->n[i] * mean_off * mean_off;
        double before = shape->variance / length + shape->floor;
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
    shape->floor = floor;
    shape->variance = variance < 0.5 ? 0.5 : variance > 15 ? 15 : variance;
}

void dpl__shape_learn(dpl__bead_shape *shape, const dpl__shape_sums *s)
{
    double n = 0;
    for (unsigned k = 0; k <= DPL__MAX_SIDE; k++)
        for (unsigned l = 0; l <= DPL__MAX_SIDE; l++)
            n += s->beads[k][l];
    double ratio = s->chars > 0 ? s->logs / (s->chars + HOLD_CHARS) : 0;
    learn_spread(shape, s, ratio - shape->log_ratio);
    shape->log_ratio = ratio;
    double hold = HOLD + HOLD_SHARE * n;
    for (unsigned k = 0; k <= DPL__MAX_SIDE; k++)
        for (unsigned l = 0; l <= DPL__MAX_SIDE; l++) {
            /* Both directions alike: what is split here is split there, in another text. */
            double found = (s->beads[k][l] + s->beads[l][k]) / 2;
            /* Several against several can hide anything: no more of them than usual. */
            if (k > 1 && l > 1 && found > n * usual(k, l))
                found = n * usual(k, l);
            shape->prior[k][l] = dpl__log((found + hold * usual(k, l)) / (n + hold) + 1e-9);
        }
}
