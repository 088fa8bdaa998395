/*
 * kernels.h - the table of inner loops; one file per instruction set.
 *
 * kernels_scalar.c is the specification. Each level starts from a copy of the level below and
 * overwrites what it does better. All entries agree bit for bit at every length and alignment;
 * those that add floats say in which order.
 */
#ifndef DPL_KERNELS_KERNELS_H
#define DPL_KERNELS_KERNELS_H

#include "base/base.h"
#include "kernels/bzip2.h"
#include "kernels/chain.h"

/* A set of bytes, in the form that the vector lookups like: bit (b >> 4) & 7 of
 * low[b >> 7][b & 15] says whether b is in. */
typedef struct dpl__byteset {
    uint8_t low[2][16];
} dpl__byteset;

static inline bool dpl__byteset_has(const dpl__byteset *set, uint8_t b)
{
    return set->low[b >> 7][b & 15] >> ((b >> 4) & 7) & 1;
}

static inline void dpl__byteset_add(dpl__byteset *set, uint8_t b)
{
    set->low[b >> 7][b & 15] |= (uint8_t)(1 << ((b >> 4) & 7));
}

/* Documents and what hamming_turn made of them. */
typedef struct dpl__hamming_block {
    const uint64_t *docs;
    size_t n_docs;
    const void *turned;
} dpl__hamming_block;

/* Documents that may change on the way: document d of query q is that of `next` if d <
 * turns[q / step], else that of `block`. turns rises. next may be NULL: then they do not. */
typedef struct dpl__hamming_turns {
    const dpl__hamming_block *block, *next;
    const uint16_t *turns;
    size_t step;
} dpl__hamming_turns;

/* Rows that are compared, all queries with all documents: n_words words of each, which begin
 * `stride` words apart. */
typedef struct dpl__mask_rows {
    const void *queries, *docs;
    size_t n_queries, n_docs;
    size_t n_words, stride;
} dpl__mask_rows;

/* The n terms of a row that is signed. */
typedef struct dpl__sign_terms {
    const uint64_t *keys;
    const uint8_t *weights; /* of sign_weights */
    size_t n;
    void *scratch; /* 64-byte aligned, of DPL__SIGN_SCRATCH bytes */
} dpl__sign_terms;

/* Where a row's entries stand. */
typedef struct dpl__sparse_row {
    const uint32_t *terms;
    const float *weights;
    size_t n;
} dpl__sparse_row;

enum {
    DPL__TERM_BITS = 1 << 16,
    DPL__BOUND_PLACES = 1 << 13, /* a table of floats that fits into the first cache */
    DPL__BOUND_STEP = 32,
};

/* What sums must reach: a cut for each place, and one for all. */
typedef struct dpl__pass {
    const uint16_t *norms, *cuts; /* of each place */
    uint16_t norm, slack, least;
} dpl__pass;

/* Rows that have a term, and its weights there. 64 bytes behind both must be readable. */
typedef struct dpl__postings {
    const uint16_t *rows, *weights;
    uint32_t n;
    uint16_t weight; /* of the other side */
} dpl__postings;

