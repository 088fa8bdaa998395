#include "mine/run_estimates.h"

#include "base/hash.h"
#include "mine/mine_params.h"
#include "test.h"

#include <math.h>
#include <stdio.h>
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

/* ---- against naive formulas ---------------------------------------------------------------
 */

#define P(name) DPL__P(mine, name)
#define OF_KIND(name, what)                                                                    \
    {                                                                                          \
        P(name##_##what##_middle), P(name##_##what##_low), P(name##_##what##_high)             \
    }

/* Median errors and their quantiles, of precision and of recall. */
typedef struct naive_kind {
    bool is_strict, has_few_docs, has_few;
    const dpl__unit *unit;
    double precision[3], recall[3];
} naive_kind;

/* A wrong or missing share, and a little more, is as many times larger as its error says. */
static double moved(double share, double error)
{
    return fmin(
        fmax(1 - ((1 - share + P(estimate_offset)) / exp(error) - P(estimate_offset)), 0), 1);
}

static void move_all(double out[3], double share, double n, const double errors[3])
{
    for (int i = 0; i < 3; i++) /* intervals are no narrower than one of n + 1 things */
        out[i] = moved(share, errors[i]) + (i == 0 ? 0 : i == 1 ? -0.5 : 0.5) / (n + 1);
    out[1] = fmax(out[1], 0);
    out[2] = fmin(out[2], 1);
}

static void check_estimate(const dpl__estimate *e, const double want[3])
{
    CHECK(fabs(e->value - want[0]) < 1e-9 && fabs(e->low - want[1]) < 1e-9);
    CHECK(fabs(e->high - want[2]) < 1e-9);
}

static void check_made(const dpl__estimate_input *in, const naive_kind *k)
{
    dpl__estimates e;
    double precision[3], recall[3];
    const double n = (double)in->n_pairs, all = fmax(in->all, in->right),
                 wrong = (in->doubt > 0 ? in->doubt : 1) * (1 - in->right / n),
                 share = in->n_smaller ? fmin(n / (double)in->n_smaller, 1) : 0;
    dpl__estimates_make(&e, in);
    move_all(precision, fmin(fmax(1 - wrong, 0), 1), n, k->precision);
    if (in->unit->has_alignment) {
        move_all(recall, in->right / all, fmax(all, 1), k->recall);
    } else {
        const double power = in->is_strict ? P(strict_recall_power) : 1,
                     missing = pow(1 - in->back + P(estimate_offset), power);
        if (!in->is_strict)
            precision[1] = fmax(precision[1] - P(sentence_unseen), 0);
        move_all(recall, fmax(1 + P(estimate_offset) - missing, 0), fmax(in->usual, 1),
                 k->recall);
        for (int i = 0; i < 3; i++)
            recall[i] = fmin(recall[i] * in->right / in->usual, 1);
    }
    for (int i = 0; i < 3; i++)
        recall[i] = fmax(recall[i], share * precision[i]);
    check_estimate(&e.precision, precision);
    check_estimate(&e.recall, recall);
}

DPL_TEST(run_estimates, errors_of_their_kind_move_them)
{
    const naive_kind kinds[] = {
        {.unit = &dpl__unit_document, OF_KIND(document, precision), OF_KIND(document, recall)},
        {.unit = &dpl__unit_passage, OF_KIND(passage, precision), OF_KIND(passage, recall)},
        {.unit = &dpl__unit_sentence, OF_KIND(sentence, precision), OF_KIND(sentence, recall)},
        {.has_few = true,
         .unit = &dpl__unit_document,
         OF_KIND(few, precision),
         OF_KIND(few, recall)},
        {.has_few_docs = true,
         .has_few = true,
         .unit = &dpl__unit_passage,
         OF_KIND(few_docs, precision),
         OF_KIND(few_docs, recall)},
        {.is_strict = true,
         .has_few = true,
         .unit = &dpl__unit_sentence,
         OF_KIND(strict, precision),
         OF_KIND(strict, recall)}};
    dpl__rng rng = {dpl__mix(1)};
    for (size_t i = 0; i < DPL_LEN(kinds); i++)
        for (int turn = 0; turn < 100; turn++) {
            const naive_kind *k = &kinds[i];
            const size_t n = 10 + dpl__rng_below(&rng, turn % 2 ? 20 : 5000);
            dpl__estimate_input in = {.unit = k->unit,
                                      .has_few = k->has_few,
                                      .has_few_docs = k->has_few_docs,
                                      .is_strict = k->is_strict,
                                      .n_candidates = n + 30,
                                      .n_pairs = n,
                                      .n_smaller = turn % 3 ? n * (1 + (size_t)turn % 2) : 0};
            in.right = (double)n * (1 - pow((double)dpl__rng_below(&rng, 1000) / 1000, 2));
            in.all = in.right * (double)(8 + dpl__rng_below(&rng, 10)) / 10;
            in.usual = in.right * (double)(8 + dpl__rng_below(&rng, 5)) / 10;
            in.back = (double)dpl__rng_below(&rng, 1001) / 1000;
            in.doubt = turn % 4 ? 0 : 3;
            check_made(&in, k);
        }
}

/* Too few candidates to fit a confidence to, or too few pairs. */
DPL_TEST(run_estimates, are_made_of_ten_pairs_of_thirty_candidates)
{
    for (size_t n_pairs = 9; n_pairs < 12; n_pairs++)
        for (size_t n = 28; n < 33; n++) {
            const dpl__estimate_input in = {.unit = &dpl__unit_document,
                                            .n_candidates = n,
                                            .n_pairs = n_pairs,
                                            .right = 9,
                                            .all = 9};
            dpl__estimates e;
            dpl__estimates_make(&e, &in);
            CHECK(!e.why_none == (n_pairs >= 10 && n >= 30));
        }
}

/* A verdict goes by the lower ends, or by the upper ones where these say little. */
static const char *precision_in_words(const dpl__estimate *e)
{
    static const char *const words[] = {
        "nearly all pairs are right", "most pairs are right", "a part of the pairs is wrong",
        "how many pairs are right is not certain", "many pairs are wrong"};
    return words[e->low >= 0.95   ? 0
                 : e->low >= 0.8  ? 1
                 : e->low >= 0.5  ? 2
                 : e->high >= 0.8 ? 3
                                  : 4];
}

static const char *recall_in_words(const dpl__estimate *e)
{
    static const char *const words[] = {", hardly any is missing", ", some are missing",
                                        ", how many are missing is not certain",
                                        ", many are missing"};
    return words[e->low >= 0.9 ? 0 : e->low >= 0.6 ? 1 : e->high >= 0.9 ? 2 : 3];
}

DPL_TEST(run_estimates, verdicts_say_what_the_intervals_are)
{
    unsigned seen = 0;
    for (size_t n = 10; n < 3000; n = n * 3 / 2)
        for (int right = 0; right <= 40; right++)
            for (int all = 0; all <= 10; all++) {
                const double n_right = (double)n * right / 40;
                const dpl__estimates e =
                    estimate_of(n + 30, n_right, n_right * (1 + all / 5.0));
                CHECK(strstr(e.verdict, precision_in_words(&e.precision)));
                CHECK(strstr(e.verdict, recall_in_words(&e.recall)));
                CHECK(!strstr(e.verdict, "would help") ==
                      (e.precision.low >= 0.8 && e.recall.low >= 0.6));
                seen |= 1u << (e.precision.low >= 0.95   ? 0
                               : e.precision.low >= 0.8  ? 1
                               : e.precision.low >= 0.5  ? 2
                               : e.precision.high >= 0.8 ? 3
                                                         : 4);
            }
    CHECK_EQ(seen, 31); /* each of them */
}

/* Up to a share of wrong ones, and up to twice that at the lower end. */
DPL_TEST(run_estimates, a_share_of_wrong_pairs_is_that_of_the_moved_precision)
{
    const dpl__estimate_input in = {.unit = &dpl__unit_document};
    const double middle = P(document_precision_middle), low = P(document_precision_low);
    unsigned n_by_low = 0, n_true = 0;
    for (int i = 0; i <= 200; i++)
        for (int k = 1; k < 40; k++) {
            const double confidence = i / 200.0, share = k / 100.0 + 1e-4;
            const bool is_few = 1 - moved(confidence, middle) <= share,
                       is_never_more = 1 - moved(confidence, low) <= 2 * share;
            CHECK_EQ(dpl__has_fewer_wrong(&in, confidence, share), is_few && is_never_more);
            n_by_low += is_few && !is_never_more;
            n_true += is_few && is_never_more;
        }
    CHECK(n_by_low > 10 && n_true > 100);
}
