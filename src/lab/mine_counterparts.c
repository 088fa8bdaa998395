/*
 * mine_counterparts.c - precision and recall of mining against the share of the documents that
 * have a counterpart.
 *
 * Both collections keep their size; of the gold pairs fewer and fewer stay whole.
 */
#include "lab/experiments.h"
#include "lab/mine_data.h"

#include <stdio.h>

enum { DRAWS = 3, SYNTHETIC = 2000, SYNTHETIC_SMALL = 200 };

static dpl_status mine_point(dpl__mined *m, dpl__lab *lab, double share, unsigned draw,
                             dpl_error *err)
{
    dpl__mine_pool pool;
    char name[64];
    snprintf(name, sizeof name, "%.2f-%u", share, draw);
    DPL_TRY(dpl__mine_pool_make(&pool, lab, draw, err));
    const uint32_t n = pool.is_synthetic ? (lab->set->small ? SYNTHETIC_SMALL : SYNTHETIC)
                                         : dpl__mine_pool_most(&pool);
    const dpl__mine_wanted wanted = {n, share, 1, draw};
    const dpl_status status = dpl__mined_add(m, &pool, &wanted, name, err);
    dpl__mine_pool_clear(&pool);
    return status;
}

static void conclude(dpl__lab *lab, const dpl__mined *all, const double *shares, size_t n)
{
    const dpl__mined *few = &all[0], *most = &all[n - 1];
    dpl__lab_find(lab,
                  "with a counterpart for %.0f %% of %.0f documents a side, precision is %.3f "
                  "and recall %.3f; with one for %.0f %%, %.3f and %.3f",
                  100 * shares[n - 1], most->n_docs, most->precision, most->recall,
                  100 * shares[0], few->precision, few->recall);
    for (size_t i = 0; i < n; i++)
        if (all[i].f1 >= 0.9) {
            dpl__lab_find(lab, "F1 is at least 0.9 down to a share of %g", shares[i]);
            break;
        }
    double worst = 0;
    for (size_t i = 0; i < n; i++) {
        const double off = all[i].estimated_precision - all[i].precision;
        worst = all[i].n_found > 0 && off * off > worst * worst ? off : worst;
    }
    dpl__lab_find(lab, "the precision that mine estimates is off by at most %+.3f", worst);
}

dpl_status dpl__lab_mine_counterparts(dpl__lab *lab, dpl_error *err)
{
    static const double full[] = {0.02, 0.05, 0.1, 0.2, 0.4, 0.7, 1}, small[] = {0.3, 1};
    const double *shares = lab->set->small ? small : full;
    const size_t n = lab->set->small ? DPL_LEN(small) : DPL_LEN(full);
    const unsigned n_draws = lab->set->small ? 1 : DRAWS;
    dpl__mined all[DPL_LEN(full)] = {{0}};
    dpl__lab_table *t =
        dpl__lab_table_new(lab, NULL, "source\tshare with a counterpart\t" DPL__MINE_COLUMNS);
    for (size_t i = 0; i < n; i++) {
        for (unsigned draw = 0; draw < n_draws; draw++) {
            DPL_TRY(dpl__lab_progress(lab, i * n_draws + draw, n * n_draws, err));
            DPL_TRY(mine_point(&all[i], lab, shares[i], draw, err));
        }
        dpl__mined_finish(&all[i]);
        dpl__lab_text(t, "doppel");
        dpl__lab_number(t, shares[i], 2);
        dpl__mined_put(t, &all[i]);
    }
    conclude(lab, all, shares, n);
    dpl__lab_note(
        lab,
        "%s: both sides keep %.0f documents. Of the gold pairs, as many as the share "
        "says stay whole; of the others one side is there, and documents that gold "
        "does not have. Mean of %u draws; default options. Precision is strict: right "
        "pairs of all that were found.",
        lab->n_inputs ? "The collections given" : "Synthetic documents", all[0].n_docs,
        n_draws);
    const dpl__lab_plot plot = {.table = t,
                                .title = "mining: few counterparts among many documents",
                                .x_label = "share of documents that have a counterpart",
                                .y_label = "precision, recall",
                                .x_log = true,
                                .x_min = 0.015,
                                .x_max = 1.05,
                                .y_max = 1.03,
                                .legend = "bottom right",
                                .curves = dpl__mine_curves,
                                .n_curves = DPL__MINE_CURVES};
    dpl__lab_draw(lab, &plot);
    return dpl__lab_status(lab, err);
}
