/*
 * round.h - the values of a round: what its stages take, and what they give.
 *
 *     vectors      corpus, lexicon                     -> vectors of both sides
 *     neighbours   vectors (unit->neighbours)          -> the nearest of both sides
 *     candidates   neighbours                          -> mutual best pairs and decoys, with a
 *                                                         confidence
 *     train        pairs (unit->add_rows)              -> a lexicon
 *
 * Stages are functions of a const dpl__round_input; each owns what it gives until it is handed
 * to the caller.
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

typedef struct dpl__unit dpl__unit; /* unit.h */

/* The two sides. Frozen once the run has prepared them; the arrays are the run's. */
typedef struct dpl__comparable {
    dpl_ctx *ctx;
    const dpl_collection *c[2];
    const dpl_collection *words[2]; /* the same, of c whose words are followed by their parts
                                       (parts.h); NULL: c has words alone */
    const dpl_lexicon *given;       /* of words alone; NULL: none was given */
    char lang[2][12];
    bool is_stemmed;
    uint8_t *skip[2];             /* documents that do not take part */
    uint32_t n_docs[2];           /* that do */
    uint64_t *keys[2];            /* of each document (doc_key.h) */
    uint32_t *groups[2];          /* of each document: near-copies (copies.h); NULL: none has */
    uint64_t n_duplicates[2];     /* documents with the words of an earlier one: skipped */
    uint32_t n_copies[2];         /* documents beyond the first of each group */
    uint64_t checksum[2];         /* of ids and tokens of the collections */
    int pivot;                    /* side whose words both are compared in */
    const dpl__unit *unit;        /* what a document of these collections is */
    double n_implied;             /* pairs that other languages imply, about */
    const struct dpl__gold *gold; /* accepted and rejected pairs (gold.h); NULL: none */
    char work[4000];              /* folder */
    dpl__stage *stage;            /* what is going on */
    const dpl_mine_options *options;
} dpl__comparable;

/* Without parts of words. */
static inline const dpl_collection *dpl__words_of(const dpl__comparable *p, int side)
{
    return p->words[side] ? p->words[side] : p->c[side];
}

/* Do pairs that other languages imply show that many documents have a counterpart? */
bool dpl__implies_many(const dpl__comparable *p);

/* What is searched in large collections: rounds before the last search with a sample of one
 * side (sample.h), and neighbours below a floor are not looked for. Zeroed: with all documents,
 * without a floor. Owned by the rounds. */
typedef struct dpl__sample {
    uint8_t *skip;   /* documents of the side that are not searched with; NULL: no sample */
    int side;        /* the smaller one */
    uint32_t n_docs; /* that are searched with */
    double times;    /* it has grown by */
    bool is_used;    /* in this round */
    bool is_large;   /* there is, or was, a sample */
    double floor;    /* least cosine of the last search, from the round before; 0: not known */
} dpl__sample;

/* Borrowed pairs of documents. */
typedef struct dpl__pair_list {
    const dpl_doc_pair *data;
    size_t n;
} dpl__pair_list;

/* What the stages of a round take. All of it is borrowed and stays as it is while they run; a
 * unit may keep what it computed in its own state. */
typedef struct dpl__round_input {
    const dpl__comparable *corpus;
    const dpl__unit *unit;      /* what is compared: that of the corpus, or passages of it */
    void *state;                /* the unit's (unit->begin); NULL: it has none */
    const dpl__sample *sample;  /* never NULL */
    const dpl_lexicon *lexicon; /* NULL: by spelling */
    const dpl_lexicon *prior; /* that was given: every lexicon is trained with it; NULL: none */
    size_t number;            /* of the round; DPL__NO_ROUND: it is none */
    dpl__pair_list hidden;    /* pairs whose passages do not teach; empty: those that do */
    bool has_many;            /* few_pairs.h is not asked */
    unsigned half;            /* strict: 1, 2: candidates of that half alone; 0: of both */
    bool is_strict;           /* few have a counterpart (strict_confidence.h) */
    double train_share;       /* then: of the candidates, learnt from in any case */
    bool is_trial; /* nobody reads the words of a lexicon that is learnt, or keeps it */
} dpl__round_input;

/* Vectors of both sides, of one round. Those of the pivot are the same in all rounds with a
 * lexicon: the rounds keep them from one to the next. Owned; zeroed memory may be cleared. */
typedef struct dpl__side_vectors {
    dpl_vectors *v[2];
} dpl__side_vectors;

/* The same key for a pair and for its mirror image. */
static inline uint64_t dpl__pair_key(const dpl__comparable *p, dpl_doc_pair docs)
{
    uint64_t of_pivot = p->keys[p->pivot][p->pivot ? docs.right : docs.left],
             of_other = p->keys[!p->pivot][p->pivot ? docs.left : docs.right];
    return dpl__mix(of_pivot) + of_other;
}

/* The half that a pair belongs to, 1 or 2: one teaches, the other is hidden. */
static inline unsigned dpl__half_of(const dpl__comparable *p, dpl_doc_pair docs)
{
    uint64_t key = p->keys[p->pivot][p->pivot ? docs.right : docs.left];
    return (unsigned)(dpl__mix(key) & 1) + 1;
}

