/*
 * bzip2_frame.c - finds bzip2 blocks and writes the bits that make one a stream of its own.
 */
#include "io/bzip2_frame.h"

/* ---- reading ------------------------------------------------------------------------ */

uint64_t dpl__bz_bits(const uint8_t *p, size_t bit, unsigned n)
{
    assert(n > 0 && n <= 56);
    size_t last = (bit + n - 1) / 8;
    uint64_t x = 0;
    for (size_t i = bit / 8; i <= last; i++)
        x = x << 8 | p[i];
    return x >> (8 * (last + 1) - bit - n) & (((uint64_t)1 << n) - 1);
}

/* A magic that begins at bit s of a byte has the next two bytes for itself. Bit s of
 * first[b] & second[c] says that b and c may be those of a block's magic, bit 8 + s that they
 * may be those of the end mark. */
void dpl__bz_finder_init(dpl__bz_finder *f)
{
    static const uint64_t magics[] = {DPL__BZ_BLOCK, DPL__BZ_END};
    memset(f, 0, sizeof *f);
    for (unsigned m = 0; m < 2; m++)
        for (unsigned s = 0; s < 8; s++) {
            f->first[magics[m] >> (32 + s) & 255] |= (uint16_t)(1u << (8 * m + s));
            f->second[magics[m] >> (24 + s) & 255] |= (uint16_t)(1u << (8 * m + s));
        }
}

bool dpl__bz_find(size_t *bit, const dpl__bz_finder *f, const uint8_t *p, size_t from,
                  size_t to)
{
    for (size_t i = from / 8; 8 * i < to; i++) {
        if (DPL_LIKELY(!(f->first[p[i + 1]] & f->second[p[i + 2]])))
            continue;
        for (size_t b = dpl__max(8 * i, from); b < dpl__min(8 * i + 8, to); b++) {
            uint64_t x = dpl__bz_bits(p, b, 48);
            if (x == DPL__BZ_BLOCK || x == DPL__BZ_END) {
                *bit = b;
                return true;
            }
        }
    }
    return false;
}

/* ---- writing ------------------------------------------------------------------------ */

typedef struct bit_writer {
    uint8_t *out; /* zeroed */
    size_t n_bits;
} bit_writer;

static void put(bit_writer *w, uint64_t value, unsigned n)
{
    while (n-- > 0) {
        w->out[w->n_bits / 8] |= (uint8_t)((value >> n & 1) << (7 - w->n_bits % 8));
        w->n_bits++;
    }
}

/* bzip2's CRC-32 takes the high bit of a byte first. */
#define POLY 0x04C11DB7u

static uint32_t crc_forward(uint32_t state, unsigned n_bits)
{
    while (n_bits-- > 0)
        state = state << 1 ^ (state >> 31 ? POLY : 0);
    return state;
}

static uint32_t crc_back(uint32_t state, unsigned n_bits)
{
    while (n_bits-- > 0)
        state = state & 1 ? (state ^ POLY) >> 1 | 0x80000000u : state >> 1;
    return state;
}

enum { N = DPL__BZ_STARTER };

static bool is_run(const uint8_t p[4])
{
    return p[0] == p[1] && p[1] == p[2] && p[2] == p[3];
}

/* Bytes whose CRC is the given one: the first is free, the others follow from it. Four equal
 * ones in a row would be stored as a run, so then another first byte leads to others. */
static void bytes_with_crc(uint8_t s[N], uint32_t crc)
{
    s[0] = 0;
    for (;; s[0]++) {
        uint32_t state = crc_forward(0xFFFFFFFFu ^ (uint32_t)s[0] << 24, 8);
        uint32_t x = state ^ crc_back(~crc, 32);
        for (unsigned i = 0; i < 4; i++)
            s[1 + i] = (uint8_t)(x >> (24 - 8 * i));
        if (!is_run(s) && !is_run(s + 1))
            return;
    }
}

/* Burrows-Wheeler: the last column of the sorted rotations; returns the row of s itself. No
 * two rotations are equal, because N is prime and not all bytes are. */
