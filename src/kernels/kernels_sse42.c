/*
 * kernels_sse42.c - 16 bytes at a time, and the CRC instruction.
 */
#include "kernels/kernels.h"

#if defined(__x86_64__)
#include "kernels/byteset.h"
#include "kernels/utf8_prefix.h"

/* Three independent streams hide the instruction's latency of three cycles; their results are
 * joined by shifting the earlier ones over the later ones. Worth it from 3 x 1 KiB on. */
enum { STREAM = 1024 };

static uint32_t crc_plain(uint32_t crc, const uint8_t *p, size_t n)
{
    uint64_t c = crc;
    for (; n >= 8; n -= 8, p += 8) {
        uint64_t x;
        memcpy(&x, p, 8);
        c = _mm_crc32_u64(c, x);
    }
    for (; n; n--, p++)
        c = _mm_crc32_u8((uint32_t)c, *p);
    return (uint32_t)c;
}

/* shift_table[k][b]: byte k of a CRC state, moved over STREAM zero bytes. */
static uint32_t shift_table[4][256];

static void make_shift_table(void)
{
    for (unsigned k = 0; k < 4; k++)
        for (uint32_t b = 0; b < 256; b++) {
            static const uint8_t zeros[STREAM];
            shift_table[k][b] = crc_plain(b << 8 * k, zeros, STREAM);
        }
}

static uint32_t over_stream(uint32_t c)
{
    return shift_table[0][c & 255] ^ shift_table[1][c >> 8 & 255] ^
           shift_table[2][c >> 16 & 255] ^ shift_table[3][c >> 24];
}

static uint32_t crc32c(uint32_t crc, const void *data, size_t n)
{
    const uint8_t *p = data;
    uint32_t c = ~crc;
    for (; n >= 3 * STREAM; n -= 3 * STREAM, p += 3 * STREAM) {
        uint64_t a = c, b = 0, d = 0;
        for (size_t i = 0; i < STREAM; i += 8) {
            uint64_t x, y, z;
            memcpy(&x, p + i, 8);
            memcpy(&y, p + STREAM + i, 8);
            memcpy(&z, p + 2 * STREAM + i, 8);
            a = _mm_crc32_u64(a, x);
            b = _mm_crc32_u64(b, y);
            d = _mm_crc32_u64(d, z);
        }
        c = over_stream(over_stream((uint32_t)a) ^ (uint32_t)b) ^ (uint32_t)d;
    }
    return ~crc_plain(c, p, n);
}

void dpl__kernels_sse42(dpl__kernels *k)
{
    make_shift_table();
    k->crc32c = crc32c;
    k->find_byte = find_byte;
    k->mask_bytes = mask_bytes;
    k->utf8_prefix = utf8_prefix;
    dpl__hamming_sse42(k);
    dpl__dot8_sse42(k);
    dpl__sign_sse42(k);
    dpl__bzip2_sse42(k);
}
#endif
