/*
 * wikifields.c - infoboxes and tables of wikitext.
 *
 * The brackets of the page are matched already (wikispans.c), so that a '|' inside of a link or
 * template is not taken for one of the template or table around it. Every value is converted
 * like a page of its own.
 *
 * An infobox is a template with a name that says so, in many languages; or one before the first
 * heading that begins a line and has several named parameters, each on a line of its own: wikis
 * name their infoboxes as they like. Parameters without a name, empty ones and templates inside
 * of an infobox are not kept by themselves. Of a table rows and cells are kept, the caption as
 * a row with one cell; a table in a table is one of its own.
 *
 * Cost: each value is matched and converted once more, each table in a table once for every
 * table around it, up to MOST_NESTED.
 */
#include "readers/wiki/wikifields.h"

#include "doppel/text.h"
#include "readers/json_parser.h"
#include "readers/readers_params.h"
#include "unicode/unicode.h"

enum {
    MOST_NESTED = 4,  /* tables in tables; deeper ones are not kept */
    MOST_VALUES = 400 /* of an infobox */
};

bool dpl__wiki_fields_parse(unsigned *wants, const char *list)
{
    static const struct {
        const char *name;
        unsigned bit;
    } known[] = {{"infobox", DPL__WIKI_INFOBOX}, {"tables", DPL__WIKI_TABLES}};
    *wants = 0;
    while (list && *list) {
        size_t n = strcspn(list, ","), i = 0;
        while (i < DPL_LEN(known) &&
               (strlen(known[i].name) != n || memcmp(known[i].name, list, n) != 0))
            i++;
        if (i == DPL_LEN(known))
            return false;
        *wants |= known[i].bit;
        list += n + (list[n] == ',');
    }
    return true;
}

/* ---- values --------------------------------------------------------------------------- */

/* A part of the page as plain text, without the last line end and marks of sections; lines stay
 * lines. Valid until the next one. */
static dpl_status plain_value(dpl_str *out, dpl__wiki_fields *f, dpl_str source, dpl_error *err)
{
    *out = (dpl_str){"", 0};
    dpl__arena_reset(&f->arena);
    DPL_TRY(dpl__wikitext_plain(out, &f->inner, &f->arena, dpl__trim(source), err));
    char *p = (char *)(uintptr_t)out->data;
    size_t n = 0;
    for (size_t i = 0; i < out->n; i++)
        if (p[i] != DPL_SECTION_MARK)
            p[n++] = p[i];
    out->n = n - (n && p[n - 1] == '\n');
    return DPL_OK;
}

static bool put(dpl__wiki_fields *f, const char *text)
{
    return dpl__vec_append(f->ctx, &f->members, text, strlen(text));
}

/* A paragraph of the text; is_first: of a section. */
static bool put_paragraph(dpl__wiki_fields *f, dpl_str text, bool is_first)
{
    return text.n == 0 || ((!is_first || dpl__vec_push(f->ctx, &f->text, DPL_SECTION_MARK)) &&
                           dpl__vec_append(f->ctx, &f->text, text.data, text.n) &&
                           dpl__vec_push(f->ctx, &f->text, '\n'));
}

/* The closed span that begins at `at` and ends by `end`, or NULL; *next is its number or that
 * of the first one behind. */
static const dpl__wiki_span *span_at(const dpl__wiki_spans *spans, size_t *next, size_t at,
                                     size_t end)
{
    while (*next < spans->n && (spans->data[*next].begin < at || spans->data[*next].end == 0))
        ++*next;
    const dpl__wiki_span *span = *next < spans->n ? &spans->data[*next] : NULL;
    return span && span->begin == at && span->end <= end ? span : NULL;
}

/* ---- infoboxes ------------------------------------------------------------------------ */

/* Parts of a template between its '|', the name first. */
static dpl_status divide_template(dpl__wiki_fields *f, const dpl__wiki_spans *spans,
                                  size_t number, dpl_str source, dpl_error *err)
{
    const size_t end = spans->data[number].end - 2;
    size_t begin = spans->data[number].begin + 2, next = number + 1;
    f->parts.n = 0;
    for (size_t at = begin; at <= end;) {
        const dpl__wiki_span *inside = span_at(spans, &next, at, end);
        if (inside) {
            at = inside->end;
            continue;
        }
        if (at == end || source.data[at] == '|') {
            dpl_str part = {source.data + begin, at - begin};
            if (f->parts.n <= MOST_VALUES && !dpl__vec_push(f->ctx, &f->parts, part))
                return dpl__fail_nomem(err);
            begin = at + 1;
        }
        at++;
    }
    return DPL_OK;
}

