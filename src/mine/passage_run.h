/*
 * passage_run.h - when a run compares passages, and what it tells about them.
 */
#ifndef DPL_MINE_PASSAGE_RUN_H
#define DPL_MINE_PASSAGE_RUN_H

#include "mine/pair_run.h"
#include "mine/ranges.h"

/* Whether what documents gave (status: of their rounds) calls for passages. Only with
 * DPL_UNIT_AUTO. */
bool dpl__needs_passages(const dpl__pair_run *run, dpl_status status);
/* The passages of the corpus, if their lists fit into the memory. */
dpl_status dpl__pair_run_read_passages(dpl__pair_run *run, dpl_error *err);
/* Rounds begin again, with passages. */
dpl_status dpl__switch_to_passages(dpl__pair_run *run, dpl_error *err);

/* Whether what passages gave is better left: few pairs that can only be aligned in part are
 * what collections without anything in common give. Only after dpl__switch_to_passages. */
bool dpl__distrusts_passages(const dpl__pair_run *run, dpl_status status);
/* Back to documents, whose rounds are in work/. */
void dpl__switch_to_documents(dpl__pair_run *run);

/* Looks for sections, once the collections are final. */
void dpl__pair_run_find_sections(dpl__pair_run *run);
/* Whether pairs have ranges: they are compared by passages, or a document has sections. */
bool dpl__has_ranges(const dpl__pair_run *run);
/* The ranges of the next of the final pairs. */
dpl_status dpl__pair_run_add_ranges(dpl__pair_run *run, const dpl__ranges *ranges,
                                    dpl_error *err);
/* Corrects the counts of sentences, once all pairs are there. */
void dpl__pair_run_count_outside(dpl__pair_run *run);
/* passages.tsv; without ranges it is removed. */
dpl_status dpl__write_ranges(const char *dir, const dpl__pair_run *run, dpl_error *err);

#endif
