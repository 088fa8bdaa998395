/*
 * gumbo_text.c - text of HTML through Gumbo, which builds the tree that browsers build: what
 * our reader is compared with, by bench/html and fuzz/html_peer.
 *
 * Gumbo takes its tree apart by recursion, so the tree lives in an arena, which dies at once.
 */
#include "gumbo_text.h"

#include "base/ctx.h"
#include "readers/flow.h"

#include <gumbo.h>
#include <stdlib.h>
#include <strings.h>

/* What an element does to the text. */
enum { INLINE, BLOCK, LINES, BREAK, HIDDEN, TITLE, META };

static const uint8_t kinds[GUMBO_TAG_LAST + 1] = {
    [GUMBO_TAG_HTML] = BLOCK,       [GUMBO_TAG_HEAD] = BLOCK,
    [GUMBO_TAG_BODY] = BLOCK,       [GUMBO_TAG_TITLE] = TITLE,
    [GUMBO_TAG_META] = META,

    [GUMBO_TAG_ARTICLE] = BLOCK,    [GUMBO_TAG_SECTION] = BLOCK,
    [GUMBO_TAG_ASIDE] = BLOCK,      [GUMBO_TAG_MAIN] = BLOCK,
    [GUMBO_TAG_HEADER] = BLOCK,     [GUMBO_TAG_FOOTER] = BLOCK,
    [GUMBO_TAG_HGROUP] = BLOCK,     [GUMBO_TAG_H1] = BLOCK,
    [GUMBO_TAG_H2] = BLOCK,         [GUMBO_TAG_H3] = BLOCK,
    [GUMBO_TAG_H4] = BLOCK,         [GUMBO_TAG_H5] = BLOCK,
    [GUMBO_TAG_H6] = BLOCK,         [GUMBO_TAG_P] = BLOCK,
    [GUMBO_TAG_DIV] = BLOCK,        [GUMBO_TAG_CENTER] = BLOCK,
    [GUMBO_TAG_MULTICOL] = BLOCK,   [GUMBO_TAG_ADDRESS] = BLOCK,
    [GUMBO_TAG_BLOCKQUOTE] = BLOCK, [GUMBO_TAG_FIGURE] = BLOCK,
    [GUMBO_TAG_FIGCAPTION] = BLOCK, [GUMBO_TAG_DETAILS] = BLOCK,
    [GUMBO_TAG_SUMMARY] = BLOCK,    [GUMBO_TAG_OL] = BLOCK,
    [GUMBO_TAG_UL] = BLOCK,         [GUMBO_TAG_MENU] = BLOCK,
    [GUMBO_TAG_DIR] = BLOCK,        [GUMBO_TAG_LI] = BLOCK,
    [GUMBO_TAG_DL] = BLOCK,         [GUMBO_TAG_DT] = BLOCK,
    [GUMBO_TAG_DD] = BLOCK,         [GUMBO_TAG_TABLE] = BLOCK,
    [GUMBO_TAG_CAPTION] = BLOCK,    [GUMBO_TAG_COLGROUP] = BLOCK,
    [GUMBO_TAG_THEAD] = BLOCK,      [GUMBO_TAG_TBODY] = BLOCK,
    [GUMBO_TAG_TFOOT] = BLOCK,      [GUMBO_TAG_TR] = BLOCK,
    [GUMBO_TAG_TH] = BLOCK,         [GUMBO_TAG_TD] = BLOCK,
    [GUMBO_TAG_FORM] = BLOCK,       [GUMBO_TAG_FIELDSET] = BLOCK,
    [GUMBO_TAG_LEGEND] = BLOCK,     [GUMBO_TAG_SELECT] = BLOCK,
    [GUMBO_TAG_OPTGROUP] = BLOCK,   [GUMBO_TAG_OPTION] = BLOCK,

    [GUMBO_TAG_PRE] = LINES,        [GUMBO_TAG_TEXTAREA] = LINES,
    [GUMBO_TAG_LISTING] = LINES,    [GUMBO_TAG_XMP] = LINES,
    [GUMBO_TAG_PLAINTEXT] = LINES,  [GUMBO_TAG_BR] = BREAK,
    [GUMBO_TAG_HR] = BREAK,

    [GUMBO_TAG_NAV] = HIDDEN,       [GUMBO_TAG_SCRIPT] = HIDDEN,
    [GUMBO_TAG_STYLE] = HIDDEN,     [GUMBO_TAG_NOSCRIPT] = HIDDEN,
    [GUMBO_TAG_TEMPLATE] = HIDDEN,  [GUMBO_TAG_SVG] = HIDDEN,
    [GUMBO_TAG_MATH] = HIDDEN,      [GUMBO_TAG_IFRAME] = HIDDEN,
    [GUMBO_TAG_FRAMESET] = HIDDEN,  [GUMBO_TAG_NOFRAMES] = HIDDEN,
    [GUMBO_TAG_OBJECT] = HIDDEN,    [GUMBO_TAG_EMBED] = HIDDEN,
    [GUMBO_TAG_NOEMBED] = HIDDEN,   [GUMBO_TAG_APPLET] = HIDDEN,
    [GUMBO_TAG_AUDIO] = HIDDEN,     [GUMBO_TAG_VIDEO] = HIDDEN,
    [GUMBO_TAG_CANVAS] = HIDDEN,    [GUMBO_TAG_DATALIST] = HIDDEN,
    [GUMBO_TAG_RT] = HIDDEN,        [GUMBO_TAG_RTC] = HIDDEN,
    [GUMBO_TAG_RP] = HIDDEN,

};