/* "name = value"; false: it has no name. */
static bool divide_parameter(dpl_str *name, dpl_str *value, dpl_str part)
{
    const char *equals = part.n ? memchr(part.data, '=', part.n) : NULL;
    if (!equals)
        return false;
    *name = dpl__trim((dpl_str){part.data, (size_t)(equals - part.data)});
    *value = (dpl_str){equals + 1, part.n - (size_t)(equals - part.data) - 1};
    for (size_t i = 0; i < name->n; i++)
        if (strchr("<>[]{}\n", name->data[i])) /* <ref name=x> */
            return false;
    return name->n > 0;
}

/* Does it look like an infobox: at the start of a line, with parameters on lines of their own?
 */
static bool has_form_of_infobox(const dpl__wiki_fields *f, dpl_str source, size_t begin)
{
    size_t n = 0;
    dpl_str name, value;
    if (begin > 0 && source.data[begin - 1] != '\n')
        return false;
    for (size_t i = 1; i < f->parts.n && n < DPL__P(readers, infobox_parameters); i++) {
        dpl_str part = f->parts.data[i - 1];
        n += part.n && memchr(part.data, '\n', part.n) &&
             divide_parameter(&name, &value, f->parts.data[i]);
    }
    return n >= DPL__P(readers, infobox_parameters);
}

/* Named parameters; of equal names the last one counts, as in MediaWiki. */
static dpl_status take_parameters(dpl__wiki_fields *f, dpl_error *err)
{
    f->names.n = f->values.n = 0;
    for (size_t i = f->parts.n; i-- > 1;) {
        dpl_str name, value;
        if (!divide_parameter(&name, &value, f->parts.data[i]))
            continue;
        bool is_new = true;
        for (size_t k = 0; k < f->names.n && is_new; k++)
            is_new = !dpl__str_eq(f->names.data[k], name);
        if (is_new && (!dpl__vec_push(f->ctx, &f->names, name) ||
                       !dpl__vec_push(f->ctx, &f->values, value)))
            return dpl__fail_nomem(err);
    }
    return DPL_OK;
}

static dpl_status add_infobox(dpl__wiki_fields *f, dpl_str template, dpl_error *err)
{
    const size_t before = f->members.n;
    size_t n = 0;
    DPL_TRY(take_parameters(f, err));
    bool is_good =
        put(f, before && f->members.data[before - 1] == '}' ? "," : ",\"infobox\":[") &&
        put(f, "{\"template\":") && dpl__json_escape(f->ctx, &f->members, template) &&
        put(f, ",\"values\":{");
    for (size_t i = f->names.n; is_good && i-- > 0;) {
        dpl_str value;
        DPL_TRY(plain_value(&value, f, f->values.data[i], err));
        if (value.n == 0)
            continue;
        is_good = (!n || put(f, ",")) &&
                  dpl__json_escape(f->ctx, &f->members, f->names.data[i]) && put(f, ":") &&
                  dpl__json_escape(f->ctx, &f->members, value) &&
                  put_paragraph(f, value, n == 0);
        n++;
    }
    is_good = is_good && put(f, "}}");
    if (n == 0)
        f->members.n = before;
    return dpl__need(is_good, err);
}

/* The name of a template. */
static dpl_str name_of(const dpl__wiki_span *s, dpl_str source)
{
    dpl_str name = {source.data + s->begin + 2, 0};
    while (name.data + name.n < source.data + s->end - 2 && !strchr("|{<\n", name.data[name.n]))
        name.n++;
    return dpl__trim(name);
}

static size_t first_heading(dpl_str source)
{
    size_t at = 0;
    while (at + 2 < source.n && memcmp(source.data + at, "\n==", 3) != 0) {
        const char *end = memchr(source.data + at + 1, '\n', source.n - at - 1);
        at = end ? (size_t)(end - source.data) : source.n;
    }
    return at;
}

static dpl_status find_infoboxes(dpl__wiki_fields *f, const dpl__wiki_spans *spans,
                                 dpl_str source, dpl_error *err)
{
    const size_t lead = first_heading(source);
    size_t outer = 0, behind = 0; /* ends of the outermost template and of the last infobox */
    for (size_t i = 0; i < spans->n; i++) {
        const dpl__wiki_span *s = &spans->data[i];
        if (s->kind != DPL__SPAN_TEMPLATE || s->end < s->begin + 4 || s->begin < behind)
            continue;
        const bool is_outer = s->begin >= outer,
                   is_named = dpl__wiki_is_infobox(name_of(s, source));
        outer = is_outer ? s->end : outer;
        if (!is_named && (!is_outer || s->begin >= lead))
            continue;
        DPL_TRY(divide_template(f, spans, i, source, err));
        if (!is_named && !has_form_of_infobox(f, source, s->begin))
            continue;
        behind = s->end;
        DPL_TRY(add_infobox(f, name_of(s, source), err));
    }
    bool is_good = f->members.n == 0 || put(f, "]");
    return dpl__need(is_good, err);
}

