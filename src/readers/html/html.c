/*
 * html.c - HTML to text in one pass: the standard's tokenizer and its rules of which elements
 * are open, without the tree.
 *
 * In: a page. Out: title, language, text. Tags open and close elements on a stack by the rules
 * of tree construction (HTML standard, section 13.2.6): end tags that are left out, scopes,
 * tables, selects, foreign elements, formatting that overlaps blocks. What the text needs from
 * them is little: whether it is shown, and where lines end. So nothing is built, and text comes
 * out in the order of the page: text that a browser moves in front of a table it does not
 * belong into stays where it was written. Formatting that a block ended is opened again behind
 * it by the standard; here it is remembered until its end tag, which ends what stands in it.
 * bench/html compares the words with those of a tree builder (Gumbo).
 * Cost: one pass over the page; what looks through open elements is counted and bounded.
 */
#include "readers/html/html.h"

#include "base/ctx.h"
#include "readers/blocks.h"
#include "readers/dir.h"
#include "readers/flow.h"
#include "readers/html/html_names.h"
#include "readers/html/html_tokens.h"
#include "readers/reader.h"

#include <strings.h>

enum {
    MOST_OPEN = 1 << 16,     /* elements at a time */
    MOST_WORK = 1 << 24,     /* open elements looked at, and ... */
    MOST_WORK_PER_BYTE = 16, /* ... for each byte of the page */
    MOST_LOST = 3,           /* of a tag: the standard's "Noah's Ark" */
    MOST_ADOPTED = 8,        /* blocks that formatting leaves at its end tag */
    NONE = -1
};

/* Which part of a table, or a <select>, is open. */
typedef enum mode { BODY, TABLE, ROWS, ROW, CELL, CAPTION, SELECT } mode;

/* An open element. The flags below hold for its content. */
typedef struct element {
    uint32_t name; /* the tag, or N_TAGS and more: a hash */
    uint8_t mode;
    bool is_foreign; /* SVG, MathML */
    bool is_math;    /* foreign: MathML */
    bool has_html;   /* foreign: HTML stands in it */
    bool is_block;   /* its end ends the line */
    bool is_hiding;  /* by itself, not only by those around it */
    bool is_hidden;
    bool is_link;
    bool has_lines;
} element;

/* Formatting that ended with the block around it, without its end tag. The standard opens it
 * again before the next text or inline element. */
typedef struct lost {
    uint32_t name;  /* MARKER: what comes before it is not seen in the element that set it */
    uint32_t depth; /* elements around it */
    bool is_open;   /* again */
} lost;

enum { MARKER = UINT32_MAX };

typedef struct page {
    dpl__arena *arena;
    dpl__html_options options;
    dpl__html_page *out;
    dpl__html_tokens tokens;
    dpl__flow flow;
    dpl_str meta_lang;
    DPL_VEC(element) open; /* the first is the page itself */
    uint32_t n_open[DPL__HTML_N_TAGS];
    DPL_VEC(lost) lost; /* the standard's "active formatting" that is not open; by depth */
    DPL_VEC(dpl__html_span) links;
    uint64_t n_work, n_most_work;
    bool has_form;     /* one is open */
    bool has_body;     /* something that is not for a page of frames */
    bool is_frameset;  /* such a page: no text is shown */
    dpl_status status; /* the first failure */
    dpl_error *err;
} page;

static element *top(const page *p)
{
    return &p->open.data[p->open.n - 1];
}

static void fail(page *p, dpl_status status)
{
    if (p->status == DPL_OK)
        p->status = status == DPL_E_NOMEM ? dpl__fail_nomem(p->err) : status;
}

static unsigned rules_of(const element *e)
{
    return e->name < DPL__HTML_N_TAGS ? dpl__html_rules[e->name] : 0;
}

/* ---- text ----------------------------------------------------------------------------- */

static void break_line(page *p)
{
    if (!top(p)->is_hidden)
        dpl__flow_break(&p->flow);
}

/* "\r" ends a line of <pre> as "\n" does. */
static void add_lines(dpl__flow *flow, dpl_str s)
{
    const char *cr;
    while (s.n && (cr = memchr(s.data, '\r', s.n))) {
        const size_t n = (size_t)(cr - s.data);
        dpl__flow_lines(flow, (dpl_str){s.data, n});
        dpl__flow_break(flow);
        s = (dpl_str){cr + 1, s.n - n - 1};
    }
    dpl__flow_lines(flow, s);
}

static void add(dpl__flow *flow, dpl_str s, bool has_lines)
{
    if (has_lines)
        add_lines(flow, s);
    else
        dpl__flow_text(flow, s);
}

static void add_with_references(dpl__flow *flow, dpl_str s, bool has_lines)
{
    const char *mark;
    while (s.n && (mark = memchr(s.data, '&', s.n))) {
        dpl__html_value value;
        size_t n_before = (size_t)(mark - s.data);
        size_t n = dpl__html_reference(&value, (dpl_str){mark, s.n - n_before});
        add(flow, (dpl_str){s.data, n_before + !n}, has_lines);
        if (n)
            (has_lines ? dpl__flow_lines : dpl__flow_text)(flow,
                                                           (dpl_str){value.bytes, value.n});
        n_before += n + !n;
        s = (dpl_str){s.data + n_before, s.n - n_before};
    }
    add(flow, s, has_lines);
}

