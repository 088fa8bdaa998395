/*
 * summary.c - figures read by their tables and written as JSON.
 */
#include "base/summary.h"

#include <limits.h>
#include <math.h>
#include <stdio.h>

/* ---- fields ------------------------------------------------------------------------- */

/* Where the field is; NULL when the caller's struct is an older one without it. */
static const char *field_of(const dpl_figures *in, const dpl_figure *f)
{
    size_t size = in->table->n_bytes;
    if (!in->summary)
        return NULL;
    if (in->table->is_sized)
        memcpy(&size, in->summary, sizeof size);
    return f->offset + (size_t)f->n_bytes <= size ? (const char *)in->summary + f->offset
                                                  : NULL;
}

static uint64_t get_number(const char *at, size_t n_bytes)
{
    uint32_t medium;
    uint64_t number = 0;
    if (n_bytes == 1) {
        number = *(const unsigned char *)at;
    } else if (n_bytes == sizeof medium) {
        memcpy(&medium, at, sizeof medium);
        number = medium;
    } else {
        assert(n_bytes == sizeof number);
        memcpy(&number, at, sizeof number);
    }
    return number;
}

static double get_real(const char *at, size_t n_bytes)
{
    float small;
    double real;
    if (n_bytes == sizeof small) {
        memcpy(&small, at, sizeof small);
        return (double)small;
    }
    assert(n_bytes == sizeof real);
    memcpy(&real, at, sizeof real);
    return real;
}

static const void *get_pointer(const char *at)
{
    const void *pointer;
    memcpy(&pointer, at, sizeof pointer);
    return pointer;
}

/* The number of names of COUNTS that the field has room for. */
static unsigned n_counts(const dpl_figure *f)
{
    unsigned n = 0;
    while (n < f->n_bytes / sizeof(uint64_t) && f->choice(n))
        n++;
    return n;
}

static uint64_t sum(const dpl_figure *f, const void *field)
{
    const uint64_t *counts = field;
    uint64_t all = 0;
    for (unsigned i = 0; i < n_counts(f); i++)
        all += counts[i];
    return all;
}

static size_t get_count(const dpl_figures *in, const dpl_figure *f)
{
    size_t n;
    memcpy(&n, (const char *)in->summary + f->count, sizeof n);
    return n;
}

dpl_figure_value dpl_figure_get(const dpl_figures *in, const dpl_figure *f)
{
    dpl_figure_value v = {.figure = f};
    const char *at = f->type == DPL_FIGURE_WORDS ? NULL : field_of(in, f);
    if (f->type == DPL_FIGURE_WORDS)
        v.text = f->value;
    if (!at)
        return v;
    switch (f->type) {
    case DPL_FIGURE_COUNT:
    case DPL_FIGURE_BYTES:
        v.number = f->compute ? (uint64_t)f->compute(in->summary) : get_number(at, f->n_bytes);
        v.real = (double)v.number;
        break;
    case DPL_FIGURE_REAL:
        v.real = f->compute ? f->compute(in->summary) : get_real(at, f->n_bytes);
        break;
    case DPL_FIGURE_FLAG: v.number = get_number(at, f->n_bytes); break;
    case DPL_FIGURE_CHOICE:
        v.number = get_number(at, f->n_bytes);
        v.text = v.number <= UINT_MAX ? f->choice((unsigned)v.number) : NULL;
        break;
    case DPL_FIGURE_TEXT: v.text = get_pointer(at); break;
    case DPL_FIGURE_CHARS: v.text = at; break;
    case DPL_FIGURE_COUNTS:
        v.field = at;
        v.number = sum(f, at);
        break;
    case DPL_FIGURE_LIST:
        v.field = get_pointer(at);
        v.number = get_count(in, f);
        break;
    default: v.field = f->n_bytes == sizeof v.field ? get_pointer(at) : at; break;
    }
    return v;
}

dpl_figures dpl_figure_element(const dpl_figures *in, dpl_figure_value list, size_t i)
{
    const dpl_figure *f = list.figure;
    const char *first = list.field;
    assert(f->type == DPL_FIGURE_LIST && i < list.number);
    return (dpl_figures){
        f->group, f->n_each ? first + i * f->n_each : get_pointer(first + i * sizeof(void *)),
        in, f->only};
}

/* ---- names and conditions ----------------------------------------------------------- */

static bool find_in(dpl_figure_value *out, const dpl_figures *in, dpl_str name)
{
    for (size_t i = 0; i < in->table->n_figures; i++) {
        const dpl_figure *f = &in->table->figures[i];
        if (f->type == DPL_FIGURE_PART) {
            const dpl_figures part = {f->group, dpl_figure_get(in, f).field, NULL, NULL};
            if (part.summary && find_in(out, &part, name))
                return true;
        } else if (dpl__str_eq(dpl__cstr(f->name), name)) {
            *out = dpl_figure_get(in, f);
            return true;
        }
    }
    return false;
}

bool dpl_figure_find(dpl_figure_value *out, const dpl_figures *in, dpl_str name)
{
    const char *point = memchr(name.data, '.', name.n);
    const dpl_str first = {name.data, point ? (size_t)(point - name.data) : name.n};
    bool is_there = false;
    *out = (dpl_figure_value){0};
    for (; in && !is_there; in = in->outer)
        is_there = find_in(out, in, first);
    if (!is_there || !point)
        return is_there;
    assert(out->figure->type == DPL_FIGURE_GROUP);
    const dpl_figures group = {out->figure->group, out->field, NULL, NULL};
    return find_in(out, &group, (dpl_str){point + 1, name.n - first.n - 1});
}

