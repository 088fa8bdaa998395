/*
 * html.c - HTML to text through Gumbo, which builds the tree that browsers build.
 *
 * Gumbo does not check its allocations and takes its tree apart by recursion. So the tree lives
 * in an arena of ours, which dies at once, and an allocation that fails leaves Gumbo by a jump.
 * It also looks through all open elements at nearly every tag, so a page of 100 000 nested
 * elements takes half a minute: a look at the tags refuses such pages beforehand. Its numbers
 * overflow in "&#4294967361;", so references beyond Unicode are rewritten before.
 * Cost: Gumbo's, some 12 MB/s; the tree takes 10 to 60 times the page while it lasts, at most
 * half of the context's memory. Trees that take more than their thread's share of that are
 * made one after the other.
 */
#include "text/html.h"

#include "base/ctx.h"
#include "text/dir.h"
#include "text/flow.h"
#include "text/reader.h"

#include <gumbo.h>
#include <pthread.h>
#include <setjmp.h>
#include <strings.h>

/* What an element does to the text ... */
enum { INLINE, BLOCK, LINES, BREAK, HIDDEN, TITLE, META, KIND = 7 };
/* ... and to the depth of the tree: it is closed by the next of its sort or empty; it is closed
 * together with the block around it. */
enum { LOOSE = 8, FORMAT = 16 };

