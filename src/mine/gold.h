/*
 * gold.h - pairs that people accepted or rejected, as supervision of a run.
 *
 * Documents of an accepted pair are taken: nobody else finds them, and the pair is trained on
 * in every round, whatever its confidence. Where there are enough of them, the first round
 * starts with a lexicon that they gave. A rejected pair is not among any document's neighbours,
 * so that its documents choose again. In the end accepted pairs have the confidence 1.
 */
#ifndef DPL_MINE_GOLD_H
#define DPL_MINE_GOLD_H

#include "base/name_list.h"
#include "mine/doc_numbers.h"
#include "mine/round.h"

/* Frozen. */
typedef struct dpl__gold {
    dpl_ctx *ctx;
    uint32_t n_docs[2];
    uint32_t *partner[2];   /* of each document; DPL__NO_DOC: none */
    dpl_doc_pair *accepted; /* in the order of left documents */
    size_t n_accepted;
    uint64_t *rejected; /* left << 32 | right, rising */
    size_t n_rejected, rejected_room;
    uint64_t n_known;       /* lines about documents of this run */
    uint64_t n_unknown;     /* about documents that it does not have */
    dpl__name_list unknown; /* ids of these */
    uint64_t n_left_out;    /* about documents that it has, but does not mine */
} dpl__gold;

/* Reads the lines (judgements.h) about documents of these two collections. A document that is
 * one sentence has the names of both, with and without "#1". numbers: of both sides; NULL: no
 * documents were left out. */
dpl_status dpl__gold_read(dpl__gold **out, const dpl__comparable *corpus,
                          const dpl__doc_numbers *numbers, const char *path, dpl_error *err);
void dpl__gold_free(dpl__gold *gold);

/* Takes rejected pairs, and documents of accepted ones, out of the lists of neighbours. docs:
 * of each row; NULL: rows are documents. */
dpl_status dpl__gold_filter(dpl__neighbours *c, const dpl__gold *gold,
                            const uint32_t *const docs[2], dpl_error *err);

/* Adds the accepted pairs to *n pairs in the order of left documents, and takes out what is
 * against them. Room for n_accepted more is there. */
void dpl__gold_merge(dpl_doc_pair *pairs, size_t *n, const dpl__gold *gold);

/* The same of candidates, with a confidence of 1; decoys keep their pairs. */
dpl_status dpl__gold_apply(dpl__doc_candidates *found, const dpl__round_input *in,
                           dpl_error *err);

/* Whether a pair is rejected, or one of its documents is accepted with another. */
bool dpl__gold_forbids(const dpl__gold *gold, dpl_doc_pair docs);

#endif