static bool is_set(const dpl_figure_value *v)
{
    return v->figure->type == DPL_FIGURE_REAL                ? v->real != 0 && !isnan(v->real)
           : v->text && v->figure->type != DPL_FIGURE_CHOICE ? *v->text != '\0'
                                                             : v->number || v->field;
}

/* "a,b": is one of them the text? */
static bool is_among(dpl_str values, const char *text)
{
    while (text && values.n) {
        const char *comma = memchr(values.data, ',', values.n);
        const size_t n = comma ? (size_t)(comma - values.data) : values.n;
        if (dpl__str_eq((dpl_str){values.data, n}, dpl__cstr(text)))
            return true;
        values.data += n + (comma != NULL);
        values.n -= n + (comma != NULL);
    }
    return false;
}

/* A number is compared by its digits. */
static bool is_value(dpl_str values, const dpl_figure_value *v)
{
    char number[24];
    snprintf(number, sizeof number, "%llu", (unsigned long long)v->number);
    return is_among(values, v->figure->type == DPL_FIGURE_COUNT ? number : v->text);
}

/* "name", "!name", "name=a,b" */
static bool term_holds(const dpl_figures *in, dpl_str term)
{
    const bool is_not = term.n && term.data[0] == '!';
    term.data += is_not;
    term.n -= is_not;
    const char *is = memchr(term.data, '=', term.n);
    const size_t n = is ? (size_t)(is - term.data) : term.n;
    dpl_figure_value v;
    bool holds = dpl_figure_find(&v, in, (dpl_str){term.data, n});
    if (holds)
        holds = is ? is_value((dpl_str){is + 1, term.n - n - 1}, &v) : is_set(&v);
    return holds != is_not;
}

bool dpl_figure_holds(const dpl_figures *in, const char *condition)
{
    bool all = true, any = true; /* of the alternatives before a blank */
    for (const char *p = condition; p && *p;) {
        const bool is_or = *p == '|';
        p += strspn(p, " |");
        const size_t n = strcspn(p, " |");
        if (!is_or) {
            all = all && any;
            any = false;
        }
        any = term_holds(in, (dpl_str){p, n}) || any;
        p += n;
    }
    return all && any;
}

/* ---- JSON --------------------------------------------------------------------------- */

static void put_counts(dpl_json *j, dpl_figure_value v)
{
    const uint64_t *counts = v.field;
    dpl_json_begin(j, v.figure->name, '{');
    for (unsigned i = 0; counts && i < n_counts(v.figure); i++)
        if (counts[i] || v.figure->has_zeros)
            dpl_json_number(j, v.figure->choice(i), counts[i]);
    dpl_json_end(j, '}');
}

static void put_list(dpl_json *j, const dpl_figures *in, dpl_figure_value v)
{
    dpl_json_begin(j, v.figure->name, '[');
    for (size_t i = 0; i < v.number; i++) {
        const dpl_figures element = dpl_figure_element(in, v, i);
        dpl_json_begin(j, NULL, '{');
        dpl_summary_json(j, &element);
        dpl_json_end(j, '}');
    }
    dpl_json_end(j, ']');
}

static void put_group(dpl_json *j, const dpl_figures *in, dpl_figure_value v)
{
    const dpl_figures group = {v.figure->group, v.field, in, v.figure->only};
    const bool is_part = v.figure->type == DPL_FIGURE_PART;
    if (!v.field)
        return;
    if (!is_part)
        dpl_json_begin(j, v.figure->name, '{');
    dpl_summary_json(j, &group);
    if (!is_part)
        dpl_json_end(j, '}');
}

static void put_figure(dpl_json *j, const dpl_figures *in, const dpl_figure *f)
{
    const dpl_figure_value v = dpl_figure_get(in, f);
    switch (f->type) {
    case DPL_FIGURE_COUNT:
    case DPL_FIGURE_BYTES: dpl_json_number(j, f->name, v.number); break;
    case DPL_FIGURE_REAL:
        (f->is_any ? dpl_json_real : dpl_json_decimal)(j, f->name, v.real);
        break;
    case DPL_FIGURE_FLAG: dpl_json_bool(j, f->name, v.number != 0); break;
    case DPL_FIGURE_CHOICE:
    case DPL_FIGURE_TEXT:
    case DPL_FIGURE_CHARS: dpl_json_cstr(j, f->name, v.text); break;
    case DPL_FIGURE_COUNTS: put_counts(j, v); break;
    case DPL_FIGURE_LIST: put_list(j, in, v); break;
    case DPL_FIGURE_SKIPPED:
    case DPL_FIGURE_OTHER: f->put(j, f->name, v.field); break;
    case DPL_FIGURE_GROUP:
    case DPL_FIGURE_PART: put_group(j, in, v); break;
    case DPL_FIGURE_WORDS: break;
    }
}

/* Is the word in the list? */
static bool is_word_of(const char *list, const char *word)
{
    const size_t n = strlen(word);
    for (const char *p = list; *p; p += strspn(p, " ")) {
        if (strncmp(p, word, n) == 0 && (p[n] == ' ' || !p[n]))
            return true;
        p += strcspn(p, " ");
    }
    return false;
}

bool dpl_figure_is_listed(const dpl_figures *in, const dpl_figure *f)
{
    const bool is_rest = in->only && in->only[0] == '!';
    return !in->only || is_word_of(in->only + is_rest, f->name) != is_rest;
}

void dpl_summary_json(dpl_json *j, const dpl_figures *in)
{
    for (size_t i = 0; i < in->table->n_figures; i++) {
        const dpl_figure *f = &in->table->figures[i];
        if ((f->help || f->type == DPL_FIGURE_PART) && dpl_figure_is_listed(in, f) &&
            dpl_figure_holds(in, f->only_with))
            put_figure(j, in, f);
    }
}
