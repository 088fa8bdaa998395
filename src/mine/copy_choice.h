/*
 * copy_choice.h - near-copies when the pairs are found: which of them is paired, and which
 * document each is a copy of.
 */
#ifndef DPL_MINE_COPY_CHOICE_H
#define DPL_MINE_COPY_CHOICE_H

#include "mine/rounds.h"

/* For each pair with near-copies, takes the two members with the largest share of aligned
 * text. */
dpl_status dpl__choose_copies(dpl__doc_candidates *found, dpl__rounds *rounds,
                              const dpl__comparable *corpus, dpl_error *err);

/* For each document of a side that has the words of another one, or nearly so: the one of them
 * that is paired, or else takes part. Sides without copies keep NULL. */
dpl_status dpl__list_copies(uint32_t *copy_of[2], const dpl__comparable *corpus,
                            const dpl__pair_list *pairs, dpl_error *err);

/* copies.tsv: language, id of the copy, id of the document that it is a copy of; tabs between.
 * No file where there are none. */
dpl_status dpl__write_copies(const char *dir, const dpl__comparable *corpus,
                             uint32_t *const copy_of[2], dpl_error *err);

#endif
