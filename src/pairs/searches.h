/*
 * searches.h - the ways to search, over plain arrays: each finds, verifies or selects, and
 * knows nothing of the others. pairs.c puts them together.
 *
 * Scores: the cosine of two rows is the sum, in double, of the products of the weights of the
 * terms they share, terms rising, rounded to float (dense: dpl__dot's order). Every path ends
 * in that sum, so a pair has the same score whichever way it was found.
 *
 * Sinks take what was found on the caller's thread: left rows rise over all calls, all pairs of
 * one left row come in one call, right rows rise among them. A search within one set gives
 * each pair once, left < right.
 */
#ifndef DPL_PAIRS_SEARCHES_H
#define DPL_PAIRS_SEARCHES_H

#include "doppel/device.h"
#include "doppel/pairs.h"

#include "io/spill.h"
#include "signatures/signatures.h"
#include "vectors/vectors.h"

/* A pair that the signatures let through. */
typedef dpl_near_pair dpl__candidate;

typedef struct dpl__candidate_sink {
    void *user;
    dpl_status (*take)(void *user, const dpl__candidate *candidates, size_t n, dpl_error *err);
} dpl__candidate_sink;

typedef struct dpl__pair_sink {
    void *user;
    dpl_status (*take)(void *user, const dpl_pair *pairs, size_t n, dpl_error *err);
} dpl__pair_sink;

/* Orders of pairs, for qsort: of one left row, the best first; of all, by left and right row.
 */
static inline int dpl__pairs_by_score(const void *a, const void *b)
{
    const dpl_pair *x = a, *y = b;
    if (x->score != y->score)
        return x->score < y->score ? 1 : -1;
    return (x->right > y->right) - (x->right < y->right);
}

static inline int dpl__pairs_by_rows(const void *a, const void *b)
{
    const dpl_pair *x = a, *y = b;
    if (x->left != y->left)
        return x->left < y->left ? -1 : 1;
    return (x->right > y->right) - (x->right < y->right);
}

/* ---- true cosines ------------------------------------------------------------------- */

/* Two sets of rows that match. right is left in a search within one set. */
typedef struct dpl__sides {
    const dpl_vectors *left, *right;
    bool is_self;
    uint32_t *to_right; /* sparse: for each term of left its number in right, DPL__NO_TERM;
                           NULL: the same numbers */
} dpl__sides;

/* Whether a score, as it is reported, makes a pair: at least the threshold and above 0. */
static inline bool dpl__is_pair(float score, double threshold)
{
    return (double)score >= threshold && score > 0;
}

/* DPL_E_USAGE when they do not match; right NULL: within left. */
dpl_status dpl__sides_init(dpl__sides *sides, dpl_ctx *ctx, const dpl_vectors *left,
                           const dpl_vectors *right, dpl_error *err);
void dpl__sides_clear(dpl__sides *sides, dpl_ctx *ctx);

/* Signatures of both sides: given (set in `of` before), or made and owned. Zeroed: none. */
typedef struct dpl__signed_sides {
    const dpl_signatures *of[2];
    dpl_signatures *made[2];
} dpl__signed_sides;

/* Makes those that are not given; right NULL: within left. */
dpl_status dpl__signed_sides_make(dpl__signed_sides *s, dpl_ctx *ctx,
                                  const dpl_pairs_side *left, const dpl_pairs_side *right,
                                  const dpl_sign_options *options, dpl_error *err);
void dpl__signed_sides_clear(dpl__signed_sides *s);

/* exact.c: every pair with a cosine of at least the threshold (above 0). rows: only these left
 * rows, rising (n_rows of them), NULL: all. In shards of right that fit into half of the
 * context's memory; *n_multiplied (may be NULL) receives the multiply-adds that all products of
 * weights take, whether or not the search gets by with fewer. */
typedef struct dpl__exact_search {
    const dpl__sides *sides;
    double threshold;
    const uint32_t *rows;
    size_t n_rows;
    const dpl__pair_sink *sink;
    uint64_t *n_multiplied;
    struct dpl__dense_cuts *cuts; /* dense rows: pairs that need not be found; may be NULL */
} dpl__exact_search;

