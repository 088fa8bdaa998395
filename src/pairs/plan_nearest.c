/*
 * plan_nearest.c - what a search for the k nearest of rows and columns costs.
 *
 * In: rows, or their sizes. Out: which share of all pairs is within the cuts of their rows when
 * they are compared, and what the exact method expects of itself.
 *
 * Some rows of either side are scored against many of the other. From the histogram of a row's
 * cosines follow its k-th best once a share t of the other side has been seen (the k / t-th
 * best of all), the cut of that cosine, and how many of its pairs differ in so few bits. A row
 * is compared with the others evenly over time: means are over t = 3/4, 3/8, 3/16 ..., each
 * standing for half of the time that is left. A pair passes by the looser cut of its two rows.
 *
 * Cost: 32 rows of each side against 262,144 of the other at most, below a second.
 */
#include "pairs/planner.h"

#include "base/maths.h"
#include "pairs/exact.h"

#include <math.h>

enum {
    ROWS = 32,
    OTHERS = 1 << 18,
    BINS = 256, /* of cosines from 0 to 1 */
    STEPS = 12, /* of time */
    AHEAD = 2,
};

/* Without rows: as in plan_predict.c. Terms of a row that any two share make the exact method's
 * products; the lower the threshold, the more of them are added up. */
static const double usual_cosine = 0.04, usual_sd = 0.045;

/* Rows of one side, each as a histogram of its cosines with all of the other side. */
typedef struct side {
    size_t n;
    double n_others;
    double counts[ROWS][BINS];
    double pass[ROWS][STEPS]; /* of its pairs: within its cut */
    unsigned cut[ROWS];       /* in the end */
} side;

/* ---- cosines ------------------------------------------------------------------------ */

static dpl_status measure_rows(side *out, dpl_ctx *ctx, const dpl__sides *sides, bool is_self,
                               dpl_error *err)
{
    uint32_t n_left = sides->left->sizes.n_rows, n_right = sides->right->sizes.n_rows;
    size_t step = 1 + n_right / OTHERS, n = (n_right + step - 1) / step;
    dpl__scorer scorer;
    DPL_TRY(dpl__need(dpl__scorer_init(&scorer, ctx, sides), err));
    out->n = dpl__min(ROWS, n_left);
    out->n_others = n_right;
    for (size_t q = 0; q < out->n; q++) {
        uint32_t row = (uint32_t)((2 * q + 1) * n_left / (2 * out->n));
        dpl__scorer_set(&scorer, row);
        for (size_t i = 0; i < n; i++) {
            if (is_self && i * step == row)
                continue;
            double x = (double)dpl__score(&scorer, (uint32_t)(i * step),
                                          (uint32_t)(dpl__min(i + AHEAD, n - 1) * step));
            int bin = x <= 0 ? 0 : x >= 1 ? BINS - 1 : (int)(x * BINS);
            out->counts[q][bin] += (double)step;
        }
    }
    dpl__scorer_clear(&scorer, ctx);
    return DPL_OK;
}

static void assume_rows(side *out, double n_others)
{
    double sum = 0;
    out->n = 1;
    out->n_others = n_others;
    for (int bin = 0; bin < BINS; bin++) {
        double z = ((bin + 0.5) / BINS - usual_cosine) / usual_sd;
        sum += out->counts[0][bin] = dpl__exp(-0.5 * z * z);
    }
    for (int bin = 0; bin < BINS; bin++)
        out->counts[0][bin] *= n_others / sum;
}

/* ---- what passes -------------------------------------------------------------------- */

/* The distribution function of the normal distribution, to 1.4e-4. */
static double normal(double x)
{
    return 1 / (1 + dpl__exp(-1.5976 * x - 0.07056 * x * x * x));
}

/* The cosine that so many others reach. */
static double best_at(const double *counts, double rank)
{
    double sum = 0;
    int bin = BINS;
    while (bin > 0 && sum + counts[bin - 1] < rank)
        sum += counts[--bin];
    if (bin == 0)
        return 0;
    return (bin - (rank - sum) / counts[bin - 1]) / BINS; /* evenly within the bin */
}

/* The share of a row's pairs that differ in at most `cut` bits. */
static double pass_at(const double *counts, double n, unsigned cut, const double *differ,
                      double bits)
{
    double sum = 0;
    for (int bin = 0; bin < BINS; bin++) {
        double sd = sqrt(bits * differ[bin] * (1 - differ[bin])) + 1e-9;
        sum +=
            counts[bin] > 0 ? counts[bin] * normal((cut + 0.5 - bits * differ[bin]) / sd) : 0;
    }
    return n > 0 ? sum / n : 0;
}

static void find_cuts(side *s, const dpl__planner *p)
{
    double differ[BINS];
    for (int bin = 0; bin < BINS; bin++)
        differ[bin] = dpl__differ((bin + 0.5) / BINS);
    for (size_t i = 0; i < s->n; i++)
        for (int step = 0; step < STEPS; step++) {
            double seen = 0.75 * dpl__exp2(-step);
            double score = fmax(p->o.threshold, best_at(s->counts[i], p->o.nearest / seen));
            unsigned cut = dpl__score_cut(&p->near.cuts, score);
            s->pass[i][step] = pass_at(s->counts[i], s->n_others, cut, differ, p->o.length);
            if (step == 0)
                s->cut[i] = cut;
        }
}

