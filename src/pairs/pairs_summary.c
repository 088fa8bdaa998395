/*
 * pairs_summary.c - the figures of a search for pairs, of every method.
 */
#include "base/summary.h"
#include "doppel/ngram.h"
#include "doppel/pairs.h"

#include <math.h>

/* ---- by n-grams --------------------------------------------------------------------- */

DPL__STATIC_NAMES(why_matching, "in one document", "of one language", "too frequent")
DPL__STATIC_NAMES(why_scoring, "in one document", "too frequent")
DPL__STATIC_NAMES(why_compared, "below the threshold", "in another order")

static double different(const void *summary)
{
    const dpl_ngram_summary *s = summary;
    return (double)(s->n_candidates + s->n_capped);
}

/* Counts that follow each other in the struct, as reasons. clang-format off */
#define DROPPED(first_, n_, why_)                                                              \
    {                                                                                          \
        .name = "dropped", .type = DPL_FIGURE_COUNTS,                                          \
        .offset = (uint32_t)offsetof(dpl_ngram_summary, first_),                               \
        .n_bytes = (n_) * sizeof(uint64_t), .choice = (why_), .label = "dropped"               \
    }
#define OF_NGRAM(type_, name_, field_, ...)                                                    \
    {                                                                                          \
        DPL__FIGURE_OF(type_, name_, dpl_ngram_summary, field_), __VA_ARGS__                   \
    }
/* clang-format on */

static const dpl_figure of_matching[] = {
    OF_NGRAM(COUNT, "postings", n_postings, .help = "matching n-grams of all documents"),
    OF_NGRAM(COUNT, "distinct", n_matching, .help = "distinct ones", .label = "matching",
             .remark = "distinct n-grams of {postings}, {used} of them used"),
    OF_NGRAM(COUNT, "single", n_single, .help = "of these, in one document only"),
    OF_NGRAM(COUNT, "one_language", n_one_group,
             .help = "of these, in documents of one language only"),
    OF_NGRAM(COUNT, "frequent", n_frequent, .help = "of these, in too many documents"),
    OF_NGRAM(COUNT, "used", n_used, .help = "the others, which make candidates"),
    DROPPED(n_single, 3, why_matching),
    OF_NGRAM(COUNT, "not_sampled", n_unsampled, .help = "left out by sampling",
             .label = "not sampled", .remark = "matching n-grams", .shown_with = "not_sampled"),
};
static const dpl_summary_table matching = {"matching", sizeof(dpl_ngram_summary), false,
                                           of_matching, DPL_LEN(of_matching)};

static const dpl_figure of_scoring[] = {
    OF_NGRAM(COUNT, "entries", n_entries, .help = "scoring n-grams of all documents"),
    OF_NGRAM(COUNT, "distinct", n_scoring, .help = "distinct ones", .label = "scoring",
             .remark = "distinct n-grams of {entries} entries, {kept_entries} entries kept"),
    OF_NGRAM(COUNT, "single", n_scoring_single, .help = "of these, in one document only"),
    OF_NGRAM(COUNT, "frequent", n_scoring_frequent, .help = "of these, in too many documents"),
    OF_NGRAM(COUNT, "kept_entries", n_kept, .help = "entries of the others"),
    DROPPED(n_scoring_single, 2, why_scoring),
};
static const dpl_summary_table scoring = {"scoring", sizeof(dpl_ngram_summary), false,
                                          of_scoring, DPL_LEN(of_scoring)};

