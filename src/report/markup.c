/*
 * markup.c - escapes and numbers.
 *
 * Numbers go through integers, so that no locale has a say. Cost: one look at each byte.
 */
#include "report/markup.h"

#include "kernels/kernels.h"

#include <stdio.h>

#define DASH "\xE2\x80\x93"
#define MINUS "\xE2\x88\x92"
#define REPLACEMENT "\xEF\xBF\xBD"

void dpl__markup_raw(dpl_output *o, const char *markup)
{
    dpl_output_write(o, markup, strlen(markup));
}

/* ---- text --------------------------------------------------------------------------- */

/* What stands for the character at p of valid UTF-8; *n_bytes is its length. NULL: it
 * stands for itself. */
static const char *escape(const uint8_t *p, size_t *n_bytes)
{
    *n_bytes = 1;
    switch (*p) {
    case '&': return "&amp;";
    case '<': return "&lt;";
    case '>': return "&gt;";
    case '"': return "&quot;";
    case '\'': return "&#39;";
    case '\t':
    case '\n': return NULL;
    case '\r': return "&#13;"; /* XML would make it a line feed */
    case 0x7F: return REPLACEMENT;
    case 0xC2: /* control characters U+0080 to U+009F */
        *n_bytes = 2;
        return p[1] < 0xA0 ? REPLACEMENT : NULL;
    case 0xEF: /* U+FFFE and U+FFFF are no characters */
        *n_bytes = 3;
        return p[1] == 0xBF && p[2] >= 0xBE ? REPLACEMENT : NULL;
    default: return *p < 0x20 ? REPLACEMENT : NULL;
    }
}

static void put_valid(dpl_output *o, const uint8_t *p, size_t n)
{
    size_t from = 0; /* what is not written yet and needs no change */
    for (size_t i = 0, n_bytes; i < n; i += n_bytes) {
        const char *instead = escape(p + i, &n_bytes);
        if (!instead)
            continue;
        dpl_output_write(o, p + from, i - from);
        dpl__markup_raw(o, instead);
        from = i + n_bytes;
    }
    dpl_output_write(o, p + from, n - from);
}

void dpl__markup_text(dpl_output *o, dpl_str text)
{
    const uint8_t *p = (const uint8_t *)text.data;
    for (size_t at = 0; at < text.n;) {
        uint8_t most;
        size_t n = dpl__utf8_prefix_scalar(p + at, text.n - at, &most);
        put_valid(o, p + at, n);
        at += n;
        if (at < text.n) {
            dpl__markup_raw(o, REPLACEMENT);
            at++;
        }
    }
}

/* ---- numbers ------------------------------------------------------------------------ */

static void put_count(dpl_output *o, uint64_t n)
{
    char digits[24], out[32];
    size_t n_digits = (size_t)snprintf(digits, sizeof digits, "%llu", (unsigned long long)n);
    size_t length = 0;
    for (size_t i = 0; i < n_digits; i++) {
        if (i > 0 && (n_digits - i) % 3 == 0)
            out[length++] = ',';
        out[length++] = digits[i];
    }
    dpl_output_write(o, out, length);
}

/* |x| in units of 10^-digits; false when it is no number that we would print. */
static bool to_units(uint64_t *units, uint64_t *unit, double x, int digits)
{
    static const unsigned powers[] = {1, 10, 100, 1000};
    assert(digits >= 0 && digits <= 3);
    if (!(x > -1e15 && x < 1e15))
        return false;
    *unit = powers[digits];
    *units = (uint64_t)((x < 0 ? -x : x) * (double)*unit + 0.5);
    return true;
}

static void put_fixed(dpl_output *o, double x, int digits)
{
    uint64_t units, unit;
    if (!to_units(&units, &unit, x, digits)) {
        dpl__markup_raw(o, DASH);
        return;
    }
    if (x < 0 && units > 0)
        dpl__markup_raw(o, MINUS);
    put_count(o, units / unit);
    if (unit > 1)
        dpl__markup_raw(o, ".");
    for (uint64_t place = unit / 10; place > 0; place /= 10) {
        char digit = (char)('0' + units / place % 10);
        dpl_output_write(o, &digit, 1);
    }
}

static void put_place(dpl_output *o, double x)
{
    uint64_t units, unit;
    if (!to_units(&units, &unit, x, 2))
        units = 0;
    char out[32];
    int n = snprintf(out, sizeof out, "%s%llu.%02u", x < 0 && units > 0 ? "-" : "",
                     (unsigned long long)(units / 100), (unsigned)(units % 100));
    while (out[n - 1] == '0')
        n--;
    n -= out[n - 1] == '.';
    dpl_output_write(o, out, (size_t)n);
}

static void put_seconds(dpl_output *o, double x)
{
    enum { MINUTE = 60, HOUR = 3600 };
    if (!(x >= 2 * MINUTE && x < 1e15)) {
        put_fixed(o, x, x < 99.995 ? 2 : 1);
        dpl__markup_raw(o, " s");
        return;
    }
    uint64_t s = (uint64_t)(x + 0.5);
    bool is_long = s >= 2 * HOUR;
    put_count(o, is_long ? s / HOUR : s / MINUTE);
    dpl__markup_raw(o, is_long ? " h " : " min ");
    put_count(o, is_long ? s % HOUR / MINUTE : s % MINUTE);
    dpl__markup_raw(o, is_long ? " min" : " s");
}

/* ---- markup with values -------------------------------------------------------------- */

static void put_value(dpl_output *o, const dpl__value *v)
{
    switch (v->kind) {
    case DPL__VALUE_TEXT: dpl__markup_text(o, v->text); break;
    case DPL__VALUE_COUNT: put_count(o, v->count); break;
    case DPL__VALUE_FIXED: put_fixed(o, v->number, v->digits); break;
    case DPL__VALUE_SECONDS: put_seconds(o, v->number); break;
    case DPL__VALUE_PLACE: put_place(o, v->number); break;
    }
}

void dpl__markup_fill(dpl_output *o, const char *markup, const dpl__value *values, size_t n)
{
    size_t i = 0;
    for (const char *dollar; (dollar = strchr(markup, '$')); markup = dollar + 1) {
        dpl_output_write(o, markup, (size_t)(dollar - markup));
        assert(i < n);
        put_value(o, &values[i++]);
    }
    assert(i == n);
    (void)n;
    dpl__markup_raw(o, markup);
}

/* ---- markup with figures ------------------------------------------------------------- */

static void put_markup(void *user, const char *data, size_t n)
{
    dpl_output_write(user, data, n);
}

static void put_figure(void *user, const dpl_figure_value *v, dpl_str how)
{
    if (how.n && *how.data == '.') {
        assert(how.n == 3);
        put_fixed(user, how.data[2] == 'p' ? 100 * v->real : v->real, how.data[1] - '0');
    } else if (how.n) {
        put_seconds(user, v->real);
    } else if (v->figure->type == DPL_FIGURE_COUNT) {
        put_count(user, v->number);
    } else {
        dpl__markup_text(user, dpl__cstr(v->text));
    }
}

void dpl__markup_figures(dpl_output *o, const dpl_figures *in, size_t position,
                         const char *markup)
{
    dpl_figure_text(&(dpl_figure_sink){o, put_markup, put_figure}, in, position, markup);
}