static double weight_of(int step)
{
    return dpl__exp2(-(double)(step + 1 < STEPS ? step + 1 : step));
}

/* Over pairs of rows, and over the time at which they are compared. */
static double mean_of_larger(const side *a, const side *b)
{
    double sum = 0;
    for (size_t i = 0; i < a->n; i++)
        for (size_t k = 0; k < b->n; k++)
            for (int x = 0; x < STEPS; x++)
                for (int y = 0; y < STEPS; y++)
                    sum += weight_of(x) * weight_of(y) * fmax(a->pass[i][x], b->pass[k][y]);
    return sum / (double)(a->n * b->n);
}

/* The kernels know the largest cut of a tile but for a few rows'. */
static double largest_pass(const side *a, const side *b)
{
    double most = 0;
    for (const side *s = a; s; s = s == a ? b : NULL)
        for (size_t i = 0; i < s->n; i++)
            most = fmax(most, s->pass[i][0]);
    return most;
}

static unsigned mean_cut(const side *a, const side *b)
{
    double sum = 0;
    for (size_t i = 0; i < a->n; i++)
        for (size_t k = 0; k < b->n; k++)
            sum += a->cut[i] > b->cut[k] ? a->cut[i] : b->cut[k];
    return (unsigned)(sum / (double)(a->n * b->n));
}

/* ---- the exact method --------------------------------------------------------------- */

static dpl_status plan_exact(dpl__planner *p, const dpl__sides *sides, dpl_error *err)
{
    dpl__neighbour_lists lists = {.ctx = p->ctx, .k = p->o.nearest};
    dpl__nearest_search search = {.lists = &lists, .sides = sides, .threshold = p->o.threshold};
    dpl__term_plan plan;
    DPL_TRY(dpl__neighbours_plan(&plan, &search, err));
    p->near.exact_ns = plan.ns;
    dpl__join join = {.sides = sides,
                      .n_queries = sides->left->sizes.n_rows,
                      .n_indexed = sides->right->sizes.n_rows};
    p->near.exact_bytes = dpl__bounded_bytes(p->ctx, &join, &plan);
    dpl__term_plan_clear(&plan, p->ctx);
    return DPL_OK;
}

/* ---- all of it ---------------------------------------------------------------------- */

/* One of them with left and right exchanged. */
static dpl_status measure(dpl__planner *p, side *s, bool is_turned, dpl_error *err)
{
    const dpl_vectors *left = p->o.left->vectors;
    const dpl_vectors *right = p->o.right ? p->o.right->vectors : left;
    dpl__sides sides;
    DPL_TRY(dpl__sides_init(&sides, p->ctx, is_turned ? right : left,
                            p->is_self  ? NULL
                            : is_turned ? left
                                        : right,
                            err));
    bool has_more = sides.left->sizes.n_rows >= sides.right->sizes.n_rows;
    dpl_status status;
    DPL__STEP(measure_rows(s, p->ctx, &sides, p->is_self, err));
    if (!p->is_dense && has_more && p->near.exact_ns == 0)
        DPL__STEP(plan_exact(p, &sides, err));
done:
    dpl__sides_clear(&sides, p->ctx);
    return status;
}

static dpl_status look_at(dpl__planner *p, side *a, side *b, dpl_error *err)
{
    if (!p->o.left || !p->has_vectors) {
        assume_rows(a, p->n_right);
        assume_rows(b, p->n_left);
        return DPL_OK;
    }
    DPL_TRY(measure(p, a, false, err));
    if (p->is_self)
        *b = *a;
    else
        DPL_TRY(measure(p, b, true, err));
    return DPL_OK;
}

double dpl__planner_nearest_ns(const dpl__planner *p)
{
    if (!p->o.left || !p->has_vectors)
        return 0;
    double n = fmin(OTHERS, p->n_right) + (p->is_self ? 0 : fmin(OTHERS, p->n_left));
    const double in_order = p->plan->speeds.verify_ns > 0 ? 0.5 : 1; /* rows, not any ones */
    return ROWS * n * p->speeds.verify_ns * in_order;
}

dpl_status dpl__planner_nearest(dpl__planner *p, dpl_error *err)
{
    side *sides = dpl__calloc(p->ctx, 2, sizeof *sides);
    DPL_TRY(dpl__need(sides, err));
    dpl__score_cuts_of(&p->near.cuts, DPL_SIGN_RP, p->o.length, p->o.recall);
    dpl_status status;
    DPL__STEP(look_at(p, &sides[0], &sides[1], err));
    find_cuts(&sides[0], p);
    find_cuts(&sides[1], p);
    p->near.share = mean_of_larger(&sides[0], &sides[1]);
    p->near.hits = largest_pass(&sides[0], &sides[1]);
    p->near.cut = mean_cut(&sides[0], &sides[1]);
done:
    dpl__free(p->ctx, sides);
    return status;
}
