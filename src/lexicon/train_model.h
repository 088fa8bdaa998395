/*
 * train_model.h - a parallel corpus becomes a word model.
 *
 *     dpl__model_options o = {0};
 *     DPL_TRY(dpl__train_model(&model, &summary, ctx, &corpus, &o, err));
 *     ...
 *     dpl__wordmodel_clear(&model);
 *
 * Model 1 first (model1.h), then the hidden Markov model, both directions jointly (hmm.h). The
 * result is the same, bit for bit, for any number of threads, any instruction set and any
 * memory limit that holds all links.
 */
#ifndef DPL_LEXICON_TRAIN_MODEL_H
#define DPL_LEXICON_TRAIN_MODEL_H

#include "lexicon/link_ids.h"
#include "lexicon/maximize.h"

#include <stdatomic.h>

/* Zero in a field means its default. */
typedef struct dpl__model_options {
    unsigned n_model1; /* iterations; default 5 */
    unsigned n_hmm;    /* iterations; default 5 */
    bool no_hmm;       /* Model 1 only */
    size_t max_tokens; /* rows with more on a side are skipped; default 200 */
    uint64_t memory;   /* bytes for links and cells; default: what is left of the context's */
    bool needs_all_links; /* where they do not fit it is DPL_E_LIMIT; else the weakest are left
                             out, and the result depends on the memory */
    double prior;         /* weight of the distribution of a class, in tokens; default 10 */
    double p_empty;       /* that a word has no counterpart; default 0.1 */
    /* A model to continue, NULL for none: its counts are added to those of the corpus. The
     * corpus has its words under the same numbers, and new ones behind them. */
    const dpl__wordmodel *start;
} dpl__model_options;

typedef struct dpl__model_summary {
    uint64_t n_rows;  /* used */
    uint64_t n_empty; /* rows skipped: a side has no words */
    uint64_t n_long;  /* rows skipped: a side has too many */
    uint64_t n_tokens[2];
    uint64_t n_cells;
    size_t longest;     /* tokens on a side of a row */
    uint64_t n_dropped; /* links left out because of the memory limit */
    unsigned n_blocks;
    double perplexity[2]; /* of a word of the other side, given this one; last iteration */
} dpl__model_summary;

dpl_status dpl__train_model(dpl__wordmodel *out, dpl__model_summary *summary, dpl_ctx *ctx,
                            const dpl__encoded *corpus, const dpl__model_options *options,
                            dpl_error *err);

/* ---- for model1.c and hmm.c --------------------------------------------------------- */

typedef struct dpl__divided dpl__divided; /* divided_step.h */

/* Owned. */
typedef struct dpl__trainer {
    dpl_ctx *ctx;
    const dpl__encoded *corpus;
    dpl__model_options options; /* with the defaults filled in */
    dpl__wordmodel *model;      /* counts are those of earlier training */
    dpl__link_ids link_ids;
    dpl__link_ids word_ids; /* of some left words in all rows; where iterations are shared */
    size_t longest;         /* tokens on a side of a row */
    uint64_t n_cells;       /* of all rows */
    uint32_t *times;        /* of each row (repeats.h); NULL: 1 */
    dpl__tally *tallies;    /* n_links */
    uint64_t *empty[2];     /* for each worker, [word of the other side]: times (units of 2^-32)
                               it had no counterpart */
    float *inverse[2];      /* of Model 1: for each token of a block */
    size_t cap_inverse[2];
    dpl__tasks tasks; /* of left words, by their links */
    dpl__maximizer *maximizer;
    uint64_t rows_done;    /* in all iterations, for the progress */
    uint64_t key;          /* of iterations that processes share (io/shared_run.h); 0: none */
    unsigned n_left;       /* iterations behind this one */
    dpl__divided *divided; /* where there is a key */
} dpl__trainer;

static inline uint64_t *dpl__trainer_empty(const dpl__trainer *t, int side, unsigned worker)
{
    assert(side == 0 || side == 1);
    return t->empty[side] + (size_t)worker * t->model->n_words[!side];
}

/* Whether processes share the maximisation, too: behind the last iteration, one needs it. */
static inline bool dpl__trainer_divides(const dpl__trainer *t)
{
    return t->key && t->n_left > 0;
}

/* The first row of one of as many parts as there are processes: all have about the same number
 * of cells. */
size_t dpl__trainer_part(const dpl__trainer *t, size_t part);

/* Tallies of all links become 0. */
dpl_status dpl__trainer_clear_tallies(dpl__trainer *t, dpl_error *err);
/* p(word | no counterpart) from the counts of this iteration. */
dpl_status dpl__trainer_normalize_empty(dpl__trainer *t, dpl_error *err);

/* Loads the block that begins at *row, and *row becomes the row behind it; DPL_END behind the
 * last one. Reports the progress. */
dpl_status dpl__trainer_next(dpl__trainer *t, size_t *row, dpl_error *err);

#endif