static void note_link(page *p, size_t begin, size_t end)
{
    if (begin == end)
        return;
    if (p->links.n && p->links.data[p->links.n - 1].end == begin)
        p->links.data[p->links.n - 1].end = end;
    else if (!dpl__vec_push(p->arena->ctx, &p->links, ((dpl__html_span){begin, end})))
        fail(p, DPL_E_NOMEM);
}

static void reopen_lost(page *p);
static bool is_in_foreign(const page *p);
static mode mode_in(uint32_t name, mode around);

/* White space between the parts of a table is not text of a cell: it opens nothing again. */
static bool is_between_parts(const element *e, dpl_str s)
{
    const mode m = e->is_foreign ? BODY : mode_in(e->name, BODY);
    size_t i = 0;
    if (m != TABLE && m != ROWS && m != ROW)
        return false;
    while (i < s.n && dpl__html_is_white(s.data[i]))
        i++;
    return i == s.n;
}

static void add_text(page *p, dpl_str s, bool has_references)
{
    const element *e = top(p);
    if (p->lost.n && e->mode != SELECT && !is_in_foreign(p) && !is_between_parts(e, s))
        reopen_lost(p);
    if (!p->has_body)
        for (size_t i = 0; i < s.n && !p->has_body; i++)
            p->has_body = s.data[i] && !dpl__html_is_white(s.data[i]);
    if (e->is_hidden || p->is_frameset)
        return;
    const size_t begin = p->flow.out.n;
    (has_references ? add_with_references : add)(&p->flow, s, e->has_lines);
    if (e->is_link && p->options.with_links)
        note_link(p, begin, p->flow.out.n);
}

/* ---- open elements -------------------------------------------------------------------- */

static mode mode_in(uint32_t name, mode around)
{
    switch (name) {
    case DPL__HTML_TABLE: return TABLE;
    case DPL__HTML_TBODY:
    case DPL__HTML_THEAD:
    case DPL__HTML_TFOOT: return ROWS;
    case DPL__HTML_TR: return ROW;
    case DPL__HTML_TD:
    case DPL__HTML_TH: return CELL;
    case DPL__HTML_CAPTION: return CAPTION;
    case DPL__HTML_SELECT: return SELECT;
    case DPL__HTML_TEMPLATE: return BODY;
    default: return around;
    }
}

/* What the element's content inherits. */
static void inherit(element *e, const element *around)
{
    const unsigned kind = rules_of(e) & DPL__HTML_KIND;
    e->is_hidden = around->is_hidden || e->is_hiding;
    e->is_link = around->is_link || (e->name == DPL__HTML_A && !e->is_foreign);
    e->has_lines = around->has_lines || (kind == DPL__HTML_LINES && !e->is_foreign);
}

static bool is_marker(const element *e)
{
    return !e->is_foreign && rules_of(e) & DPL__HTML_SCOPE && e->name != DPL__HTML_TABLE;
}

static void push_lost(page *p, uint32_t name);

static void open_named(page *p, uint32_t name, bool is_hidden, bool is_foreign)
{
    const element around = *top(p);
    element e = {.name = name, .is_foreign = is_foreign};
    const unsigned kind = is_foreign && name != DPL__HTML_SVG && name != DPL__HTML_MATH
                              ? DPL__HTML_INLINE
                              : rules_of(&e) & DPL__HTML_KIND;
    const bool is_nav = name == DPL__HTML_NAV && !is_foreign;
    e.is_hiding = is_hidden || kind == DPL__HTML_HIDDEN;
    e.mode = (uint8_t)(is_foreign ? around.mode : mode_in(name, (mode)around.mode));
    inherit(&e, &around);
    const bool is_block = kind == DPL__HTML_BLOCK || kind == DPL__HTML_LINES || is_nav;
    e.is_block = is_block && !around.is_hidden && !is_hidden;
    if (e.is_block)
        dpl__flow_break(&p->flow);
    if (p->open.n == MOST_OPEN)
        fail(p, DPL_E_FORMAT);
    else if (!dpl__vec_push(p->arena->ctx, &p->open, e))
        fail(p, DPL_E_NOMEM);
    else if (!is_foreign && name < DPL__HTML_N_TAGS)
        p->n_open[name]++;
    if (p->status == DPL_OK && is_marker(&e))
        push_lost(p, MARKER);
}

static void pop(page *p)
{
    assert(p->open.n > 1);
    const element *e = top(p);
    if (!e->is_foreign && e->name < DPL__HTML_N_TAGS)
        p->n_open[e->name]--;
    if (e->is_block)
        dpl__flow_break(&p->flow);
    if (is_marker(e)) {
        while (p->lost.data[p->lost.n - 1].name != MARKER)
            p->lost.n--;
        p->lost.n--;
    }
    const uint32_t depth = (uint32_t)--p->open.n;
    for (size_t i = p->lost.n; i > 0 && p->lost.data[i - 1].depth > depth; i--, p->n_work++) {
        p->lost.data[i - 1].depth = depth;
        p->lost.data[i - 1].is_open = false;
    }
}

static void push_lost(page *p, uint32_t name)
{
    if (!dpl__vec_push(p->arena->ctx, &p->lost,
                       ((lost){.name = name, .depth = (uint32_t)p->open.n})))
        fail(p, DPL_E_NOMEM);
}

