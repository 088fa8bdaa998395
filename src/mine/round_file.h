/*
 * round_file.h - a round as it stays in work/round-N.dpl, and its candidates with the final
 * confidence in work/confidence-N.dpl: written and taken up again; reading for others is public
 * (doppel/mine.h).
 */
#ifndef DPL_MINE_ROUND_FILE_H
#define DPL_MINE_ROUND_FILE_H

#include "mine/round.h"

dpl_status dpl__round_save(const char *path, const dpl__comparable *corpus,
                           const dpl_mine_round *figures, const dpl__doc_candidates *found,
                           dpl_error *err);

/* What was saved, byte for byte; rows of matches are not known any more (DPL__NO_ROW), and
 * whether it was by spelling. A file of other documents is DPL_E_FORMAT. */
dpl_status dpl__round_load(dpl_mine_round *figures, dpl__doc_candidates *found,
                           const char *path, const dpl__comparable *corpus, dpl_error *err);

#endif