/* ---- tables --------------------------------------------------------------------------- */

/* A table on its way into the fields. */
typedef struct table {
    dpl__wiki_fields *f;
    dpl_str source;
    size_t cell, pipe; /* where the cell begins; its '|' behind attributes; SIZE_MAX: none */
    bool has_link;     /* in the cell: what stands before a '|' is no attribute */
    bool is_open;      /* a row is */
    bool is_caption;   /* the cell is the caption, a row of its own */
    size_t row;        /* where it begins in the members */
    size_t n_cells, n_rows;
    bool has_text;   /* in the row */
    size_t row_text; /* where it begins in the text */
} table;

static dpl_status end_cell(table *t, size_t end, dpl_error *err)
{
    dpl__wiki_fields *f = t->f;
    if (t->cell == SIZE_MAX)
        return DPL_OK;
    size_t begin = t->pipe != SIZE_MAX ? t->pipe + 1 : t->cell;
    dpl_str value;
    bool is_good = true;
    DPL_TRY(plain_value(&value, f, (dpl_str){t->source.data + begin, end - begin}, err));
    if (!t->is_open) {
        t->is_open = true;
        t->row = f->members.n;
        t->row_text = f->text.n;
        t->n_cells = 0;
        t->has_text = false;
        is_good = put(f, t->n_rows ? ",[" : "[");
    }
    is_good = is_good && (t->n_cells++ == 0 || put(f, ",")) &&
              dpl__json_escape(f->ctx, &f->members, value);
    if (value.n) {
        if (t->has_text)
            is_good = is_good && dpl__vec_push(f->ctx, &f->text, ' ');
        else if (t->n_rows == 0)
            is_good = is_good && dpl__vec_push(f->ctx, &f->text, DPL_SECTION_MARK);
        for (size_t i = 0; is_good && i < value.n; i++)
            is_good =
                dpl__vec_push(f->ctx, &f->text, value.data[i] == '\n' ? ' ' : value.data[i]);
        t->has_text = true;
    }
    t->cell = SIZE_MAX;
    return dpl__need(is_good, err);
}

static dpl_status end_row(table *t, size_t end, dpl_error *err)
{
    DPL_TRY(end_cell(t, end, err));
    if (!t->is_open)
        return DPL_OK;
    t->is_open = false;
    if (!t->has_text) {
        t->f->members.n = t->row;
        t->f->text.n = t->row_text;
        return DPL_OK;
    }
    t->n_rows++;
    t->is_caption = false;
    return put(t->f, "]") && dpl__vec_push(t->f->ctx, &t->f->text, '\n') ? DPL_OK
                                                                         : dpl__fail_nomem(err);
}

static dpl_status begin_cell(table *t, size_t at, size_t begin, dpl_error *err)
{
    DPL_TRY(end_cell(t, at, err));
    t->cell = begin;
    t->pipe = SIZE_MAX;
    t->has_link = false;
    return DPL_OK;
}

static size_t line_end(dpl_str source, size_t at, size_t end)
{
    const char *p = memchr(source.data + at, '\n', end - at);
    return p ? (size_t)(p - source.data) : end;
}

/* The start of a line in a table: where to go on. */
static dpl_status at_line(table *t, size_t *at, size_t end, bool *is_head, dpl_error *err)
{
    const char *p = t->source.data;
    size_t i = *at;
    while (i < end && (p[i] == ' ' || p[i] == '\t'))
        i++;
    *is_head = false;
    if (i == end || (p[i] != '|' && p[i] != '!'))
        return DPL_OK;
    char second = p[i] == '|' && i + 1 < end ? p[i + 1] : 0;
    if (second == '-' || second == '+' || t->is_caption)
        DPL_TRY(end_row(t, i, err));
    *is_head = p[i] == '!';
    *at = i + 1;
    if (second == '-') {
        *at = line_end(t->source, i, end);
        return DPL_OK;
    }
    *at += second == '+';
    DPL_TRY(begin_cell(t, i, *at, err));
    t->is_caption = second == '+';
    return DPL_OK;
}

