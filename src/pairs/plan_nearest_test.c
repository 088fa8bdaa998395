#include "pairs/planner.h"

#include "base/ctx.h"
#include "pairs/exact_test.h"
#include "test.h"

#include <math.h>
#include <stdlib.h>

/* As many rows as are looked at, so that nothing is left to a sample. */
enum { MOST_ROWS = 32, BINS = 256, STEPS = 12 };

typedef struct nearest {
    made left, right;
    bool is_self;
    dpl_pairs_side sides[2];
    dpl_plan plan;
    dpl__planner p;
} nearest;

static void init_nearest(nearest *n, dpl_ctx *ctx, uint32_t n_left, uint32_t n_right,
                         uint64_t seed)
{
    const recipe l = {.seed = seed, .n_rows = n_left, .n_terms = 60, .length = 9, .skew = 2};
    recipe r = l;
    r.seed += 100;
    r.n_rows = n_right;
    *n = (nearest){.is_self = n_right == 0};
    test_make_rows(&n->left, &l, NULL);
    if (n_right)
        test_make_rows(&n->right, &r, &n->left);
    n->sides[0].vectors = &n->left.vectors;
    n->sides[1].vectors = &n->right.vectors;
    n->p = (dpl__planner){.ctx = ctx,
                          .plan = &n->plan,
                          .has_vectors = true,
                          .is_self = n->is_self,
                          .n_left = n_left,
                          .n_right = n_right ? n_right : n_left,
                          .speeds = {.verify_ns = 100},
                          .o = {.threshold = 0.1 + 0.1 * (double)(seed % 3),
                                .recall = 0.9,
                                .length = 512,
                                .nearest = 1 + (unsigned)seed % 4,
                                .left = &n->sides[0],
                                .right = n_right ? &n->sides[1] : NULL}};
}

static void free_nearest(nearest *n)
{
    test_free_rows(&n->left);
    if (!n->is_self)
        test_free_rows(&n->right);
}

/* ---- by cosines of all pairs --------------------------------------------------------------
 */

/* Histograms of each row's cosines with the other side. */
typedef struct naive_side {
    double counts[MOST_ROWS][BINS], n_others;
    double pass[MOST_ROWS][STEPS];
    unsigned cut[MOST_ROWS];
    size_t n;
} naive_side;

static void fill_counts(naive_side sides[2], const nearest *n)
{
    size_t n_pairs;
    const made *right = n->is_self ? &n->left : &n->right;
    dpl_pair *pairs = test_all_pairs(&n->left, right, 0, NULL, 0, &n_pairs);
    const uint32_t sizes[2] = {n->left.vectors.sizes.n_rows, right->vectors.sizes.n_rows};
    memset(sides, 0, 2 * sizeof *sides);
    for (int s = 0; s < 2; s++) {
        sides[s].n = sizes[s];
        sides[s].n_others = sizes[!s];
        for (uint32_t row = 0; row < sizes[s]; row++) /* of all others; those above 0 follow */
            sides[s].counts[row][0] = sizes[!s] - n->is_self;
    }
    for (size_t i = 0; i < n_pairs; i++)
        for (int s = 0; s < 2; s++) {
            const int bin = (int)fmin(pairs[i].score * BINS, BINS - 1);
            const uint32_t row = s ? pairs[i].right : pairs[i].left;
            for (int k = 0; k < 2; k++) /* within one set a row is on both sides */
                if (k == s || n->is_self) {
                    sides[k].counts[row][0]--;
                    sides[k].counts[row][bin]++;
                }
        }
    free(pairs);
}

/* The cosine of which so many are above, where those of a bin are spread evenly. */
static double naive_best(const double *counts, double rank)
{
    for (int bin = BINS - 1; bin >= 0; bin--) {
        if (rank <= counts[bin])
            return (bin + 1 - rank / counts[bin]) / BINS;
        rank -= counts[bin];
    }
    return 0;
}

