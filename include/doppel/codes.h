/*
 * doppel/codes.h - similarity hash functions: short codes of documents, such that similar
 * documents are likely to share one and others are not (Stein, Principles of Hash-based Text
 * Retrieval, SIGIR 2007).
 *
 * All functions have the same three steps: embed a row (as a few numbers), quantise each
 * number, and encode them all as one code of 64 bits; this is repeated for several codes. Two
 * rows are candidates when they share a code. Code length (k) controls precision, code
 * multiplicity (l, the number of codes) controls recall.
 *
 *   rp       bits of random hyperplanes, k bits to a code
 *   simhash  bits of a fingerprint of 64 or 128 bits, k bits to a code
 *   minhash  minimum hash values of the elements (words, or shingles of words), k to a code
 *   fuzzy    fuzzy-fingerprints: deviations of k prefix classes from their expectation
 *   pstable  k Gaussian projections in steps of a width (Datar et al. 2004)
 *
 *     dpl_collection *news = NULL;
 *     dpl_hash *hash = NULL;
 *     dpl_codes *codes = NULL;
 *     dpl_buckets *buckets = NULL;
 *     dpl_row_pair pairs[1000];
 *     size_t n = 0;
 *     DPL_TRY(dpl_collection_open(&news, ctx, "news.dpl", err));
 *     dpl_hash_input input = DPL_INIT(dpl_hash_input, .collection = news);
 *     dpl_hash_options o = DPL_INIT(dpl_hash_options, .function = DPL_HASH_MINHASH,
 *                                   .length = 5, .codes = 25, .shingle = 3);
 *     DPL_TRY(dpl_hash_new(&hash, ctx, &o, NULL, err));
 *     DPL_TRY(dpl_codes_make(&codes, ctx, hash, &input, err));
 *     DPL_TRY(dpl_codes_join(&buckets, ctx, codes, NULL, NULL, err));
 *     while (dpl_buckets_next(buckets, pairs, &n, 1000, err) == DPL_OK)
 *         printf("%zu candidates from row %u on\n", n, pairs[0].left);
 */
#ifndef DOPPEL_CODES_H
#define DOPPEL_CODES_H

#include "doppel/signatures.h"

