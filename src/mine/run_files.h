/*
 * run_files.h - the files that a run leaves for its user, each through a temporary name.
 */
#ifndef DPL_MINE_RUN_FILES_H
#define DPL_MINE_RUN_FILES_H

#include "io/text_output.h"
#include "mine/round.h"

/* left id, right id, confidence, of those with at least so much confidence. */
dpl_status dpl__write_pairs(const char *dir, const char *name, const dpl__comparable *corpus,
                            const dpl__doc_candidate_vec *pairs, double least, dpl_error *err);
/* source, target, p(target|source). */
dpl_status dpl__write_lexicon(const char *dir, dpl_ctx *ctx, const dpl_lexicon *lexicon,
                              dpl_error *err);
/* run.json: options, counts, rounds, seconds. */
dpl_status dpl__write_run(const char *dir, const dpl__comparable *corpus,
                          const dpl_mine_run *run, dpl_error *err);

/* The beginning and the end of any run.json. */
dpl_json dpl__run_json(dpl_output *o);
void dpl__run_json_end(dpl_json *j, dpl_ctx *ctx);

#endif