static dpl_status at_tag(table *t, size_t *at, size_t end, dpl_error *err)
{
    dpl__wiki_markup tag;
    size_t i = *at;
    if (!dpl__wiki_markup_at(&tag, (dpl_str){t->source.data, end}, i)) {
        ++*at;
        return DPL_OK;
    }
    *at = tag.end;
    if (strcmp(tag.name, "tr") == 0)
        return end_row(t, i, err);
    bool is_caption = strcmp(tag.name, "caption") == 0;
    if (!is_caption && strcmp(tag.name, "td") != 0 && strcmp(tag.name, "th") != 0)
        return DPL_OK;
    if (tag.is_closing)
        return is_caption ? end_row(t, i, err) : end_cell(t, i, err);
    return begin_cell(t, i, tag.end, err);
}

static dpl_status walk_table(table *t, const dpl__wiki_spans *spans, size_t number,
                             dpl_error *err)
{
    const char *p = t->source.data;
    const dpl__wiki_span *s = &spans->data[number];
    const bool is_html = p[s->begin] == '<';
    /* `</table>` may close what `{|` began */
    const bool has_mark = !is_html && memcmp(p + s->end - 2, "|}", 2) == 0;
    const size_t end = s->end - (has_mark ? 2 : 0);
    size_t next = number + 1;
    bool is_head = false;
    for (size_t at = is_html ? s->begin + 1 : line_end(t->source, s->begin, end); at < end;) {
        const dpl__wiki_span *inside = span_at(spans, &next, at, end);
        if (inside) {
            t->has_link |= inside->kind == DPL__SPAN_LINK;
            at = inside->end;
        } else if (p[at] == '\n') {
            at++;
            DPL_TRY(at_line(t, &at, end, &is_head, err));
        } else if (at + 1 < end && p[at + 1] == p[at] &&
                   (p[at] == '|' || (is_head && p[at] == '!'))) {
            DPL_TRY(begin_cell(t, at, at + 2, err));
            at += 2;
        } else if (p[at] == '<') {
            DPL_TRY(at_tag(t, &at, end, err));
        } else {
            if (p[at] == '|' && t->pipe == SIZE_MAX && !t->has_link)
                t->pipe = at;
            at++;
        }
    }
    return end_row(t, end, err);
}

static dpl_status add_table(dpl__wiki_fields *f, const dpl__wiki_spans *spans, size_t number,
                            dpl_str source, bool is_first, dpl_error *err)
{
    const size_t before = f->members.n;
    table t = {.f = f, .source = source, .cell = SIZE_MAX, .pipe = SIZE_MAX};
    DPL_TRY(dpl__need(put(f, is_first ? ",\"tables\":[[" : ",["), err));
    DPL_TRY(walk_table(&t, spans, number, err));
    if (t.n_rows == 0)
        f->members.n = before;
    else if (!put(f, "]"))
        return dpl__fail_nomem(err);
    return DPL_OK;
}

static dpl_status find_tables(dpl__wiki_fields *f, const dpl__wiki_spans *spans, dpl_str source,
                              dpl_error *err)
{
    size_t ends[MOST_NESTED], n_open = 0;
    const size_t before = f->members.n;
    for (size_t i = 0; i < spans->n; i++) {
        const dpl__wiki_span *s = &spans->data[i];
        if (s->kind != DPL__SPAN_TABLE || s->end < s->begin + 4)
            continue;
        while (n_open && ends[n_open - 1] <= s->begin)
            n_open--;
        if (n_open == MOST_NESTED)
            continue;
        ends[n_open++] = s->end;
        DPL_TRY(add_table(f, spans, i, source, f->members.n == before, err));
    }
    return f->members.n == before || put(f, "]") ? DPL_OK : dpl__fail_nomem(err);
}

dpl_status dpl__wiki_fields_find(dpl__wiki_fields *f, const dpl__wikitext *page, dpl_str source,
                                 dpl_error *err)
{
    f->members.n = f->text.n = 0;
    if (!f->wants || source.n == 0)
        return DPL_OK;
    if (!f->inner.ctx) {
        f->inner = (dpl__wikitext){.ctx = f->ctx};
        dpl__arena_init(&f->arena, f->ctx);
    }
    f->inner.site = page->site;
    if (f->wants & DPL__WIKI_INFOBOX)
        DPL_TRY(find_infoboxes(f, &page->spans, source, err));
    return f->wants & DPL__WIKI_TABLES ? find_tables(f, &page->spans, source, err) : DPL_OK;
}

void dpl__wiki_fields_clear(dpl__wiki_fields *f)
{
    dpl__vec_clear(f->ctx, &f->members, &f->text, &f->parts, &f->names, &f->values);
    if (!f->inner.ctx)
        return;
    dpl__wikitext_clear(&f->inner);
    dpl__arena_clear(&f->arena);
}
