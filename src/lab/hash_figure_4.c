/*
 * hash_figure_4.c - distribution of the similarities of a collection (Stein 2007, Figure 4).
 *
 * All pairs of 2,000 documents that are spread over the collection, and of 2,000 that have
 * similar ones, by their cosine in steps of 0.05.
 */
#include "lab/experiments.h"
#include "lab/hashing.h"

enum { BINS = 20 };

static void put_bins(dpl__lab_table *t, const char *name, const float *cosines, size_t n)
{
    for (int i = 0; i < BINS; i++) {
        const double low = i / (double)BINS, high = (i + 1) / (double)BINS;
        const uint64_t here = dpl__lab_n_within(cosines, n, i ? low : -1, high);
        dpl__lab_text(t, "%s", name);
        dpl__lab_number(t, low, 2);
        dpl__lab_number(t, high, 2);
        dpl__lab_number(t, (low + high) / 2, 3);
        dpl__lab_count(t, here);
        if (here)
            dpl__lab_text(t, "%.3g", 100 * (double)here / (double)n);
        else
            dpl__lab_none(t);
    }
}

static dpl_status measure(uint64_t *n_above, dpl__lab_table *t, dpl__lab *lab,
                          dpl__lab_draw_kind kind, dpl_error *err)
{
    dpl_vectors *rows = NULL;
    float *cosines = NULL;
    DPL_TRY(dpl__lab_hash_draw(&rows, lab, kind, 0, err));
    const uint32_t n_rows = dpl_vectors_get_sizes(rows)->n_rows;
    const dpl_status status = dpl__lab_cosines(&cosines, lab, rows, err);
    dpl_vectors_close(rows);
    DPL_TRY(status);
    const size_t n = dpl__lab_n_pairs(n_rows);
    *n_above = dpl__lab_n_within(cosines, n, 0.8, 1);
    put_bins(t, dpl__lab_draw_name(kind), cosines, n);
    const double share = n ? 100 * (double)*n_above / (double)n : 0;
    dpl__lab_find(lab, "%s: %llu of %zu pairs of %u documents are above 0.8 (%.2g %%)",
                  dpl__lab_draw_name(kind), (unsigned long long)*n_above, n, n_rows, share);
    return DPL_OK;
}

dpl_status dpl__lab_hash_figure_4(dpl__lab *lab, dpl_error *err)
{
    uint64_t n_above[2];
    dpl__lab_table *t = dpl__lab_table_new(
        lab, NULL, "documents\tabove\tup to\tmiddle\tpairs\tshare of pairs [%]");
    DPL_TRY(measure(&n_above[0], t, lab, DPL_LAB_DRAWN, err));
    DPL_TRY(measure(&n_above[1], t, lab, DPL_LAB_COMPILED, err));
    if (n_above[0])
        dpl__lab_find(lab, "the compilation has %.0f times as many pairs above 0.8",
                      (double)n_above[1] / (double)n_above[0]);
    dpl__lab_note(lab, "cosines of BM25 vectors; drawn: at random; compiled: the documents "
                       "with the most similar "
                       "nearest neighbour in half of the collection. The paper says no more of "
                       "its compilations than that high similarities are more frequent");
    static const dpl__lab_curve curves[] = {
        {.title = "documents drawn at random", .rows = "drawn", .x = 4, .y = 6},
        {.title = "compiled: documents with similar ones", .rows = "compiled", .x = 4, .y = 6},
    };
    dpl__lab_draw(lab, &(dpl__lab_plot){.table = t,
                                        .title = "Similarity distribution",
                                        .x_label = "similarity (cosine), steps of 0.05",
                                        .y_label = "share of all pairs [%]",
                                        .x_min = 0,
                                        .x_max = 1,
                                        .y_log = true,
                                        .curves = curves,
                                        .n_curves = DPL_LEN(curves)});
    return dpl__lab_status(lab, err);
}
