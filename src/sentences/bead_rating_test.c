#include "sentences/bead_rating.h"

#include "test.h"

static const dpl_bead one_one = {.n_left = 1, .n_right = 1};
static const dpl__bead_score usual = {.information = 20,
                                      .expected = 20,
                                      .off = 0.5,
                                      .coverage = {0.6, 0.6},
                                      .n_tokens = {12, 12}};

/* Of the first of n beads, the others being like `rest`. */
static float rate(dpl_bead bead, dpl__bead_score score, dpl__bead_score rest, bool is_unordered)
{
    enum { N = 20 };
    dpl__bead_priors priors;
    dpl__bead_rating rating;
    dpl_bead beads[N];
    dpl__bead_score scores[N];
    dpl__bead_priors_init(&priors);
    dpl__bead_rating_init(&rating, is_unordered ? NULL : &priors);
    for (size_t i = 0; i < N; i++) {
        beads[i] = i ? one_one : bead;
        scores[i] = i ? rest : score;
    }
    dpl__bead_rating_apply(&rating, beads, scores, N);
    return beads[0].score;
}

DPL_TEST(bead_rating, evidence_raises_and_lowers_the_probability)
{
    float base = rate(one_one, usual, usual, false);
    CHECK(base > 0.9f && base < 1);
    dpl__bead_score few = usual, odd = usual, cut = usual;
    few.information = 5;
    odd.off = 15;
    cut.coverage[1] = 0.1;
    CHECK(rate(one_one, few, usual, false) < base);
    CHECK(rate(one_one, odd, usual, false) < 0.1f);
    CHECK(rate(one_one, cut, usual, false) < base);
}

DPL_TEST(bead_rating, seldom_types_are_less_likely)
{
    dpl_bead two = {.n_left = 2, .n_right = 1}, four = {.n_left = 2, .n_right = 2};
    CHECK(rate(two, usual, usual, false) < rate(one_one, usual, usual, false));
    CHECK(rate(four, usual, usual, false) < rate(two, usual, usual, false));
    CHECK(rate(four, usual, usual, true) == rate(one_one, usual, usual, true));
}

DPL_TEST(bead_rating, beads_among_unrelated_ones_are_doubted)
{
    dpl__bead_score unrelated = usual;
    unrelated.information = 2;
    CHECK(rate(one_one, usual, unrelated, false) < rate(one_one, usual, usual, false) - 0.2f);
}

DPL_TEST(bead_rating, sentences_without_counterpart_have_no_score)
{
    dpl_bead alone = {.n_left = 1};
    CHECK(rate(alone, (dpl__bead_score){0}, usual, false) == 0);
}
