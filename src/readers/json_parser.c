/*
 * json_parser.c - a pull parser over one JSON text.
 *
 * Records of text are a few short tokens around long strings, so the time goes into the
 * strings: a kernel jumps to the next quote, backslash or control character. Nesting costs one
 * bit a level, not a stack frame. Cost: each byte is looked at once, one copy of strings with
 * escapes.
 */
#include "readers/json_parser.h"

#include "base/ascii.h"
#include "base/ctx.h"
#include "kernels/kernels.h"
#include "unicode/unicode.h"

#include <limits.h>

/* Where a run of plain characters in a string ends: '"', '\\' and below 0x20. */
static const dpl__byteset special = {
    .low = {{3, 3, 7, 3, 3, 3, 3, 3, 3, 3, 3, 3, 0x23, 3, 3, 3}}};

dpl__json dpl__json_begin(const dpl_ctx *ctx, dpl_str text)
{
    const char *p = text.n ? text.data : "";
    return (dpl__json){.kernels = ctx->kernels, .begin = p, .at = p, .end = p + text.n};
}

uint64_t dpl__json_column(const dpl__json *j, const char *place)
{
    assert(place >= j->begin && place <= j->end);
    return (uint64_t)(place - j->begin) + 1;
}

DPL_COLD static dpl_status fail(dpl__json *j, const char *at, const char *problem)
{
    j->at = at;
    j->problem = problem;
    return DPL_E_FORMAT;
}

char dpl__json_peek(dpl__json *j)
{
    while (j->at < j->end &&
           (*j->at == ' ' || *j->at == '\t' || *j->at == '\n' || *j->at == '\r'))
        j->at++;
    return j->at < j->end ? *j->at : 0;
}

dpl_status dpl__json_end(dpl__json *j)
{
    dpl__json_peek(j);
    return j->at == j->end ? DPL_OK : fail(j, j->at, "something follows the JSON value");
}

/* ---- objects and arrays ------------------------------------------------------------- */

dpl_status dpl__json_open(dpl__json *j, char bracket)
{
    assert(bracket == '{' || bracket == '[');
    if (dpl__json_peek(j) != bracket)
        return fail(j, j->at, bracket == '{' ? "expected an object" : "expected an array");
    j->at++;
    j->is_fresh = true;
    return DPL_OK;
}

/* Up to the next member or element, or out through the closing bracket. */
static dpl_status next(dpl__json *j, char close)
{
    assert(j->at <= j->end);
    char c = dpl__json_peek(j);
    bool is_fresh = j->is_fresh;
    j->is_fresh = false;
    if (c == close) {
        j->at++;
        return DPL_END;
    }
    if (is_fresh)
        return DPL_OK;
    if (c != ',')
        return fail(j, j->at, close == '}' ? "expected ',' or '}'" : "expected ',' or ']'");
    j->at++;
    return DPL_OK;
}

static dpl_status colon(dpl__json *j)
{
    if (dpl__json_peek(j) != ':')
        return fail(j, j->at, "expected ':'");
    j->at++;
    return DPL_OK;
}

dpl_status dpl__json_element(dpl__json *j)
{
    return next(j, ']');
}

dpl_status dpl__json_member(dpl__json *j, dpl__arena *arena, dpl_str *key)
{
    DPL_TRY(next(j, '}'));
    dpl__json_peek(j);
    j->key = j->at;
    const size_t n_lone = j->n_lone;
    DPL_TRY(dpl__json_string(j, arena, key));
    j->n_lone = n_lone;
    return colon(j);
}

/* ---- strings ------------------------------------------------------------------------ */

/* Four hexadecimal digits at p, or -1. */
static int32_t hex4(const char *p, const char *end)
{
    static const int8_t one_more[256] = {
        /* than the digit's value; 0 for what is none */
        ['0'] = 1,  ['1'] = 2,  ['2'] = 3,  ['3'] = 4,  ['4'] = 5,  ['5'] = 6,
        ['6'] = 7,  ['7'] = 8,  ['8'] = 9,  ['9'] = 10, ['a'] = 11, ['b'] = 12,
        ['c'] = 13, ['d'] = 14, ['e'] = 15, ['f'] = 16, ['A'] = 11, ['B'] = 12,
        ['C'] = 13, ['D'] = 14, ['E'] = 15, ['F'] = 16};
    if (end - p < 4)
        return -1;
    const uint8_t *u = (const uint8_t *)p;
    int a = one_more[u[0]], b = one_more[u[1]], c = one_more[u[2]], d = one_more[u[3]];
    if (!a || !b || !c || !d)
        return -1;
    return (a - 1) << 12 | (b - 1) << 8 | (c - 1) << 4 | (d - 1);
}

