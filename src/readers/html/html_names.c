/*
 * html_names.c - character references to UTF-8, by the HTML standard.
 *
 * The table (tools/html-names) has the names of each initial letter in order, each without what
 * it shares with the one before: 19 KB for 2125 names. Cost: the names of one letter are passed
 * over, some 40, one or two bytes each; the five most frequent names are compared first.
 */
#include "readers/html/html_names.h"

#include "base/ascii.h"
#include "readers/html/html_names_data.h"
#include "unicode/unicode.h"

static void set_character(dpl__html_value *value, uint32_t c)
{
    value->n = dpl__utf8_encode(value->bytes, c);
}

/* ---- numbers -------------------------------------------------------------------------- */

/* Numbers of the C1 controls mean what windows-1252 has there. */
static uint32_t character_of(uint32_t number)
{
    static const uint16_t windows_1252[32] = {
        0x20AC, 0x81,   0x201A, 0x0192, 0x201E, 0x2026, 0x2020, 0x2021, 0x02C6, 0x2030, 0x0160,
        0x2039, 0x0152, 0x8D,   0x017D, 0x8F,   0x90,   0x2018, 0x2019, 0x201C, 0x201D, 0x2022,
        0x2013, 0x2014, 0x02DC, 0x2122, 0x0161, 0x203A, 0x0153, 0x9D,   0x017E, 0x0178};
    if (number == 0 || number > 0x10FFFF || (number >= 0xD800 && number < 0xE000))
        return 0xFFFD;
    return number >= 0x80 && number < 0xA0 ? windows_1252[number - 0x80] : number;
}

static int digit_of(char c, bool is_hex)
{
    return is_hex || dpl__is_digit(c) ? dpl__hex_digit(c) : -1;
}

static size_t read_number(dpl__html_value *value, dpl_str s)
{
    size_t i = 2;
    const bool is_hex = i < s.n && (s.data[i] | 0x20) == 'x';
    i += is_hex;
    const size_t first = i;
    uint32_t number = 0;
    for (int digit; i < s.n && (digit = digit_of(s.data[i], is_hex)) >= 0; i++)
        if (number <= 0x10FFFF)
            number = number * (is_hex ? 16 : 10) + (uint32_t)digit;
    if (i == first)
        return 0;
    set_character(value, character_of(number));
    return i + (i < s.n && s.data[i] == ';');
}

/* ---- names ---------------------------------------------------------------------------- */

/* The frequent references, which end with a semicolon. */
static size_t read_frequent(dpl__html_value *value, dpl_str s)
{
    static const struct frequent {
        char name[6];
        uint8_t n;
        uint8_t c;
    } all[] = {{"nbsp;", 5, 0xA0},
               {"amp;", 4, '&'},
               {"lt;", 3, '<'},
               {"gt;", 3, '>'},
               {"quot;", 5, '"'}};
    for (size_t i = 0; i < DPL_LEN(all); i++)
        if (s.n > all[i].n && memcmp(s.data + 1, all[i].name, all[i].n) == 0) {
            set_character(value, all[i].c);
            return all[i].n + 1u;
        }
    return 0;
}

/* One name of the table: [shared][rest, 128: without semicolon, too][bytes][n][value]. */
typedef struct row {
    unsigned n_shared, n_rest;
    bool is_short;
    const char *rest, *value;
} row;

static const char *next_row(row *r, const char *p)
{
    const unsigned n = (unsigned char)p[1];
    *r = (row){.n_shared = (unsigned char)p[0],
               .n_rest = n & 127,
               .is_short = n > 127,
               .rest = p + 2,
               .value = p + 2 + (n & 127)};
    return r->value + 1 + r->value[0];
}

enum { NO_MORE = 255 };

/* The longest name that s begins with; its length with the semicolon, if there is one. */
static size_t longest_name(dpl__html_value *value, dpl_str s)
{
    const unsigned char letter = (unsigned char)s.data[0];
    const char *p = letter < 128 ? names_of[letter] : NULL;
    size_t found = 0;
    dpl_str rest = {s.data + 1, dpl__min(s.n - 1, MOST_NAME)};
    row r;
    for (size_t n_same = 0; p && (unsigned char)p[0] != NO_MORE;) {
        p = next_row(&r, p);
        if (r.n_shared > n_same)
            continue; /* differs from s where the one before did */
        if (r.n_shared < n_same && r.n_rest && r.n_shared < rest.n &&
            r.rest[0] > rest.data[r.n_shared])
            break; /* all that follow are greater */
        size_t n = 0;
        while (n < r.n_rest && r.n_shared + n < rest.n &&
               r.rest[n] == rest.data[r.n_shared + n])
            n++;
        n_same = r.n_shared + n;
        const size_t n_name = n_same + 1;
        const bool has_semicolon = n_name < s.n && s.data[n_name] == ';';
        if (n == r.n_rest && (r.is_short || has_semicolon)) {
            found = n_name + has_semicolon;
            value->n = (unsigned char)r.value[0];
            memcpy(value->bytes, r.value + 1, value->n);
        }
    }
    return found;
}

size_t dpl__html_reference(dpl__html_value *value, dpl_str s)
{
    assert(s.n && s.data[0] == '&');
    if (s.n > 1 && s.data[1] == '#')
        return read_number(value, s);
    if (s.n < 2 || !dpl__is_letter_or_digit(s.data[1]))
        return 0;
    size_t n = read_frequent(value, s);
    if (n)
        return n;
    n = longest_name(value, (dpl_str){s.data + 1, s.n - 1});
    return n ? n + 1 : 0;
}

size_t dpl__html_entity(dpl_str s, uint32_t *c)
{
    dpl__html_value value;
    const size_t n = dpl__html_reference(&value, s);
    return n && s.data[n - 1] == ';' &&
                   dpl__utf8_decode((const uint8_t *)value.bytes, c) == value.n && *c != 0xFFFD
               ? n
               : 0;
}
