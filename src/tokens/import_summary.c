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
    {DPL__FIGURE_OF(COUNT, "documents", dpl_collection_sizes, n_docs),
     .help = "documents in the collection", .label = "documents"},
    {DPL__FIGURE_OF(COUNT, "sentences", dpl_collection_sizes, n_sentences),
     .help = "sentences in all documents", .label = "sentences"},
    {DPL__FIGURE_OF(COUNT, "tokens", dpl_collection_sizes, n_tokens),
     .help = "tokens in all documents", .label = "tokens"},
    {DPL__FIGURE_OF(COUNT, "terms", dpl_collection_sizes, n_terms),
     .help = "distinct tokens: the vocabulary", .label = "vocabulary",
     .remark = "{terms_once} of them once"},
    {.name = "terms_once",
     .type = DPL_FIGURE_COUNT,
     .compute = terms_once,
     .help = "terms that occur once in the whole collection"},
    {DPL__FIGURE_OF(COUNT, "entries", dpl_collection_sizes, n_entries),
     .help = "pairs of a document and a term in it"},
    {DPL__FIGURE_OF(BYTES, "text_bytes", dpl_collection_sizes, n_text_bytes),
     .help = "bytes of the documents' text", .label = "text",
     .remark = "from {input_bytes} of input"},
};
static const dpl_summary_table size_figures = {"sizes", sizeof(dpl_collection_sizes), true,
                                               sizes, DPL_LEN(sizes)};

static const dpl_figure figures[] = {
    {DPL__FIGURE_OF(PART, "documents", dpl_import_summary, sizes), .group = &size_figures,
     .only = "documents"},
    {DPL__FIGURE_OF(COUNT, "unchanged", dpl_import_summary, n_unchanged),
     .only_with = "updates", .help = "documents whose tokens came from an earlier collection",
     .label = "unchanged", .remark = "documents, not tokenized again"},
    {DPL__FIGURE_OF(PART, "dropped", dpl_import_summary, read), .group = &dpl_read_figures,
     .only = "dropped"},
    DPL__SKIPPED(dpl_import_summary, skipped),
    {DPL__FIGURE_OF(PART, "read", dpl_import_summary, read), .group = &dpl_read_figures,
     .only = "replaced boilerplate converted identified input_bytes raw_bytes"},
    {DPL__FIGURE_OF(PART, "sizes", dpl_import_summary, sizes), .group = &size_figures,
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
