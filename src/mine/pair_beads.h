/*
 * pair_beads.h - sentences of document pairs, aligned when a stage first asks for them.
 *
 * Confidence, copies and outputs read the same beads: all pairs are aligned with one lexicon,
 * and with lengths and bead types of the same likely pairs, so that the beads of a pair do not
 * depend on which other ones are aligned with it, nor on who asks first.
 */
#ifndef DPL_MINE_PAIR_BEADS_H
#define DPL_MINE_PAIR_BEADS_H

#include "mine/align_sides.h"
#include "sentences/aligned.h"

/* Owned while pairs are aligned; between that any number of threads may read. */
typedef struct dpl__pair_beads dpl__pair_beads;

/* in->learn is copied; corpus and lexicon are borrowed; there are no pairs yet. */
dpl_status dpl__pair_beads_new(dpl__pair_beads **out, const dpl__align_input *in,
                               dpl_error *err);
void dpl__pair_beads_free(dpl__pair_beads *beads);

/* Aligns those of the pairs that are not aligned yet. */
dpl_status dpl__pair_beads_align(dpl__pair_beads *beads, dpl__pair_list pairs, dpl_error *err);
/* Reads the beads of an aligned pair; out->pair is its number there. Borrowed from the reader
 * until its next call. */
dpl_status dpl__pair_beads_read(dpl_aligned_docs *out, dpl__aligned_reader *reader,
                                const dpl__pair_beads *beads, dpl_doc_pair docs,
                                dpl_error *err);
/* Aligns what is missing and hands out all in order, as dpl_sentences_align does. */
dpl_status dpl__pair_beads_each(dpl__pair_beads *beads, dpl__pair_list pairs,
                                dpl_aligned_docs_fn *take, void *user, dpl_error *err);

#endif
