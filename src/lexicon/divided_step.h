/*
 * divided_step.h - the maximisation of an iteration that processes share (io/shared_run.h).
 *
 * Each process takes the links of some left classes: it finds their expected counts, tells the
 * others what they are for each right word, and makes their probabilities, which all take. So
 * counts of links stay where they are made, and what goes round is 8 bytes for each link and
 * each right word.
 */
#ifndef DPL_LEXICON_DIVIDED_STEP_H
#define DPL_LEXICON_DIVIDED_STEP_H

#include "lexicon/train_model.h"

typedef struct dpl__divided_step {
    dpl__trainer *t;
    void *user;
    /* Expected counts of the links of a part become t->tallies[link].p. Called once for each
     * part that this process makes. */
    dpl_status (*tally)(void *user, dpl__class_range part, dpl_error *err);
} dpl__divided_step;

/* The model's links have their new probabilities, in each process. */
dpl_status dpl__divided_step_run(const dpl__divided_step *step, dpl_error *err);

#endif
