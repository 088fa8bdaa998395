/*
 * output.h - the files that a run leaves for its user, each through a temporary name.
 */
#ifndef DPL_MINE_RUN_FILES_H
#define DPL_MINE_RUN_FILES_H

#include "io/output.h"
#include "mine/round.h"

/* dir/name; the caller finishes and frees it (io/output.h). */
dpl_status dpl__open_output(dpl__output **out, dpl_ctx *ctx, const char *dir, const char *name,
                            dpl_error *err);
/* "name": x, and what comes behind. */
void dpl__put_number(dpl__output *o, const char *name, double x, const char *behind);

/* left id, right id, confidence, of those with at least so much confidence. */
dpl_status dpl__write_pairs(const char *dir, const char *name, const dpl__comparable *corpus,
                            const dpl__doc_candidate_vec *pairs, double least, dpl_error *err);
/* Aligns the pairs' sentences; counts go to the summary. */
dpl_status dpl__write_sentences(dpl_mine_summary *summary, const char *dir,
                                const dpl__comparable *corpus, const dpl_doc_pair *pairs,
                                size_t n_pairs, const dpl_lexicon *lexicon, dpl_error *err);
/* source, target, p(target|source). */
dpl_status dpl__write_lexicon(const char *dir, dpl_ctx *ctx, const dpl_lexicon *lexicon,
                              dpl_error *err);
/* What was done, as one JSON object. */
dpl_status dpl__write_run(const char *dir, const dpl__comparable *corpus,
                          const dpl_mine_summary *summary, dpl_error *err);

#endif
