/*
 * round.h - what a round of mining is made of: a search, and a rows from what it found.
 */
#ifndef DPL_MINE_ROUND_H
#define DPL_MINE_ROUND_H

#include "doppel/mine.h"

#include "mine/doc_key.h"
#include "mine/mutual_pairs.h"
#include "mine/sentence_tokens.h"
#include "mine/stage.h"
#include "mine/untranslated.h"
#include "report/histogram.h"

#define DPL__NO_ROUND SIZE_MAX

/* The two sides, as they stay through all rounds. Borrowed. */
typedef struct dpl__comparable {
    dpl_ctx *ctx;
    const dpl_collection *c[2];
    char lang[2][12];
    bool is_stemmed;
    uint8_t *skip[2];            /* documents that do not take part */
    uint32_t n_docs[2];          /* that do */
    uint64_t *keys[2];           /* of each document (doc_key.h) */
    uint32_t *groups[2];         /* of each document: near-copies (copies.h); NULL: none has */
    uint32_t n_copies[2];        /* documents beyond the first of each group */
    uint64_t checksum[2];        /* of ids and tokens of the collections */
    int pivot;                   /* side whose words both are compared in */
    dpl_vectors **pivot_vectors; /* of that side: made by the first round with a lexicon, the
                                    same in all later ones; NULL: made each time */
    /* Rounds before the last search with a sample of one side, where there is one (sample.h):
     * the documents of it that they skip, how many take part, whether this round does so. */
    uint8_t *sample;
    int sampled_side;
    uint32_t n_sampled;
    double sample_times; /* it has grown by */
    bool is_sampling;
    bool is_large; /* there is, or was, a sample: neighbours below a floor are not looked for */
    double floor;  /* least cosine of the last search, from the round before; 0: not known */
    struct dpl__sentence_search *sentences; /* units are single sentences; NULL: they are not */
    const struct dpl__gold *gold;   /* accepted and rejected pairs (gold.h); NULL: none */
    struct dpl__passages *passages; /* that documents are compared by; NULL: whole ones are */
    unsigned min_terms;             /* of a vector; 0: the default */
    char work[4000];                /* folder */
    dpl__stage *stage;              /* what is going on */
    size_t round;                   /* and in which round; DPL__NO_ROUND: in none */
    const dpl_mine_options *options;
} dpl__comparable;

/* The same key for a pair and for its mirror image. */
static inline uint64_t dpl__pair_key(const dpl__comparable *p, dpl_doc_pair docs)
{
    uint64_t of_pivot = p->keys[p->pivot][p->pivot ? docs.right : docs.left],
             of_other = p->keys[!p->pivot][p->pivot ? docs.left : docs.right];
    return dpl__mix(of_pivot) + of_other;
}

/* Two documents that may be translations of each other. */
typedef struct dpl__doc_candidate {
    dpl_doc_pair docs;
    dpl__match match; /* rows are those of the search */
    double confidence;
} dpl__doc_candidate;

typedef DPL_VEC(dpl__doc_candidate) dpl__doc_candidate_vec;

/* What a search found: pairs in the order of left documents, and decoys, whose confidence is
 * not set. */
typedef struct dpl__doc_candidates {
    dpl__doc_candidate_vec pairs, decoys;
    /* Spelling finds little that is certain: all decoys count then, which lets more pass. What
     * is wrong is sorted out when there is a lexicon. */
    bool is_by_spelling;
    double alone;   /* share of documents without counterpart */
    double aligned; /* mean share of the text of likely pairs that can be aligned; in the end */
    bool has_few;   /* confidence is that of few_pairs.h */
    dpl_recall_check receipt;
    double least_cosine;     /* that was looked for */
    dpl_pairs_method search; /* how */
    double cosine;           /* mean of the pairs with a confidence of one half or more */
    double known;            /* share of the words that the lexicon translates */
    dpl__histogram
        cosines[2]; /* of each left document with its best, and with its second best */
} dpl__doc_candidates;

/* The i-th of the pairs and, behind them, the decoys. */
static inline const dpl__doc_candidate *dpl__doc_candidates_at(const dpl__doc_candidates *f,
                                                               size_t i)
{
    return i < f->pairs.n ? &f->pairs.data[i] : &f->decoys.data[i - f->pairs.n];
}

/* What the sentences of two documents say about them, each from 0 to 1. */
typedef struct dpl__alignment_features {
    double score;   /* cosine */
    double aligned; /* share of both texts that can be aligned */
    dpl__untranslated_weight words;
    double length; /* of beads: mean difference of the logarithms of the words of both sides
                      from what is usual for these languages; not bounded */
} dpl__alignment_features;

/* Confidence of the pairs. alignment: of each pair and decoy (dpl__doc_candidates_at); NULL:
 * not known yet. */
dpl_status dpl__estimate_confidence(dpl__doc_candidates *found, const dpl__comparable *corpus,
                                    const dpl__alignment_features *alignment, dpl_error *err);

void dpl__doc_candidates_clear(dpl__doc_candidates *found, dpl_ctx *ctx);

/* Vectors of one side's documents but those to skip, in the pivot's words; lexicon NULL: by
 * spelling. known is set where there is something to translate. */
dpl_status dpl__round_vectors(dpl_vectors **out, double *known, const dpl__comparable *corpus,
                              int side, const uint8_t *skip, const dpl_lexicon *lexicon,
                              dpl_error *err);

/* Documents that take no part in this round's search. */
const uint8_t *dpl__round_skip(const dpl__comparable *corpus, int side);

/* lexicon NULL: by spelling. */
dpl_status dpl__round_search(dpl__doc_candidates *out, const dpl__comparable *corpus,
                             const dpl_lexicon *lexicon, dpl_error *err);

/* Aligns the sentences of the pairs and learns a lexicon from them, written to path. */
dpl_status dpl__round_learn(dpl_train_summary *summary, const dpl__comparable *corpus,
                            const dpl_doc_pair *pairs, size_t n_pairs,
                            const dpl_lexicon *lexicon, const char *path, dpl_error *err);

/* Tokens of both sides of a bead. */
void dpl__bead_tokens(dpl__token_run out[2], const dpl_collection *const c[2],
                      const dpl_aligned_docs *docs, const dpl_bead *bead);

#endif
