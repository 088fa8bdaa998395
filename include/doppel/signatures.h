/*
 * doppel/signatures.h - the fifth stage: rows become short signatures that can be compared
 * without looking at the rows.
 *
 *   rp       D random hyperplanes; bit i says on which side of the i-th the row lies. The
 *            hyperplanes come from a hash of term, bit and seed: there is no matrix.
 *   simhash  the same idea with 64 or 128 bits, as web crawlers use it.
 *   minhash  K values of 32 bits; the share of equal ones estimates what share of their terms
 *            two documents have in common.
 */
#ifndef DOPPEL_SIGNATURES_H
#define DOPPEL_SIGNATURES_H

#include "doppel/vectors.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef enum dpl_sign_method {
    DPL_SIGN_RP = 0,
    DPL_SIGN_SIMHASH,
    DPL_SIGN_MINHASH
} dpl_sign_method;

/* "rp", "simhash", "minhash" */
DPL_API const char *dpl_sign_method_name(dpl_sign_method method);

/* Zero in a field means its default. */
typedef struct dpl_sign_options {
    dpl_sign_method method;
    /* rp: bits, rounded up to a multiple of 64, at most 65536; default 1024. simhash: 64 or
     * 128; default 64. minhash: values, at most 4096; default 128. */
    unsigned n;
    const char *spill_dir; /* for signatures that do not fit into memory; default: beside the
                              vectors */
} dpl_sign_options;

/* n as it will be used; DPL_E_USAGE when it is out of range. */
DPL_API dpl_status dpl_sign_check(dpl_sign_options *options, dpl_error *err);

typedef struct dpl_sign_summary {
    uint32_t n_rows;
    unsigned n; /* bits or values of one signature */
    uint64_t seed;
    uint64_t n_output_bytes;
    double seconds;
} dpl_sign_summary;

/* Writes the signatures of all rows to out_path, through a temporary name. The seed is the
 * context's. Same bytes for any number of threads and any instruction set. minhash of dense
 * rows is DPL_E_USAGE: they have no terms. */
DPL_API dpl_status dpl_sign(dpl_sign_summary *summary, dpl_ctx *ctx, const char *out_path,
                            const dpl_vectors *vectors, const dpl_sign_options *options,
                            dpl_error *err);

/* Frozen. */
typedef struct dpl_signatures dpl_signatures;

DPL_API dpl_status dpl_signatures_open(dpl_signatures **out, dpl_ctx *ctx, const char *path,
                                       dpl_error *err);
/* The signatures of all rows without a file: in memory, or in a temporary file beside the
 * vectors (or in spill_dir) when they take more than a quarter of the context's. Ids and texts
 * stay the vectors': close them later. */
DPL_API dpl_status dpl_signatures_make(dpl_signatures **out, dpl_ctx *ctx,
                                       const dpl_vectors *vectors,
                                       const dpl_sign_options *options, dpl_error *err);
DPL_API void dpl_signatures_close(dpl_signatures *signatures);

typedef struct dpl_signatures_sizes {
    uint32_t n_rows;
    uint32_t n_words; /* 64-bit words in a row */
    unsigned n;       /* bits or values */
    dpl_sign_method method;
    uint64_t seed;
} dpl_signatures_sizes;

/* Borrowed until they are closed. */
DPL_API const dpl_signatures_sizes *dpl_signatures_get_sizes(const dpl_signatures *signatures);
DPL_API const char *dpl_signatures_path(const dpl_signatures *signatures);
DPL_API dpl_str dpl_signatures_settings(const dpl_signatures *signatures);
DPL_API dpl_str dpl_signatures_id(const dpl_signatures *signatures, uint32_t row);
/* n_words words: bit i of a signature is bit i % 64 of word i / 64; value i of a minhash is the
 * i-th 32-bit number. */
DPL_API const uint64_t *dpl_signatures_row(const dpl_signatures *signatures, uint32_t row);

/* DPL_E_USAGE with the reason unless they have the same method, length, seed and come from
 * vectors that match. */
DPL_API dpl_status dpl_signatures_check_match(const dpl_signatures *left,
                                              const dpl_signatures *right, dpl_error *err);
/* Bits or values that differ. */
DPL_API unsigned dpl_signatures_distance(const dpl_signatures *left, uint32_t left_row,
                                         const dpl_signatures *right, uint32_t right_row);

/* What a distance says about the cosine: cos(pi distance / n) for bits, the share of equal
 * values for minhash; never below 0 when is_positive (rows without negative weights, as all
 * sparse ones are). */
DPL_API double dpl_sign_estimate(dpl_sign_method method, unsigned n, unsigned distance,
                                 bool is_positive);
/* Standard error of that estimate for a pair of this cosine. */
DPL_API double dpl_sign_error(dpl_sign_method method, unsigned n, double cosine);
/* The largest distance that a pair of this cosine or a higher one exceeds with probability at
 * most 1 - recall (bits only): the cut that reaches the recall. */
DPL_API unsigned dpl_sign_cut(unsigned bits, double cosine, double recall);

#ifdef __cplusplus
}
#endif
#endif
