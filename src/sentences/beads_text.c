/*
 * beads_text.c - numbers and escaped text for the formats.
 *
 * Text is written in runs between the characters that must be escaped.
 */
#include "sentences/beads_writer.h"

#include "base/decimal.h"
#include "unicode/unicode.h"

#include <stdio.h>

void dpl__bead_put(dpl_beads_writer *w, int side, const char *data, size_t n)
{
    if (w->options.put)
        w->options.put(w->options.user, side, data, n);
    else
        dpl_output_write(w->files[side], data, n);
}

void dpl__bead_put_cstr(dpl_beads_writer *w, const char *s)
{
    dpl__bead_put(w, 0, s, strlen(s));
}

void dpl__bead_put_number(dpl_beads_writer *w, uint64_t x)
{
    char text[24];
    dpl__bead_put(w, 0, text,
                  (size_t)snprintf(text, sizeof text, "%llu", (unsigned long long)x));
}

void dpl__bead_put_score(dpl_beads_writer *w, double x)
{
    char text[32];
    dpl__bead_put_cstr(w, dpl__millionths(text, x));
}

void dpl__bead_put_units(dpl_beads_writer *w, int side, uint32_t first, uint32_t n)
{
    dpl__bead_put_cstr(w, "[");
    for (uint32_t i = 0; i < n; i++) {
        dpl__bead_put(w, 0, ",", i > 0);
        dpl__bead_put_number(w, w->numbers[side].data[first + i]);
    }
    dpl__bead_put_cstr(w, "]");
}

/* ---- escapes ------------------------------------------------------------------------ */

static const char *json_escape(const uint8_t *p)
{
    return p[0] == '"' ? "\\\"" : p[0] == '\\' ? "\\\\" : NULL;
}

/* XML has no U+FFFE and U+FFFF, whatever the escape. */
static const char *xml_escape(const uint8_t *p, size_t n, size_t *n_taken)
{
    switch (p[0]) {
    case '&': return "&amp;";
    case '<': return "&lt;";
    case '>': return "&gt;";
    case '"': return "&quot;";
    case 0xEF:
        if (n < 3 || p[1] != 0xBF || p[2] < 0xBE)
            return NULL;
        *n_taken = 3;
        return "\xEF\xBF\xBD"; /* U+FFFD */
    default: return NULL;
    }
}

/* What to write for the character at p[0, n), of *n_taken bytes; NULL: itself. */
static const char *escape_at(const uint8_t *p, size_t n, size_t *n_taken, dpl__escape escape)
{
    *n_taken = 1;
    if (escape == DPL__ESCAPE_JSON)
        return json_escape(p);
    return escape == DPL__ESCAPE_XML ? xml_escape(p, n, n_taken) : NULL;
}

static void put(dpl_beads_writer *w, int side, dpl_str s, dpl__escape escape, bool has_breaks)
{
    const uint8_t *p = (const uint8_t *)s.data;
    size_t from = 0;
    for (size_t i = 0; i < s.n;) {
        size_t n_taken = has_breaks ? 0 : dpl__break_at(p + i, s.n - i);
        const char *instead = n_taken ? " " : escape_at(p + i, s.n - i, &n_taken, escape);
        if (instead) {
            dpl__bead_put(w, side, s.data + from, i - from);
            dpl__bead_put(w, side, instead, strlen(instead));
            from = i + n_taken;
        }
        i += n_taken;
    }
    if (s.n > from)
        dpl__bead_put(w, side, s.data + from, s.n - from);
}

void dpl__bead_put_id(dpl_beads_writer *w, dpl_str s, dpl__escape escape)
{
    put(w, 0, s, escape, true);
}

void dpl__bead_put_text(dpl_beads_writer *w, int side, dpl_str s, dpl__escape escape)
{
    put(w, side, s, escape, false);
}
