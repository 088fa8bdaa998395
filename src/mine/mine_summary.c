/*
 * mine_summary.c - the figures of a run and their lines: the terminal, run.json, --json, the
 * report and Python have them from here. Around a run's: output, the path of its folder.
 */
#include "base/summary.h"
#include "doppel/mine.h"
#include "pairs/method.h"
#include "readers/read_summary.h"

#include <math.h>
#include <stdio.h>

/* ---- sides ---------------------------------------------------------------------------- */

static const dpl_figure language[] = {
    {DPL__FIGURE_OF(CHARS, "lang", dpl_mine_language, code),
     .help = "language; und: not detected"},
    {DPL__FIGURE_OF(COUNT, "documents", dpl_mine_language, n_docs), .help = "documents"},
    {DPL__FIGURE_OF(COUNT, "sentences", dpl_mine_language, n_sentences), .help = "sentences"},
    {DPL__FIGURE_OF(COUNT, "tokens", dpl_mine_language, n_tokens), .help = "words"},
    {DPL__FIGURE_OF(COUNT, "in_groups", dpl_mine_language, n_paired),
     .help = "documents that are in a group"},
};
static const dpl_summary_table language_figures = {"language", sizeof(dpl_mine_language), false,
                                                   language, DPL_LEN(language)};

