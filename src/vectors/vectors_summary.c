/*
 * vectors_summary.c - the figures of making vectors.
 */
#include "base/summary.h"
#include "doppel/vectors.h"

static double per_row(const void *summary)
{
    const dpl_vectors_summary *s = summary;
    return s->n_rows ? (double)s->n_entries / s->n_rows : 0;
}

static double share(uint64_t part, uint64_t whole)
{
    return whole ? (double)part / (double)whole : 0;
}

static double known_terms(const void *summary)
{
    const dpl_vectors_summary *s = summary;
    return share(s->n_known_terms, s->n_source_terms);
}

static double known_tokens(const void *summary)
{
    const dpl_vectors_summary *s = summary;
    return share(s->n_known_tokens, s->n_source_tokens);
}
DPL__STATIC_NAMES(direction_name, "none", "target", "source")
DPL__STATIC_NAMES(probability, "", "p(f|e)", "p(e|f)")

static const char *column_name(unsigned i)
{
    return i > 1 ? NULL : i ? "target" : "source";
}

static const char *column_number(unsigned i)
{
    return i > 1 ? NULL : i ? "second" : "first";
}

/* Around it: min_terms, direction_from. */
static const dpl_figure figures[] = {
    {DPL__FIGURE_OF(COUNT, "documents", dpl_vectors_summary, n_docs),
     .help = "documents in the collection", .label = "documents"},
    {DPL__FIGURE_OF(COUNT, "rows", dpl_vectors_summary, n_rows),
     .help = "documents with a vector", .label = "rows"},
    {DPL__FIGURE_OF(COUNT, "dropped", dpl_vectors_summary, n_dropped),
     .help = "documents with too few terms", .label = "dropped",
     .remark = "documents with fewer than {min_terms} terms", .shown_with = "dropped"},
    {DPL__FIGURE_OF(COUNT, "terms", dpl_vectors_summary, n_terms),
     .help = "distinct terms in all rows", .label = "terms", .remark = "[lang?in '{lang}']"},
    {DPL__FIGURE_OF(COUNT, "entries", dpl_vectors_summary, n_entries),
     .help = "pairs of a row and a term in it", .label = "entries",
     .remark = "{per_row:.0f} a row"},
    {.name = "per_row", .type = DPL_FIGURE_REAL, .compute = per_row},
    {DPL__FIGURE_OF(CHARS, "lang", dpl_vectors_summary, lang),
     .help = "language of the terms, empty when not known"},
    {DPL__FIGURE_OF(CHARS, "doc_lang", dpl_vectors_summary, doc_lang),
     .help = "language of most documents, empty when not known"},
    {DPL__FIGURE_OF(COUNT, "source_terms", dpl_vectors_summary, n_source_terms),
     .only_with = "direction", .help = "terms of the collection that occur often enough"},
    {DPL__FIGURE_OF(COUNT, "known_terms", dpl_vectors_summary, n_known_terms),
     .only_with = "direction",
     .help = "of these, translated by the lexicon; the others stay unchanged",
     .label = "translated", .value = "{known_term_share:.1%}",
     .remark = "of the terms, {known_token_share:.1%} of their occurrences; the others stay "
               "unchanged"},
    {DPL__FIGURE_OF(COUNT, "source_tokens", dpl_vectors_summary, n_source_tokens),
     .only_with = "direction", .help = "occurrences of those terms"},
    {DPL__FIGURE_OF(COUNT, "known_tokens", dpl_vectors_summary, n_known_tokens),
     .only_with = "direction", .help = "of these, translated by the lexicon"},
    {.name = "known_term_share", .type = DPL_FIGURE_REAL, .compute = known_terms},
    {.name = "known_token_share", .type = DPL_FIGURE_REAL, .compute = known_tokens},
    {DPL__FIGURE_OF(CHOICE, "direction", dpl_vectors_summary, direction),
     .choice = direction_name,
     .help = "source: by p(e|f), target: by p(f|e), none without a lexicon; f are the "
             "collection's words",
     .label = "direction",
     .remark = "{probability}[direction_from=option?, as asked; the {column} column is the "
               "collection's|[counted?; the {column} column holds more of the collection's "
               "terms|; the collection is in '{doc_lang}', as is the {column} column]]",
     .shown_with = "direction"},
    {DPL__FIGURE_OF(CHOICE, "probability", dpl_vectors_summary, direction),
     .choice = probability},
    {DPL__FIGURE_OF(CHOICE, "column", dpl_vectors_summary, is_target), .choice = column_number},
    {DPL__FIGURE_OF(FLAG, "counted", dpl_vectors_summary, is_counted)},
    {DPL__FIGURE_OF(CHOICE, "lexicon_column", dpl_vectors_summary, is_target),
     .choice = column_name, .only_with = "direction",
     .help = "source or target: the one that is the collection's language"},
    DPL__OUTPUT_BYTES(dpl_vectors_summary, "bytes of the vectors' file"),
    DPL__SPILLED_BYTES(dpl_vectors_summary),
    DPL__SECONDS(dpl_vectors_summary, "time it took, without reading collection and lexicon"),
};
DPL__SUMMARY_TABLE(vectors, dpl_vectors_summary, figures)
