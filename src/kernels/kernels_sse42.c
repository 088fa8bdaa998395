/*
 * kernels_sse42.c - 16 bytes at a time, and the CRC instruction.
 */
#include "kernels/kernels.h"

#if defined(__x86_64__)
#include <immintrin.h>

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

/* Bit i: is byte i in the set? The low nibble fetches the set's bits for each half of the byte
 * range, the high nibble selects one. pshufb clears lanes whose index has its top bit set,
 * which is what keeps the two halves apart. */
static inline unsigned in_set(__m128i x, __m128i low0, __m128i low1)
{
    const __m128i bits =
        _mm_setr_epi8(1, 2, 4, 8, 16, 32, 64, -128, 1, 2, 4, 8, 16, 32, 64, -128);
    const __m128i top = _mm_set1_epi8(-128);
    const __m128i keep = _mm_set1_epi8((char)0x8F);
    __m128i sets =
        _mm_or_si128(_mm_shuffle_epi8(low0, _mm_and_si128(x, keep)),
                     _mm_shuffle_epi8(low1, _mm_and_si128(_mm_xor_si128(x, top), keep)));
    __m128i bit =
        _mm_shuffle_epi8(bits, _mm_and_si128(_mm_srli_epi16(x, 4), _mm_set1_epi8(15)));
    return (unsigned)_mm_movemask_epi8(_mm_cmpeq_epi8(_mm_and_si128(sets, bit), bit));
}

static size_t find_byte(const uint8_t *p, size_t n, const dpl__byteset *set)
{
    const __m128i low0 = _mm_loadu_si128((const __m128i *)(const void *)set->low[0]);
    const __m128i low1 = _mm_loadu_si128((const __m128i *)(const void *)set->low[1]);
    size_t i = 0;
    for (; i + 16 <= n; i += 16) {
        __m128i x = _mm_loadu_si128((const __m128i *)(const void *)(p + i));
        unsigned m = in_set(x, low0, low1);
        if (m)
            return i + (unsigned)__builtin_ctz(m);
    }
    while (i < n && !dpl__byteset_has(set, p[i]))
        i++;
    return i;
}

static void mask_bytes(uint64_t *mask, const uint8_t *p, size_t n, const dpl__byteset *set)
{
    const __m128i low0 = _mm_loadu_si128((const __m128i *)(const void *)set->low[0]);
    const __m128i low1 = _mm_loadu_si128((const __m128i *)(const void *)set->low[1]);
    for (size_t k = 0; k < n; k++, p += 64) {
        uint64_t m = 0;
        for (unsigned i = 0; i < 64; i += 16) {
            __m128i x = _mm_loadu_si128((const __m128i *)(const void *)(p + i));
            m |= (uint64_t)in_set(x, low0, low1) << i;
        }
        mask[k] = m;
    }
}

/* ---- utf8_prefix -------------------------------------------------------------------- */

typedef __m128i vec;
enum { VEC = 16 };

static inline vec v_load(const uint8_t *p)
{
    return _mm_loadu_si128((const __m128i *)(const void *)p);
}

static inline uint8_t v_most(vec x)
{
    x = _mm_max_epu8(x, _mm_srli_si128(x, 8));
    x = _mm_max_epu8(x, _mm_srli_si128(x, 4));
    x = _mm_max_epu8(x, _mm_srli_si128(x, 2));
    x = _mm_max_epu8(x, _mm_srli_si128(x, 1));
    return (uint8_t)_mm_extract_epi8(x, 0);
}

#define v_set(b) _mm_set1_epi8((char)(b))
#define v_table(bytes16) v_load(bytes16)
#define v_lookup _mm_shuffle_epi8
#define v_low(x) _mm_and_si128((x), v_set(15))
#define v_high(x) _mm_and_si128(_mm_srli_epi16((x), 4), v_set(15))
#define v_and _mm_and_si128
#define v_or _mm_or_si128
#define v_xor _mm_xor_si128
#define v_minus _mm_subs_epu8
#define v_max _mm_max_epu8
#define v_any(x) (!_mm_testz_si128((x), (x)))
#define v_any_top(x) (_mm_movemask_epi8(x) != 0)
#define V_SHIFT(x, before, k) _mm_alignr_epi8((x), (before), 16 - (k))

#include "kernels/utf8_prefix.h"

void dpl__kernels_sse42(dpl__kernels *k)
{
    make_shift_table();
    k->crc32c = crc32c;
    k->find_byte = find_byte;
    k->mask_bytes = mask_bytes;
    k->utf8_prefix = utf8_prefix;
    dpl__hamming_sse42(k);
    dpl__sign_sse42(k);
}
#endif