/* Drops the first of the same name where there are MOST_LOST. */
static void add_lost(page *p, uint32_t name)
{
    size_t n_same = 0, first = 0;
    for (size_t i = p->lost.n; i > 0 && n_same < MOST_LOST; i--, p->n_work++) {
        if (p->lost.data[i - 1].name == MARKER)
            break;
        if (p->lost.data[i - 1].name == name) {
            n_same++;
            first = i - 1;
        }
    }
    if (n_same == MOST_LOST) {
        memmove(&p->lost.data[first], &p->lost.data[first + 1],
                (p->lost.n - first - 1) * sizeof *p->lost.data);
        p->lost.n--;
    }
    push_lost(p, name);
}

/* "Reconstructs the active formatting elements". */
static void reopen_lost(page *p)
{
    for (size_t i = p->lost.n; i > 0; i--, p->n_work++) {
        lost *l = &p->lost.data[i - 1];
        if (l->name == MARKER || l->is_open)
            return;
        l->depth = (uint32_t)p->open.n;
        l->is_open = true;
    }
}

static void close_top(page *p)
{
    const element e = *top(p);
    pop(p);
    if (!e.is_foreign && rules_of(&e) & DPL__HTML_FORMATTING)
        add_lost(p, e.name);
}

/* Closes the element at index i and all in it. */
static void close_down_to(page *p, int i)
{
    while (i > 0 && p->open.n > (size_t)i)
        close_top(p);
}

/* Takes the elements out that stand in [from, to) and are of no more use; what stands in them
 * stays open. */
static void close_between(page *p, int from, int to, bool (*is_over)(const element *e))
{
    element *all = p->open.data;
    size_t n = (size_t)from;
    bool is_block = false; /* one taken out ends a line where the next one ends */
    for (size_t i = n; i < p->open.n; i++, p->n_work++) {
        if ((int)i < to && ((int)i == from || is_over(&all[i]))) {
            is_block = is_block || all[i].is_block;
            if (!all[i].is_foreign && all[i].name < DPL__HTML_N_TAGS)
                p->n_open[all[i].name]--;
            continue;
        }
        all[n] = all[i];
        all[n].is_block = all[n].is_block || is_block;
        inherit(&all[n], &all[n - 1]);
        is_block = false;
        n++;
    }
    const uint32_t n_closed = (uint32_t)(p->open.n - n), least = (uint32_t)from;
    p->open.n = n;
    for (size_t i = p->lost.n; i > 0 && p->lost.data[i - 1].depth > least; i--, p->n_work++) {
        uint32_t *depth = &p->lost.data[i - 1].depth;
        *depth = *depth > least + n_closed ? *depth - n_closed : least;
    }
    if (is_block)
        dpl__flow_break(&p->flow);
}

static bool ends_scope(const element *e)
{
    return e->is_foreign ? e->has_html : (rules_of(e) & DPL__HTML_SCOPE) != 0;
}

static bool is_special(const element *e)
{
    return e->is_foreign ? e->has_html : (rules_of(e) & DPL__HTML_SPECIAL) != 0;
}

static bool is_open(const element *e, uint32_t name)
{
    return e->name == name && !e->is_foreign;
}

/* The innermost open element of that name "in scope"; NONE. more: another one that ends the
 * scope. */
static int find_in_scope(page *p, dpl__html_tag tag, dpl__html_tag more)
{
    if (!p->n_open[tag])
        return NONE;
    for (int i = (int)p->open.n - 1; i > 0; i--, p->n_work++) {
        const element *e = &p->open.data[i];
        if (is_open(e, tag))
            return i;
        if (ends_scope(e) || is_open(e, more))
            return NONE;
    }
    return NONE;
}

/* The same "in table scope". */
static int find_in_table(page *p, dpl__html_tag tag)
{
    if (!p->n_open[tag])
        return NONE;
    for (int i = (int)p->open.n - 1; i > 0; i--, p->n_work++) {
        const element *e = &p->open.data[i];
        if (is_open(e, tag))
            return i;
        if (is_open(e, DPL__HTML_TABLE) || is_open(e, DPL__HTML_TEMPLATE))
            return NONE;
    }
    return NONE;
}

static void close_p(page *p)
{
    close_down_to(p, find_in_scope(p, DPL__HTML_P, DPL__HTML_BUTTON));
}

/* An end tag that no rule of its own is for. */
static void close_other(page *p, uint32_t name)
{
    if (name < DPL__HTML_N_TAGS && !p->n_open[name])
        return;
    for (int i = (int)p->open.n - 1; i > 0; i--, p->n_work++) {
        if (is_open(&p->open.data[i], name)) {
            close_down_to(p, i);
            return;
        }
        if (is_special(&p->open.data[i]))
            return;
    }
}

static bool is_plain(const element *e)
{
    return !is_special(e) && !(rules_of(e) & DPL__HTML_FORMATTING);
}

/* The last lost element of that name behind the open one at index i is forgotten: true, and its
 * depth, or NONE when it was not opened again. It stays where something ends the scope. */
