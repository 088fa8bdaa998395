/*
 * dot8_amx.c - dot products of signed bytes with AMX: TDPBSSD multiplies 16 queries with 16
 * documents over 64 numbers, 16,384 multiply-adds in 16 cycles.
 *
 * Two tiles of queries against two of documents: four tiles of sums, and four loads for four
 * instructions. The largest of the 32 x 32 sums is held against the lowest cut of the queries,
 * and they are looked at one by one only where it reaches that. This is done while the next
 * block is multiplied.
 *
 * Documents lie in the second-level cache, turned, the tiles of two groups alternating; 32
 * queries stay in the first and meet all of them. Fetching ahead, four tiles of queries
 * against one of documents, and sums that start at minus the cut were measured: none is
 * faster. Cost per pair: dim / 1024 cycles; 0.24 ns at 384 numbers, 0.27 at 448, where the
 * instructions alone take 0.14 and 0.16 (Emerald Rapids, 2.8 GHz).
 */
#include "kernels/dot8.h"

#if defined(__x86_64__)
#include "kernels/simd.h"

#include "kernels/dot8_turn16.h"

enum { TILE = 16, SIDE = 2 * TILE /* queries and documents of a block */ };

/* All eight tiles have 16 rows of 64 bytes. */
static void begin_tiles(void)
{
    struct {
        uint8_t palette, start, reserved[14];
        uint16_t row_bytes[16];
        uint8_t rows[16];
    } config = {.palette = 1};
    for (int i = 0; i < 8; i++) {
        config.row_bytes[i] = 64;
        config.rows[i] = TILE;
    }
    _tile_loadconfig(&config);
}

/* Sums of up to 32 queries and 32 documents, to be looked at. */
typedef struct block {
    const int32_t *sums; /* [2 tiles of queries][2 of documents][16][16] */
    uint64_t *mask;      /* of the first query, the word with these documents; NULL: none */
    unsigned shift;      /* of the documents in the word */
    const int32_t *least;
    int32_t lowest; /* of least */
    size_t n_queries;
} block;

static __attribute__((noinline)) void look_closely(const block *b)
{
    for (size_t q = 0; q < b->n_queries; q++) {
        const int32_t *sums = b->sums + q / TILE * 2 * TILE * TILE + q % TILE * TILE;
        const __m512i least = _mm512_set1_epi32(b->least[q]);
        const uint32_t low = _mm512_cmpge_epi32_mask(v_load_aligned(sums), least);
        const uint32_t high =
            _mm512_cmpge_epi32_mask(v_load_aligned(sums + TILE * TILE), least);
        b->mask[8 * q] |= (uint64_t)(low | high << TILE) << b->shift;
    }
}

INLINE void look(const block *b)
{
    const int32_t *sums = b->sums;
    __m512i x[4];
    UNROLL16 for (int i = 0; i < 4; i++) x[i] = v_load_aligned(sums + 16 * i);
    UNROLL16 for (int at = 64; at < SIDE * SIDE; at += 64) UNROLL16 for (int i = 0; i < 4; i++)
        x[i] = _mm512_max_epi32(x[i], v_load_aligned(sums + at + 16 * i));
    x[0] = _mm512_max_epi32(_mm512_max_epi32(x[0], x[1]), _mm512_max_epi32(x[2], x[3]));
    if (DPL_UNLIKELY(_mm512_cmpge_epi32_mask(x[0], _mm512_set1_epi32(b->lowest)) != 0))
        look_closely(b);
}

INLINE void multiply(const int8_t *queries, const int8_t *docs, size_t dim)
{
    const int8_t *more_queries = queries + TILE * dim;
    _tile_zero(0);
    _tile_zero(1);
    _tile_zero(2);
    _tile_zero(3);
    for (size_t k = 0; k < dim; k += 64, docs += 2 * TILE * 64) {
        _tile_loadd(4, queries + k, (long)dim);
        _tile_loadd(6, docs, 64);
        _tile_dpbssd(0, 4, 6);
        _tile_loadd(7, docs + TILE * 64, 64);
        _tile_dpbssd(1, 4, 7);
        _tile_loadd(5, more_queries + k, (long)dim);
        _tile_dpbssd(2, 5, 6);
        _tile_dpbssd(3, 5, 7);
    }
}

INLINE void store(int32_t *sums)
{
    _tile_stored(0, sums, 64);
    _tile_stored(1, sums + TILE * TILE, 64);
    _tile_stored(2, sums + 2 * TILE * TILE, 64);
    _tile_stored(3, sums + 3 * TILE * TILE, 64);
}

/* SIDE queries against all documents; `now` says which queries there are. */
static void compare(block now, const int8_t *queries, const int8_t *docs, size_t n_docs,
                    size_t dim, int32_t *sums)
{
    uint64_t *mask = now.mask;
    block last = {0};
    for (size_t d = 0; d < n_docs; d += SIDE) {
        multiply(queries, docs + d * dim, dim);
        if (last.mask)
            look(&last);
        store(sums);
        last = now;
        last.mask = mask + d / 64;
        last.shift = (unsigned)(d % 64);
    }
    if (last.mask)
        look(&last);
}

static void clear_missing(uint64_t *mask, size_t n_queries, size_t n_docs)
{
    for (size_t q = 0; q < n_queries; q++, mask += 8)
        for (size_t w = n_docs / 64; w < 8; w++)
            mask[w] &= 64 * w < n_docs ? dpl__dot8_valid(n_docs - 64 * w) : 0;
}

static void dot8_mask(uint64_t *mask, void *scratch, const dpl__mask_rows *rows,
                      const int32_t *least)
{
    const int8_t *queries = rows->queries, *docs = rows->docs;
    const size_t n_queries = rows->n_queries, n_docs = rows->n_docs, dim = 8 * rows->n_words;
    assert(n_docs <= DPL__HAMMING_DOCS && dim % DPL__DOT8_DIMS == 0);
    int8_t *turned = scratch, *copied = turned + DPL__HAMMING_DOCS * dim;
    int32_t *sums = (int32_t *)(void *)(copied + DPL__DOT8_QUERIES * dim);
    turn16(scratch, docs, n_docs, dim, v_zero(), 2);
    memset(mask, 0, n_queries * DPL__HAMMING_DOCS / 8);
    begin_tiles();
    for (size_t q = 0; q < n_queries; q += SIDE) {
        block b = {sums, mask + 8 * q, 0, least + q, least[q], dpl__min(SIDE, n_queries - q)};
        const int8_t *some = queries + q * dim;
        if (b.n_queries < SIDE) { /* a tile has all of its rows */
            memcpy(copied, some, b.n_queries * dim);
            memset(copied + b.n_queries * dim, 0, (SIDE - b.n_queries) * dim);
            some = copied;
        }
        for (size_t i = 1; i < b.n_queries; i++)
            b.lowest = b.least[i] < b.lowest ? b.least[i] : b.lowest;
        compare(b, some, turned, n_docs, dim, sums);
    }
    _tile_release();
    if (n_docs < DPL__HAMMING_DOCS)
        clear_missing(mask, n_queries, n_docs);
}

void dpl__dot8_amx(dpl__kernels *k)
{
    k->dot8_mask = dot8_mask;
}
#endif
