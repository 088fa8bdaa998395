/*
 * method.h - a search method: its name, its rows of the plan, how it searches.
 *
 * A method is one file, <name>_method.c, and one row of the table in pair_methods.c. Help,
 * completion, the plan and its reasons take names and texts from the table.
 */
#ifndef DPL_PAIRS_METHOD_H
#define DPL_PAIRS_METHOD_H

#include "pairs/neighbour_lists.h"
#include "pairs/planner.h"
#include "pairs/searches.h"

/* What a method searches and where its finds go. */
typedef struct dpl__search {
    dpl_ctx *ctx;
    dpl_pairs_options *options; /* with defaults and the plan's choice filled in */
    dpl_pairs_summary *summary;
    bool is_self;
    const dpl__sides *sides;          /* all zero without vectors */
    const dpl__bits *left, *right;    /* of a method that compares signatures */
    const dpl_sign_method_info *sign; /* what these are */
    dpl__cuts cuts;
    uint32_t first_unit, n_units;     /* of a part (dpl__method, n_units); n_units 0: all */
    const dpl_vectors *reference;     /* hash: what fuzzy learns from: all left rows */
    struct dpl__ngram_finder *finder; /* ngram */
    struct dpl__recall_check *check;  /* of a method that checks_itself; NULL: no check */
    dpl__spill *spill;
    dpl__pair_sink pairs;           /* takes pairs with true cosines */
    dpl__candidate_sink candidates; /* takes pairs to be verified */
} dpl__search;

typedef struct dpl__method {
    dpl_pairs_method_info info;
    bool is_planned;   /* its settings are those of a row of the plan */
    bool needs_bits;   /* signatures of products (rp8) will not do */
    bool chooses_bits; /* the plan may choose how long signatures are */
    /* run gives the recall check the true pairs of its rows; else an exact search does. */
    bool checks_itself;
    /* Hint where signatures cannot be searched. */
    const char *searched_with;
    /* For a method that has_documents: checks options and sides, instead of the checks of
     * rows. */
    dpl_status (*open)(dpl_pairs *p, const dpl_pairs_side *left, const dpl_pairs_side *right,
                       dpl_error *err);
    /* What a part is a range of, all rows in every part: tables, left documents. NULL: a part
     * is a block of rows. */
    uint32_t (*n_units)(const dpl_pairs *p);
    /* Appends rows to the plan; none where the method cannot be used. */
    void (*plan)(dpl__planner *p);
    /* "brute force": the way of this row, for a sentence. */
    void (*say_name)(dpl__text *t, const dpl_plan_row *row);
    /* " compares all 1e+12 pairs in ": what it would do; the time follows. */
    void (*say_work)(dpl__text *t, const dpl_plan_row *row, double n_pairs);
    /* Said when no row reaches the recall; NULL: the method does not fit into memory. */
    const char *not_enough;
    /* Checks and completes the options after planning; may be NULL. */
    dpl_status (*prepare)(dpl__search *s, dpl_error *err);
    dpl_status (*run)(dpl__search *s, dpl_error *err);
    /* In place of run where candidates are not verified: only those that a selection of the n
     * best of each row, or of both sides, needs. NULL: run gives all. */
    dpl_status (*best)(dpl_ctx *ctx, const dpl__bit_search *s, unsigned n, bool has_right,
                       dpl_error *err);
    /* The k nearest of every row and column in one pass. */
    dpl_status (*nearest)(dpl__nearest_search *s, dpl_error *err);
    /* Which share of the nearest it found; NULL: of those of a sample of rows. */
    dpl_status (*check_nearest)(dpl_recall_check *out, const dpl__nearest_search *s,
                                dpl_error *err);
} dpl__method;

/* NULL past the last one. AUTO has no functions. */
const dpl__method *dpl__method_of(dpl_pairs_method method);

/* Whether these signatures can be searched by it. */
bool dpl__method_can_search(dpl_pairs_method method, const dpl_sign_method_info *signature);

/* The usual hint. */
extern const char dpl__any_signature[];

/* NULL for a number that is no method. */
const char *dpl__pairs_method_name(dpl_pairs_method method);

#endif