/* clang-format off */
/* A figure of one of the two sides, by number. */
#define OF_SIDE(name_, field_, i_) DPL__FIGURE_OF(COUNT, name_, dpl_mine_run, field_[i_])
#define SIDE(side_, i_, other_)                                                                \
    {                                                                                          \
        {DPL__FIGURE_OF(PART, "language", dpl_mine_run, side_), .group = &language_figures,    \
         .only = "lang documents"},                                                            \
        {.name = "line", .type = DPL_FIGURE_WORDS, .label = #side_, .value = "{documents}",    \
         .remark = "document[documents=1?|s] in [lang?'{lang}'|an unknown language]"           \
                   "[duplicates?, {duplicates} of them duplicates of others]"                  \
                   "[near_copies?, {near_copies}[duplicates?| of them] near-copies]"},         \
        {OF_SIDE("duplicates", n_duplicates, i_),                                              \
         .help = "documents with the words of an earlier one: left out"},                      \
        {OF_SIDE("near_copies", n_copies, i_),                                                 \
         .help = "near-copies beyond the first of each group"},                                \
        {OF_SIDE("boilerplate_sentences", n_boilerplate, i_),                                  \
         .help = "sentences left out that repeat in many documents", .label = "left out",      \
         .remark = "sentences in '{lang}' that repeat in many documents",                      \
         .shown_with = "boilerplate_sentences"},                                               \
        {OF_SIDE("untranslated_sentences", n_untranslated, i_),                                \
         .help = "sentences left out that both sides have, in another language",               \
         .label = "left out",                                                                  \
         .remark = "untranslated sentences in '{lang}'"                                        \
                   "[untranslated_documents?, and {untranslated_documents:document}]",         \
         .shown_with = "untranslated_sentences"},                                              \
        {OF_SIDE("untranslated_documents", n_untranslated_docs, i_),                           \
         .help = "documents left out in another language"},                                    \
        {OF_SIDE("other_language_documents", n_other_language, i_),                            \
         .only_with = "other_language_documents",                                              \
         .help = "documents left out in the language of the other side",                       \
         .label = "left out",                                                                  \
         .remark = "documents of the " #side_ " side are in '{" #other_ ".lang}'"},            \
        {DPL__FIGURE_OF(PART, "language", dpl_mine_run, side_), .group = &language_figures,    \
         .only = "sentences tokens"},                                                          \
    }
/* clang-format on */

static const dpl_figure left[] = SIDE(left, 0, right), right[] = SIDE(right, 1, left);
static const dpl_summary_table left_figures = {"left", sizeof(dpl_mine_run), false, left,
                                               DPL_LEN(left)},
                               right_figures = {"right", sizeof(dpl_mine_run), false, right,
                                                DPL_LEN(right)};

/* ---- rounds and stages ------------------------------------------------------------------ */

DPL__NAMES_OF(unit_name, dpl_mine_unit_name)
DPL__NAMES_OF(method_name, dpl__pairs_method_name)

static double round_seconds(const void *summary)
{
    const dpl_mine_round *r = summary;
    return r->align_seconds + r->train_seconds + r->search_seconds;
}

/* A line is that of the list. */
static const dpl_figure of_round[] = {
    {DPL__FIGURE_OF(CHOICE, "unit", dpl_mine_round, unit), .choice = unit_name},
    {.name = "signs",
     .type = DPL_FIGURE_WORDS,
     .value = "[name_pairs?, by names ({name_pairs})]"
              "[spelled_pairs?[name_pairs? and|, by] spelling ({spelled_pairs})]"
              "[shape_pairs?[name_pairs|spelled_pairs? and|, by] lengths and marks "
              "({shape_pairs})]"},
    {.name = "basis",
     .type = DPL_FIGURE_WORDS,
     .value = "[sentence_pairs?, after {sentence_pairs} sentence pairs|"
              "[name_pairs|spelled_pairs|shape_pairs?{signs}|"
              "[lexicon_entries start?, with {start}|, by spelling]]]"},
    {.name = "line",
     .type = DPL_FIGURE_WORDS,
     .value = "pairs, [unit=passage?by passages|[unit=sentence?score|cosine] "
              "{mean_cosine:.2f}]{basis}"
              "[sampled_documents?, with a sample of {sampled_documents} documents|"
              "[search=ngram?, searched by n-grams]]"},
    {DPL__FIGURE_OF(COUNT, "candidates", dpl_mine_round, n_candidates),
     .help = "document pairs that are each other's best match"},
    {DPL__FIGURE_OF(COUNT, "pairs", dpl_mine_round, n_pairs),
     .help = "of these, likely enough to train on"},
    {DPL__FIGURE_OF(COUNT, "new", dpl_mine_round, n_new),
     .help = "pairs that the round before did not have"},
    {DPL__FIGURE_OF(COUNT, "gone", dpl_mine_round, n_gone),
     .help = "pairs that only the round before had"},
    {DPL__FIGURE_OF(REAL, "mean_cosine", dpl_mine_round, mean_cosine), .help = "of the pairs"},
    {DPL__FIGURE_OF(REAL, "known_words", dpl_mine_round, known_words),
     .help = "share of the words that the lexicon translates"},
    {DPL__FIGURE_OF(REAL, "unpaired", dpl_mine_round, unpaired),
     .help = "share of the smaller side's documents without counterpart"},
    {DPL__FIGURE_OF(COUNT, "sentence_pairs", dpl_mine_round, n_sentence_pairs),
     .help = "sentence pairs that the lexicon was trained on"},
    {DPL__FIGURE_OF(COUNT, "lexicon_entries", dpl_mine_round, n_lexicon_entries),
     .help = "entries of the lexicon"},
    {DPL__FIGURE_OF(COUNT, "sampled_documents", dpl_mine_round, n_sampled_docs),
     .only_with = "sampled_documents",
     .help = "documents of one side that were searched with, unless all were"},
    {DPL__FIGURE_OF(COUNT, "sampled_pairs", dpl_mine_round, n_sampled_pairs),
     .only_with = "sampled_pairs",
     .help = "pairs of the round before that were trained on, unless all were"},
    {DPL__FIGURE_OF(REAL, "least_cosine", dpl_mine_round, least_cosine),
     .only_with = "least_cosine",
     .help = "neighbours with a lower cosine were not looked for, unless all were"},
    {DPL__FIGURE_OF(COUNT, "name_links", dpl_mine_round, n_name_links),
     .only_with = "name_links",
     .help = "names of both sides that were taken for the same, where spelling gave few pairs"},
    {DPL__FIGURE_OF(COUNT, "name_pairs", dpl_mine_round, n_name_pairs),
     .only_with = "name_links",
     .help = "document pairs that share these names, which the first lexicon grew from"},
    {DPL__FIGURE_OF(COUNT, "spelled_pairs", dpl_mine_round, n_spelled_pairs),
     .only_with = "spelled_pairs",
     .help = "document pairs by spelling that it grew from beside these"},
    {DPL__FIGURE_OF(COUNT, "shape_pairs", dpl_mine_round, n_shape_pairs),
     .only_with = "shape_pairs",
     .help =
         "document pairs by lengths, marks and digits that it grew from for lack of others"},
    {DPL__FIGURE_OF(CHOICE, "search", dpl_mine_round, search), .choice = method_name,
     .help = "method that found the neighbours; auto: not known"},
    {DPL__FIGURE_OF(REAL, "align_seconds", dpl_mine_round, align_seconds),
     .help = "time to align sentences"},
    {DPL__FIGURE_OF(REAL, "train_seconds", dpl_mine_round, train_seconds),
     .help = "time to train the lexicon"},
    {DPL__FIGURE_OF(REAL, "search_seconds", dpl_mine_round, search_seconds),
     .help = "time to search"},
    {.name = "round_seconds",
     .type = DPL_FIGURE_REAL,
     .n_bytes = sizeof(dpl_mine_round),
     .compute = round_seconds},
};
static const dpl_summary_table round_figures = {"round", sizeof(dpl_mine_round), false,
                                                of_round, DPL_LEN(of_round)};

static const dpl_figure stage[] = {
    {DPL__FIGURE_OF(TEXT, "name", dpl_mine_stage, name), .help = "name of the stage"},
    {DPL__FIGURE_OF(REAL, "seconds", dpl_mine_stage, seconds),
     .help = "time it took, all rounds together"},
    {DPL__FIGURE_OF(REAL, "core_seconds", dpl_mine_stage, core_seconds),
     .help = "time of all cores"},
    {DPL__FIGURE_OF(BYTES, "peak_bytes", dpl_mine_stage, peak_bytes),
     .help = "most memory held by its end"},
};
static const dpl_summary_table stage_figures = {"stage", sizeof(dpl_mine_stage), false, stage,
                                                DPL_LEN(stage)};

/* ---- what was found --------------------------------------------------------------------- */

static const dpl_figure shares[] = {
    {.name = "left",
     .type = DPL_FIGURE_REAL,
     .offset = 0,
     .n_bytes = sizeof(double),
     .help = "of the left side, 0 to 1"},
    {.name = "right",
     .type = DPL_FIGURE_REAL,
     .offset = sizeof(double),
     .n_bytes = sizeof(double),
     .help = "of the right side, 0 to 1"},
};
static const dpl_summary_table share_figures = {"shares", 2 * sizeof(double), false, shares,
                                                DPL_LEN(shares)};

static const dpl_figure gold[] = {
    {DPL__FIGURE_OF(COUNT, "accepted", dpl_mine_run, n_accepted),
     .help = "pairs of the list that are accepted", .label = "known",
     .remark = "pairs accepted, {rejected} rejected"
               "[left_out?; {left_out} lines about documents that were left out]"},
    {DPL__FIGURE_OF(COUNT, "rejected", dpl_mine_run, n_rejected),
     .help = "pairs of the list that are rejected"},
    {DPL__FIGURE_OF(TEXT, "absent", dpl_mine_run, known_absent)},
    {DPL__FIGURE_OF(COUNT, "unknown", dpl_mine_run, n_known_absent),
     .help = "lines about documents that are not here", .label = "unknown",
     .remark = "lines of it are about documents that are not here: {absent}",
     .shown_with = "unknown"},
    {DPL__FIGURE_OF(COUNT, "left_out", dpl_mine_run, n_known_left_out),
     .help = "lines about documents that are left out of mining"},
};
static const dpl_summary_table gold_figures = {"known", sizeof(dpl_mine_run), false, gold,
                                               DPL_LEN(gold)};

/* The first verdict is that a sentence pair is good. */
static const char *verdict_name(unsigned i)
{
    return i + 1 < DPL_N_VERDICTS ? dpl_verdict_name((dpl_verdict)(i + 1)) : NULL;
}

static const dpl_figure sentences[] = {
    {DPL__FIGURE_OF(COUNT, "repeated", dpl_sentences_summary,
                    n_verdicts[DPL_VERDICT_REPEATED])},
    {DPL__FIGURE_OF(COUNT, "frequent", dpl_sentences_summary,
                    n_verdicts[DPL_VERDICT_FREQUENT])},
    {.name = "dropped_sentences",
     .type = DPL_FIGURE_COUNTS,
     .offset = (uint32_t)offsetof(dpl_sentences_summary, n_verdicts[1]),
     .n_bytes = sizeof(uint64_t) * (DPL_N_VERDICTS - 1),
     .choice = verdict_name,
     .has_zeros = true,
     .help = "object: reason to number of sentence pairs that were dropped"},
};
static const dpl_summary_table sentence_figures = {"sentences", sizeof(dpl_sentences_summary),
                                                   false, sentences, DPL_LEN(sentences)};

static double n_absent(const void *summary)
{
    const dpl_links_summary *s = summary;
    return (double)(s->n_absent[0] + s->n_absent[1]);
}

static const dpl_figure links_read[] = {
    {DPL__FIGURE_OF(COUNT, "read", dpl_links_summary, n_read),
     .help = "links between the two languages"},
    {DPL__FIGURE_OF(COUNT, "links", dpl_links_summary, n_links),
     .help = "links between these documents, each once", .label = "links",
     .remark = "known between these documents; {share_left:.1%} and {share_right:.1%} of them "
               "have one"},
    {DPL__FIGURE_OF(TEXT, "absent_names", dpl_links_summary, absent)},
    {.name = "absent",
     .type = DPL_FIGURE_COUNT,
     .n_bytes = sizeof(dpl_links_summary),
     .compute = n_absent,
     .label = "unknown",
     .remark = "ends of links are documents that are not here: {absent_names}",
     .shown_with = "absent_names"},
    {DPL__FIGURE_OF(COUNT, "absent_left", dpl_links_summary, n_absent[0]),
     .help = "links whose left end is not here"},
    {DPL__FIGURE_OF(COUNT, "absent_right", dpl_links_summary, n_absent[1]),
     .help = "links whose right end is not here"},
    {DPL__FIGURE_OF(COUNT, "redirected", dpl_links_summary, n_redirected),
     .help = "ends that were found through a redirect"},
    {DPL__FIGURE_OF(COUNT, "contradicted", dpl_links_summary, n_contradicted),
     .help = "links left out: an end had another link before"},
};
static const dpl_summary_table read_figures = {"links", sizeof(dpl_links_summary), false,
                                               links_read, DPL_LEN(links_read)};

static double n_linked(const void *summary)
{
    const dpl_links_agreement *l = summary;
    return (double)(l->n_matching + l->n_touching);
}

static const dpl_figure links[] = {
    {DPL__FIGURE_OF(PART, "read_links", dpl_links_agreement, read), .group = &read_figures},
    {DPL__FIGURE_OF(REAL, "share_left", dpl_links_agreement, share[0]),
     .help = "share of the left documents that have a link"},
    {DPL__FIGURE_OF(REAL, "share_right", dpl_links_agreement, share[1]),
     .help = "share of the right documents that have a link"},
    {DPL__FIGURE_OF(COUNT, "found", dpl_links_agreement, n_found),
     .help = "links that are pairs"},
    {DPL__FIGURE_OF(COUNT, "matching", dpl_links_agreement, n_matching),
     .help = "pairs that are links"},
    {DPL__FIGURE_OF(COUNT, "touching", dpl_links_agreement, n_touching),
     .help = "pairs of which a document has another link"},
    {DPL__FIGURE_OF(REAL, "precision", dpl_links_agreement, precision),
     .help = "matching / (matching + touching)"},
    {DPL__FIGURE_OF(REAL, "recall", dpl_links_agreement, recall), .help = "found / links"},
    {.name = "linked",
     .type = DPL_FIGURE_COUNT,
     .n_bytes = sizeof(dpl_links_agreement),
     .compute = n_linked,
     .label = "evaluation",
     .remark = "pairs with linked documents: precision {precision:.1%}, recall {recall:.1%}"},
    {DPL__FIGURE_OF(REAL, "estimated_precision", dpl_links_agreement, estimated_precision),
     .help = "of the pairs that match or touch, from their confidences"},
    {DPL__FIGURE_OF(REAL, "shift", dpl_links_agreement, shift),
     .help = "of the log-odds of confidence that agrees with the links", .label = "calibration",
     .value = "",
     .remark = "[estimated_precision?estimated precision of these {estimated_precision:.1%}; "
               "without suspicious links, confidences are shifted by {shift:+.2f} log-odds|"
               "confidences shifted by {shift:+.2f} log-odds]"},
    {DPL__FIGURE_OF(COUNT, "missing", dpl_links_agreement, n_missing),
     .help = "pairs of which no document has a link", .label = "missing",
     .remark = "pairs without a link; '{output}/missing-links.tsv'"},
    {DPL__FIGURE_OF(COUNT, "suspicious", dpl_links_agreement, n_suspicious),
     .help = "links that are more likely wrong", .label = "suspicious",
     .remark = "links that do not fit; '{output}/suspicious-links.tsv'"},
};
static const dpl_summary_table links_figures = {"links", sizeof(dpl_links_agreement), false,
                                                links, DPL_LEN(links)};

static double sentences_of_a_pair(const void *summary)
{
    const dpl_mine_run *r = summary;
    return (double)r->n_sentence_pairs / (double)r->n_pairs;
}

static double last_cosine(const void *summary)
{
    const dpl_mine_run *r = summary;
    return r->n_rounds ? r->rounds[r->n_rounds - 1]->mean_cosine : NAN;
}

/* In the order of its lines. */
static const dpl_figure run[] = {
    {DPL__FIGURE_OF(FLAG, "is_empty", dpl_mine_run, is_empty)},
    {.name = "last_cosine",
     .type = DPL_FIGURE_REAL,
     .n_bytes = sizeof(dpl_mine_run),
     .compute = last_cosine},
    {.name = "estimate",
     .type = DPL_FIGURE_WORDS,
     .value = "[pairs?[why_no_estimate?{why_no_estimate}|estimated precision "
              "{estimated_precision:.1%} ({estimated_precision_low:.1p} to "
              "{estimated_precision_high:.1p}), estimated recall {estimated_recall:.1%} "
              "({estimated_recall_low:.1p} to {estimated_recall_high:.1p})]|"
              "no pairs found[why_empty?: {why_empty}]]"},
    {.name = "left",
     .type = DPL_FIGURE_GROUP,
     .offset = 0,
     .n_bytes = sizeof(dpl_mine_run),
     .group = &left_figures,
     .help = "what the left side is"},
    {.name = "right",
     .type = DPL_FIGURE_GROUP,
     .offset = 0,
     .n_bytes = sizeof(dpl_mine_run),
     .group = &right_figures,
     .help = "what the right side is"},
    {DPL__FIGURE_OF(CHOICE, "unit", dpl_mine_run, unit), .choice = unit_name,
     .help = "what was paired: document, passage or sentence", .label = "unit", .value = "",
     .remark = "sentence: each is paired by itself", .shown_with = "unit=sentence"},
    DPL__DROPPED(dpl_mine_run, skipped),
    {DPL__FIGURE_OF(TEXT, "start", dpl_mine_run, start)},
    {DPL__FIGURE_OF(LIST, "rounds", dpl_mine_run, rounds),
     .count = offsetof(dpl_mine_run, n_rounds), .group = &round_figures,
     .help = "what each round found", .label = "[is_live?{left.lang}-{right.lang} ]round {#}",
     .value = "{pairs}", .remark = "{line}", .shown_with = "!is_told"},
    {DPL__FIGURE_OF(COUNT, "document_rounds", dpl_mine_run, n_document_rounds),
     .only_with = "document_rounds",
     .help = "rounds that compared documents, before those with passages"},
    {DPL__FIGURE_OF(REAL, "aligned_share", dpl_mine_run, aligned_share),
     .help = "share of the text of the pairs that is aligned, 0 to 1"},
    {DPL__FIGURE_OF(FLAG, "has_known", dpl_mine_run, has_known)},
    {.name = "known",
     .type = DPL_FIGURE_GROUP,
     .offset = 0,
     .n_bytes = sizeof(dpl_mine_run),
     .group = &gold_figures,
     .only_with = "has_known",
     .help = "what became of the list of known pairs"},
    {DPL__FIGURE_OF(FLAG, "stable", dpl_mine_run, is_stable),
     .help = "the last two rounds found the same pairs"},
    {DPL__FIGURE_OF(FLAG, "few_pairs", dpl_mine_run, has_few_pairs),
     .help = "few documents have a counterpart", .label = "few pairs", .value = "",
     .remark = "most documents have no counterpart", .shown_with = "few_pairs pairs"},
    {DPL__FIGURE_OF(COUNT, "pairs", dpl_mine_run, n_pairs), .help = "document pairs found",
     .label = "pairs", .remark = "{estimate}"},
    {DPL__FIGURE_OF(REAL, "estimated_precision", dpl_mine_run, estimated_precision),
     .help = "from the confidences; null where it cannot be estimated"},
    {DPL__FIGURE_OF(REAL, "estimated_precision_low", dpl_mine_run, estimated_precision_low),
     .help = "lower end of its interval (95 %)"},
    {DPL__FIGURE_OF(REAL, "estimated_precision_high", dpl_mine_run, estimated_precision_high),
     .help = "upper end of its interval (95 %)"},
    {DPL__FIGURE_OF(REAL, "estimated_recall", dpl_mine_run, estimated_recall),
     .help = "from the confidences; null where it cannot be estimated"},
    {DPL__FIGURE_OF(REAL, "estimated_recall_low", dpl_mine_run, estimated_recall_low),
     .help = "lower end of its interval (95 %)"},
    {DPL__FIGURE_OF(REAL, "estimated_recall_high", dpl_mine_run, estimated_recall_high),
     .help = "upper end of its interval (95 %)"},
    {DPL__FIGURE_OF(REAL, "hidden_back", dpl_mine_run, hidden_back), .only_with = "hidden_back",
     .help =
         "share of the pairs found again when hidden from the training; the recall follows"},
    {DPL__FIGURE_OF(REAL, "least_confidence", dpl_mine_run, least_confidence),
     .only_with = "pairs", .help = "the cut: pairs of a lower confidence were left out",
     .label = "cut", .value = "{least_confidence:.2f}",
     .remark = "lowest confidence: {why_cut}", .shown_with = "why_cut"},
    {DPL__FIGURE_OF(TEXT, "why_cut", dpl_mine_run, why_cut), .only_with = "why_cut",
     .help = "the reason, where the cut is not the confidence that was asked for"},
    {DPL__FIGURE_OF(TEXT, "why_no_estimate", dpl_mine_run, why_no_estimate),
     .only_with = "why_no_estimate", .help = "the reason, where they are null"},
    {DPL__FIGURE_OF(TEXT, "verdict", dpl_mine_run, verdict), .only_with = "verdict",
     .help = "what the estimates mean, in words", .label = "verdict", .value = "",
     .remark = "{verdict}"},
    {DPL__FIGURE_OF(TEXT, "why_empty", dpl_mine_run, why_empty), .only_with = "why_empty",
     .help = "the reason, where nothing could be learned"},
    {DPL__FIGURE_OF(FLAG, "has_ranges", dpl_mine_run, has_ranges)},
    {DPL__FIGURE_OF(GROUP, "parallel_share", dpl_mine_run, parallel_share),
     .group = &share_figures, .only_with = "has_ranges",
     .help = "share of the words of paired documents in parts that match", .label = "passages",
     .value = "{parallel_share.left:.0%}",
     .remark = "and {parallel_share.right:.0%} of the pairs' words are in parts that match; "
               "'{output}/passages.tsv'",
     .shown_with = "pairs"},
    {DPL__FIGURE_OF(PART, "sentences", dpl_mine_run, sentences), .group = &sentence_figures},
    {DPL__FIGURE_OF(COUNT, "sentence_pairs", dpl_mine_run, n_sentence_pairs),
     .help = "sentence pairs found", .label = "sentences",
     .remark = "pairs[repeated|frequent?; [repeated?{repeated} repeated]"
               "[repeated frequent? and ][frequent?{frequent} frequent] dropped]",
     .shown_with = "pairs"},
    {.name = "sentences_of_a_pair",
     .type = DPL_FIGURE_REAL,
     .n_bytes = sizeof(dpl_mine_run),
     .compute = sentences_of_a_pair},
    {DPL__FIGURE_OF(GROUP, "links", dpl_mine_run, links), .group = &links_figures,
     .help = "how pairs and known links agree, where there are any"},
    {DPL__FIGURE_OF(GROUP, "recall_check", dpl_mine_run, recall_check),
     .group = &dpl_recall_figures, .only = "exact recall low high",
     .shown_with = "recall_check.recall !recall_check.exact",
     .help = "recall of the last search"},
    {DPL__FIGURE_OF(LIST, "stages", dpl_mine_run, stages),
     .count = offsetof(dpl_mine_run, n_stages), .n_each = sizeof(dpl_mine_stage),
     .group = &stage_figures, .help = "stages in the order in which they began"},
    {DPL__FIGURE_OF(REAL, "import_seconds", dpl_mine_run, import_seconds),
     .help = "time to read the documents"},
    {DPL__FIGURE_OF(REAL, "final_seconds", dpl_mine_run, final_seconds),
     .help = "time of the last search and the output"},
    DPL__SECONDS(dpl_mine_run, "time it took"),
};
const dpl_summary_table dpl_mine_run_figures = {"mine_run", sizeof(dpl_mine_run), false, run,
                                                DPL_LEN(run)};

/* ---- many languages --------------------------------------------------------------------- */

static void put_left_out(dpl_json *j, const char *key, const void *summary)
{
    const dpl_mine_summary *s = summary;
    dpl_json_begin(j, key, '{');
    for (size_t i = 0; i < s->n_left_out; i++)
        dpl_json_number(j, s->left_out[i]->code, s->left_out[i]->n_docs);
    dpl_json_end(j, '}');
}

static void put_groups(dpl_json *j, const char *key, const void *summary)
{
    const dpl_mine_summary *s = summary;
    dpl_json_begin(j, key, '{');
    for (size_t i = 2; i <= s->n_langs; i++) {
        char size[24];
        snprintf(size, sizeof size, "%zu", i);
        dpl_json_number(j, size, s->n_groups_by_size[i]);
    }
    dpl_json_end(j, '}');
}

static const dpl_figure pivot[] = {
    {DPL__FIGURE_OF(CHARS, "pivot", dpl_mine_language, code),
     .help = "the language that all others are paired with", .label = "pivot", .value = "",
     .remark = "'{pivot}'"},
};
static const dpl_summary_table pivot_figures = {"pivot", sizeof(dpl_mine_language), false,
                                                pivot, DPL_LEN(pivot)};

static const dpl_figure of_size[] = {
    {.name = "groups", .type = DPL_FIGURE_COUNT, .offset = 0, .n_bytes = sizeof(uint64_t)},
};
static const dpl_summary_table size_figures = {"size", sizeof(uint64_t), false, of_size,
                                               DPL_LEN(of_size)};

static double n_left_out(const void *summary)
{
    const dpl_mine_summary *s = summary;
    uint64_t n = 0;
    for (size_t i = 0; i < s->n_left_out; i++)
        n += s->left_out[i]->n_docs;
    return (double)n;
}

/* Two sides have none but the last two. */
static const dpl_figure figures[] = {
    {DPL__FIGURE_OF(FLAG, "is_many", dpl_mine_summary, is_many)},
    {DPL__FIGURE_OF(LIST, "languages", dpl_mine_summary, langs),
     .count = offsetof(dpl_mine_summary, n_langs), .group = &language_figures,
     .only_with = "is_many", .help = "languages with enough documents", .label = "{lang}",
     .value = "{documents}", .remark = "document[documents=1?|s]"},
    {DPL__FIGURE_OF(PART, "pivot_language", dpl_mine_summary, pivot), .group = &pivot_figures,
     .only_with = "is_many"},
    {DPL__FIGURE_OF(COUNT, "left_out_languages", dpl_mine_summary, n_left_out)},
    {.name = "left_out_documents",
     .type = DPL_FIGURE_COUNT,
     .n_bytes = sizeof(dpl_mine_summary),
     .compute = n_left_out,
     .label = "left out",
     .remark = "document[left_out_documents=1?|s] in {left_out_languages:other language}",
     .shown_with = "left_out_documents"},
    {.name = "left_out",
     .type = DPL_FIGURE_OTHER,
     .offset = 0,
     .n_bytes = sizeof(dpl_mine_summary),
     .only_with = "is_many",
     .put = put_left_out,
     .help = "object: language to number of documents that were left out"},
    DPL__DROPPED(dpl_mine_summary, skipped),
    {DPL__FIGURE_OF(LIST, "runs", dpl_mine_summary, runs),
     .count = offsetof(dpl_mine_summary, n_runs), .group = &dpl_mine_run_figures,
     .only_with = "is_many",
     .help = "a run for each other language, with the keys of a run of two",
     .label = "{left.lang}-{right.lang}", .value = "{pairs}",
     .remark = "[pairs?pairs, {estimate}; {sentence_pairs} sentence pairs|{estimate}]"
               "[has_known?; {known.accepted} known pairs accepted, {known.rejected} rejected"
               "[known.unknown?; {known.unknown} lines about documents that are not here: "
               "{known.absent}]]"},
    {.name = "groups",
     .type = DPL_FIGURE_OTHER,
     .offset = 0,
     .n_bytes = sizeof(dpl_mine_summary),
     .only_with = "is_many",
     .put = put_groups,
     .help = "object: number of languages to number of groups in that many languages"},
    {DPL__FIGURE_OF(LIST, "group_sizes", dpl_mine_summary, n_groups_by_size),
     .count = offsetof(dpl_mine_summary, n_group_sizes), .n_each = sizeof(uint64_t),
     .group = &size_figures, .label = "groups", .value = "{groups}",
     .remark = "of documents in {#} languages", .shown_with = "groups"},
    DPL__SECONDS(dpl_mine_summary, "time it took"),
};
const dpl_summary_table dpl_mine_figures = {"mine", sizeof(dpl_mine_summary), false, figures,
                                            DPL_LEN(figures)};
