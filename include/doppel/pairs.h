/*
 * doppel/pairs.h - the sixth stage: pairs of similar rows of two sets, or of one.
 *
 *     dpl_vectors *de = NULL, *en = NULL;
 *     DPL_TRY(dpl_vectors_open(&de, ctx, "de.vectors.dpl", err));
 *     DPL_TRY(dpl_vectors_open(&en, ctx, "en.vectors.dpl", err));
 *     dpl_pairs_options o = DPL_INIT(dpl_pairs_options, .threshold = 0.3, .recall = 0.99);
 *     dpl_pairs_side left = {.vectors = de}, right = {.vectors = en};
 *     dpl_pairs *pairs = NULL;
 *     dpl_pair pair;
 *     dpl_status st = dpl_pairs_open(&pairs, ctx, &left, &right, &o, err);
 *     while (st == DPL_OK && (st = dpl_pairs_next(pairs, &pair, err)) == DPL_OK)
 *         printf("%u %u %.6f\n", pair.left, pair.right, (double)pair.score);
 *     dpl_pairs_close(pairs);
 *
 * All methods give pairs of the same form; `exact` finds every pair at or above the threshold,
 * the others state in the summary which share of them they found (the recall check).
 */
#ifndef DOPPEL_PAIRS_H
#define DOPPEL_PAIRS_H

#include "doppel/codes.h"

