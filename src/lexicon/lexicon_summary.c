/*
 * lexicon_summary.c - the figures of making lexicons.
 */
#include "base/summary.h"
#include "doppel/lexicon.h"

static const dpl_figure sizes[] = {
    {DPL__FIGURE_OF(COUNT, "sources", dpl_lexicon_sizes, n_sources),
     .help = "distinct words of the first language"},
    {DPL__FIGURE_OF(COUNT, "targets", dpl_lexicon_sizes, n_targets),
     .help = "distinct words of the second language"},
    {DPL__FIGURE_OF(COUNT, "entries", dpl_lexicon_sizes, n_entries),
     .help = "translations of sources, with p(target|source)", .label = "entries",
     .remark = "of p(target|source), and {back_entries} of p(source|target)"},
    {DPL__FIGURE_OF(COUNT, "back_entries", dpl_lexicon_sizes, n_back),
     .help = "translations of targets, with p(source|target)"},
    {DPL__FIGURE_OF(COUNT, "model_links", dpl_lexicon_sizes, n_links),
     .help = "links of the model for alignment; 0: there is none", .label = "model",
     .remark = "links of the alignment model", .shown_with = "model_links links"},
};
static const dpl_summary_table size_figures = {"sizes", sizeof(dpl_lexicon_sizes), true, sizes,
                                               DPL_LEN(sizes)};

static double left_out(const void *summary)
{
    const dpl_train_summary *s = summary;
    const dpl_bitext_counts *read = s->read;
    return (double)(s->n_empty + s->n_long +
                    (read ? read->n_alone + read->n_fuzzy + read->n_skipped : 0));
}

static double is_divided(const void *summary)
{
    return ((const dpl_train_summary *)summary)->n_blocks > 1;
}

static const dpl_figure train[] = {
    {DPL__FIGURE_OF(COUNT, "rows", dpl_train_summary, n_rows),
     .help = "rows that were trained on", .label = "rows"},
    {.name = "left_out",
     .type = DPL_FIGURE_COUNT,
     .compute = left_out,
     .label = "left out",
     .remark = "[empty?, {empty} without words on a side][long?, {long} too long][read.alone?, "
               "{read.alone} without the other side][read.fuzzy?, {read.fuzzy} "
               "doubtful][read.skipped?, {read.skipped} unreadable]",
     .shown_with = "left_out"},
    {DPL__FIGURE_OF(COUNT, "empty", dpl_train_summary, n_empty),
     .help = "rows without words on a side"},
    {DPL__FIGURE_OF(COUNT, "long", dpl_train_summary, n_long),
     .help = "rows with too many words"},
    {DPL__FIGURE_OF(GROUP, "read", dpl_train_summary, read), .group = &dpl_bitext_figures,
     .help = "what was read"},
    {DPL__FIGURE_OF(COUNT, "links", dpl_train_summary, n_links),
     .help = "pairs of words with a probability", .label = "links",
     .remark = "[dropped_links?{dropped_links} left out for want of memory|pairs of words]"},
    {DPL__FIGURE_OF(COUNT, "dropped_links", dpl_train_summary, n_dropped),
     .help = "pairs of words left out because of the memory limit"},
    {DPL__FIGURE_OF(COUNT, "blocks", dpl_train_summary, n_blocks),
     .help = "pieces that the text was divided into because of the memory limit",
     .label = "pieces", .remark = "of the text, because of the memory limit",
     .shown_with = "is_divided"},
    {.name = "is_divided", .type = DPL_FIGURE_COUNT, .compute = is_divided},
    {DPL__FIGURE_OF(REAL, "right_perplexity", dpl_train_summary, perplexity[0]),
     .label = "perplexity", .value = "{right_perplexity:.2f}",
     .remark = "of a right word given the left side; the other way {left_perplexity:.2f}"},
    {DPL__FIGURE_OF(REAL, "left_perplexity", dpl_train_summary, perplexity[1])},
    {DPL__FIGURE_OF(PART, "sizes", dpl_train_summary, sizes), .group = &size_figures},
    DPL__OUTPUT_BYTES(dpl_train_summary, "bytes of the lexicon's file"),
    {DPL__FIGURE_OF(REAL, "train_seconds", dpl_train_summary, train_seconds),
     .help = "time without reading and writing"},
    DPL__SECONDS(dpl_train_summary, "time it took"),
    {.name = "pace", .type = DPL_FIGURE_WORDS, .value = "{train_seconds:.2f} of it training"},
};
DPL__SUMMARY_TABLE(train, dpl_train_summary, train)

