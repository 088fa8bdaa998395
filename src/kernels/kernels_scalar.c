/*
 * kernels_scalar.c - the specification of every kernel, in plain C.
 */
#include "kernels/hamming.h"

#include "base/hash.h"

/* crc_table[k][b]: the effect of byte b, k bytes before the end of an eight-byte step. */
static uint32_t crc_table[8][256];

static void make_crc_table(void)
{
    for (uint32_t b = 0; b < 256; b++) {
        uint32_t c = b;
        for (int i = 0; i < 8; i++)
            c = c >> 1 ^ (c & 1 ? DPL__CRC32C : 0);
        crc_table[0][b] = c;
    }
    for (uint32_t b = 0; b < 256; b++)
        for (int k = 1; k < 8; k++)
            crc_table[k][b] =
                crc_table[k - 1][b] >> 8 ^ crc_table[0][crc_table[k - 1][b] & 255];
}

static uint32_t crc32c(uint32_t crc, const void *data, size_t n)
{
    const uint8_t *p = data;
    crc = ~crc;
    for (; n >= 8; n -= 8, p += 8) {
        crc ^=
            (uint32_t)p[0] | (uint32_t)p[1] << 8 | (uint32_t)p[2] << 16 | (uint32_t)p[3] << 24;
        crc = crc_table[7][crc & 255] ^ crc_table[6][crc >> 8 & 255] ^
              crc_table[5][crc >> 16 & 255] ^ crc_table[4][crc >> 24] ^ crc_table[3][p[4]] ^
              crc_table[2][p[5]] ^ crc_table[1][p[6]] ^ crc_table[0][p[7]];
    }
    for (; n; n--, p++)
        crc = crc >> 8 ^ crc_table[0][(crc ^ *p) & 255];
    return ~crc;
}

static size_t find_byte(const uint8_t *p, size_t n, const dpl__byteset *set)
{
    size_t i = 0;
    while (i < n && !dpl__byteset_has(set, p[i]))
        i++;
    return i;
}

static void mask_bytes(uint64_t *mask, const uint8_t *p, size_t n, const dpl__byteset *set)
{
    for (size_t k = 0; k < n; k++, p += 64) {
        uint64_t m = 0;
        for (unsigned i = 0; i < 64; i++)
            m |= (uint64_t)dpl__byteset_has(set, p[i]) << i;
        mask[k] = m;
    }
}

/* Length of the valid sequence at p, 0 if there is none. Table 3-7 of the Unicode standard. */
static size_t sequence(const uint8_t *p, size_t n)
{
    uint8_t a = p[0];
    if (a < 0x80)
        return 1;
    if (a < 0xC2 || a > 0xF4 || n < 2)
        return 0;
    if (a < 0xE0)
        return (p[1] & 0xC0) == 0x80 ? 2 : 0;
    uint8_t least = a == 0xE0 ? 0xA0 : a == 0xF0 ? 0x90 : 0x80;
    uint8_t most = a == 0xED ? 0x9F : a == 0xF4 ? 0x8F : 0xBF;
    if (p[1] < least || p[1] > most || n < 3 || (p[2] & 0xC0) != 0x80)
        return 0;
    if (a < 0xF0)
        return 3;
    return n >= 4 && (p[3] & 0xC0) == 0x80 ? 4 : 0;
}

size_t dpl__utf8_prefix_scalar(const uint8_t *p, size_t n, uint8_t *most)
{
    size_t i = 0;
    uint8_t m = 0;
    while (i < n) {
        size_t step = sequence(p + i, n - i);
        if (step == 0)
            break;
        m = p[i] > m ? p[i] : m; /* the lead byte is the largest of its sequence */
        i += step;
    }
    *most = m;
    return i;
}

/* ---- hamming ------------------------------------------------------------------------ */

static unsigned hamming(const uint64_t *a, const uint64_t *b, size_t n_words)
{
    unsigned n = 0;
    for (size_t i = 0; i < n_words; i++)
        n += dpl__n_ones(a[i] ^ b[i]);
    return n;
}

size_t dpl__hamming_scratch(size_t n_words)
{
    return 64 * (64 * n_words + DPL__HAMMING_PAD + DPL__HAMMING_ROWS +
                 DPL__HAMMING_TILE * dpl__hamming_digits(n_words));
}

size_t dpl__hamming_turned(size_t n_words)
{
    return 64 * (64 * n_words + DPL__HAMMING_PAD);
}

static void hamming_mask(uint64_t *mask, void *scratch, const dpl__mask_rows *rows,
                         unsigned cut)
{
    assert(rows->n_docs <= DPL__HAMMING_DOCS && rows->n_words <= rows->stride);
    const uint64_t *queries = rows->queries, *docs = rows->docs;
    (void)scratch;
    memset(mask, 0, rows->n_queries * DPL__HAMMING_DOCS / 8);
    for (size_t q = 0; q < rows->n_queries; q++)
        for (size_t d = 0; d < rows->n_docs; d++)
            if (hamming(queries + q * rows->stride, docs + d * rows->stride, rows->n_words) <=
                cut)
                mask[8 * q + d / 64] |= (uint64_t)1 << d % 64;
}

