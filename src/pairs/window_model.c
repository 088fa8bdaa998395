/*
 * window_model.c - from Hamming distance, rows, window and tables to the probability of being
 * found.
 *
 * The paper says that a window of B covers the rows that share n = log2(C/B) bits, and that a
 * pair is found when its first n bits are equal. Ours looks at where the two rows stand. A
 * permutation makes h of D bits differ at random places; the first n are equal with the
 * hypergeometric probability, bit n + 1 differs. Let M be the rows with that prefix. Then
 *
 *     rows between the two = M/2 (1 + Y - X),
 *
 * X and Y being the binary fractions of the bits that follow in the lower and in the upper row.
 * Their digits differ with probability rho = h/D and one way is as likely as the other, so the
 * distribution function G of Y - X repeats itself:
 *
 *     G(s) = (1-rho) G(2s) + rho/2 G(2s-1) + rho/2 G(2s+1),    G(-1) = 0, G(1) = 1.
 *
 * It is found by iteration, each step of which brings one more bit. The sum over n of P(n)
 * G(2B/M - 1) is the probability for one table; M itself scatters like a Poisson count, for
 * which five quantiles of a gamma distribution stand. All tables see the same h, so the power
 * of Q is taken before averaging over h.
 *
 * Cost: a millisecond for the model, some thousand operations for a curve.
 */
#include "pairs/window_model.h"

#include "base/maths.h"

#include <math.h>

static const double pi = 3.14159265358979323846;

double dpl__differ(double cosine)
{
    return dpl__acos(cosine < -1 ? -1 : cosine > 1 ? 1 : cosine) / pi;
}

double dpl__any_table(double p, double n_tables)
{
    return p >= 1 ? 1 : -dpl__expm1(n_tables * dpl__log1p(-p));
}

unsigned dpl__bits_like(unsigned dims)
{
    const double ratio = 2.4674; /* (pi / 2)^2 */
    const double bits = floor(ratio * dims / 64 + 0.5) * 64;
    return bits < 64 ? 64 : bits > 65536 ? 65536 : (unsigned)bits;
}

/* ---- the paper ---------------------------------------------------------------------- */

void dpl__paper_prefix(unsigned *low, unsigned *high, double rows, double window)
{
    double n = rows > window ? dpl__log2(rows / window) : 0;
    *low = (unsigned)floor(n);
    *high = (unsigned)ceil(n);
}

double dpl__paper_tables(double cosine, unsigned prefix, double n_tables)
{
    return dpl__any_table(dpl__pow(1 - dpl__differ(cosine), prefix), n_tables);
}

double dpl__paper_within(double cosine, unsigned bits, unsigned prefix, unsigned cut)
{
    dpl__spread spread;
    dpl__spread_binomial(&spread, prefix < bits ? bits - prefix : 0, dpl__differ(cosine));
    return dpl__spread_upto(&spread, cut);
}

double dpl__paper_cut(double cosine, unsigned bits, unsigned prefix)
{
    return dpl__paper_within(cosine, bits, prefix, (unsigned)floor(dpl__differ(cosine) * bits));
}

double dpl__window_pairs(double n_left, double n_right, double window)
{
    const double n_rows = n_left + n_right;
    const double n = window * (n_rows - (window + 1) / 2);
    return n_right > 0 ? n * 2 * n_left * n_right / (n_rows * (n_rows - 1)) : n;
}

/* ---- distances ---------------------------------------------------------------------- */

/* From the likeliest number outwards, each from its neighbour, until nothing is left; the sum
 * is 1 in the end. ratio(user, k) is mass[k + 1] / mass[k]. */
