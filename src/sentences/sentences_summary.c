/*
 * sentences_summary.c - the figures of aligning sentences.
 */
#include "base/summary.h"
#include "doppel/sentences.h"

#include <stdio.h>

static void put_kinds(dpl_json *j, const char *key, const void *summary)
{
    const dpl_sentences_summary *s = summary;
    dpl_json_begin(j, key, '{');
    for (unsigned l = 0; l <= DPL_MAX_SIDE; l++)
        for (unsigned r = 0; r <= DPL_MAX_SIDE; r++) {
            char name[8];
            snprintf(name, sizeof name, "%u-%u", l, r);
            if (s->n_kinds[l][r])
                dpl_json_number(j, name, s->n_kinds[l][r]);
        }
    dpl_json_end(j, '}');
}

static const char *verdict(unsigned i)
{
    return i < DPL_N_VERDICTS ? dpl_verdict_name((dpl_verdict)i) : NULL;
}

/* Why beads were dropped, in words. */
static const char *reason(unsigned i)
{
    static const char *const words[DPL_N_VERDICTS] = {
        [DPL_VERDICT_ALONE] = "alone",         [DPL_VERDICT_SHORT] = "short",
        [DPL_VERDICT_IDENTICAL] = "identical", [DPL_VERDICT_LENGTH] = "by length",
        [DPL_VERDICT_WORDS] = "by words",      [DPL_VERDICT_LANGUAGE] = "by language",
        [DPL_VERDICT_SCORE] = "by score",      [DPL_VERDICT_REPEATED] = "repeated",
        [DPL_VERDICT_FREQUENT] = "frequent",   [DPL_VERDICT_OUTSIDE] = "outside"};
    return i + 1 < DPL_N_VERDICTS ? words[i + 1] : NULL;
}

static double learned(const void *summary)
{
    const dpl_sentences_summary *s = summary;
    return s->n_learnt > s->n_links ? (double)(s->n_learnt - s->n_links) : 0;
}

/* Around it: units, "sentences" or "lines"; main_kinds, the most frequent ones. */
static const dpl_figure figures[] = {
    {DPL__FIGURE_OF(COUNT, "pairs", dpl_sentences_summary, n_pairs),
     .help = "document pairs that were aligned", .label = "pairs", .remark = "of documents"},
    {DPL__FIGURE_OF(COUNT, "left", dpl_sentences_summary, n_units[0]),
     .help = "sentences, or lines, on the left", .label = "left", .remark = "{units}"},
    {DPL__FIGURE_OF(COUNT, "right", dpl_sentences_summary, n_units[1]),
     .help = "sentences, or lines, on the right", .label = "right", .remark = "{units}"},
    {DPL__FIGURE_OF(COUNT, "links", dpl_sentences_summary, n_links),
     .help = "pairs of words that may be translations, before training"},
    {DPL__FIGURE_OF(COUNT, "learnt", dpl_sentences_summary, n_learnt),
     .help = "the same after training", .label = "words",
     .remark = "pairs that may be translations, {learned} of them learned"},
    {.name = "learned", .type = DPL_FIGURE_COUNT, .compute = learned},
    {DPL__FIGURE_OF(COUNT, "beads", dpl_sentences_summary, n_beads),
     .help = "beads: runs of sentences that are translations of each other, or sentences "
             "without counterpart",
     .label = "beads", .remark = "{main_kinds}"},
    {.name = "kinds",
     .type = DPL_FIGURE_OTHER,
     .n_bytes = sizeof(dpl_sentences_summary),
     .put = put_kinds,
     .help = "object: number of beads by their sentences left and right, such as 1-2"},
    {DPL__FIGURE_OF(COUNTS, "verdicts", dpl_sentences_summary, n_verdicts), .choice = verdict,
     .has_zeros = true,
     .help = "object: kept, and dropped by reason: alone (no counterpart), short (too few "
             "words), identical, length (ratio), words (too little shared information), "
             "language (not that of the document), score (too low), repeated, frequent"},
    {DPL__FIGURE_OF(COUNT, "kept", dpl_sentences_summary, n_verdicts[DPL_VERDICT_KEPT]),
     .label = "kept"},
    {.name = "dropped",
     .type = DPL_FIGURE_COUNTS,
     .offset = (uint32_t)offsetof(dpl_sentences_summary, n_verdicts[1]),
     .n_bytes = sizeof(uint64_t) * (DPL_N_VERDICTS - 1),
     .choice = reason,
     .label = "dropped"},
    {DPL__FIGURE_OF(REAL, "length_ratio", dpl_sentences_summary, length_ratio),
     .help = "mean number of right characters per left character"},
    {DPL__FIGURE_OF(REAL, "learn_seconds", dpl_sentences_summary, learn_seconds),
     .help = "time to learn pairs of words"},
    DPL__SECONDS(dpl_sentences_summary, "time it took, without reading documents"),
};
DPL__SUMMARY_TABLE(sentences, dpl_sentences_summary, figures)
