#include "mine/final_features.h"

#include "test.h"

DPL_TEST(folds, are_many_for_few_pairs_and_few_for_long_ones)
{
    const double little = 20000, much = 500000;
    CHECK_EQ(dpl__count_folds(0, 1000, much), 1);
    CHECK_EQ(dpl__count_folds(0, 17, little), 20);
    CHECK_EQ(dpl__count_folds(0, 17, much), 5);
    CHECK_EQ(dpl__count_folds(0, 4, much), 20); /* all might be in one of five */
    CHECK_EQ(dpl__count_folds(0.9, 100, little), 10);
    CHECK_EQ(dpl__count_folds(0.9, 100, much), 5);
    CHECK_EQ(dpl__count_folds(0, 1, little), 1);
}

DPL_TEST(folds, are_tried_where_many_pairs_are_in_doubt)
{
    enum { N = 600 };
    dpl__doc_candidate pairs[N] = {0};
    dpl__doc_candidates f = {.pairs = {.data = pairs, .n = N}, .likely = 0.5};
    const double little = 20000, much = 5e6;
    for (size_t i = 0; i < N; i++)
        pairs[i].confidence = i % 5 ? 0.99 : 0.6;
    CHECK(dpl__may_be_overfit(&f, N, little));
    CHECK(!dpl__may_be_overfit(&f, 400, little)); /* a lexicon of fewer would know too little */
    CHECK(!dpl__may_be_overfit(&f, N, much));
    f.has_few = true;
    CHECK(!dpl__may_be_overfit(&f, N, little));
    f.has_few = false;
    for (size_t i = 0; i < N; i++)
        pairs[i].confidence = i % 20 ? 0.99 : 0.6;
    CHECK(!dpl__may_be_overfit(&f, N, little)); /* nearly all are sure */
}
