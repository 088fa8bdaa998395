/*
 * reuse_summary.c - the figures of finding passages.
 */
#include "base/summary.h"
#include "doppel/reuse.h"

static double reused_share(const void *summary)
{
    const dpl_reuse_summary *s = summary;
    return s->n_query_words ? (double)s->n_reused_words / (double)s->n_query_words : 0;
}

static const dpl_figure figures[] = {
    {DPL__FIGURE_OF(COUNT, "queries", dpl_reuse_summary, n_queries),
     .help = "documents of the query"},
    {DPL__FIGURE_OF(COUNT, "query_words", dpl_reuse_summary, n_query_words),
     .help = "words of the query", .label = "query", .remark = "words"},
    {DPL__FIGURE_OF(COUNT, "documents", dpl_reuse_summary, n_docs),
     .help = "documents of the collection", .label = "collection", .remark = "documents"},
    {DPL__FIGURE_OF(COUNT, "candidates", dpl_reuse_summary, n_candidates),
     .help = "documents of a pocket index that were compared; 0: all documents were",
     .label = "candidates", .remark = "documents that resemble a part of the query",
     .shown_with = "candidates"},
    {DPL__FIGURE_OF(COUNT, "seeds", dpl_reuse_summary, n_seeds),
     .help = "places that both sides have in common"},
    {DPL__FIGURE_OF(COUNT, "verbatim", dpl_reuse_summary, n_kinds[DPL_PASSAGE_VERBATIM]),
     .help = "passages of this kind", .label = "verbatim", .remark = "passages",
     .shown_with = "verbatim"},
    {DPL__FIGURE_OF(COUNT, "edited", dpl_reuse_summary, n_kinds[DPL_PASSAGE_EDITED]),
     .help = "passages of this kind", .label = "edited", .remark = "passages",
     .shown_with = "edited"},
    {DPL__FIGURE_OF(COUNT, "reordered", dpl_reuse_summary, n_kinds[DPL_PASSAGE_REORDERED]),
     .help = "passages of this kind", .label = "reordered", .remark = "passages",
     .shown_with = "reordered"},
    {DPL__FIGURE_OF(COUNT, "translated", dpl_reuse_summary, n_kinds[DPL_PASSAGE_TRANSLATED]),
     .help = "passages of this kind", .label = "translated", .remark = "passages",
     .shown_with = "translated"},
    {DPL__FIGURE_OF(COUNT, "reused_words", dpl_reuse_summary, n_reused_words),
     .help = "words of the query that are in passages", .label = "reused",
     .remark = "words of the query are in passages: {reused_share:.1%}"},
    {.name = "reused_share", .type = DPL_FIGURE_REAL, .compute = reused_share},
    {DPL__FIGURE_OF(COUNT, "source_documents", dpl_reuse_summary, n_source_docs),
     .help = "documents of the collection that contain passages"},
    DPL__SECONDS(dpl_reuse_summary, "time it took"),
};
const dpl_summary_table dpl_reuse_figures = {"reuse", sizeof(dpl_reuse_summary), false, figures,
                                             DPL_LEN(figures)};
