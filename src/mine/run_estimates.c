/*
 * run_estimates.c - shares and their intervals, by the errors that were seen elsewhere.
 *
 * What is wrong or missing is estimated within a factor: errors are differences of
 * -log(1 + estimate_offset - share). Their quantiles were taken on the half of the collections
 * of bench/calibration that parameters may be chosen on, for each kind of confidence. In
 * log-odds, intervals of the same coverage are twice as wide.
 */
#include "mine/run_estimates.h"

#include "base/maths.h"
#include "mine/mine_params.h"

#include <math.h>
#include <stdio.h>

/* Quantiles of the errors of a kind of confidence. */
typedef struct errors {
    double low, middle, high;
} errors;

typedef struct kind {
    errors precision, recall;
} kind;

#define ERRORS(name)                                                                           \
    {                                                                                          \
        DPL__P(mine, name##_low), DPL__P(mine, name##_middle), DPL__P(mine, name##_high)       \
    }
#define KIND(name)                                                                             \
    (kind)                                                                                     \
    {                                                                                          \
        ERRORS(name##_precision), ERRORS(name##_recall)                                        \
    }

static kind kind_of(const dpl__estimate_input *in)
{
    if (in->is_strict)
        return KIND(strict);
    if (in->has_few_docs)
        return KIND(few_docs);
    if (in->has_few)
        return KIND(few);
    if (in->unit->score == DPL__SCORE_ALIGNMENT)
        return KIND(sentence);
    if (in->unit->score == DPL__SCORE_VOTES)
        return KIND(passage);
    return KIND(document);
}

/* The share that differs from an estimated one by that error. */
static double shift(double share, double error)
{
    const double offset = DPL__P(mine, estimate_offset);
    return fmin(fmax(1 + offset - (1 + offset - share) * dpl__exp(-error), 0), 1);
}

/* A share of n things, which is not known more exactly than half of one. */
static dpl__estimate estimate(double share, double n, const errors *e)
{
    assert(n > 0 && share >= 0 && share <= 1);
    const double half = 0.5 / (n + 1);
    return (dpl__estimate){shift(share, e->middle), fmax(shift(share, e->low) - half, 0),
                           fmin(shift(share, e->high) + half, 1)};
}

/* The share of right pairs of that mean confidence. */
static double precision_of(const dpl__estimate_input *in, double confidence)
{
    return fmin(fmax(1 - (in->doubt > 0 ? in->doubt : 1) * (1 - confidence), 0), 1);
}

/* To few candidates a confidence cannot be fitted: it says what it began with, that they are
 * right. Fixed weights need none. */
static const char *reason_for_none(const dpl__estimate_input *in)
{
    if ((double)in->n_pairs < DPL__P(mine, estimate_pairs) ||
        (!in->has_few_docs && (double)in->n_candidates < DPL__P(mine, pairs_per_em_round)))
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

/* Sentences that were never found are harder than those that are found again: what is missing
 * is a multiple of what does not come back. */
static dpl__estimate recall_by_hiding(const dpl__estimate_input *in, const errors *e)
{
    assert(in->back >= 0 && in->back <= 1 && in->usual >= 0);
    const double offset = DPL__P(mine, estimate_offset),
                 power = in->is_strict ? DPL__P(mine, strict_recall_power) : 1,
                 missing = dpl__exp(power * dpl__log(1 + offset - in->back));
    dpl__estimate r = estimate(fmax(1 + offset - missing, 0), fmax(in->usual, 1), e);
    const double kept = in->usual > 0 ? in->right / in->usual : 0;
    return (dpl__estimate){fmin(kept * r.value, 1), fmin(kept * r.low, 1),
                           fmin(kept * r.high, 1)};
}

/* There are no more pairs than documents of the smaller side. */
static void raise_recall(dpl__estimates *out, const dpl__estimate_input *in)
{
    const double share =
        in->n_smaller ? fmin((double)in->n_pairs / (double)in->n_smaller, 1) : 0;
    dpl__estimate *r = &out->recall;
    r->value = fmax(r->value, share * out->precision.value);
    r->low = fmax(r->low, share * out->precision.low);
    r->high = fmax(r->high, share * out->precision.high);
    assert(r->low <= r->value && r->value <= r->high && r->high <= 1);
}

void dpl__estimates_make(dpl__estimates *out, const dpl__estimate_input *in)
{
    const kind k = kind_of(in);
    *out = (dpl__estimates){0};
    if (in->n_pairs) {
        const dpl__estimate none = {NAN, NAN, NAN};
        out->precision = out->recall = none;
        out->why_none = reason_for_none(in);
    }
    if (in->n_pairs && !out->why_none) {
        const double n = (double)in->n_pairs, all = fmax(in->all, in->right);
        out->precision = estimate(precision_of(in, in->right / n), n, &k.precision);
        out->recall = in->unit->has_alignment
                          ? estimate(all > 0 ? in->right / all : 0, fmax(all, 1), &k.recall)
                          : recall_by_hiding(in, &k.recall);
        if (!in->unit->has_alignment && !in->is_strict) /* no confidence sees all of them */
            out->precision.low = fmax(out->precision.low - DPL__P(mine, sentence_unseen), 0);
        raise_recall(out, in);
    }
    put_verdict(out, in);
}

bool dpl__has_fewer_wrong(const dpl__estimate_input *in, double confidence, double share)
{
    const errors e = kind_of(in).precision;
    const double precision = precision_of(in, confidence);
    return 1 - shift(precision, e.middle) <= share && 1 - shift(precision, e.low) <= 2 * share;
}
