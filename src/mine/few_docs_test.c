#include "mine/few_docs.h"

#include "base/maths.h"
#include "mine/mine_params.h"
#include "mine/unit.h"
#include "test.h"

/* Two documents of so many words, of which that share is aligned, with sentences that differ in
 * length by so much from what is usual. */
static double odds_of(double n_words, double aligned, double length)
{
    return dpl__few_docs_odds(
        &dpl__unit_document, &(dpl__match){.margin = 2},
        &(dpl__alignment_features){
            .score = 0.2, .n_words = n_words, .aligned = aligned, .length = length});
}

DPL_TEST(few_docs, aligned_text_of_usual_lengths_speaks_for_a_pair)
{
    CHECK(odds_of(500, 0.95, 0.15) > 3);
    CHECK(odds_of(500, 0.95, 0.5) < 0); /* lengths */
    CHECK(odds_of(500, 0.2, 0.45) < -3);
    for (double share = 0; share < 0.9; share += 0.1) {
        CHECK(odds_of(500, share + 0.1, 0.3) > odds_of(500, share, 0.3));
        CHECK(odds_of(500, 0.8, share + 0.1) < odds_of(500, 0.8, share));
    }
}

DPL_TEST(few_docs, short_documents_say_little)
{
    double before = odds_of(0, 1, 0);
    CHECK(before < -5); /* known by heart */
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
    const double odds[3] = {2, 2, -1};
    double p[3], right = 0.5, evidence = 0;
    const double found = dpl__few_docs_fit(p, odds, 3);
    for (size_t i = 0; i < 3; i++)
        right += p[i];
    for (size_t i = 0; i < 3; i++)
        evidence += dpl__log(right / 4 * dpl__exp(odds[i]) + 1 - right / 4);
    CHECK(found - evidence < 1e-6 && evidence - found < 1e-6);
    CHECK(p[0] >= p[1] && p[0] <= p[1] && p[0] > p[2]);
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
