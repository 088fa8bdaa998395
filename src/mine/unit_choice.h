/*
 * unit_choice.h - what is paired in a run: as asked for, or by what its documents are.
 */
#ifndef DPL_MINE_UNIT_CHOICE_H
#define DPL_MINE_UNIT_CHOICE_H

#include "mine/pair_run.h"

/* After the import. DPL_UNIT_SENTENCE: the collections become those of their sentences. The
 * unit goes to the run, and to the summary. */
dpl_status dpl__pair_run_choose_unit(dpl__pair_run *run, dpl_error *err);

/* DPL_UNIT_AUTO: whether what documents gave calls for passages. */
bool dpl__needs_passages(const dpl__rounds *documents, bool is_lexicon_only);
/* Whether the model of few pairs, which knows documents that are translated as wholes, left
 * none of what passages gave, or pairs that are aligned in part. */
bool dpl__may_be_parts(const dpl__doc_candidates *passages);
/* Whether enough of the hidden pairs were found again for all of them to be trusted. */
bool dpl__come_back(const dpl__hidden_pairs *hidden);
/* Whether what passages gave is better left: fewer right pairs than documents gave, pairs that
 * do not come back when they are hidden (a lexicon learns the words of wrong pairs, too, and is
 * sure of them then), or few pairs that can only be aligned in part, as collections without
 * anything in common give. */
bool dpl__distrusts_passages(const dpl__rounds *passages, const dpl__rounds *documents,
                             const dpl__comparable *corpus, bool is_lexicon_only);

/* Whether the mean confidence of the pairs is as low as that of unrelated sentences: where
 * strict rounds then find nothing, there is nothing. */
bool dpl__is_doubtful(const dpl__rounds *sentences);

/* Whether single sentences found few pairs, and did not find more from round to round. Most of
 * these may be wrong then (rounds.h: is_strict). */
bool dpl__needs_strict_rounds(const dpl__rounds *sentences, const dpl__comparable *corpus);

#endif
