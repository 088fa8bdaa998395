/*
 * brute_method.c - the row of brute force over signatures in the table of methods.
 */
#include "pairs/method.h"

#include <math.h>

/* One comparison of all, by the device if there is one. */
static double compare_ns(const dpl__planner *p, const dpl__cuts *cuts)
{
    return p->speeds.device_ns > 0 && !p->dims ? p->speeds.device_ns
                                               : dpl__planner_compare_ns(p, cuts, false);
}

static dpl_plan_row row_with(dpl__planner *p, const dpl__cuts *cuts)
{
    double times;
    dpl__predict_pass(p->pass, &p->prediction, cuts);
    dpl_plan_row row = {.method = DPL_PAIRS_BRUTE,
                        .comparisons = p->n_pairs,
                        .relative = 1,
                        .paper_low = 1,
                        .paper_high = 1,
                        .paper_cut = dpl__paper_cut(p->o.threshold, p->o.length, 0),
                        .recall = dpl__predict_recall(&p->prediction, p->pass, 0, 0),
                        .cut = cuts->cut,
                        .first_bits = 64 * cuts->first_words,
                        .first_cut = cuts->first_cut};
    row.candidates = dpl__planner_candidates(
        p, dpl__predict_through(&p->prediction, cuts->cut, 0, 0, &times), row.recall);
    row.seconds = dpl__planner_seconds(p, dpl__planner_sample_ns(p) + dpl__planner_sign_ns(p) +
                                              p->n_pairs * compare_ns(p, cuts) +
                                              row.candidates * dpl__planner_candidate_ns(p));
    const double signatures = p->is_signed ? 0 : dpl__planner_signature_bytes(p);
    row.bytes =
        dpl__planner_result_bytes(p) +
        fmax(dpl__planner_sample_bytes(p), signatures + dpl__planner_scorers_bytes(p) +
                                               dpl__planner_candidate_bytes(p, row.candidates));
    return row;
}

/* The time of a cosine is measured with single rows that are not in the cache. This share of it
 * is saved by bounds of sparse rows (row_bound.h), or by comparing several dense left rows with
 * the right rows of a tile. */
static const double bound_saves = 0.5, tile_saves = 0.25;

/* The nearest of rows and columns: cuts of rows, which fall. Such a search needs no sample. */
static dpl_plan_row nearest_row(dpl__planner *p)
{
    dpl__cuts cuts = {.cut = p->near.cut};
    dpl_plan_row row = row_with(p, &cuts);
    row.recall = p->o.recall; /* what the cuts are made for */
    row.candidates = p->near.share * p->n_pairs;
    row.bytes = dpl__planner_result_bytes(p) + dpl__planner_scorers_bytes(p) +
                (p->is_signed ? 0 : dpl__planner_signature_bytes(p));
    double compare = compare_ns(p, &cuts) + p->near.hits * 2 * p->speeds.single_ns;
    double share = p->is_dense ? tile_saves : bound_saves;
    double saved = p->plan->speeds.verify_ns > 0 ? share * p->speeds.verify_ns : 0;
    row.seconds =
        dpl__planner_seconds(p, dpl__planner_sign_ns(p) + p->n_pairs * compare +
                                    row.candidates * (dpl__planner_candidate_ns(p) - saved));
    return row;
}

static void plan(dpl__planner *p)
{
    if (p->o.nearest) {
        dpl_plan_row row = nearest_row(p);
        row.cut = p->dims ? 0 : row.cut; /* in bits; a search has its own */
        dpl__planner_put(p, row);
        return;
    }
    dpl__cuts plain = dpl__planner_cuts(p, 1 - p->o.recall, false, false);
    dpl__cuts early = dpl__planner_cuts(p, 1 - p->o.recall, true, false);
    dpl_plan_row row = row_with(p, &plain);
    if (early.first_words) {
        dpl_plan_row other = row_with(p, &early);
        if (other.seconds < row.seconds)
            row = other;
    }
    if (p->dims)
        row.cut = dpl_sign_cut(p->o.signature, p->dims, p->o.threshold, p->o.recall);
    dpl__planner_put(p, row);
}

static void say_name(dpl__text *t, const dpl_plan_row *row)
{
    (void)row;
    dpl__say(t, "brute force");
}

static void say_work(dpl__text *t, const dpl_plan_row *row, double n_pairs)
{
    (void)n_pairs;
    dpl__say(t, " compares all %.3g pairs in ", row->comparisons);
}

static dpl_status run(dpl__search *s, dpl_error *err)
{
    const dpl__bit_search search = {s->left,  s->right,       s->is_self,
                                    &s->cuts, &s->candidates, &s->summary->n_comparisons,
                                    NULL};
    return (s->sign->has_products ? dpl__brute_bytes : dpl__brute)(s->ctx, &search, err);
}

const dpl__method dpl__brute_method = {
    .info = {.method = DPL_PAIRS_BRUTE,
             .name = "brute",
             .help = "compare all signatures with all, then verify candidates",
             .finds =
                 "all pairs but those whose signatures are too far apart: the wanted recall",
             .unit = "pairs of signatures",
             .has_signatures = true,
             .has_candidates = true},
    .is_planned = true,
    .chooses_bits = true,
    .searched_with = dpl__any_signature,
    .plan = plan,
    .say_name = say_name,
    .say_work = say_work,
    .run = run,
    .best = dpl__brute_best,
    .nearest = dpl__neighbours_brute,
};
