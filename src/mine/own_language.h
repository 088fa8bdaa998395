/*
 * own_language.h - documents of a side that are in the language of the other side.
 */
#ifndef DPL_MINE_OWN_LANGUAGE_H
#define DPL_MINE_OWN_LANGUAGE_H

#include "mine/pair_run.h"

/* Leaves them out of the collections and counts them, unless nearly all of the side is in one
 * language. */
dpl_status dpl__pair_run_keep_own(dpl__pair_run *run, dpl_error *err);

#endif
