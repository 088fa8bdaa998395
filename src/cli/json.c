/*
 * json.c - a small JSON writer: commas, escapes, numbers.
 */
#include "cli/json.h"

#include "cli/layout.h"
#include "cli/talk.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

static void put(cli_json *j, const char *data, size_t n)
{
    if (j->put)
        j->put(j->user, data, n);
    else
        cli_write(data, n);
}

static void put_escaped(cli_json *j, unsigned char c)
{
    static const char named[] = "\"\\\b\f\n\r\t", letters[] = "\"\\bfnrt";
    char text[8];
    const char *at = c ? strchr(named, c) : NULL;
    if (at)
        snprintf(text, sizeof text, "\\%c", letters[at - named]);
    else
        snprintf(text, sizeof text, "\\u%04x", c);
    put(j, text, strlen(text));
}

static void put_string(cli_json *j, dpl_str s)
{
    put(j, "\"", 1);
    size_t from = 0; /* what is not written yet and needs no change */
    for (size_t i = 0; i < s.n;) {
        size_t at = i;
        uint32_t c = cli_next_char(s, &i);
        bool is_bad = c == 0xFFFD && i == at + 1;
        if (!is_bad && c >= 0x20 && c != '"' && c != '\\' && c != 0x7F)
            continue;
        if (at > from)
            put(j, s.data + from, at - from);
        if (is_bad)
            put(j, "\xEF\xBF\xBD", 3);
        else
            put_escaped(j, (unsigned char)c);
        from = i;
    }
    if (s.n > from)
        put(j, s.data + from, s.n - from);
    put(j, "\"", 1);
}

static void put_key(cli_json *j, const char *key)
{
    if (j->needs_comma)
        put(j, ", ", 2);
    j->needs_comma = true;
    if (key) {
        put_string(j, (dpl_str){key, strlen(key)});
        put(j, ": ", 2);
    }
}

void cli_json_begin(cli_json *j, const char *key, char bracket)
{
    put_key(j, key);
    put(j, &bracket, 1);
    j->needs_comma = false;
}

void cli_json_end(cli_json *j, char bracket)
{
    put(j, &bracket, 1);
    j->needs_comma = true;
}

void cli_json_number(cli_json *j, const char *key, uint64_t value)
{
    char text[24];
    put_key(j, key);
    put(j, text, (size_t)snprintf(text, sizeof text, "%llu", (unsigned long long)value));
}

void cli_json_real(cli_json *j, const char *key, double value)
{
    char text[64];
    put_key(j, key);
    if (isfinite(value))
        put(j, text, (size_t)snprintf(text, sizeof text, "%.6g", value));
    else
        put(j, "null", 4);
}

void cli_json_bool(cli_json *j, const char *key, bool value)
{
    put_key(j, key);
    put(j, value ? "true" : "false", value ? 4 : 5);
}

void cli_json_text(cli_json *j, const char *key, dpl_str value)
{
    put_key(j, key);
    put_string(j, value);
}

void cli_json_cstr(cli_json *j, const char *key, const char *value)
{
    cli_json_text(j, key, (dpl_str){value, strlen(value)});
}

void cli_json_raw(cli_json *j, const char *key, dpl_str value)
{
    put_key(j, key);
    if (value.n)
        put(j, value.data, value.n);
    else
        put(j, "null", 4);
}
