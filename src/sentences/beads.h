/*
 * beads.h - sentences of one document pair become beads, over plain arrays.
 *
 * A bead is a run of left sentences beside a run of right ones that are translations of each
 * other; a run may be empty. Dynamic programming finds the best sequence of beads. The score of
 * a bead is the log-likelihood ratio of its words and lengths, as a translation against chance,
 * plus the log prior of its type; a sentence without counterpart has the prior only.
 *
 *     dpl__bead_aligner *aligner = NULL;
 *     DPL_TRY(dpl__bead_aligner_new(&aligner, ctx, &model, err));
 *     DPL_TRY(dpl__bead_aligner_align(aligner, docs, &options, err));
 *     dpl_bead *beads = dpl__bead_aligner_beads(aligner, &n);
 *     dpl__bead_aligner_free(aligner);
 */
#ifndef DPL_SENTENCES_BEADS_H
#define DPL_SENTENCES_BEADS_H

#include "doppel/sentences.h"

#include "lexicon/encoded.h"
#include "sentences/signs.h"

/* One document: token numbers, cut into sentences. Borrowed. */
typedef struct dpl__bead_doc {
    const uint32_t *tokens; /* term numbers, below the side's n_terms */
    const uint32_t *begin;  /* n + 1: each sentence's first token */
    const uint32_t *chars;  /* n: letters and digits of each, or any other measure of length */
    uint32_t n;
    const uint8_t *is_section; /* n: the sentence begins a section, so that no bead has it
                                  behind another one. NULL: none does */
    const dpl__signs *signs;   /* n: punctuation of each. NULL: not known */
} dpl__bead_doc;

/* A left and a right term that may be translations of each other. */
typedef struct dpl__bead_link {
    uint32_t right;
    float p[2];        /* p[DPL__LEFT]: p(right|left), p[DPL__RIGHT]: p(left|right) */
    float information; /* pointwise mutual information */
} dpl__bead_link;

/* Probabilities of the terms of a side. */
typedef struct dpl__bead_terms {
    uint32_t n;
    const float *p;        /* unigram probability */
    const bool *is_known;  /* has links from a lexicon or from earlier beads */
    const float *expected; /* expected mutual information of its counterpart */
} dpl__bead_terms;

enum { DPL__MAX_SIDE = DPL_MAX_SIDE };

/* Runs of some number of sentences, wherever they stand. */
typedef struct dpl__run_prior {
    double mean, variance;                      /* of the logarithm of the length */
    double signs[DPL__SIGNS][DPL__SIGN_VALUES]; /* log p of each value */
} dpl__run_prior;

/* Lengths, punctuation and bead types of translations. All logarithms are natural. */
typedef struct dpl__bead_priors {
    double log_ratio; /* of right characters to left ones: the mean */
    double variance;  /* of that logarithm, for a sentence of one character ... */
    double floor;     /* ... and of one without end: variance / characters + floor */
    double log_p[DPL__MAX_SIDE + 1][DPL__MAX_SIDE + 1]; /* log p of a bead of k-l sentences */
    dpl__run_prior runs[2][DPL__MAX_SIDE + 1];          /* by the number of sentences */
    bool has_signs;
    /* For each value beside another: log p minus half of the log p of either in beads. */
    double signs[DPL__SIGNS][DPL__SIGN_VALUES][DPL__SIGN_VALUES];
} dpl__bead_priors;

/* Frozen. Borrowed arrays. */
typedef struct dpl__bead_model {
    dpl__bead_terms terms[2];
    const uint64_t *begin; /* terms[DPL__LEFT].n + 1: links of a left term */
    const dpl__bead_link *links;
    dpl__bead_priors priors;
    double weight;      /* of the words against lengths and priors; 0: not looked at ... */
    bool filters_words; /* ... but for the filter and the score of a bead */
    double null_known;  /* probability that a known word has no counterpart */
    bool is_paper; /* information and what is expected are the paper's: of the left side, with
                      weak links, which say nothing about alignment */
} dpl__bead_model;

/* Whether chance makes the two words meet nearly as often. */
bool dpl__bead_link_is_weak(const dpl__bead_model *model, uint32_t left,
                            const dpl__bead_link *link);

/* Priors for texts that nothing is known about. */
void dpl__bead_priors_init(dpl__bead_priors *priors);

/* Zero in a field means its default. */
typedef struct dpl__bead_options {
    unsigned max_side; /* sentences on a side of a bead; default 4 */
    size_t max_cells;  /* with at most this many sentence pairs all nodes are visited; default
                          100;  else those around anchors */
    uint64_t memory;   /* bytes of one document pair; default: a quarter of the context's */
    size_t sample;     /* align only pieces of longer documents, with about this many left
                          sentences in all; default: everything */
} dpl__bead_options;

/* Scratch of one worker. Owned. */
typedef struct dpl__bead_aligner dpl__bead_aligner;

dpl_status dpl__bead_aligner_new(dpl__bead_aligner **out, dpl_ctx *ctx,
                                 const dpl__bead_model *model, dpl_error *err);
void dpl__bead_aligner_free(dpl__bead_aligner *aligner);

/* docs[DPL__LEFT] and docs[DPL__RIGHT]. Every sentence is in exactly one bead, but for a
 * sample.
 */
dpl_status dpl__bead_aligner_align(dpl__bead_aligner *aligner, const dpl__bead_doc docs[2],
                                   const dpl__bead_options *options, dpl_error *err);
/* The same in any order, 1-1 only: sentences that are each other's best by the margin, as a
 * logarithm. */
dpl_status dpl__bead_aligner_match(dpl__bead_aligner *aligner, const dpl__bead_doc docs[2],
                                   double margin, dpl_error *err);
/* Beads of the last documents, in the order of the left text, without verdicts. Borrowed until
 * the next call. */
dpl_bead *dpl__bead_aligner_beads(dpl__bead_aligner *aligner, size_t *n);

/* out[i] becomes the log-likelihood ratio of the words of a bead, which has both sides. */
dpl_status dpl__bead_aligner_words(dpl__bead_aligner *aligner, const dpl__bead_doc docs[2],
                                   const dpl_bead *beads, size_t n, double *out,
                                   dpl_error *err);

typedef struct dpl__bead_score dpl__bead_score;
/* Scores a bead with both sides, of the documents aligned last. */
dpl_status dpl__bead_aligner_score(dpl__bead_aligner *aligner, const dpl_bead *bead,
                                   dpl__bead_score *out, dpl_error *err);

#endif