typedef DPL_VEC(dpl_doc_pair) dpl__doc_pairs;

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
    double train_confidence; /* of pairs that are learnt from, at least */
    /* Spelling finds little that is certain: all decoys count then, which lets more pass. What
     * is wrong is sorted out when there is a lexicon. */
    bool is_by_spelling;
    double alone;      /* share of documents without counterpart */
    bool is_final;     /* behind the last round, from alignments; then: */
    double aligned;    /* mean share of the text of likely pairs that can be aligned */
    bool has_few;      /* confidence is that of few_pairs.h */
    bool has_few_docs; /* confidence is that of few_docs.h, with: */
    double evidence;   /* that any pair is right, natural logarithm */
    double likely;     /* confidence of pairs that count as found, at least */
    dpl_recall_check receipt;
    double least_cosine;     /* that was looked for */
    dpl_pairs_method search; /* how */
    double cosine;           /* mean of the pairs with a confidence of one half or more */
    double known;            /* share of the words that the lexicon translates */
    dpl__reason why_empty;   /* why nothing could be searched; else empty */
    dpl__histogram
        cosines[2]; /* of each left document with its best, and with its second best */
} dpl__doc_candidates;

/* The i-th of the pairs and, behind them, the decoys. */
static inline const dpl__doc_candidate *dpl__doc_candidates_at(const dpl__doc_candidates *f,
                                                               size_t i)
{
    return i < f->pairs.n ? &f->pairs.data[i] : &f->decoys.data[i - f->pairs.n];
}

/* Share of two texts that can be aligned, 0 to 1. */
typedef struct dpl__aligned_share {
    double mean, most; /* of the side with more: only a part may have been translated */
} dpl__aligned_share;

/* What the sentences of two documents say about them, each from 0 to 1. */
typedef struct dpl__alignment_features {
    double score; /* cosine */
    dpl__aligned_share aligned;
    dpl__untranslated_weight words;
    double n_words; /* of both; 0: the lexicon knows them by heart */
    double length;  /* of beads: mean difference of the logarithms of the words of both sides
                       from what is usual for these languages; not bounded */
} dpl__alignment_features;

/* Confidence of the pairs. alignment: of each pair and decoy (dpl__doc_candidates_at); NULL:
 * not known yet. */
dpl_status dpl__estimate_confidence(dpl__doc_candidates *found, const dpl__round_input *in,
                                    const dpl__alignment_features *alignment, dpl_error *err);

/* Confidence of the pairs of the result, at least: what was asked for. One half, which is the
 * default, is lowered to `likely`. */
double dpl__least_confidence(const dpl__comparable *corpus, const dpl__doc_candidates *found);
/* How many count as found. */
double dpl__doc_candidates_n_likely(const dpl__doc_candidates *found);
/* How unsure they are: the sum of p (1 - p). */
double dpl__doc_candidates_doubt(const dpl__doc_candidates *found);
/* out is empty before. */
dpl_status dpl__doc_candidates_copy(dpl__doc_candidates *out, const dpl__doc_candidates *from,
                                    dpl_ctx *ctx, dpl_error *err);
void dpl__doc_candidates_clear(dpl__doc_candidates *found, dpl_ctx *ctx);

/* The documents of one side that vectors are made of. */
typedef struct dpl__vector_docs {
    int side;
    const uint8_t *skip; /* those that are left out */
} dpl__vector_docs;

/* Vectors of these documents, in the pivot's words; lexicon NULL: by spelling. known is set
 * where there is something to translate. */
dpl_status dpl__make_vectors(dpl_vectors **out, double *known, const dpl__comparable *corpus,
                             dpl__vector_docs docs, const dpl_lexicon *lexicon, dpl_error *err);

/* Makes those of both sides that are not there yet. A side without any is a reason of found. */
dpl_status dpl__round_vectors(dpl__side_vectors *vectors, dpl__doc_candidates *found,
                              const dpl__round_input *in, dpl_error *err);
/* The same, and the options of the search: found->search is its method, and a large collection
 * has a higher threshold. */
dpl_status dpl__begin_search(dpl_pairs_options *o, dpl__doc_candidates *found,
                             dpl__side_vectors *vectors, const dpl__round_input *in,
                             dpl_error *err);
dpl__row_docs dpl__row_docs_of(const dpl__comparable *corpus);
/* Closes what the next round cannot use. */
void dpl__side_vectors_end_round(dpl__side_vectors *vectors, const dpl__round_input *in);
void dpl__side_vectors_clear(dpl__side_vectors *vectors);

/* Documents that take no part in this round's search. */
const uint8_t *dpl__round_skip(const dpl__round_input *in, int side);

/* Candidates of the unit. Sides that cannot be compared give none, and a reason. */
dpl_status dpl__round_search(dpl__doc_candidates *out, dpl__side_vectors *vectors,
                             const dpl__round_input *in, dpl_error *err);

/* A lexicon, or why there is none. */
typedef struct dpl__learnt {
    dpl_lexicon *lexicon; /* the caller's; NULL: none */
    uint64_t n_rows;      /* it was trained on */
    double seconds;       /* of training; 0: it was there */
    dpl__reason why_nothing;
} dpl__learnt;

/* Aligns the sentences of the pairs and learns a lexicon from them: work/NAME.dpl, which is
 * kept (io/kept_file.h) unless it is for a trial. */
dpl_status dpl__round_learn(dpl__learnt *out, const dpl__round_input *in, dpl__pair_list pairs,
                            const char *name, dpl_error *err);

/* Tokens of both sides of a bead. */
void dpl__bead_tokens(dpl__token_run out[2], const dpl_collection *const c[2],
                      const dpl_aligned_docs *docs, const dpl_bead *bead);

#endif