typedef struct dpl__kernels {
    /* CRC-32C (Castagnoli) of n bytes after crc; start with 0. */
    uint32_t (*crc32c)(uint32_t crc, const void *data, size_t n);
    /* The first byte of p[0, n) that is in the set, or n. */
    size_t (*find_byte)(const uint8_t *p, size_t n, const dpl__byteset *set);
    /* Bit i of mask[k] says whether p[64 k + i] is in the set. Reads exactly 64 n bytes. */
    void (*mask_bytes)(uint64_t *mask, const uint8_t *p, size_t n, const dpl__byteset *set);
    /* Length of the longest prefix of p[0, n) that is valid UTF-8. *most receives its largest
     * byte, 0 when it is empty. */
    size_t (*utf8_prefix)(const uint8_t *p, size_t n, uint8_t *most);
    /* Bits in which a and b of n_words words differ. */
    unsigned (*hamming)(const uint64_t *a, const uint64_t *b, size_t n_words);
    /* Bit d of the 512 of query q, mask[8 q + d / 64] >> d % 64, says whether query q and
     * document d differ in at most `cut` bits; bits from n_docs on are 0. n_docs <= 512. Where
     * the stride is more than n_words, only the first words of rows are looked at. scratch is
     * 64-byte aligned, of dpl__hamming_scratch(n_words) bytes. */
    void (*hamming_mask)(uint64_t *mask, void *scratch, const dpl__mask_rows *rows,
                         unsigned cut);
    /* As hamming_mask, for one query and n_docs <= 64 documents, and without preparations: bit
     * d of the answer is that of document d. */
    uint64_t (*hamming_few)(const uint64_t *query, const uint64_t *docs, size_t n_docs,
                            size_t n_words, size_t stride, unsigned cut);
    /* Prepares n_docs <= 512 documents for hamming_turned: dpl__hamming_turned(n_words) bytes,
     * 64-byte aligned. */
    void (*hamming_turn)(void *turned, const uint64_t *docs, size_t n_docs, size_t n_words,
                         size_t stride);
    /* As hamming_mask, over prepared documents instead of those of rows. Bits of documents that
     * a block lacks are 0. */
    void (*hamming_turned)(uint64_t *mask, void *scratch, const dpl__mask_rows *rows,
                           const dpl__hamming_turns *docs, unsigned cut);
    /* Rows of dim signed bytes, all within [-127, 127]; dim is a multiple of DPL__DOT8_DIMS, at
     * most 65536.
     * dot8: the dot product. dot8_mask: as hamming_mask, for pairs whose dot product is at
     * least least[q], which is within +-2^30. Rows may be anywhere, one behind the other.
     * scratch is 64-byte aligned, of dpl__dot8_scratch(dim) bytes. */
    int32_t (*dot8)(const int8_t *a, const int8_t *b, size_t dim);
    void (*dot8_mask)(uint64_t *mask, void *scratch, const dpl__mask_rows *rows,
                      const int32_t *least);
    /* Numbers to signed bytes, in units of 1/DPL__DOT8_UNIT of their root mean square: x times
     * DPL__DOT8_UNIT sqrt(n / sum of squares), at most 127 in size, rounded (halves away from
     * 0); 0 where all are 0. n is a multiple of 8. The square of number i goes to sum i % 8, in
     * double, and the eight sums are added one after the other. */
    void (*quantise8)(int8_t *out, const int32_t *x, size_t n);
    /* The dot product of n numbers: 16 sums, the i-th product goes to sum i % 16, in order;
     * then sum j takes sum j + 8 for j < 8, sum j + 4 for j < 4, and so on. Products and sums
     * are rounded one by one. */
    float (*dot)(const float *a, const float *b, size_t n);
    /* out[i * n_b + j] is the dot of a + i * n and b + j * n, i < n_a, j < n_b. */
    void (*dots)(float *out, const float *a, size_t n_a, const float *b, size_t n_b, size_t n);
    /* Signatures of one row of n terms, given by their keys; sign.h says what the words of a
     * term are. seed is that of a block of at most DPL__SIGN_WORDS words.
     *
     * sign_weights: w[i] / the largest of w, in 1/DPL__SIGN_WEIGHT, rounded; returns the sum of
     * out, which is made odd: then no vote below is a tie. All w > 0.
     * sign_rp, sign_votes: bit i says whether sum over t of weight(t) (2 v(t, i) - m) > 0, v
     * being the number of the term's m words (3 or 1) with that bit; weights as above, n <
     * 2^23. sign_minima: value i is the least over t of the i-th 32-bit number of the term's
     * words, UINT32_MAX when n is 0. n_values <= 2 DPL__SIGN_WORDS. scratch is 64-byte aligned,
     * of DPL__SIGN_SCRATCH bytes. */
    unsigned (*sign_weights)(uint8_t *out, const float *w, size_t n);
    void (*sign_rp)(uint64_t *out, size_t n_words, const dpl__sign_terms *terms, uint64_t seed);
    void (*sign_votes)(uint64_t *out, size_t n_words, const dpl__sign_terms *terms,
                       uint64_t seed);
    void (*sign_minima)(uint32_t *out, size_t n_values, const uint64_t *keys, size_t n,
                        uint64_t seed, void *scratch);
    /* Number i < 64 n_words is the sum over t of weight(t) if bit i of the term's first stream
     * is set, else of -weight(t); weights as above, n < 2^23. */
    void (*sign_sums)(int32_t *out, size_t n_words, const dpl__sign_terms *terms,
                      uint64_t seed);
    /* out[i], i < DPL__SIGN_PLANES, is the product of row and planes + i dim. dim is a multiple
     * of DPL__SIGN_DIMS; numbers are below 2^11 (row) and 2^9 (planes) in size; both are
     * 64-byte aligned. */
    void (*sign_dots)(int64_t *out, const int16_t *row, const int16_t *planes, size_t dim);

    /* ---- sparse rows (sparse_*.c) ---- */

    /* sum + dense[terms[0]] * weights[0] + ..., one after the other, in double. Where dense is
     * not 0, the bit term % DPL__TERM_BITS of bits is set; no number is negative. On the way,
     * as many terms and weights of a row to come are fetched: any addresses. */
    double (*sparse_dot)(double sum, const float *dense, const uint32_t *bits,
                         const dpl__sparse_row *row, const dpl__sparse_row *next);
    /* The sum of table[places[i]] * weights[i], a weight being the upper half of a float. In
     * any order: n roundings of a float. n is a multiple of DPL__BOUND_STEP; no number is
     * negative. */
    float (*sparse_bound)(const float *table, const uint16_t *places, const uint16_t *weights,
                          size_t n);
    /* sums[row] += weight * row's weight >> 16 for all rows of all lists. */
    void (*sparse_add)(uint16_t *sums, const dpl__postings *lists, size_t n_lists);
    /* The places i < n, rising, with sums[i] + (norms[i] * norm >> 16) >= least, in plain
     * numbers; returns how many. out has room for n; n <= 65536. */
    size_t (*sparse_sweep)(uint16_t *out, const uint16_t *sums, const uint16_t *norms, size_t n,
                           uint16_t norm, uint16_t least);
    /* The places i < n, rising, with sums[i] + (norms[i] * norm >> 16) + slack >= the lesser of
     * cuts[i] and least, in plain numbers; returns how many. The sums stay. */
    size_t (*sparse_pass)(uint16_t *out, const uint16_t *sums, size_t n, const dpl__pass *pass);
    /* Turns DPL__COLUMN_ROWS rows over: bit i % 64 of columns[8 p + i / 64] is bit p of
     * rows[i]; of a NULL 0. */
    void (*column_turn)(uint64_t *columns, const uint64_t *const *rows, size_t n_words);
    /* The keys of 512 rows: bit 31 - k of keys[i] is bit i % 64 of
     * columns[8 positions[k] + i / 64], for k < 32. columns is 64-byte aligned. */
    void (*column_keys)(uint32_t *keys, const uint64_t *columns, const uint32_t *positions);
    /* Forward and backward through two chains that do not depend on each other: posterior
     * and scale. */
    void (*chains)(const dpl__chain c[2]);
    /* After chains: adds to out[d], -stride < d < stride, the expected number of jumps by d. */
    void (*chain_jumps)(float *out, const dpl__chain *c);
    /* Symbols of a bzip2 block to runs, up to the end of the block. */
    dpl__bz_outcome (*bz_symbols)(dpl__bz_symbols *s);
    /* The first place of four equal bytes in a row, or n. */
    size_t (*bz_four)(const uint8_t *p, size_t n);
    /* bzip2's CRC-32, high bit of a byte first: the state after n more bytes. It begins as ~0;
     * the CRC is its complement. */
    uint32_t (*bz_crc)(uint32_t state, const uint8_t *p, size_t n);
} dpl__kernels;

