/*
 * hash_functions.h - similarity hash functions: codes of rows, looked up by equality. One file
 * and one row of the table in hash_functions.c each.
 *
 * A function that is made of signatures names them and encodes their words. Any other makes
 * codes of rows, and may make a mark of each term (what it needs to know of it) beforehand.
 */
#ifndef DPL_SIGNATURES_HASH_FUNCTIONS_H
#define DPL_SIGNATURES_HASH_FUNCTIONS_H

#include "doppel/codes.h"

#include "base/arena.h"
#include "io/sections.h"

/* A row, made ready. */
typedef struct dpl__hash_row {
    const uint64_t *marks; /* of its elements */
    const float *weights;  /* of its elements; NULL: all 1 */
    size_t n;
    const float *dense; /* instead: dim numbers */
    size_t dim;
} dpl__hash_row;

typedef struct dpl__hash_function {
    dpl_hash_function_info info;
    /* Options beyond the ranges of k and l; fills in defaults. May be NULL. */
    dpl_status (*check)(dpl_hash_options *o, dpl_error *err);

    /* ---- made of signatures ---- */
    bool has_signature;
    dpl_sign_method signature;
    unsigned (*n_sign)(const dpl_hash_options *o); /* bits or values of a signature */
    void (*encode)(uint64_t *out, const dpl_hash *h, const uint64_t *words);

    /* ---- or on its own ---- */
    /* What it needs to know of a term; NULL: dpl__term_key. */
    uint64_t (*mark)(const dpl_hash *h, dpl_str term);
    size_t (*n_scratch)(const dpl_hash *h); /* bytes of a worker's scratch; NULL: none */
    void (*codes)(uint64_t *out, const dpl_hash *h, const dpl__hash_row *row, void *scratch);
    /* Learns from a reference, into the arena. */
    dpl_status (*learn)(dpl_hash *h, const dpl_hash_input *reference, dpl_error *err);
} dpl__hash_function;

/* NULL past the last one. */
const dpl__hash_function *dpl__hash_function_of(dpl_hash_function function);
/* "concatenation", "summation"; NULL when out of range. */
const char *dpl__hash_encoding_name(dpl_hash_encoding encoding);

extern const dpl__hash_function dpl__rp_codes, dpl__simhash_codes, dpl__minhash_codes,
    dpl__fuzzy_codes, dpl__pstable_codes;

/* ---- a function, ready for use --------------------------------------------------------- */

enum { DPL__MOST_CLASSES = 100, DPL__MOST_RADIX = 16 };

/* What fuzzy-fingerprints learn. */
typedef struct dpl__fuzzy {
    dpl__strings prefixes;  /* in byte order */
    const uint8_t *classes; /* of each prefix */
    const float *mean, *sd; /* of the share of each class in a row; sd is 0 or above */
    /* Scheme s, class i: the r - 1 bounds of its intervals, rising. */
    const float *bounds; /* [(s * k + i) * (r - 1) + j] */
} dpl__fuzzy;

struct dpl_hash {
    dpl_ctx *ctx;
    const dpl__hash_function *function;
    dpl_hash_options options; /* complete */
    uint64_t seed;
    dpl__arena arena; /* of what was learnt */
    dpl__fuzzy fuzzy;
};

/* Options in range; fills in defaults. */
dpl_status dpl__hash_check(dpl_hash *h, dpl_error *err);

/* A code that is not DPL_NO_CODE. */
static inline uint64_t dpl__some_code(uint64_t code)
{
    return code == DPL_NO_CODE ? DPL_NO_CODE - 1 : code;
}

/* k bits from bit `first` on. 1 <= k <= 64. */
static inline uint64_t dpl__band_of_bits(const uint64_t *words, size_t first, unsigned k)
{
    assert(k >= 1 && k <= 64);
    const unsigned shift = first % 64;
    uint64_t x = words[first / 64] >> shift;
    if (shift + k > 64)
        x |= words[first / 64 + 1] << (64 - shift);
    return k == 64 ? x : x & (((uint64_t)1 << k) - 1);
}

/* NULL for a number that is no function. */
const char *dpl__hash_function_name(dpl_hash_function function);

/* ---- fuzzy-fingerprints ----------------------------------------------------------------- */

/* The first characters of a term. */
dpl_str dpl__fuzzy_prefix(dpl_str term);
/* k normalised deviations of the row: (share - mean) / sd. */
void dpl__fuzzy_embed(float *out, const dpl_hash *h, const dpl__hash_row *row);
/* fuzzy_learn.c: from a reference. */
dpl_status dpl__fuzzy_learn(dpl_hash *h, const dpl_hash_input *reference, dpl_error *err);

/* ---- Gaussian projections --------------------------------------------------------------- */

/* n numbers, a multiple of DPL__GAUSS_STEP: the products of the row, scaled to length one, and
 * vectors of independent standard normal numbers. */
enum { DPL__GAUSS_STEP = 8 };
void dpl__gauss_project(float *out, size_t n, const dpl__hash_row *row, uint64_t seed);

/* The two halves of a code, for callers that try several widths: the projections of a row,
 * which do not depend on the width, and the codes that they give. */
size_t dpl__pstable_n(const dpl_hash *h); /* numbers of a row */
void dpl__pstable_project(float *out, const dpl_hash *h, const dpl__hash_row *row);
void dpl__pstable_quantise(uint64_t *out, const dpl_hash *h, const float *projected);

#endif
