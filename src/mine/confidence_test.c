#include "mine/confidence.h"

#include "base/hash.h"
#include "test.h"

#include <math.h>

enum { N_DOCS = 1000, N_RIGHT = 600, N_ALONE = N_DOCS - N_RIGHT };
/* Of the documents that are alone some are each other's best match: as many as if that grew
 * with the square of how many are alone, and of 600 of either side 2 x 400 had another one. */
enum { N_MUTUAL = 320 };

/* About normal, of variance one. */
static double noise(dpl__rng *rng)
{
    double sum = -6;
    for (int i = 0; i < 12; i++)
        sum += (double)(dpl__rng_next(rng) >> 11) * 0x1p-53;
    return sum;
}

/* Two features; the second one says nothing. */
static dpl__features draw(dpl__rng *rng, double mean)
{
    return (dpl__features){{mean + noise(rng), noise(rng)}};
}

static void fit(dpl__confidence *model, double *p, dpl__confidence_input in)
{
    dpl_ctx *ctx = test_ctx(1);
    CHECK_OK(dpl__confidence_fit(model, p, ctx, &in, &test_err));
    test_ctx_done(ctx);
}

static dpl__confidence_input input_of(const dpl__features *pairs, const dpl__decoy *decoys)
{
    return (dpl__confidence_input){.pairs = pairs,
                                   .n_pairs = N_DOCS,
                                   .decoys = decoys,
                                   .n_decoys = 2 * N_DOCS,
                                   .n_features = 2,
                                   .n_docs = N_DOCS,
                                   .n_side = {N_DOCS, N_DOCS}};
}

DPL_TEST(confidence, says_how_many_are_right)
{
    static dpl__features pairs[N_DOCS];
    static dpl__decoy decoys[2 * N_DOCS]; /* a pair is taken away from either side */
    static double p[N_DOCS];
    for (uint64_t seed = 0; seed < 10; seed++) {
        dpl__rng rng = {dpl__mix(seed)};
        for (size_t i = 0; i < N_RIGHT + N_MUTUAL; i++) {
            pairs[i] = draw(&rng, i < N_RIGHT ? 4 : 0);
            decoys[i] = (dpl__decoy){draw(&rng, 0), {(uint32_t)i, DPL__NO_PAIR}};
            decoys[N_RIGHT + N_MUTUAL + i] =
                (dpl__decoy){draw(&rng, 0), {DPL__NO_PAIR, (uint32_t)i}};
        }
        dpl__confidence model;
        dpl__confidence_input in = input_of(pairs, decoys);
        in.n_pairs = N_RIGHT + N_MUTUAL;
        in.n_decoys = 2 * in.n_pairs;
        fit(&model, p, in);
        double n_taken = 0, n_right = 0, expected = 0;
        for (size_t i = 0; i < in.n_pairs; i++)
            if (p[i] >= 0.5) {
                n_taken++;
                n_right += i < N_RIGHT;
                expected += p[i];
            }
        CHECK(fabs(model.alone - (double)N_ALONE / N_DOCS) < 0.05);
        CHECK(n_right / n_taken > 0.96 && n_right / N_RIGHT > 0.95);
        CHECK(fabs(expected - n_right) / n_taken < 0.02);
        CHECK(model.weight[0] > 1 && model.weight[1] >= 0 && model.weight[1] < 0.3);
    }
}

DPL_TEST(confidence, nothing_to_tell_apart_is_nothing_to_believe)
{
    static dpl__features pairs[N_DOCS];
    static dpl__decoy decoys[2 * N_DOCS]; /* a pair is taken away from either side */
    static double p[N_DOCS];
    dpl__rng rng = {dpl__mix(7)};
    for (size_t i = 0; i < N_DOCS; i++) {
        pairs[i] = draw(&rng, 0);
        decoys[i] = (dpl__decoy){draw(&rng, 0), {(uint32_t)i, DPL__NO_PAIR}};
        decoys[N_DOCS + i] = (dpl__decoy){draw(&rng, 0), {DPL__NO_PAIR, (uint32_t)i}};
    }
    dpl__confidence model;
    fit(&model, p, input_of(pairs, decoys));
    for (size_t i = 0; i < N_DOCS; i++)
        CHECK(p[i] < 0.5);
}