static const uint8_t kinds[GUMBO_TAG_LAST + 1] = {
    [GUMBO_TAG_HTML] = BLOCK,
    [GUMBO_TAG_HEAD] = BLOCK,
    [GUMBO_TAG_BODY] = BLOCK,
    [GUMBO_TAG_TITLE] = TITLE,
    [GUMBO_TAG_META] = META | LOOSE,

    [GUMBO_TAG_ARTICLE] = BLOCK,
    [GUMBO_TAG_SECTION] = BLOCK,
    [GUMBO_TAG_ASIDE] = BLOCK,
    [GUMBO_TAG_MAIN] = BLOCK,
    [GUMBO_TAG_HEADER] = BLOCK,
    [GUMBO_TAG_FOOTER] = BLOCK,
    [GUMBO_TAG_HGROUP] = BLOCK,
    [GUMBO_TAG_H1] = BLOCK,
    [GUMBO_TAG_H2] = BLOCK,
    [GUMBO_TAG_H3] = BLOCK,
    [GUMBO_TAG_H4] = BLOCK,
    [GUMBO_TAG_H5] = BLOCK,
    [GUMBO_TAG_H6] = BLOCK,
    [GUMBO_TAG_P] = BLOCK | LOOSE,
    [GUMBO_TAG_DIV] = BLOCK,
    [GUMBO_TAG_CENTER] = BLOCK,
    [GUMBO_TAG_MULTICOL] = BLOCK,
    [GUMBO_TAG_ADDRESS] = BLOCK,
    [GUMBO_TAG_BLOCKQUOTE] = BLOCK,
    [GUMBO_TAG_FIGURE] = BLOCK,
    [GUMBO_TAG_FIGCAPTION] = BLOCK,
    [GUMBO_TAG_DETAILS] = BLOCK,
    [GUMBO_TAG_SUMMARY] = BLOCK,
    [GUMBO_TAG_OL] = BLOCK,
    [GUMBO_TAG_UL] = BLOCK,
    [GUMBO_TAG_MENU] = BLOCK,
    [GUMBO_TAG_DIR] = BLOCK,
    [GUMBO_TAG_LI] = BLOCK | LOOSE,
    [GUMBO_TAG_DL] = BLOCK,
    [GUMBO_TAG_DT] = BLOCK | LOOSE,
    [GUMBO_TAG_DD] = BLOCK | LOOSE,
    [GUMBO_TAG_TABLE] = BLOCK,
    [GUMBO_TAG_CAPTION] = BLOCK | LOOSE,
    [GUMBO_TAG_COLGROUP] = BLOCK | LOOSE,
    [GUMBO_TAG_THEAD] = BLOCK | LOOSE,
    [GUMBO_TAG_TBODY] = BLOCK | LOOSE,
    [GUMBO_TAG_TFOOT] = BLOCK | LOOSE,
    [GUMBO_TAG_TR] = BLOCK | LOOSE,
    [GUMBO_TAG_TH] = BLOCK | LOOSE,
    [GUMBO_TAG_TD] = BLOCK | LOOSE,
    [GUMBO_TAG_FORM] = BLOCK,
    [GUMBO_TAG_FIELDSET] = BLOCK,
    [GUMBO_TAG_LEGEND] = BLOCK,
    [GUMBO_TAG_SELECT] = BLOCK,
    [GUMBO_TAG_OPTGROUP] = BLOCK | LOOSE,
    [GUMBO_TAG_OPTION] = BLOCK | LOOSE,

    [GUMBO_TAG_PRE] = LINES,
    [GUMBO_TAG_TEXTAREA] = LINES,
    [GUMBO_TAG_LISTING] = LINES,
    [GUMBO_TAG_XMP] = LINES,
    [GUMBO_TAG_PLAINTEXT] = LINES,
    [GUMBO_TAG_BR] = BREAK | LOOSE,
    [GUMBO_TAG_HR] = BREAK | LOOSE,

    [GUMBO_TAG_NAV] = HIDDEN,
    [GUMBO_TAG_SCRIPT] = HIDDEN,
    [GUMBO_TAG_STYLE] = HIDDEN,
    [GUMBO_TAG_NOSCRIPT] = HIDDEN,
    [GUMBO_TAG_TEMPLATE] = HIDDEN,
    [GUMBO_TAG_SVG] = HIDDEN,
    [GUMBO_TAG_MATH] = HIDDEN,
    [GUMBO_TAG_IFRAME] = HIDDEN,
    [GUMBO_TAG_FRAMESET] = HIDDEN,
    [GUMBO_TAG_NOFRAMES] = HIDDEN,
    [GUMBO_TAG_OBJECT] = HIDDEN,
    [GUMBO_TAG_EMBED] = HIDDEN | LOOSE,
    [GUMBO_TAG_NOEMBED] = HIDDEN,
    [GUMBO_TAG_APPLET] = HIDDEN,
    [GUMBO_TAG_AUDIO] = HIDDEN,
    [GUMBO_TAG_VIDEO] = HIDDEN,
    [GUMBO_TAG_CANVAS] = HIDDEN,
    [GUMBO_TAG_DATALIST] = HIDDEN,
    [GUMBO_TAG_RT] = HIDDEN | LOOSE,
    [GUMBO_TAG_RTC] = HIDDEN | LOOSE,
    [GUMBO_TAG_RP] = HIDDEN | LOOSE,

    [GUMBO_TAG_AREA] = LOOSE,
    [GUMBO_TAG_BASE] = LOOSE,
    [GUMBO_TAG_BASEFONT] = LOOSE,
    [GUMBO_TAG_BGSOUND] = LOOSE,
    [GUMBO_TAG_COL] = LOOSE,
    [GUMBO_TAG_FRAME] = LOOSE,
    [GUMBO_TAG_IMAGE] = LOOSE,
    [GUMBO_TAG_IMG] = LOOSE,
    [GUMBO_TAG_INPUT] = LOOSE,
    [GUMBO_TAG_KEYGEN] = LOOSE,
    [GUMBO_TAG_LINK] = LOOSE,
    [GUMBO_TAG_PARAM] = LOOSE,
    [GUMBO_TAG_SOURCE] = LOOSE,
    [GUMBO_TAG_TRACK] = LOOSE,
    [GUMBO_TAG_WBR] = LOOSE,
    [GUMBO_TAG_A] = FORMAT,
    [GUMBO_TAG_B] = FORMAT,
    [GUMBO_TAG_BIG] = FORMAT,
    [GUMBO_TAG_CODE] = FORMAT,
    [GUMBO_TAG_EM] = FORMAT,
    [GUMBO_TAG_FONT] = FORMAT,
    [GUMBO_TAG_I] = FORMAT,
    [GUMBO_TAG_NOBR] = FORMAT,
    [GUMBO_TAG_S] = FORMAT,
    [GUMBO_TAG_SMALL] = FORMAT,
    [GUMBO_TAG_STRIKE] = FORMAT,
    [GUMBO_TAG_STRONG] = FORMAT,
    [GUMBO_TAG_TT] = FORMAT,
    [GUMBO_TAG_U] = FORMAT,
};

