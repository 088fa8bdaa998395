/*
 * train.h - a parallel corpus becomes a word model.
 *
 *     dpl__train_options o = {0};
 *     DPL_TRY(dpl__train(&model, &summary, ctx, &bitext, &o, err));
 *     ...
 *     dpl__wordmodel_clear(&model);
 *
 * Model 1 first (model1.h), then the hidden Markov model with both directions made to agree
 * (hmm.h). The result is the same, bit for bit, for any number of threads, any instruction set
 * and any memory limit that holds all links.
 */
#ifndef DPL_SRC_TRAIN_H
#define DPL_SRC_TRAIN_H

#include "lexicon/cells.h"

#include <stdatomic.h>

/* Zero in a field means its default. */
typedef struct dpl__train_options {
    unsigned n_model1; /* iterations; default 5 */
    unsigned n_hmm;    /* iterations; default 5 */
    bool has_no_hmm;   /* Model 1 only */
    size_t max_tokens; /* rows with more on a side are skipped; default 200 */
    uint64_t memory;   /* bytes for links and cells; default: what is left of the context's */
    double prior;      /* Dirichlet prior of each link; default 0.01 */
    double p_empty;    /* that a word has no counterpart; default 0.2 */
} dpl__train_options;

typedef struct dpl__train_summary {
    uint64_t n_rows;  /* used */
    uint64_t n_empty; /* rows skipped: a side has no words */
    uint64_t n_long;  /* rows skipped: a side has too many */
    uint64_t n_cells;
    uint64_t n_dropped; /* links left out for want of memory */
    unsigned n_blocks;
    double perplexity[2]; /* of a word of the other side, given this one; last iteration */
} dpl__train_summary;

dpl_status dpl__train(dpl__wordmodel *out, dpl__train_summary *summary, dpl_ctx *ctx,
                      const dpl__bitext *bitext, const dpl__train_options *options,
                      dpl_error *err);

/* ---- for model1.c and hmm.c --------------------------------------------------------- */

/*
 * Expected counts are added up by all threads in no particular order and must come out the
 * same, so they are integers: units of 2^-32, in 64 bits.
 */
typedef _Atomic uint64_t dpl__count;

static inline void dpl__count_add(dpl__count *count, float x)
{
    /* Much faster than an addition that others wait for, and most are zero. */
    uint64_t units = (uint64_t)(int64_t)(x * 0x1p32f);
    if (units)
        atomic_fetch_add_explicit(count, units, memory_order_relaxed);
}

static inline double dpl__count_value(const dpl__count *count)
{
    return (double)atomic_load_explicit(count, memory_order_relaxed) * 0x1p-32;
}

/* What an iteration finds for a link. */
typedef union dpl__tally {
    float p[2];       /* Model 1: for each direction */
    dpl__count count; /* HMM: for both */
} dpl__tally;

/* Owned. */
typedef struct dpl__trainer {
    dpl_ctx *ctx;
    const dpl__bitext *bitext;
    dpl__train_options options; /* with the defaults filled in */
    dpl__wordmodel *model;
    dpl__cells cells;
    size_t longest;       /* tokens on a side of a row */
    dpl__tally *tallies;  /* n_links */
    dpl__count *totals;   /* of each right word */
    dpl__count *empty[2]; /* empty[side][word of the other side]: times it had no counterpart */
    uint32_t *n_partners; /* of each right word: its links */
    float *inverses;      /* of each right word */
    dpl__tasks tasks;     /* of left words, by their links */
} dpl__trainer;

/* New probabilities from tallies (p, the expected counts) and empty. */
dpl_status dpl__maximize(dpl__trainer *t, dpl_error *err);

#endif
