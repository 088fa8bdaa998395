/*
 * select_groups.h - which pairs of documents of several groups stay: a rule of the selector
 * (select.c) for groups instead of sides. Owned.
 */
#ifndef DPL_PAIRS_SELECT_GROUPS_H
#define DPL_PAIRS_SELECT_GROUPS_H

#include "io/spill.h"
#include "pairs/ngram/ngram_settings.h"

typedef struct dpl__group_rule {
    const dpl__ngram_groups
        *groups; /* of all documents, which are numbered through the sides */
    dpl_ngram_symmetry symmetry;
    unsigned n_best;
    double near_ratio;
} dpl__group_rule;

typedef struct dpl__group_selector {
    dpl_ctx *ctx;
    dpl__spill *spill;
    dpl__group_rule rule;
    size_t share; /* bytes for pairs */
    float *best;  /* n_best scores of each document and group, falling; 0: none */
    size_t n_all; /* of them */
    dpl__spool pairs;
} dpl__group_selector;

/* The groups are borrowed until it is cleared. */
dpl_status dpl__group_selector_init(dpl__group_selector *x, dpl__spill *spill,
                                    const dpl__group_rule *rule, size_t share, dpl_error *err);
void dpl__group_selector_clear(dpl__group_selector *x);
dpl_status dpl__group_selector_add(dpl__group_selector *x, const dpl_pair *pairs, size_t n,
                                   dpl_error *err);
/* Ends adding. Appends the pairs that stay by left document, then score downwards, then right
 * document. */
dpl_status dpl__group_selector_end(dpl__group_selector *x, dpl__spool *out, dpl_error *err);

#endif