/* ---- pages that would take for ever --------------------------------------------------- */

enum {
    MOST_DEEP = 4096,       /* elements open at a time, without formatting */
    MOST_OPEN = 1 << 16,    /* with it */
    MOST_ATTRIBUTES = 4096, /* of one element: Gumbo compares each with all others */
    N_OTHER = 256,          /* names that Gumbo has no number for, hashed */
    MOST_WORK = 200000000,  /* comparisons with open formatting elements; and ... */
    MOST_WORK_PER_BYTE = 30 /* ... of the page: real pages of 1999 leave thousands open */
};

typedef struct guard {
    uint32_t n_open[GUMBO_TAG_LAST + N_OTHER];
    size_t n_deep, n_formatting;
    uint64_t n_work, n_most_work; /* Gumbo compares and reopens formatting at every tag */
} guard;

static bool is_white(char c)
{
    return c == ' ' || c == '\t' || c == '\n' || c == '\r' || c == '\f';
}

static bool is_letter(char c)
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
}

/* Behind the tag whose attributes begin at p; *n_attributes is a little more than it has. */
static const char *skip_attributes(const char *p, const char *end, size_t *n_attributes)
{
    *n_attributes = 0;
    for (char last = 0; p < end && *p != '>'; p++) {
        if ((*p == '"' || *p == '\'') && last == '=') {
            const char *close = memchr(p + 1, *p, (size_t)(end - p - 1));
            if (!close)
                return end;
            p = close;
        }
        *n_attributes += is_white(*p);
        last = is_white(*p) ? last : *p;
    }
    return p < end ? p + 1 : end;
}

static const char *find(const char *p, const char *end, const char *word)
{
    for (size_t n = strlen(word); (p = memchr(p, word[0], (size_t)(end - p))); p++)
        if ((size_t)(end - p) < n || strncasecmp(p, word, n) == 0)
            break;
    return p && (size_t)(end - p) >= strlen(word) ? p : end;
}

static bool open_element(guard *g, GumboTag tag, size_t name, bool is_empty)
{
    bool is_foreign = g->n_open[GUMBO_TAG_SVG] || g->n_open[GUMBO_TAG_MATH];
    if (kinds[tag] & LOOSE || (is_empty && is_foreign))
        return true;
    g->n_open[name]++;
    *(kinds[tag] & FORMAT ? &g->n_formatting : &g->n_deep) += 1;
    return g->n_deep <= MOST_DEEP && g->n_deep + g->n_formatting <= MOST_OPEN;
}

static void close_element(guard *g, GumboTag tag, size_t name)
{
    if (!g->n_open[name])
        return;
    g->n_open[name]--;
    *(kinds[tag] & FORMAT ? &g->n_formatting : &g->n_deep) -= 1;
}

/* Handles the tag at p (behind its '<') and returns what follows it; NULL when enough is
 * enough. */
static const char *guard_tag(guard *g, const char *p, const char *end)
{
    bool is_end = *p == '/';
    const char *name = p + is_end;
    size_t n = 0, hash = 0, n_attributes;
    if (name == end || !is_letter(*name))
        return p;
    for (; name + n < end && !is_white(name[n]) && name[n] != '/' && name[n] != '>'; n++)
        hash = hash * 31 + (unsigned char)(name[n] | 0x20);
    GumboTag tag = n < 32 ? gumbo_tagn_enum(name, (unsigned)n) : GUMBO_TAG_UNKNOWN;
    size_t slot = tag == GUMBO_TAG_UNKNOWN ? GUMBO_TAG_LAST + hash % N_OTHER : tag;
    const char *after = skip_attributes(name + n, end, &n_attributes);
    g->n_work += g->n_formatting;
    if (n_attributes > MOST_ATTRIBUTES || g->n_work > g->n_most_work)
        return NULL;
    if (is_end)
        close_element(g, tag, slot);
    else if (!open_element(g, tag, slot, after - p > 2 && after[-2] == '/'))
        return NULL;
    if (!is_end && tag == GUMBO_TAG_SCRIPT)
        return find(after, end, "</script");
    if (!is_end && tag == GUMBO_TAG_STYLE)
        return find(after, end, "</style");
    return after;
}

