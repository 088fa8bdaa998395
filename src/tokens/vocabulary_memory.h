/*
 * vocabulary_memory.h - the vocabulary of term sets that are all in memory (vocabulary.c).
 */
#ifndef DPL_TOKENS_VOCABULARY_MEMORY_H
#define DPL_TOKENS_VOCABULARY_MEMORY_H

#include "tokens/vocabulary.h"

/* Bytes that merging the sets takes; UINT64_MAX: there are too many terms for it. */
uint64_t dpl__vocabulary_memory_need(const dpl__vocabulary *v);
/* Gives ids, for which v->ids has room, and writes the sections term.*. */
dpl_status dpl__vocabulary_write_in_memory(dpl__vocabulary *v, dpl__writer *w, dpl_error *err);

#endif
