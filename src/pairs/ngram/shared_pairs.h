/*
 * shared_pairs.h - pairs of documents with the number of matching n-grams that they share.
 */
#ifndef DPL_PAIRS_NGRAM_SHARED_PAIRS_H
#define DPL_PAIRS_NGRAM_SHARED_PAIRS_H

#include "io/spill.h"
#include "pairs/ngram/ngram_settings.h"

/* Filled in any order, given back in order. Owned. */
typedef struct dpl__shared_pairs dpl__shared_pairs;

/* share: bytes it may hold in memory; what is more goes to the spill. */
dpl_status dpl__shared_pairs_new(dpl__shared_pairs **out, dpl__spill *spill, size_t share,
                                 dpl_error *err);
void dpl__shared_pairs_free(dpl__shared_pairs *p);
/* left << 32 | right, once for each n-gram that they share. */
dpl_status dpl__shared_pairs_add(dpl__shared_pairs *p, const uint64_t *pairs, size_t n,
                                 dpl_error *err);
/* The next pairs, rising, each once: *n of at most n_most, 0 after the last one. */
dpl_status dpl__shared_pairs_next(dpl__shared_pairs *p, dpl__ngram_shared *out, size_t *n,
                                  size_t n_most, dpl_error *err);

/* ---- the cap --------------------------------------------------------------------------- */

enum { DPL__SHARED_LEVELS = 8 };

/* How many candidates share 1, 2, 3 to 4, 5 to 8 ... n-grams with a document. */
typedef struct dpl__shared_counts {
    uint32_t n[DPL__SHARED_LEVELS];
} dpl__shared_counts;

/* Which candidates of each document are scored: those that share the most with it, max of each
 * document. Frozen once it is made. */
typedef struct dpl__shared_cap {
    uint32_t max; /* 0: all candidates are scored */
    uint32_t n_docs;
    dpl__shared_counts *counts; /* of each document */
    const uint64_t *keys; /* of each document, for the choice among equals; NULL: numbers */
} dpl__shared_cap;

/* max: of a document, for each group but its own; 0: no cap, and no least share. */
dpl_status dpl__shared_cap_init(dpl__shared_cap *c, dpl_ctx *ctx,
                                const dpl__ngram_groups *groups, unsigned max, dpl_error *err);
void dpl__shared_cap_clear(dpl__shared_cap *c, dpl_ctx *ctx);
void dpl__shared_cap_count(dpl__shared_cap *c, const dpl__ngram_shared *pairs, size_t n);
/* Counts all of them, and begins at the first pair again. */
dpl_status dpl__shared_cap_fill(dpl__shared_cap *c, dpl__shared_pairs *pairs, dpl_error *err);
/* After all are counted. Whether the pair is scored: either document wants it. */
bool dpl__shared_cap_keeps(const dpl__shared_cap *c, const dpl__ngram_shared *pair);

#endif