static const dpl_figure import[] = {
    {DPL__FIGURE_OF(COUNT, "read", dpl_lexicon_import_summary, n_read),
     .help = "lines, articles or entries in the dictionaries", .label = "read",
     .remark = "lines, articles or entries, {used} of them used"},
    {DPL__FIGURE_OF(COUNT, "used", dpl_lexicon_import_summary, n_used),
     .help = "of these, with a headword and a translation that could be used"},
    {DPL__FIGURE_OF(COUNT, "phrases", dpl_lexicon_import_summary, n_phrases),
     .help = "translations of several words; each of the words has a share", .label = "phrases",
     .remark = "translations of several words: each has a share", .shown_with = "phrases"},
    {DPL__FIGURE_OF(COUNT, "skipped", dpl_lexicon_import_summary, n_skipped),
     .help = "lines or articles that could not be read", .label = "skipped",
     .remark = "unreadable", .shown_with = "skipped"},
    {DPL__FIGURE_OF(PART, "sizes", dpl_lexicon_import_summary, sizes), .group = &size_figures},
    DPL__OUTPUT_BYTES(dpl_lexicon_import_summary, "bytes of the lexicon's file"),
    DPL__SECONDS(dpl_lexicon_import_summary, "time it took"),
};
DPL__SUMMARY_TABLE(lexicon_import, dpl_lexicon_import_summary, import)

/* ---- alignment ------------------------------------------------------------------------ */

/* clang-format off */
#define ALIGNED_SIDE(i_, share_) { \
    {DPL__FIGURE_OF(COUNT, "tokens", dpl_align_summary, n_tokens[i_]), \
     .help = "words", .label = i_ ? "right" : "left", \
     .remark = "words, {unknown_share:.1%} of them unknown"}, \
    {.name = "unknown", .type = DPL_FIGURE_COUNT, \
     DPL__FIGURE(dpl_align_summary, n_unknown[i_]), \
     .help = "of these, words that the model does not have"}, \
    {.name = "unknown_share", .type = DPL_FIGURE_REAL, .compute = share_}}
/* clang-format on */

static double unknown_share(const dpl_align_summary *s, int side)
{
    return s->n_tokens[side] ? (double)s->n_unknown[side] / (double)s->n_tokens[side] : 0;
}

static double unknown_left(const void *summary)
{
    return unknown_share(summary, 0);
}

static double unknown_right(const void *summary)
{
    return unknown_share(summary, 1);
}

static const dpl_figure left[] = ALIGNED_SIDE(0, unknown_left),
                        right[] = ALIGNED_SIDE(1, unknown_right);
static const dpl_summary_table left_figures = {"left", sizeof(dpl_align_summary), true, left,
                                               DPL_LEN(left)},
                               right_figures = {"right", sizeof(dpl_align_summary), true, right,
                                                DPL_LEN(right)};

static double rows_left_out(const void *summary)
{
    const dpl_bitext_counts *read = ((const dpl_align_summary *)summary)->read;
    return read ? (double)(read->n_alone + read->n_fuzzy + read->n_skipped) : 0;
}

/* Around it: symmetrize. */
static const dpl_figure aligned[] = {
    {DPL__FIGURE_OF(COUNT, "rows", dpl_align_summary, n_rows), .help = "lines written",
     .label = "rows"},
    {DPL__FIGURE_OF(COUNT, "long", dpl_align_summary, n_long),
     .help = "of these, without links because they have too many words on a side",
     .label = "too long", .remark = "rows: they have no links", .shown_with = "long"},
    {.name = "left_out",
     .type = DPL_FIGURE_COUNT,
     .compute = rows_left_out,
     .label = "left out",
     .remark = "[read.alone?, {read.alone} without the other side][read.fuzzy?, {read.fuzzy} "
               "doubtful][read.skipped?, {read.skipped} unreadable]",
     .shown_with = "left_out"},
    {DPL__FIGURE_OF(GROUP, "read", dpl_align_summary, read), .group = &dpl_bitext_figures,
     .help = "what was read"},
    {.name = "left",
     .type = DPL_FIGURE_GROUP,
     .n_bytes = sizeof(dpl_align_summary),
     .group = &left_figures,
     .help = "the left side"},
    {.name = "right",
     .type = DPL_FIGURE_GROUP,
     .n_bytes = sizeof(dpl_align_summary),
     .group = &right_figures,
     .help = "the right side"},
    {DPL__FIGURE_OF(COUNT, "links", dpl_align_summary, n_links), .help = "links in all rows",
     .label = "links", .remark = "{symmetrize}"},
    DPL__SECONDS(dpl_align_summary, "time it took, without opening the lexicon"),
};
DPL__SUMMARY_TABLE(align, dpl_align_summary, aligned)
