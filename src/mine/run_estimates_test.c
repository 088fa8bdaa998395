#include "mine/run_estimates.h"

#include "test.h"

#include <math.h>
#include <string.h>

static dpl__estimates estimate_of(size_t n, double right, double all)
{
    const dpl__estimate_input in = {.unit = &dpl__unit_document,
                                    .n_candidates = 2 * n,
                                    .n_pairs = n,
                                    .right = right,
                                    .all = all};
    dpl__estimates e;
    dpl__estimates_make(&e, &in);
    return e;
}

DPL_TEST(run_estimates, intervals_contain_the_estimate_and_become_narrow_with_many_pairs)
{
    double width[3] = {0};
    const size_t n[3] = {20, 200, 2000};
    for (int i = 0; i < 3; i++) {
        dpl__estimates e = estimate_of(n[i], 0.9 * (double)n[i], (double)n[i]);
        CHECK(e.precision.low < e.precision.value && e.precision.value < e.precision.high);
        CHECK(e.recall.low < e.recall.value && e.recall.value < e.recall.high);
        CHECK(e.precision.low > 0 && e.precision.high <= 1);
        width[i] = e.precision.high - e.precision.low;
    }
    CHECK(width[0] > width[1] && width[1] > width[2]);
}

DPL_TEST(run_estimates, all_right_is_within_its_interval)
{
    dpl__estimates e = estimate_of(600, 599.4, 599.4);
    CHECK(e.precision.high >= 1 && e.recall.high >= 1);
    CHECK(e.precision.low > 0.98 && e.precision.low < 1);
    CHECK(strstr(e.verdict, "nearly all pairs are right"));
}

DPL_TEST(run_estimates, few_pairs_give_a_reason_instead_of_a_number)
{
    dpl__estimates e = estimate_of(6, 5.6, 5.6);
    CHECK(e.why_none && isnan(e.precision.value) && isnan(e.precision.low));
    CHECK(isnan(e.recall.value) && isnan(e.recall.high));
    CHECK(strstr(e.verdict, "too few pairs"));
    e = estimate_of(0, 0, 0);
    CHECK(!e.why_none && !e.verdict[0]);
}

DPL_TEST(run_estimates, fixed_weights_need_no_candidates_to_be_fitted_to)
{
    dpl__estimate_input in = {.unit = &dpl__unit_document,
                              .has_few_docs = true,
                              .n_candidates = 18,
                              .n_pairs = 15,
                              .right = 14.5,
                              .all = 15};
    dpl__estimates e, learnt;
    dpl__estimates_make(&e, &in);
    CHECK(!e.why_none && e.precision.low < 0.87 && e.precision.low > 0.7);
    CHECK(e.recall.low < 0.87 && e.recall.high >= 1);
    in.has_few_docs = false;
    dpl__estimates_make(&learnt, &in);
    CHECK(learnt.why_none);
    in.has_few_docs = true;
    in.n_pairs = 9;
    dpl__estimates_make(&e, &in);
    CHECK(e.why_none);
}

DPL_TEST(run_estimates, confident_sentences_leave_room_for_what_no_confidence_sees)
{
    const dpl__estimate_input in = {.unit = &dpl__unit_sentence,
                                    .n_candidates = 7900,
                                    .n_pairs = 7723,
                                    .n_smaller = 7883,
                                    .right = 7700,
                                    .usual = 7700,
                                    .back = 0.9755};
    dpl__estimates e; /* Sranan verses: .969 are right, .943 are found */
    dpl__estimates_make(&e, &in);
    CHECK(e.precision.low < 0.969 && e.precision.low > 0.95 && e.precision.high >= 1);
    CHECK(e.recall.low < 0.943 && e.recall.low > 0.92);
    CHECK(e.precision.value > 0.99);
}

DPL_TEST(run_estimates, strict_confidences_of_sentences_have_wide_intervals)
{
    dpl__estimate_input in = {.unit = &dpl__unit_sentence,
                              .n_candidates = 1000,
                              .n_pairs = 60,
                              .right = 48,
                              .usual = 48,
                              .back = 0.95};
    dpl__estimates plain, strict;
    dpl__estimates_make(&plain, &in);
    in.is_strict = true;
    in.doubt = 2; /* 24 wrong ones instead of 12 */
    dpl__estimates_make(&strict, &in);
    CHECK(strict.precision.value < plain.precision.value);
    CHECK(strict.precision.high - strict.precision.low >
          plain.precision.high - plain.precision.low);
    CHECK(strstr(strict.verdict, "would help"));
}

DPL_TEST(run_estimates, a_share_of_wrong_pairs_holds_for_its_interval_too)
{
    dpl__estimate_input in = {.unit = &dpl__unit_document};
    CHECK(dpl__has_fewer_wrong(&in, 0.97, 0.05));
    CHECK(!dpl__has_fewer_wrong(&in, 0.955, 0.05)); /* 0.05 expected, but 0.13 is possible */
    CHECK(!dpl__has_fewer_wrong(&in, 0.9, 0.05));
    in.is_strict = true;
    in.doubt = 2;
    CHECK(!dpl__has_fewer_wrong(&in, 0.97, 0.05));
    CHECK(dpl__has_fewer_wrong(&in, 0.99, 0.05));
    CHECK(dpl__has_fewer_wrong(&in, 1, 0.001) == false); /* no figure is so exact */
}

static dpl__estimates estimate_of_sentences(double back, double right, size_t n_smaller)
{
    const dpl__estimate_input in = {.unit = &dpl__unit_sentence,
                                    .n_candidates = 1500,
                                    .n_pairs = 1000,
                                    .n_smaller = n_smaller,
                                    .right = right,
                                    .usual = 960,
                                    .back = back};
    dpl__estimates e;
    dpl__estimates_make(&e, &in);
    return e;
}

DPL_TEST(run_estimates, more_is_missing_than_does_not_come_back)
{
    double before = 1;
    for (double back = 1; back > 0.75; back -= 0.05) {
        const dpl__estimate r = estimate_of_sentences(back, 960, 4000).recall;
        CHECK(r.value <= back && r.value < before);
        CHECK(r.low <= r.value && r.value <= r.high);
        before = r.value;
    }
    CHECK(before < 0.5);
}

DPL_TEST(run_estimates, a_higher_cut_keeps_as_much_less_of_what_there_is)
{
    const dpl__estimate all = estimate_of_sentences(0.95, 960, 0).recall,
                        half = estimate_of_sentences(0.95, 480, 0).recall;
    CHECK(fabs(half.value - all.value / 2) < 1e-12);
    CHECK(fabs(half.high - all.high / 2) < 1e-12);
}

DPL_TEST(run_estimates, recall_is_at_least_the_share_of_documents_in_right_pairs)
{
    const dpl__estimates e = estimate_of_sentences(0.8, 960, 1010);
    CHECK(fabs(e.recall.low - e.precision.low * 1000 / 1010) < 1e-12);
    CHECK(fabs(e.recall.high - e.precision.high * 1000 / 1010) < 1e-12);
}
