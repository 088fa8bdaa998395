/*
 * bead_model1.h - IBM Model 1 scores of sentence pairs and of runs of sentences.
 *
 * Model 1 in both directions: the likelihood ratio of a right word f beside the left sentences
 * L is p_null(f) + (1 - p_null(f)) / p(f) * (sum over e in L of p(f|e)) / |L|. The sums for
 * single sentence pairs are kept, and those of a run of sentences are sums of them. So the
 * logarithms for all beads that end at a sentence pair come from a few numbers of each pair:
 *
 *   forward[k - 1]: right sentence j explained by the k left sentences that end with i
 *   backward[l - 1]: left sentence i explained by the l right sentences that end with j
 *
 * Rows are left sentences; the last max_side of them are kept.
 */
#ifndef DPL_SENTENCES_BEAD_MODEL1_H
#define DPL_SENTENCES_BEAD_MODEL1_H

#include "sentences/bag_of_words.h"

#define DPL__NOT_YET 1e300

typedef struct dpl__explained {
    uint32_t entry; /* in the sentence's bag, from 0 */
    float p;        /* sum of p(this word | words of the other sentence) */
} dpl__explained;

typedef DPL_VEC(dpl__explained) dpl__explained_list;

/* The pairs of one left sentence with right sentences [low, high). */
typedef struct dpl__model1_row {
    uint32_t low, high;
    dpl__explained_list explained[2];  /* of left words; of right words */
    DPL_VEC(uint32_t) begin[2];        /* high - low + 1 */
    DPL_VEC(double) forward, backward; /* max_side of each pair, or DPL__NOT_YET */
    /* max_side of each pair: what the hits of k left sentences that end with this one add, each
     * for itself and in both directions together. */
    DPL_VEC(double) gains;
} dpl__model1_row;

/* Owned. */
typedef struct dpl__model1 {
    dpl_ctx *ctx;
    const dpl__bow *bow;
    unsigned max_side;
    dpl__model1_row rows[DPL__MAX_SIDE]; /* left sentence i is in rows[i % max_side] */
    uint32_t first, n_rows; /* left sentence to begin with; those so far and before */
    /* scratch */
    uint32_t *heads; /* by right word: number of its first chain; below first_chain: none */
    uint32_t first_chain;
    DPL_VEC(struct dpl__model1_chain) chains; /* of the row */
    float *sums;                              /* by entry of the left bag; zero between uses */
    uint32_t *places;  /* by entry of a bag: its place in worth, or NONE */
    uint32_t *touched; /* the other way round */
    uint32_t *met;     /* entries of a right bag; has room for one more than they are */
    double *worth;     /* gain times the sum of probabilities */
    uint32_t n_worth;
} dpl__model1;

/* Links of the row's words to one right word. */
struct dpl__model1_chain {
    uint32_t entry;          /* of the left bag */
    uint32_t next;           /* number */
    float forward, backward; /* count(e) p(f|e), p(e|f) */
};

void dpl__model1_init(dpl__model1 *h, dpl_ctx *ctx);
void dpl__model1_clear(dpl__model1 *h);
/* Begins a document pair. Scratch comes from the arena of the bag of words. */
dpl_status dpl__model1_start(dpl__model1 *h, dpl__bow *bow, unsigned max_side, dpl_error *err);
/* The next one will be left sentence `first`, and those before it are forgotten. */
static inline void dpl__model1_begin(dpl__model1 *h, uint32_t first)
{
    h->first = h->n_rows = first;
}
/* The next left sentence with right sentences [low, high); neither bound ever falls. */
dpl_status dpl__model1_next(dpl__model1 *h, uint32_t low, uint32_t high, dpl_error *err);

/* Score of a run of right sentences; used by the functions below. */
double dpl__model1_right(dpl__model1 *h, uint32_t i, unsigned k, uint32_t j);
double dpl__model1_left(dpl__model1 *h, uint32_t i, uint32_t j, unsigned l);

/* The row of left sentence i, which is one of the last max_side. */
static inline const dpl__model1_row *dpl__model1_row_at(const dpl__model1 *h, uint32_t i)
{
    assert(i < h->n_rows && i + h->max_side >= h->n_rows);
    return &h->rows[i % h->max_side];
}

/* Right sentence j by the k left ones that end with i, which is one of the last rows; the pairs
 * of all of them must be there. Found when asked for, then kept. */
static inline double dpl__model1_forward(dpl__model1 *h, uint32_t i, unsigned k, uint32_t j)
{
    const dpl__model1_row *row = dpl__model1_row_at(h, i);
    double *value = row->forward.data + (size_t)(j - row->low) * h->max_side + k - 1;
    if (*value == DPL__NOT_YET)
        *value = dpl__model1_right(h, i, k, j);
    return *value;
}

/* Left sentence i by the l right ones that end with j. */
static inline double dpl__model1_backward(dpl__model1 *h, uint32_t i, uint32_t j, unsigned l)
{
    const dpl__model1_row *row = dpl__model1_row_at(h, i);
    double *value = row->backward.data + (size_t)(j - row->low) * h->max_side + l - 1;
    if (*value == DPL__NOT_YET)
        *value = dpl__model1_left(h, i, j, l);
    return *value;
}

#endif
