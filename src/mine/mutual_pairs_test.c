#include "mine/mutual_pairs.h"

#include "base/hash.h"
#include "pairs/plan.h"
#include "test.h"

/* Three rows on each side; row i is nearest to row i, then to the next one. */
static dpl__near near_of[2][3 * DPL__NEAREST];
static uint64_t keys_of[2][3] = {{5, 9, 7}, {2, 3, 4}};

static dpl__neighbours three(dpl_ctx *ctx)
{
    for (int side = 0; side < 2; side++)
        for (uint32_t row = 0; row < 3; row++)
            for (uint32_t i = 0; i < DPL__NEAREST; i++)
                near_of[side][row * DPL__NEAREST + i] =
                    i < 2 ? (dpl__near){(row + i) % 3, i ? 0.2f : 0.8f}
                          : (dpl__near){DPL__NO_ROW, 0};
    return (dpl__neighbours){.ctx = ctx,
                             .n = {3, 3},
                             .near = {near_of[0], near_of[1]},
                             .keys = {keys_of[0], keys_of[1]},
                             .threshold = 0.02};
}

DPL_TEST(matches, mutual_best_are_matched)
{
    dpl_ctx *ctx = test_ctx(1);
    dpl__neighbours c = three(ctx);
    dpl__matches matches = {0};
    CHECK_OK(dpl__matches_find(&matches, &c, NULL, 1, &test_err));
    CHECK_EQ(matches.n, 3);
    for (uint32_t i = 0; i < matches.n; i++) {
        const dpl__match *m = &matches.data[i];
        CHECK(m->row[0] == i && m->row[1] == i);
        CHECK(m->lead[0] > 3.99f && m->lead[0] < 4.01f);
        /* what is around both: (0.8 + 0.2 + 2 * 0.02) / 4 = 0.26 */
        CHECK(m->margin > 3.07f && m->margin < 3.08f);
    }
    dpl__vec_clear(ctx, &matches);
    test_ctx_done(ctx);
}

DPL_TEST(matches, rows_that_are_absent_are_not_there)
{
    dpl_ctx *ctx = test_ctx(1);
    dpl__neighbours c = three(ctx);
    dpl__matches matches = {0};
    static const uint8_t left[3] = {0, 0, 1}, right[3] = {1, 0, 0};
    const uint8_t *const absent[2] = {left, right};
    CHECK_OK(dpl__matches_find(&matches, &c, absent, 1, &test_err));
    /* row 1 has its counterpart still; 0 and 2 are left over, and near each other */
    CHECK_EQ(matches.n, 2);
    CHECK(matches.data[0].row[0] == 0 && matches.data[0].row[1] == 2);
    CHECK(matches.data[1].row[0] == 1 && matches.data[1].row[1] == 1);
    dpl__vec_clear(ctx, &matches);
    test_ctx_done(ctx);
}

DPL_TEST(matches, decoys_are_never_the_matches_themselves)
{
    dpl_ctx *ctx = test_ctx(1);
    dpl__neighbours c = three(ctx);
    dpl__matches matches = {0}, decoys = {0};
    CHECK_OK(dpl__matches_find(&matches, &c, NULL, 1, &test_err));
    CHECK_OK(dpl__decoys_find(&decoys, &c, &matches, 1, &test_err));
    for (size_t i = 0; i < decoys.n; i++)
        CHECK(decoys.data[i].row[0] != decoys.data[i].row[1]);
    dpl__vec_clear(ctx, &matches, &decoys);
    test_ctx_done(ctx);
}