static const dpl_figure of_ngrams[] = {
    OF_NGRAM(COUNT, "documents", n_docs, .help = "ngram: documents of both sides",
             .label = "documents"),
    OF_NGRAM(COUNT, "groups", n_groups, .help = "ngram: sides or languages"),
    OF_NGRAM(COUNT, "words", n_words, .help = "ngram: words of all documents"),
    OF_NGRAM(COUNT, "translated", n_translated,
             .help = "ngram: documents that the lexicon translated", .label = "translated",
             .remark = "documents, word by word", .shown_with = "translated"),
    {.name = "matching",
     .type = DPL_FIGURE_GROUP,
     .n_bytes = sizeof(dpl_ngram_summary),
     .group = &matching,
     .help = "ngram, object: n-grams that documents must share"},
    {.name = "scoring",
     .type = DPL_FIGURE_GROUP,
     .n_bytes = sizeof(dpl_ngram_summary),
     .group = &scoring,
     .help = "ngram, object: n-grams of the cosine"},
    OF_NGRAM(COUNT, "generated", n_generated,
             .help = "ngram: pairs generated before repetitions were dropped"),
    OF_NGRAM(COUNT, "capped", n_capped,
             .help = "ngram: different pairs that were not compared"),
    {.name = "different", .type = DPL_FIGURE_COUNT, .compute = different},
    OF_NGRAM(COUNT, "below", n_below, .help = "ngram: candidates below the threshold"),
    OF_NGRAM(COUNT, "disordered", n_disordered, .help = "ngram: candidates in another order"),
    DROPPED(n_below, 2, why_compared),
    OF_NGRAM(REAL, "extract_seconds", extract_seconds, .help = "ngram: time to take n-grams"),
    OF_NGRAM(REAL, "match_seconds", match_seconds, .help = "ngram: time to find candidates"),
    OF_NGRAM(REAL, "score_seconds", score_seconds, .help = "ngram: time to compare them"),
};
static const dpl_summary_table ngrams = {"ngram", sizeof(dpl_ngram_summary), false, of_ngrams,
                                         DPL_LEN(of_ngrams)};

/* ---- every method ------------------------------------------------------------------- */

DPL__NAMES_IN(method_name, dpl_pairs_method_info, dpl_pairs_get_method_info, name)
DPL__NAMES_IN(compared_unit, dpl_pairs_method_info, dpl_pairs_get_method_info, unit)
DPL__NAMES_IN(signature_name, dpl_sign_method_info, dpl_sign_get_method_info, name)
DPL__NAMES_IN(signature_unit, dpl_sign_method_info, dpl_sign_get_method_info, unit)
DPL__NAMES_IN(hash_name, dpl_hash_function_info, dpl_hash_get_function_info, name)
DPL__NAMES_IN(hash_unit, dpl_hash_function_info, dpl_hash_get_function_info, unit)

static double has_products(const void *summary)
{
    const dpl_pairs_summary *s = summary;
    return dpl_sign_get_method_info(s->signature)->has_products;
}

static double has_candidates(const void *summary)
{
    const dpl_pairs_summary *s = summary;
    return dpl_pairs_get_method_info(s->method)->has_candidates;
}

static double is_selected(const void *summary)
{
    const dpl_pairs_summary *s = summary;
    return s->n_selected != s->n_found;
}

static double planned_recall(const void *summary)
{
    const dpl_pairs_summary *s = summary;
    return s->planned_recall > 0 ? s->planned_recall : NAN;
}

/* clang-format off */
#define OF_PAIRS(type_, name_, field_, ...) \
    {DPL__FIGURE_OF(type_, name_, dpl_pairs_summary, field_), __VA_ARGS__}
#define SOME_NGRAMS(names_) \
    OF_PAIRS(PART, "ngram", ngram, .group = &ngrams, .only = (names_))
/* clang-format on */

/* Around it: select, margin, no_verify; left_dropped, right_dropped; is_self, of pairs within
 * one side. */
