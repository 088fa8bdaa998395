/*
 * doppel/ngram.h - pairs of documents by the word n-grams they share, at a cost that is linear
 * in the number of documents (Uszkoreit, Ponte, Popat, Dubiner: Large Scale Parallel Document
 * Mining for Machine Translation, COLING 2010).
 *
 * All documents are in one language, most of them by translation (doppel/translate.h). Rare
 * *matching n-grams* (5 words) that documents of two groups share make them a candidate pair;
 * *scoring n-grams* (2 words) give its score, the cosine of vectors weighted by inverse
 * document frequency. A group is a side, or an original language: pairs are between groups.
 *
 *     dpl_collection *de = NULL, *en = NULL;
 *     dpl_pairs *pairs = NULL;
 *     dpl_pair pair;
 *     dpl_pairs_options o = DPL_INIT(dpl_pairs_options, .method = DPL_PAIRS_NGRAM);
 *     DPL_TRY(dpl_collection_open(&de, ctx, "de.translated.dpl", err));
 *     DPL_TRY(dpl_collection_open(&en, ctx, "en.dpl", err));
 *     dpl_pairs_side left = {.collection = de}, right = {.collection = en};
 *     DPL_TRY(dpl_pairs_open(&pairs, ctx, &left, &right, &o, err));
 *     while (dpl_pairs_next(pairs, &pair, err) == DPL_OK)
 *         printf("%u %u %.6f\n", pair.left, pair.right, (double)pair.score);
 *     dpl_pairs_close(pairs);
 */
#ifndef DOPPEL_NGRAM_H
#define DOPPEL_NGRAM_H

#include "doppel/lexicon.h"
#include "doppel/pairs.h"