dpl_status dpl__exact(dpl_ctx *ctx, const dpl__exact_search *s, dpl__spill *spill,
                      dpl_error *err);

/* verify.c: the cosines of n candidates (left rising), on all threads, in place of their
 * distances: out[i] belongs to in[i]. */
dpl_status dpl__verify(dpl_ctx *ctx, const dpl__sides *sides, dpl_pair *out,
                       const dpl__candidate *in, size_t n, dpl_error *err);

/* ---- signatures --------------------------------------------------------------------- */

/* Which pairs pass: distance <= cut; and, when first_words > 0, distance over the first words
 * <= first_cut before that. */
typedef struct dpl__cuts {
    unsigned cut;
    unsigned first_words, first_cut;
} dpl__cuts;

/* What signatures are compared, and where pairs that pass go. */
typedef struct dpl__bit_search {
    const dpl__bits *left, *right;
    bool is_self; /* within left; right is left, or NULL */
    const dpl__cuts *cuts;
    const dpl__candidate_sink *sink;
    uint64_t *n_compared; /* out; may be NULL */
    /* Window: cuts of rows that fall (rising.h). What passes goes there, on any thread, and not
     * to the sink; a pair may come more than once. NULL: cuts are for all. */
    struct dpl__rising *rising;
} dpl__bit_search;

static inline dpl_bit_rows dpl__bit_rows_of(const dpl__bits *b)
{
    return (dpl_bit_rows){b->n_rows, b->n_words, b->words};
}

/* brute.c: all pairs that pass; right is not NULL. The second compares signatures of signed
 * bytes, without an early test. */
dpl_status dpl__brute(dpl_ctx *ctx, const dpl__bit_search *s, dpl_error *err);
dpl_status dpl__brute_bytes(dpl_ctx *ctx, const dpl__bit_search *s, dpl_error *err);
/* Of the pairs within the cut those of the n nearest of each left row, and of each right one if
 * it has_right; ties: the lower row. */
dpl_status dpl__brute_best(dpl_ctx *ctx, const dpl__bit_search *s, unsigned n, bool has_right,
                           dpl_error *err);

/* The tables of a window search. */
typedef struct dpl__window {
    unsigned n_tables, size; /* Q and B */
    unsigned first_table;    /* 0, or of a part of the tables */
    uint64_t chunk;          /* M: rows that are worked on at a time; > size */
    bool is_basic;           /* one queue over the whole table instead of chunks */
} dpl__window;

/* window.c: pairs that pass and stand at most window->size places apart in one of the tables.
 * Every field of the window is set (chunk > size). The seed makes the permutations. */
dpl_status dpl__window_search(dpl_ctx *ctx, const dpl__bit_search *search,
                              const dpl__window *window, uint64_t seed, dpl__spill *spill,
                              dpl_error *err);

/* ---- selection ---------------------------------------------------------------------- */

/* select.c: takes pairs as a sink does, gives them back selected and in the order of
 * dpl_pairs_next. Holds what it needs in memory, spilling what is only passed through. Owned.
 */
typedef struct dpl__selector dpl__selector;

typedef struct dpl__select_options {
    dpl_select select;
    unsigned n_best;
    dpl_assignment assignment;
    unsigned margin;
    double near_ratio;
    double threshold;
    bool is_self;
    uint32_t n_left, n_right;
    /* Within one set: the group of each row, below n_groups. What is selected of a row is
     * selected for each other group (select_groups.h). Borrowed; NULL: there are none. */
    const uint32_t *group_of;
    uint32_t n_groups;
} dpl__select_options;

dpl_status dpl__selector_new(dpl__selector **out, dpl_ctx *ctx,
                             const dpl__select_options *options, dpl__spill *spill,
                             dpl_error *err);
void dpl__selector_free(dpl__selector *s);
dpl_status dpl__selector_add(dpl__selector *s, const dpl_pair *pairs, size_t n, dpl_error *err);
/* Ends adding; *n_selected is what next will give. */
dpl_status dpl__selector_finish(dpl__selector *s, uint64_t *n_selected, dpl_error *err);
dpl_status dpl__selector_next(dpl__selector *s, dpl_pair *pair, dpl_error *err);

#endif
