/*
 * doppel/vectors.h - the fourth stage: term vectors of documents, of length one.
 *
 * Sparse rows come from a collection: BM25, tf-idf or binary idf over its terms, or over the
 * terms of another language after projection through a lexicon; or from CSR arrays. Dense rows
 * come from files (.npy, .fvecs) or arrays. Everything after this stage takes both.
 *
 *     dpl_collection *collection = NULL;
 *     dpl_vectors *vectors = NULL;
 *     DPL_TRY(dpl_collection_open(&collection, ctx, "de.dpl", err));
 *     DPL_TRY(dpl_vectors_make(NULL, ctx, "de.vectors.dpl", collection, NULL, NULL, err));
 *     DPL_TRY(dpl_vectors_open(&vectors, ctx, "de.vectors.dpl", err));
 *     const float *weights;
 *     size_t n;
 *     const uint32_t *terms = dpl_vectors_row(vectors, 0, &weights, &n);
 */
#ifndef DOPPEL_VECTORS_H
#define DOPPEL_VECTORS_H

#include "doppel/lexicon.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Rows of one set. Frozen. */
typedef struct dpl_vectors dpl_vectors;

/* ---- making them -------------------------------------------------------------------- */

typedef enum dpl_weighting {
    DPL_WEIGHT_BM25 = 0,
    DPL_WEIGHT_TFIDF, /* (1 + ln tf) ln(1 + N/df); below one occurrence tf ln(1 + N/df) */
    DPL_WEIGHT_IDF    /* ln(1 + N/df) for what occurs at all; below one occurrence that share */
} dpl_weighting;

/* Which way a lexicon is used to project tf and df of the collection's words f onto words e of
 * the other language: tf*(e) = sum over f of p tf(f).
 *
 * Which column of the lexicon is the collection's language follows from the languages, or when
 * those are not known, from which holds more of the collection's terms. A .dpl has p either way
 * round. Text has p(target|source) alone, so that column and direction are one question. */
typedef enum dpl_direction {
    DPL_DIRECTION_AUTO = 0, /* of a .dpl SOURCE, of text what its columns allow */
    DPL_DIRECTION_TARGET,   /* p is p(f|e), as in the paper; of text, f are the targets */
    DPL_DIRECTION_SOURCE    /* p is p(e|f); of text, f are the sources */
} dpl_direction;

/* Begin with DPL_INIT; zero in a field means its default. */
typedef struct dpl_vectors_options {
    size_t size;
    dpl_weighting weighting;
    double k1; /* BM25: saturation of term frequency, > 0; default 1.2 */
    double b;  /* BM25: normalisation by document length, 0 to 1; default 0.75; any negative
                  number means none (0) */
    unsigned min_count; /* terms that occur less often in the collection are dropped; default 2,
                           1 keeps all */
    /* Letters, 2 to 8; 4 is a good choice. Each term is replaced by the character n-grams of
     * its spelling, in Latin script and without accents, so that names, numbers and cognates
     * are equal across languages without a lexicon. 0: terms are used as they are. With n-grams
     * the default of min_count is 1. */
    unsigned ngrams;
    const uint8_t *skip; /* of each document: leave it out if not 0; NULL: none */
    unsigned min_terms;  /* documents with fewer terms are dropped and counted; default 5 */
    dpl_direction direction;
    const char *into; /* language of the other side, when the lexicon does not know its own */
    const char *temp; /* folder for temporary files; default: beside the output */
} dpl_vectors_options;

/* Begin with DPL_INIT. */
typedef struct dpl_vectors_summary {
    size_t size;
    uint32_t n_docs;    /* of the collection */
    uint32_t n_rows;    /* of the vectors */
    uint32_t n_dropped; /* documents with too few terms */
    uint32_t n_terms;
    uint64_t n_entries;
    /* With a lexicon: of the collection's terms (that occur often enough) and their
     * occurrences, how many it translates; the others pass through unchanged. */
    dpl_direction direction; /* AUTO when there is no lexicon */
    bool is_target;          /* the lexicon's target language is the collection's */
    bool is_counted;   /* decided by which column holds more of the collection's terms, because
                          the languages are not known */
    char lang[12];     /* of the terms; "" when not known */
    char doc_lang[12]; /* of most documents; "" when not known */
    uint64_t n_source_terms, n_known_terms;
    uint64_t n_source_tokens, n_known_tokens;
    uint64_t n_spilled_bytes; /* written to temporary files */
    uint64_t n_output_bytes;
    double seconds;
} dpl_vectors_summary;