static uint64_t hamming_few(const uint64_t *query, const uint64_t *docs, size_t n_docs,
                            size_t n_words, size_t stride, unsigned cut)
{
    assert(n_docs <= 64);
    uint64_t mask = 0;
    for (size_t d = 0; d < n_docs; d++)
        if (hamming(query, docs + d * stride, n_words) <= cut)
            mask |= (uint64_t)1 << d;
    return mask;
}

static void hamming_turn(void *turned, const uint64_t *docs, size_t n_docs, size_t n_words,
                         size_t stride)
{
    (void)turned, (void)docs, (void)n_docs, (void)n_words, (void)stride;
}

static void hamming_turned(uint64_t *mask, void *scratch, const dpl__mask_rows *rows,
                           const dpl__hamming_turns *docs, unsigned cut)
{
    const uint64_t *queries = rows->queries;
    const size_t stride = rows->stride;
    (void)scratch;
    memset(mask, 0, rows->n_queries * DPL__HAMMING_DOCS / 8);
    for (size_t q = 0; q < rows->n_queries; q++)
        for (size_t d = 0; d < DPL__HAMMING_DOCS; d++) {
            const dpl__hamming_block *b =
                docs->next && d < docs->turns[q / docs->step] ? docs->next : docs->block;
            if (d < b->n_docs &&
                hamming(queries + q * stride, b->docs + d * stride, rows->n_words) <= cut)
                mask[8 * q + d / 64] |= (uint64_t)1 << d % 64;
        }
}

/* ---- dot ---------------------------------------------------------------------------- */

static float dot(const float *a, const float *b, size_t n)
{
    float sums[16] = {0};
    for (size_t i = 0; i < n; i++)
        sums[i % 16] += a[i] * b[i];
    for (size_t half = 8; half; half /= 2)
        for (size_t j = 0; j < half; j++)
            sums[j] += sums[j + half];
    return sums[0];
}

static void dots(float *out, const float *a, size_t n_a, const float *b, size_t n_b, size_t n)
{
    for (size_t i = 0; i < n_a; i++)
        for (size_t j = 0; j < n_b; j++)
            *out++ = dot(a + i * n, b + j * n, n);
}

/* ---- keys --------------------------------------------------------------------------- */

/* Swaps bit k of word i with bit i of word k, in both halves of 64 bits. */
static void transpose32(uint64_t a[32])
{
    uint64_t mask = 0x0000FFFF0000FFFFu;
    for (unsigned step = 16; step; step >>= 1, mask ^= mask << step)
        for (unsigned i = 0; i < 32; i = ((i | step) + 1) & ~step) {
            uint64_t t = (a[i] >> step ^ a[i | step]) & mask;
            a[i | step] ^= t;
            a[i] ^= t << step;
        }
}

static void column_turn(uint64_t *columns, const uint64_t *const *rows, size_t n_words)
{
    for (size_t group = 0; group < DPL__COLUMN_ROWS / 64; group++, rows += 64)
        for (size_t w = 0; w < n_words; w++) {
            uint64_t a[64];
            for (size_t i = 0; i < 64; i++)
                a[i] = rows[i] ? rows[i][w] : 0;
            for (size_t i = 0; i < 32; i++) {
                uint64_t t = (a[i] >> 32 ^ a[i + 32]) & 0xFFFFFFFFu;
                a[i + 32] ^= t;
                a[i] ^= t << 32;
            }
            transpose32(a);
            transpose32(a + 32);
            for (size_t i = 0; i < 64; i++)
                columns[8 * (64 * w + i) + group] = a[i];
        }
}

static void column_keys(uint32_t *keys, const uint64_t *columns, const uint32_t *positions)
{
    for (size_t group = 0; group < DPL__COLUMN_ROWS / 64; group++, keys += 64) {
        uint64_t a[DPL__KEY_BITS];
        for (size_t k = 0; k < DPL__KEY_BITS; k++)
            a[DPL__KEY_BITS - 1 - k] = columns[8 * positions[k] + group];
        transpose32(a);
        for (size_t i = 0; i < 32; i++) {
            keys[i] = (uint32_t)a[i];
            keys[32 + i] = (uint32_t)(a[i] >> 32);
        }
    }
}

void dpl__kernels_scalar(dpl__kernels *k)
{
    dpl__kernels_chain_scalar(k);
    make_crc_table();
    k->crc32c = crc32c;
    k->find_byte = find_byte;
    k->mask_bytes = mask_bytes;
    k->utf8_prefix = dpl__utf8_prefix_scalar;
    k->hamming = hamming;
    k->hamming_mask = hamming_mask;
    k->hamming_few = hamming_few;
    k->dot = dot;
    k->dots = dots;
    dpl__dot8_scalar(k);
    dpl__sign_scalar(k);
    dpl__sparse_scalar(k);
    k->hamming_turn = hamming_turn;
    k->hamming_turned = hamming_turned;
    k->column_turn = column_turn;
    k->column_keys = column_keys;
    dpl__bzip2_scalar(k);
}
