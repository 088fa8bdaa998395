/*
 * ngram_select.h - which of the scored pairs stay. Owned.
 */
#ifndef DPL_PAIRS_NGRAM_NGRAM_SELECT_H
#define DPL_PAIRS_NGRAM_NGRAM_SELECT_H

#include "io/spill.h"
#include "pairs/ngram/ngram_settings.h"

typedef struct dpl__ngram_selector {
    dpl_ctx *ctx;
    dpl__spill *spill;
    const dpl__ngram_settings *s;
    const dpl_ngram_groups *groups;
    size_t share; /* bytes for pairs */
    float *best;  /* n_best scores of each document and group, falling; 0: none */
    size_t n_all; /* of them */
    dpl__spool pairs;
} dpl__ngram_selector;

/* What is borrowed stays until it is cleared. */
dpl_status dpl__ngram_selector_init(dpl__ngram_selector *x, dpl__spill *spill,
                                    const dpl_ngram_groups *groups,
                                    const dpl__ngram_settings *s, size_t share, dpl_error *err);
void dpl__ngram_selector_clear(dpl__ngram_selector *x);
dpl_status dpl__ngram_selector_add(dpl__ngram_selector *x, const dpl_ngram_pair *pairs,
                                   size_t n, dpl_error *err);
/* Ends adding. Appends the pairs that stay by left document, then score downwards, then right
 * document. */
dpl_status dpl__ngram_selector_end(dpl__ngram_selector *x, dpl__spool *out, dpl_error *err);

#endif
