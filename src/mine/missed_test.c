#include "mine/missed.h"

#include "base/ctx.h"
#include "base/hash.h"
#include "base/maths.h"
#include "mine/mine_params.h"
#include "test.h"

#include <math.h>

/* Right pairs whose lead, of a logistic distribution, is above 0 are found, the others are
 * not; step -1: in the opposite order. */
static double missed_of(size_t n, double middle, double scale, int step, double *n_lost)
{
    dpl_ctx *ctx = test_ctx(1);
    dpl__doc_candidates found = {0};
    *n_lost = 0;
    for (size_t i = 0; i < n; i++) {
        size_t k = step > 0 ? i : n - 1 - i;
        double u = ((double)(dpl__mix(k) % 1000000) + 0.5) / 1000000,
               lead = middle + scale * dpl__log(u / (1 - u));
        *n_lost += lead <= 0;
        float ratio = (float)dpl__exp(lead / DPL__P(mine, score_scale));
        dpl__doc_candidate pair = {.match = {.lead = {ratio, 2 * ratio}}, .confidence = 1};
        if (lead > 0)
            CHECK(dpl__vec_push(ctx, &found.pairs, pair));
    }
    double missed = dpl__missed_estimate(&found);
    dpl__doc_candidates_clear(&found, ctx);
    test_ctx_done(ctx);
    return missed;
}

DPL_TEST(missed, pairs_below_their_competitors_are_counted)
{
    for (double middle = 8; middle <= 20; middle += 6) {
        double lost, missed = missed_of(20000, middle, 4, 1, &lost);
        CHECK(fabs(missed - lost) < 0.03 * 20000);
        CHECK(middle > 10 || missed > 1200);
    }
}

DPL_TEST(missed, the_order_of_pairs_does_not_matter)
{
    double lost[2];
    double missed[2] = {missed_of(2000, 10, 4, 1, &lost[0]),
                        missed_of(2000, 10, 4, -1, &lost[1])};
    CHECK(missed[0] == missed[1] && missed[0] > 0);
}

DPL_TEST(missed, a_few_pairs_say_nothing)
{
    double lost;
    CHECK(missed_of(40, 10, 4, 1, &lost) == 0);
    CHECK(missed_of(0, 10, 4, 1, &lost) == 0);
}
