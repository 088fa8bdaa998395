#include "mine/few_docs.h"

#include "base/hash.h"
#include "base/maths.h"
#include "mine/mine_params.h"
#include "mine/unit.h"
#include "test.h"

#include <math.h>

/* Two documents of so many words, of which that share is aligned where of decoys it is this,
 * with sentences that differ in length by so much from what is usual. */
static double odds_by(double n_words, double aligned, double length, double chance)
{
    return dpl__few_docs_odds(
        &dpl__unit_document, &(dpl__match){.margin = 2},
        &(dpl__alignment_features){
            .score = 0.3, .n_words = n_words, .aligned.most = aligned, .length = length},
        chance);
}

static double odds_of(double n_words, double aligned, double length)
{
    return odds_by(n_words, aligned, length, 0.2);
}

DPL_TEST(few_docs, aligned_text_of_usual_lengths_speaks_for_a_pair)
{
    CHECK(odds_of(500, 0.95, 0.15) > 3);
    CHECK(odds_of(500, 0.95, 0.15) > odds_of(500, 0.95, 0.5) + 1); /* lengths */
    CHECK(odds_of(500, 0.95, 0.15) > odds_of(500, 0.2, 0.45) + 4);
    for (double share = 0; share < 0.9; share += 0.1) {
        CHECK(odds_of(500, share + 0.1, 0.3) > odds_of(500, share, 0.3));
        CHECK(odds_of(500, 0.8, share + 0.1) < odds_of(500, 0.8, share));
    }
}

DPL_TEST(few_docs, half_a_text_speaks_for_a_pair_where_decoys_align_hardly)
{
    CHECK(odds_by(500, 0.5, 0.5, 0.05) > odds_by(500, 0.5, 0.5, 0.5) + 1.5);
    for (double chance = 0; chance < 0.9; chance += 0.1)
        CHECK(odds_by(500, 0.5, 0.5, chance) > odds_by(500, 0.5, 0.5, chance + 0.1));
}

DPL_TEST(few_docs, chance_is_that_of_decoys_and_few_decoys_say_little)
{
    enum { N = 200 };
    dpl__alignment_features decoys[N];
    for (size_t i = 0; i < N; i++)
        decoys[i] = (dpl__alignment_features){.n_words = 1e6, .aligned.most = 0.05};
    const double none = dpl__few_docs_chance(decoys, 0), two = dpl__few_docs_chance(decoys, 2),
                 all = dpl__few_docs_chance(decoys, N);
    CHECK(none > two && two > all && all > 0.05 && all < 0.06);
    decoys[0].n_words = 0; /* known by heart */
    CHECK(dpl__few_docs_chance(decoys, 1) < dpl__few_docs_chance(decoys + 1, 1));
}

DPL_TEST(few_docs, short_documents_say_little)
{
    double before = odds_of(0, 1, 0);
    CHECK(before < 0); /* known by heart */
    for (double n_words = 10; n_words < 1000; n_words *= 2) {
        CHECK(odds_of(n_words, 0.95, 0.1) > before);
        before = odds_of(n_words, 0.95, 0.1);
    }
}

DPL_TEST(few_docs, one_good_pair_among_bad_ones_is_no_evidence_and_four_are)
{
    enum { N = 8 };
    double p[N], odds[N];
    for (size_t n_good = 0; n_good <= 4; n_good++) {
        double right = 0;
        for (size_t i = 0; i < N; i++)
            odds[i] = i < n_good ? 3.5 : -6;
        const double evidence = dpl__few_docs_fit(p, odds, N);
        for (size_t i = 0; i < N; i++)
            right += p[i];
        CHECK((evidence >= DPL__P(mine, few_docs_evidence)) == (n_good >= 3));
        CHECK(n_good < 3 || (right > (double)n_good - 0.5 && right < (double)n_good + 0.5));
        CHECK(p[N - 1] < 0.01);
    }
}

DPL_TEST(few_docs, evidence_is_that_of_the_share)
{
    const double odds[3] = {2, 2, 1}; /* alike */
    double p[3], right = 0.5, evidence = 0;
    const double found = dpl__few_docs_fit(p, odds, 3);
    for (size_t i = 0; i < 3; i++)
        right += p[i];
    for (size_t i = 0; i < 3; i++)
        evidence += dpl__log(right / 4 * dpl__exp(odds[i]) + 1 - right / 4);
    CHECK(found - evidence < 1e-6 && evidence - found < 1e-6);
    CHECK(p[0] >= p[1] && p[0] <= p[1] && p[0] > p[2]);
}

DPL_TEST(few_docs, what_is_far_behind_the_right_pairs_is_none)
{
    enum { N = 30 };
    double p[N], odds[N];
    for (size_t high = 0; high < 2; high++) {
        for (size_t i = 0; i < N; i++)
            odds[i] = i < 20 ? (high ? 6 : 2) : i < 22 ? 1 : -4;
        dpl__few_docs_fit(p, odds, N);
        CHECK((p[20] > 0.5) == !high && p[0] > 0.9);
    }
}

DPL_TEST(few_docs, a_learnt_model_that_is_sure_outdoes_weights_that_find_a_part)
{
    enum { N = 60, SURE = 36 };
    double learnt[N];
    for (size_t i = 0; i < N; i++)
        learnt[i] = i < SURE ? 0.9 : 0.02;
    CHECK(dpl__is_learnt_clearly(learnt, N, 12)); /* Turkish manual pages */
    CHECK(!dpl__is_learnt_clearly(learnt, N, 20));
    CHECK(!dpl__is_learnt_clearly(learnt + SURE - 10, N - SURE + 10, 1)); /* few pairs */
    for (size_t i = SURE; i < N; i++)
        learnt[i] = 0.2; /* siblings */
    CHECK(!dpl__is_learnt_clearly(learnt, N, 12));
    CHECK(!dpl__is_learnt_clearly(learnt, 0, 0));
}