DPL_TEST(confidence, sets_apart_by_a_wall_and_sets_of_none_stay_finite)
{
    dpl__features pairs[3] = {{{5}}, {{6}}, {{7}}};
    dpl__decoy decoys[2] = {{{{0}}, {0, DPL__NO_PAIR}}, {{{1}}, {1, 2}}};
    double p[3];
    dpl__confidence model;
    fit(&model, p, (dpl__confidence_input){pairs, 3, decoys, 2, 1, 3, {3, 3}, false});
    for (int i = 0; i < 3; i++)
        CHECK(p[i] > 0.5 && p[i] <= 1);
    fit(&model, p, (dpl__confidence_input){pairs, 3, NULL, 0, 1, 3, {3, 3}, false});
    for (int i = 0; i < 3; i++) /* nothing to compare with: who knows */
        CHECK(fabs(p[i] - 0.5) < 1e-9);
    fit(&model, p, (dpl__confidence_input){NULL, 0, NULL, 0, 1, 3, {3, 3}, false});
}

/* A hundred pairs are wrong, and something better stands behind each of them. */
DPL_TEST(confidence, decoys_count_as_far_as_what_was_taken_away_was_right)
{
    enum { N_WRONG = 100 };
    static dpl__features pairs[N_DOCS];
    static dpl__decoy decoys[2 * N_DOCS]; /* a pair is taken away from either side */
    static double p[N_DOCS];
    double n_taken[2] = {0, 0};
    for (int is_told = 0; is_told < 2; is_told++) {
        dpl__rng rng = {dpl__mix(100)};
        for (uint32_t i = 0; i < N_DOCS; i++) {
            pairs[i] = draw(&rng, i < N_WRONG ? 0 : 4);
            decoys[i] = (dpl__decoy){draw(&rng, i < N_WRONG ? 4 : 0),
                                     {is_told ? i : DPL__NO_PAIR, DPL__NO_PAIR}};
            decoys[N_DOCS + i] = (dpl__decoy){draw(&rng, i < N_WRONG ? 4 : 0),
                                              {DPL__NO_PAIR, is_told ? i : DPL__NO_PAIR}};
        }
        dpl__confidence model;
        fit(&model, p, input_of(pairs, decoys));
        for (uint32_t i = N_WRONG; i < N_DOCS; i++)
            n_taken[is_told] += p[i];
    }
    CHECK(n_taken[1] > 0.97 * (N_DOCS - N_WRONG));
    CHECK(n_taken[1] > n_taken[0]);
}

DPL_TEST(confidence, does_not_depend_on_the_number_of_threads)
{
    enum { N = 12000 };
    static dpl__features pairs[N];
    static dpl__decoy decoys[N];
    static double p[2][N];
    dpl__rng rng = {dpl__mix(11)};
    for (uint32_t i = 0; i < N; i++) {
        pairs[i] = draw(&rng, i < N / 2 ? 3 : 0);
        decoys[i] = (dpl__decoy){draw(&rng, 0), {i, DPL__NO_PAIR}};
    }
    dpl__confidence_input in = {pairs, N, decoys, N, 2, N, {N, N}, false};
    for (unsigned i = 0; i < 2; i++) {
        dpl_ctx *ctx = test_ctx(i ? 3 : 1);
        dpl__confidence model;
        CHECK_OK(dpl__confidence_fit(&model, p[i], ctx, &in, &test_err));
        test_ctx_done(ctx);
    }
    CHECK(memcmp(p[0], p[1], sizeof p[0]) == 0);
}
