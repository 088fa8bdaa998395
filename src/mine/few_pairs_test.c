#include "mine/few_pairs.h"

#include "base/hash.h"
#include "mine/mine_params.h"
#include "test.h"

enum { N = 600 };

static const dpl__siblings none;

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
            double right = dpl__few_pairs_fit(p, scores, N, &none, N);
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
    dpl__few_pairs_fit(p, scores, N, &none, N);
    for (size_t i = 1; i < 100; i++)
        CHECK(p[N - 1 - i] >= p[N - i]);
}

DPL_TEST(few_pairs, none_where_all_are_wrong)
{
    static double scores[N], p[N];
    draw(scores, 0, 0, 3);
    CHECK(dpl__few_pairs_fit(p, scores, N, &none, N) < 2);
    CHECK(dpl__few_pairs_fit(p, scores, 0, &none, N) <= 0);
}

/* Right ones, siblings 0.1 below in cosine as those within the sides are, and others. */
DPL_TEST(few_pairs, siblings_within_the_sides_are_not_taken_for_right_pairs)
{
    enum { RIGHT = 15, SIBLINGS = 40 };
    static double scores[N], p[N];
    dpl__siblings siblings = none;
    const size_t bin = DPL__SIBLING_BINS * 9 / 10;
    const double below =
        DPL__P(mine, few_sibling_distance) * 8 * (1 - dpl__siblings_cosine(bin));
    double with = 0, without = 0;
    siblings.n[bin] = SIBLINGS;
    siblings.words = 64;
    for (uint64_t seed = 0; seed < 10; seed++) {
        dpl__rng rng = {dpl__mix(seed)};
        draw(scores, RIGHT, 2.5, seed);
        for (size_t i = RIGHT; i < RIGHT + SIBLINGS; i++)
            scores[i] = 2.5 - below + 1.2 * noise(&rng);
        without += dpl__few_pairs_fit(p, scores, N, &none, N) / 10;
        with += dpl__few_pairs_fit(p, scores, N, &siblings, N) / 10;
    }
    CHECK(without > 2 * RIGHT); /* most siblings among them */
    CHECK(with > 0.6 * RIGHT && with < 1.4 * RIGHT);
}

DPL_TEST(few_pairs, the_cut_has_the_highest_expected_f1)
{
    double sure[] = {0.01, 0.99, 0.98, 0.02}, doubtful[] = {0.3, 0.1, 0.3, 0.3, 0.01};
    CHECK(dpl__few_pairs_cut(sure, DPL_LEN(sure)) > 0.97);
    const double cut = dpl__few_pairs_cut(doubtful, DPL_LEN(doubtful));
    CHECK(cut > 0.29 && cut < 0.31);
    CHECK(dpl__few_pairs_cut(NULL, 0) >= 1);
}
