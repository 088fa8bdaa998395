/*
 * unit.h - what is paired: a row of functions for documents, for passages, and for sentences.
 *
 * Everything that a round does differently for one of them is in its row; stages know no unit
 * by name. To add one, write its row and name it in unit.c.
 */
#ifndef DPL_MINE_UNIT_H
#define DPL_MINE_UNIT_H

#include "mine/confidence.h"
#include "mine/round.h"
#include "mine/training_rows.h"

/* What the score of a candidate is. */
typedef enum dpl__unit_score {
    DPL__SCORE_COSINE,   /* of two documents: another lexicon gives another one */
    DPL__SCORE_VOTES,    /* sum of the votes of passages: of a wide range */
    DPL__SCORE_ALIGNMENT /* of the words of two sentences */
} dpl__unit_score;

/* Frozen. Functions that are NULL do nothing. */
struct dpl__unit {
    dpl_mine_unit number;
    const char *name;      /* of the option */
    const char *things;    /* that are paired, in messages */
    const char *gold_code; /* of the error when a list of known pairs is about other ones */

    bool is_cleaned;    /* boilerplate and untranslated text are left out of a document */
    bool has_alignment; /* pairs are aligned, which gives features and sections */
    bool has_ranges;    /* parts are translations: beads outside neither teach nor count */
    bool has_sample;    /* rounds of large collections search with a sample (sample.h) */
    dpl__unit_score score;

    /* Confidence (confidence.c). */
    size_t n_features;      /* of a candidate, beside those of its alignment */
    bool is_cautious;       /* of two estimates of the wrong pairs the larger one counts */
    bool has_second_turn;   /* documents that lost their best match may be matched again */
    bool counts_unpaired;   /* wrong pairs follow from the documents without counterpart */
    bool has_strict_rounds; /* where few have a counterpart (strict_confidence.h) */
    bool has_whole_decoys;  /* a decoy counts whether or not the pair removed for it is right */

    /* What stays from round to round. lexicon of the input: one that was given. */
    dpl_status (*begin)(void **state, const dpl__round_input *in, dpl_error *err);
    void (*end)(void *state);
    /* Memory of begin; and of a search with that number of documents, beside the documents. */
    uint64_t (*begin_bytes)(const dpl__comparable *corpus);
    uint64_t (*search_bytes)(const dpl__round_input *in, const uint64_t n_searched[2]);

    /* Changes of the options of vectors. */
    void (*limit_vectors)(dpl_vectors_options *o, bool has_lexicon);
    /* The pairs that the lexicon of the next search was trained on. */
    void (*note_trained)(void *state, dpl__pair_list pairs);
    /* The nearest of both sides. found receives what is known about the search, or why nothing
     * can be compared. Rows are those of vectors, or documents if these stay empty. */
    dpl_status (*neighbours)(dpl__neighbours *out, dpl__doc_candidates *found,
                             dpl__side_vectors *vectors, const dpl__round_input *in,
                             dpl_error *err);
    dpl__features (*features)(const dpl__round_input *in, const dpl__doc_candidate *candidate,
                              const dpl__alignment_features *alignment);
    /* Rows to train on, of pairs in the order of keys; why: there are none. */
    dpl_status (*add_rows)(dpl__training_rows *rows, dpl__reason *why,
                           const dpl__round_input *in, dpl__pair_list pairs, dpl_error *err);
    /* Share of the pairs that may differ from those of the round before. */
    double (*most_changed)(void);
};

extern const dpl__unit dpl__unit_document; /* document_unit.c */
extern const dpl__unit dpl__unit_passage;  /* passage_unit.c */
extern const dpl__unit dpl__unit_sentence; /* sentence_unit.c */

/* NULL: DPL_UNIT_AUTO, or there is none with that number. */
const dpl__unit *dpl__unit_of(dpl_mine_unit number);

/* Rows of aligned documents: beads that are kept or identical. */
dpl_status dpl__add_aligned_rows(dpl__training_rows *rows, const dpl__round_input *in,
                                 dpl__pair_list pairs, dpl_error *err);
/* Features of documents, by cosine or by votes. */
dpl__features dpl__document_features(const dpl__round_input *in, const dpl__doc_candidate *m,
                                     const dpl__alignment_features *alignment);
enum { DPL__MATCH_FEATURES = 4, DPL__ALIGNMENT_FEATURES = 3 };

#endif
