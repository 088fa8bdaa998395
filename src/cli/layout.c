/*
 * layout.c - text and numbers made to fit.
 *
 * Cost: linear in what is printed, not in the text: cutting stops at the last column.
 */
#define _XOPEN_SOURCE 700 /* wcwidth */
#include "cli/layout.h"

#include "cli/talk.h"

#include <stdio.h>
#include <string.h>
#include <wchar.h>

enum { REPLACEMENT = 0xFFFD };

uint32_t cli_next_char(dpl_str s, size_t *i)
{
    const unsigned char *p = (const unsigned char *)s.data + *i;
    size_t left = s.n - *i;
    unsigned n = p[0] < 0x80 ? 1 : p[0] >= 0xF0 ? 4 : p[0] >= 0xE0 ? 3 : p[0] >= 0xC2 ? 2 : 0;
    static const unsigned char masks[] = {0, 0x7F, 0x1F, 0x0F, 0x07};
    static const uint32_t least[] = {0, 0, 0x80, 0x800, 0x10000};
    uint32_t c = REPLACEMENT;
    *i += 1;
    if (n == 0 || n > left || p[0] > 0xF4)
        return c;
    c = p[0] & masks[n];
    for (unsigned k = 1; k < n; k++) {
        if ((p[k] & 0xC0) != 0x80)
            return REPLACEMENT;
        c = c << 6 | (p[k] & 0x3F);
    }
    if (c < least[n] || c > 0x10FFFF || (c >= 0xD800 && c < 0xE000))
        return REPLACEMENT;
    *i += n - 1;
    return c;
}

static size_t put_char(char *out, uint32_t c)
{
    if (c < 0x80) {
        out[0] = (char)c;
        return 1;
    }
    size_t n = c < 0x800 ? 2 : c < 0x10000 ? 3 : 4;
    static const unsigned char marks[] = {0, 0, 0xC0, 0xE0, 0xF0};
    for (size_t k = n; --k > 0; c >>= 6)
        out[k] = (char)(0x80 | (c & 0x3F));
    out[0] = (char)(marks[n] | c);
    return n;
}

static bool is_blank(uint32_t c)
{
    return c == ' ' || (c >= '\t' && c <= '\r') || c == 0x2028 || c == 0x2029;
}

/* Marks that turn the direction of the rest of the line do as little good as control codes. */
static bool turns_direction(uint32_t c)
{
    return (c >= 0x202A && c <= 0x202E) || (c >= 0x2066 && c <= 0x2069);
}

/* The next character as it is to be shown, and its columns. A run of white space is one blank.
 */
static uint32_t next_shown(dpl_str s, size_t *i, unsigned *columns)
{
    uint32_t c = cli_next_char(s, i);
    *columns = 1;
    if (is_blank(c)) {
        for (size_t next = *i; next < s.n && is_blank(cli_next_char(s, &next));)
            *i = next;
        return ' ';
    }
    if (c < 0x20 || (c >= 0x7F && c < 0xA0) || turns_direction(c))
        return REPLACEMENT;
    int width = wcwidth((wchar_t)c);
    *columns = width < 0 ? 1 : (unsigned)width;
    return c;
}

unsigned cli_fit(char *out, size_t n_out, dpl_str s, unsigned columns)
{
    size_t n = 0, n_kept = 0; /* kept: what stays when the cut mark has to follow */
    unsigned used = 0, used_kept = 0, more;
    for (size_t i = 0; i < s.n;) {
        uint32_t c = next_shown(s, &i, &more);
        if (used + more > columns || n + 8 > n_out) {
            n = n_kept;
            used = used_kept;
            if (columns) {
                n += put_char(out + n, 0x2026);
                used++;
            }
            break;
        }
        n += put_char(out + n, c);
        used += more;
        if (used < columns && n + 8 <= n_out) {
            n_kept = n;
            used_kept = used;
        }
    }
    out[n] = 0;
    return used;
}

void cli_print_line(dpl_str s)
{
    char out[4];
    unsigned columns;
    for (size_t i = 0; i < s.n;)
        cli_write(out, put_char(out, next_shown(s, &i, &columns)));
    cli_write("\n", 1);
}

const char *cli_grouped(char out[32], uint64_t n)
{
    char digits[24];
    int n_digits = snprintf(digits, sizeof digits, "%llu", (unsigned long long)n);
    char *to = out;
    for (int i = 0; i < n_digits; i++) {
        if (i && (n_digits - i) % 3 == 0)
            *to++ = ',';
        *to++ = digits[i];
    }
    *to = 0;
    return out;
}

const char *cli_bytes(char out[32], uint64_t n)
{
    static const char *const units[] = {"KiB", "MiB", "GiB", "TiB", "PiB", "EiB"};
    if (n < 1024) {
        snprintf(out, 32, "%u byte%s", (unsigned)n, n == 1 ? "" : "s");
        return out;
    }
    double x = (double)n / 1024;
    size_t unit = 0;
    for (; x >= 1023.95 && unit + 1 < sizeof units / sizeof *units; unit++)
        x /= 1024;
    snprintf(out, 32, "%.*f %s", x < 99.95 ? 1 : 0, x, units[unit]);
    return out;
}

const char *cli_about(char out[32], double s)
{
    if (s < 0.00005)
        snprintf(out, 32, "< 0.1 ms");
    else if (s < 0.9995)
        snprintf(out, 32, "%.*f ms", s < 0.00995, 1000 * s);
    else if (s < 120)
        snprintf(out, 32, "%.*f s", s < 9.95, s);
    else if (s < 2 * 3600)
        snprintf(out, 32, "%.0f min", s / 60);
    else if (s < 3 * 86400)
        snprintf(out, 32, "%.1f h", s / 3600);
    else
        snprintf(out, 32, "%.0f days", s / 86400);
    return out;
}

const char *cli_duration(char out[32], double seconds)
{
    const double most = 100 * 3600.0 - 1;
    unsigned s = (unsigned)((seconds < 0 ? 0 : seconds > most ? most : seconds) + 0.5);
    if (s < 3600)
        snprintf(out, 32, "%u:%02u", s / 60, s % 60);
    else
        snprintf(out, 32, "%u:%02u:%02u", s / 3600, s / 60 % 60, s % 60);
    return out;
}

const char *cli_row(char *out, size_t n_out, const char *label, const char *value,
                    const char *remark)
{
    snprintf(out, n_out, "  %-12s %14s%s%s", label, value, *remark ? "   " : "", remark);
    return out;
}

bool cli_wrap(dpl_str *line, const char **text, unsigned columns)
{
    const char *p = *text;
    if (!*p)
        return false;
    size_t n = strcspn(p, "\n");
    if (n > columns && p[0] != ' ') {
        size_t cut = columns;
        while (cut && p[cut] != ' ')
            cut--;
        if (!cut) /* a word longer than the line */
            cut = strcspn(p, " \n");
        n = cut;
    }
    *line = (dpl_str){p, n};
    *text = p + n + (p[n] == ' ' || p[n] == '\n');
    return true;
}