/* ---- against naive formulas ---------------------------------------------------------------
 */

#define P(name) DPL__P(mine, name)

static double draw(dpl__rng *rng)
{
    return (double)dpl__rng_below(rng, 1000) / 1000;
}

/* Thirty words of each side are there before: not aligned, of unusual lengths. */
DPL_TEST(few_docs, odds_are_a_sum_of_logarithms)
{
    dpl__rng rng = {dpl__mix(1)};
    dpl__unit unit = dpl__unit_document;
    for (int turn = 0; turn < 200; turn++) {
        const dpl__match m = {.margin = 1 + (float)draw(&rng)};
        const double n = 400 * draw(&rng), chance = draw(&rng) / 2, all = n + P(few_docs_words);
        const dpl__alignment_features a = {.score = turn % 5 ? draw(&rng) : 0.001,
                                           .n_words = n,
                                           .aligned.most = draw(&rng),
                                           .length = draw(&rng)};
        unit.score = turn % 2 ? DPL__SCORE_COSINE : DPL__SCORE_VOTES;
        const double aligned = a.aligned.most * n / all,
                     length = (a.length * n + P(few_docs_unlike) * P(few_docs_words)) / all;
        double want = (turn % 2 ? P(few_docs_margin) * log((double)m.margin) : 0) +
                      P(few_docs_score) * log(fmax(a.score, P(least_cosine))) -
                      P(few_docs_length) * log(P(length_share) + length) -
                      log(P(aligned_offset) - aligned) +
                      log((aligned + P(few_docs_least)) / (chance + P(few_docs_least)));
        want = fmin(fmax(want, -P(most_log_odds)), P(most_log_odds));
        CHECK(fabs(dpl__few_docs_odds(&unit, &m, &a, chance) - want) < 1e-6);
    }
}

/* The share of right ones that makes the odds likeliest, with half a right and half a wrong one
 * before them; what is far below the mean of right ones counts less. */
static double fit_naively(double *p, const double *odds, size_t n)
{
    double mean = -P(most_log_odds), evidence = 0;
    for (int turn = 0; turn < 6; turn++) {
        double share = 0.5, sum = 0, right = 0;
        for (int round = 0; round < (int)P(few_em_rounds); round++) {
            double all = 0.5;
            evidence = 0;
            for (size_t i = 0; i < n; i++) {
                const double below = fmax(mean - P(few_docs_spread) - odds[i], 0),
                             likely = exp(odds[i] - P(few_docs_far) * below) * share;
                p[i] = likely / (likely + 1 - share);
                evidence += log(likely + 1 - share);
                all += p[i];
            }
            share = all / ((double)n + 1);
        }
        for (size_t i = 0; i < n; i++) {
            sum += p[i] * odds[i];
            right += p[i];
        }
        mean = sum / right;
    }
    return evidence;
}

DPL_TEST(few_docs, probabilities_are_those_of_a_naive_fit)
{
    enum { MOST = 50 };
    dpl__rng rng = {dpl__mix(2)};
    for (int turn = 0; turn < 50; turn++) {
        double odds[MOST], p[MOST], want[MOST];
        const size_t n = 1 + dpl__rng_below(&rng, MOST);
        for (size_t i = 0; i < n; i++)
            odds[i] = 14 * draw(&rng) - 8 + (i % 3 ? 0 : 4);
        const double evidence = fit_naively(want, odds, n);
        CHECK(fabs(dpl__few_docs_fit(p, odds, n) - evidence) < 1e-5);
        for (size_t i = 0; i < n; i++)
            CHECK(fabs(p[i] - want[i]) < 1e-6);
    }
}

/* Fifteen right ones, nine tenths of them likely, of which fixed weights expect less than half.
 */
DPL_TEST(few_docs, a_learnt_model_is_kept_from_limits_on)
{
    enum { N = 40 };
    double learnt[N];
    for (int n_sure = 0; n_sure <= 20; n_sure++)
        for (int n_doubtful = 0; n_doubtful <= 10; n_doubtful += 5) {
            const double sure = n_sure, doubtful = n_doubtful * 0.4, all = sure + doubtful;
            const bool is_clear =
                all >= P(few_unlike_pairs) && sure >= P(few_unlike_sure) * all;
            for (int i = 0; i < N; i++)
                learnt[i] = i < n_sure ? 1 : i < n_sure + n_doubtful ? 0.4 : 0;
            CHECK_EQ(dpl__is_learnt_clearly(learnt, N, 0.49 * all), is_clear);
            CHECK(!dpl__is_learnt_clearly(learnt, N, P(few_unlike) * all));
        }
    for (int i = 0; i < N; i++)
        learnt[i] = 0.5; /* likely enough */
    CHECK(dpl__is_learnt_clearly(learnt, N, 0));
    for (int i = 0; i < N; i++)
        learnt[i] = 0.499;
    CHECK(!dpl__is_learnt_clearly(learnt, N, 0));
}

DPL_TEST(few_docs, are_those_with_fewer_candidates_than_a_model_needs)
{
    dpl__doc_candidates found = {.pairs.n = 0};
    for (; found.pairs.n < 100; found.pairs.n++)
        CHECK_EQ(dpl__are_few_docs(&found), found.pairs.n < 60);
}
