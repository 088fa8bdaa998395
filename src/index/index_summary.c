/*
 * index_summary.c - the figures of writing an index.
 */
#include "base/summary.h"
#include "doppel/index.h"

static double per_document(const void *summary)
{
    const dpl_index_summary *s = summary;
    return s->n_docs ? (double)(s->n_bytes / s->n_docs) : 0;
}

/* Around it: output. */
static const dpl_figure figures[] = {
    {DPL__FIGURE_OF(COUNT, "documents", dpl_index_summary, n_docs),
     .help = "documents of the index", .label = "documents",
     .remark = "[deleted?{deleted} left out or replaced]"},
    {DPL__FIGURE_OF(COUNT, "empty", dpl_index_summary, n_empty),
     .help = "documents without words", .label = "empty", .remark = "documents without words",
     .shown_with = "empty"},
    {DPL__FIGURE_OF(COUNT, "deleted", dpl_index_summary, n_deleted),
     .help = "documents that were left out or replaced"},
    {DPL__FIGURE_OF(COUNT, "codes", dpl_index_summary, n_codes),
     .help = "codes of all documents"},
    {DPL__FIGURE_OF(COUNT, "slots", dpl_index_summary, n_slots), .help = "different codes",
     .label = "slots", .remark = "of {codes} codes"},
    {DPL__FIGURE_OF(BYTES, "bytes", dpl_index_summary, n_bytes), .only_with = "output",
     .help = "size of the index", .label = "output", .remark = "'{output}'"},
    {.name = "per_document",
     .type = DPL_FIGURE_COUNT,
     .compute = per_document,
     .only_with = "output documents",
     .label = "",
     .remark = "bytes for each document"},
    DPL__SPILLED_BYTES(dpl_index_summary),
    DPL__SECONDS(dpl_index_summary, "time it took"),
};
DPL__SUMMARY_TABLE(index, dpl_index_summary, figures)