static const dpl_figure figures[] = {
    OF_PAIRS(COUNT, "left", n_left, .help = "rows, or documents, on the left",
             .label = "[is_self?documents|left]",
             .remark = "[left_dropped?{left_dropped} dropped: too few terms]",
             .shown_with = "!method=ngram"),
    OF_PAIRS(COUNT, "right", n_right, .help = "the same on the right", .label = "right",
             .remark = "[right_dropped?{right_dropped} dropped: too few terms]",
             .shown_with = "!method=ngram !is_self"),
    OF_PAIRS(
        CHOICE, "method", method, .choice = method_name, .help = "the method that was used",
        .label = "method",
        .remark =
            "[code_length?{hash}, {codes:.0f} codes of {code_length:.0f} {code_unit}"
            "[radix? in {radix:.0f} intervals][code_width?, width {code_width}]]"
            "[tables?{tables:.0f} tables, width {width:.0f}, ]"
            "[bits?{bits:.0f} {unit}[has_products? of {signature}], distance up to {cut:.0f}"
            "[first_bits? ({first_cut:.0f} in the first {first_bits:.0f})]]",
        .shown_with = "!method=ngram"),
    OF_PAIRS(REAL, "threshold", threshold, .help = "lowest cosine"),
    OF_PAIRS(CHOICE, "signature", signature, .choice = signature_name, .only_with = "bits",
             .help = "kind of signature that was compared; of methods that compare signatures, "
                     "as the next four"),
    OF_PAIRS(COUNT, "bits", bits, .only_with = "bits",
             .help = "bits of a signature, dimensions of rp8"),
    OF_PAIRS(COUNT, "cut", cut, .only_with = "bits", .help = "largest distance of a candidate"),
    OF_PAIRS(COUNT, "first_bits", first_bits, .only_with = "bits",
             .help = "bits of the early test; 0: there was none"),
    OF_PAIRS(COUNT, "first_cut", first_cut, .only_with = "bits",
             .help = "its largest distance"),
    OF_PAIRS(COUNT, "tables", n_tables, .only_with = "tables", .help = "window: tables (Q)"),
    OF_PAIRS(COUNT, "width", width, .only_with = "tables", .help = "window: width (B)"),
    OF_PAIRS(COUNT, "chunk", chunk, .only_with = "tables",
             .help = "window: rows of a table at a time (M)"),
    OF_PAIRS(CHOICE, "hash", hash, .choice = hash_name, .only_with = "code_length",
             .help = "hash: the function"),
    OF_PAIRS(COUNT, "code_length", code_length, .only_with = "code_length",
             .help = "hash: length of a code"),
    OF_PAIRS(COUNT, "codes", n_codes, .only_with = "code_length",
             .help = "hash: codes of a row"),
    OF_PAIRS(COUNT, "radix", radix, .only_with = "code_length",
             .help = "hash: intervals of fuzzy"),
    OF_PAIRS(REAL, "code_width", code_width, .only_with = "code_length",
             .help = "hash: width of an interval of pstable"),
    OF_PAIRS(CHOICE, "code_unit", hash, .choice = hash_unit),
    OF_PAIRS(CHOICE, "unit", signature, .choice = signature_unit),
    {.name = "has_products", .type = DPL_FIGURE_COUNT, .compute = has_products},
    {.name = "has_candidates", .type = DPL_FIGURE_COUNT, .compute = has_candidates},
    {.name = "is_selected", .type = DPL_FIGURE_COUNT, .compute = is_selected},
    OF_PAIRS(CHOICE, "compared_unit", method, .choice = compared_unit),
    SOME_NGRAMS("documents groups words translated matching scoring generated capped"),
    OF_PAIRS(
        COUNT, "comparisons", n_comparisons,
        .help = "of signatures, or of documents by their n-grams; multiply-adds of exact",
        .label = "compared",
        .remark =
            "[method=ngram?pairs[generated?, of {generated} generated, {different} different]|"
            "{compared_unit}]"),
    OF_PAIRS(COUNT, "candidates", n_candidates, .help = "pairs whose cosine was computed",
             .label = "verified", .remark = "candidates: their cosine was computed",
             .shown_with = "has_candidates !no_verify"),
    SOME_NGRAMS("below disordered dropped"),
    OF_PAIRS(COUNT, "found", n_found, .help = "pairs at or above the threshold",
             .label = "found",
             .remark = "[threshold?[no_verify?estimated at|cosine] {threshold} or more|"
                       "cosine above 0]"),
    OF_PAIRS(COUNT, "pairs", n_selected, .help = "of those, selected and written",
             .label = "selected", .remark = "{select}[margin?, by margin]",
             .shown_with = "is_selected|!select=all"),
    {DPL__FIGURE_OF(REAL, "planned_recall", dpl_pairs_summary, planned_recall),
     .compute = planned_recall, .help = "recall that the plan predicted; null: none"},
    OF_PAIRS(GROUP, "recall_check", recall_check, .group = &dpl_recall_figures,
             .help = "object: the recall of a sample"),
    DPL__SPILLED_BYTES(dpl_pairs_summary),
    OF_PAIRS(REAL, "sign_seconds", sign_seconds, .help = "time to compute signatures"),
    OF_PAIRS(REAL, "search_seconds", search_seconds, .help = "time to search"),
    OF_PAIRS(REAL, "verify_seconds", verify_seconds, .help = "time to compute cosines"),
    OF_PAIRS(REAL, "select_seconds", select_seconds, .help = "time to select pairs"),
    SOME_NGRAMS("extract_seconds match_seconds score_seconds"),
    DPL__SECONDS(dpl_pairs_summary, "time it took"),
};
const dpl_summary_table dpl_pairs_figures = {"pairs", sizeof(dpl_pairs_summary), false, figures,
                                             DPL_LEN(figures)};
