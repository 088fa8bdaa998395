/*
 * neighbour_lists.h - the k best partners of every row of both sides, in the making.
 *
 * Partners are ordered totally: by score, then by content of the row (a hash of its terms and
 * weights, or a key that the caller gives), then by row; so a list depends neither on the order
 * in which pairs come nor, but for rows of equal content, on the order of the rows.
 */
#ifndef DPL_PAIRS_NEIGHBOUR_LISTS_H
#define DPL_PAIRS_NEIGHBOUR_LISTS_H

#include "pairs/exact.h"
#include "pairs/searches.h"
#include "pairs/select_rows.h"

enum { DPL__SIDE_LEFT, DPL__SIDE_RIGHT };

/* Owned; lists of different rows may be filled by different threads. */
typedef struct dpl__neighbour_lists {
    dpl_ctx *ctx;
    bool is_self;
    uint32_t n_rows[2];
    unsigned k;
    uint64_t *best[2];   /* k of each row, best first, 0: none; as dpl__partner, of ranks */
    float *cuts[2];      /* of each row: lowest score of a full list, as `add` left it */
    uint32_t *ranks[2];  /* of each row in the order of ties; NULL: its number */
    uint32_t *ranked[2]; /* the row of each rank */
} dpl__neighbour_lists;

/* What decides between equal scores before the number of the row: a key for each row, the lower
 * one first. */
typedef struct dpl__tie_keys {
    bool is_by_row;        /* nothing does */
    const uint64_t *of[2]; /* NULL: a hash of the row's terms and weights */
} dpl__tie_keys;

/* Within one set there is one side. DPL_E_LIMIT when they do not fit into the memory. After a
 * failure they must still be cleared. */
dpl_status dpl__neighbour_lists_init(dpl__neighbour_lists *l, dpl_ctx *ctx,
                                     const dpl__sides *sides, unsigned k,
                                     const dpl__tie_keys *ties, dpl_error *err);
void dpl__neighbour_lists_clear(dpl__neighbour_lists *l);

/* `partner`, a row of the other side, with this score as a number: the larger, the better. */
uint64_t dpl__neighbour_lists_number(const dpl__neighbour_lists *l, int side, uint32_t partner,
                                     float score);
/* Adds a number to k sorted ones, the largest first; false when it is too small, or there. */
bool dpl__neighbour_list_insert(uint64_t *list, unsigned k, uint64_t number);
/* Offers `partner`, a row of the other side, to a list; whether it was taken. */
bool dpl__neighbour_lists_offer(dpl__neighbour_lists *l, int side, uint32_t row,
                                uint32_t partner, float score);
/* Offers a pair to the lists of both of its rows. */
void dpl__neighbour_lists_add(dpl__neighbour_lists *l, const dpl_pair *pair);
/* The lowest score of a full list; 0: there is room for any. */
float dpl__neighbour_lists_cut(const dpl__neighbour_lists *l, int side, uint32_t row);
/* The i-th best; row DPL__NO_ROW: there are fewer. */
dpl_scored_row dpl__neighbour_lists_get(const dpl__neighbour_lists *l, int side, uint32_t row,
                                        unsigned i);

/* What a method fills in (method.h). */
typedef struct dpl__nearest_search {
    dpl__neighbour_lists *lists;
    const dpl__sides *sides;
    double threshold;
    dpl__spill *spill;
    /* For methods that compare signatures: */
    const dpl__bits *left, *right;
    const dpl_sign_method_info *sign; /* what these are, and of which length: */
    unsigned n;
    double recall;      /* wanted share of the neighbours that are near enough */
    dpl__window window; /* the window method's tables */
    /* For a method that compares documents: the documents of the rows, the settings of n-grams,
     * and the keys that break ties; NULL: none. */
    const dpl_collection *collections[2];
    const struct dpl_ngram_options *ngram;
    const uint64_t *keys[2];
    /* For a method that compares codes: the function and its parameters; NULL: chosen. */
    const dpl_hash_options *hash;
    const char *temp;
    uint64_t n_scored, n_compared; /* out */
    double planned_recall;         /* out; 0: none */
} dpl__nearest_search;

/* neighbours_exact.c: all pairs of at least the threshold that are among the k best of one of
 * their rows. Sparse rows. plan: of left rows as queries; NULL or zeroed: none. */
dpl_status dpl__neighbours_exact(dpl__nearest_search *s, const dpl__term_plan *plan,
                                 dpl_error *err);
/* Which terms it adds up with left rows as queries. Of the lists, k is needed. */
dpl_status dpl__neighbours_plan(dpl__term_plan *plan, const dpl__nearest_search *s,
                                dpl_error *err);
/* exact_method.c: whether a search for all pairs takes more than `times` times as long. *plan,
 * zeroed if there is none, is the caller's to clear. */
bool dpl__nearest_pays(dpl__term_plan *plan, const dpl__nearest_search *s, double times);
/* neighbours_bits.c: from signatures; all pairs, or those of a window search. */
dpl_status dpl__neighbours_brute(dpl__nearest_search *s, dpl_error *err);
dpl_status dpl__neighbours_window(dpl__nearest_search *s, dpl_error *err);
/* ngram/ngram_nearest.c: among candidates by n-grams; and its recall check. */
dpl_status dpl__ngram_nearest(dpl__nearest_search *s, dpl_error *err);
dpl_status dpl__ngram_check(dpl_recall_check *out, const dpl__nearest_search *s,
                            dpl_error *err);

#endif
