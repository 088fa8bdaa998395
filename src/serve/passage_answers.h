/*
 * passage_answers.h - answers about passages as JSON, with a server and without one, as in
 * index_answers.h.
 */
#ifndef DPL_SERVE_PASSAGE_ANSWERS_H
#define DPL_SERVE_PASSAGE_ANSWERS_H

#include "doppel/index.h"
#include "serve/message.h"

void dpl__answer_passages(dpl__answer *a, const dpl_index *index, const dpl__call *call);
void dpl__answer_dedup_check(dpl__answer *a, const dpl_index *index, const dpl__call *call);
void dpl__answer_align(dpl__answer *a, const dpl__call *call);

#endif
