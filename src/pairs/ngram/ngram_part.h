/*
 * ngram_part.h - one part of a search by n-grams, to a file; and the pairs from all parts.
 */
#ifndef DPL_PAIRS_NGRAM_NGRAM_PART_H
#define DPL_PAIRS_NGRAM_NGRAM_PART_H

#include "pairs/ngram/finder.h"
#include "pairs/pairs_run.h"

/* Functions of the row of the table (method.h). */
dpl_status dpl__ngram_part(dpl_part_summary *made, dpl_pairs *p, const dpl__part_task *task,
                           dpl_error *err);
dpl_status dpl__ngram_merge(dpl_pairs *p, const dpl_parts *parts, dpl_error *err);

#endif
