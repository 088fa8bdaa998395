/*
 * figure_text.c - texts of doppel/summary.h: {name}, [condition?text|text].
 */
#include "base/summary.h"

#include <stdio.h>

typedef struct place {
    const dpl_figure_sink *to;
    const dpl_figures *in;
    size_t position; /* in a list: {#} */
    bool has_text;   /* something was put */
} place;

static void expand(place *p, dpl_str text);

static void put(place *p, const char *data, size_t n)
{
    p->to->put(p->to->user, data, n);
    p->has_text = p->has_text || n > 0;
}

/* The end of the text that begins at i: its '|' or ']' outside of inner brackets. */
static size_t end_of(dpl_str text, size_t i, bool stops_at_bar)
{
    unsigned depth = 0;
    for (; i < text.n; i++) {
        if (!depth && (text.data[i] == ']' || (stops_at_bar && text.data[i] == '|')))
            return i;
        depth += text.data[i] == '[';
        depth -= text.data[i] == ']';
    }
    return i;
}

static void expand_part(place *p, dpl_str text)
{
    const size_t n = !p->has_text && text.n >= 2 && memcmp(text.data, ", ", 2) == 0 ? 2 : 0;
    expand(p, (dpl_str){text.data + n, text.n - n});
}

/* [condition?text|text] at i; returns where it ends. */
static size_t expand_choice(place *p, dpl_str text, size_t i)
{
    char condition[100];
    const char *mark = memchr(text.data + i, '?', text.n - i);
    assert(mark);
    const size_t begin = (size_t)(mark - text.data) + 1, bar = end_of(text, begin, true);
    const size_t end = end_of(text, begin, false);
    snprintf(condition, sizeof condition, "%.*s", (int)(begin - 2 - i), text.data + i + 1);
    if (dpl_figure_holds(p->in, condition))
        expand_part(p, (dpl_str){text.data + begin, bar - begin});
    else if (bar < end)
        expand_part(p, (dpl_str){text.data + bar + 1, end - bar - 1});
    return end + 1;
}

/* {name:how} at i; returns where it ends. */
static size_t expand_name(place *p, dpl_str text, size_t i)
{
    static const dpl_figure position = {.name = "#", .type = DPL_FIGURE_COUNT};
    const char *close = memchr(text.data + i, '}', text.n - i);
    assert(close);
    dpl_str name = {text.data + i + 1, (size_t)(close - text.data) - i - 1}, how = {0};
    const char *colon = memchr(name.data, ':', name.n);
    if (colon) {
        how = (dpl_str){colon + 1, name.n - (size_t)(colon + 1 - name.data)};
        name.n = (size_t)(colon - name.data);
    }
    dpl_figure_value v = {&position, .number = p->position, .real = (double)p->position};
    const bool is_there =
        (name.n == 1 && *name.data == '#') || dpl_figure_find(&v, p->in, name);
    assert(is_there); /* a test walks all tables */
    if (is_there && v.figure->type == DPL_FIGURE_WORDS) {
        expand(p, dpl__cstr(v.text));
    } else if (is_there) {
        p->to->put_value(p->to->user, &v, how);
        p->has_text = true;
    }
    return (size_t)(close - text.data) + 1;
}

static void expand(place *p, dpl_str text)
{
    for (size_t i = 0; i < text.n;) {
        const size_t n = strcspn(text.data + i, "[{");
        if (n)
            put(p, text.data + i, dpl__min(n, text.n - i));
        i += n;
        if (i < text.n)
            i = text.data[i] == '[' ? expand_choice(p, text, i) : expand_name(p, text, i);
    }
}

void dpl_figure_text(const dpl_figure_sink *to, const dpl_figures *in, size_t position,
                     const char *text)
{
    place p = {to, in, position, false};
    if (text)
        expand(&p, dpl__cstr(text));
}
