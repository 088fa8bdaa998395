/*
 * charset.c - which encoding an HTML document declares, and the way out of any through ICU.
 *
 * Old pages name ISO-8859-1 and mean windows-1252, and so on: the few labels that browsers read
 * as a larger encoding are read so here too. Cost: the declaration stands in the first bytes or
 * not at all; a conversion is one pass of ICU.
 */
#include "unicode/charset.h"

#include "base/ascii.h"
#include "doppel/text.h"
#include "unicode/unicode.h"

#include <stdlib.h>
#include <strings.h>
#include <unicode/ucnv.h>

enum { LOOK_AT = 4096 };

static bool is_white(char c)
{
    return c == ' ' || c == '\t' || c == '\n' || c == '\r' || c == '\f';
}

/* Where the word stands in [p, end), in any case; NULL if it does not. */
static const char *find(const char *p, const char *end, const char *word)
{
    const size_t n = strlen(word);
    for (; (size_t)(end - p) >= n; p++)
        if (strncasecmp(p, word, n) == 0)
            return p;
    return NULL;
}

/* The value of `word = "value"` in [p, end), with or without the quotes. */
static dpl_str value_of(const char *p, const char *end, const char *word)
{
    while ((p = find(p, end, word))) {
        p += strlen(word);
        while (p < end && is_white(*p))
            p++;
        if (p == end || *p != '=')
            continue;
        p++;
        while (p < end && (is_white(*p) || *p == '"' || *p == '\''))
            p++;
        const char *from = p;
        while (p < end && !is_white(*p) && !strchr("\"';>?", *p))
            p++;
        return (dpl_str){from, (size_t)(p - from)};
    }
    return (dpl_str){0};
}

static dpl_str declared_name(dpl_str html)
{
    const char *p = html.data, *end = p + dpl__min(html.n, LOOK_AT);
    if (end - p > 5 && strncasecmp(p, "<?xml", 5) == 0) {
        const char *close = find(p, end, "?>");
        dpl_str name = value_of(p, close ? close : end, "encoding");
        if (name.n)
            return name;
    }
    while ((p = memchr(p, '<', (size_t)(end - p)))) {
        p++;
        if (end - p >= 3 && memcmp(p, "!--", 3) == 0) {
            const char *close = find(p + 3, end, "-->");
            p = close ? close : end;
        } else if (end - p > 5 && strncasecmp(p, "meta", 4) == 0 && !dpl__is_letter(p[4])) {
            const char *close = memchr(p, '>', (size_t)(end - p));
            dpl_str name = value_of(p, close ? close : end, "charset");
            if (name.n)
                return name;
        }
    }
    return (dpl_str){0};
}

dpl__charset dpl__charset_named(dpl_str name)
{
    static const char *const wider[][2] = {
        {"iso-8859-1", "windows-1252"}, {"iso8859-1", "windows-1252"},
        {"latin1", "windows-1252"},     {"us-ascii", "windows-1252"},
        {"ascii", "windows-1252"},      {"iso-8859-9", "windows-1254"},
        {"iso-8859-11", "windows-874"}, {"tis-620", "windows-874"},
        {"gb2312", "gb18030"},          {"gbk", "gb18030"},
        {"euc-kr", "windows-949"},      {"ks_c_5601-1987", "windows-949"},
        {"shift_jis", "windows-31j"},   {"sjis", "windows-31j"},
        {"x-sjis", "windows-31j"},
    };
    dpl__charset charset = {0};
    if (!name.n || name.n >= sizeof charset.name ||
        (name.n >= 3 && strncasecmp(name.data, "utf", 3) == 0))
        return charset;
    memcpy(charset.name, name.data, name.n);
    UErrorCode code = U_ZERO_ERROR; /* ICU knows more spellings: "l1", "ISO_8859-1:1987" */
    const char *usual = ucnv_getStandardName(charset.name, "MIME", &code);
    for (size_t i = 0; i < DPL_LEN(wider); i++)
        if (strcasecmp(charset.name, wider[i][0]) == 0 ||
            (usual && strcasecmp(usual, wider[i][0]) == 0)) {
            strcpy(charset.name, wider[i][1]);
            break;
        }
    return charset;
}

dpl__charset dpl__charset_declared(dpl_str html)
{
    return dpl__charset_named(html.n ? declared_name(html) : (dpl_str){0});
}

static size_t count_replacements(const char *p, size_t n)
{
    size_t found = 0;
    for (const char *end = p + n; end - p >= 3 && (p = memchr(p, 0xEF, (size_t)(end - p - 2)));
         p++)
        found += p[1] == (char)0xBF && p[2] == (char)0xBD;
    return found;
}

dpl_status dpl__charset_convert(dpl_str *s, dpl__arena *arena, const dpl__charset *from,
                                size_t *n_replaced, dpl_error *err)
{
    *n_replaced = 0;
    assert(s->n <= INT32_MAX / 4);
    UErrorCode code = U_ZERO_ERROR;
    UConverter *converter = ucnv_open(from->name, &code);
    if (code == U_MEMORY_ALLOCATION_ERROR)
        return dpl__fail_nomem(err);
    if (U_FAILURE(code))
        return DPL_END;
    int32_t room = (int32_t)s->n * 3 + 16; /* enough for nearly every encoding */
    char *out = NULL;
    int32_t n = 0;
    for (int tries = 0; tries < 2; tries++) {
        out = dpl__arena_alloc(arena, (size_t)room);
        if (!out)
            break;
        code = U_ZERO_ERROR;
        n = ucnv_toAlgorithmic(UCNV_UTF8, converter, out, room, s->data, (int32_t)s->n, &code);
        if (code != U_BUFFER_OVERFLOW_ERROR)
            break;
        room = n + 1;
        ucnv_reset(converter);
    }
    ucnv_close(converter);
    if (!out || code == U_MEMORY_ALLOCATION_ERROR)
        return dpl__fail_nomem(err);
    if (U_FAILURE(code))
        return DPL_END;
    dpl__arena_shrink(arena, out, (size_t)room, (size_t)n);
    *s = (dpl_str){out, (size_t)n};
    *n_replaced = count_replacements(out, (size_t)n);
    return DPL_OK;
}

