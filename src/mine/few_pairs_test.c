#include "mine/few_pairs.h"

#include "base/hash.h"
#include "mine/mine_params.h"
#include "mine/unit.h"
#include "test.h"

#include <math.h>

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

/* ---- against a naive fit ------------------------------------------------------------------
 */

#define P(name) DPL__P(mine, name)

/* Every feature adds its weight times its logarithm; margins and leads of cosines count more
 * than those of votes. */
DPL_TEST(few_pairs, a_score_is_a_weighted_sum_of_logarithms)
{
    const dpl__alignment_features a = {
        .aligned.mean = 0.7, .words.missing = 0.3, .length = 0.2};
    dpl__unit unit = dpl__unit_document;
    for (int turn = 0; turn < 4; turn++) {
        const float left = turn % 2 ? 1.5f : 4, right = turn % 2 ? 3 : 0.5f;
        const dpl__match m = {.score = 0.3f, .margin = 2.5f, .lead = {left, right}};
        unit.score = turn < 2 ? DPL__SCORE_COSINE : DPL__SCORE_VOTES;
        const double found =
            P(few_margin) * log(2.5) + P(few_most_lead) * log(turn % 2 ? 3 : 4);
        const double want = P(few_bias) + (turn < 2 ? P(few_cosines) : 1) * found -
                            P(few_aligned) * log(P(aligned_offset) - 0.7) -
                            P(few_missing) * log(P(missing_offset) + 0.3) -
                            P(few_length) * log(P(length_share) + 0.2);
        CHECK(fabs(dpl__few_pairs_score(&unit, &m, &a) - want) < 1e-6);
    }
}

/* Three kinds above the floor: right ones, siblings of some cosines below them, and others. */
typedef struct naive {
    double right, other, alone, rate, mean, deviation;
    const dpl__siblings *siblings;
} naive;

static double bell(double x, double mean, double deviation)
{
    return exp(-(x - mean) * (x - mean) / (2 * deviation * deviation)) /
           (deviation * sqrt(2 * acos(-1)));
}

/* [0]: right, [1]: a sibling, [2]: another. */
static void part_naively(double p[3], const naive *m, double score)
{
    double sum = 0;
    p[0] = m->right * bell(score, m->mean, m->deviation);
    p[1] = 0;
    for (size_t bin = 0; bin < DPL__SIBLING_BINS; bin++)
        p[1] += m->alone * m->siblings->n[bin] *
                bell(score,
                     m->mean - P(few_sibling_distance) * sqrt(m->siblings->words) *
                                   (1 - dpl__siblings_cosine(bin)),
                     m->deviation);
    p[2] = m->other * m->rate * exp(-m->rate * (score - P(few_floor)));
    for (int k = 0; k < 3; k++)
        sum += p[k];
    for (int k = 0; k < 3; k++)
        p[k] /= sum;
}

static void fit_naively(double *out, const double *scores, const dpl__siblings *siblings,
                        double n_docs)
{
    double n_above = 0;
    for (size_t i = 0; i < N; i++)
        n_above += scores[i] > P(few_floor);
    naive m = {n_above / 3, n_above * 2 / 3,  1,       P(few_rate),
               P(few_mean), P(few_deviation), siblings};
    for (int round = 0; round < (int)P(few_em_rounds); round++) {
        double sum[3] = {0}, above = 0, scored = 0, squares = 0, p[3];
        for (size_t i = 0; i < N; i++) {
            if (scores[i] <= P(few_floor))
                continue;
            part_naively(p, &m, scores[i]);
            for (int k = 0; k < 3; k++)
                sum[k] += p[k];
            above += p[2] * (scores[i] - P(few_floor));
            scored += p[0] * scores[i];
            squares += p[0] * pow(scores[i] - m.mean, 2);
        }
        m = (naive){
            .right = sum[0] + 1,
            .other = sum[2] + 1,
            .alone = pow(fmax(1 - sum[0] / n_docs, 0), 2),
            .rate = (sum[2] + P(few_rate_seen)) / (above + P(few_rate_seen) / P(few_rate)),
            .mean = (scored + P(few_mean_seen) * P(few_mean)) / (sum[0] + P(few_mean_seen)),
            .deviation = sqrt((squares + P(few_deviation_seen) * pow(P(few_deviation), 2)) /
                              (sum[0] + P(few_deviation_seen))),
            .siblings = siblings};
    }
    for (size_t i = 0; i < N; i++) {
        double p[3] = {0};
        if (scores[i] > P(few_floor))
            part_naively(p, &m, fmin(scores[i], m.mean + m.rate * m.deviation * m.deviation));
        out[i] = p[0];
    }
}

DPL_TEST(few_pairs, probabilities_are_those_of_a_naive_fit)
{
    static double scores[N], p[N], want[N];
    dpl__siblings siblings = {.words = 50};
    for (uint64_t seed = 20; seed < 26; seed++) {
        double sum = 0;
        const double n_docs = seed % 2 ? 60 : N;
        draw(scores, 10 * (size_t)(seed - 19), 1 + (double)(seed % 3), seed);
        scores[N - 1] = P(few_floor); /* is not above it */
        for (size_t i = 0; i < 20; i++)
            scores[N - 2 - i] = -5 + 0.7 * (double)i;
        siblings.n[DPL__SIBLING_BINS - 1] = seed > 22 ? 12 : 0;
        siblings.n[3] = seed > 23 ? 30 : 0;
        fit_naively(want, scores, &siblings, n_docs);
        const double right = dpl__few_pairs_fit(p, scores, N, &siblings, n_docs);
        for (size_t i = 0; i < N; i++) {
            CHECK(fabs(p[i] - want[i]) < 1e-6);
            sum += want[i];
        }
        CHECK(fabs(right - sum) < 1e-4);
    }
}

DPL_TEST(few_pairs, the_cut_is_that_of_a_naive_search)
{
    enum { MOST = 12 };
    dpl__rng rng = {dpl__mix(27)};
    for (int turn = 0; turn < 300; turn++) {
        double p[MOST], all = 0, best = 0, want = 1;
        const size_t n = 1 + dpl__rng_below(&rng, MOST);
        for (size_t i = 0; i < n; i++) {
            p[i] = uniform(&rng);
            all += p[i];
        }
        for (size_t i = 0; i < n; i++) { /* takes those that are at least as likely as i */
            double right = 0, taken = 0;
            for (size_t k = 0; k < n; k++) {
                right += p[k] >= p[i] ? p[k] : 0;
                taken += p[k] >= p[i];
            }
            if (2 * right / (taken + all) > best) {
                best = 2 * right / (taken + all);
                want = p[i];
            }
        }
        CHECK(fabs(dpl__few_pairs_cut(p, n) - want) < 1e-12);
        for (size_t i = 1; i < n; i++)
            CHECK(p[i - 1] >= p[i]);
    }
}