static void naive_cuts(naive_side *s, const dpl__planner *p)
{
    for (size_t i = 0; i < s->n; i++)
        for (int step = 0; step < STEPS; step++) {
            const double best = naive_best(s->counts[i], p->o.nearest / (0.75 / pow(2, step)));
            const unsigned cut = dpl_sign_cut(
                DPL_SIGN_RP, p->o.length,
                floor(fmax(best, p->o.threshold) * DPL__CUT_STEPS) / DPL__CUT_STEPS,
                p->o.recall);
            s->cut[i] = step ? s->cut[i] : cut;
            for (int bin = 0; bin < BINS; bin++) {
                const double differ = acos((bin + 0.5) / BINS) / 3.14159265358979323846,
                             bits = p->o.length, sd = sqrt(bits * differ * (1 - differ)),
                             z = (cut + 0.5 - bits * differ) / sd;
                s->pass[i][step] += s->counts[i][bin] * erfc(-z / sqrt(2)) / 2 / s->n_others;
            }
        }
}

/* Means over all pairs and times, each time being half of what is left. */
static void check_means(const naive_side s[2], const dpl__near_plan *near)
{
    double share = 0, hits = 0, cut = 0;
    for (size_t i = 0; i < s[0].n; i++)
        for (size_t k = 0; k < s[1].n; k++) {
            cut += fmax(s[0].cut[i], s[1].cut[k]);
            for (int x = 0; x < STEPS; x++)
                for (int y = 0; y < STEPS; y++)
                    share += pow(0.5, x < STEPS - 1 ? x + 1 : x) *
                             pow(0.5, y < STEPS - 1 ? y + 1 : y) *
                             fmax(s[0].pass[i][x], s[1].pass[k][y]);
        }
    for (int side = 0; side < 2; side++)
        for (size_t i = 0; i < s[side].n; i++)
            hits = fmax(hits, s[side].pass[i][0]);
    const double n = (double)(s[0].n * s[1].n);
    /* the plan's normal distribution is right to 1.4e-4 */
    CHECK(fabs(near->share - share / n) < 3e-4);
    CHECK(fabs(near->hits - hits) < 3e-4);
    CHECK_EQ(near->cut, (unsigned)(cut / n));
}

DPL_TEST(plan_nearest, says_which_share_of_pairs_is_within_the_cuts_of_their_rows)
{
    static naive_side sides[2];
    for (uint64_t seed = 1; seed <= 12; seed++) {
        nearest n;
        dpl_ctx *ctx = test_ctx(1);
        init_nearest(&n, ctx, 20 + (uint32_t)seed, seed % 3 ? MOST_ROWS - (uint32_t)seed : 0,
                     seed);
        CHECK_OK(dpl__planner_nearest(&n.p, &test_err));
        CHECK(n.p.near.share > 0.001 && n.p.near.hits >= n.p.near.share / 2);
        fill_counts(sides, &n);
        naive_cuts(&sides[0], &n.p);
        naive_cuts(&sides[1], &n.p);
        check_means(sides, &n.p.near);
        free_nearest(&n);
        test_ctx_done(ctx);
    }
}

/* ---- sides --------------------------------------------------------------------------------
 */

