/*
 * pairs_tsv.h - files of pairs as text: left id <TAB> right id, more columns behind. Owned.
 *
 * The first line may be a header: it begins with "left_id <TAB> right_id". A line without a
 * tab, or with an empty id, is DPL_E_FORMAT with its number.
 */
#ifndef DPL_PAIRS_PAIRS_TSV_H
#define DPL_PAIRS_PAIRS_TSV_H

#include "io/lines.h"

typedef struct dpl__pair_line {
    dpl_str left, right;
    dpl_str rest; /* behind the tab after right; no data when there is none */
} dpl__pair_line;

/* The next one, headers skipped. Borrowed until the next call; DPL_END after the last one. */
dpl_status dpl__pairs_tsv_next(dpl__lines *lines, dpl__pair_line *out, dpl_error *err);

#endif
