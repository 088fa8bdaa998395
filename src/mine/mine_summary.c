/*
 * mine_summary.c - the figures of a run: run.json, --json and Python have them from here.
 */
#include "base/summary.h"
#include "doppel/mine.h"
#include "pairs/method.h"
#include "readers/read_summary.h"

#include <stdio.h>

/* ---- sides ---------------------------------------------------------------------------- */

static const dpl_figure language[] = {
    {.name = "lang",
     .type = DPL_FIGURE_CHARS,
     DPL__FIGURE(dpl_mine_language, code),
     .help = "language; und: not detected"},
    {.name = "documents",
     .type = DPL_FIGURE_COUNT,
     DPL__FIGURE(dpl_mine_language, n_docs),
     .help = "documents"},
    {.name = "sentences",
     .type = DPL_FIGURE_COUNT,
     DPL__FIGURE(dpl_mine_language, n_sentences),
     .help = "sentences"},
    {.name = "tokens",
     .type = DPL_FIGURE_COUNT,
     DPL__FIGURE(dpl_mine_language, n_tokens),
     .help = "words"},
    {.name = "in_groups",
     .type = DPL_FIGURE_COUNT,
     DPL__FIGURE(dpl_mine_language, n_paired),
     .help = "documents that are in a group"},
};
static const dpl_summary_table language_figures = {"language", sizeof(dpl_mine_language), false,
                                                   language, DPL_LEN(language)};

/* A side of a run: i is 0 or 1. clang-format off */
#define SIDE(side_, i_)                                                                        \
    {                                                                                          \
        {.name = "language",                                                                   \
         .type = DPL_FIGURE_PART,                                                              \
         DPL__FIGURE(dpl_mine_run, side_),                                                     \
         .group = &language_figures,                                                           \
         .only = "lang documents"},                                                            \
            {.name = "duplicates",                                                             \
             .type = DPL_FIGURE_COUNT,                                                         \
             DPL__FIGURE(dpl_mine_run, n_duplicates[i_]),                                      \
             .help = "documents with the words of an earlier one: left out"},                  \
            {.name = "near_copies",                                                            \
             .type = DPL_FIGURE_COUNT,                                                         \
             DPL__FIGURE(dpl_mine_run, n_copies[i_]),                                          \
             .help = "near-copies beyond the first of each group"},                            \
            {.name = "boilerplate_sentences",                                                  \
             .type = DPL_FIGURE_COUNT,                                                         \
             DPL__FIGURE(dpl_mine_run, n_boilerplate[i_]),                                     \
             .help = "sentences left out that repeat in many documents"},                      \
            {.name = "untranslated_sentences",                                                 \
             .type = DPL_FIGURE_COUNT,                                                         \
             DPL__FIGURE(dpl_mine_run, n_untranslated[i_]),                                    \
             .help = "sentences left out that both sides have, in another language"},          \
            {.name = "untranslated_documents",                                                 \
             .type = DPL_FIGURE_COUNT,                                                         \
             DPL__FIGURE(dpl_mine_run, n_untranslated_docs[i_]),                               \
             .help = "documents left out in another language"},                                \
            {.name = "other_language_documents",                                               \
             .type = DPL_FIGURE_COUNT,                                                         \
             DPL__FIGURE(dpl_mine_run, n_other_language[i_]),                                  \
             .only_with = "other_language_documents",                                          \
             .help = "documents left out in the language of the other side"},                  \
        {                                                                                      \
            .name = "language", .type = DPL_FIGURE_PART, DPL__FIGURE(dpl_mine_run, side_),     \
            .group = &language_figures, .only = "sentences tokens"                             \
        }                                                                                      \
    }
/* clang-format on */

static const dpl_figure left[] = SIDE(left, 0), right[] = SIDE(right, 1);
static const dpl_summary_table left_figures = {"left", sizeof(dpl_mine_run), false, left,
                                               DPL_LEN(left)},
                               right_figures = {"right", sizeof(dpl_mine_run), false, right,
                                                DPL_LEN(right)};

/* ---- rounds and stages ------------------------------------------------------------------ */

static const char *method_name(unsigned i)
{
    return dpl__pairs_method_name((dpl_pairs_method)i);
}