#ifdef __cplusplus
extern "C" {
#endif

/* ---- functions ---------------------------------------------------------------------- */

typedef enum dpl_hash_function {
    DPL_HASH_RP = 0,
    DPL_HASH_SIMHASH,
    DPL_HASH_MINHASH,
    DPL_HASH_FUZZY,
    DPL_HASH_PSTABLE
} dpl_hash_function;

/* One similarity hash function. Static; may get more fields at its end. */
typedef struct dpl_hash_function_info {
    dpl_hash_function function;
    const char *name; /* "rp" */
    const char *help; /* what it computes, one line */
    const char *unit; /* what the length counts: "bits", "minima", "classes", "projections" */
    unsigned length_default; /* code length */
    unsigned length_most;
    unsigned codes_default; /* code multiplicity */
    unsigned codes_most;
    bool takes_dense;   /* dense rows can be hashed, too */
    bool takes_keys;    /* elements without text, such as shingles, can be hashed, too */
    bool has_reference; /* learns from a reference */
    bool is_jaccard;    /* approximates the Jaccard similarity of sets; else the cosine */
} dpl_hash_function_info;

/* NULL for a number that is no function: count up from 0 to list them all. */
DPL_API const dpl_hash_function_info *dpl_hash_get_function_info(dpl_hash_function function);

/* How pstable combines its numbers into one code. */
typedef enum dpl_hash_encoding {
    DPL_ENCODE_CONCATENATION = 0, /* a code for each combination, as Datar et al. */
    DPL_ENCODE_SUMMATION          /* their sum, as in the retrieval paper */
} dpl_hash_encoding;

/* ---- what is hashed ----------------------------------------------------------------- */

/* Rows: vectors, a collection, or arrays of the caller; exactly one of them. Borrowed during
 * the call, unless the call says longer. */
typedef struct dpl_hash_input {
    size_t size; /* DPL_INIT */
    const dpl_vectors *vectors;
    /* Documents: their words with their counts, or their shingles (dpl_hash_options). */
    const dpl_collection *collection;
    /* Row i has the elements offsets[i] to offsets[i + 1] - 1. */
    uint32_t n_rows;
    const uint64_t *offsets;
    const uint64_t *elements; /* a key of each: equal elements have equal keys */
    const dpl_str *terms;     /* or its text, instead of a key */
    const float *weights;     /* above 0; NULL: all 1 */
} dpl_hash_input;

/* ---- a function, ready for use ------------------------------------------------------ */

/* Zero in a field means its default. */
typedef struct dpl_hash_options {
    size_t size; /* DPL_INIT */
    dpl_hash_function function;
    /* Code length, k: bits of rp and simhash (1 to 64), minima, prefix classes, projections. */
    unsigned length;
    /* Number of codes, l. simhash: length times codes is at most 128. */
    unsigned codes;
    unsigned shingle; /* collections: words of an element; default 1. fuzzy: always 1 */
    unsigned radix;   /* fuzzy: intervals of a fuzzification scheme, 2 to 16; default 3 */
    double width;     /* pstable: width of an interval; default 0.5. Rows have length one */
    dpl_hash_encoding encoding; /* pstable */
    const char *temp;           /* folder for temporary files; default: /tmp. Borrowed until the
                                        function is freed */
} dpl_hash_options;

/* Parameters, and expectations learnt from a reference. Frozen. */
typedef struct dpl_hash dpl_hash;

typedef struct dpl_hash_info {
    const dpl_hash_options *options; /* with defaults filled in */
    uint64_t seed;
} dpl_hash_info;

/* reference: the rows from which fuzzy learns its expectations, usually those that will be
 * hashed, or a large collection of the language. Read during the call. NULL for functions that
 * learn nothing. The seed is the context's. Options out of range are DPL_E_USAGE. */
DPL_API dpl_status dpl_hash_new(dpl_hash **out, dpl_ctx *ctx, const dpl_hash_options *options,
                                const dpl_hash_input *reference, dpl_error *err);
DPL_API void dpl_hash_free(dpl_hash *hash);
/* Borrowed until freed. */
DPL_API dpl_hash_info dpl_hash_get_info(const dpl_hash *hash);

/* ---- codes -------------------------------------------------------------------------- */

/* The code of a row without elements, which is no candidate of any other. */
#define DPL_NO_CODE UINT64_MAX

/* The codes of each row. Frozen. */
typedef struct dpl_codes dpl_codes;

/* Codes of all rows, in memory or in a temporary file when they take more than a quarter of the
 * context's memory. The hash and, for the ids, the vectors or the collection are borrowed until
 * the codes are closed. Same codes for any number of threads and any instruction set. */
DPL_API dpl_status dpl_codes_make(dpl_codes **out, dpl_ctx *ctx, const dpl_hash *hash,
                                  const dpl_hash_input *input, dpl_error *err);
/* Codes that are in the caller's memory, code c of row i at words[c * n_rows + i]; borrowed
 * until closed. Rows have no ids but their numbers. */
DPL_API dpl_status dpl_codes_from_buffer(dpl_codes **out, dpl_ctx *ctx, const uint64_t *words,
                                         uint32_t n_rows, unsigned n_codes, dpl_error *err);
/* Writes them with their ids and the function, through a temporary name. */
DPL_API dpl_status dpl_codes_save(const dpl_codes *codes, const char *path, dpl_error *err);
/* Reads codes from a file. dpl_codes_info.hash is the function that made them, with what it
 * learnt: use it to make codes of further documents. */
DPL_API dpl_status dpl_codes_open(dpl_codes **out, dpl_ctx *ctx, const char *path,
                                  dpl_error *err);
DPL_API void dpl_codes_close(dpl_codes *codes);

/* Layout fixed. */
typedef struct dpl_codes_info {
    uint32_t n_rows;
    unsigned n_codes;     /* of each row */
    const dpl_hash *hash; /* the function they were made with; NULL for those of a buffer */
    const char *path;     /* of the file, or "(memory)" */
} dpl_codes_info;

/* Borrowed until closed. */
DPL_API dpl_codes_info dpl_codes_get_info(const dpl_codes *codes);
/* Code c of all rows. Borrowed until closed. */
DPL_API const uint64_t *dpl_codes_column(const dpl_codes *codes, unsigned c);
DPL_API dpl_str dpl_codes_id(const dpl_codes *codes, uint32_t row);

/* ---- candidates --------------------------------------------------------------------- */

/* Layout fixed. */
typedef struct dpl_row_pair {
    uint32_t left, right;
} dpl_row_pair;

/* Zero in a field means its default. */
typedef struct dpl_join_options {
    size_t size;      /* DPL_INIT */
    unsigned n_codes; /* use only the first n_codes codes; default: all */
    /* Maximum number of earlier rows with the same code that a row is paired with (within one
     * set: rows of lower number; else the last ones of the left side). n rows with the same
     * code then make at most n `most` candidates instead of n^2, which suffices for clusters.
     * Default: all. */
    uint32_t most;
    const char *temp; /* folder for temporary files; default: /tmp */
} dpl_join_options;

typedef struct dpl_join_summary {
    size_t size;         /* DPL_INIT */
    uint64_t n_shared;   /* pairs that share a code, counted for each code that they share;
                            fingerprints: pairs found */
    uint64_t n_left_out; /* of these, dropped because of `most`; 0 for fingerprints */
    uint64_t largest;    /* rows of the largest bucket, of both sides */
    uint64_t n_spilled_bytes;
} dpl_join_summary;

/* Pairs of rows, each once, by left and then right row. Owned. */
typedef struct dpl_buckets dpl_buckets;

/* Pairs that share code c for some c. right may be NULL: within left, left < right. Codes of
 * different functions are DPL_E_USAGE, code "other-codes". Works
 * within the context's memory: tables are sorted in slabs, candidates are spilled. The result
 * does not depend on memory or threads. Neither side is needed once the call returns. */
DPL_API dpl_status dpl_codes_join(dpl_buckets **out, dpl_ctx *ctx, const dpl_codes *left,
                                  const dpl_codes *right, const dpl_join_options *options,
                                  dpl_error *err);
/* Pairs of 64-bit fingerprints that differ in at most `radius` bits, 0 to 7: all of them.
 * right may be NULL: within left. */
DPL_API dpl_status dpl_fingerprints_join(dpl_buckets **out, dpl_ctx *ctx, const uint64_t *left,
                                         uint32_t n_left, const uint64_t *right,
                                         uint32_t n_right, unsigned radius,
                                         const dpl_join_options *options, dpl_error *err);
/* The next pairs: *n of at most n_most; DPL_END and *n = 0 after the last ones. */
DPL_API dpl_status dpl_buckets_next(dpl_buckets *buckets, dpl_row_pair *pairs, size_t *n,
                                    size_t n_most, dpl_error *err);
/* Borrowed until closed. */
DPL_API const dpl_join_summary *dpl_buckets_get_summary(const dpl_buckets *buckets);
DPL_API void dpl_buckets_close(dpl_buckets *buckets);

/* ---- choosing parameters ------------------------------------------------------------ */

/* Zero in a field means its default. */
typedef struct dpl_tune_options {
    size_t size; /* DPL_INIT */
    /* The function; parameters that are not zero are kept as given. NULL: rp. */
    const dpl_hash_options *hash;
    double threshold; /* lowest cosine of a pair; default 0.8 */
    double recall;    /* wanted; default 0.95 */
    /* Wanted precision; 0: none. The best point is then the one of highest recall with this
     * precision; without it, the cheapest one that reaches the recall. */
    double precision;
    unsigned sample;  /* left rows whose pairs are found exactly; default 1000 */
    const char *temp; /* folder for temporary files; default: /tmp */
} dpl_tune_options;

/* Measured or predicted results of one setting. Layout fixed. */
typedef struct dpl_hash_point {
    unsigned length, codes, radix; /* radix: fuzzy */
    double width;                  /* pstable */
    double recall;     /* share of the pairs at or above the threshold that are candidates */
    double precision;  /* share of the candidates that are at or above the threshold; 0 where
                          there is no pair */
    double candidates; /* per left row */
    double cost; /* nanoseconds per left row at typical speeds: codes, sorting, verification */
} dpl_hash_point;

typedef struct dpl_tune_summary {
    size_t size;     /* DPL_INIT */
    bool is_sampled; /* measured on a sample; else predicted for pairs at the threshold */
    uint32_t n_rows; /* left rows sampled */
    uint64_t n_true; /* their pairs at or above the threshold */
    size_t n_points;
    size_t best;     /* of the points */
    bool is_reached; /* the best point has what was wanted; else it is the nearest to it */
    double seconds;
    const dpl_hash_point *points; /* n_points of them */
} dpl_tune_summary;

/* Points over a grid of parameters, by k, r or width, and l. Frozen. */
typedef struct dpl_tuning dpl_tuning;

/* With rows: computes codes of a sample with every setting; true pairs of the sample give the
 * recall, its other pairs of rows the number of candidates. right may be NULL: pairs within
 * left. With left NULL: predicts from a model, for n_rows rows that otherwise have nothing in
 * common. rp, simhash, minhash (the threshold is its Jaccard similarity) and pstable have a
 * model; fuzzy has none: DPL_E_USAGE. */
DPL_API dpl_status dpl_hash_tune(dpl_tuning **out, dpl_ctx *ctx, const dpl_vectors *left,
                                 const dpl_vectors *right, uint64_t n_rows,
                                 const dpl_tune_options *options, dpl_error *err);
DPL_API void dpl_tuning_free(dpl_tuning *tuning);
/* Borrowed until freed. */
DPL_API const dpl_tune_summary *dpl_tuning_get_summary(const dpl_tuning *tuning);

#ifdef __cplusplus
}
#endif
#endif
