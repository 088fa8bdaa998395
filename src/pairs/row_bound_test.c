#include "pairs/row_bound.h"

#include "pairs/exact_test.h"
#include "test.h"

#include <math.h>

/* Bounds of all pairs are not below scores: how far above, in the mean. */
static double check_rows(const recipe *l, const recipe *r)
{
    made left = {0}, right = {0};
    test_make_rows(&left, l, NULL);
    test_make_rows(&right, r, &left);
    dpl_ctx *ctx = test_ctx(1);
    dpl__sides sides;
    CHECK_OK(dpl__sides_init(&sides, ctx, &left.vectors, &right.vectors, &test_err));
    dpl__scorer scorer;
    dpl__bounder bounder;
    CHECK(dpl__scorer_init(&scorer, ctx, &sides) && dpl__bounder_init(&bounder, ctx, &sides));
    double above = 0;
    for (uint32_t i = 0; i < l->n_rows; i++) {
        CHECK(dpl__bounder_set_block(&bounder, i));
        dpl__scorer_set(&scorer, i);
        for (uint32_t k = 0; k < r->n_rows; k++) {
            dpl__bounder_set(&bounder, k, k);
            float score = dpl__score(&scorer, k, k), most = dpl__bound(&bounder, i);
            CHECK(most >= score);
            above += (double)(most - score) / l->n_rows / r->n_rows;
        }
    }
    dpl__scorer_clear(&scorer, ctx);
    dpl__bounder_clear(&bounder);
    dpl__sides_clear(&sides, ctx);
    test_ctx_done(ctx);
    test_free_rows(&left);
    test_free_rows(&right);
    return above;
}

DPL_TEST(row_bound, is_not_below_the_score)
{
    for (uint64_t seed = 1; seed < 6; seed++) {
        recipe left = {.seed = seed, .n_rows = 600, .n_terms = 300, .length = 20, .skew = 2};
        recipe right = left;
        right.seed += 100;
        right.n_rows = 40;
        CHECK(check_rows(&left, &right) < 0.01); /* every term has a place of its own */
        left.n_terms = right.n_terms = 50000;
        left.length = right.length = 100;
        left.n_rows = 100;
        CHECK(check_rows(&left, &right) < 0.05);
    }
}

DPL_TEST(row_bound, of_a_very_long_row_is_none)
{
    recipe left = {.seed = 3, .n_rows = 3, .n_terms = 20000, .length = 9000, .skew = 1};
    recipe right = left;
    right.seed = 4;
    CHECK(isinf(check_rows(&left, &right)));
}
