/*
 * doppel/signatures.h - the fifth stage: short signatures of vectors, which can be compared
 * instead of the vectors.
 *
 *   rp       D random hyperplanes; bit i tells on which side of the i-th the vector lies. The
 *            hyperplanes come from a hash of term, bit and seed: there is no matrix.
 *   rp8      the products of the vector and D random hyperplanes as signed bytes: about 2.5
 *            times the information of a bit in 8 times the space, and the fastest to compare on
 *            processors that multiply tiles of bytes (AMX).
 *   simhash  the same idea with 64 or 128 bits, as web crawlers use it.
 *   minhash  K values of 32 bits; the share of equal values estimates the Jaccard similarity
 *            of the sets of terms.
 */
#ifndef DOPPEL_SIGNATURES_H
#define DOPPEL_SIGNATURES_H

#include "doppel/vectors.h"

#ifdef __cplusplus
extern "C" {
#endif

/* ---- methods ------------------------------------------------------------------------ */

typedef enum dpl_sign_method {
    DPL_SIGN_RP = 0,
    DPL_SIGN_SIMHASH,
    DPL_SIGN_MINHASH,
    DPL_SIGN_RP8
} dpl_sign_method;

/* One signature method. Static; may get more fields at its end. */
typedef struct dpl_sign_method_info {
    dpl_sign_method method;
    const char *name; /* "rp" */
    const char *help; /* what it computes, one line */
    const char *unit; /* what the length counts: "bits", "values" or "dims" */
    unsigned length_default, length_most;
    bool has_bits;     /* signatures are compared by Hamming distance, as searches do */
    bool takes_dense;  /* dense rows can be signed, too */
    bool has_products; /* signatures are signed bytes, compared by their dot product: brute
                          force can search with them */
} dpl_sign_method_info;

/* NULL for a number that is no method: count up from 0 to list them all. */
DPL_API const dpl_sign_method_info *dpl_sign_get_method_info(dpl_sign_method method);

/* ---- computing them ----------------------------------------------------------------- */

/* Zero in a field means its default. */
typedef struct dpl_sign_options {
    size_t size; /* DPL_INIT */
    dpl_sign_method method;
    /* rp: bits, rounded up to a multiple of 64, at most 65536; default 1024. simhash: 64 or
     * 128; default 64. minhash: values, at most 4096; default 128. rp8: dimensions, rounded up
     * to a multiple of 64, at most 65536; default 448. */
    unsigned length;
    const char *temp; /* folder for temporary files; default: beside the vectors */
} dpl_sign_options;

/* The length as it will be used; DPL_E_USAGE when it is out of range. */
DPL_API dpl_status dpl_sign_check(unsigned *length, const dpl_sign_options *options,
                                  dpl_error *err);

typedef struct dpl_sign_summary {
    size_t size; /* DPL_INIT */
    uint32_t n_rows;
    unsigned length; /* bits, values or dimensions of one signature */
    uint64_t seed;
    uint64_t n_output_bytes;
    double seconds;
} dpl_sign_summary;

/* Writes the signatures of all rows to out_path, through a temporary name. The seed is the
 * context's. Same bytes for any number of threads and any instruction set. minhash of dense
 * rows is DPL_E_USAGE: they have no terms. summary may be NULL. */
DPL_API dpl_status dpl_sign(dpl_sign_summary *summary, dpl_ctx *ctx, const char *out_path,
                            const dpl_vectors *vectors, const dpl_sign_options *options,
                            dpl_error *err);

/* One part of the rows, to a file of its own (doppel/file.h); and the signatures of all rows
 * from all parts, with the bytes that dpl_sign writes. */
DPL_API dpl_status dpl_sign_part(dpl_part_summary *summary, dpl_ctx *ctx, const char *out_path,
                                 const dpl_vectors *vectors, const dpl_part *part,
                                 const dpl_sign_options *options, dpl_error *err);
DPL_API dpl_status dpl_sign_merge(dpl_part_summary *summary, const dpl_parts *parts,
                                  const char *out_path, dpl_error *err);

/* ---- using them --------------------------------------------------------------------- */

/* Frozen. */
typedef struct dpl_signatures dpl_signatures;

DPL_API dpl_status dpl_signatures_open(dpl_signatures **out, dpl_ctx *ctx, const char *path,
                                       dpl_error *err);
/* The signatures of all rows without a file: in memory, or in a temporary file beside the
 * vectors (or in temp) when they take more than a quarter of the context's. Ids are borrowed
 * from the vectors: close these later. */
DPL_API dpl_status dpl_signatures_make(dpl_signatures **out, dpl_ctx *ctx,
                                       const dpl_vectors *vectors,
                                       const dpl_sign_options *options, dpl_error *err);
DPL_API void dpl_signatures_close(dpl_signatures *signatures);

/* Belongs to the signatures; may get more fields at its end. */
typedef struct dpl_signatures_sizes {
    uint32_t n_rows;
    uint32_t n_words; /* 64-bit words in a row */
    unsigned length;  /* bits, values or dimensions */
    dpl_sign_method method;
    uint64_t seed;
} dpl_signatures_sizes;

/* Borrowed until they are closed. */
DPL_API const dpl_signatures_sizes *dpl_signatures_get_sizes(const dpl_signatures *signatures);

/* How they were made. Layout fixed. */
typedef struct dpl_signatures_info {
    const char *path;
    dpl_str settings; /* one JSON object */
} dpl_signatures_info;

/* Borrowed until they are closed. */
DPL_API dpl_signatures_info dpl_signatures_get_info(const dpl_signatures *signatures);
DPL_API dpl_str dpl_signatures_id(const dpl_signatures *signatures, uint32_t row);
/* n_words words: bit i of a signature is bit i % 64 of word i / 64; value i of a minhash is the
 * i-th 32-bit number, number i of rp8 the i-th byte, within [-127, 127]. */
DPL_API const uint64_t *dpl_signatures_row(const dpl_signatures *signatures, uint32_t row);

/* Bits or values that differ, of the same method, length and seed; of rp8 the dot product's
 * distance from 1024 n, that of equal signatures, 0 where it is above. */
DPL_API unsigned dpl_signatures_distance(const dpl_signatures *left, uint32_t left_row,
                                         const dpl_signatures *right, uint32_t right_row);

/* Estimate of the cosine from a distance: cos(pi distance / n) for bits, the share of equal
 * values for minhash, 1 - distance / (1024 n) for rp8; never below 0 when is_positive (rows
 * without negative weights, as all sparse ones are). */
DPL_API double dpl_sign_estimate(dpl_sign_method method, unsigned n, unsigned distance,
                                 bool is_positive);
/* The largest distance that a pair of this cosine or a higher one exceeds with probability at
 * most 1 - recall: the cut that reaches the recall. Of bits and rp8; n of minhash. */
DPL_API unsigned dpl_sign_cut(dpl_sign_method method, unsigned n, double cosine, double recall);

#ifdef __cplusplus
}
#endif
#endif
