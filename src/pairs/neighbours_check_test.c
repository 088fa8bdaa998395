#include "pairs/neighbours_check.h"

#include "base/ctx.h"
#include "pairs/exact_test.h"
#include "test.h"

#include <math.h>
#include <stdlib.h>

enum { N_LEFT = 23, N_RIGHT = 17, MOST = N_LEFT * N_LEFT };

/* Lists of the k nearest, from which some pairs are missing. */
typedef struct checked {
    dpl_ctx *ctx;
    made left, right;
    bool is_self;
    double threshold;
    dpl__sides sides;
    dpl__neighbour_lists lists;
    dpl__spill spill;
    dpl_pair *pairs;
    size_t n_pairs;
    uint64_t n_true, n_found; /* of all lists */
} checked;

static int falling(const void *a, const void *b)
{
    const uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;
    return x < y ? 1 : x > y ? -1 : 0;
}

/* The k best of all pairs of a row, and how many of these its list has. */
static void count_row(checked *c, int side, uint32_t row)
{
    uint64_t all[MOST];
    size_t n = 0;
    for (size_t i = 0; i < c->n_pairs; i++) {
        const dpl_pair *p = &c->pairs[i];
        if (p->left == row && (c->is_self || side == DPL__SIDE_LEFT))
            all[n++] = dpl__partner(p->score, p->right);
        if (p->right == row && (c->is_self || side == DPL__SIDE_RIGHT))
            all[n++] = dpl__partner(p->score, p->left);
    }
    qsort(all, n, sizeof *all, falling);
    for (size_t i = 0; i < dpl__min(n, c->lists.k); i++) {
        bool is_found = false;
        for (size_t k = 0; k < c->lists.k; k++)
            is_found |= c->lists.best[side][(size_t)row * c->lists.k + k] == all[i];
        c->n_true++;
        c->n_found += is_found;
    }
}

/* percent: of the pairs that were offered to the lists. */
static void init_checked(checked *c, uint64_t seed, bool is_self, unsigned k, unsigned percent)
{
    const recipe l = {.seed = seed, .n_rows = N_LEFT, .n_terms = 40, .length = 7, .skew = 1.5};
    recipe r = l;
    dpl__rng rng = {seed << 20};
    r.seed += 100;
    r.n_rows = N_RIGHT;
    *c = (checked){.ctx = test_ctx(1), .is_self = is_self, .threshold = 0.15};
    test_make_rows(&c->left, &l, NULL);
    if (!is_self)
        test_make_rows(&c->right, &r, &c->left);
    CHECK_OK(dpl__sides_init(&c->sides, c->ctx, &c->left.vectors,
                             is_self ? NULL : &c->right.vectors, &test_err));
    CHECK_OK(dpl__neighbour_lists_init(&c->lists, c->ctx, &c->sides, k,
                                       &(dpl__tie_keys){.is_by_row = true}, &test_err));
    CHECK_OK(dpl__spill_init(&c->spill, c->ctx, test_dir(), &test_err));
    c->pairs = test_all_pairs(&c->left, is_self ? &c->left : &c->right, c->threshold, NULL, 0,
                              &c->n_pairs);
    for (size_t i = 0; i < c->n_pairs; i++)
        if (dpl__rng_below(&rng, 100) < percent)
            dpl__neighbour_lists_add(&c->lists, &c->pairs[i]);
    for (int side = 0; side < (is_self ? 1 : 2); side++)
        for (uint32_t row = 0; row < c->lists.n_rows[side]; row++)
            count_row(c, side, row);
}

static void free_checked(checked *c)
{
    free(c->pairs);
    dpl__spill_clear(&c->spill);
    dpl__neighbour_lists_clear(&c->lists);
    dpl__sides_clear(&c->sides, c->ctx);
    test_free_rows(&c->left);
    if (!c->is_self)
        test_free_rows(&c->right);
    test_ctx_done(c->ctx);
}

static dpl_recall_check check(const checked *c, dpl_ctx *ctx, size_t n, uint64_t seed)
{
    dpl_recall_check out;
    dpl__neighbour_lists lists = c->lists;
    lists.ctx = ctx;
    dpl__spill spill = {0};
    CHECK_OK(dpl__spill_init(&spill, ctx, test_dir(), &test_err));
    const dpl__nearest_search s = {
        .lists = &lists, .sides = &c->sides, .threshold = c->threshold, .spill = &spill};
    CHECK_OK(dpl__neighbours_check(&out, &s, n, seed, &test_err));
    dpl__spill_clear(&spill);
    return out;
}

DPL_TEST(neighbours_check, of_all_rows_is_the_share_of_true_neighbours)
{
    static const unsigned percents[] = {0, 30, 90, 100};
    for (uint64_t seed = 1; seed <= 16; seed++) {
        checked c;
        const unsigned percent = percents[seed / 4 % 4];
        init_checked(&c, seed, seed % 2, 1 + (unsigned)seed % 5, percent);
        CHECK(c.n_true > 20);
        const dpl_recall_check out = check(&c, c.ctx, 1000, seed);
        CHECK(!out.is_exact && !out.is_empty);
        CHECK_EQ(out.n_rows, c.is_self ? N_LEFT : N_LEFT + N_RIGHT);
        CHECK_EQ(out.n_true, c.n_true);
        CHECK_EQ(out.n_found, c.n_found);
        CHECK(out.recall == (double)c.n_found / (double)c.n_true);
        CHECK(out.low == out.recall && out.high == out.recall); /* nothing is left to chance */
        CHECK(percent != 100 || out.recall == 1);
        CHECK(percent != 0 || out.recall == 0);
        CHECK(out.seconds >= 0);
        free_checked(&c);
    }
}

DPL_TEST(neighbours_check, draws_rows_of_each_side)
{
    for (int is_self = 0; is_self < 2; is_self++) {
        checked c;
        init_checked(&c, 5, is_self, 3, 60);
        bool differs = false;
        const dpl_recall_check first = check(&c, c.ctx, 9, 0);
        for (uint64_t seed = 1; seed < 12; seed++) {
            const dpl_recall_check out = check(&c, c.ctx, 9, seed);
            CHECK_EQ(out.n_rows, is_self ? 9 : 18);
            CHECK(out.n_found <= out.n_true && out.n_true <= 18 * 3);
            CHECK(out.low <= out.recall && out.recall <= out.high);
            CHECK(out.low < out.high || out.recall == 1 || out.recall == 0);
            differs |= out.n_true != first.n_true || out.n_found != first.n_found;
            dpl_ctx *ctx = test_ctx(3); /* the same rows for any threads */
            const dpl_recall_check same = check(&c, ctx, 9, seed);
            CHECK(same.n_true == out.n_true && same.n_found == out.n_found);
            test_ctx_done(ctx);
        }
        CHECK(differs);
        const dpl_recall_check most = check(&c, c.ctx, N_RIGHT + 2, 1); /* all of one side */
        CHECK_EQ(most.n_rows, is_self ? N_RIGHT + 2 : 2 * N_RIGHT + 2);
        const dpl_recall_check none = check(&c, c.ctx, 0, 1);
        CHECK(none.is_empty && none.n_rows == 0 && none.n_true == 0);
        free_checked(&c);
    }
}
