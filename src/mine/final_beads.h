/*
 * final_beads.h - the sentences of the final pairs; which parts of the
 * documents are translations.
 */
#ifndef DPL_MINE_FINAL_BEADS_H
#define DPL_MINE_FINAL_BEADS_H

#include "mine/doc_numbers.h"
#include "mine/final_pairs.h"
#include "sentences/aligned.h"

/* Which part of a document pair is a translation. */
typedef struct dpl__coverage {
    double share[2]; /* of the words of each document */
    size_t end;      /* of its ranges; they begin where those of the pair before end */
} dpl__coverage;

/* Frozen once it is made. Zeroed memory may be cleared. */
typedef struct dpl__final_beads {
    dpl__aligned *aligned;           /* beads of each pair */
    bool has_ranges;                 /* of the unit, or because a document has sections */
    DPL_VEC(dpl_mine_range) ranges;  /* where there are */
    DPL_VEC(dpl__coverage) coverage; /* of each pair */
    uint64_t n_words[2];             /* of paired documents */
    uint64_t n_parallel[2];          /* of these, in ranges */
    uint64_t n_outside;              /* beads outside of ranges that would be kept */
    dpl_sentences_summary summary;
} dpl__final_beads;

/* min_score: of sentence pairs that are kept. */
dpl_status dpl__final_beads_align(dpl__final_beads *out, const dpl__final_pairs *pairs,
                                  dpl__rounds *rounds, const dpl__comparable *corpus,
                                  double min_score, dpl_error *err);
/* Beads of no pairs. */
dpl_status dpl__final_beads_empty(dpl__final_beads *out, const dpl__rounds *rounds,
                                  const dpl__comparable *corpus, dpl_error *err);
void dpl__final_beads_clear(dpl__final_beads *beads, dpl_ctx *ctx);

/* Ranges count the sentences of documents as read from here on, with those that were left out
 * of the search. Once, when all is found. */
void dpl__final_beads_as_read(dpl__final_beads *beads, const dpl__final_pairs *pairs,
                              const dpl__comparable *corpus, const dpl__doc_numbers numbers[2]);

/* passages.tsv in the folder; without ranges it is removed. */
dpl_status dpl__write_ranges(const char *dir, const dpl__comparable *corpus,
                             const dpl__doc_numbers numbers[2], const dpl__final_pairs *pairs,
                             const dpl__final_beads *beads, dpl_error *err);

#endif
