/*
 * anchors.h - sentence pairs of a long document pair that are very likely translations.
 *
 * Sentence pairs with many linked words that are rare on both sides are candidates. The
 * heaviest chain of candidates that rises on both sides is correct nearly everywhere, whatever
 * was omitted or inserted between them.
 */
#ifndef DPL_SENTENCES_ANCHORS_H
#define DPL_SENTENCES_ANCHORS_H

#include "sentences/bag_of_words.h"

/* Left sentences [left, left + n_left) and right ones [right, right + n_right). */
typedef struct dpl__area {
    uint32_t left, n_left, right, n_right;
} dpl__area;

typedef struct dpl__anchor {
    uint32_t left, right;
    float weight;
    uint32_t before; /* the anchor before it in the best chain that ends here */
    double sum;      /* of weights up to here; then of those near it */
} dpl__anchor;

/* Owned. */
typedef struct dpl__anchors {
    dpl_ctx *ctx;
    dpl__bow *bow;
    DPL_VEC(dpl__anchor) found; /* candidates; then the chain, rising on both sides */
    float *link_weights;        /* of each link of the bow; negative: not known yet */
    uint32_t *uses[2];          /* of each word in the area */
    uint32_t *begin;            /* of each right word: where its sentences stand ... */
    uint32_t *sentences;        /* ... here */
    float *sums;                /* of each right sentence */
    uint32_t *touched;
    uint32_t *tree; /* Fenwick tree over right sentences: candidate + 1 with the largest sum */
} dpl__anchors;

void dpl__anchors_init(dpl__anchors *a, dpl_ctx *ctx);
void dpl__anchors_clear(dpl__anchors *a);
/* Begins a document pair. Memory comes from the arena of the bag of words. */
dpl_status dpl__anchors_start(dpl__anchors *a, dpl__bow *bow, dpl_error *err);
/* a->found becomes the anchors within the area. */
dpl_status dpl__anchors_find(dpl__anchors *a, dpl__area area, dpl_error *err);

#endif