enum {
    DPL__SIGN_WORDS = 64,
    DPL__SIGN_WEIGHT = 63,
    DPL__SIGN_DIMS = 32,
    DPL__SIGN_PLANES = 16,
    DPL__SIGN_SCRATCH = 160 << 10,
};

enum { DPL__COLUMN_ROWS = 512, DPL__KEY_BITS = 32 };

enum { DPL__HAMMING_DOCS = 512 };
/* Bytes that hamming_mask needs at any level. */
size_t dpl__hamming_scratch(size_t n_words);
size_t dpl__hamming_turned(size_t n_words);

enum {
    DPL__DOT8_DIMS = 64,
    DPL__DOT8_MOST = 1 << 30,
    DPL__DOT8_UNIT = 32,
    DPL__DOT8_ONE = DPL__DOT8_UNIT * DPL__DOT8_UNIT, /* product of equal rows, per number */
};
/* The distance of two rows of rp8: 0 where the product is that of equal ones, or above. */
static inline uint32_t dpl__dot8_distance(int32_t product, size_t dim)
{
    const int32_t one = DPL__DOT8_ONE * (int32_t)dim;
    return product < one ? (uint32_t)(one - product) : 0;
}
/* The least product of rows that are at most so far apart. */
static inline int32_t dpl__dot8_least(uint32_t cut, size_t dim)
{
    const int64_t least = (int64_t)dim * DPL__DOT8_ONE - cut;
    return (int32_t)(least > -DPL__DOT8_MOST ? least : -DPL__DOT8_MOST);
}
/* Bytes that dot8_mask needs at any level. */
size_t dpl__dot8_scratch(size_t dim);

