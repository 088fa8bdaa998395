/*
 * options.c - options read from text, printed, compared and written as JSON, by their tables.
 */
#include "base/options.h"

#include "base/ascii.h"

#include <limits.h>
#include <locale.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

/* ---- numbers ------------------------------------------------------------------------ */

/* The digits at *s, which moves behind them. */
static bool read_digits(uint64_t *out, const char **s)
{
    if (!dpl__is_digit(**s))
        return false;
    for (*out = 0; dpl__is_digit(**s); ++*s) {
        unsigned digit = (unsigned)(**s - '0');
        if (*out > (UINT64_MAX - digit) / 10)
            return false;
        *out = *out * 10 + digit;
    }
    return true;
}

bool dpl_parse_number(uint64_t *out, const char *text)
{
    uint64_t n;
    if (!read_digits(&n, &text) || *text)
        return false;
    *out = n;
    return true;
}

/* "", "B", "K", "KB", "Ki", "KiB": the power of two, or -1. */
static int parse_unit(const char *s)
{
    static const char letters[] = "kKmMgGtT";
    int shift = 0;
    const char *at = *s ? strchr(letters, *s) : NULL;
    if (at) {
        shift = 10 * (int)((at - letters) / 2 + 1);
        s++;
        if (*s == 'i' || *s == 'I')
            s++;
    }
    if (*s == 'b' || *s == 'B')
        s++;
    return *s ? -1 : shift;
}

bool dpl_parse_size(uint64_t *out, const char *s)
{
    uint64_t whole, part = 0, scale = 1;
    if (!read_digits(&whole, &s))
        return false;
    if (*s == '.') {
        if (!dpl__is_digit(*++s))
            return false;
        for (; dpl__is_digit(*s); s++)
            if (scale < 1000000) { /* 2^20 * 2^40 fits; further digits do not matter */
                part = part * 10 + (unsigned)(*s - '0');
                scale *= 10;
            }
    }
    int shift = parse_unit(s);
    if (shift < 0 || whole > UINT64_MAX >> shift)
        return false;
    uint64_t rest = (part << shift) / scale;
    whole <<= shift;
    if (whole > UINT64_MAX - rest)
        return false;
    *out = whole + rest;
    return true;
}

/* strtod with a decimal point, whatever the locale of the program. */
static double read_real(const char *s, char **end)
{
    locale_t plain = newlocale(LC_NUMERIC_MASK, "C", (locale_t)0);
    locale_t before = plain ? uselocale(plain) : (locale_t)0;
    double x = strtod(s, end);
    if (plain) {
        uselocale(before);
        freelocale(plain);
    }
    return x;
}

bool dpl_parse_real(double *out, const char *s)
{
    /* strtod knows more than we want: blanks, "inf", "0x1p3" */
    size_t n = strspn(s, "+-.0123456789eE");
    if (n == 0 || s[n] || !(dpl__is_digit(s[n - 1]) || s[n - 1] == '.'))
        return false;
    char *end;
    double x = read_real(s, &end);
    if (*end || !isfinite(x))
        return false;
    *out = x;
    return true;
}

bool dpl__parse_real(double *out, dpl_str s)
{
    char text[64];
    if (s.n == 0 || s.n >= sizeof text || memchr(s.data, 0, s.n))
        return false;
    memcpy(text, s.data, s.n);
    text[s.n] = 0;
    return dpl_parse_real(out, text);
}

/* With the fewest digits that bring back the same number, with a decimal point. */
static const char *print_real(char out[40], double x)
{
    locale_t plain = newlocale(LC_NUMERIC_MASK, "C", (locale_t)0);
    locale_t before = plain ? uselocale(plain) : (locale_t)0;
    for (int digits = 6; digits <= 17; digits++) {
        snprintf(out, 40, "%.*g", digits, x);
        if (strtod(out, NULL) == x)
            break;
    }
    if (plain) {
        uselocale(before);
        freelocale(plain);
    }
    return out;
}

/* ---- fields ------------------------------------------------------------------------- */

/* A field by value: one of these is used, as the type has it. */
typedef struct value {
    uint64_t number; /* FLAG, COUNT, SIZE, CHOICE */
    double real;     /* REAL, INTEGER */
    const char *text;
    const void *group;
} value;

static bool has_size(const dpl_option_table *table)
{
    return table->n_options && table->options[0].offset >= sizeof(size_t);
}

/* The field lies within the caller's struct, which may be an older one, or one all default. */
static bool is_inside(const void *options, const dpl_option_table *table, const dpl_option *o)
{
    size_t size = table->n_bytes;
    if (options && has_size(table))
        memcpy(&size, options, sizeof size);
    return options && o->offset + (size_t)o->n_bytes <= size;
}

static bool is_text(const dpl_option *o)
{
    return o->type >= DPL_OPTION_TEXT && o->type <= DPL_OPTION_FOLDER;
}

static bool is_number(const dpl_option *o)
{
    return o->type == DPL_OPTION_REAL || o->type == DPL_OPTION_INTEGER;
}