static bool take_lost(page *p, dpl__html_tag tag, int i, int *depth)
{
    size_t k = p->lost.n;
    while (k > 0 && p->lost.data[k - 1].name != (uint32_t)tag) {
        if (p->lost.data[k - 1].name == MARKER)
            return false;
        k--;
        p->n_work++;
    }
    if (!k || (int)p->lost.data[k - 1].depth <= i)
        return false;
    *depth = p->lost.data[k - 1].is_open ? (int)p->lost.data[k - 1].depth : NONE;
    for (int at = (int)p->open.n - 1; *depth != NONE && at >= *depth; at--, p->n_work++)
        if (ends_scope(&p->open.data[at])) {
            *depth = NONE;
            return true;
        }
    memmove(&p->lost.data[k - 1], &p->lost.data[k], (p->lost.n - k) * sizeof *p->lost.data);
    p->lost.n--;
    return true;
}

/* Is the formatting before index i around too many blocks to leave all of them? */
static bool is_overgrown(page *p, int i)
{
    unsigned n_blocks = 0;
    for (int at = i; at < (int)p->open.n && n_blocks < MOST_ADOPTED; at++, p->n_work++)
        n_blocks += is_special(&p->open.data[at]);
    return n_blocks == MOST_ADOPTED;
}

/* Ends the elements from index i on, but not the innermost block and those around it: blocks
 * that began in formatting go on behind it, other elements between do not. */
static void close_around_block(page *p, int i)
{
    int block = (int)p->open.n - 1; /* the innermost one */
    while (block >= i && !is_special(&p->open.data[block])) {
        block--;
        p->n_work++;
    }
    close_down_to(p, block + 1 > i ? block + 1 : i);
    int first = i;
    while (first < block && !is_plain(&p->open.data[first]))
        first++;
    for (int k = first; k < block; k++)
        if (p->open.data[k].is_block && is_plain(&p->open.data[k]))
            dpl__flow_break(&p->flow); /* what goes on has left it */
    if (first < block)
        close_between(p, first, block, is_plain);
}

/* The "adoption agency": formatting ends, blocks that began in it go on. */
static void close_formatting(page *p, dpl__html_tag tag)
{
    const int i = find_in_scope(p, tag, DPL__HTML_OTHER);
    int again;
    if (take_lost(p, tag, i, &again)) {
        if (again != NONE && !is_overgrown(p, again))
            close_around_block(p, again);
    } else if (i != NONE && !is_overgrown(p, i + 1)) {
        close_around_block(p, i + 1);
        if (p->open.n == (size_t)i + 1)
            pop(p);
        else
            close_between(p, i, i + 1, is_plain);
    }
}

/* Is the innermost element formatting that was opened again? */
static bool is_in_lost(const page *p)
{
    const lost *l = p->lost.n ? &p->lost.data[p->lost.n - 1] : NULL;
    return l && l->is_open && l->depth == p->open.n;
}

static void close_implied(page *p, dpl__html_tag but)
{
    while (p->open.n > 1 && !is_in_lost(p) && !top(p)->is_foreign &&
           rules_of(top(p)) & DPL__HTML_IMPLIED && top(p)->name != but)
        close_top(p);
}

/* A list item ends the one before, unless it begins a list of its own. */
static void close_item(page *p, dpl__html_tag tag, dpl__html_tag other)
{
    if (!p->n_open[tag] && !p->n_open[other])
        return;
    for (int i = (int)p->open.n - 1; i > 0; i--, p->n_work++) {
        const element *e = &p->open.data[i];
        if (is_open(e, tag) || is_open(e, other)) {
            close_down_to(p, i);
            return;
        }
        if (is_special(e) && !is_open(e, DPL__HTML_ADDRESS) && !is_open(e, DPL__HTML_DIV) &&
            !is_open(e, DPL__HTML_P))
            return;
    }
}

/* ---- tables --------------------------------------------------------------------------- */

/* Closes all but the table, or the part of it of one of the modes. */
static void close_to_part(page *p, mode a, mode b)
{
    while (p->open.n > 1) {
        const element *e = top(p);
        const bool is_part =
            !e->is_foreign && (e->name == DPL__HTML_TABLE || rules_of(e) & DPL__HTML_PART);
        if (is_part && (e->mode == TABLE || e->mode == a || e->mode == b))
            return;
        close_top(p);
    }
}

/* The start tag of a row, a cell ...: opens what is missing around it. */
static void open_part(page *p, const dpl__html_token *t)
{
    const bool is_column = t->tag == DPL__HTML_COL || t->tag == DPL__HTML_COLGROUP;
    if (top(p)->mode == SELECT) { /* in a table, it ends there */
        const int table = find_in_table(p, DPL__HTML_TABLE);
        if (table == NONE || is_column)
            return;
        close_down_to(p, find_in_table(p, DPL__HTML_SELECT));
    }
    if (top(p)->mode == BODY)
        return;
    if (t->tag == DPL__HTML_TD || t->tag == DPL__HTML_TH) {
        close_to_part(p, ROW, ROWS);
        if (top(p)->mode == TABLE)
            open_named(p, DPL__HTML_TBODY, false, false);
        if (top(p)->mode == ROWS)
            open_named(p, DPL__HTML_TR, false, false);
    } else if (t->tag == DPL__HTML_TR) {
        close_to_part(p, ROWS, ROWS);
        if (top(p)->mode == TABLE)
            open_named(p, DPL__HTML_TBODY, false, false);
    } else {
        close_to_part(p, TABLE, TABLE);
    }
    if (is_column)
        break_line(p); /* neither holds text */
    else
        open_named(p, t->tag, t->is_hidden, false);
}

