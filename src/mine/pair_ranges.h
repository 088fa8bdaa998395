/*
 * pair_ranges.h - which parts of the final pairs are translations.
 */
#ifndef DPL_MINE_PAIR_RANGES_H
#define DPL_MINE_PAIR_RANGES_H

#include "mine/pair_run.h"
#include "mine/ranges.h"

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
