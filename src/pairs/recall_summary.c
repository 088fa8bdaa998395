/*
 * recall_summary.c - the figures of a recall that was checked on a sample.
 */
#include "base/summary.h"
#include "doppel/pairs.h"

#include <math.h>

static double known(const dpl_recall_check *c, double x)
{
    return c->is_exact || (c->n_rows && !c->is_empty) ? x : NAN;
}

static double recall(const void *summary)
{
    const dpl_recall_check *c = summary;
    return known(c, c->recall);
}

static double low(const void *summary)
{
    const dpl_recall_check *c = summary;
    return known(c, c->low);
}

static double high(const void *summary)
{
    const dpl_recall_check *c = summary;
    return known(c, c->high);
}

/* Around it: no_pair, what no sampled document does, unless that is "has a pair". */
static const dpl_figure figures[] = {
    {DPL__FIGURE_OF(FLAG, "empty", dpl_recall_check, is_empty)},
    {DPL__FIGURE_OF(FLAG, "exact", dpl_recall_check, is_exact),
     .help = "the method finds every pair: no sample was taken"},
    {DPL__FIGURE_OF(COUNT, "rows", dpl_recall_check, n_rows), .help = "documents sampled"},
    {DPL__FIGURE_OF(COUNT, "true", dpl_recall_check, n_true),
     .help = "their pairs at or above the threshold"},
    {DPL__FIGURE_OF(COUNT, "found", dpl_recall_check, n_found), .help = "of these, found"},
    {.name = "recall",
     .type = DPL_FIGURE_REAL,
     .compute = recall,
     .help = "share of the true pairs that was found; null when there is none",
     .label = "recall",
     .value = "[exact?1|[rows !empty?{recall:.4f}|?]]",
     .remark = "[exact?exact: every pair at or above the threshold|[rows !empty?{low:.4f} to "
               "{high:.4f} (95 %), from {true} pairs of {rows} sampled documents|[rows?none of "
               "{rows} sampled documents [no_pair?{no_pair}|has a pair]|not checked]]]"},
    {.name = "low", .type = DPL_FIGURE_REAL, .compute = low, .help = "its 95 % interval"},
    {.name = "high", .type = DPL_FIGURE_REAL, .compute = high, .help = "its 95 % interval"},
    DPL__SECONDS(dpl_recall_check, "time it took to check"),
};
const dpl_summary_table dpl_recall_figures = {"recall", sizeof(dpl_recall_check), false,
                                              figures, DPL_LEN(figures)};