static bool is_between_cells(const page *p)
{
    const unsigned m = top(p)->mode;
    return m == TABLE || m == ROWS || m == ROW;
}

/* ---- elements whose content is text --------------------------------------------------- */

/* Text of a slice, in the arena. */
static dpl_str plain_text(page *p, dpl_str raw)
{
    dpl__flow flow = {.ctx = p->arena->ctx};
    dpl_str text;
    add_with_references(&flow, raw, false);
    const dpl_status status = dpl__flow_finish(&flow, p->arena, &text, p->err);
    if (status != DPL_OK)
        p->status = p->status == DPL_OK ? status : p->status;
    return text;
}

static void read_raw(page *p, const dpl__html_token *t)
{
    const unsigned rules = dpl__html_rules[t->tag];
    const bool is_empty = t->is_self_closing && p->options.is_xml;
    dpl_str text = is_empty ? (dpl_str){0} : dpl__html_raw_text(&p->tokens, t->tag);
    if (t->tag == DPL__HTML_TITLE) {
        if (!p->out->title.n && !top(p)->is_hidden && !t->is_hidden && !p->is_frameset)
            p->out->title = plain_text(p, text);
    } else if ((rules & DPL__HTML_KIND) == DPL__HTML_LINES) {
        open_named(p, t->tag, t->is_hidden, false);
        if (p->status == DPL_OK) {
            add_text(p, text, rules & DPL__HTML_RCDATA);
            close_top(p);
        }
    }
    dpl__html_token end;
    if (!is_empty && p->tokens.p < p->tokens.end)
        dpl__html_next(&p->tokens, &end); /* its end tag */
}

/* ---- what the page says about itself -------------------------------------------------- */

static dpl_str first_of(dpl_str a, dpl_str b)
{
    return a.n ? a : b;
}

static void read_root(page *p, const dpl__html_token *t)
{
    if (p->out->lang.n)
        return;
    dpl_str lang = dpl__html_attribute(t, "lang");
    lang = first_of(lang, dpl__html_attribute(t, "xml:lang"));
    if (lang.n)
        p->out->lang = plain_text(p, lang);
}

static void read_meta(page *p, const dpl__html_token *t)
{
    static const char name[] = "content-language";
    const dpl_str what = dpl__html_attribute(t, "http-equiv");
    if (p->meta_lang.n || what.n != sizeof name - 1 || strncasecmp(what.data, name, what.n) ||
        top(p)->is_hidden || t->is_hidden)
        return;
    dpl_str content = plain_text(p, dpl__html_attribute(t, "content"));
    size_t n = 0;
    while (n < content.n && content.data[n] != ',' && content.data[n] != ' ')
        n++;
    p->meta_lang = (dpl_str){content.data, n};
}

/* ---- start tags ----------------------------------------------------------------------- */

static void open_element(page *p, const dpl__html_token *t)
{
    const uint32_t name =
        t->tag == DPL__HTML_OTHER ? DPL__HTML_N_TAGS + (t->hash >> 1) : (uint32_t)t->tag;
    open_named(p, name, t->is_hidden, false);
    if (t->is_self_closing && p->options.is_xml && p->status == DPL_OK)
        pop(p);
}

/* Does HTML stand in the foreign element? */
static bool has_html(const dpl__html_token *t, bool is_math)
{
    static const char *const encodings[] = {"text/html", "application/xhtml+xml"};
    if (t->tag != DPL__HTML_ANNOTATION_XML || !is_math)
        return dpl__html_rules[t->tag] & (is_math ? DPL__HTML_MATH_TEXT : DPL__HTML_SVG_HTML);
    const dpl_str encoding = dpl__html_attribute(t, "encoding");
    for (size_t i = 0; i < DPL_LEN(encodings); i++)
        if (encoding.n == strlen(encodings[i]) &&
            strncasecmp(encoding.data, encodings[i], encoding.n) == 0)
            return true;
    return false;
}

static bool is_in_foreign(const page *p)
{
    return top(p)->is_foreign && !top(p)->has_html;
}

static void open_foreign(page *p, const dpl__html_token *t)
{
    const uint32_t name =
        t->tag == DPL__HTML_OTHER ? DPL__HTML_N_TAGS + (t->hash >> 1) : (uint32_t)t->tag;
    if (t->is_self_closing)
        return;
    const size_t n = p->open.n;
    const bool is_inside = is_in_foreign(p);
    const bool is_math = is_inside ? top(p)->is_math : t->tag == DPL__HTML_MATH;
    open_named(p, name, t->is_hidden, true);
    if (p->open.n == n)
        return;
    top(p)->is_math = is_math;
    top(p)->has_html = has_html(t, is_math);
}

/* Does the start tag end SVG or MathML? */
static bool breaks_out(const dpl__html_token *t)
{
    if (t->tag == DPL__HTML_FONT)
        return dpl__html_attribute(t, "color").data || dpl__html_attribute(t, "face").data ||
               dpl__html_attribute(t, "size").data;
    return dpl__html_rules[t->tag] & DPL__HTML_BREAKOUT;
}

