/*
 * cooccurrence.h - expected counts of word links in pairs of sentences.
 */
#ifndef DPL_SENTENCES_COOCCURRENCE_H
#define DPL_SENTENCES_COOCCURRENCE_H

#include "base/vec.h"
#include "sentences/beads.h"

/* Both sides of beads, one behind the other. Zeroed memory is empty. Owned. */
typedef struct dpl__bead_rows {
    DPL_VEC(uint64_t) begin[2]; /* one more than rows, once there is one */
    DPL_VEC(uint32_t) tokens[2];
    size_t step, n_seen; /* only every step-th bead is taken; 0: all */
} dpl__bead_rows;

/* The links of left word w: [begin[w], begin[w + 1]), rising by right word. Owned. */
typedef struct dpl__cooccurrence {
    dpl_ctx *ctx;
    uint32_t n_words[2];
    uint32_t *tokens[2]; /* of each word: in how many rows it stands */
    uint32_t *begin;     /* n_words[DPL__LEFT] + 1 */
    DPL_VEC(uint32_t) right;
    DPL_VEC(double) counts; /* of each link: in how many rows the two have each other */
} dpl__cooccurrence;

/* No row has a word twice. */
dpl_status dpl__cooccurrence_find(dpl__cooccurrence *out, dpl_ctx *ctx,
                                  const dpl__bead_rows *rows, const uint32_t n_words[2],
                                  dpl_error *err);
void dpl__cooccurrence_clear(dpl__cooccurrence *t);

#endif
