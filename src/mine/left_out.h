/*
 * left_out.h - left-out.tsv: the documents of the inputs that were not mined, and why.
 */
#ifndef DPL_MINE_LEFT_OUT_H
#define DPL_MINE_LEFT_OUT_H

#include "mine/pair_run.h"

/* Language of the side, id, reason: "language", "untranslated", "boilerplate", "duplicate" (of
 * which copies.tsv has more) or "short". Nothing is written where all were mined. */
dpl_status dpl__write_left_out(const dpl__pair_run *run, dpl_error *err);

#endif