/* A tag in <select>: all but a few are ignored. True when the tag is done with. */
static bool start_in_select(page *p, const dpl__html_token *t)
{
    switch (t->tag) {
    case DPL__HTML_OPTION:
    case DPL__HTML_OPTGROUP:
        if (is_open(top(p), DPL__HTML_OPTION))
            close_top(p);
        if (t->tag == DPL__HTML_OPTGROUP && is_open(top(p), DPL__HTML_OPTGROUP))
            close_top(p);
        open_element(p, t);
        return true;
    case DPL__HTML_SELECT: /* stands for its end tag */
        close_down_to(p, find_in_table(p, DPL__HTML_SELECT));
        return true;
    case DPL__HTML_INPUT:
    case DPL__HTML_KEYGEN:
    case DPL__HTML_TEXTAREA: close_down_to(p, find_in_table(p, DPL__HTML_SELECT)); return false;
    case DPL__HTML_SCRIPT:
    case DPL__HTML_TEMPLATE: return false;
    case DPL__HTML_TABLE:
        if (find_in_table(p, DPL__HTML_TABLE) == NONE)
            return true;
        close_down_to(p, find_in_table(p, DPL__HTML_SELECT));
        return false;
    default: return true;
    }
}

/* Tags that close others before they open; true when the tag is done with. */
static bool close_before(page *p, const dpl__html_token *t)
{
    switch (t->tag) {
    case DPL__HTML_LI: close_item(p, DPL__HTML_LI, DPL__HTML_LI); break;
    case DPL__HTML_DD:
    case DPL__HTML_DT: close_item(p, DPL__HTML_DD, DPL__HTML_DT); break;
    case DPL__HTML_BUTTON:
        close_down_to(p, find_in_scope(p, DPL__HTML_BUTTON, DPL__HTML_OTHER));
        break;
    case DPL__HTML_A:
    case DPL__HTML_NOBR: close_formatting(p, t->tag); break;
    case DPL__HTML_OPTION:
    case DPL__HTML_OPTGROUP:
        if (is_open(top(p), DPL__HTML_OPTION) && !is_in_lost(p))
            close_top(p);
        break;
    case DPL__HTML_RB:
    case DPL__HTML_RTC:
    case DPL__HTML_RP:
    case DPL__HTML_RT:
        if (find_in_scope(p, DPL__HTML_RUBY, DPL__HTML_OTHER) != NONE)
            close_implied(p, t->tag == DPL__HTML_RP || t->tag == DPL__HTML_RT
                                 ? DPL__HTML_RTC
                                 : DPL__HTML_OTHER);
        break;
    case DPL__HTML_TABLE:
        if (is_between_cells(p))
            close_down_to(p, find_in_table(p, DPL__HTML_TABLE));
        break;
    case DPL__HTML_FORM:
        if (p->has_form && !p->n_open[DPL__HTML_TEMPLATE])
            return true;
        p->has_form = true;
        if (is_between_cells(p)) {
            break_line(p);
            return true;
        }
        break;
    default: break;
    }
    return false;
}

/* Tags that open nothing; true when it was one. */
static bool start_without_element(page *p, const dpl__html_token *t)
{
    switch (t->tag) {
    case DPL__HTML_HTML: read_root(p, t); return true;
    case DPL__HTML_BODY: p->has_body = true; return true;
    case DPL__HTML_HEAD:
    case DPL__HTML_FRAME: return true;
    case DPL__HTML_FRAMESET: p->is_frameset = p->is_frameset || !p->has_body; return true;
    case DPL__HTML_META: read_meta(p, t); return true;
    case DPL__HTML_SVG:
    case DPL__HTML_MATH:
        reopen_lost(p);
        open_foreign(p, t);
        return true;
    default: return false;
    }
}

/* Is lost formatting opened again before the element? Not for blocks and what shows nothing. */
static bool reopens(const dpl__html_token *t)
{
    const unsigned rules = dpl__html_rules[t->tag];
    switch (t->tag) {
    case DPL__HTML_APPLET:
    case DPL__HTML_MARQUEE:
    case DPL__HTML_OBJECT:
    case DPL__HTML_BR:
    case DPL__HTML_AREA:
    case DPL__HTML_EMBED:
    case DPL__HTML_IMG:
    case DPL__HTML_KEYGEN:
    case DPL__HTML_WBR:
    case DPL__HTML_INPUT:
    case DPL__HTML_BUTTON:
    case DPL__HTML_XMP:
    case DPL__HTML_SELECT: return true;
    case DPL__HTML_RB:
    case DPL__HTML_RTC:
    case DPL__HTML_RP:
    case DPL__HTML_RT: return false;
    default: return !(rules & (DPL__HTML_SPECIAL | DPL__HTML_RAW | DPL__HTML_RCDATA));
    }
}