static uint64_t get_number(const char *at, size_t n_bytes)
{
    uint8_t small;
    uint32_t medium;
    uint64_t number = 0;
    if (n_bytes == sizeof small) {
        memcpy(&small, at, sizeof small);
        number = small;
    } else if (n_bytes == sizeof medium) {
        memcpy(&medium, at, sizeof medium);
        number = medium;
    } else {
        memcpy(&number, at, sizeof number);
    }
    return number;
}

static value get(const void *options, const dpl_option_table *table, const dpl_option *o)
{
    value v = {0};
    int integer;
    if (o->type == DPL_OPTION_OTHER || !is_inside(options, table, o))
        return v;
    const char *at = (const char *)options + o->offset;
    if (o->type == DPL_OPTION_REAL) {
        memcpy(&v.real, at, sizeof v.real);
    } else if (o->type == DPL_OPTION_INTEGER) {
        memcpy(&integer, at, sizeof integer);
        v.real = integer;
    } else if (is_text(o)) {
        memcpy(&v.text, at, sizeof v.text);
    } else if (o->type == DPL_OPTION_GROUP) {
        if (o->n_bytes == sizeof v.group)
            memcpy(&v.group, at, sizeof v.group);
        else
            v.group = at;
    } else {
        v.number = get_number(at, o->n_bytes);
    }
    if (v.real < 0 && o->has_zero)
        v.real = -1; /* below 0 one number means what another does */
    return v;
}

static void set(void *options, const dpl_option *o, value v)
{
    assert(o->type < DPL_OPTION_GROUP);
    char *at = (char *)options + o->offset;
    int integer = o->type == DPL_OPTION_INTEGER ? (int)v.real : 0;
    uint32_t medium = (uint32_t)v.number;
    bool flag = v.number != 0;
    if (o->type == DPL_OPTION_REAL)
        memcpy(at, &v.real, sizeof v.real);
    else if (o->type == DPL_OPTION_INTEGER)
        memcpy(at, &integer, sizeof integer);
    else if (is_text(o))
        memcpy(at, &v.text, sizeof v.text);
    else if (o->type == DPL_OPTION_FLAG)
        memcpy(at, &flag, sizeof flag);
    else if (o->n_bytes == sizeof medium)
        memcpy(at, &medium, sizeof medium);
    else
        memcpy(at, &v.number, sizeof v.number);
}

const dpl_option *dpl_option_find(const dpl_option_table *table, const char *name)
{
    for (size_t i = 0; i < table->n_options; i++)
        if (strcmp(table->options[i].name, name) == 0)
            return &table->options[i];
    return NULL;
}

/* ---- from text ---------------------------------------------------------------------- */

/* "fail, replace or skip" */
static const char *list_choices(char *out, size_t n_out, const dpl_option *o)
{
    const char *last = NULL, *name;
    size_t n = 0;
    *out = 0;
    for (unsigned i = 0; n < n_out; i++) { /* one behind, so that the last one is known */
        name = o->choice(i);
        if (name && !*name)
            continue;
        if (last)
            n += (size_t)snprintf(out + n, n_out - n, "%s%s",
                                  n == 0 ? ""
                                  : name ? ", "
                                         : " or ",
                                  last);
        if (!name)
            break;
        last = name;
    }
    return out;
}

const char *dpl_option_expects(char *out, size_t n_out, const dpl_option *o)
{
    bool is_bound = o->least != o->most;
    char least[40], most[40];
    *out = 0;
    if (o->type == DPL_OPTION_CHOICE)
        return list_choices(out, n_out, o);
    if (o->type == DPL_OPTION_FLAG)
        snprintf(out, n_out, "true or false");
    else if (o->type == DPL_OPTION_REAL && is_bound)
        snprintf(out, n_out, "a number from %s to %s", print_real(least, o->least),
                 print_real(most, o->most));
    else if (o->type == DPL_OPTION_REAL)
        snprintf(out, n_out, "a number");
    else if (o->type == DPL_OPTION_SIZE)
        snprintf(out, n_out, "a size of %llu byte%s or more, such as 512M or 1.5G",
                 (unsigned long long)o->min, o->min == 1 ? "" : "s");
    else if (o->type <= DPL_OPTION_INTEGER && o->max)
        snprintf(out, n_out, "a number from %llu to %llu", (unsigned long long)o->min,
                 (unsigned long long)o->max);
    else if (o->type <= DPL_OPTION_INTEGER)
        snprintf(out, n_out, "a number from %llu up", (unsigned long long)o->min);
    return out;
}

static bool parse_flag(value *v, const char *text)
{
    bool is_on = strcmp(text, "true") == 0 || strcmp(text, "1") == 0;
    bool is_off = strcmp(text, "false") == 0 || strcmp(text, "0") == 0;
    v->number = is_on;
    return is_on || is_off;
}

