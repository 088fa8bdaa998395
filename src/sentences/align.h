/*
 * align.h - an alignment of document pairs in progress: the parts that learning and aligning
 * share.
 */
#ifndef DPL_SENTENCES_ALIGN_H
#define DPL_SENTENCES_ALIGN_H

#include "sentences/aligned.h"
#include "sentences/bead_rating.h"
#include "sentences/filter.h"
#include "sentences/term_links.h"
#include "sentences/units.h"

/* Scratch of one thread. */
typedef struct dpl__align_worker {
    dpl__bead_aligner *aligner;
    dpl__units sides[2];
    DPL_VEC(dpl__bead_score) scores; /* of the beads of the pair at hand */
} dpl__align_worker;

/* How much of a batch's arrays is of one document pair. */
typedef struct dpl__align_part {
    size_t n_beads, n_units[2];
} dpl__align_part;

/* Document pairs that one thread aligns in one go. */
typedef struct dpl__align_batch {
    size_t first, n; /* pairs */
    DPL_VEC(dpl_bead) beads;
    DPL_VEC(uint32_t) units[2];
    DPL_VEC(dpl__align_part) parts;
} dpl__align_batch;

/* Where the pairs of a batch are handed out from. */
typedef struct dpl__align_cursor {
    const dpl__align_batch *batch;
    size_t part;
    const dpl_bead *beads;
    const uint32_t *units[2];
} dpl__align_cursor;

typedef DPL_VEC(dpl_doc_pair) dpl__align_sample;

struct dpl_sentences {
    dpl_ctx *ctx;
    const dpl_collection *c[2];
    const dpl_doc_pair *pairs;
    size_t n_pairs, next, end; /* pairs [next, end) are to be aligned */
    const dpl_doc_pair *learn; /* that the sample is drawn from */
    size_t n_learn;
    const dpl_lexicon *lexicon; /* the caller's; NULL: none */
    dpl_sentences_options options;
    dpl__bead_options bead_options;
    dpl__term_links links;
    dpl__bead_model model;
    dpl__filter filter;
    dpl__bead_rating rating;
    dpl__align_worker *workers;
    unsigned n_workers;
    dpl__align_batch *batches;
    size_t n_batches;
    size_t n_ready, n_taken; /* dpl_sentences_next: batches that are aligned, and handed out */
    dpl__align_cursor cursor;
    double start;        /* seconds, of dpl__now */
    bool has_lexicon;    /* one was given */
    bool are_candidates; /* pairs may be no translations: see dpl_sentences_input */
    size_t sample_units; /* wanted, about */
    dpl__align_sample sample;
    size_t share;       /* most units of one pair in the sample */
    uint64_t n_sampled; /* units in the sample */
    dpl_aligned_docs_fn *take;
    void *user;
    dpl__aligned *all; /* of all pairs, where equal sentence pairs are dropped; else NULL */
    dpl__aligned_reader reader;
    size_t n_read; /* of them */
    dpl_sentences_summary summary;
    uint64_t key; /* of all that decides the beads, where processes share them */
};

/* The pair's units, in the worker and in docs. */
dpl_status dpl__align_load(const dpl_sentences *s, dpl__align_worker *w, dpl_doc_pair pair,
                           dpl__bead_doc docs[2], dpl_error *err);
/* The beads of documents, in the worker's aligner; sample: see dpl__bead_options. */
dpl_status dpl__align_docs(const dpl_sentences *s, dpl__align_worker *w,
                           const dpl__bead_doc docs[2], size_t sample, dpl_error *err);
/* Sentences of the longer document. */
size_t dpl__align_n_units(const dpl_sentences *s, dpl_doc_pair pair);

/* Draws a sample of the pairs; estimates lengths, punctuation and bead types from it: no words
 * and no links of terms. */
dpl_status dpl__align_learn_shapes(dpl_sentences *s, dpl_error *err);
/* Then, with links: estimates the model from the sample. */
dpl_status dpl__align_learn(dpl_sentences *s, dpl_error *err);
/* Makes the workers' aligners with it; older ones go. */
dpl_status dpl__align_make_aligners(dpl_sentences *s, dpl_error *err);
void dpl__align_free_aligners(dpl_sentences *s);

/* Summary of the pairs handed out so far. */
dpl_status dpl__sentences_get_summary(dpl_sentences_summary *out,
                                      const dpl_sentences *sentences, dpl_error *err);

#endif
