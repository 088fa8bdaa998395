/*
 * dot8_amx.c - dot products of signed bytes with AMX: TDPBSSD multiplies 16 queries with 16
 * documents over 64 numbers, 16,384 multiply-adds in 16 cycles.
 *
 * Two tiles of queries against two of documents: four tiles of sums, and four loads for four
 * instructions. The sums start at minus what a query must reach, so a pair passes if its sum
 * is not negative; the sums of 32 x 32 pairs are looked at one by one only where one of them
 * passes. That is done while the next block is multiplied.
 *
 * Documents lie in the second-level cache, turned; a block of queries stays in the first and
 * meets all of them. Cost per pair: dim / 1024 cycles.
 */
#include "kernels/dot8.h"

#if defined(__x86_64__)
#include "kernels/simd.h"

#include "kernels/dot8_turn16.h"

enum {
    SIDE = 32,    /* queries and documents of a block */
    QUERIES = 32, /* that stay in the first-level cache */
    N_SUMS = SIDE * SIDE,
};

/* Of all eight tiles: 16 rows of 64 bytes. */
static void begin_tiles(void)
{
    struct {
        uint8_t palette, start, reserved[14];
        uint16_t row_bytes[16];
        uint8_t rows[16];
    } config = {.palette = 1};
    for (int i = 0; i < 8; i++) {
        config.row_bytes[i] = 64;
        config.rows[i] = 16;
    }
    _tile_loadconfig(&config);
}

/* Sums of 32 queries and 32 documents, to be looked at. */
typedef struct block {
    int32_t *sums;  /* [2 of queries][2 of documents][16][16] */
    uint64_t *mask; /* of the first query, the word with these documents; NULL: none */
    unsigned shift; /* of the documents in the word */
    size_t n_queries;
} block;

/* Sets the bits of the sums that are not negative. */
static void look_closely(const block *b)
{
    for (size_t q = 0; q < b->n_queries; q++) {
        const int32_t *sums = b->sums + q / 16 * 512 + q % 16 * 16;
        const uint32_t below = (uint32_t)_mm512_movepi32_mask(v_load_aligned(sums)) |
                               (uint32_t)_mm512_movepi32_mask(v_load_aligned(sums + 256)) << 16;
        b->mask[8 * q] |= (uint64_t)~below << b->shift;
    }
}

INLINE void look(const block *b)
{
    __m512i x0 = v_load_aligned(b->sums), x1 = v_load_aligned(b->sums + 16);
    __m512i x2 = v_load_aligned(b->sums + 32), x3 = v_load_aligned(b->sums + 48);
    UNROLL for (int i = 64; i < N_SUMS; i += 64)
    {
        x0 = _mm512_and_si512(x0, v_load_aligned(b->sums + i));
        x1 = _mm512_and_si512(x1, v_load_aligned(b->sums + i + 16));
        x2 = _mm512_and_si512(x2, v_load_aligned(b->sums + i + 32));
        x3 = _mm512_and_si512(x3, v_load_aligned(b->sums + i + 48));
    }
    x0 = _mm512_and_si512(_mm512_and_si512(x0, x1), _mm512_and_si512(x2, x3));
    if (DPL_UNLIKELY(_mm512_movepi32_mask(x0) != 0xFFFF))
        look_closely(b);
}

/* starts: of each query, 16 times. */
INLINE void multiply(const int8_t *queries, const int32_t *starts, const int8_t *docs,
                     size_t dim)
{
    const int8_t *more_queries = queries + 16 * dim, *more_docs = docs + 16 * dim;
    _tile_loadd(0, starts, 64);
    _tile_loadd(1, starts, 64);
    _tile_loadd(2, starts + 256, 64);
    _tile_loadd(3, starts + 256, 64);
    for (size_t k = 0; k < dim; k += 64) {
        _tile_loadd(4, queries + k, (long)dim);
        _tile_loadd(6, docs + 16 * k, 64);
        _tile_dpbssd(0, 4, 6);
        _tile_loadd(7, more_docs + 16 * k, 64);
        _tile_dpbssd(1, 4, 7);
        _tile_loadd(5, more_queries + k, (long)dim);
        _tile_dpbssd(2, 5, 6);
        _tile_dpbssd(3, 5, 7);
    }
}

INLINE void store(int32_t *sums)
{
    _tile_stored(0, sums, 64);
    _tile_stored(1, sums + 256, 64);
    _tile_stored(2, sums + 512, 64);
    _tile_stored(3, sums + 768, 64);
}

/* Queries that are in the first-level cache against all documents; their number is a multiple
 * of SIDE with the missing ones, which pass nowhere. */
static void compare(uint64_t *mask, size_t n_queries, const int8_t *queries,
                    const int32_t *starts, const int8_t *docs, size_t n_docs, size_t dim,
                    int32_t *sums)
{
    block last = {0};
    unsigned turn = 0;
    for (size_t d = 0; d < n_docs; d += SIDE)
        for (size_t q = 0; q < n_queries; q += SIDE, turn ^= 1) {
            multiply(queries + q * dim, starts + 16 * q, docs + d * dim, dim);
            block now = {sums + turn * N_SUMS, mask + 8 * q + d / 64, (unsigned)(d % 64),
                         dpl__min(SIDE, n_queries - q)};
            if (last.mask)
                look(&last);
            store(now.sums);
            last = now;
        }
    if (last.mask)
        look(&last);
}

static void clear_missing(uint64_t *mask, size_t n_queries, size_t n_docs)
{
    for (size_t q = 0; q < n_queries; q++, mask += 8)
        for (size_t w = 0; w < 8; w++)
            mask[w] &= 64 * w < n_docs ? dpl__dot8_valid(n_docs - 64 * w) : 0;
}

static void dot8_mask(uint64_t *mask, void *scratch, const int8_t *queries, size_t n_queries,
                      const int8_t *docs, size_t n_docs, size_t dim, const int32_t *least)
{
    int8_t *turned = scratch, *copied = turned + DPL__HAMMING_DOCS * dim;
    int32_t *starts = (int32_t *)(void *)(copied + DPL__DOT8_QUERIES * dim);
    int32_t *sums = starts + (size_t)QUERIES * 16;
    turn16(scratch, docs, n_docs, dim, v_zero());
    memset(mask, 0, n_queries * DPL__HAMMING_DOCS / 8);
    begin_tiles();
    for (size_t q = 0; q < n_queries; q += QUERIES) {
        const size_t n = dpl__min(QUERIES, n_queries - q);
        const int8_t *rows = queries + q * dim;
        if (n < QUERIES) {
            memcpy(copied, rows, n * dim);
            memset(copied + n * dim, 0, (QUERIES - n) * dim);
            rows = copied;
        }
        for (size_t i = 0; i < QUERIES; i++)
            v_store_aligned(starts + 16 * i, _mm512_set1_epi32(i < n ? -least[q + i] : -1));
        compare(mask + 8 * q, n, rows, starts, turned, n_docs, dim, sums);
    }
    _tile_release();
    if (n_docs % SIDE)
        clear_missing(mask, n_queries, n_docs);
}

void dpl__dot8_amx(dpl__kernels *k)
{
    k->dot8_mask = dot8_mask;
}
#endif