DPL_TEST(matches, decoys_of_rank_two_are_second_on_one_side_and_best_on_the_other)
{
    dpl_ctx *ctx = test_ctx(1);
    dpl__neighbours c = three(ctx);
    dpl__rank_decoys decoys = {0};
    /* left 2 has no counterpart; right 2 has left 0 for its best, whose second best it is */
    near_of[0][1] = (dpl__near){2, 0.2f};
    near_of[0][2 * DPL__NEAREST] = (dpl__near){1, 0.1f};
    near_of[0][2 * DPL__NEAREST + 1] = (dpl__near){DPL__NO_ROW, 0};
    near_of[1][2 * DPL__NEAREST] = (dpl__near){0, 0.2f};
    near_of[1][2 * DPL__NEAREST + 1] = (dpl__near){1, 0.1f};
    CHECK_OK(dpl__rank_decoys_find(&decoys, &c, &test_err));
    CHECK_EQ(decoys.n, 2); /* and left 2 is the second best of right 1 */
    const dpl__rank_decoy *d = &decoys.data[0];
    CHECK(d->is.row[0] == 0 && d->is.row[1] == 2 && d->above == 0);
    /* without the pair before it, it has no rival on the left, and half its score on the right
     */
    CHECK(d->is.lead[0] > 9.99f && d->is.lead[0] < 10.01f);
    CHECK(d->is.lead[1] > 1.99f && d->is.lead[1] < 2.01f);
    CHECK(d->raised.lead[1] > d->is.lead[1] && d->raised.score > d->is.score);
    dpl__vec_clear(ctx, &decoys);
    test_ctx_done(ctx);
}

static dpl_status match_body(void *user, dpl_ctx *ctx, dpl_error *err)
{
    (void)user;
    dpl__neighbours c = three(ctx);
    dpl__matches matches = {0}, decoys = {0};
    dpl__rank_decoys seconds = {0};
    dpl_status status = dpl__matches_find(&matches, &c, NULL, 2, err);
    if (status == DPL_OK)
        status = dpl__decoys_find(&decoys, &c, &matches, 2, err);
    if (status == DPL_OK)
        status = dpl__rank_decoys_find(&seconds, &c, err);
    dpl__vec_clear(ctx, &seconds, &matches, &decoys);
    return status;
}

DPL_TEST(matches, survive_every_failing_allocation)
{
    test_allocation_failures(match_body, NULL);
}

DPL_TEST(matches, what_is_left_over_is_matched_in_a_second_turn)
{
    dpl_ctx *ctx = test_ctx(1);
    dpl__neighbours c = three(ctx);
    /* Left 1 likes right 0 best, which is taken; right 1 likes left 0 best, which is taken. */
    for (int side = 0; side < 2; side++) {
        near_of[side][1 * DPL__NEAREST] = (dpl__near){0, 0.6f};
        near_of[side][1 * DPL__NEAREST + 1] = (dpl__near){1, 0.1f};
    }
    dpl__matches matches = {0};
    CHECK_OK(dpl__matches_find(&matches, &c, NULL, 1, &test_err));
    CHECK_EQ(matches.n, 2);
    CHECK_OK(dpl__matches_find(&matches, &c, NULL, 2, &test_err));
    CHECK_EQ(matches.n, 3);
    for (uint32_t i = 0; i < matches.n; i++)
        CHECK(matches.data[i].row[0] == i && matches.data[i].row[1] == i);
    CHECK(matches.data[1].lead[0] < 1 && matches.data[1].lead[1] < 1);
    dpl__vec_clear(ctx, &matches);
    test_ctx_done(ctx);
}

/* What `auto` means for a search of candidates (round.c). Memory does not decide: exact works
 * in parts. */
DPL_TEST(mutual_pairs, auto_is_exact_as_the_plan_recommends_for_candidates)
{
    static const double thresholds[] = {0.05, 0.1, 0.2}, terms[] = {10, 120, 1000};
    dpl_ctx *ctx = test_ctx(2);
    for (uint32_t n = 300; n <= 30000000; n *= 10)
        for (size_t i = 0; i < DPL_LEN(thresholds) * DPL_LEN(terms); i++) {
            const dpl_plan_options o = DPL_INIT(
                dpl_plan_options, .n_left = n, .n_right = n / 3, .nearest = DPL__NEAREST,
                .threshold = thresholds[i / DPL_LEN(terms)],
                .terms_per_row = terms[i % DPL_LEN(terms)], .speeds = &dpl__nominal_speeds);
            dpl_plan *plan = NULL;
            CHECK_OK(dpl_plan_make(&plan, ctx, &o, &test_err));
            const size_t best = dpl_plan_get_summary(plan)->best;
            CHECK_EQ(dpl_plan_get_row(plan, best)->method, DPL_PAIRS_EXACT);
            dpl_plan_free(plan);
        }
    test_ctx_done(ctx);
}