static void spread_from(dpl__spread *out, unsigned mode, unsigned most,
                        double (*ratio)(const double *user, unsigned k), const double *user)
{
    enum { HALF = DPL__SPREAD_MOST / 2 };
    const double nothing = 1e-15;
    double down[HALF], sum = 1, mass = 1;
    unsigned n_down = 0, n_up = 0;
    while (n_down < HALF && n_down < mode && (mass /= ratio(user, mode - n_down - 1)) > nothing)
        sum += down[n_down++] = mass;
    out->first = mode - n_down;
    for (unsigned i = 0; i < n_down; i++)
        out->mass[i] = down[n_down - 1 - i];
    out->mass[n_down] = mass = 1;
    while (n_up < HALF - 1 && mode + n_up < most &&
           (mass *= ratio(user, mode + n_up)) > nothing)
        sum += out->mass[n_down + ++n_up] = mass;
    out->n = n_down + 1 + n_up;
    for (unsigned i = 0; i < out->n; i++)
        out->mass[i] /= sum;
}

static double binomial_ratio(const double *user, unsigned k)
{
    return (user[0] - k) / (k + 1) * user[1];
}

void dpl__spread_binomial(dpl__spread *out, unsigned n_bits, double p)
{
    assert(n_bits <= 65536);
    if (p <= 0 || p >= 1) {
        *out = (dpl__spread){.first = p <= 0 ? 0 : n_bits, .n = 1, .mass = {1}};
        return;
    }
    double user[] = {n_bits, p / (1 - p)};
    unsigned mode = (unsigned)((n_bits + 1) * p);
    spread_from(out, mode < n_bits ? mode : n_bits, n_bits, binomial_ratio, user);
}

static double first_ratio(const double *user, unsigned k)
{
    return (user[1] - k) * (user[2] - k) / ((k + 1.0) * (user[0] - user[1] - user[2] + k + 1));
}

void dpl__spread_first(dpl__spread *out, unsigned n_bits, unsigned h, unsigned n_first)
{
    assert(h <= n_bits && n_first <= n_bits);
    double user[] = {n_bits, h, n_first};
    unsigned least = h + n_first > n_bits ? h + n_first - n_bits : 0;
    unsigned most = h < n_first ? h : n_first;
    unsigned mode = (unsigned)((h + 1.0) * (n_first + 1.0) / (n_bits + 2.0));
    mode = mode < least ? least : mode > most ? most : mode;
    /* below the least number the ratio is a division by zero, which ends the walk */
    spread_from(out, mode, most, first_ratio, user);
}

double dpl__spread_upto(const dpl__spread *s, unsigned cut)
{
    double sum = 0;
    for (unsigned i = 0; i < s->n && s->first + i <= cut; i++)
        sum += s->mass[i];
    return sum < 1 ? sum : 1;
}

/* ---- the window --------------------------------------------------------------------- */

/* G on [-1, 1] in steps of 1/256, for each node's share of differing bits. */
enum { STEPS = 256, POINTS = 2 * STEPS + 1, N_BITS_BEHIND = 12 };

struct dpl__model {
    double g[DPL__CURVE_NODES][POINTS];
};

/* G at point i of the grid, any i. */
static double at_point(const double *g, int i)
{
    return i <= 0 ? 0 : i >= POINTS - 1 ? 1 : g[i];
}

static void one_more_bit(double *to, const double *from, double rho)
{
    for (int i = 0; i < POINTS; i++) {
        int twice = 2 * i - STEPS; /* the point of 2s */
        to[i] = (1 - rho) * at_point(from, twice) +
                rho / 2 * (at_point(from, twice - STEPS) + at_point(from, twice + STEPS));
    }
}

dpl_status dpl__model_new(dpl__model **out, dpl_ctx *ctx, dpl_error *err)
{
    dpl__model *model = *out = dpl__alloc(ctx, sizeof *model);
    DPL_TRY(dpl__need(model, err));
    for (int node = 0; node < DPL__CURVE_NODES; node++) {
        double other[POINTS], *g = model->g[node];
        for (int i = 0; i < POINTS; i++)
            g[i] = (double)i / (POINTS - 1);
        for (int i = 0; i < N_BITS_BEHIND; i += 2) {
            one_more_bit(other, g, (double)node / DPL__CURVE_SCALE);
            one_more_bit(g, other, (double)node / DPL__CURVE_SCALE);
        }
    }
    return DPL_OK;
}

