/*
 * with_parts.h - stage: words of languages without a stemmer are followed by their parts.
 */
#ifndef DPL_MINE_WITH_PARTS_H
#define DPL_MINE_WITH_PARTS_H

#include "mine/pair_run.h"

/* Collections with parts take the place of those of words, which stay for the start. */
dpl_status dpl__pair_run_add_parts(dpl__pair_run *run, dpl_error *err);

#endif
