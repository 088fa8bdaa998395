/*
 * pairs_run.h - a search on its way: what dpl_pairs_open does in steps, for those who do them
 * in parts.
 */
#ifndef DPL_PAIRS_PAIRS_RUN_H
#define DPL_PAIRS_PAIRS_RUN_H

#include "doppel/ngram.h"

#include "pairs/method.h"
#include "pairs/recall_check.h"

struct dpl_pairs {
    dpl_ctx *ctx;
    dpl_pairs_options options; /* defaults filled in */
    dpl_pairs_summary summary;
    dpl_recall_check checked; /* of the summary */
    bool is_self, has_vectors;
    bool has_free_bits; /* the plan may choose how many */
    dpl__sides sides;
    dpl__spill spill;
    const dpl__method *method; /* once it is known */
    dpl__signed_sides signatures;
    dpl__cuts cuts;
    dpl__recall_check recall_check;
    dpl__recall_check *check;   /* that one, if there is a check */
    DPL_VEC(dpl_pair) verified; /* of one batch of candidates */
    dpl__selector *selector;
    /* A block of a part: pairs go here instead of to the selector, with these numbers added to
     * their rows. */
    dpl__spool *found;
    uint32_t first[2];
    uint32_t first_unit, n_units;  /* of a part (method.h); n_units 0: all */
    const dpl_vectors *whole_left; /* that left is a range of; NULL: left */
    struct dpl__merged_ids *ids;   /* of pairs that were merged; else NULL */
    dpl_pairs_side given[2];       /* the sides, for ids; within one set both are left */
    /* For a method that searches documents: */
    struct dpl__ngram_finder *finder;
    dpl_ngram_summary ngram;
    const uint32_t *group_of; /* of each document of one set; NULL: they are in sides */
    uint32_t n_groups;
};

/* Begins without searching; to be closed also after a failure. options may be NULL. */
dpl_status dpl__pairs_new(dpl_pairs **out, dpl_ctx *ctx, bool is_self,
                          const dpl_pairs_options *options, dpl_error *err);
/* Checks options and sides, plans, and so chooses the method and the cuts. */
dpl_status dpl__pairs_choose(dpl_pairs *p, const dpl_pairs_side *left,
                             const dpl_pairs_side *right, dpl_error *err);
/* Signatures where there are none; of a method that compares signatures. */
dpl_status dpl__pairs_sign(dpl_pairs *p, const dpl_pairs_side *left,
                           const dpl_pairs_side *right, dpl_error *err);
/* Begins the recall check: rows are drawn, of a part every n-th, and their true pairs found,
 * where the method does not do so itself. */
dpl_status dpl__pairs_check(dpl_pairs *p, const dpl_part *part, dpl_error *err);
/* The method's own preparations. */
dpl_status dpl__pairs_complete(dpl_pairs *p, dpl_error *err);
dpl_status dpl__pairs_search(dpl_pairs *p, dpl_error *err);
dpl_status dpl__pairs_selector(dpl_pairs *p, dpl_error *err);
/* Selects, completes the recall check and the summary of what began then. */
dpl_status dpl__pairs_finish(dpl_pairs *p, double began, dpl_error *err);

#endif
