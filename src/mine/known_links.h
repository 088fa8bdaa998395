/*
 * known_links.h - pairs compared with links that are known: which are missing, which are wrong.
 */
#ifndef DPL_MINE_KNOWN_LINKS_H
#define DPL_MINE_KNOWN_LINKS_H

#include "mine/pair_run.h"
#include "mine/sample.h"

/* Reads the links of the options, before documents change. Without any, nothing happens here
 * and in the following. */
dpl_status dpl__known_links_read(dpl__pair_run *run, dpl_error *err);
/* Linked documents that take part, to train on: as many as a round trains on. Empty without the
 * option. */
dpl_status dpl__known_links_train(dpl__doc_pairs *out, const dpl__pair_run *run,
                                  dpl_error *err);
/* Compares the final pairs with them. */
dpl_status dpl__known_links_compare(dpl__pair_run *run, dpl_error *err);
/* missing-links.tsv and suspicious-links.tsv. */
dpl_status dpl__known_links_write(const dpl__pair_run *run, dpl_error *err);
void dpl__known_links_clear(dpl__pair_run *run);

#endif