static const dpl_figure of_round[] = {
    {.name = "candidates",
     .type = DPL_FIGURE_COUNT,
     DPL__FIGURE(dpl_mine_round, n_candidates),
     .help = "document pairs that are each other's best match"},
    {.name = "pairs",
     .type = DPL_FIGURE_COUNT,
     DPL__FIGURE(dpl_mine_round, n_pairs),
     .help = "of these, likely enough to train on"},
    {.name = "new",
     .type = DPL_FIGURE_COUNT,
     DPL__FIGURE(dpl_mine_round, n_new),
     .help = "pairs that the round before did not have"},
    {.name = "gone",
     .type = DPL_FIGURE_COUNT,
     DPL__FIGURE(dpl_mine_round, n_gone),
     .help = "pairs that only the round before had"},
    {.name = "mean_cosine",
     .type = DPL_FIGURE_REAL,
     DPL__FIGURE(dpl_mine_round, mean_cosine),
     .help = "of the pairs"},
    {.name = "known_words",
     .type = DPL_FIGURE_REAL,
     DPL__FIGURE(dpl_mine_round, known_words),
     .help = "share of the words that the lexicon translates"},
    {.name = "unpaired",
     .type = DPL_FIGURE_REAL,
     DPL__FIGURE(dpl_mine_round, unpaired),
     .help = "share of the smaller side's documents without counterpart"},
    {.name = "sentence_pairs",
     .type = DPL_FIGURE_COUNT,
     DPL__FIGURE(dpl_mine_round, n_sentence_pairs),
     .help = "sentence pairs that the lexicon was trained on"},
    {.name = "lexicon_entries",
     .type = DPL_FIGURE_COUNT,
     DPL__FIGURE(dpl_mine_round, n_lexicon_entries),
     .help = "entries of the lexicon"},
    {.name = "sampled_documents",
     .type = DPL_FIGURE_COUNT,
     DPL__FIGURE(dpl_mine_round, n_sampled_docs),
     .only_with = "sampled_documents",
     .help = "documents of one side that were searched with, unless all were"},
    {.name = "sampled_pairs",
     .type = DPL_FIGURE_COUNT,
     DPL__FIGURE(dpl_mine_round, n_sampled_pairs),
     .only_with = "sampled_pairs",
     .help = "pairs of the round before that were trained on, unless all were"},
    {.name = "least_cosine",
     .type = DPL_FIGURE_REAL,
     DPL__FIGURE(dpl_mine_round, least_cosine),
     .only_with = "least_cosine",
     .help = "neighbours with a lower cosine were not looked for, unless all were"},
    {.name = "name_links",
     .type = DPL_FIGURE_COUNT,
     DPL__FIGURE(dpl_mine_round, n_name_links),
     .only_with = "name_links",
     .help = "names of both sides that were taken for the same, where spelling gave few pairs"},
    {.name = "name_pairs",
     .type = DPL_FIGURE_COUNT,
     DPL__FIGURE(dpl_mine_round, n_name_pairs),
     .only_with = "name_links",
     .help = "document pairs that share these names, which the first lexicon grew from"},
    {.name = "spelled_pairs",
     .type = DPL_FIGURE_COUNT,
     DPL__FIGURE(dpl_mine_round, n_spelled_pairs),
     .only_with = "spelled_pairs",
     .help = "document pairs by spelling that it grew from beside these"},
    {.name = "shape_pairs",
     .type = DPL_FIGURE_COUNT,
     DPL__FIGURE(dpl_mine_round, n_shape_pairs),
     .only_with = "shape_pairs",
     .help =
         "document pairs by lengths, marks and digits that it grew from for lack of others"},
    {.name = "search",
     .type = DPL_FIGURE_CHOICE,
     DPL__FIGURE(dpl_mine_round, search),
     .choice = method_name,
     .help = "method that found the neighbours; auto: not known"},
    {.name = "align_seconds",
     .type = DPL_FIGURE_REAL,
     DPL__FIGURE(dpl_mine_round, align_seconds),
     .help = "time to align sentences"},
    {.name = "train_seconds",
     .type = DPL_FIGURE_REAL,
     DPL__FIGURE(dpl_mine_round, train_seconds),
     .help = "time to train the lexicon"},
    {.name = "search_seconds",
     .type = DPL_FIGURE_REAL,
     DPL__FIGURE(dpl_mine_round, search_seconds),
     .help = "time to search"},
};
static const dpl_summary_table round_figures = {"round", sizeof(dpl_mine_round), false,
                                                of_round, DPL_LEN(of_round)};

