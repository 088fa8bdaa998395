#include "mine/decoy_rates.h"

#include "base/hash.h"
#include "base/maths.h"
#include "test.h"

#include <math.h>

enum { N = 2000 };

static double exponential(dpl__rng *rng)
{
    return -dpl__log(1 - (double)(dpl__rng_next(rng) >> 11) * 0x1p-53);
}

/* Pairs that lead by exponential gaps if wrong, and by `right` more if right; behind each is a
 * decoy, which is the second of the wrong ones unless its pair is right. */
typedef struct drawn {
    double scores[N];
    dpl__scored_decoy decoys[N];
    dpl__decoy_rate out[N];
} drawn;

static drawn set;

static void draw(uint64_t seed, size_t n_right, double right)
{
    dpl__rng rng = {dpl__mix(seed)};
    for (size_t i = 0; i < N; i++) {
        double gap = exponential(&rng);
        set.scores[i] = exponential(&rng) + (i < n_right ? right : 0);
        set.decoys[i] = (dpl__scored_decoy){i < n_right ? gap : gap / 2,
                                            i < n_right ? 2 * gap : gap, (uint32_t)i};
    }
}

static void fit(size_t n_pairs, size_t n_decoys)
{
    dpl_ctx *ctx = test_ctx(1);
    const dpl__decoy_rates_input in = {set.scores, n_pairs, set.decoys, n_decoys};
    CHECK_OK(dpl__decoy_rates_fit(set.out, ctx, &in, &test_err));
    test_ctx_done(ctx);
}

/* Share of right ones among pairs with a confidence of 0.5 or more, and what it says. */
static void check_precision(size_t n_right, double most_off)
{
    double n = 0, right = 0, said = 0;
    for (size_t i = 0; i < N; i++)
        if (set.out[i].p >= 0.5) {
            n++;
            right += i < n_right;
            said += set.out[i].p;
        }
    CHECK(n > 0 && fabs(right - said) / n < most_off);
}

DPL_TEST(decoy_rates, says_how_many_are_right_at_any_share)
{
    static const size_t n_right[] = {40, 100, 400, 1000, 1900};
    for (size_t i = 0; i < DPL_LEN(n_right); i++)
        for (uint64_t seed = 0; seed < 10; seed++) {
            draw(seed, n_right[i], 8);
            fit(N, N);
            check_precision(n_right[i], n_right[i] < 100    ? 0.3
                                        : n_right[i] < 1000 ? 0.2
                                                            : 0.03);
        }
}

DPL_TEST(decoy_rates, nothing_is_likely_where_all_are_wrong)
{
    double n = 0;
    for (uint64_t seed = 0; seed < 20; seed++) {
        draw(seed, 0, 0);
        fit(N, N);
        for (size_t i = 0; i < N; i++)
            n += set.out[i].p >= 0.5;
    }
    CHECK(n / 20 < 8); /* of 2,000 */
}

DPL_TEST(decoy_rates, higher_scores_have_a_higher_confidence)
{
    draw(7, 500, 4);
    fit(N, N);
    for (size_t i = 0; i < N; i++)
        for (size_t k = 0; k < N; k += 37)
            CHECK(set.scores[i] <= set.scores[k] || set.out[i].p > set.out[k].p);
}

DPL_TEST(decoy_rates, a_few_pairs_are_never_sure)
{
    draw(1, 3, 20);
    fit(3, 0);
    for (size_t i = 0; i < 3; i++)
        CHECK(set.out[i].p < 0.5);
    fit(0, 0);
}

static dpl_status fit_body(void *user, dpl_ctx *ctx, dpl_error *err)
{
    (void)user;
    const dpl__decoy_rates_input in = {set.scores, 50, set.decoys, 50};
    return dpl__decoy_rates_fit(set.out, ctx, &in, err);
}

DPL_TEST(decoy_rates, survives_every_failing_allocation)
{
    draw(1, 20, 8);
    test_allocation_failures(fit_body, NULL);
}
