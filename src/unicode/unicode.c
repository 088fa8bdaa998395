/*
 * unicode.c - tables of code point properties, and NFC.
 *
 * Nearly all text in the wild is in NFC already, and nearly all of that is made of code points
 * that cannot take part in any composition: a table look-up per character above U+02FF says so
 * without converting anything. Only the rest goes through ICU, which works on UTF-16.
 */
#include "unicode/unicode.h"

#include "base/ctx.h"
#include "doppel/text.h"
#include "kernels/kernels.h"

#include <pthread.h>
#include <unicode/uchar.h>
#include <unicode/unorm2.h>
#include <unicode/ustring.h>

enum { PLANE = 0x10000 };

static uint8_t nfc_inert[PLANE / 8];
static pthread_once_t once = PTHREAD_ONCE_INIT;

static bool is_nfc_inert(uint32_t c)
{
    return u_getIntPropertyValue((UChar32)c, UCHAR_NFC_QUICK_CHECK) == UNORM_YES &&
           u_getCombiningClass((UChar32)c) == 0;
}

static void fill_tables(void)
{
    for (uint32_t c = 0; c < PLANE; c++)
        if (is_nfc_inert(c))
            nfc_inert[c / 8] |= (uint8_t)(1u << (c & 7));
}

bool dpl__is_space(uint32_t c)
{
    return c < 0x80 ? c == ' ' || (c >= 9 && c <= 13) || c == DPL_SECTION_MARK
                    : u_isUWhiteSpace((UChar32)c);
}

bool dpl__is_utf8(const dpl_ctx *ctx, dpl_str s)
{
    uint8_t most;
    return ctx->kernels->utf8_prefix((const uint8_t *)s.data, s.n, &most) == s.n;
}

/* Bytes that go on with a character are 10xxxxxx; eight of them at a time. */
size_t dpl__utf8_length(dpl_str s)
{
    assert(s.data || !s.n);
    const uint64_t ones = 0x0101010101010101u;
    size_t n = s.n, i = 0;
    for (; i + 8 <= s.n; i += 8) {
        uint64_t x;
        memcpy(&x, s.data + i, sizeof x);
        n -= (((x >> 7) & ~(x >> 6) & ones) * ones) >> 56;
    }
    for (; i < s.n; i++)
        n -= dpl__is_inner(s.data[i]);
    return n;
}