static void start_tag(page *p, const dpl__html_token *t)
{
    const unsigned rules = dpl__html_rules[t->tag];
    const bool is_glyph = t->tag == DPL__HTML_MGLYPH || t->tag == DPL__HTML_MALIGNMARK;
    if (is_in_foreign(p) || (top(p)->is_foreign && is_glyph)) {
        if (!breaks_out(t)) {
            open_foreign(p, t);
            return;
        }
        while (is_in_foreign(p))
            close_top(p);
    }
    if (rules & DPL__HTML_PART) {
        open_part(p, t);
        return;
    }
    if (top(p)->mode == SELECT && start_in_select(p, t))
        return;
    if (start_without_element(p, t))
        return;
    p->has_body = p->has_body || rules & DPL__HTML_NO_FRAMES;
    if (rules & DPL__HTML_CLOSES_P && t->tag != DPL__HTML_FORM)
        close_p(p);
    if (rules & DPL__HTML_HEADING && rules_of(top(p)) & DPL__HTML_HEADING &&
        !top(p)->is_foreign && !is_in_lost(p))
        close_top(p);
    if (close_before(p, t))
        return;
    if (reopens(t))
        reopen_lost(p);
    if (t->tag == DPL__HTML_FORM || t->tag == DPL__HTML_LI || t->tag == DPL__HTML_DD ||
        t->tag == DPL__HTML_DT)
        close_p(p);
    if (rules & (DPL__HTML_RAW | DPL__HTML_RCDATA)) {
        read_raw(p, t);
    } else if (rules & DPL__HTML_VOID) {
        if ((rules & DPL__HTML_KIND) == DPL__HTML_BREAK && !t->is_hidden)
            break_line(p);
    } else {
        open_element(p, t);
        if (t->tag == DPL__HTML_PLAINTEXT && p->status == DPL_OK)
            add_text(p, dpl__html_rest(&p->tokens), false);
    }
}

/* ---- end tags ------------------------------------------------------------------------- */

static void end_heading(page *p)
{
    for (int i = (int)p->open.n - 1; i > 0; i--, p->n_work++) {
        const element *e = &p->open.data[i];
        if (!e->is_foreign && rules_of(e) & DPL__HTML_HEADING) {
            close_down_to(p, i);
            return;
        }
        if (ends_scope(e))
            return;
    }
}

static void end_form(page *p)
{
    if (!p->has_form && !p->n_open[DPL__HTML_TEMPLATE])
        return;
    p->has_form = false;
    const int i = find_in_scope(p, DPL__HTML_FORM, DPL__HTML_OTHER);
    if (i == NONE)
        return;
    close_implied(p, DPL__HTML_OTHER);
    close_between(p, i, i + 1, is_plain);
}

static void end_template(page *p)
{
    if (p->n_open[DPL__HTML_TEMPLATE])
        for (bool is_done = false; !is_done; close_top(p))
            is_done = is_open(top(p), DPL__HTML_TEMPLATE);
}

static void end_in_select(page *p, const dpl__html_token *t)
{
    if (t->tag == DPL__HTML_OPTION) {
        if (is_open(top(p), DPL__HTML_OPTION))
            close_top(p);
    } else if (t->tag == DPL__HTML_OPTGROUP) {
        if (is_open(top(p), DPL__HTML_OPTION) && p->open.n > 2 &&
            is_open(top(p) - 1, DPL__HTML_OPTGROUP))
            close_top(p);
        if (is_open(top(p), DPL__HTML_OPTGROUP))
            close_top(p);
    } else if (t->tag == DPL__HTML_TEMPLATE) {
        end_template(p);
    } else if (t->tag == DPL__HTML_SELECT) {
        close_down_to(p, find_in_table(p, t->tag));
    } else if ((t->tag == DPL__HTML_TABLE || dpl__html_rules[t->tag] & DPL__HTML_PART) &&
               find_in_table(p, t->tag) != NONE) {
        close_down_to(p, find_in_table(p, DPL__HTML_SELECT));
        close_down_to(p, find_in_table(p, t->tag));
    }
}

/* The end tag of a foreign element; false when it is one of HTML around it. */
static bool end_foreign(page *p, const dpl__html_token *t)
{
    const uint32_t name =
        t->tag == DPL__HTML_OTHER ? DPL__HTML_N_TAGS + (t->hash >> 1) : (uint32_t)t->tag;
    if (t->tag == DPL__HTML_P || t->tag == DPL__HTML_BR) {
        while (is_in_foreign(p))
            close_top(p);
        return false;
    }
    for (int i = (int)p->open.n - 1; i > 0 && p->open.data[i].is_foreign; i--, p->n_work++)
        if (p->open.data[i].name == name) {
            close_down_to(p, i);
            return true;
        }
    return false;
}

static void end_block(page *p, const dpl__html_token *t)
{
    const dpl__html_tag more = t->tag == DPL__HTML_LI ? DPL__HTML_UL : DPL__HTML_OTHER;
    const int i = find_in_scope(p, t->tag, more);
    if (t->tag == DPL__HTML_LI && i != NONE) {
        const int list = find_in_scope(p, DPL__HTML_OL, DPL__HTML_OTHER);
        if (list > i)
            return;
    }
    close_down_to(p, i);
}

