/*
 * vocabulary.h - the term sets of all workers become one vocabulary with final ids.
 *
 * Ids run by falling count, then by bytes. Which worker met a term, and when, leaves no trace.
 */
#ifndef DPL_TOKENS_VOCABULARY_H
#define DPL_TOKENS_VOCABULARY_H

#include "doppel/tokens.h"

#include "io/container.h"
#include "io/scratch.h"
#include "io/spill.h"
#include "tokens/terms.h"

/* A set that is in memory, and where its numbers begin. */
typedef struct dpl__vocabulary_set {
    dpl__terms *terms;
    uint64_t begin;
} dpl__vocabulary_set;

/* Owned. */
typedef struct dpl__vocabulary {
    dpl_ctx *ctx;
    dpl__spill *spill;
    size_t share; /* bytes of memory for each of its steps */
    dpl__sorter *by_bytes;
    bool has_sorted;                   /* there are terms in it */
    DPL_VEC(dpl__vocabulary_set) sets; /* the others; borrowed */
    dpl__terms *minus;                 /* to be subtracted, or NULL; borrowed */
    DPL_VEC(uint64_t) run_begin; /* place of each run in `ids`; UINT64_MAX: not added yet */
    uint64_t n_numbers;          /* of all runs */
    dpl__scratch ids;            /* after write: final id of every (run, number) */
    uint32_t n_terms, n_repeated;
} dpl__vocabulary;

dpl_status dpl__vocabulary_init(dpl__vocabulary *v, dpl__spill *spill, size_t share,
                                dpl_error *err);
void dpl__vocabulary_clear(dpl__vocabulary *v);

/* Adds a term set under its run number, each once; the set can be forgotten then. */
dpl_status dpl__vocabulary_add(dpl__vocabulary *v, const dpl__terms *terms, uint32_t run,
                               dpl_error *err);
/* The same with the terms of a collection: its term ids are the numbers. */
dpl_status dpl__vocabulary_add_collection(dpl__vocabulary *v, const dpl_collection *c,
                                          uint32_t run, dpl_error *err);
/* The same, but the set is only borrowed until the vocabulary is written, which may clear it.
 */
dpl_status dpl__vocabulary_give(dpl__vocabulary *v, dpl__terms *terms, uint32_t run,
                                dpl_error *err);
/* The counts of a set, borrowed like that, are to be taken away again: documents that were
 * dropped after all. Once. */
void dpl__vocabulary_subtract(dpl__vocabulary *v, dpl__terms *terms);

/* Gives ids and writes the sections term.*. */
dpl_status dpl__vocabulary_write(dpl__vocabulary *v, dpl__writer *w, dpl_error *err);

/* After write: final ids of a run's numbers. UINT32_MAX: a term that no document holds. */
const uint32_t *dpl__vocabulary_ids(const dpl__vocabulary *v, uint32_t run);

/* Bytes that merging the sets takes; UINT64_MAX: there are too many terms for it. */
uint64_t dpl__vocabulary_memory_need(const dpl__vocabulary *v);
/* Gives ids, for which v->ids has room, and writes the sections term.*. */
dpl_status dpl__vocabulary_write_in_memory(dpl__vocabulary *v, dpl__writer *w, dpl_error *err);

#endif
