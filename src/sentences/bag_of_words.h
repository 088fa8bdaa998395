/*
 * bag_of_words.h - the sentences of a document pair as bags of the words that have links.
 *
 * Terms get numbers of their own within the pair, so that everything after it uses small
 * arrays. Words without a link into the other document only count for the length and, when
 * they are known, against a bead.
 */
#ifndef DPL_SENTENCES_BAG_OF_WORDS_H
#define DPL_SENTENCES_BAG_OF_WORDS_H

#include "base/arena.h"
#include "base/vec.h"
#include "sentences/beads.h"

/* A link between a left word and a right word of the pair, as seen from the left. */
typedef struct dpl__bow_link {
    uint32_t right;
    float p[2], information;
} dpl__bow_link;

/* One side. Sentence i has the entries [begin[i], begin[i + 1]). */
typedef struct dpl__bow_side {
    uint32_t n;       /* sentences */
    uint32_t n_words; /* numbered in the pair: those with links */
    uint32_t most;    /* entries of the largest bag */
    uint32_t *begin;  /* n + 1 */
    uint32_t *words;  /* of each entry: its number, in the order of the text, once a sentence */
    float *counts;    /* of each entry: times in the sentence */
    float *gains;     /* of each entry: (1 - p_null) / (p_null p): gain of a counterpart */
    float *word_gains; /* n_words: the same by word */
    double *base;      /* n: sum of log(p_null) over a sentence's words */
    double *expected;  /* n: expected mutual information of its words */
    double *n_tokens;  /* n: tokens, at least 1 */
    double *chars;     /* n: at least 1 */
} dpl__bow_side;

/* Owned: one per worker; the arrays are of the pair loaded last. */
typedef struct dpl__bow {
    dpl_ctx *ctx;
    const dpl__bead_model *model;
    dpl__arena arena;
    uint32_t *numbers[2]; /* by term: number + 1 in the pair, 0 for none; zero between pairs */
    uint32_t *seen[2]; /* by term: the last sentence that it is expected in, as counted ... */
    uint32_t n_sentences; /* ... through all pairs */
    dpl__bow_side side[2];
    uint32_t *link_begin; /* side[DPL__LEFT].n_words + 1 */
    DPL_VEC(dpl__bow_link) links;
} dpl__bow;

dpl_status dpl__bow_init(dpl__bow *bow, dpl_ctx *ctx, const dpl__bead_model *model,
                         dpl_error *err);
void dpl__bow_clear(dpl__bow *bow);
dpl_status dpl__bow_load(dpl__bow *bow, const dpl__bead_doc docs[2], dpl_error *err);

#endif
