/*
 * row_repeats.h - rows of a parallel corpus that occur more than once.
 *
 * Expectations of equal rows are equal, and counts are integers, so one row can be counted
 * several times at once: the result is the same, bit for bit.
 */
#ifndef DPL_LEXICON_ROW_REPEATS_H
#define DPL_LEXICON_ROW_REPEATS_H

#include "lexicon/encoded.h"

/* out[row]: how often the row occurs, at its first occurrence; 0 at all others. *out has n_rows
 * entries and is the caller's to free; NULL, without an error, where the table would take more
 * than n_bytes. Cost: linear in the tokens; sixteen bytes a row while it works. */
dpl_status dpl__repeats_find(uint32_t **out, dpl_ctx *ctx, const dpl__encoded *corpus,
                             uint64_t n_bytes, dpl_error *err);

#endif