#ifdef __cplusplus
extern "C" {
#endif

/* ---- methods and selections --------------------------------------------------------- */

typedef enum dpl_pairs_method {
    DPL_PAIRS_AUTO = 0, /* the method that dpl_plan_make recommends */
    DPL_PAIRS_EXACT,    /* true cosines through an inverted index, with pruning by bounds */
    DPL_PAIRS_BRUTE,    /* all pairs of signatures, then true cosines */
    DPL_PAIRS_WINDOW,   /* sorted tables of permuted signatures, then true cosines */
    DPL_PAIRS_NGRAM,    /* shared word n-grams of collections; see doppel/ngram.h */
    DPL_PAIRS_HASH      /* shared codes of a similarity hash function, then true cosines */
} dpl_pairs_method;

struct dpl_ngram_options; /* doppel/ngram.h */
struct dpl_ngram_summary;

/* One search method. Static; may get more fields at its end. */
typedef struct dpl_pairs_method_info {
    dpl_pairs_method method;
    const char *name;    /* "exact" */
    const char *help;    /* what it does, one line */
    const char *finds;   /* which pairs it finds, one line */
    const char *unit;    /* what n_comparisons counts: "multiply-adds" */
    bool is_exact;       /* finds every pair at or above the threshold */
    bool has_signatures; /* compares signatures */
    bool has_candidates; /* finds candidates, which are verified */
    bool has_documents;  /* searches collections, not vectors */
} dpl_pairs_method_info;

/* NULL for a number that is no method: count up from 0 to list them all. */
DPL_API const dpl_pairs_method_info *dpl_pairs_get_method_info(dpl_pairs_method method);

typedef enum dpl_select {
    DPL_SELECT_ALL = 0,    /* everything at or above the threshold */
    DPL_SELECT_BEST,       /* the n best of every left row; within one set, of either row */
    DPL_SELECT_MUTUAL,     /* pairs in which each row is the other's best */
    DPL_SELECT_ONE_TO_ONE, /* every row in at most one pair */
    /* The same, best pair first, among pairs whose score is at least `ratio` times the best
       score of either row: rows with near-duplicates keep a partner, rows without a counterpart
       get none. */
    DPL_SELECT_NEAR
} dpl_select;

/* "all", "best", "mutual", "one-to-one", "near"; NULL for a number that is no selection. */
DPL_API const char *dpl_select_name(dpl_select select);

/* Within one set OPTIMAL is DPL_E_UNSUPPORTED. */
typedef enum dpl_assignment {
    DPL_ASSIGN_GREEDY = 0, /* best pair first */
    DPL_ASSIGN_OPTIMAL     /* the largest sum of scores, rounded to six decimals */
} dpl_assignment;

/* ---- options ------------------------------------------------------------------------ */

/* Zero in a field means its default. */
typedef struct dpl_pairs_options {
    size_t size; /* DPL_INIT */
    dpl_pairs_method method;
    double threshold; /* lowest cosine, 0 to 1; default 0.3. Any negative number means 0 */
    double recall;    /* auto, brute, window, hash: wanted share of the pairs that exact finds,
                         above 0 and below 1; default 0.99 */
    bool no_verify;   /* take the score and the threshold from the signatures alone, as in the
                         paper */
    bool no_early_stop; /* compare all bits of every pair, even if the first ones decide */
    /* Signatures to compute where none are given: rp (default), simhash, or rp8 with brute; and
     * their bits (rp8: dimensions). Default: 1024 for rp, or with brute 2048 or 3072 if it is
     * estimated to take seconds with 1024 and 1.25 times less with those; 64 for simhash, 448
     * for rp8. */
    dpl_sign_method signature;
    unsigned length;
    /* Tables of the window method. */
    unsigned tables; /* Q: permutations; 0: as planned for the wanted recall */
    unsigned width;  /* B: each row is compared with those at most B places behind it; 0: as
                         planned. Larger than the table is DPL_E_USAGE */
    uint64_t chunk;  /* M: rows of a table that are worked on at a time, overlapping by B; 0:
                        as many as fit into memory. The result does not depend on it */
    bool basic;      /* the paper's Figure 2, a queue over the whole table, instead of chunks;
                           same result */
    /* Of two pairs with the same score the one with the lower left row is better, then the one
     * with the lower right row. */
    dpl_select select;
    unsigned top;              /* with DPL_SELECT_BEST; default 1 */
    dpl_assignment assignment; /* with DPL_SELECT_ONE_TO_ONE */
    double ratio; /* with DPL_SELECT_NEAR: lowest score of a pair as a share of the best of
                          either row, 0 to 1; default 0.7. Negative: 0 */
    /* k > 0: select by margin, and return it as the score. The margin is the score
     * divided by the mean of 2 k scores: those of the k nearest of the left row and of the k
     * nearest of the right row, the pair itself among both. Neighbours that were not found,
     * because they are below the threshold, count as the threshold. Above 1 a pair is nearer
     * than its surroundings; the margin is k at most, and 0 for a score of 0. */
    unsigned margin;
    unsigned sample; /* left rows searched exactly for the recall check; default 500 */
    bool no_recall_check;
    const char *temp; /* folder for temporary files; default: /tmp */
    /* hash: the function and its parameters; zero: chosen by dpl_hash_tune on a sample for the
     * threshold and the recall. NULL: rp. fuzzy uses the left side as its reference. */
    const dpl_hash_options *hash;
    /* ngram (doppel/ngram.h), whose default threshold is 0.1. */
    const struct dpl_ngram_options *ngram;
} dpl_pairs_options;

/* One set of rows. vectors may be missing when signatures are there and no_verify is set;
 * signatures are computed where they are missing. The collection is for methods that search
 * documents (ngram). All are borrowed until the pairs are closed. Layout fixed. */
typedef struct dpl_pairs_side {
    const dpl_vectors *vectors;
    const dpl_signatures *signatures;
    const dpl_collection *collection;
} dpl_pairs_side;

/* ---- the search --------------------------------------------------------------------- */

/* Layout fixed. */
typedef struct dpl_pair {
    uint32_t left, right; /* rows */
    float score;          /* the cosine (its estimate with no_verify), or the margin */
} dpl_pair;

/* The recall check: which share of all true pairs was found, before selection, from a sample of
 * left rows. Layout fixed. */
typedef struct dpl_recall_check {
    bool is_exact;    /* the method finds everything: no sample was taken, recall is 1 */
    bool is_empty;    /* no row was sampled, or none has a true pair: the recall is unknown */
    uint32_t n_rows;  /* left rows sampled */
    uint64_t n_true;  /* their pairs at or above the threshold */
    uint64_t n_found; /* of those, found by the method */
    double recall;    /* n_found / n_true */
    double low, high; /* 95 % interval; the rows are the sample, each with all its pairs */
    double seconds;
} dpl_recall_check;

/* Belongs to the pairs; may get more fields at its end. */
typedef struct dpl_pairs_summary {
    dpl_pairs_method method; /* the one that was used */
    uint32_t n_left, n_right;
    double threshold;
    unsigned bits,
        cut; /* of the signatures (rp8: dimensions); largest distance of a candidate */
    unsigned first_bits, first_cut; /* of the early test; 0: there was none */
    unsigned n_tables, width;       /* of the window method: Q and B */
    uint64_t chunk;
    uint64_t n_comparisons; /* of signatures, or multiply-adds of exact */
    uint64_t n_candidates;  /* pairs within the distance cut, to be verified */
    uint64_t n_found;    /* pairs at or above the threshold; exact with best or mutual may skip
                            some that cannot be selected */
    uint64_t n_selected; /* pairs that dpl_pairs_next gives */
    double planned_recall;                /* predicted by the plan; 0: none */
    const dpl_recall_check *recall_check; /* all zero: there was none */
    uint64_t n_spilled_bytes;
    double sign_seconds, search_seconds, verify_seconds, select_seconds, seconds;
    dpl_sign_method signature; /* of methods that compare signatures */
    /* hash: the function and its parameters; code_length 0: another method. */
    dpl_hash_function hash;
    unsigned code_length, n_codes, radix;
    double code_width;
    const struct dpl_ngram_summary *ngram; /* what ngram counted; NULL: another method */
} dpl_pairs_summary;

/* Search finished, pairs ready to be taken. Owned. */
typedef struct dpl_pairs dpl_pairs;

/* Does all the work. right may be NULL: pairs within left, each once, with left < right. An
 * empty side is DPL_E_USAGE. */
DPL_API dpl_status dpl_pairs_open(dpl_pairs **out, dpl_ctx *ctx, const dpl_pairs_side *left,
                                  const dpl_pairs_side *right, const dpl_pairs_options *options,
                                  dpl_error *err);
/* Ordered by left row, then score downwards, then right row. DPL_END after the last one. */
DPL_API dpl_status dpl_pairs_next(dpl_pairs *pairs, dpl_pair *pair, dpl_error *err);
/* The score as files of pairs have it: six digits behind the point, ties to the even digit,
 * whatever the locale. Returns the number of bytes in front of the zero. What is beyond 10^12
 * is written as 10^12. */
enum { DPL_SCORE_TEXT = 32 };
DPL_API size_t dpl_score_text(char out[DPL_SCORE_TEXT], double score);
/* Borrowed until closed. */
DPL_API const dpl_pairs_summary *dpl_pairs_get_summary(const dpl_pairs *pairs);
DPL_API void dpl_pairs_close(dpl_pairs *pairs);
/* With defaults and what was planned filled in. Borrowed until closed. */
DPL_API const dpl_pairs_options *dpl_pairs_get_options(const dpl_pairs *pairs);

/* One part of the search, to a file of its own (doppel/file.h): a block of left and right rows,
 * or some tables of the window method. The file holds the pairs that were found there, before
 * selection, and what the recall check needs. Every part plans for the whole. A part of ngram
 * finds the candidates of all documents and scores those of a range of left ones. */
DPL_API dpl_status dpl_pairs_part(dpl_part_summary *summary, dpl_ctx *ctx, const char *out_path,
                                  const dpl_pairs_side *left, const dpl_pairs_side *right,
                                  const dpl_part *part, const dpl_pairs_options *options,
                                  dpl_error *err);
/* The pairs of all parts, selected as their options say: the same as those of dpl_pairs_open,
 * with the same recall check. Of the summary, n_comparisons and n_candidates are sums over the
 * parts; in n_found each pair counts once. The parts are borrowed until the pairs are closed.
 * temp, the folder for temporary files, may be NULL: /tmp. */
DPL_API dpl_status dpl_pairs_merge_open(dpl_pairs **out, const dpl_parts *parts,
                                        const char *temp, dpl_error *err);
/* Checks one part alone as dpl_pairs_merge_open checks all of them: checksums, ids, rows,
 * scores.
 */
DPL_API dpl_status dpl_pairs_check_part(dpl_ctx *ctx, const char *path, dpl_error *err);
/* The id of a row of a pair. Borrowed until closed. */
DPL_API dpl_str dpl_pairs_id(const dpl_pairs *pairs, bool is_right, uint32_t row);

/* ---- nearest neighbours ------------------------------------------------------------- */

/* The k nearest of every left row among the right ones and of every right row among the left
 * ones, from one search. Zero in a field means its default. */
typedef struct dpl_neighbours_options {
    size_t size;             /* DPL_INIT */
    dpl_pairs_method method; /* default: exact */
    unsigned k;              /* default 8 */
    double threshold;        /* lowest cosine of a neighbour, 0 to 1; default 0: above 0 */
    /* Neighbours of the same score are ordered by the content of their rows, then by row. This
     * orders them by row alone. */
    bool no_content_ties;
    const dpl_pairs_options *search; /* brute, window: recall, signatures, tables; hash: the
                                        function; ngram: the lexicon; may be NULL */
    const char *temp;                /* folder for temporary files; default: /tmp */
    /* Instead of the content of rows: a key of each row, of equal scores the lower key first.
     * NULL: the content. Borrowed during the call. */
    const uint64_t *left_keys, *right_keys;
} dpl_neighbours_options;

/* Layout fixed. */
typedef struct dpl_scored_row {
    uint32_t row; /* of the other side; UINT32_MAX: there are no more */
    float score;  /* the cosine */
} dpl_scored_row;

/* Belongs to the neighbours; may get more fields at its end. */
typedef struct dpl_neighbours_summary {
    dpl_pairs_method method;
    uint32_t n_left, n_right;
    unsigned k;
    double threshold;
    uint64_t n_scored; /* pairs whose cosine was computed; depends on the timing of threads */
    const dpl_recall_check *recall_check;
    double seconds;
    uint64_t n_compared;      /* pairs of signatures; 0 for exact */
    unsigned bits;            /* of the signatures */
    unsigned n_tables, width; /* of the window method */
    double planned_recall;    /* predicted by the plan; 0: none */
} dpl_neighbours_summary;

/* Frozen. */
typedef struct dpl_neighbours dpl_neighbours;

/* right may be NULL: the nearest of every row of left among the others of left. Every method
 * needs one pass, in which the cuts of rows and columns rise as better neighbours are found.
 * exact finds all neighbours. brute and window compare signatures (given, or computed) and
 * compute the true cosines of pairs that are near enough: the allowed number of differing bits
 * is that which the share search->recall of pairs with the same cosine stays within. The lists
 * have the k best of these, and the recall check estimates the share of true neighbours among
 * them. hash computes those of rows that share a code; its parameters are
 * search->hash, or chosen for a threshold above 0. ngram computes the true cosines of documents
 * that share rare pairs of words; it needs the collections of the vectors, and the lexicon if
 * vectors were projected. The lists do not depend on the number of threads or the memory.
 * Vectors are needed on both sides. Neither side is needed once the call returns. */
DPL_API dpl_status dpl_neighbours_find(dpl_neighbours **out, dpl_ctx *ctx,
                                       const dpl_pairs_side *left, const dpl_pairs_side *right,
                                       const dpl_neighbours_options *options, dpl_error *err);
DPL_API void dpl_neighbours_free(dpl_neighbours *neighbours);
/* k of the row, best first, filled up with row UINT32_MAX. Borrowed until freed. */
DPL_API const dpl_scored_row *dpl_neighbours_of(const dpl_neighbours *neighbours, bool is_right,
                                                uint32_t row);
DPL_API const dpl_neighbours_summary *
dpl_neighbours_get_summary(const dpl_neighbours *neighbours);

/* ---- the plan ----------------------------------------------------------------------- */

/* Speed of this machine at the steps of the methods: nanoseconds of one thread while all
 * threads of the context work. Zero in a field: not measured, a typical value is used. */
typedef struct dpl_speeds {
    size_t size;        /* DPL_INIT */
    double compare_ns;  /* one comparison of 1024-bit signatures, many against many */
    double single_ns;   /* one comparison of 1024-bit signatures by itself */
    double permute_ns;  /* one row in one table besides its comparisons: permuted, sorted */
    double multiply_ns; /* one multiply-add of the exact method, sparse rows */
    double dense_ns;    /* the same, dense rows */
    double verify_ns;   /* one true cosine of a candidate, sparse rows of 120 terms that are not
                           in the cache */
    double sign_ns;     /* one row of 120 terms to 1024 bits */
    double near_ns;    /* as compare_ns, with a cut so close to the distance of random rows that
                          all bits must be counted */
    double product_ns; /* one product of rp8 signatures of 448 dimensions, many against many */
    double device_ns; /* as compare_ns, on the device of the context, times the threads; 0: that
                         is the CPU */
} dpl_speeds;

/* Measures them in about a second. */
DPL_API dpl_status dpl_speeds_measure(dpl_speeds *out, dpl_ctx *ctx, dpl_error *err);

/* Zero in a field means its default. */
typedef struct dpl_plan_options {
    size_t size;              /* DPL_INIT */
    uint64_t n_left, n_right; /* n_right 0: pairs within left */
    unsigned length;  /* bits; default 1024, or the best one if method is DPL_PAIRS_BRUTE */
    double threshold; /* default 0.3; negative: 0 */
    double recall;    /* default 0.99 */
    const dpl_speeds *speeds; /* NULL, or compare_ns 0: measured */
    double terms_per_row;     /* default 120; for the cost of exact */
    /* With rows at hand the plan samples them: how similar pairs above the threshold are, how
     * unevenly rows spread over prefixes. NULL: the paper's assumptions (pairs exactly at the
     * threshold, independent bits of other rows). Collections alone are searched by ngram; what
     * that finds of the pairs above the threshold is not predicted (recall 0). */
    const dpl_pairs_side *left, *right;
    unsigned tables, width; /* Q and B of the window method; 0: a grid of both */
    /* k > 0: a search for the k nearest of every row and column (dpl_neighbours_find) with a
     * cosine of at least the threshold; rows must be at hand. 0: for all pairs. */
    unsigned nearest;
    dpl_pairs_method method; /* plan this method alone, which is faster; auto: all */
    /* rp8: `length` are dimensions, 448 if 0; the window method is not planned. Signatures of
     * `left` and `right` come first. */
    dpl_sign_method signature;
} dpl_plan_options;

/* One way to search. Belongs to the plan; may get more fields at its end. */
typedef struct dpl_plan_row {
    dpl_pairs_method method;
    unsigned n_tables, width; /* Q and B of the window method; of hash, the number of codes */
    double comparisons;       /* of signatures; multiply-adds for exact; pairs of rows in one
                                 bucket for hash; words for ngram */
    double relative;          /* cost against brute force, in comparisons, sorting included */
    double paper_low, paper_high; /* recall by the paper's model, n rounded up and down: of the
                                     tables alone, before the distance cut (Equation 4) */
    double paper_cut; /* Equation 5: probability to stay below the paper's distance cut, the
                         recall without verification */
    double recall;    /* predicted, with our model and cut, after verification */
    unsigned cut;     /* largest distance of a candidate; 0 for exact */
    unsigned first_bits, first_cut; /* of the early test; 0: not worth it */
    double candidates;              /* pairs to be verified */
    double seconds;                 /* on this machine with the context's threads */
    double bytes;                   /* of memory */
    bool fits;                      /* into the context's memory */
    unsigned code_length;           /* bits of a code of hash; 0: another method */
} dpl_plan_row;

/* Belongs to the plan; may get more fields at its end. */
typedef struct dpl_plan_summary {
    size_t n_rows;
    size_t best;     /* the recommended row: reaches the recall, fits, takes the least time; or
                        exact, when that takes at most half as long again, or two seconds */
    const char *why; /* in one or two sentences */
    const dpl_speeds *speeds; /* that were given or measured */
    unsigned bits;
    double n_pairs;  /* of rows: what brute force compares */
    bool is_sampled; /* rows were at hand */
    /* Figures of the sample (is_sampled), or assumed ones: */
    double random_cosine; /* of any two rows, the mean */
    double random_sd;     /* and its standard deviation */
    double true_pairs;    /* pairs at or above the threshold; 0: not known */
    /* Of them, in the sample; 0: pairs exactly at the threshold assumed. */
    uint64_t n_true_sample;
    /* Signatures of another length with which brute force would be faster than the best row by
     * a quarter or more; 0: none. */
    unsigned better_bits;
    double better_seconds;
    dpl_sign_method signature; /* that `bits` are of */
} dpl_plan_summary;

/* Frozen. */
typedef struct dpl_plan dpl_plan;

/* What each method would find, cost and need. */
DPL_API dpl_status dpl_plan_make(dpl_plan **out, dpl_ctx *ctx, const dpl_plan_options *options,
                                 dpl_error *err);
DPL_API void dpl_plan_free(dpl_plan *plan);
/* Both borrowed until the plan is freed; a row is NULL past the last one. */
DPL_API const dpl_plan_summary *dpl_plan_get_summary(const dpl_plan *plan);
DPL_API const dpl_plan_row *dpl_plan_get_row(const dpl_plan *plan, size_t i);

/* ---- parts -------------------------------------------------------------------------- */

/* Search, merge and verification over plain buffers, for engines that spread the work over
 * processes or machines. A part is a range of the rows of a larger set; rows keep the numbers
 * that they have there. Searched part by part and merged, pairs are the same, byte for byte, as
 * those of one search of the whole:
 *
 *     exact   every left part with every right part, then dpl_pairs_merge
 *     brute   the same with dpl_part_brute, then dpl_part_verify, then dpl_pairs_merge
 *     window  all rows, a range of the tables in each task, dpl_candidates_merge, and then the
 *             same
 *
 * Within one set: every part with itself (right is NULL), and with every part behind it.
 * Cuts come from the plan of the whole (dpl_plan_row). */

/* Rows in the caller's memory, sparse or dense, of length one. Layout fixed. */
typedef struct dpl_part_rows {
    uint32_t first, n_rows; /* numbers first, first + 1 ... of the whole set */
    /* Sparse: row i has the terms from offsets[i] to offsets[i + 1] - 1, numbers rising and
     * below n_terms, and their weights, all positive. Terms have the same numbers in all
     * parts. */
    const uint64_t *offsets;
    const uint32_t *terms;
    const float *weights;
    uint32_t n_terms;
    /* Dense (dim > 0): dim numbers each. */
    uint32_t dim;
    const float *values;
} dpl_part_rows;

/* Signatures of bits in the caller's memory, n_words words each. Layout fixed. */
typedef struct dpl_part_bits {
    uint32_t first, n_rows; /* numbers first, first + 1 ... of the whole set */
    uint32_t n_words;
    const uint64_t *words;
} dpl_part_bits;

/* A pair of rows within the distance cut. Layout fixed. */
typedef struct dpl_candidate {
    uint32_t left, right, distance;
} dpl_candidate;

/* Which pairs are candidates: distance at most cut; and, when first_bits is not 0, at most
 * first_cut in the first bits (a multiple of 64). Layout fixed. */
typedef struct dpl_part_cuts {
    unsigned cut;
    unsigned first_bits, first_cut;
} dpl_part_cuts;

/* Results in memory of the context. Zero it before it is filled; a filled one is emptied first.
 * Layout fixed. */
typedef struct dpl_pair_list {
    dpl_pair *pairs; /* by left row, then score downwards, then right row */
    size_t n, n_room;
} dpl_pair_list;

typedef struct dpl_candidate_list {
    dpl_candidate *candidates; /* by left, then right row */
    size_t n, n_room;
} dpl_candidate_list;

DPL_API void dpl_pair_list_clear(dpl_pair_list *list, dpl_ctx *ctx);
DPL_API void dpl_candidate_list_clear(dpl_candidate_list *list, dpl_ctx *ctx);

/* All pairs of at least the threshold (0: above 0). right may be NULL: within left. Rows that
 * are not as promised above are DPL_E_USAGE, here and in dpl_part_verify. */
DPL_API dpl_status dpl_part_exact(dpl_pair_list *out, dpl_ctx *ctx, const dpl_part_rows *left,
                                  const dpl_part_rows *right, double threshold, dpl_error *err);
/* All pairs within the cuts. right may be NULL: within left. */
DPL_API dpl_status dpl_part_brute(dpl_candidate_list *out, dpl_ctx *ctx,
                                  const dpl_part_bits *left, const dpl_part_bits *right,
                                  const dpl_part_cuts *cuts, dpl_error *err);

/* The same for signatures of signed bytes (rp8), 8 in a word, all within [-127, 127]: all pairs
 * at most `cut` apart (dpl_sign_cut). */
DPL_API dpl_status dpl_part_products(dpl_candidate_list *out, dpl_ctx *ctx,
                                     const dpl_part_bits *left, const dpl_part_bits *right,
                                     unsigned cut, dpl_error *err);

/* A range of the tables of the window method. Layout fixed. */
typedef struct dpl_part_tables {
    unsigned first, n; /* tables, from 0 */
    unsigned width;    /* B */
    uint64_t seed;     /* of the permutations; 0: the context's */
} dpl_part_tables;

/* Pairs within the cuts that are at most `width` places apart in one of these tables. */
DPL_API dpl_status dpl_part_window(dpl_candidate_list *out, dpl_ctx *ctx,
                                   const dpl_part_bits *left, const dpl_part_bits *right,
                                   const dpl_part_tables *tables, const dpl_part_cuts *cuts,
                                   dpl_error *err);

/* The true cosines of candidates, of which those of at least the threshold are kept. right may
 * be NULL: within left. A candidate that is not between these parts is DPL_E_USAGE. */
DPL_API dpl_status dpl_part_verify(dpl_pair_list *out, dpl_ctx *ctx, const dpl_part_rows *left,
                                   const dpl_part_rows *right, const dpl_candidate_list *in,
                                   double threshold, dpl_error *err);

/* Merges lists in their order; pairs that several lists have are kept once. n_best: maximum
 * number of pairs of each left row; 0: all. Candidates likewise. */
DPL_API dpl_status dpl_pairs_merge(dpl_pair_list *out, dpl_ctx *ctx, const dpl_pair_list *lists,
                                   size_t n_lists, unsigned n_best, dpl_error *err);
DPL_API dpl_status dpl_candidates_merge(dpl_candidate_list *out, dpl_ctx *ctx,
                                        const dpl_candidate_list *lists, size_t n_lists,
                                        dpl_error *err);

#ifdef __cplusplus
}
#endif
#endif