static unsigned transform(uint8_t last[N], const uint8_t s[N])
{
    uint8_t twice[2 * N];
    memcpy(twice, s, N);
    memcpy(twice + N, s, N);
    unsigned row_of_s = 0;
    for (unsigned i = 0; i < N; i++) {
        unsigned row = 0;
        for (unsigned j = 0; j < N; j++)
            row += memcmp(twice + j, twice + i, N) < 0;
        last[row] = twice[i + N - 1];
        if (i == 0)
            row_of_s = row;
    }
    return row_of_s;
}

/* The block's symbols: move-to-front indices, runs of zeros in base two with the digits 1
 * (symbol 0) and 2 (symbol 1), the end. The alphabet has at most seven symbols, so all codes
 * are three bits and a symbol is its own code. */
static void put_symbols(bit_writer *w, const uint8_t last[N], uint8_t *used, unsigned n_used)
{
    for (unsigned i = 0, zeros; i < N; i++) {
        for (zeros = 0; i < N && last[i] == used[0]; i++)
            zeros++;
        for (; zeros; zeros = (zeros - 1) / 2)
            put(w, (zeros - 1) & 1, 3);
        if (i == N)
            break;
        unsigned index = 1;
        while (used[index] != last[i])
            index++;
        put(w, index + 1, 3);
        memmove(used + 1, used, index);
        used[0] = last[i];
    }
    put(w, n_used + 1, 3);
}

/* One block that decodes to s. `filler` more selectors than it needs, a bit each, make it
 * longer. */
static void put_block(bit_writer *w, const uint8_t s[N], uint32_t crc, unsigned filler)
{
    uint8_t last[N], used[N];
    put(w, DPL__BZ_BLOCK, 48);
    put(w, crc, 32);
    put(w, 0, 1); /* not randomised */
    put(w, transform(last, s), 24);
    uint16_t rows = 0, columns[16] = {0}; /* which bytes occur: rows of 16 */
    for (unsigned i = 0; i < N; i++) {
        rows |= (uint16_t)(0x8000u >> (s[i] >> 4));
        columns[s[i] >> 4] |= (uint16_t)(0x8000u >> (s[i] & 15));
    }
    put(w, rows, 16);
    unsigned n_used = 0;
    for (unsigned b = 0; b < 256; b++) {
        if (b % 16 == 0 && columns[b / 16])
            put(w, columns[b / 16], 16);
        if (columns[b / 16] & 0x8000u >> b % 16)
            used[n_used++] = (uint8_t)b;
    }
    put(w, 2, 3); /* code tables, the fewest there may be */
    put(w, 1 + filler, 15);
    put(w, 0, 1 + filler);           /* selectors: all the first table */
    for (unsigned t = 0; t < 2; t++) /* code lengths: 3, and for each symbol no change */
        put(w, (uint64_t)3 << (n_used + 2), 5 + n_used + 2);
    put_symbols(w, last, used, n_used);
}

size_t dpl__bz_prefix(uint8_t out[DPL__BZ_PREFIX], unsigned level, uint32_t combined,
                      const uint8_t *p, unsigned bit)
{
    uint8_t s[N];
    bytes_with_crc(s, combined);
    unsigned filler = 0;
    for (;;) {
        memset(out, 0, DPL__BZ_PREFIX);
        bit_writer w = {out, 0};
        put(&w, 0x425A6830u + level, 32); /* "BZh0" and the level */
        put_block(&w, s, combined, filler);
        assert(w.n_bits + 8 <= 8 * DPL__BZ_PREFIX);
        if (w.n_bits % 8 == bit) {
            put(&w, *p, 8 - bit);
            return w.n_bits / 8;
        }
        filler = (bit + 8 - w.n_bits % 8) % 8;
    }
}

size_t dpl__bz_trailer(uint8_t out[DPL__BZ_TRAILER], uint32_t combined, const uint8_t *p,
                       unsigned bit)
{
    memset(out, 0, DPL__BZ_TRAILER);
    bit_writer w = {out, 0};
    if (bit)
        put(&w, *p >> (8 - bit), bit);
    put(&w, DPL__BZ_END, 48);
    put(&w, combined, 32);
    return (w.n_bits + 7) / 8;
}
