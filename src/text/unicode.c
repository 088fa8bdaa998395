/*
 * unicode.c - tables of code point properties, and NFC.
 *
 * Nearly all text in the wild is in NFC already, and nearly all of that is made of code points
 * that cannot take part in any composition: a table look-up per character above U+02FF says so
 * without converting anything. Only the rest goes through ICU, which works on UTF-16.
 */
#include "text/unicode.h"

#include "base/ctx.h"
#include "kernels/kernels.h"

#include <pthread.h>
#include <unicode/uchar.h>
#include <unicode/unorm2.h>
#include <unicode/ustring.h>

enum { PLANE = 0x10000 };

static uint8_t nfc_inert[PLANE / 8];
static pthread_once_t once = PTHREAD_ONCE_INIT;

static bool ask_nfc_inert(uint32_t c)
{
    return u_getIntPropertyValue((UChar32)c, UCHAR_NFC_QUICK_CHECK) == UNORM_YES &&
           u_getCombiningClass((UChar32)c) == 0;
}

static void fill_tables(void)
{
    for (uint32_t c = 0; c < PLANE; c++)
        if (ask_nfc_inert(c))
            nfc_inert[c / 8] |= (uint8_t)(1u << (c & 7));
}

bool dpl__is_space(uint32_t c)
{
    return c < 0x80 ? c == ' ' || (c >= 9 && c <= 13) : u_isUWhiteSpace((UChar32)c);
}

/* Bytes that go on with a character are 10xxxxxx; eight of them at a time. */
size_t dpl__utf8_length(dpl_str s)
{
    const uint64_t ones = 0x0101010101010101u;
    size_t n = s.n, i = 0;
    for (; i + 8 <= s.n; i += 8) {
        uint64_t x;
        memcpy(&x, s.data + i, sizeof x);
        n -= (((x >> 7) & ~(x >> 6) & ones) * ones) >> 56;
    }
    for (; i < s.n; i++)
        n -= ((unsigned char)s.data[i] & 0xC0) == 0x80;
    return n;
}

dpl_str dpl__trim(dpl_str s)
{
    const uint8_t *p = (const uint8_t *)s.data;
    size_t begin = 0, end = s.n;
    uint32_t c;
    while (begin < end) {
        unsigned n = dpl__utf8_decode(p + begin, &c);
        if (!dpl__is_space(c))
            break;
        begin += n;
    }
    while (end > begin) {
        size_t at = end - 1;
        while (at > begin && (p[at] & 0xC0) == 0x80)
            at--;
        dpl__utf8_decode(p + at, &c);
        if (!dpl__is_space(c))
            break;
        end = at;
    }
    return (dpl_str){s.data ? s.data + begin : NULL, end - begin};
}

/* ---- NFC ---------------------------------------------------------------------------- */

/* Below U+0300 nothing ever changes: such text is passed over at the speed of a search for the
 * bytes that begin anything above. */
static bool is_surely_nfc(const dpl_ctx *ctx, dpl_str s)
{
    static const dpl__byteset above = {
        /* 0xCC and up */
        .low = {{0},
                {0xE0, 0xE0, 0xE0, 0xE0, 0xE0, 0xE0, 0xE0, 0xE0, 0xE0, 0xE0, 0xE0, 0xE0, 0xF0,
                 0xF0, 0xF0, 0xF0}}};
    pthread_once(&once, fill_tables);
    const uint8_t *p = (const uint8_t *)(s.n ? s.data : ""), *end = p + s.n;
    while (p < end) {
        if (*p < 0xCC) {
            p += ctx->kernels->find_byte(p, (size_t)(end - p), &above);
            continue;
        }
        uint32_t c;
        p += dpl__utf8_decode(p, &c);
        if (c < PLANE ? !(nfc_inert[c / 8] >> (c & 7) & 1) : !ask_nfc_inert(c))
            return false;
    }
    return true;
}

/* Our own conversions: ICU's take 32-bit lengths, and these know that the input is valid. */
static size_t to_utf16(UChar *out, dpl_str s)
{
    size_t n = 0;
    for (size_t i = 0; i < s.n;) {
        uint32_t c;
        i += dpl__utf8_decode((const uint8_t *)s.data + i, &c);
        if (c >= PLANE) {
            out[n++] = (UChar)(0xD7C0 + (c >> 10));
            out[n++] = (UChar)(0xDC00 | (c & 0x3FF));
        } else {
            out[n++] = (UChar)c;
        }
    }
    return n;
}

static size_t from_utf16(char *out, const UChar *u, size_t n)
{
    size_t n_bytes = 0;
    for (size_t i = 0; i < n; i++) {
        uint32_t c = u[i];
        if (c >= 0xD800 && c < 0xDC00 && i + 1 < n)
            c = ((c - 0xD7C0) << 10) + (u[++i] & 0x3FFu);
        n_bytes += dpl__utf8_encode(out + n_bytes, c);
    }
    return n_bytes;
}

dpl_status dpl__nfc(dpl_str *s, dpl__arena *arena, dpl_error *err)
{
    if (is_surely_nfc(arena->ctx, *s))
        return DPL_OK;
    if (s->n > INT32_MAX / 4)
        return dpl__fail(err, DPL_E_UNSUPPORTED, "a text of %zu bytes is too long to normalise",
                         s->n);
    UErrorCode code = U_ZERO_ERROR;
    const UNormalizer2 *nfc = unorm2_getNFCInstance(&code);
    const size_t n_from_bytes = s->n * sizeof(UChar);
    UChar *from = dpl__alloc(arena->ctx, n_from_bytes);
    if (U_FAILURE(code) || !from) {
        dpl__free(arena->ctx, from, n_from_bytes);
        return dpl__fail_nomem(err);
    }
    dpl_status status = DPL_OK;
    int32_t n_from = (int32_t)to_utf16(from, *s);
    UChar *to = NULL;
    size_t n_to_bytes = 0;
    if (unorm2_quickCheck(nfc, from, n_from, &code) == UNORM_YES)
        goto done;
    /* NFC of n units takes at most 3n: the standard's worst case. */
    n_to_bytes = 3 * (size_t)n_from * sizeof *to;
    to = dpl__alloc(arena->ctx, n_to_bytes);
    if (!to) {
        status = dpl__fail_nomem(err);
        goto done;
    }
    int32_t n_to = unorm2_normalize(nfc, from, n_from, to, 3 * n_from, &code);
    char *out = U_SUCCESS(code) ? dpl__arena_alloc(arena, 3 * (size_t)n_to + 1) : NULL;
    if (!out) {
        status = dpl__fail_nomem(err);
        goto done;
    }
    size_t n_out = from_utf16(out, to, (size_t)n_to);
    dpl__arena_shrink(arena, out, 3 * (size_t)n_to + 1, n_out);
    *s = (dpl_str){out, n_out};
done:
    dpl__free(arena->ctx, to, n_to_bytes);
    dpl__free(arena->ctx, from, n_from_bytes);
    return status;
}
