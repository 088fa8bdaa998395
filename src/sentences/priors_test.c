#include "sentences/priors.h"

#include "base/hash.h"
#include "base/maths.h"
#include "sentences/sigmoid.h"
#include "test.h"

#include <math.h>
#include <stdlib.h>

enum { N = 5000 };

DPL_TEST(priors, logarithm_and_sigmoid_are_those_of_the_library)
{
    dpl__rng rng = {5};
    for (int i = 0; i < 10000; i++) {
        double x = ldexp(1 + (double)dpl__rng_below(&rng, 1 << 30) * 0x1p-30,
                         (int)dpl__rng_below(&rng, 1600) - 800);
        CHECK(fabs(dpl__log(x) - log(x)) <= 1e-15 * fabs(log(x)) + 1e-15);
        double y = (double)dpl__rng_below(&rng, 100000) * 1e-3 - 50;
        CHECK(fabs(dpl__sigmoid(y) - 1 / (1 + exp(-y))) < 1e-9);
    }
    CHECK(dpl__log(1) == 0);
    CHECK(dpl__sigmoid(0) == 0.5);
}

/* About normal: mean 0, variance 1. */
static double normal(dpl__rng *rng)
{
    double sum = -6;
    for (int i = 0; i < 12; i++)
        sum += (double)dpl__rng_below(rng, 1 << 30) * 0x1p-30;
    return sum;
}

/* Right sentences half as long again, with a variance of 2 / length + 0.01. */
static void learn(dpl__bead_priors *priors, unsigned n_rounds, dpl_bead *beads,
                  const dpl__bead_doc docs[2])
{
    dpl__bead_priors_init(priors);
    for (unsigned i = 0; i < n_rounds; i++) {
        dpl__prior_counts sums = {0}, half = {0};
        dpl__prior_counts_add(&sums, priors, docs, beads, N / 2);
        dpl__prior_counts_add(&half, priors, docs, beads + N / 2, N - N / 2);
        dpl__prior_counts_merge(&sums, &half);
        dpl__bead_priors_estimate(priors, &sums);
    }
}

DPL_TEST(priors, lengths_and_kinds_are_learnt)
{
    static uint32_t chars[2][N];
    static dpl_bead beads[N];
    dpl__rng rng = {7};
    for (uint32_t i = 0; i < N; i++) {
        double length = exp(2.5 + 3 * (double)dpl__rng_below(&rng, 1000) / 1000);
        double x = 0.405 + normal(&rng) * sqrt(2 / length + 0.01);
        chars[0][i] = (uint32_t)(length / exp(x / 2) + 0.5);
        chars[1][i] = (uint32_t)(length * exp(x / 2) + 0.5);
        beads[i] = (dpl_bead){.left = i, .n_left = 1, .right = i, .n_right = i % 10 ? 1 : 0};
    }
    dpl__bead_doc docs[2] = {{.chars = chars[0], .n = N}, {.chars = chars[1], .n = N}};
    dpl__bead_priors priors, usual;
    dpl__bead_priors_init(&usual);
    learn(&priors, 3, beads, docs);
    CHECK(fabs(priors.log_ratio - 0.405) < 0.02);
    CHECK(priors.variance > 1 && priors.variance < 3);
    CHECK(priors.floor > 0.004 && priors.floor < 0.02);
    CHECK(priors.log_p[1][0] > usual.log_p[1][0] + 0.5);
    CHECK(priors.log_p[0][1] < priors.log_p[1][0] - 2); /* each side for itself */
    CHECK(priors.log_p[1][2] < usual.log_p[1][2] - 1);
}

DPL_TEST(priors, nothing_learnt_is_the_usual)
{
    dpl__prior_counts sums = {0};
    dpl__bead_priors priors, usual;
    dpl__bead_priors_init(&usual);
    priors = usual;
    dpl__bead_priors_estimate(&priors, &sums);
    CHECK(priors.log_ratio == 0 && priors.variance == usual.variance);
    CHECK(fabs(priors.log_p[1][1] - usual.log_p[1][1]) < 1e-9);
    CHECK(fabs(priors.log_p[2][1] - usual.log_p[2][1]) < 1e-9);
}

DPL_TEST(priors, lengths_by_chance_are_those_of_runs)
{
    uint32_t chars[2][100];
    for (uint32_t i = 0; i < 100; i++) {
        chars[0][i] = 20 + i % 3 * 10;
        chars[1][i] = 4 * chars[0][i];
    }
    dpl__bead_doc docs[2] = {{.chars = chars[0], .n = 100}, {.chars = chars[1], .n = 100}};
    dpl__run_counts sums = {0}, one = {0};
    dpl__bead_priors priors;
    dpl__bead_priors_init(&priors);
    for (int i = 0; i < 10; i++) {
        one = (dpl__run_counts){0};
        dpl__run_counts_add(&one, docs);
        dpl__run_counts_merge(&sums, &one);
    }
    dpl__bead_priors_start(&priors, &sums);
    CHECK(fabs(priors.log_ratio - log(4)) < 0.1);
    CHECK(!priors.has_signs);
    for (unsigned k = 1; k <= 4; k++) {
        CHECK(fabs(priors.runs[0][k].mean - log(30 * k)) < 0.1);
        CHECK(fabs(priors.runs[1][k].mean - log(120 * k)) < 0.1);
    }
    CHECK(priors.runs[0][2].variance < priors.runs[0][1].variance);
}

DPL_TEST(priors, a_side_many_times_as_long_is_lopsided)
{
    uint32_t chars[900];
    for (uint32_t i = 0; i < 900; i++)
        chars[i] = 50;
    const uint32_t sides[][2] = {{100, 100}, {100, 799}, {799, 100},
                                 {100, 801}, {801, 100}, {0, 1}};
    for (size_t i = 0; i < DPL_LEN(sides); i++) {
        dpl__run_counts runs = {0};
        const dpl__bead_doc docs[2] = {{.chars = chars, .n = sides[i][0]},
                                       {.chars = chars, .n = sides[i][1]}};
        dpl__run_counts_add(&runs, docs);
        CHECK_EQ(dpl__run_counts_are_lopsided(&runs), i > 2);
    }
}
