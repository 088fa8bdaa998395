/*
 * filter.h - which beads are kept, and the reason why others are dropped.
 */
#ifndef DPL_SENTENCES_FILTER_H
#define DPL_SENTENCES_FILTER_H

#include "sentences/bead_score.h"

/* The options of doppel/sentences.h with their defaults filled in. */
typedef struct dpl__filter {
    bool is_off;
    uint32_t min_tokens;
    double max_length_ratio, min_information;
    bool checks_language;
    bool is_paper;    /* the paper's checks alone */
    double log_ratio; /* of right characters to left ones: the mean */
} dpl__filter;

void dpl__filter_init(dpl__filter *f, const dpl_sentences_options *options, double log_ratio);

/* One side of a bead. */
typedef struct dpl__filter_side {
    const dpl_collection *collection;
    dpl_str lang; /* the document's */
    dpl_str text;
    const uint32_t *tokens; /* terms */
    uint32_t n_tokens;
    double chars;
} dpl__filter_side;

/* The verdict about a bead with both sides. */
dpl_verdict dpl__filter_verdict(const dpl__filter *f, const dpl__filter_side sides[2],
                                const dpl__bead_score *score);

#endif
