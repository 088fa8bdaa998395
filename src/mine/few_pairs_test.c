#include "mine/few_pairs.h"

#include "base/hash.h"
#include "test.h"

enum { N = 600 };

/* From 0 to 1, not 0. */
static double uniform(dpl__rng *rng)
{
    return ((double)(dpl__rng_next(rng) >> 11) + 1) * 0x1p-53;
}

/* About normal, of variance one. */
static double noise(dpl__rng *rng)
{
    double sum = -6;
    for (int i = 0; i < 12; i++)
        sum += uniform(rng);
    return sum;
}

/* Right ones first; the others are most of them far below. */
static void draw(double *scores, size_t n_right, double mean, uint64_t seed)
{
    dpl__rng rng = {dpl__mix(seed)};
    for (size_t i = 0; i < N; i++)
        scores[i] = i < n_right ? mean + 1.2 * noise(&rng) : -9 + 2 * noise(&rng);
}

DPL_TEST(few_pairs, says_how_many_are_right)
{
    static double scores[N], p[N];
    for (uint64_t seed = 0; seed < 10; seed++)
        for (size_t n = 20; n <= 80; n += 20) {
            draw(scores, n, 2, seed);
            double right = dpl__few_pairs_fit(p, scores, N);
            CHECK(right > 0.7 * (double)n && right < 1.3 * (double)n);
            for (size_t i = n; i < N; i++)
                CHECK(p[i] < 0.5);
        }
}

DPL_TEST(few_pairs, higher_scores_have_no_lower_probability)
{
    static double scores[N], p[N];
    draw(scores, 40, 2, 1);
    for (size_t i = 0; i < 100; i++)
        scores[N - 1 - i] = -8 + 0.3 * (double)i; /* up to 22 */
    dpl__few_pairs_fit(p, scores, N);
    for (size_t i = 1; i < 100; i++)
        CHECK(p[N - 1 - i] >= p[N - i]);
}

DPL_TEST(few_pairs, none_where_all_are_wrong)
{
    static double scores[N], p[N];
    draw(scores, 0, 0, 3);
    CHECK(dpl__few_pairs_fit(p, scores, N) < 2);
    CHECK(dpl__few_pairs_fit(p, scores, 0) <= 0);
}
