/*
 * read_summary.c - the figures of reading documents and parallel text.
 */
#include "readers/read_summary.h"
#include "base/summary.h"
#include "doppel/text.h"

static const char *drop_name(unsigned i)
{
    return i < DPL_N_DROPS ? dpl_drop_name((dpl_drop)i) : NULL;
}

void dpl__put_skipped(dpl_json *j, const char *key, const void *list)
{
    dpl_skip_list_json(list, j, key);
}

static const dpl_figure figures[] = {
    {.name = "dropped",
     .type = DPL_FIGURE_COUNTS,
     DPL__FIGURE(dpl_read_counts, n_dropped),
     .choice = drop_name,
     .has_zeros = true,
     .help = "object: reason to number of records that did not become documents",
     .label = "dropped"},
    {.name = "replaced",
     .type = DPL_FIGURE_COUNT,
     DPL__FIGURE(dpl_read_counts, n_replaced),
     .help = "invalid UTF-8 sequences turned into U+FFFD, where that was asked for",
     .label = "replaced",
     .remark = "invalid UTF-8 sequences",
     .shown_with = "replaced"},
    {.name = "boilerplate",
     .type = DPL_FIGURE_COUNT,
     DPL__FIGURE(dpl_read_counts, n_boilerplate),
     .help = "lines of web pages that were dropped as boilerplate",
     .label = "boilerplate",
     .remark = "lines of pages dropped",
     .shown_with = "boilerplate"},
    {.name = "converted",
     .type = DPL_FIGURE_COUNTS,
     DPL__FIGURE(dpl_read_counts, n_converted),
     .choice = dpl_encoding_name,
     .help = "object: encoding to number of files or pages that were not UTF-8",
     .label = "converted"},
    {.name = "identified",
     .type = DPL_FIGURE_COUNT,
     DPL__FIGURE(dpl_read_counts, n_identified),
     .help = "documents whose language was detected from the text",
     .label = "identified",
     .remark = "languages detected from the text",
     .shown_with = "identified"},
    {.name = "input_bytes",
     .type = DPL_FIGURE_BYTES,
     DPL__FIGURE(dpl_read_counts, n_file_bytes),
     .help = "bytes read from the files, compressed as they are"},
    {.name = "raw_bytes",
     .type = DPL_FIGURE_BYTES,
     DPL__FIGURE(dpl_read_counts, n_raw_bytes),
     .help = "the same after decompression"},
};
DPL__SUMMARY_TABLE(read, dpl_read_counts, figures)

static const dpl_figure bitext[] = {
    {.name = "rows",
     .type = DPL_FIGURE_COUNT,
     DPL__FIGURE(dpl_bitext_counts, n_rows),
     .help = "rows read"},
    {.name = "empty",
     .type = DPL_FIGURE_COUNT,
     DPL__FIGURE(dpl_bitext_counts, n_empty),
     .help = "of these, with an empty side"},
    {.name = "alone",
     .type = DPL_FIGURE_COUNT,
     DPL__FIGURE(dpl_bitext_counts, n_alone),
     .help = "without their other side"},
    {.name = "fuzzy",
     .type = DPL_FIGURE_COUNT,
     DPL__FIGURE(dpl_bitext_counts, n_fuzzy),
     .help = "translations marked as doubtful"},
    {.name = "skipped",
     .type = DPL_FIGURE_COUNT,
     DPL__FIGURE(dpl_bitext_counts, n_skipped),
     .help = "rows that could not be read"},
    {.name = "replaced",
     .type = DPL_FIGURE_COUNT,
     DPL__FIGURE(dpl_bitext_counts, n_replaced),
     .help = "invalid UTF-8 sequences turned into U+FFFD",
     .label = "replaced",
     .remark = "invalid UTF-8 sequences",
     .shown_with = "replaced"},
    {.name = "bytes",
     .type = DPL_FIGURE_BYTES,
     DPL__FIGURE(dpl_bitext_counts, n_file_bytes),
     .help = "bytes of the files, compressed as they are"},
};
DPL__SUMMARY_TABLE(bitext, dpl_bitext_counts, bitext)
