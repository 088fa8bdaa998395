/*
 * save_model.h - a lexicon file from a trained model.
 */
#ifndef DPL_LEXICON_SAVE_MODEL_H
#define DPL_LEXICON_SAVE_MODEL_H

#include "lexicon/train_model.h"
#include "lexicon/write_lexicon.h"

/* As in dpl_train_options, with the defaults filled in. */
typedef struct dpl__save_model_options {
    dpl_prune prune;
    double min_link;
    bool no_model;
} dpl__save_model_options;

/* Makes the tables and writes them; parts has languages, flags, words and how it was made, the
 * rest is filled in here. Word w of the model is word rank[side][w] of the parts, NULL: word w.
 * The model loses its weak links and gets the numbers of the parts. What was trained and
 * written goes to the summary, whose sizes must be there. */
dpl_status dpl__save_model(dpl_train_summary *summary, dpl__wordmodel *model,
                           const uint32_t *const rank[2], const dpl__model_summary *trained,
                           dpl__lexicon_parts parts, const dpl__save_model_options *options,
                           const dpl__lexicon_destination *to, dpl_error *err);

#endif