static const dpl_figure stage[] = {
    {.name = "name",
     .type = DPL_FIGURE_TEXT,
     DPL__FIGURE(dpl_mine_stage, name),
     .help = "name of the stage"},
    {.name = "seconds",
     .type = DPL_FIGURE_REAL,
     DPL__FIGURE(dpl_mine_stage, seconds),
     .help = "time it took, all rounds together"},
    {.name = "core_seconds",
     .type = DPL_FIGURE_REAL,
     DPL__FIGURE(dpl_mine_stage, core_seconds),
     .help = "time of all cores"},
    {.name = "peak_bytes",
     .type = DPL_FIGURE_BYTES,
     DPL__FIGURE(dpl_mine_stage, peak_bytes),
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
    {.name = "accepted",
     .type = DPL_FIGURE_COUNT,
     DPL__FIGURE(dpl_mine_run, n_accepted),
     .help = "pairs of the list that are accepted"},
    {.name = "rejected",
     .type = DPL_FIGURE_COUNT,
     DPL__FIGURE(dpl_mine_run, n_rejected),
     .help = "pairs of the list that are rejected"},
    {.name = "unknown",
     .type = DPL_FIGURE_COUNT,
     DPL__FIGURE(dpl_mine_run, n_known_absent),
     .help = "lines about documents that are not here"},
    {.name = "left_out",
     .type = DPL_FIGURE_COUNT,
     DPL__FIGURE(dpl_mine_run, n_known_left_out),
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

static const dpl_figure links_read[] = {
    {.name = "read",
     .type = DPL_FIGURE_COUNT,
     DPL__FIGURE(dpl_links_summary, n_read),
     .help = "links between the two languages"},
    {.name = "links",
     .type = DPL_FIGURE_COUNT,
     DPL__FIGURE(dpl_links_summary, n_links),
     .help = "links between these documents, each once"},
    {.name = "absent_left",
     .type = DPL_FIGURE_COUNT,
     DPL__FIGURE(dpl_links_summary, n_absent[0]),
     .help = "links whose left end is not here"},
    {.name = "absent_right",
     .type = DPL_FIGURE_COUNT,
     DPL__FIGURE(dpl_links_summary, n_absent[1]),
     .help = "links whose right end is not here"},
    {.name = "redirected",
     .type = DPL_FIGURE_COUNT,
     DPL__FIGURE(dpl_links_summary, n_redirected),
     .help = "ends that were found through a redirect"},
    {.name = "contradicted",
     .type = DPL_FIGURE_COUNT,
     DPL__FIGURE(dpl_links_summary, n_contradicted),
     .help = "links left out: an end had another link before"},
};
static const dpl_summary_table read_figures = {"links", sizeof(dpl_links_summary), false,
                                               links_read, DPL_LEN(links_read)};

static const dpl_figure links[] = {
    {.name = "read_links",
     .type = DPL_FIGURE_PART,
     DPL__FIGURE(dpl_links_agreement, read),
     .group = &read_figures},
    {.name = "share_left",
     .type = DPL_FIGURE_REAL,
     DPL__FIGURE(dpl_links_agreement, share[0]),
     .help = "share of the left documents that have a link"},
    {.name = "share_right",
     .type = DPL_FIGURE_REAL,
     DPL__FIGURE(dpl_links_agreement, share[1]),
     .help = "share of the right documents that have a link"},
    {.name = "found",
     .type = DPL_FIGURE_COUNT,
     DPL__FIGURE(dpl_links_agreement, n_found),
     .help = "links that are pairs"},
    {.name = "matching",
     .type = DPL_FIGURE_COUNT,
     DPL__FIGURE(dpl_links_agreement, n_matching),
     .help = "pairs that are links"},
    {.name = "touching",
     .type = DPL_FIGURE_COUNT,
     DPL__FIGURE(dpl_links_agreement, n_touching),
     .help = "pairs of which a document has another link"},
    {.name = "missing",
     .type = DPL_FIGURE_COUNT,
     DPL__FIGURE(dpl_links_agreement, n_missing),
     .help = "pairs of which no document has a link"},
    {.name = "suspicious",
     .type = DPL_FIGURE_COUNT,
     DPL__FIGURE(dpl_links_agreement, n_suspicious),
     .help = "links that are more likely wrong"},
    {.name = "precision",
     .type = DPL_FIGURE_REAL,
     DPL__FIGURE(dpl_links_agreement, precision),
     .help = "matching / (matching + touching)"},
    {.name = "recall",
     .type = DPL_FIGURE_REAL,
     DPL__FIGURE(dpl_links_agreement, recall),
     .help = "found / links"},
    {.name = "estimated_precision",
     .type = DPL_FIGURE_REAL,
     DPL__FIGURE(dpl_links_agreement, estimated_precision),
     .help = "of the pairs that match or touch, from their confidences"},
    {.name = "shift",
     .type = DPL_FIGURE_REAL,
     DPL__FIGURE(dpl_links_agreement, shift),
     .help = "of the log-odds of confidence that agrees with the links"},
};
const dpl_summary_table dpl_links_figures = {"links", sizeof(dpl_links_agreement), false, links,
                                             DPL_LEN(links)};

static const char *unit_name(unsigned i)
{
    return dpl_mine_unit_name((dpl_mine_unit)i);
}

static const dpl_figure run[] = {
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
    {.name = "rounds",
     .type = DPL_FIGURE_LIST,
     DPL__FIGURE(dpl_mine_run, rounds),
     .count = offsetof(dpl_mine_run, n_rounds),
     .group = &round_figures,
     .help = "what each round found"},
    {.name = "unit",
     .type = DPL_FIGURE_CHOICE,
     DPL__FIGURE(dpl_mine_run, unit),
     .choice = unit_name,
     .help = "what was paired: document, passage or sentence"},
    {.name = "document_rounds",
     .type = DPL_FIGURE_COUNT,
     DPL__FIGURE(dpl_mine_run, n_document_rounds),
     .only_with = "document_rounds",
     .help = "rounds that compared documents, before those with passages"},
    {.name = "aligned_share",
     .type = DPL_FIGURE_REAL,
     DPL__FIGURE(dpl_mine_run, aligned_share),
     .help = "share of the text of the pairs that is aligned, 0 to 1"},
    {.name = "has_ranges", .type = DPL_FIGURE_FLAG, DPL__FIGURE(dpl_mine_run, has_ranges)},
    {.name = "parallel_share",
     .type = DPL_FIGURE_GROUP,
     DPL__FIGURE(dpl_mine_run, parallel_share),
     .group = &share_figures,
     .only_with = "has_ranges",
     .help = "share of the words of paired documents in parts that match"},
    {.name = "few_pairs",
     .type = DPL_FIGURE_FLAG,
     DPL__FIGURE(dpl_mine_run, has_few_pairs),
     .help = "few documents have a counterpart"},
    {.name = "has_known", .type = DPL_FIGURE_FLAG, DPL__FIGURE(dpl_mine_run, has_known)},
    {.name = "known",
     .type = DPL_FIGURE_GROUP,
     .offset = 0,
     .n_bytes = sizeof(dpl_mine_run),
     .group = &gold_figures,
     .only_with = "has_known",
     .help = "what became of the list of known pairs"},
    {.name = "stable",
     .type = DPL_FIGURE_FLAG,
     DPL__FIGURE(dpl_mine_run, is_stable),
     .help = "the last two rounds found the same pairs"},
    {.name = "pairs",
     .type = DPL_FIGURE_COUNT,
     DPL__FIGURE(dpl_mine_run, n_pairs),
     .help = "document pairs found"},
    {.name = "sentence_pairs",
     .type = DPL_FIGURE_COUNT,
     DPL__FIGURE(dpl_mine_run, n_sentence_pairs),
     .help = "sentence pairs found"},
    {.name = "estimated_precision",
     .type = DPL_FIGURE_REAL,
     DPL__FIGURE(dpl_mine_run, estimated_precision),
     .help = "from the confidences; null where it cannot be estimated"},
    {.name = "estimated_precision_low",
     .type = DPL_FIGURE_REAL,
     DPL__FIGURE(dpl_mine_run, estimated_precision_low),
     .help = "lower end of its interval (95 %)"},
    {.name = "estimated_precision_high",
     .type = DPL_FIGURE_REAL,
     DPL__FIGURE(dpl_mine_run, estimated_precision_high),
     .help = "upper end of its interval (95 %)"},
    {.name = "estimated_recall",
     .type = DPL_FIGURE_REAL,
     DPL__FIGURE(dpl_mine_run, estimated_recall),
     .help = "from the confidences; null where it cannot be estimated"},
    {.name = "estimated_recall_low",
     .type = DPL_FIGURE_REAL,
     DPL__FIGURE(dpl_mine_run, estimated_recall_low),
     .help = "lower end of its interval (95 %)"},
    {.name = "estimated_recall_high",
     .type = DPL_FIGURE_REAL,
     DPL__FIGURE(dpl_mine_run, estimated_recall_high),
     .help = "upper end of its interval (95 %)"},
    {.name = "hidden_back",
     .type = DPL_FIGURE_REAL,
     DPL__FIGURE(dpl_mine_run, hidden_back),
     .only_with = "hidden_back",
     .help =
         "share of the pairs found again when hidden from the training; the recall follows"},
    {.name = "why_no_estimate",
     .type = DPL_FIGURE_TEXT,
     DPL__FIGURE(dpl_mine_run, why_no_estimate),
     .only_with = "why_no_estimate",
     .help = "the reason, where they are null"},
    {.name = "verdict",
     .type = DPL_FIGURE_TEXT,
     DPL__FIGURE(dpl_mine_run, verdict),
     .only_with = "verdict",
     .help = "what the estimates mean, in words"},
    {.name = "why_empty",
     .type = DPL_FIGURE_TEXT,
     DPL__FIGURE(dpl_mine_run, why_empty),
     .only_with = "why_empty",
     .help = "the reason, where nothing could be learned"},
    {.name = "links",
     .type = DPL_FIGURE_GROUP,
     DPL__FIGURE(dpl_mine_run, links),
     .group = &dpl_links_figures,
     .help = "how pairs and known links agree, where there are any"},
    {.name = "sentences",
     .type = DPL_FIGURE_PART,
     DPL__FIGURE(dpl_mine_run, sentences),
     .group = &sentence_figures},
    {.name = "recall_check",
     .type = DPL_FIGURE_GROUP,
     DPL__FIGURE(dpl_mine_run, recall_check),
     .group = &dpl_recall_figures,
     .only = "exact recall low high",
     .help = "recall of the last search"},
    DPL__SKIPPED(dpl_mine_run, skipped),
    {.name = "stages",
     .type = DPL_FIGURE_LIST,
     DPL__FIGURE(dpl_mine_run, stages),
     .count = offsetof(dpl_mine_run, n_stages),
     .n_each = sizeof(dpl_mine_stage),
     .group = &stage_figures,
     .help = "stages in the order in which they began"},
    {.name = "import_seconds",
     .type = DPL_FIGURE_REAL,
     DPL__FIGURE(dpl_mine_run, import_seconds),
     .help = "time to read the documents"},
    {.name = "final_seconds",
     .type = DPL_FIGURE_REAL,
     DPL__FIGURE(dpl_mine_run, final_seconds),
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
    {.name = "pivot",
     .type = DPL_FIGURE_CHARS,
     DPL__FIGURE(dpl_mine_language, code),
     .help = "the language that all others are paired with"},
};
static const dpl_summary_table pivot_figures = {"pivot", sizeof(dpl_mine_language), false,
                                                pivot, DPL_LEN(pivot)};

static const dpl_figure figures[] = {
    {.name = "languages",
     .type = DPL_FIGURE_LIST,
     DPL__FIGURE(dpl_mine_summary, langs),
     .count = offsetof(dpl_mine_summary, n_langs),
     .group = &language_figures,
     .help = "languages with enough documents"},
    {.name = "pivot_language",
     .type = DPL_FIGURE_PART,
     DPL__FIGURE(dpl_mine_summary, pivot),
     .group = &pivot_figures},
    {.name = "left_out",
     .type = DPL_FIGURE_OTHER,
     .offset = 0,
     .n_bytes = sizeof(dpl_mine_summary),
     .put = put_left_out,
     .help = "object: language to number of documents that were left out"},
    {.name = "runs",
     .type = DPL_FIGURE_LIST,
     DPL__FIGURE(dpl_mine_summary, runs),
     .count = offsetof(dpl_mine_summary, n_runs),
     .group = &dpl_mine_run_figures,
     .help = "a run for each other language, with the keys of a run of two"},
    {.name = "groups",
     .type = DPL_FIGURE_OTHER,
     .offset = 0,
     .n_bytes = sizeof(dpl_mine_summary),
     .put = put_groups,
     .help = "object: number of languages to number of groups in that many languages"},
    DPL__SKIPPED(dpl_mine_summary, skipped),
    DPL__SECONDS(dpl_mine_summary, "time it took"),
};
const dpl_summary_table dpl_mine_figures = {"mine", sizeof(dpl_mine_summary), false, figures,
                                            DPL_LEN(figures)};
