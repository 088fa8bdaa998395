/*
 * mining_orders.c - Figures 2 and 3 of document mining: F1 and the number of comparisons by the
 * orders of matching and scoring n-grams.
 */
#include "lab/mining.h"

#include <stdio.h>

enum { LEAST = 2, MOST = 5 };

static dpl_status find_orders(dpl__mining_found *found, dpl__lab *lab,
                              const dpl__mining_sides *sides, const unsigned orders[2],
                              dpl_error *err)
{
    const dpl_ngram_options ngram =
        DPL_INIT(dpl_ngram_options, .matching = orders[0], .scoring = orders[1]);
    const dpl_pairs_options o =
        DPL_INIT(dpl_pairs_options, .select = DPL_SELECT_MUTUAL, .ngram = &ngram);
    return dpl__mining_find(found, lab, sides, &o, err);
}

static void note_orders(dpl__lab *lab, const dpl__mining_sides *sides,
                        const dpl__mining_gold *gold)
{
    dpl__lab_note(
        lab,
        "%u and %u documents, %zu gold pairs; threshold 0.1, each document is the best "
        "of the other; n-grams in more than 50 documents make no candidates",
        dpl_collection_get_sizes(sides->c[0])->n_docs,
        dpl_collection_get_sizes(sides->c[1])->n_docs, gold->n);
}

/* ---- Figure 2 ----------------------------------------------------------------------- */

static void draw_figure_2(dpl__lab *lab, const dpl__lab_table *t)
{
    static const dpl__lab_curve curves[] = {
        {.title = "2-gram matching", .rows = "2", .x = 2, .y = 5},
        {.title = "3-gram matching", .rows = "3", .x = 2, .y = 5},
        {.title = "4-gram matching", .rows = "4", .x = 2, .y = 5},
        {.title = "5-gram matching", .rows = "5", .x = 2, .y = 5}};
    dpl__lab_draw(lab, &(dpl__lab_plot){.table = t,
                                        .x_label = "words of a scoring n-gram",
                                        .y_label = "F1 on the reference documents",
                                        .x_min = 1.8,
                                        .x_max = 5.2,
                                        .x_step = 1,
                                        .legend = "bottom left",
                                        .curves = curves,
                                        .n_curves = DPL_LEN(curves)});
}

static dpl_status run_figure_2(dpl__lab *lab, const dpl__mining_sides *sides,
                               const dpl__mining_gold *gold, dpl__mining_found *found,
                               dpl_error *err)
{
    dpl__lab_table *t = dpl__lab_table_new(
        lab, NULL, "matching n-gram\tscoring n-gram\tprecision\trecall\tF1\tcompared");
    double f1[MOST + 1][MOST + 1];
    unsigned o[2], best[2] = {LEAST, LEAST}, step = 0;
    dpl__mining_outcomes out;
    double bounds[2];
    DPL_TRY(dpl__mining_outcomes_begin(&out, lab, 2, err));
    for (o[0] = LEAST; o[0] <= MOST; o[0]++)
        for (o[1] = LEAST; o[1] <= MOST; o[1]++) {
            dpl_eval_pairs e;
            DPL_TRY(dpl__lab_progress(lab, step++, 16, err));
            DPL_TRY(find_orders(found, lab, sides, o, err));
            DPL_TRY(dpl__mining_measure(&e, lab, found, gold, 0, err));
            dpl__lab_count(t, o[0]);
            dpl__lab_count(t, o[1]);
            dpl__lab_number(t, e.precision, 4);
            dpl__lab_number(t, e.recall, 4);
            dpl__lab_number(t, e.f1, 4);
            dpl__lab_count(t, found->counts.n_candidates);
            f1[o[0]][o[1]] = e.f1;
            if (o[1] == LEAST && (o[0] == LEAST || o[0] == MOST))
                dpl__mining_outcomes_add(&out, found, o[0] == MOST, 0);
            if (e.f1 > f1[best[0]][best[1]])
                memcpy(best, o, sizeof best);
        }
    DPL_TRY(dpl__mining_difference(bounds, lab, &out, 1, 0, err));
    dpl__lab_find(lab,
                  "with scoring n-grams of 2 words, matching n-grams of 5 words instead of 2 "
                  "cost %.3f of F1 (95 %%: %.3f to %.3f; %.3f instead of %.3f; in the paper "
                  "0.01)",
                  f1[2][2] - f1[5][2], bounds[0], bounds[1], f1[5][2], f1[2][2]);
    dpl__lab_find(lab,
                  "with matching n-grams of 5 words, scoring n-grams of 5 words instead of 2 "
                  "cost %.3f",
                  f1[5][2] - f1[5][5]);
    dpl__lab_find(lab,
                  "F1 is best with matching n-grams of %u and scoring n-grams of %u words: "
                  "%.3f",
                  best[0], best[1], f1[best[0]][best[1]]);
    draw_figure_2(lab, t);
    return DPL_OK;
}