/* An element being walked through. */
typedef struct frame {
    const GumboElement *element;
    unsigned next; /* child */
    bool is_block;
    bool has_lines;
} frame;

typedef struct walk {
    dpl_ctx *ctx;
    dpl__arena *arena;
    dpl_doc *doc;
    dpl__flow flow;
    DPL_VEC(frame) frames;
} walk;

static const char *attribute(const GumboElement *e, const char *name)
{
    const GumboAttribute *a = gumbo_get_attribute(&e->attributes, name);
    return a ? a->value : NULL;
}

/* Pages that show themselves when their script has run hide all of the body until then. */
static bool is_hidden(const GumboElement *e)
{
    if (e->tag == GUMBO_TAG_HTML || e->tag == GUMBO_TAG_BODY)
        return false;
    const char *aria = attribute(e, "aria-hidden");
    return attribute(e, "hidden") || (aria && strcasecmp(aria, "true") == 0);
}

static dpl_status set_lang(walk *w, const char *lang, size_t n, dpl_error *err)
{
    if (w->doc->lang.n || !n)
        return DPL_OK;
    w->doc->lang = dpl__arena_copy(w->arena, (dpl_str){lang, n});
    return w->doc->lang.data ? DPL_OK : dpl__fail_nomem(err);
}

static dpl_status read_root(walk *w, const GumboElement *e, dpl_error *err)
{
    const char *lang = attribute(e, "lang");
    lang = lang ? lang : attribute(e, "xml:lang");
    return lang ? set_lang(w, lang, strlen(lang), err) : DPL_OK;
}

static dpl_status read_meta(walk *w, const GumboElement *e, dpl_error *err)
{
    const char *what = attribute(e, "http-equiv"), *content = attribute(e, "content");
    if (!what || !content || strcasecmp(what, "content-language") != 0)
        return DPL_OK;
    return set_lang(w, content, strcspn(content, ", "), err);
}

static dpl_status read_title(walk *w, const GumboElement *e, dpl_error *err)
{
    dpl__flow flow = {.ctx = w->ctx};
    if (w->doc->title.n)
        return DPL_OK;
    for (unsigned i = 0; i < e->children.length; i++) {
        const GumboNode *child = e->children.data[i];
        if (child->type == GUMBO_NODE_TEXT || child->type == GUMBO_NODE_WHITESPACE)
            dpl__flow_text(&flow, dpl__cstr(child->v.text.text));
    }
    return dpl__flow_finish(&flow, w->arena, &w->doc->title, err);
}

static dpl_status enter(walk *w, const GumboElement *e, bool has_lines, dpl_error *err)
{
    unsigned kind = kinds[e->tag];
    if (e->tag == GUMBO_TAG_NAV && !is_hidden(e)) /* a block, if one that is not shown */
        dpl__flow_break(&w->flow);
    if (kind == HIDDEN || is_hidden(e))
        return DPL_OK;
    if (kind == TITLE)
        return read_title(w, e, err);
    if (kind == META)
        return read_meta(w, e, err);
    if (kind != INLINE)
        dpl__flow_break(&w->flow);
    frame f = {
        .element = e, .is_block = kind != INLINE, .has_lines = has_lines || kind == LINES};
    return dpl__vec_push(w->ctx, &w->frames, f) ? DPL_OK : dpl__fail_nomem(err);
}