/* Writes the vectors of a collection to out_path, through a temporary name. lexicon may be
 * NULL. summary may be NULL. Same bytes for any number of threads and any memory limit. */
DPL_API dpl_status dpl_vectors_make(dpl_vectors_summary *summary, dpl_ctx *ctx,
                                    const char *out_path, const dpl_collection *collection,
                                    const dpl_lexicon *lexicon,
                                    const dpl_vectors_options *options, dpl_error *err);

/* The same without a file: the vectors are open at once. dpl_vectors_save writes them to one.
 */
DPL_API dpl_status dpl_vectors_from_collection(dpl_vectors **out, dpl_vectors_summary *summary,
                                               dpl_ctx *ctx, const dpl_collection *collection,
                                               const dpl_lexicon *lexicon,
                                               const dpl_vectors_options *options,
                                               dpl_error *err);

/* Compressed sparse rows of the caller. Begin with DPL_INIT. Row i has the entries offsets[i]
 * to offsets[i + 1] - 1: numbers of terms in any order, each at most once in a row, and
 * weights, not negative. */
typedef struct dpl_csr_array {
    size_t size;
    uint32_t n_rows, n_terms;
    const uint64_t *offsets;   /* n_rows + 1, from 0 */
    const uint32_t *terms;     /* below n_terms */
    const float *weights;      /* zeros are left out */
    const dpl_str *ids;        /* of the rows, all different, without control characters; NULL:
                                  their numbers, from 0 */
    const dpl_str *term_names; /* n_terms, all different; NULL: numbers. Rows of two arrays are
                                  compared by the names of their terms */
    const char *space;         /* see dpl_vectors_info; NULL: "array" */
    const char *lang, *doc_lang; /* NULL: not known */
    const char *name;            /* for messages; NULL: "(array)" */
} dpl_csr_array;

/* Everything is copied: the arrays may be freed afterwards. Rows are scaled to length one
 * (those that have it, up to rounding, keep their bits); rows without entries are dropped and
 * counted. Terms get numbers in byte order of their names. What is not a weight (NaN, infinity,
 * below 0) is DPL_E_FORMAT with row (err->line) and entry (err->column), both from 1. */
DPL_API dpl_status dpl_vectors_from_csr(dpl_vectors **out, dpl_ctx *ctx,
                                        const dpl_csr_array *array, dpl_error *err);

/* Dense rows of the caller. Begin with DPL_INIT. */
typedef struct dpl_dense_array {
    size_t size;
    uint32_t n_rows, dim;
    const float *values;
    size_t stride;      /* numbers from row to row; 0: dim */
    const dpl_str *ids; /* as above */
    const char *name;   /* for messages; NULL: "(array)" */
} dpl_dense_array;

/* As dpl_vectors_open does with a file of dense rows: a copy is scaled to length one, rows of
 * length zero are dropped and counted, NaN and infinity are DPL_E_FORMAT with row and column.
 */
DPL_API dpl_status dpl_vectors_from_dense(dpl_vectors **out, dpl_ctx *ctx,
                                          const dpl_dense_array *array, dpl_error *err);

/* How much of a collection a lexicon can translate. Begin with DPL_INIT. */
typedef struct dpl_lexicon_coverage {
    size_t size;
    bool is_target;  /* the collection is in the target language */
    bool is_counted; /* decided by the words, because the languages are not known */
    uint64_t n_terms, n_known_terms;
    uint64_t n_tokens, n_known_tokens;
} dpl_lexicon_coverage;