static bool parse_choice(value *v, const dpl_option *o, const char *text)
{
    for (unsigned i = 0; o->choice(i); i++)
        if (*text && strcmp(o->choice(i), text) == 0) {
            v->number = i;
            return true;
        }
    return false;
}

static bool parse_number(value *v, const dpl_option *o, const char *text)
{
    bool is_size = o->type == DPL_OPTION_SIZE;
    uint64_t most = o->n_bytes == 4 ? UINT32_MAX : UINT64_MAX;
    if (o->type == DPL_OPTION_INTEGER)
        most = INT_MAX;
    if (!(is_size ? dpl_parse_size : dpl_parse_number)(&v->number, text))
        return false;
    v->real = (double)v->number;
    return v->number >= o->min && v->number <= (o->max ? o->max : most);
}

static bool parse_real(value *v, const dpl_option *o, const char *text)
{
    bool is_bound = o->least != o->most;
    return dpl_parse_real(&v->real, text) &&
           (!is_bound || (v->real >= o->least && v->real <= o->most));
}

static bool parse_value(value *v, const dpl_option *o, const char *text)
{
    switch (o->type) {
    case DPL_OPTION_FLAG: return parse_flag(v, text);
    case DPL_OPTION_CHOICE: return parse_choice(v, o, text);
    case DPL_OPTION_COUNT:
    case DPL_OPTION_SIZE:
    case DPL_OPTION_INTEGER: return parse_number(v, o, text);
    case DPL_OPTION_REAL: return parse_real(v, o, text);
    case DPL_OPTION_GROUP:
    case DPL_OPTION_OTHER: return false;
    default: v->text = text; return true;
    }
}

dpl_status dpl_option_parse(void *options, const dpl_option_table *table, const char *name,
                            const char *text, dpl_error *err)
{
    assert(table && name && text);
    const dpl_option *o = dpl_option_find(table, name);
    value v = {0};
    char expected[300];
    if (!o || o->type >= DPL_OPTION_GROUP || !is_inside(options, table, o))
        return dpl__fail_code(err, DPL_E_USAGE, "bad-option",
                              "there is no option '%s' of '%s' to set", name, table->name);
    if (!parse_value(&v, o, text))
        return dpl__fail_code(err, DPL_E_USAGE, "bad-option",
                              "bad value '%s' for '%s': expected %s", text, name,
                              dpl_option_expects(expected, sizeof expected, o));
    if (o->has_zero && v.real == 0)
        v.real = -1;
    set(options, o, v);
    return DPL_OK;
}

/* ---- to text ------------------------------------------------------------------------ */

static void put_value(dpl_json *j, const char *key, const dpl_option *o, value v)
{
    char number[40];
    if (o->type == DPL_OPTION_FLAG)
        dpl_json_bool(j, key, v.number != 0);
    else if (o->type == DPL_OPTION_CHOICE)
        dpl_json_cstr(j, key, v.number <= UINT_MAX ? o->choice((unsigned)v.number) : NULL);
    else if (is_text(o))
        dpl_json_cstr(j, key, v.text);
    else if (is_number(o) && v.real < 0 && o->has_zero)
        dpl_json_number(j, key, 0);
    else if (is_number(o) && v.real != 0)
        dpl_json_raw(j, key, dpl__cstr(print_real(number, v.real)));
    else if (v.number)
        dpl_json_number(j, key, v.number);
    else
        dpl_json_null(j, key);
}

void dpl_options_json(dpl_json *j, const char *key, const dpl_option_table *table,
                      const void *options, bool only_results)
{
    dpl_json_begin(j, key, '{');
    for (size_t i = 0; i < table->n_options; i++) {
        const dpl_option *o = &table->options[i];
        char name[64];
        if (o->type == DPL_OPTION_OTHER || (only_results && !o->changes_result))
            continue;
        snprintf(name, sizeof name, "%s", o->name);
        for (char *p = name; *p; p++)
            *p = *p == '-' ? '_' : *p;
        value v = get(options, table, o);
        if (o->type == DPL_OPTION_GROUP)
            dpl_options_json(j, name, o->group(), v.group, only_results);
        else
            put_value(j, name, o, v);
    }
    dpl_json_end(j, '}');
}

/* ---- comparing ---------------------------------------------------------------------- */

static bool is_same_text(const char *a, const char *b)
{
    return a == b || (a && b && strcmp(a, b) == 0);
}

const dpl_option *dpl__options_differ(const dpl_option_table *table, const void *a,
                                      const void *b, bool only_results)
{
    for (size_t i = 0; i < table->n_options; i++) {
        const dpl_option *o = &table->options[i];
        if (only_results && !o->changes_result)
            continue;
        value x = get(a, table, o), y = get(b, table, o);
        if (o->type == DPL_OPTION_GROUP) {
            const dpl_option *inner =
                dpl__options_differ(o->group(), x.group, y.group, only_results);
            if (inner)
                return inner;
        } else if (x.number != y.number || x.real != y.real || !is_same_text(x.text, y.text)) {
            return o;
        }
    }
    return NULL;
}