static dpl_status step(walk *w, dpl_error *err)
{
    frame *f = &w->frames.data[w->frames.n - 1];
    if (f->next == f->element->children.length) {
        if (f->is_block)
            dpl__flow_break(&w->flow);
        w->frames.n--;
        return DPL_OK;
    }
    const GumboNode *child = f->element->children.data[f->next++];
    switch (child->type) {
    case GUMBO_NODE_TEXT:
    case GUMBO_NODE_CDATA:
    case GUMBO_NODE_WHITESPACE:
        (f->has_lines ? dpl__flow_lines : dpl__flow_text)(&w->flow,
                                                          dpl__cstr(child->v.text.text));
        return DPL_OK;
    case GUMBO_NODE_ELEMENT: return enter(w, &child->v.element, f->has_lines, err);
    default: return DPL_OK;
    }
}

static dpl_status walk_tree(dpl_doc *doc, dpl__arena *arena, const GumboNode *root,
                            dpl_error *err)
{
    walk w = {.ctx = arena->ctx, .arena = arena, .doc = doc, .flow = {.ctx = arena->ctx}};
    dpl_status status = read_root(&w, &root->v.element, err);
    if (status == DPL_OK)
        status = enter(&w, &root->v.element, false, err);
    while (status == DPL_OK && w.frames.n)
        status = step(&w, err);
    dpl_status finished = dpl__flow_finish(&w.flow, arena, &doc->text, err);
    dpl__vec_clear(w.ctx, &w.frames);
    return status == DPL_OK ? finished : status;
}

/* ---- numeric references ----------------------------------------------------------------- */

static bool is_digit(char c, bool is_hex)
{
    return (c >= '0' && c <= '9') ||
           (is_hex && ((c >= 'a' && c <= 'f') || (c >= 'A' && c <= 'F')));
}

/* The digits of the reference at p, behind its "&#"; *is_beyond when they are no character. */
static dpl_str digits_at(const char *p, const char *end, bool *is_hex, bool *is_beyond)
{
    *is_hex = p < end && (*p == 'x' || *p == 'X');
    p += *is_hex;
    size_t n = 0;
    uint32_t value = 0;
    for (; p + n < end && is_digit(p[n], *is_hex); n++) {
        uint32_t digit = p[n] <= '9' ? (uint32_t)(p[n] - '0') : (uint32_t)(p[n] & 7) + 9;
        value = value > 0x10FFFF ? value : value * (*is_hex ? 16 : 10) + digit;
    }
    *is_beyond = value > 0x10FFFF;
    return (dpl_str){p, n};
}

/* References beyond U+10FFFF become ones to U+FFFD, of the same length; in a copy. */
static dpl_status clamp_references(dpl_str *html, dpl__arena *arena, dpl_error *err)
{
    const char *end = html->data + html->n;
    char *copy = NULL;
    for (const char *p = html->data; (p = memchr(p, '&', (size_t)(end - p))); p++) {
        bool is_hex, is_beyond;
        if (end - p < 3 || p[1] != '#')
            continue;
        dpl_str digits = digits_at(p + 2, end, &is_hex, &is_beyond);
        if (!is_beyond)
            continue;
        if (!copy && !(copy = (char *)(uintptr_t)dpl__arena_copy(arena, *html).data))
            return dpl__fail_nomem(err);
        char *to = copy + (digits.data - html->data);
        const char *value = is_hex ? "FFFD" : "65533";
        memset(to, '0', digits.n);
        memcpy(to + digits.n - strlen(value), value, strlen(value));
    }
    html->data = copy ? copy : html->data;
    return DPL_OK;
}

/* ---- all of it -------------------------------------------------------------------------- */

static void *tree_alloc(void *arena, size_t n)
{
    void *p = dpl__arena_alloc(arena, n);
    if (!p)
        abort();
    return p;
}

static void tree_free(void *arena, void *p)
{
    (void)arena, (void)p; /* with the arena */
}

dpl_status gumbo_text(dpl_doc *doc, dpl__arena *arena, dpl_str html, dpl_error *err)
{
    doc->title = doc->lang = doc->text = (dpl_str){0};
    if (!html.n)
        return DPL_OK;
    DPL_TRY(clamp_references(&html, arena, err));
    dpl__arena tree;
    dpl__arena_init(&tree, arena->ctx);
    GumboOptions options = kGumboDefaultOptions;
    options.allocator = tree_alloc;
    options.deallocator = tree_free;
    options.userdata = &tree;
    options.max_errors = 0;
    const GumboOutput *output = gumbo_parse_with_options(&options, html.data, html.n);
    dpl_status status = walk_tree(doc, arena, output->root, err);
    dpl__arena_clear(&tree);
    return status;
}
