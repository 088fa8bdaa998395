/*
 * run_estimates.c - shares and their intervals, by the errors that were seen elsewhere.
 *
 * Errors are differences of log-odds. Deviations were measured on the half of the collections
 * of bench/calibration that parameters may be chosen on; what chance with the pairs of a draw
 * adds is taken away from them there and added again here.
 */
#include "mine/run_estimates.h"

#include "base/maths.h"
#include "mine/mine_params.h"

#include <math.h>
#include <stdio.h>

/* Mean and deviation of the errors of a kind of confidence, of precision and of recall. */
typedef struct errors {
    double shift[2], deviation[2];
} errors;

#define ERRORS(kind)                                                                           \
    (errors)                                                                                   \
    {                                                                                          \
        {DPL__P(mine, kind##_precision_shift), DPL__P(mine, kind##_recall_shift)},             \
        {                                                                                      \
            DPL__P(mine, kind##_precision_error), DPL__P(mine, kind##_recall_error)            \
        }                                                                                      \
    }

static errors errors_of(const dpl__estimate_input *in)
{
    if (in->is_strict)
        return ERRORS(strict);
    if (in->has_few)
        return ERRORS(few);
    if (in->unit->score == DPL__SCORE_ALIGNMENT)
        return ERRORS(sentence);
    if (in->unit->score == DPL__SCORE_VOTES)
        return ERRORS(passage);
    return ERRORS(document);
}

static double log_odds(double p)
{
    return dpl__log(p) - dpl__log(1 - p);
}

static double from_log_odds(double z)
{
    return 1 / (1 + dpl__exp(-z));
}

/* A share of n things, which is not known more exactly than half of one. */
static dpl__estimate estimate(double share, double n, double shift, double deviation)
{
    assert(n > 0 && share >= 0);
    double half = 0.5 / (n + 1), p = fmin(fmax(share, half), 1 - half);
    double middle = log_odds(p) + shift;
    p = from_log_odds(middle);
    double chance = 1 / (n * p * (1 - p) + 0.25),
           width = DPL__P(mine, interval_deviations) * sqrt(deviation * deviation + chance);
    dpl__estimate e = {p, fmax(from_log_odds(middle - width) - half, 0),
                       fmin(from_log_odds(middle + width) + half, 1)};
    if (p + half >= 1)
        e.value = 1;
    assert(e.low <= e.value && e.value <= e.high);
    return e;
}

/* Of few candidates the confidence is not fitted to them: it says what it began with, that they
 * are right. */
static const char *reason_for_none(const dpl__estimate_input *in)
{
    if ((double)in->n_pairs < DPL__P(mine, estimate_pairs) ||
        (double)in->n_candidates < DPL__P(mine, pairs_per_em_round))
        return "precision and recall cannot be estimated: too few pairs";
    return NULL;
}

static const char *say_precision(const dpl__estimate *e)
{
    return e->low >= 0.95   ? "nearly all pairs are right"
           : e->low >= 0.8  ? "most pairs are right"
           : e->low >= 0.5  ? "a part of the pairs is wrong, mostly those of low confidence"
           : e->high >= 0.8 ? "how many pairs are right is not certain"
                            : "many pairs are wrong";
}

static const char *say_recall(const dpl__estimate *e)
{
    return e->low >= 0.9    ? "hardly any is missing"
           : e->low >= 0.6  ? "some are missing"
           : e->high >= 0.9 ? "how many are missing is not certain"
                            : "many are missing";
}

static void put_verdict(dpl__estimates *out, const dpl__estimate_input *in)
{
    const char *help = "; a lexicon, a dictionary, known pairs or more documents would help";
    if (!in->n_pairs)
        out->verdict[0] = '\0';
    else if (out->why_none)
        snprintf(out->verdict, sizeof out->verdict,
                 "too few pairs to say how good they are: look at them%s", help);
    else
        snprintf(out->verdict, sizeof out->verdict, "%s, %s%s", say_precision(&out->precision),
                 say_recall(&out->recall),
                 out->precision.low < 0.8 || out->recall.low < 0.6 ? help : "");
}

void dpl__estimates_make(dpl__estimates *out, const dpl__estimate_input *in)
{
    const errors e = errors_of(in);
    *out = (dpl__estimates){0};
    if (in->n_pairs) {
        const dpl__estimate none = {NAN, NAN, NAN};
        out->precision = out->recall = none;
        out->why_none = reason_for_none(in);
    }
    if (in->n_pairs && !out->why_none) {
        const double n = (double)in->n_pairs, all = fmax(in->all, in->right);
        out->precision = estimate(in->right / n, n, e.shift[0], e.deviation[0]);
        out->recall = estimate(in->right / all, all, e.shift[1], e.deviation[1]);
    }
    put_verdict(out, in);
}

double dpl__estimate_shift(const dpl__estimate_input *in)
{
    return errors_of(in).shift[0];
}
