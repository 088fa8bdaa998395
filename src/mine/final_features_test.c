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
