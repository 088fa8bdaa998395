/*
 * read_summary.c - the figures of reading documents and parallel text.
 */
#include "readers/read_summary.h"

#include "readers/skips.h"
#include "unicode/charset.h"

static const char *drop_name(unsigned i)
{
    return i < DPL_N_DROPS ? dpl_drop_name((dpl_drop)i) : NULL;
}

void dpl__put_skipped(dpl_json *j, const char *key, const void *list)
{
    dpl__skip_list_json(list, j, key);
}

static const dpl_figure figures[] = {
    {DPL__FIGURE_OF(COUNTS, "dropped", dpl_read_counts, n_dropped), .choice = drop_name,
     .has_zeros = true,
     .help = "object: reason to number of records that did not become documents",
     .label = "dropped"},
    {DPL__FIGURE_OF(COUNT, "replaced", dpl_read_counts, n_replaced),
     .help = "invalid UTF-8 sequences turned into U+FFFD, where that was asked for",
     .label = "replaced", .remark = "invalid UTF-8 sequences", .shown_with = "replaced"},
    {DPL__FIGURE_OF(COUNT, "boilerplate", dpl_read_counts, n_boilerplate),
     .help = "lines of web pages that were dropped as boilerplate", .label = "boilerplate",
     .remark = "lines of pages dropped", .shown_with = "boilerplate"},
    {DPL__FIGURE_OF(COUNTS, "converted", dpl_read_counts, n_converted),
     .choice = dpl__encoding_name,
     .help = "object: encoding to number of files or pages that were not UTF-8",
     .label = "converted"},
    {DPL__FIGURE_OF(COUNT, "identified", dpl_read_counts, n_identified),
     .help = "documents whose language was detected from the text", .label = "identified",
     .remark = "languages detected from the text", .shown_with = "identified"},
    {DPL__FIGURE_OF(BYTES, "input_bytes", dpl_read_counts, n_file_bytes),
     .help = "bytes read from the files, compressed as they are"},
    {DPL__FIGURE_OF(BYTES, "raw_bytes", dpl_read_counts, n_raw_bytes),
     .help = "the same after decompression"},
};
DPL__SUMMARY_TABLE(read, dpl_read_counts, figures)

static const dpl_figure bitext[] = {
    {DPL__FIGURE_OF(COUNT, "rows", dpl_bitext_counts, n_rows), .help = "rows read"},
    {DPL__FIGURE_OF(COUNT, "empty", dpl_bitext_counts, n_empty),
     .help = "of these, with an empty side"},
    {DPL__FIGURE_OF(COUNT, "alone", dpl_bitext_counts, n_alone),
     .help = "without their other side"},
    {DPL__FIGURE_OF(COUNT, "fuzzy", dpl_bitext_counts, n_fuzzy),
     .help = "translations marked as doubtful"},
    {DPL__FIGURE_OF(COUNT, "skipped", dpl_bitext_counts, n_skipped),
     .help = "rows that could not be read"},
    {DPL__FIGURE_OF(COUNT, "replaced", dpl_bitext_counts, n_replaced),
     .help = "invalid UTF-8 sequences turned into U+FFFD", .label = "replaced",
     .remark = "invalid UTF-8 sequences", .shown_with = "replaced"},
    {DPL__FIGURE_OF(BYTES, "bytes", dpl_bitext_counts, n_file_bytes),
     .help = "bytes of the files, compressed as they are"},
};
DPL__SUMMARY_TABLE(bitext, dpl_bitext_counts, bitext)