dpl_str dpl__trim(dpl_str s)
{
    assert(s.data || !s.n);
    const uint8_t *p = (const uint8_t *)s.data;
    size_t begin = 0, end = s.n;
    uint32_t c;
    while (begin < end) {
        unsigned n = dpl__utf8_decode(p + begin, &c);
        if (n > end - begin || !dpl__is_space(c)) /* text that was not checked may be cut off */
            break;
        begin += n;
    }
    while (end > begin) {
        size_t at = end - 1;
        while (at > begin && dpl__is_inner(s.data[at]))
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
        if (c < PLANE ? !(nfc_inert[c / 8] >> (c & 7) & 1) : !is_nfc_inert(c))
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

/* The character at u[*i], which moves behind it. */
static uint32_t next_char(const UChar *u, size_t *i, size_t n)
{
    uint32_t c = u[(*i)++];
    if (c >= 0xD800 && c < 0xDC00 && *i < n)
        c = ((c - 0xD7C0) << 10) + (u[(*i)++] & 0x3FFu);
    return c;
}

static size_t from_utf16(char *out, const UChar *u, size_t n)
{
    size_t n_bytes = 0;
    for (size_t i = 0; i < n;)
        n_bytes += dpl__utf8_encode(out + n_bytes, next_char(u, &i, n));
    return n_bytes;
}

/* ICU puts a run of combining marks in order by insertion, which takes quadratic time. So long
 * runs are sorted before, stably by their class: the text stays canonically equivalent, and ICU
 * finds nothing to move. */
enum { LONG_RUN = 64, N_CLASSES = 256 };

/* The three characters that are no marks themselves but are made of two, of different classes.
 * Marks that are made of others (U+0344) have the class of these. */
static const UChar made_of_marks[][3] = {
    {0x0F73, 0x0F71, 0x0F72}, {0x0F75, 0x0F71, 0x0F74}, {0x0F81, 0x0F71, 0x0F80}};

/* The parts of such a character, or NULL. */
static const UChar *parts_of(uint32_t c)
{
    for (size_t i = 0; i < DPL_LEN(made_of_marks); i++)
        if (made_of_marks[i][0] == c)
            return made_of_marks[i] + 1;
    return NULL;
}

/* The end of the run of marks at u[at]. */
static size_t end_of_run(const UChar *u, size_t at, size_t n)
{
    while (at < n) {
        size_t next = at;
        uint32_t c = next_char(u, &next, n);
        if (!u_getCombiningClass((UChar32)c) && !parts_of(c))
            break;
        at = next;
    }
    return at;
}

/* Where the marks of each class go, and how many code units they are. */
typedef struct classes {
    UChar *out[N_CLASSES];
    size_t n_units[N_CLASSES];
} classes;

static void put_mark(classes *to, const UChar *units, size_t n, bool is_counted)
{
    size_t at = 0;
    unsigned class = u_getCombiningClass((UChar32)next_char(units, &at, n));
    if (is_counted)
        to->n_units[class] += n;
    for (size_t i = 0; i < n && !is_counted; i++)
        *to->out[class]++ = units[i];
}

static void put_marks(classes *to, const UChar *u, size_t n, bool is_counted)
{
    for (size_t i = 0, begin = 0; i < n; begin = i) {
        const UChar *parts = parts_of(next_char(u, &i, n));
        put_mark(to, parts ? parts : u + begin, parts ? 1 : i - begin, is_counted);
        if (parts)
            put_mark(to, parts + 1, 1, is_counted);
    }
}

/* u[0, n) sorted into out, which has room for twice as much; returns how much it is. */
static size_t sort_run(UChar *out, const UChar *u, size_t n)
{
    classes c = {.n_units = {0}};
    size_t total = 0;
    put_marks(&c, u, n, true);
    for (size_t i = 0; i < N_CLASSES; total += c.n_units[i++])
        c.out[i] = out + total;
    put_marks(&c, u, n, false);
    return total;
}

/* u[0, *n) with its long runs sorted; there is room for twice as much where runs are. */
static dpl_status sort_runs(dpl_ctx *ctx, UChar *u, size_t *n, dpl_error *err)
{
    UChar *sorted = NULL;
    const size_t n_room = 2 * *n * sizeof *u;
    size_t n_out = 0;
    for (size_t at = 0; at < *n;) {
        size_t end = u[at] < 0x300 ? at : end_of_run(u, at, *n);
        if (end - at >= LONG_RUN && !sorted) {
            sorted = dpl__alloc(ctx, n_room);
            DPL_TRY(dpl__need(sorted, err));
            memcpy(sorted, u, at * sizeof *u);
            n_out = at;
        }
        if (end - at >= LONG_RUN) {
            n_out += sort_run(sorted + n_out, u + at, end - at);
            at = end;
            continue;
        }
        end = end > at ? end : at + 1;
        if (sorted)
            memcpy(sorted + n_out, u + at, (end - at) * sizeof *u);
        n_out += end - at;
        at = end;
    }
    if (sorted) {
        memcpy(u, sorted, n_out * sizeof *u);
        *n = n_out;
    }
    dpl__free(ctx, sorted);
    return DPL_OK;
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
        dpl__free(arena->ctx, from);
        return dpl__fail_nomem(err);
    }
    dpl_status status = DPL_OK;
    size_t n_units = to_utf16(from, *s);
    UChar *to = NULL;
    size_t n_to_bytes = 0;
    if (unorm2_quickCheck(nfc, from, (int32_t)n_units, &code) == UNORM_YES)
        goto done;
    if ((status = sort_runs(arena->ctx, from, &n_units, err)) != DPL_OK)
        goto done;
    const int32_t n_from = (int32_t)n_units;
    /* NFC of n units takes at most 3n: the standard's worst case. */
    n_to_bytes = 3 * (size_t)n_from * sizeof *to;
    to = dpl__alloc(arena->ctx, n_to_bytes);
    DPL__STEP(dpl__need(to, err));
    int32_t n_to = unorm2_normalize(nfc, from, n_from, to, 3 * n_from, &code);
    char *out = U_SUCCESS(code) ? dpl__arena_alloc(arena, 3 * (size_t)n_to + 1) : NULL;
    DPL__STEP(dpl__need(out, err));
    size_t n_out = from_utf16(out, to, (size_t)n_to);
    dpl__arena_shrink(arena, out, 3 * (size_t)n_to + 1, n_out);
    *s = (dpl_str){out, n_out};
done:
    dpl__free(arena->ctx, to, from);
    return status;
}

dpl_str dpl__nfc_id(char buffer[DPL__NFC_ROOM], dpl_str id)
{
    UChar from[DPL__NFC_ROOM / 3], to[DPL__NFC_ROOM / 3];
    UErrorCode code = U_ZERO_ERROR;
    int32_t n_from = 0, n_to;
    bool is_ascii = true;
    for (size_t i = 0; i < id.n && is_ascii; i++)
        is_ascii = (uint8_t)id.data[i] < 0x80;
    if (is_ascii || id.n > DPL__NFC_ROOM / 3)
        return id;
    u_strFromUTF8(from, DPL_LEN(from), &n_from, id.data, (int32_t)id.n, &code);
    const UNormalizer2 *nfc = unorm2_getNFCInstance(&code);
    if (U_FAILURE(code) || unorm2_quickCheck(nfc, from, n_from, &code) == UNORM_YES)
        return id;
    n_to = unorm2_normalize(nfc, from, n_from, to, DPL_LEN(to), &code);
    u_strToUTF8(buffer, DPL__NFC_ROOM, &n_from, to, n_to, &code);
    return U_SUCCESS(code) ? (dpl_str){buffer, (size_t)n_from} : id;
}