static bool is_parsable(dpl_str html)
{
    guard g = {.n_most_work = MOST_WORK + (uint64_t)MOST_WORK_PER_BYTE * html.n};
    const char *p = html.data, *end = p + html.n;
    while ((p = memchr(p, '<', (size_t)(end - p))) && end - p > 1) {
        p++;
        p = end - p > 3 && memcmp(p, "!--", 3) == 0 ? find(p, end, "-->")
                                                    : guard_tag(&g, p, end);
        if (!p)
            return false;
    }
    return true;
}

/* ---- the tree --------------------------------------------------------------------------- */

/* One large tree at a time, of all contexts. */
static pthread_mutex_t large_tree = PTHREAD_MUTEX_INITIALIZER;

typedef struct tree {
    dpl__arena arena;
    size_t n_bytes, n_most; /* misnested formatting can multiply a page without end */
    size_t n_small;         /* what every thread may take at the same time */
    bool is_large;          /* holds large_tree */
    bool is_too_large;
    jmp_buf leave;
} tree;

static void *tree_alloc(void *user, size_t n)
{
    tree *t = user;
    void *p = NULL;
    t->n_bytes += n;
    t->is_too_large = t->n_bytes > t->n_most;
    if (t->n_bytes > t->n_small && !t->is_large) {
        pthread_mutex_lock(&large_tree);
        t->is_large = true;
    }
    if (!t->is_too_large)
        p = dpl__arena_alloc(&t->arena, n);
    if (!p)
        longjmp(t->leave, 1);
    return p;
}

static void tree_free(void *user, void *p)
{
    (void)user, (void)p; /* with the arena */
}

/* NULL when there is no memory, or the tree is too large. */
static GumboOutput *build_tree(tree *t, dpl_ctx *ctx, dpl_str html)
{
    dpl__arena_init(&t->arena, ctx);
    t->n_bytes = 0;
    t->is_large = t->is_too_large = false;
    const uint64_t n_memory = ctx->memory / 2; /* the same for any number of threads */
    t->n_most = (1 << 20) + 256 * html.n;
    t->n_most = n_memory < t->n_most ? (size_t)n_memory : t->n_most;
    t->n_small = (size_t)(n_memory / 2 / ctx->n_threads);
    if (setjmp(t->leave))
        return NULL;
    GumboOptions options = kGumboDefaultOptions;
    options.allocator = tree_alloc;
    options.deallocator = tree_free;
    options.userdata = t;
    options.max_errors = 0;
    return gumbo_parse_with_options(&options, html.data, html.n);
}

/* ---- the walk --------------------------------------------------------------------------- */

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
    unsigned kind = kinds[e->tag] & KIND;
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

static void free_tree(tree *t)
{
    dpl__arena_clear(&t->arena);
    if (t->is_large)
        pthread_mutex_unlock(&large_tree);
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

static dpl_status make_utf8(dpl_doc *doc, dpl__arena *arena, dpl_error *err)
{
    uint64_t n_replaced;
    DPL_TRY(dpl__utf8_replace(&doc->text, arena, &n_replaced, err));
    DPL_TRY(dpl__utf8_replace(&doc->title, arena, &n_replaced, err));
    return dpl__utf8_replace(&doc->lang, arena, &n_replaced, err);
}

dpl_status dpl__html_read(dpl_doc *doc, dpl__arena *arena, dpl_str html, dpl_error *err)
{
    doc->title = doc->lang = doc->text = (dpl_str){0};
    if (!html.n)
        return DPL_OK;
    if (!is_parsable(html))
        return DPL_E_FORMAT;
    DPL_TRY(clamp_references(&html, arena, err));
    tree t;
    const GumboOutput *output = build_tree(&t, arena->ctx, html);
    dpl_status status = output           ? walk_tree(doc, arena, output->root, err)
                        : t.is_too_large ? DPL_E_LIMIT
                                         : dpl__fail_nomem(err);
    free_tree(&t);
    return status == DPL_OK ? make_utf8(doc, arena, err) : status;
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
