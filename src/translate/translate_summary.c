/*
 * translate_summary.c - the figures of translating.
 */
#include "base/summary.h"
#include "doppel/translate.h"

static double unknown_share(const void *summary)
{
    const dpl_translator_counts *c = summary;
    return c->n_words ? (double)c->n_unknown / (double)c->n_words : 0;
}

/* Around it: words_per_second. */
static const dpl_figure figures[] = {
    {DPL__FIGURE_OF(COUNT, "sentences", dpl_translator_counts, n_sentences),
     .help = "sentences sent to the translator", .label = "sentences"},
    {DPL__FIGURE_OF(COUNT, "words", dpl_translator_counts, n_words),
     .help = "words sent to the translator", .label = "words",
     .remark = "{unknown_share:.1%} of them unknown, {words_per_second:.0f} in a second",
     .shown_with = "words"},
    {DPL__FIGURE_OF(COUNT, "unknown", dpl_translator_counts, n_unknown),
     .help = "words that were copied because they are not known"},
    {.name = "unknown_share", .type = DPL_FIGURE_REAL, .compute = unknown_share},
    {DPL__FIGURE_OF(COUNT, "cached", dpl_translator_counts, n_cached),
     .help = "answers from the cache", .label = "cached", .remark = "answers",
     .shown_with = "cached"},
    {DPL__FIGURE_OF(COUNT, "restarts", dpl_translator_counts, n_restarts),
     .help = "times that a program was started again", .label = "restarts",
     .remark = "of the translator", .shown_with = "restarts"},
};
DPL__SUMMARY_TABLE(translator, dpl_translator_counts, figures)