bool dpl__charset_map(int map[256], const char *name)
{
    UErrorCode code = U_ZERO_ERROR;
    UConverter *converter = ucnv_open(name, &code);
    const bool is_single = U_SUCCESS(code) && ucnv_getMaxCharSize(converter) == 1;
    for (int i = 0; i < 256 && is_single; i++) {
        const char byte = (char)i, *from = &byte;
        code = U_ZERO_ERROR;
        const UChar32 c = ucnv_getNextUChar(converter, &from, from + 1, &code);
        map[i] = U_FAILURE(code) || c == 0xFFFD ? -1 : c;
        ucnv_reset(converter);
    }
    ucnv_close(converter);
    return is_single;
}

/* ---- names ---------------------------------------------------------------------------- */

static const char *const encodings[] = {
    "UTF-16",       "windows-1250", "windows-1251", "windows-1252", "windows-1253",
    "windows-1254", "windows-1255", "windows-1256", "windows-1257", "windows-1258",
    "windows-874",  "ISO-8859-2",   "ISO-8859-3",   "ISO-8859-4",   "ISO-8859-5",
    "ISO-8859-6",   "ISO-8859-7",   "ISO-8859-8",   "ISO-8859-10",  "ISO-8859-13",
    "ISO-8859-15",  "ISO-8859-16",  "KOI8-R",       "KOI8-U",       "Shift_JIS",
    "EUC-JP",       "ISO-2022-JP",  "EUC-KR",       "GB18030",      "Big5",
    "other"};

const char *dpl__encoding_name(unsigned encoding)
{
    return encoding < DPL_LEN(encodings) ? encodings[encoding] : NULL;
}

unsigned dpl__encoding_number(const char *name)
{
    name = strcasecmp(name, "windows-31j") == 0   ? "Shift_JIS"
           : strcasecmp(name, "windows-949") == 0 ? "EUC-KR"
           : strncasecmp(name, "UTF-16", 6) == 0  ? "UTF-16"
                                                  : name;
    unsigned i = 0;
    while (i + 1 < DPL_LEN(encodings) && strcasecmp(name, encodings[i]) != 0)
        i++;
    return i;
}

bool dpl__charset_option(dpl__charset *out, bool *is_utf8, const char *name)
{
    *out = dpl__charset_named(dpl__cstr(name));
    *is_utf8 = strcasecmp(name, "utf-8") == 0 || strcasecmp(name, "utf8") == 0;
    if (!out->name[0] && !*is_utf8 && strlen(name) < sizeof out->name)
        strcpy(out->name, name); /* UTF-16 without a mark */
    UErrorCode code = U_ZERO_ERROR;
    ucnv_close(ucnv_open(*is_utf8 ? "UTF-8" : out->name, &code));
    return out->name[0] || *is_utf8 ? U_SUCCESS(code) : false;
}

/* ---- streams -------------------------------------------------------------------------- */

struct dpl__decoder {
    UConverter *converter;
    UChar high; /* half of a character that waits for the other */
};

dpl__decoder *dpl__decoder_open(const dpl__charset *from)
{
    UErrorCode code = U_ZERO_ERROR;
    dpl__decoder *d = calloc(1, sizeof *d);
    if (!d)
        return NULL;
    d->converter = ucnv_open(from->name, &code);
    ucnv_setToUCallBack(d->converter, UCNV_TO_U_CALLBACK_STOP, NULL, NULL, NULL, &code);
    if (U_SUCCESS(code))
        return d;
    dpl__decoder_close(d);
    return NULL;
}

void dpl__decoder_close(dpl__decoder *d)
{
    if (!d)
        return;
    ucnv_close(d->converter);
    free(d);
}

static size_t encode_units(dpl__decoder *d, char *out, const UChar *p, size_t n)
{
    char *at = out;
    for (size_t i = 0; i < n; i++) {
        if (U16_IS_LEAD(p[i])) {
            d->high = p[i];
        } else if (U16_IS_TRAIL(p[i])) {
            at += dpl__utf8_encode(at, (uint32_t)U16_GET_SUPPLEMENTARY(d->high, p[i]));
        } else {
            at += dpl__utf8_encode(at, p[i]);
        }
    }
    return (size_t)(at - out);
}

bool dpl__decoder_feed(dpl__decoder *d, dpl_ctx *ctx, dpl__bytes *out, dpl_str bytes,
                       bool is_last)
{
    enum { ROOM = 2048, BEHIND = 64 };
    UChar units[ROOM];
    const char *from = bytes.n ? bytes.data : "", *end = from + bytes.n;
    UErrorCode code;
    do {
        UChar *at = units;
        code = U_ZERO_ERROR;
        ucnv_toUnicode(d->converter, &at, units + ROOM, &from, end, NULL, is_last, &code);
        if (!dpl__vec_reserve(ctx, out, 3 * ROOM + 1 + BEHIND))
            return false;
        out->n += encode_units(d, out->data + out->n, units, (size_t)(at - units));
        if (U_FAILURE(code) && code != U_BUFFER_OVERFLOW_ERROR)
            out->data[out->n++] = (char)0xFF;
    } while (from < end || code == U_BUFFER_OVERFLOW_ERROR);
    return true;
}
