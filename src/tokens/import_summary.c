/*
 * import_summary.c - the figures of an import.
 */
#include "base/summary.h"
#include "doppel/tokens.h"
#include "readers/read_summary.h"

static double terms_once(const void *summary)
{
    const dpl_collection_sizes *s = summary;
    return s->n_terms - s->n_repeated;
}

static double mb_per_second(const void *summary)
{
    const dpl_import_summary *s = summary;
    return s->seconds > 0 && s->read ? (double)s->read->n_raw_bytes / 1e6 / s->seconds : 0;
}

static const dpl_figure sizes[] = {
    {.name = "documents",
     .type = DPL_FIGURE_COUNT,
     DPL__FIGURE(dpl_collection_sizes, n_docs),
     .help = "documents in the collection",
     .label = "documents"},
    {.name = "sentences",
     .type = DPL_FIGURE_COUNT,
     DPL__FIGURE(dpl_collection_sizes, n_sentences),
     .help = "sentences in all documents",
     .label = "sentences"},
    {.name = "tokens",
     .type = DPL_FIGURE_COUNT,
     DPL__FIGURE(dpl_collection_sizes, n_tokens),
     .help = "tokens in all documents",
     .label = "tokens"},
    {.name = "terms",
     .type = DPL_FIGURE_COUNT,
     DPL__FIGURE(dpl_collection_sizes, n_terms),
     .help = "distinct tokens: the vocabulary",
     .label = "vocabulary",
     .remark = "{terms_once} of them once"},
    {.name = "terms_once",
     .type = DPL_FIGURE_COUNT,
     .compute = terms_once,
     .help = "terms that occur once in the whole collection"},
    {.name = "entries",
     .type = DPL_FIGURE_COUNT,
     DPL__FIGURE(dpl_collection_sizes, n_entries),
     .help = "pairs of a document and a term in it"},
    {.name = "text_bytes",
     .type = DPL_FIGURE_BYTES,
     DPL__FIGURE(dpl_collection_sizes, n_text_bytes),
     .help = "bytes of the documents' text",
     .label = "text",
     .remark = "from {input_bytes} of input"},
};
static const dpl_summary_table size_figures = {"sizes", sizeof(dpl_collection_sizes), true,
                                               sizes, DPL_LEN(sizes)};

static const dpl_figure figures[] = {
    {.name = "documents",
     .type = DPL_FIGURE_PART,
     DPL__FIGURE(dpl_import_summary, sizes),
     .group = &size_figures,
     .only = "documents"},
    {.name = "unchanged",
     .type = DPL_FIGURE_COUNT,
     DPL__FIGURE(dpl_import_summary, n_unchanged),
     .only_with = "updates",
     .help = "documents whose tokens came from an earlier collection",
     .label = "unchanged",
     .remark = "documents, not tokenized again"},
    {.name = "dropped",
     .type = DPL_FIGURE_PART,
     DPL__FIGURE(dpl_import_summary, read),
     .group = &dpl_read_figures,
     .only = "dropped"},
    DPL__SKIPPED(dpl_import_summary, skipped),
    {.name = "read",
     .type = DPL_FIGURE_PART,
     DPL__FIGURE(dpl_import_summary, read),
     .group = &dpl_read_figures,
     .only = "replaced boilerplate converted identified input_bytes raw_bytes"},
    {.name = "sizes",
     .type = DPL_FIGURE_PART,
     DPL__FIGURE(dpl_import_summary, sizes),
     .group = &size_figures,
     .only = "sentences tokens terms terms_once entries text_bytes"},
    DPL__OUTPUT_BYTES(dpl_import_summary, "bytes of the collection's file"),
    DPL__SPILLED_BYTES(dpl_import_summary),
    DPL__SECONDS(dpl_import_summary, "time the import took"),
    {.name = "mb_per_second",
     .type = DPL_FIGURE_REAL,
     .compute = mb_per_second,
     .help = "raw_bytes per second, in millions"},
    {.name = "pace", .type = DPL_FIGURE_WORDS, .value = "{mb_per_second:.1f} MB/s"},
};
DPL__SUMMARY_TABLE(import, dpl_import_summary, figures)