static void end_tag(page *p, const dpl__html_token *t)
{
    const unsigned rules = dpl__html_rules[t->tag];
    if (top(p)->is_foreign && end_foreign(p, t))
        return;
    if (top(p)->mode == SELECT) {
        end_in_select(p, t);
        return;
    }
    if (rules & DPL__HTML_PART || t->tag == DPL__HTML_TABLE) {
        close_down_to(p, find_in_table(p, t->tag));
        return;
    }
    switch (t->tag) {
    case DPL__HTML_HTML:
    case DPL__HTML_BODY:
    case DPL__HTML_HEAD: return;
    case DPL__HTML_BR: break_line(p); return;
    case DPL__HTML_P:
        if (find_in_scope(p, DPL__HTML_P, DPL__HTML_BUTTON) == NONE)
            break_line(p);
        close_p(p);
        return;
    case DPL__HTML_FORM: end_form(p); return;
    case DPL__HTML_TEMPLATE: end_template(p); return;
    case DPL__HTML_OTHER: close_other(p, DPL__HTML_N_TAGS + (t->hash >> 1)); return;
    default: break;
    }
    if (rules & DPL__HTML_HEADING)
        end_heading(p);
    else if (rules & DPL__HTML_FORMATTING)
        close_formatting(p, t->tag);
    else if (rules & DPL__HTML_SPECIAL && !(rules & (DPL__HTML_VOID | DPL__HTML_RAW)) &&
             t->tag != DPL__HTML_PLAINTEXT)
        end_block(p, t);
    else
        close_other(p, t->tag);
}

/* ---- all of it ------------------------------------------------------------------------ */

static void take(page *p, const dpl__html_token *t)
{
    switch (t->kind) {
    case DPL__HTML_TEXT: add_text(p, t->text, true); break;
    case DPL__HTML_CDATA: add_text(p, t->text, false); break;
    case DPL__HTML_START: start_tag(p, t); break;
    case DPL__HTML_END: end_tag(p, t); break;
    }
    p->tokens.has_cdata = p->options.is_xml || top(p)->is_foreign;
    if (p->n_work > p->n_most_work)
        fail(p, DPL_E_FORMAT);
}

static dpl_status finish(page *p)
{
    dpl__html_page *out = p->out;
    if (!out->lang.n)
        out->lang = p->meta_lang;
    DPL_TRY(dpl__flow_finish(&p->flow, p->arena, &out->text, p->err));
    if (!p->links.n)
        return DPL_OK;
    dpl__html_span *links = dpl__arena_alloc(p->arena, p->links.n * sizeof *links);
    if (!links)
        return dpl__fail_nomem(p->err);
    memcpy(links, p->links.data, p->links.n * sizeof *links);
    out->links = links;
    out->n_links = p->links.n;
    return DPL_OK;
}

static bool has_declaration(dpl_str html)
{
    return html.n > 5 && memcmp(html.data, "<?xml", 5) == 0;
}

dpl_status dpl__html_text(dpl__html_page *out, dpl__arena *arena, dpl_str html,
                          const dpl__html_options *options, dpl_error *err)
{
    *out = (dpl__html_page){0};
    dpl_ctx *ctx = arena->ctx;
    page p = {.arena = arena,
              .out = out,
              .tokens = {.p = html.data, .end = html.n ? html.data + html.n : html.data},
              .flow = {.ctx = ctx},
              .n_most_work = MOST_WORK + (uint64_t)MOST_WORK_PER_BYTE * html.n,
              .err = err};
    if (options)
        p.options = *options;
    p.options.is_xml = p.options.is_xml || has_declaration(html);
    p.tokens.has_cdata = p.options.is_xml;
    dpl__html_token token;
    dpl_status status;
    DPL__STEP(dpl__need(dpl__vec_push(ctx, &p.open, ((element){.name = DPL__HTML_HTML})), err));
    while (p.status == DPL_OK && dpl__html_next(&p.tokens, &token))
        take(&p, &token);
    DPL__STEP(p.status);
    status = finish(&p);
done:
    dpl__vec_clear(ctx, &p.flow.out, &p.open, &p.lost, &p.links);
    return status;
}

dpl_status dpl__html_page_read(dpl__html_page *out, dpl__arena *arena,
                               const dpl__html_source *source, uint64_t *n_dropped,
                               dpl_error *err)
{
    const dpl__header *header = source->header;
    const dpl__html_options o = {.is_xml = source->is_xml,
                                 .with_links = header->no_boilerplate};
    DPL_TRY(dpl__html_text(out, arena, source->html, &o, err));
    if (header->learning) {
        if (source->key)
            dpl__blocks_keep(header->learning, source->key, out);
        return dpl__blocks_learn(header->learning, dpl__site_of(source->id), out->text)
                   ? DPL_END
                   : dpl__fail_nomem(err);
    }
    if (header->no_boilerplate) {
        uint64_t n = 0;
        out->text = dpl__blocks_filter(header->blocks, dpl__site_of(source->id), out, &n);
        *n_dropped += n;
    }
    return DPL_OK;
}

dpl_status dpl__html_read(dpl_doc *doc, dpl__arena *arena, dpl_str html, dpl_error *err)
{
    dpl__html_page out;
    const dpl_status status = dpl__html_text(&out, arena, html, NULL, err);
    doc->title = out.title;
    doc->lang = out.lang;
    doc->text = out.text;
    return status;
}

static dpl_status read_html(dpl_doc *doc, dpl__arena *arena, dpl_str text,
                            const dpl_reader_options *options, dpl_error *err)
{
    (void)options;
    return dpl__html_read(doc, arena, text, err);
}

const dpl__filetype dpl__filetype_html = {
    .endings = (const char *const[]){".html", ".htm", ".xhtml", NULL},
    .can_declare_charset = true,
    .read = read_html};
