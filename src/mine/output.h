/*
 * output.h - the files that a run leaves for its user, each through a temporary name.
 */
#ifndef DPL_SRC_MINE_OUTPUT_H
#define DPL_SRC_MINE_OUTPUT_H

#include "mine/round.h"

/* left id, right id, confidence, of those with at least so much confidence. */
dpl_status dpl__write_pairs(const char *dir, const char *name, const dpl__piles *piles,
                            const dpl__mined_pairs *pairs, double least, dpl_error *err);
/* Aligns the pairs' sentences; counts go to the summary. */
dpl_status dpl__write_sentences(dpl_mine_summary *summary, const char *dir,
                                const dpl__piles *piles, const dpl_doc_pair *pairs,
                                size_t n_pairs, const dpl_lexicon *lexicon, dpl_error *err);
/* source, target, p(target|source). */
dpl_status dpl__write_lexicon(const char *dir, dpl_ctx *ctx, const dpl_lexicon *lexicon,
                              dpl_error *err);
/* What was done, as one JSON object. */
dpl_status dpl__write_run(const char *dir, const dpl__piles *piles,
                          const dpl_mine_summary *summary, dpl_error *err);

#endif
