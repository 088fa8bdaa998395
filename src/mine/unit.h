/*
 * unit.h - what is paired: documents, or sentences in their place.
 */
#ifndef DPL_MINE_UNIT_H
#define DPL_MINE_UNIT_H

#include "mine/pair_run.h"

/* After the import. DPL_UNIT_SENTENCE: the collections become those of their sentences. The
 * unit that is used goes to the summary. */
dpl_status dpl__pair_run_choose_unit(dpl__pair_run *run, dpl_error *err);

#endif