#ifdef __cplusplus
extern "C" {
#endif

/* ---- options ------------------------------------------------------------------------ */

/* Which pairs stay when each document of a pair must be among the best of the other. */
typedef enum dpl_ngram_symmetry {
    /* Pairs whose score is nearly (near_ratio) that of the best of both documents; of these the
     * best first, each document n_best times at the most: a translation with near-duplicates on
     * either side keeps a partner. */
    DPL_NGRAM_NEAR = 0,
    DPL_NGRAM_PLAIN, /* each document is one of the n_best of the other: the paper's rule */
    DPL_NGRAM_ONE,   /* one of the two is one of the n_best of the other */
    DPL_NGRAM_ALL    /* everything at or above the threshold */
} dpl_ngram_symmetry;

/* "near", "plain", "one", "all"; NULL when out of range. */
DPL_API const char *dpl_ngram_symmetry_name(dpl_ngram_symmetry symmetry);

/* Begin with DPL_INIT; zero in a field means its default. */
typedef struct dpl_ngram_options {
    size_t size;
    unsigned matching;     /* words of a matching n-gram, 1 to 32; default 5 */
    unsigned scoring;      /* words of a scoring n-gram, 1 to 32; default 2 */
    unsigned max_matching; /* matching n-grams in more documents are dropped; default 50 */
    unsigned max_scoring;  /* scoring n-grams in more documents are dropped; default 100,000 */
    unsigned sample_bits;  /* b: keep the matching n-grams whose fingerprint has b certain bits
                              set, one in 2^b; default 0: all */
    unsigned max_per_doc;  /* matching n-grams of one document, those with the lowest
                              fingerprints; default 20,000 */
    double threshold;      /* lowest score of a pair; default 0.1. Negative: 0 */
    double max_disorder;   /* order filter: largest normalised permutation edit distance, 0 to
                              1, of the scoring n-grams that both documents have; default 0.8.
                              Negative: no filter */
    dpl_ngram_symmetry symmetry;
    unsigned n_best;         /* pairs of each document with another group; default 1 */
    double near_ratio;       /* NEAR: part of the best score, 0 to 1; default 0.7 */
    bool by_language;        /* pairs between original languages instead of between sides, also
                                within one: all pairs of languages in one run. Rows of pairs
                                number the documents through both sides then */
    const char *spill_dir;   /* folder for temporary files; default: /tmp */
    unsigned max_candidates; /* candidates of a document that are scored, for each other group:
                                those that share the most matching n-grams; default 20 */
    const dpl_lexicon *lexicon; /* documents in its source language are translated into its
                                   target language, word by word: each becomes its most probable
                                   translation. Its words are those of the collections: stems,
                                   or not. NULL: they are in one language already */
} dpl_ngram_options;

/* ---- the search --------------------------------------------------------------------- */

/* What was counted on the way. Belongs to the pairs; may get more fields at its end. */
typedef struct dpl_ngram_summary {
    uint32_t n_docs, n_groups;
    uint64_t n_words;
    uint64_t n_postings;         /* matching n-grams extracted, of all documents */
    uint64_t n_unsampled;        /* left out by sampling or the cap of a document */
    uint64_t n_matching;         /* distinct matching n-grams; of these: */
    uint64_t n_single;           /* in one document only */
    uint64_t n_one_group;        /* in several documents of one group */
    uint64_t n_frequent;         /* in too many documents */
    uint64_t n_used;             /* the rest, which make candidates */
    uint64_t n_generated;        /* pairs generated by them */
    uint64_t n_candidates;       /* of these, unique pairs that are scored */
    uint64_t n_entries;          /* scoring n-grams of all documents */
    uint64_t n_scoring;          /* distinct ones; of these: */
    uint64_t n_scoring_single;   /* dropped: in one document only */
    uint64_t n_scoring_frequent; /* dropped: in too many documents */
    uint64_t n_kept;             /* entries of the forward index after that */
    uint64_t n_below;            /* candidates below the threshold */
    uint64_t n_disordered;       /* candidates that the order filter dropped */
    uint64_t n_scored;           /* pairs left */
    double extract_seconds, match_seconds, score_seconds;
    uint64_t n_capped;     /* unique pairs that were not scored: max_candidates */
    uint32_t n_translated; /* documents that the lexicon translated */
    uint32_t reserve;      /* 0 */
} dpl_ngram_summary;

/* ---- the ParaCrawl document aligner ---------------------------------------------------- */

/* Documents of two files, one per line in base64, words separated by white space, the first
 * file translated into the language of the second. Every pair of documents that share an n-gram
 * is scored: the weight of an n-gram is ln(tf + 1) ln(N / (1 + df)), the score the cosine.
 * Input, weights, selection and output are those of ParaCrawl's docalign. */

/* Begin with DPL_INIT; zero in a field means its default. */
typedef struct dpl_docalign_options {
    size_t size;
    unsigned ngram_size;   /* words of an n-gram, 1 to 32; default 2 */
    double threshold;      /* lowest score; default 0.1. Negative: 0 */
    unsigned min_count;    /* n-grams in fewer documents only add to the length of a vector;
                              default 2 */
    unsigned max_count;    /* n-grams in more documents are ignored; default 1000 */
    bool all;              /* all pairs above the threshold, not the best of each document */
    const char *spill_dir; /* for input that can be read once only; default: /tmp */
} dpl_docalign_options;

/* Begin with DPL_INIT. */
typedef struct dpl_docalign_summary {
    size_t size;
    uint32_t n_docs[2];
    uint64_t n_entries;  /* n-grams of all documents, each once a document */
    uint64_t n_ngrams;   /* distinct; of these: */
    uint64_t n_rare;     /* in fewer than min_count documents */
    uint64_t n_frequent; /* in more than max_count */
    uint64_t n_products; /* multiply-adds */
    uint64_t n_scored;   /* pairs at or above the threshold */
    uint64_t n_pairs;    /* given */
    double seconds;
} dpl_docalign_summary;

/* A pair: lines from 0. With `all` by line of the second file, then of the first; else by score
 * downwards, higher lines first among equals. Anything but DPL_OK ends the call with it. */
typedef dpl_status dpl_docalign_fn(void *user, const dpl_pair *pair, dpl_error *err);

/* Files to align and what receives the pairs. Begin with DPL_INIT; borrowed during the call. */
typedef struct dpl_docalign_input {
    size_t size;
    const char *translated, *english; /* paths, compressed or not; one of them may be "-" */
    dpl_docalign_fn *take;            /* called with user for each pair */
    void *user;
} dpl_docalign_input;

/* A line that is not base64 is DPL_E_FORMAT with its number. Files are read twice; one that
 * cannot be (a pipe) is kept in memory or a temporary file. summary may be NULL. Same pairs for
 * any number of threads and any memory limit. */
DPL_API dpl_status dpl_docalign(dpl_docalign_summary *summary, dpl_ctx *ctx,
                                const dpl_docalign_input *input,
                                const dpl_docalign_options *options, dpl_error *err);

#ifdef __cplusplus
}
#endif
#endif
