/*
 * json_writer.c - a small JSON writer: commas, escapes, numbers, lines.
 */
#include "base/json_writer.h"

#include "base/ascii.h"
#include "base/decimal.h"

#include <math.h>
#include <stdio.h>

static void put(dpl_json *j, const char *text)
{
    j->put(j->user, text, strlen(text));
}

/* ---- strings ------------------------------------------------------------------------ */

static void put_escaped(dpl_json *j, unsigned char c)
{
    static const char named[] = "\"\\\b\f\n\r\t", letters[] = "\"\\bfnrt";
    char text[8];
    const char *at = c ? strchr(named, c) : NULL;
    if (at)
        snprintf(text, sizeof text, "\\%c", letters[at - named]);
    else
        snprintf(text, sizeof text, "\\u%04x", c);
    put(j, text);
}

static void put_string(dpl_json *j, dpl_str s)
{
    put(j, "\"");
    size_t from = 0; /* not written yet, and needs no change */
    for (size_t i = 0, n; i < s.n; i += n ? n : 1) {
        unsigned char c = (unsigned char)s.data[i];
        n = dpl__utf8_first((dpl_str){s.data + i, s.n - i});
        if (n && c >= 0x20 && c != '"' && c != '\\' && c != 0x7F)
            continue;
        if (i > from)
            j->put(j->user, s.data + from, i - from);
        if (n)
            put_escaped(j, c);
        else
            put(j, "\xEF\xBF\xBD");
        from = i + 1;
    }
    if (s.n > from)
        j->put(j->user, s.data + from, s.n - from);
    put(j, "\"");
}

/* ---- between values ----------------------------------------------------------------- */

static bool is_in_lines(const dpl_json *j)
{
    return j->depth < 64 && (j->are_in_lines >> j->depth & 1);
}

static void put_line_end(dpl_json *j)
{
    put(j, "\n");
    for (unsigned i = 0; i < j->depth; i++)
        put(j, "  ");
}

/* What stands before a value: a comma, a line end, its key. */
static void put_key(dpl_json *j, const char *key)
{
    assert(j->put);
    if (j->needs_comma)
        put(j, j->style == DPL_JSON_COMPACT || is_in_lines(j) ? "," : ", ");
    if (is_in_lines(j))
        put_line_end(j);
    j->needs_comma = true;
    if (!key)
        return;
    put_string(j, dpl__cstr(key));
    put(j, j->style == DPL_JSON_COMPACT ? ":" : ": ");
}

void dpl_json_begin(dpl_json *j, const char *key, char bracket)
{
    assert(bracket == '{' || bracket == '[');
    put_key(j, key);
    j->put(j->user, &bracket, 1);
    j->needs_comma = false;
    bool has_lines =
        j->style == DPL_JSON_LINES && (j->depth == 0 || (j->depth == 1 && bracket == '['));
    if (++j->depth < 64)
        j->are_in_lines = (j->are_in_lines & ~(1ULL << j->depth)) | (uint64_t)has_lines
                                                                        << j->depth;
}

void dpl_json_end(dpl_json *j, char bracket)
{
    assert(j->depth > 0 && (bracket == '}' || bracket == ']'));
    bool has_lines = is_in_lines(j) && j->needs_comma; /* empty ones stay on their line */
    j->depth--;
    if (has_lines)
        put_line_end(j);
    j->put(j->user, &bracket, 1);
    j->needs_comma = true;
}

/* ---- values ------------------------------------------------------------------------- */

void dpl_json_number(dpl_json *j, const char *key, uint64_t value)
{
    char text[24];
    put_key(j, key);
    snprintf(text, sizeof text, "%llu", (unsigned long long)value);
    put(j, text);
}

void dpl_json_real(dpl_json *j, const char *key, double value)
{
    char text[64], *to = text;
    if (!isfinite(value)) {
        dpl_json_null(j, key);
        return;
    }
    put_key(j, key);
    snprintf(text, sizeof text, "%.6g", value);
    for (const char *p = text; *p;) { /* the locale's decimal sign, perhaps of several bytes */
        size_t n = strcspn(p, "0123456789eE+-");
        *to++ = n ? '.' : *p;
        p += n ? n : 1;
    }
    *to = 0;
    put(j, text);
}

void dpl_json_decimal(dpl_json *j, const char *key, double value)
{
    char text[32];
    if (!(value >= 0 && value < 1e12)) {
        dpl_json_real(j, key, value);
        return;
    }
    put_key(j, key);
    put(j, dpl__decimal(text, value));
}

void dpl_json_bool(dpl_json *j, const char *key, bool value)
{
    put_key(j, key);
    put(j, value ? "true" : "false");
}

void dpl_json_text(dpl_json *j, const char *key, dpl_str value)
{
    put_key(j, key);
    put_string(j, value);
}

void dpl_json_cstr(dpl_json *j, const char *key, const char *value)
{
    if (value)
        dpl_json_text(j, key, dpl__cstr(value));
    else
        dpl_json_null(j, key);
}

void dpl_json_null(dpl_json *j, const char *key)
{
    put_key(j, key);
    put(j, "null");
}

void dpl_json_raw(dpl_json *j, const char *key, dpl_str value)
{
    if (!value.n) {
        dpl_json_null(j, key);
        return;
    }
    put_key(j, key);
    j->put(j->user, value.data, value.n);
}

/* ---- into memory -------------------------------------------------------------------- */

static void append(void *user, const char *data, size_t n)
{
    dpl__json_text *text = user;
    if (!text->has_failed && !dpl__vec_append(text->ctx, &text->bytes, data, n))
        text->has_failed = true;
}

dpl_json dpl__json_into(dpl__json_text *text, dpl_json_style style)
{
    return (dpl_json){.put = append, .user = text, .style = style};
}
