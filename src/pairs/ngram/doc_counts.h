/*
 * doc_counts.h - in how many documents each n-gram occurs. Owned while it counts, then frozen.
 */
#ifndef DPL_PAIRS_NGRAM_DOC_COUNTS_H
#define DPL_PAIRS_NGRAM_DOC_COUNTS_H

#include "io/external_sort.h"
#include "io/scratch.h"

enum { DPL__COUNT_PARTS = 256 };

typedef DPL_VEC(uint64_t) dpl__fingerprints;

/* N-grams whose fingerprints begin with the same byte, rising, and their counts. */
typedef struct dpl__count_part {
    uint64_t *ngrams;
    uint32_t *counts;
    size_t n;
} dpl__count_part;

typedef struct dpl__doc_counts {
    dpl_ctx *ctx;
    dpl__spill *spill;
    size_t share; /* bytes for counts, and then for the table */
    size_t most_waiting;
    dpl__runs runs;            /* counts that did not fit */
    dpl__fingerprints waiting; /* not counted yet */
    uint64_t *dealt;           /* room for as many */
    size_t n_dealt, begin[DPL__COUNT_PARTS + 1];
    dpl__count_part parts[DPL__COUNT_PARTS];
    /* after the end: n-grams that are kept, rising, found by their first bits */
    const uint64_t *ngrams;
    const uint32_t *counts, *starts;
    dpl__scratch table[3]; /* these; beyond the share they are mapped files */
    size_t n;
    unsigned shift;
    uint64_t n_entries, n_ngrams, n_rare;
} dpl__doc_counts;

/* share: bytes it may hold; what is more goes to the spill. */
void dpl__doc_counts_init(dpl__doc_counts *c, dpl__spill *spill, size_t share);
void dpl__doc_counts_clear(dpl__doc_counts *c);
/* The distinct n-grams of documents. */
dpl_status dpl__doc_counts_add(dpl__doc_counts *c, const uint64_t *ngrams, size_t n,
                               dpl_error *err);
/* Keeps those of at least min_count documents. */
dpl_status dpl__doc_counts_end(dpl__doc_counts *c, unsigned min_count, dpl_error *err);

/* The two steps of finding one that is not in the cache: long before, and before. */
static inline void dpl__doc_counts_soon(const dpl__doc_counts *c, uint64_t ngram)
{
    DPL_PREFETCH(&c->starts[ngram >> c->shift]);
}

static inline void dpl__doc_counts_next(const dpl__doc_counts *c, uint64_t ngram)
{
    size_t at = c->starts[ngram >> c->shift];
    DPL_PREFETCH(c->ngrams + at);
    DPL_PREFETCH(c->counts + at);
}

/* The number of an n-gram among those kept; SIZE_MAX: it is not. */
static inline size_t dpl__doc_counts_find(const dpl__doc_counts *c, uint64_t ngram)
{
    uint64_t key = ngram >> c->shift;
    assert(c->starts[key] <= c->starts[key + 1] && c->starts[key + 1] <= c->n);
    for (size_t i = c->starts[key], end = c->starts[key + 1]; i < end; i++)
        if (c->ngrams[i] == ngram)
            return i;
    return SIZE_MAX;
}

#endif