/* Terms and words are matched as in dpl_vectors_make: stems with stems; all terms count.
 * unknown has room for *n_unknown terms that are not known, the most frequent ones first;
 * *n_unknown becomes how many it holds. Both may be NULL. */
DPL_API dpl_status dpl_lexicon_cover(dpl_lexicon_coverage *out, uint32_t *unknown,
                                     size_t *n_unknown, dpl_ctx *ctx,
                                     const dpl_lexicon *lexicon,
                                     const dpl_collection *collection, dpl_error *err);

/* ---- using them --------------------------------------------------------------------- */

/* A .dpl made by dpl_vectors_make, or dense rows: .npy (float32 or float16, C order, two
 * dimensions) or .fvecs, detected from the first bytes or the name. Dense rows are scaled to
 * length one, in a copy that goes to an unnamed file in /tmp when it is more than a quarter of
 * the context's memory; rows of length zero are dropped and counted; their id is the number of
 * the row in the file, from 0. NaN and infinity are DPL_E_FORMAT with row and column. */
DPL_API dpl_status dpl_vectors_open(dpl_vectors **out, dpl_ctx *ctx, const char *path,
                                    dpl_error *err);
DPL_API void dpl_vectors_close(dpl_vectors *vectors);
/* Writes sparse rows to a .dpl, through a temporary name. Dense ones are DPL_E_UNSUPPORTED. */
DPL_API dpl_status dpl_vectors_save(const dpl_vectors *vectors, const char *path,
                                    dpl_error *err);

typedef struct dpl_vectors_sizes {
    size_t size;
    uint32_t n_rows;
    uint32_t n_dropped; /* documents or rows that are not here */
    uint32_t n_terms;   /* sparse: of the vocabulary; dense: 0 */
    uint32_t dim;       /* dense: numbers in a row; sparse: 0 */
    uint64_t n_entries; /* numbers in all rows */
} dpl_vectors_sizes;

/* Borrowed until the vectors are closed. Numbers out of range are a broken promise. */
DPL_API const dpl_vectors_sizes *dpl_vectors_get_sizes(const dpl_vectors *vectors);

/* How they were made. Layout fixed. */
typedef struct dpl_vectors_info {
    const char *path;
    dpl_str settings; /* one JSON object */
    /* What must be equal for rows to be comparable: "words, stem, bm25 k1=1.2 b=0.75", or
     * "dense 768". */
    dpl_str space;
    dpl_str lang;     /* of the terms, after projection; "" when not known */
    dpl_str doc_lang; /* of the documents; likewise */
} dpl_vectors_info;

/* Borrowed until the vectors are closed. */
DPL_API dpl_vectors_info dpl_vectors_get_info(const dpl_vectors *vectors);

DPL_API dpl_str dpl_vectors_id(const dpl_vectors *vectors, uint32_t row);
/* Terms are numbered in byte order. */
DPL_API dpl_str dpl_vectors_term(const dpl_vectors *vectors, uint32_t term);
DPL_API bool dpl_vectors_find_term(const dpl_vectors *vectors, dpl_str text, uint32_t *term);
/* Sparse: the row's terms, numbers rising, and their weights, all positive; the sum of their
 * squares is 1. */
DPL_API const uint32_t *dpl_vectors_row(const dpl_vectors *vectors, uint32_t row,
                                        const float **weights, size_t *n);
/* Sparse: all rows as compressed sparse rows; returns the offsets, n_rows + 1 of them. */
DPL_API const uint64_t *dpl_vectors_get_csr(const dpl_vectors *vectors, const uint32_t **terms,
                                            const float **weights);
/* Dense: dim numbers; rows follow each other without gaps. */
DPL_API const float *dpl_vectors_dense(const dpl_vectors *vectors, uint32_t row);

/* The true cosine, which is what the score of a pair is. Both are dense with the same dim, or
 * sparse of the same space and, when one of them is projected, in terms of the same language.
 */
DPL_API double dpl_vectors_cosine(const dpl_vectors *left, uint32_t left_row,
                                  const dpl_vectors *right, uint32_t right_row);

#ifdef __cplusplus
}
#endif
#endif
