/*
 * save_model.h - a lexicon file from a trained model.
 */
#ifndef DPL_LEXICON_SAVE_MODEL_H
#define DPL_LEXICON_SAVE_MODEL_H

#include "lexicon/train_model.h"
#include "lexicon/write_lexicon.h"

typedef struct dpl__save_model_input {
    dpl__wordmodel *model; /* loses its weak links and gets the numbers of the parts */
    const dpl__model_summary *trained;
    const uint32_t
        *rank[2]; /* word w of the model is word rank[side][w] of the parts; NULL: w */
    dpl__lexicon_parts
        parts; /* languages, flags, words, how it was made; the rest is filled in */
    /* The same as in dpl_train_options, with defaults filled in. */
    dpl_prune prune;
    double min_link;
    bool no_model;
    bool is_mirrored; /* left of the model is right of the parts */
    dpl__lexicon_destination to;
} dpl__save_model_input;

/* Makes the tables and writes the lexicon. The summary, whose sizes must be there, receives
 * what was trained and written. */
dpl_status dpl__save_model(dpl_train_summary *summary, const dpl__save_model_input *input,
                           dpl_error *err);

#endif
