/*
 * base64.c - base64, four characters at a time.
 */
#include "base/base64.h"

enum { INVALID = 0x80 };

static const char alphabet[] =
    "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";

size_t dpl__base64_encode(char *out, const void *data, size_t n)
{
    const uint8_t *p = data;
    char *to = out;
    for (size_t i = 0; i < n; i += 3) {
        uint32_t x = 0;
        for (size_t k = 0; k < 3; k++)
            x = x << 8 | (i + k < n ? p[i + k] : 0u);
        for (size_t k = 0; k < 4; k++)
            *to++ = i + k > n ? '=' : alphabet[x >> (18 - 6 * k) & 63];
    }
    return (size_t)(to - out);
}

dpl__base64 dpl__base64_make(void)
{
    dpl__base64 b;
    memset(b.value, INVALID, sizeof b.value);
    for (uint8_t i = 0; i < 64; i++)
        b.value[(unsigned char)alphabet[i]] = i;
    return b;
}

/* Position of the first character that is not allowed; the last position if the length is
 * wrong. */
static size_t find_fault(const dpl__base64 *b, const uint8_t *p, size_t n, size_t from)
{
    assert(from < n);
    while (from + 1 < n && !(b->value[p[from]] & INVALID))
        from++;
    return from;
}

bool dpl__base64_decode(const dpl__base64 *b, char *out, size_t *n_out, dpl_str s)
{
    const uint8_t *p = (const uint8_t *)s.data, *v = b->value;
    uint8_t *o = (uint8_t *)out;
    *n_out = 0;
    if (s.n == 0)
        return true;
    const size_t n_pad = s.n < 4 || p[s.n - 1] != '=' ? 0 : p[s.n - 2] != '=' ? 1 : 2;
    const size_t n_full = s.n / 4 * 4 - (n_pad ? 4 : 0);
    size_t i = 0;
    for (; i < n_full; i += 4, o += 3) {
        uint32_t a0 = v[p[i]], a1 = v[p[i + 1]], a2 = v[p[i + 2]], a3 = v[p[i + 3]];
        if (DPL_UNLIKELY((a0 | a1 | a2 | a3) & INVALID))
            break;
        uint32_t x = a0 << 18 | a1 << 12 | a2 << 6 | a3;
        o[0] = (uint8_t)(x >> 16);
        o[1] = (uint8_t)(x >> 8);
        o[2] = (uint8_t)x;
    }
    bool is_good = i == n_full && s.n % 4 == 0;
    if (is_good && n_pad) {
        uint32_t a0 = v[p[i]], a1 = v[p[i + 1]], a2 = n_pad == 1 ? v[p[i + 2]] : 0;
        uint32_t x = a0 << 16 | a1 << 10 | a2 << 4;
        o[0] = (uint8_t)(x >> 14);
        o[1] = (uint8_t)(x >> 6);
        o += 3 - n_pad;
        is_good = !((a0 | a1 | a2) & INVALID) && !(n_pad == 2 ? a1 & 15 : a2 & 3);
    }
    *n_out = is_good ? (size_t)(o - (uint8_t *)out) : find_fault(b, p, s.n, i);
    assert(*n_out <= s.n / 4 * 3 || !is_good);
    return is_good;
}
