/*
 * clean.h - text that does not belong to a document's own: boilerplate and untranslated text.
 */
#ifndef DPL_MINE_CLEAN_H
#define DPL_MINE_CLEAN_H

#include "mine/pair_run.h"

/* Sentences that repeat in many documents of a side, such as the entries of a menu, and
 * sentences that both sides have and that are not in the language of their side are left out of
 * the collections, where there is much of either. Documents of which nothing remains are left
 * out: the others get new numbers (doc_numbers.h). The summary counts what was left out. */
dpl_status dpl__pair_run_clean(dpl__pair_run *run, dpl_error *err);

/* Whether a text is clearly in another language than its side. */
bool dpl__is_foreign(dpl_str text, const char *lang);

#endif
