/*
 * terms.h - a growing set of terms with dense numbers and counts. Owned.
 *
 * Every worker has its own, so nothing is shared while documents are read; the sets are merged
 * at the end (vocabulary.c).
 */
#ifndef DPL_SRC_TERMS_H
#define DPL_SRC_TERMS_H

#include "base/arena.h"
#include "base/vec.h"

typedef struct dpl__term {
    const char *data; /* in the arena */
    uint64_t hash;
    uint32_t n;
} dpl__term;

/* Apart from the term, because they are what every token touches. */
typedef struct dpl__term_count {
    uint64_t count;
    uint32_t n_docs;
    uint32_t last_doc; /* the last one counted in n_docs; documents are numbered from 1 */
} dpl__term_count;

typedef struct dpl__terms {
    dpl_ctx *ctx;
    dpl__arena arena;
    DPL_VEC(dpl__term) all;
    DPL_VEC(dpl__term_count) counts; /* of each of them */
    uint32_t *slots;                 /* open addressing; number + 1, 0 is free */
    size_t n_slots;                  /* a power of two, at least twice the terms */
} dpl__terms;

void dpl__terms_init(dpl__terms *terms, dpl_ctx *ctx);
void dpl__terms_clear(dpl__terms *terms);
/* The term's number, a new one if it was not there. */
dpl_status dpl__terms_number(dpl__terms *terms, dpl_str term, uint32_t *number, dpl_error *err);
/* Bytes it holds, about. */
size_t dpl__terms_bytes(const dpl__terms *terms);

#endif
