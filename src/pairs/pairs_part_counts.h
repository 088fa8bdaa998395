/*
 * pairs_part_counts.h - the numbers of a part of a search, as its file has them.
 */
#ifndef DPL_PAIRS_PAIRS_PART_COUNTS_H
#define DPL_PAIRS_PAIRS_PART_COUNTS_H

#include "pairs/merged_ids.h"
#include "pairs/pairs_run.h"

/* The numbers of section `counts`. */
enum {
    DPL__PAIRS_IS_SELF,
    DPL__PAIRS_N_LEFT,
    DPL__PAIRS_N_RIGHT,
    DPL__PAIRS_METHOD,
    DPL__PAIRS_SELECT,
    DPL__PAIRS_N_BEST,
    DPL__PAIRS_ASSIGNMENT,
    DPL__PAIRS_MARGIN,
    DPL__PAIRS_NO_VERIFY,
    DPL__PAIRS_HAS_CHECK,
    DPL__PAIRS_SIGNATURE,
    DPL__PAIRS_BITS,
    DPL__PAIRS_CUT,
    DPL__PAIRS_FIRST_BITS,
    DPL__PAIRS_FIRST_CUT,
    DPL__PAIRS_N_TABLES,
    DPL__PAIRS_WINDOW,
    DPL__PAIRS_HASH,
    DPL__PAIRS_CODE_LENGTH,
    DPL__PAIRS_N_CODES,
    DPL__PAIRS_RADIX,
    DPL__PAIRS_SAMPLE,
    DPL__PAIRS_N_DECIDED, /* the ones above are the same in all parts */
    DPL__PAIRS_N_COMPARISONS = DPL__PAIRS_N_DECIDED,
    DPL__PAIRS_N_CANDIDATES,
    DPL__N_PAIRS_COUNTS
};
/* Those of section `reals`: the same in all parts. */
enum {
    DPL__PAIRS_THRESHOLD,
    DPL__PAIRS_PLANNED,
    DPL__PAIRS_WIDTH,
    DPL__PAIRS_NEAR_RATIO,
    DPL__N_PAIRS_REALS
};

#endif
