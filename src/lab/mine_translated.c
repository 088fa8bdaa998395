/*
 * mine_translated.c - precision and recall of mining against the share of a document that is
 * translated.
 *
 * All documents are in gold pairs. Of each right document a piece stays; its other lines are
 * replaced by lines of other documents.
 */
#include "lab/experiments.h"
#include "lab/mine_data.h"

#include <stdio.h>

enum { DOCS = 800, SYNTHETIC_SMALL = 100 };

static dpl_status mine_point(dpl__mined *m, dpl__lab *lab, double share, dpl_error *err)
{
    dpl__mine_pool pool;
    char name[64];
    snprintf(name, sizeof name, "%.2f-0", share);
    DPL_TRY(dpl__mine_pool_make(&pool, lab, 0, err));
    const uint32_t n = !pool.is_synthetic ? (uint32_t)dpl__min(DOCS, pool.pairs.n)
                       : lab->set->small  ? SYNTHETIC_SMALL
                                          : DOCS;
    const dpl__mine_wanted wanted = {n, 1, share, 0};
    const dpl_status status = dpl__mined_add(m, &pool, &wanted, name, err);
    dpl__mine_pool_clear(&pool);
    return status;
}

static void conclude(dpl__lab *lab, const dpl__mined *all, const double *shares, size_t n)
{
    for (size_t i = 0; i < n; i++)
        if (all[i].recall >= 0.9) {
            dpl__lab_find(lab, "recall is at least 0.9 down to a translated share of %g",
                          shares[i]);
            break;
        }
    dpl__lab_find(lab,
                  "with %.0f %% translated, precision is %.3f and recall %.3f; with all, %.3f "
                  "and %.3f",
                  100 * shares[0], all[0].precision, all[0].recall, all[n - 1].precision,
                  all[n - 1].recall);
    double least = 1;
    for (size_t i = 0; i < n; i++)
        least = all[i].n_found > 0 && all[i].precision < least ? all[i].precision : least;
    dpl__lab_find(lab, "the lowest precision where anything is found is %.3f", least);
}

dpl_status dpl__lab_mine_translated(dpl__lab *lab, dpl_error *err)
{
    static const double full[] = {0.1, 0.15, 0.2, 0.3, 0.5, 0.75, 1}, small[] = {0.5, 1};
    const double *shares = lab->set->small ? small : full;
    const size_t n = lab->set->small ? DPL_LEN(small) : DPL_LEN(full);
    dpl__mined all[DPL_LEN(full)] = {{0}};
    dpl__lab_table *t =
        dpl__lab_table_new(lab, NULL, "source\tshare translated\t" DPL__MINE_COLUMNS);
    for (size_t i = 0; i < n; i++) {
        DPL_TRY(dpl__lab_progress(lab, i, n, err));
        DPL_TRY(mine_point(&all[i], lab, shares[i], err));
        dpl__mined_finish(&all[i]);
        dpl__lab_text(t, "doppel");
        dpl__lab_number(t, shares[i], 2);
        dpl__mined_put(t, &all[i]);
    }
    conclude(lab, all, shares, n);
    dpl__lab_note(lab,
                  "%s: %.0f documents a side, all with a counterpart. A piece of the lines of "
                  "each right document (at least two) stays, at another place; its other lines "
                  "are lines of other documents. One draw; default options.",
                  lab->n_inputs ? "The collections given" : "Synthetic documents",
                  all[0].n_docs);
    const dpl__lab_plot plot = {.table = t,
                                .title = "mining: documents that are translated in part",
                                .x_label = "share of the right document that is translated",
                                .y_label = "precision, recall",
                                .x_max = 1.02,
                                .y_max = 1.03,
                                .legend = "bottom right",
                                .curves = dpl__mine_curves,
                                .n_curves = DPL__MINE_CURVES};
    dpl__lab_draw(lab, &plot);
    return dpl__lab_status(lab, err);
}
