#include "mine/few_docs.h"

#include "base/maths.h"
#include "mine/mine_params.h"
#include "mine/unit.h"
#include "test.h"

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
