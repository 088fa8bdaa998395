/*
 * word_trial.h - whether words help to align, tried on held-out beads.
 */
#ifndef DPL_SENTENCES_WORD_TRIAL_H
#define DPL_SENTENCES_WORD_TRIAL_H

#include "sentences/align.h"

/* After shapes and links, before words are learnt: sets the model's weight to 0 where words do
 * not help, and the probability that a word of a lexicon has no counterpart, from the first n
 * pairs of the sample. */
dpl_status dpl__word_trial(dpl_sentences *s, size_t n, dpl_error *err);

#endif
