/*
 * doppel/codes.h - similarity hash functions: short codes of documents, such that similar
 * documents are likely to share one and others are not (Stein, Principles of Hash-based Text
 * Retrieval, SIGIR 2007).
 *
 * All functions are one construction: a row is embedded (a few numbers), quantised (each to a
 * small number) and encoded (all of them to one code of 64 bits), several times over. Two rows
 * are candidates when they share a code. Code length controls precision, code multiplicity
 * controls recall.
 *
 *   rp       bits of random hyperplanes, k bits to a code
 *   simhash  bits of a fingerprint of 64 or 128 bits, k bits to a code
 *   minhash  least hashes of the elements (words, or shingles of words), k of them to a code
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
 *                                   .k = 5, .l = 25, .shingle = 3);
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
    const char *name;   /* "rp" */
    const char *help;   /* what it computes, one line */
    const char *unit;   /* what k counts: "bits", "minima", "classes", "projections" */
    unsigned k_default; /* code length */
    unsigned k_most;
    unsigned l_default; /* code multiplicity */
    unsigned l_most;
    bool takes_dense;   /* also of dense rows */
    bool takes_keys;    /* also of elements without text, as shingles are */
    bool has_reference; /* learns from a reference */
    bool is_jaccard;    /* of the Jaccard similarity of sets; else of the cosine */
} dpl_hash_function_info;

/* NULL for a number that is no function: count up from 0 to list them all. */
DPL_API const dpl_hash_function_info *dpl_hash_get_function_info(dpl_hash_function function);

/* How the numbers of pstable become one. */
typedef enum dpl_hash_encoding {
    DPL_ENCODE_CONCATENATION = 0, /* a code for each combination, as Datar et al. */
    DPL_ENCODE_SUMMATION          /* their sum, as the retrieval paper */
} dpl_hash_encoding;

/* ---- what is hashed ----------------------------------------------------------------- */

/* Rows: vectors, a collection, or arrays of the caller; exactly one of them. Borrowed during
 * calls, but where a call says longer. */
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
    /* Code length: bits of rp and simhash (1 to 64), minima, prefix classes, projections. */
    unsigned k;
    /* Code multiplicity. simhash: k l is at most 128. */
    unsigned l;
    unsigned shingle; /* words of an element, of collections; default 1. Above 1 not for
                         fuzzy */
    unsigned r;       /* fuzzy: intervals of a fuzzification scheme, 2 to 16; default 3 */
    double width;     /* pstable: width of an interval; default 0.5. Rows have length one */
    dpl_hash_encoding encoding; /* pstable */
    const char *spill_dir;      /* folder for temporary files; default: /tmp. Borrowed until the
                                   function is freed */
} dpl_hash_options;

/* Parameters, and what was learnt from a reference. Frozen. */
typedef struct dpl_hash dpl_hash;

typedef struct dpl_hash_info {
    const dpl_hash_options *options; /* with defaults filled in */
    uint64_t seed;
} dpl_hash_info;

/* reference: what fuzzy takes expectations from, usually the rows that will be hashed, or a
 * large collection of the language. Read during the call. NULL for functions that learn
 * nothing. The seed is the context's. Options out of range are DPL_E_USAGE. */
DPL_API dpl_status dpl_hash_new(dpl_hash **out, dpl_ctx *ctx, const dpl_hash_options *options,
                                const dpl_hash_input *reference, dpl_error *err);
DPL_API void dpl_hash_free(dpl_hash *hash);
/* Borrowed until freed. */
DPL_API dpl_hash_info dpl_hash_get_info(const dpl_hash *hash);

/* ---- codes -------------------------------------------------------------------------- */

/* The code of a row without elements: shared with no other. */
#define DPL_NO_CODE UINT64_MAX

/* l codes of each row. Frozen. */
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
/* Reads them back. dpl_codes_info.hash is the function that made them, with what it learnt:
 * codes of documents that were not there are made with it. */
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
    unsigned n_codes; /* only the first so many codes; default: all */
    /* A row is a candidate of at most so many rows before it that share the same code (within
     * one set: of lower number; else of the left side, the last ones), so that n rows with the
     * same code make most n candidates instead of n^2: enough where pairs are to be joined to
     * clusters. Default: all. */
    uint32_t most;
    const char *spill_dir; /* folder for temporary files; default: /tmp */
} dpl_join_options;

typedef struct dpl_join_summary {
    size_t size;         /* DPL_INIT */
    uint64_t n_shared;   /* pairs that share a code, once for each code that they share; of
                            fingerprints: pairs found */
    uint64_t n_left_out; /* of these, by `most`; 0 for fingerprints */
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
    /* The function; of its parameters those that are not zero stay as they are. NULL: rp. */
    const dpl_hash_options *hash;
    double threshold; /* lowest cosine of a pair; default 0.8 */
    double recall;    /* wanted; default 0.95 */
    /* Wanted; 0: none. With it the point of the highest recall is best that has this precision;
     * without, the cheapest that has the recall. */
    double precision;
    unsigned sample;       /* left rows whose pairs are found exactly; default 1000 */
    const char *spill_dir; /* folder for temporary files; default: /tmp */
} dpl_tune_options;

/* What codes of one setting find. Layout fixed. */
typedef struct dpl_hash_point {
    unsigned k, l, r;  /* r: of fuzzy */
    double width;      /* of pstable */
    double recall;     /* share of the pairs at or above the threshold that are candidates */
    double precision;  /* share of the candidates that are at or above the threshold; 0 where
                          there is no pair */
    double candidates; /* for each left row */
    double cost;       /* nanoseconds of a left row, by usual speeds: codes, sorting,
                          verification */
} dpl_hash_point;

typedef struct dpl_tune_summary {
    size_t size;     /* DPL_INIT */
    bool is_sampled; /* measured; else by the model, of pairs at the threshold */
    uint32_t n_rows; /* left rows sampled */
    uint64_t n_true; /* their pairs at or above the threshold */
    size_t n_points;
    size_t best;     /* of the points */
    bool is_reached; /* the best has what was wanted; else it is nearest to it */
    double seconds;
} dpl_tune_summary;

/* Points over a grid of parameters, by k, r or width, and l. Frozen. */
typedef struct dpl_tuning dpl_tuning;

/* Of rows: codes of a sample are made with every setting; its true pairs give the recall, other
 * pairs of rows the candidates. right may be NULL: pairs within left. left NULL: by the model
 * that rp, simhash, minhash (with the threshold for the Jaccard similarity) and pstable have,
 * of n_rows rows that otherwise have nothing in common; fuzzy has none: DPL_E_USAGE. */
DPL_API dpl_status dpl_hash_tune(dpl_tuning **out, dpl_ctx *ctx, const dpl_vectors *left,
                                 const dpl_vectors *right, uint64_t n_rows,
                                 const dpl_tune_options *options, dpl_error *err);
DPL_API void dpl_tuning_free(dpl_tuning *tuning);
/* Borrowed until freed; a point is NULL past the last one. */
DPL_API const dpl_tune_summary *dpl_tuning_get_summary(const dpl_tuning *tuning);
DPL_API const dpl_hash_point *dpl_tuning_get_point(const dpl_tuning *tuning, size_t i);

#ifdef __cplusplus
}
#endif
#endif