const dpl__kernels *dpl__kernels_for(dpl_cpu cpu);

/* Castagnoli, reflected. */
#define DPL__CRC32C 0x82F63B78u

/* CRC-32C of A followed by B, from theirs and B's length. */
uint32_t dpl__crc32c_join(uint32_t crc_a, uint32_t crc_b, uint64_t n_b);

/* The specification, for levels that use it where a vector is not enough. */
size_t dpl__utf8_prefix_scalar(const uint8_t *p, size_t n, uint8_t *most);

/* Each level fills in what it does better, calling its topics (hamming_*.c, dot_*.c, ...). */
void dpl__kernels_scalar(dpl__kernels *k);
void dpl__kernels_sse42(dpl__kernels *k);
void dpl__kernels_avx2(dpl__kernels *k);
void dpl__kernels_avx512(dpl__kernels *k);
void dpl__kernels_amx(dpl__kernels *k);
void dpl__kernels_chain_scalar(dpl__kernels *k);
void dpl__kernels_chain_avx2(dpl__kernels *k);
void dpl__kernels_chain_avx512(dpl__kernels *k);
void dpl__hamming_sse42(dpl__kernels *k);
void dpl__hamming_avx2(dpl__kernels *k);
void dpl__hamming_avx512(dpl__kernels *k);
void dpl__dot_avx2(dpl__kernels *k);
void dpl__dot_avx512(dpl__kernels *k);
void dpl__dot8_scalar(dpl__kernels *k);
void dpl__dot8_sse42(dpl__kernels *k);
void dpl__dot8_avx2(dpl__kernels *k);
void dpl__dot8_avx512(dpl__kernels *k);
void dpl__dot8_amx(dpl__kernels *k);
void dpl__sign_scalar(dpl__kernels *k);
void dpl__sign_sse42(dpl__kernels *k);
void dpl__sign_avx2(dpl__kernels *k);
void dpl__sign_avx512(dpl__kernels *k);
void dpl__sparse_scalar(dpl__kernels *k);
void dpl__sparse_avx2(dpl__kernels *k);
void dpl__sparse_avx512(dpl__kernels *k);
void dpl__permute_avx2(dpl__kernels *k);
void dpl__permute_avx512(dpl__kernels *k);
void dpl__bzip2_scalar(dpl__kernels *k);
void dpl__bzip2_sse42(dpl__kernels *k);
void dpl__bzip2_avx2(dpl__kernels *k);

#endif