void dpl__model_free(dpl__model *model, dpl_ctx *ctx)
{
    if (model)
        dpl__free(ctx, model);
}

/* P(M/2 (1 + Y - X) <= gap) */
static double within(const double *g, double gap, double bucket)
{
    double at = 2 * gap / bucket * STEPS;
    if (at >= POINTS - 1)
        return 1;
    int i = (int)at;
    double low = at_point(g, i);
    return low + (at - i) * (at_point(g, i + 1) - low);
}

enum { QUANTILES = 5 };

/* The rows that a window of B covers when C of them are strewn: five points of the gamma
 * distribution (Wilson and Hilferty), narrower when the window takes much of the table. */
static void strew(double out[QUANTILES], double rows, double window)
{
    static const double z[QUANTILES] = {-2.8569700138728, -1.3556261799742, 0, 1.3556261799742,
                                        2.8569700138728};
    double sd = sqrt((1 - window / rows) / window) / 3;
    for (int i = 0; i < QUANTILES; i++) {
        double root = 1 - sd * sd + z[i] * sd;
        out[i] = root > 0 ? window * root * root * root : 0;
    }
}

/* sizes do not grow with n. */
static double in_buckets(const double *g, unsigned bits, double h, const double *sizes,
                         double gap)
{
    double p = 0, equal = 1; /* the first n bits are */
    for (unsigned n = 0; n < DPL__PREFIX_MOST && n < bits && sizes[n] > gap; n++) {
        double differs = h < bits - n ? h / (bits - n) : 1;
        p += equal * differs * within(g, gap, sizes[n]);
        equal *= 1 - differs;
    }
    return p + equal;
}

double dpl__model_in_buckets(const dpl__model *model, unsigned bits, unsigned h,
                             const double *sizes, double window)
{
    double at = (double)h / bits * DPL__CURVE_SCALE;
    int node = at < DPL__CURVE_NODES - 2 ? (int)at : DPL__CURVE_NODES - 2;
    double part = at - node < 1 ? at - node : 1;
    return (1 - part) * in_buckets(model->g[node], bits, h, sizes, window) +
           part * in_buckets(model->g[node + 1], bits, h, sizes, window);
}

static double table_p(const double *g, double h, unsigned bits, const double *sizes,
                      double window)
{
    static const double weight[QUANTILES] = {0.0112574113277, 0.2220759220056, 0.5333333333333,
                                             0.2220759220056, 0.0112574113277};
    double gaps[QUANTILES], p = 0;
    strew(gaps, sizes[0], window);
    for (int i = 0; i < QUANTILES; i++)
        p += weight[i] * in_buckets(g, bits, h, sizes, gaps[i]);
    return p;
}

void dpl__model_curve(dpl__curve *out, const dpl__model *model, unsigned bits, double rows,
                      double window, const double *share)
{
    double sizes[DPL__PREFIX_MOST];
    for (int n = 0; n < DPL__PREFIX_MOST; n++)
        sizes[n] = rows * (share ? share[n] : ldexp(1, -n));
    out->bits = bits;
    for (int i = 0; i < DPL__CURVE_NODES; i++) {
        double h = (double)i / DPL__CURVE_SCALE * bits;
        double p = window < rows - 1 ? table_p(model->g[i], h, bits, sizes, window) : 1;
        out->log_p[i] = dpl__log(p > 1e-300 ? p : 1e-300);
    }
}

double dpl__curve_at(const dpl__curve *curve, double h)
{
    double at = h / curve->bits * DPL__CURVE_SCALE;
    int i = at < DPL__CURVE_NODES - 2 ? (int)at : DPL__CURVE_NODES - 2;
    double p = dpl__exp(curve->log_p[i] + (at - i) * (curve->log_p[i + 1] - curve->log_p[i]));
    return p < 1 ? p : 1;
}