/* The exact method has the larger side as its queries, whichever that is. */
DPL_TEST(plan_nearest, is_the_same_when_sides_are_exchanged)
{
    for (uint32_t n_left = 5; n_left <= 25; n_left += 10) {
        dpl_ctx *ctx = test_ctx(1);
        nearest n;
        init_nearest(&n, ctx, n_left, 15, 7);
        CHECK_OK(dpl__planner_nearest(&n.p, &test_err));
        const dpl__near_plan near = n.p.near;
        const bool is_right = n_left < 15;
        dpl__sides sides;
        dpl__neighbour_lists lists = {.ctx = ctx, .k = n.p.o.nearest};
        dpl__nearest_search search = {
            .lists = &lists, .sides = &sides, .threshold = n.p.o.threshold};
        dpl__term_plan plan;
        CHECK_OK(dpl__sides_init(&sides, ctx, is_right ? &n.right.vectors : &n.left.vectors,
                                 is_right ? &n.left.vectors : &n.right.vectors, &test_err));
        CHECK_OK(dpl__neighbours_plan(&plan, &search, &test_err));
        CHECK(near.exact_ns > 0 && near.exact_ns == plan.ns && near.exact_bytes > 0);
        dpl__term_plan_clear(&plan, ctx);
        dpl__sides_clear(&sides, ctx);
        n.p.near = (dpl__near_plan){.exact_ns = 0};
        n.p.o.left = &n.sides[1];
        n.p.o.right = &n.sides[0];
        n.p.n_left = 15;
        n.p.n_right = n_left;
        CHECK_OK(dpl__planner_nearest(&n.p, &test_err));
        CHECK(fabs(n.p.near.share - near.share) < 1e-12);
        CHECK(n.p.near.hits == near.hits && n.p.near.cut == near.cut);
        CHECK(n.p.near.exact_bytes > 0 && (n_left == 15 || n.p.near.exact_ns == near.exact_ns));
        n.p.is_dense = true; /* as if: the exact method of dense rows has no such plan */
        n.p.near = (dpl__near_plan){.exact_ns = 0};
        CHECK_OK(dpl__planner_nearest(&n.p, &test_err));
        CHECK(n.p.near.exact_ns == 0 && n.p.near.exact_bytes == 0);
        free_nearest(&n);
        test_ctx_done(ctx);
    }
}

/* Cosines of texts that have nothing to do with each other: about 0.04. */
DPL_TEST(plan_nearest, without_rows_takes_the_usual_cosines)
{
    dpl_ctx *ctx = test_ctx(1);
    static naive_side sides[2];
    nearest n;
    init_nearest(&n, ctx, 5, 5, 1);
    for (int has_sides = 0; has_sides < 2; has_sides++) {
        n.p.has_vectors = !has_sides; /* either of them is missing */
        n.p.o.left = has_sides ? &n.sides[0] : NULL;
        n.p.n_left = 3000;
        n.p.n_right = 500;
        n.p.near = (dpl__near_plan){.exact_ns = 0};
        CHECK_OK(dpl__planner_nearest(&n.p, &test_err));
        CHECK(n.p.near.exact_ns == 0);
        CHECK(dpl__planner_nearest_ns(&n.p) == 0);
        memset(sides, 0, sizeof sides);
        for (int s = 0; s < 2; s++) {
            double sum = 0;
            sides[s].n = 1;
            sides[s].n_others = s ? 3000 : 500;
            for (int bin = 0; bin < BINS; bin++) {
                const double z = ((bin + 0.5) / BINS - 0.04) / 0.045;
                sum += sides[s].counts[0][bin] = exp(-z * z / 2);
            }
            for (int bin = 0; bin < BINS; bin++)
                sides[s].counts[0][bin] *= sides[s].n_others / sum;
            naive_cuts(&sides[s], &n.p);
        }
        check_means(sides, &n.p.near);
    }
    free_nearest(&n);
    test_ctx_done(ctx);
}

DPL_TEST(plan_nearest, looks_at_some_rows_of_each_side)
{
    dpl_ctx *ctx = test_ctx(1);
    nearest n;
    init_nearest(&n, ctx, 5, 7, 1);
    CHECK(dpl__planner_nearest_ns(&n.p) == MOST_ROWS * 12 * 100.0);
    n.plan.speeds.verify_ns = 1; /* rows come in order, which is twice as fast */
    CHECK(dpl__planner_nearest_ns(&n.p) == MOST_ROWS * 12 * 50.0);
    n.p.n_left = 1e9; /* not all of the others */
    CHECK(dpl__planner_nearest_ns(&n.p) == MOST_ROWS * (7 + 262144) * 50.0);
    n.p.is_self = true;
    CHECK(dpl__planner_nearest_ns(&n.p) == MOST_ROWS * 7 * 50.0);
    free_nearest(&n);
    test_ctx_done(ctx);
}