dpl_status dpl__lab_mining_figure_2(dpl__lab *lab, dpl_error *err)
{
    dpl__mining_sides sides;
    dpl__mining_gold gold;
    dpl__mining_found found = {0};
    DPL_TRY(dpl__mining_gold_get(&gold, lab, err));
    DPL_TRY(dpl__mining_sides_open(&sides, lab, err));
    const dpl_status status = run_figure_2(lab, &sides, &gold, &found, err);
    note_orders(lab, &sides, &gold);
    dpl__lab_note(lab, "the paper prints a picture only: F1 from 0.89 to 0.96, 2-gram matching "
                       "above the others");
    dpl__mining_found_clear(&found);
    dpl__mining_sides_close(&sides);
    return status == DPL_OK ? dpl__lab_status(lab, err) : status;
}

/* ---- Figure 3 ----------------------------------------------------------------------- */

/* The power of ten at or below a number. */
static double decade(uint64_t n)
{
    double d = 1;
    while (10 * d <= (double)n)
        d *= 10;
    return d;
}

static void draw_figure_3(dpl__lab *lab, const dpl__lab_table *t, uint64_t least, uint64_t most)
{
    static const dpl__lab_curve curves[] = {
        {.title = "pairs that share a matching n-gram (the paper's comparisons)",
         .rows = "measured",
         .x = 2,
         .y = 3},
        {.title = "pairs that doppel scores (20 of a document)",
         .rows = "measured",
         .x = 2,
         .y = 4}};
    dpl__lab_draw(lab, &(dpl__lab_plot){.table = t,
                                        .x_label = "words of a matching n-gram",
                                        .y_label = "pairwise comparisons",
                                        .y_log = true,
                                        .y_min = decade(least),
                                        .y_max = 10 * decade(most),
                                        .x_min = 1.8,
                                        .x_max = 5.2,
                                        .x_step = 1,
                                        .curves = curves,
                                        .n_curves = DPL_LEN(curves)});
}

dpl_status dpl__lab_mining_figure_3(dpl__lab *lab, dpl_error *err)
{
    dpl__mining_sides sides;
    dpl__mining_gold gold;
    dpl__mining_found found = {0};
    uint64_t shared[MOST + 1] = {0}, scored[MOST + 1] = {0};
    DPL_TRY(dpl__mining_gold_get(&gold, lab, err));
    DPL_TRY(dpl__mining_sides_open(&sides, lab, err));
    dpl__lab_table *t = dpl__lab_table_new(
        lab, NULL,
        "source\tmatching n-gram\tpairs that share one\tscored\tn-grams used\ttoo frequent");
    dpl_status status = DPL_OK;
    for (unsigned n = LEAST; status == DPL_OK && n <= MOST; n++) {
        status = find_orders(&found, lab, &sides, (unsigned[]){n, 2}, err);
        shared[n] = found.counts.n_candidates + found.counts.n_capped;
        scored[n] = found.counts.n_candidates;
        dpl__lab_text(t, "measured");
        dpl__lab_count(t, n);
        dpl__lab_count(t, shared[n]);
        dpl__lab_count(t, scored[n]);
        dpl__lab_count(t, found.counts.n_used);
        dpl__lab_count(t, found.counts.n_frequent);
    }
    dpl__lab_find(
        lab,
        "matching n-grams of 5 words instead of 2 make %.1f times fewer comparisons (in "
        "the paper 42 times), of 5 instead of 4 %.1f times (more than 2)",
        (double)shared[2] / (double)dpl__max(shared[5], 1),
        (double)shared[4] / (double)dpl__max(shared[5], 1));
    dpl__lab_find(lab,
                  "of the pairs that share a matching n-gram, doppel scores %.0f %% at 2 "
                  "words and %.0f %% at 5: those that share the most",
                  100 * (double)scored[2] / (double)dpl__max(shared[2], 1),
                  100 * (double)scored[5] / (double)dpl__max(shared[5], 1));
    note_orders(lab, &sides, &gold);
    draw_figure_3(lab, t, scored[MOST], shared[LEAST]);
    dpl__mining_found_clear(&found);
    dpl__mining_sides_close(&sides);
    return status == DPL_OK ? dpl__lab_status(lab, err) : status;
}
