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
    {.name = "queries",
     .type = DPL_FIGURE_COUNT,
     DPL__FIGURE(dpl_reuse_summary, n_queries),
     .help = "documents of the query"},
    {.name = "query_words",
     .type = DPL_FIGURE_COUNT,
     DPL__FIGURE(dpl_reuse_summary, n_query_words),
     .help = "words of the query",
     .label = "query",
     .remark = "words"},
    {.name = "documents",
     .type = DPL_FIGURE_COUNT,
     DPL__FIGURE(dpl_reuse_summary, n_docs),
     .help = "documents of the collection",
     .label = "collection",
     .remark = "documents"},
    {.name = "seeds",
     .type = DPL_FIGURE_COUNT,
     DPL__FIGURE(dpl_reuse_summary, n_seeds),
     .help = "places that both sides have in common"},
    {.name = "verbatim",
     .type = DPL_FIGURE_COUNT,
     DPL__FIGURE(dpl_reuse_summary, n_kinds[DPL_PASSAGE_VERBATIM]),
     .help = "passages of this kind",
     .label = "verbatim",
     .remark = "passages",
     .shown_with = "verbatim"},
    {.name = "edited",
     .type = DPL_FIGURE_COUNT,
     DPL__FIGURE(dpl_reuse_summary, n_kinds[DPL_PASSAGE_EDITED]),
     .help = "passages of this kind",
     .label = "edited",
     .remark = "passages",
     .shown_with = "edited"},
    {.name = "reordered",
     .type = DPL_FIGURE_COUNT,
     DPL__FIGURE(dpl_reuse_summary, n_kinds[DPL_PASSAGE_REORDERED]),
     .help = "passages of this kind",
     .label = "reordered",
     .remark = "passages",
     .shown_with = "reordered"},
    {.name = "translated",
     .type = DPL_FIGURE_COUNT,
     DPL__FIGURE(dpl_reuse_summary, n_kinds[DPL_PASSAGE_TRANSLATED]),
     .help = "passages of this kind",
     .label = "translated",
     .remark = "passages",
     .shown_with = "translated"},
    {.name = "reused_words",
     .type = DPL_FIGURE_COUNT,
     DPL__FIGURE(dpl_reuse_summary, n_reused_words),
     .help = "words of the query that are in passages",
     .label = "reused",
     .remark = "words of the query are in passages: {reused_share:.1%}"},
    {.name = "reused_share", .type = DPL_FIGURE_REAL, .compute = reused_share},
    {.name = "source_documents",
     .type = DPL_FIGURE_COUNT,
     DPL__FIGURE(dpl_reuse_summary, n_source_docs),
     .help = "documents of the collection that passages stand in"},
    DPL__SECONDS(dpl_reuse_summary, "time it took"),
};
const dpl_summary_table dpl_reuse_figures = {"reuse", sizeof(dpl_reuse_summary), false, figures,
                                             DPL_LEN(figures)};
