/*
 * charset.c - which encoding an HTML document declares, and the way out of any through ICU.
 *
 * Old pages name ISO-8859-1 and mean windows-1252, and so on: the few labels that browsers read
 * as a larger encoding are read so here too. Cost: the declaration stands in the first bytes or
 * not at all; a conversion is one pass of ICU.
 */
#include "text/charset.h"

#include <strings.h>
#include <unicode/ucnv.h>

enum { LOOK_AT = 4096 };

static bool is_letter(char c)
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
}

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
        } else if (end - p > 5 && strncasecmp(p, "meta", 4) == 0 && !is_letter(p[4])) {
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
    for (size_t i = 0; i < DPL_LEN(wider); i++)
        if (strcasecmp(charset.name, wider[i][0]) == 0)
            strcpy(charset.name, wider[i][1]);
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