/* The code point of the escape at *p (a backslash), which moves behind it; -1 if it is none. A
 * surrogate on its own stays one. */
static int32_t unescape(const char **p, const char *end)
{
    static const char names[] = "\"\\/bfnrt", values[] = "\"\\/\b\f\n\r\t";
    const char *at = *p + 1;
    if (at >= end)
        return -1;
    if (*at != 'u') {
        const char *name = *at ? strchr(names, *at) : NULL;
        *p = at + 1;
        return name ? values[name - names] : -1;
    }
    int32_t c = hex4(at + 1, end);
    if (c < 0)
        return -1;
    at += 5;
    if (c >= 0xD800 && c < 0xDC00 && end - at >= 6 && at[0] == '\\' && at[1] == 'u') {
        int32_t low = hex4(at + 2, end);
        if (low >= 0xDC00 && low < 0xE000) {
            c = ((c - 0xD7C0) << 10) + (low & 0x3FF);
            at += 6;
        }
    }
    *p = at;
    return c;
}

/* The end of the run of plain characters at p. Runs between dense escapes are short: look
 * before calling the kernel. */
static const char *plain_end(const dpl__json *j, const char *p)
{
    if (p < j->end && *p == '\\')
        return p;
    return p + j->kernels->find_byte((const uint8_t *)p, (size_t)(j->end - p), &special);
}

static dpl_status bad_string(dpl__json *j, const char *at)
{
    return fail(j, at,
                at == j->end ? "a string is not closed" : "a control character in a string");
}

/* Decodes the rest of a string that has its first escape at `at`. The text never gets longer.
 */
static dpl_status decode(dpl__json *j, dpl__arena *arena, const char *from, const char *at,
                         dpl_str *s)
{
    const size_t n_most = (size_t)(j->end - from);
    char *out = dpl__arena_alloc(arena, n_most);
    if (!out)
        return DPL_E_NOMEM;
    size_t n = (size_t)(at - from);
    memcpy(out, from, n);
    while (at < j->end && *at == '\\') {
        const char *escape = at;
        int32_t c = unescape(&at, j->end);
        if (c < 0)
            return fail(j, escape, "an unknown escape in a string");
        if (c >= 0xD800 && c < 0xE000) {
            j->lone = j->n_lone++ ? j->lone : escape;
            c = 0xFFFD;
        }
        n += dpl__utf8_encode(out + n, (uint32_t)c);
        const char *end = plain_end(j, at);
        memcpy(out + n, at, (size_t)(end - at));
        n += (size_t)(end - at);
        at = end;
    }
    if (at == j->end || *at != '"')
        return bad_string(j, at);
    dpl__arena_shrink(arena, out, n_most, n);
    j->at = at + 1;
    *s = (dpl_str){out, n};
    return DPL_OK;
}

dpl_status dpl__json_string(dpl__json *j, dpl__arena *arena, dpl_str *s)
{
    if (dpl__json_peek(j) != '"')
        return fail(j, j->at, "expected a string");
    const char *from = j->at + 1, *at = plain_end(j, from);
    if (at < j->end && *at == '\\')
        return decode(j, arena, from, at, s);
    if (at == j->end || *at != '"')
        return bad_string(j, at);
    j->at = at + 1;
    *s = (dpl_str){from, (size_t)(at - from)};
    return DPL_OK;
}

static dpl_status skip_string(dpl__json *j)
{
    if (dpl__json_peek(j) != '"')
        return fail(j, j->at, "expected a string");
    const char *at = plain_end(j, j->at + 1);
    while (at < j->end && *at == '\\') {
        const char *escape = at;
        if (unescape(&at, j->end) < 0)
            return fail(j, escape, "an unknown escape in a string");
        at = plain_end(j, at);
    }
    if (at == j->end || *at != '"')
        return bad_string(j, at);
    j->at = at + 1;
    return DPL_OK;
}

/* ---- other values ------------------------------------------------------------------- */

static const char *digits(const char *p, const char *end)
{
    while (p < end && dpl__is_digit(*p))
        p++;
    return p;
}

dpl_status dpl__json_number(dpl__json *j, dpl_str *raw)
{
    dpl__json_peek(j);
    const char *p = j->at, *end = j->end, *from;
    p += p < end && *p == '-';
    from = p;
    p = digits(p, end);
    if (p == from || (*from == '0' && p - from > 1))
        return fail(j, j->at, "expected a number");
    if (p < end && *p == '.') {
        from = ++p;
        p = digits(p, end);
        if (p == from)
            return fail(j, p, "expected a digit");
    }
    if (p < end && (*p == 'e' || *p == 'E')) {
        p++;
        p += p < end && (*p == '+' || *p == '-');
        from = p;
        p = digits(p, end);
        if (p == from)
            return fail(j, p, "expected a digit");
    }
    *raw = (dpl_str){j->at, (size_t)(p - j->at)};
    j->at = p;
    return DPL_OK;
}

static dpl_status skip_scalar(dpl__json *j)
{
    static const dpl_str words[] = {{"true", 4}, {"false", 5}, {"null", 4}};
    dpl_str raw;
    char c = dpl__json_peek(j);
    if (c == '"')
        return skip_string(j);
    if (c == '-' || dpl__is_digit(c))
        return dpl__json_number(j, &raw);
    for (size_t i = 0; i < DPL_LEN(words); i++)
        if (words[i].n <= (size_t)(j->end - j->at) &&
            memcmp(j->at, words[i].data, words[i].n) == 0) {
            j->at += words[i].n;
            return DPL_OK;
        }
    return fail(j, j->at, "expected a value");
}

dpl_status dpl__json_skip(dpl__json *j, dpl_str *raw)
{
    bool is_object[DPL__JSON_DEPTH];
    size_t depth = 0;
    dpl__json_peek(j);
    const char *from = j->at;
    do {
        char c = dpl__json_peek(j);
        if (c == '{' || c == '[') {
            if (depth == DPL__JSON_DEPTH)
                return fail(j, j->at, "nested too deeply");
            is_object[depth++] = c == '{';
            DPL_TRY(dpl__json_open(j, c));
        } else {
            DPL_TRY(skip_scalar(j));
        }
        dpl_status status = DPL_END; /* of the innermost one that is still open */
        while (depth && (status = next(j, is_object[depth - 1] ? '}' : ']')) == DPL_END)
            depth--;
        if (status == DPL_OK && is_object[depth - 1]) {
            DPL_TRY(skip_string(j));
            DPL_TRY(colon(j));
        } else if (status < 0) {
            return status;
        }
    } while (depth);
    *raw = (dpl_str){from, (size_t)(j->at - from)};
    return DPL_OK;
}

/* ---- writing ------------------------------------------------------------------------ */

static bool escape_one(dpl_ctx *ctx, dpl__bytes *out, unsigned char c)
{
    static const char hex[] = "0123456789abcdef";
    static const char named[] = "\b\t\n\f\r\"\\", names[] = "btnfr\"\\";
    const char *name = c ? strchr(named, c) : NULL;
    const char escape[6] = {'\\',       name ? names[name - named] : 'u', '0', '0', hex[c >> 4],
                            hex[c & 15]};
    const size_t n = name ? 2 : 6;
    return dpl__vec_append(ctx, out, escape, n);
}

bool dpl__json_escape(dpl_ctx *ctx, dpl__bytes *out, dpl_str s)
{
    if (!dpl__vec_reserve(ctx, out, s.n + 2))
        return false;
    out->data[out->n++] = '"';
    for (size_t i = 0; i < s.n;) {
        size_t n = ctx->kernels->find_byte((const uint8_t *)s.data + i, s.n - i, &special);
        if (!dpl__vec_append(ctx, out, s.data + i, n))
            return false;
        i += n;
        if (i < s.n && !escape_one(ctx, out, (unsigned char)s.data[i++]))
            return false;
    }
    return dpl__vec_push(ctx, out, '"');
}

/* ---- members of an object ------------------------------------------------------------- */

dpl_str dpl__json_value(dpl_ctx *ctx, dpl_str object, const char *key)
{
    dpl__json j = dpl__json_begin(ctx, object);
    dpl__arena arena;
    dpl_str name, raw, found = {0};
    dpl__arena_init(&arena, ctx);
    if (dpl__json_open(&j, '{') == DPL_OK)
        while (!found.n && dpl__json_member(&j, &arena, &name) == DPL_OK &&
               dpl__json_skip(&j, &raw) == DPL_OK)
            if (dpl__str_eq(name, dpl__cstr(key)))
                found = raw;
    dpl__arena_clear(&arena);
    return found;
}

unsigned dpl__setting_number(dpl_ctx *ctx, dpl_str settings, const char *key)
{
    dpl_str raw = dpl__json_value(ctx, settings, key);
    return (unsigned)dpl__min(dpl__take_digits(&raw), UINT_MAX);
}

bool dpl__setting_is_true(dpl_ctx *ctx, dpl_str settings, const char *key)
{
    return dpl__str_eq(dpl__json_value(ctx, settings, key), DPL_STR("true"));
}
