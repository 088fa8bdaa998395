/*
 * docx.c - Word documents (Office Open XML, ECMA-376): paragraphs of the body, then the notes.
 *
 *     <w:p><w:pPr>...</w:pPr><w:r><w:rPr><w:lang w:val="de-DE"/></w:rPr><w:t>Guten </w:t></w:r>
 *          <w:del><w:r><w:delText>Abend</w:delText></w:r></w:del>
 *          <w:ins><w:r><w:t>Tag</w:t></w:r></w:ins></w:p>
 *
 * The text is the one with all changes accepted: what is deleted or moved away is left out, and
 * so are hidden text, field codes, comments, headers and footers. The title is the core
 * property; the language is dc:language there, or the one most of the text is marked with. The
 * default language of the styles counts only where the text does not tell its own: programs
 * that write such files leave it at en-US. Cost: Expat's, and one copy of the text.
 */
#include "readers/package.h"

#include "base/ascii.h"
#include "readers/flow.h"

enum { MOST_LANGS = 8 };

/* Text that is marked with a language. */
typedef struct marked {
    char lang[24];
    uint64_t n_bytes;
} marked;

typedef struct docx {
    dpl__flow flow;
    unsigned depth;
    unsigned skipped; /* depth of the element that is left out; 0: none */
    unsigned run;     /* depth of the run; 0: outside */
    bool is_text;     /* in <w:t> */
    bool is_hidden;   /* the run */
    char lang[24];    /* of the run; "" is the default */
    marked langs[MOST_LANGS];
    uint64_t n_bytes; /* of all text */
} docx;

static bool is_true(const char *value)
{
    return !value || (strcmp(value, "0") && strcmp(value, "false") && strcmp(value, "off"));
}

static void copy_lang(char out[24], const char **attributes)
{
    const char *value = dpl__xml_attribute(attributes, "val");
    if (value && strlen(value) < 24)
        strcpy(out, value);
}

static void start_in_run(docx *d, const char *name, const char **attributes)
{
    static const char *const breaks[] = {"br", "cr", NULL};
    static const char *const blanks[] = {"tab", "ptab", NULL};
    if (strcmp(name, "t") == 0)
        d->is_text = true;
    else if (strcmp(name, "lang") == 0)
        copy_lang(d->lang, attributes);
    else if (strcmp(name, "vanish") == 0)
        d->is_hidden = is_true(dpl__xml_attribute(attributes, "val"));
    else if (d->is_hidden)
        return;
    else if (dpl__is_in_list(name, breaks))
        dpl__flow_break(&d->flow);
    else if (dpl__is_in_list(name, blanks))
        dpl__flow_text(&d->flow, DPL_STR(" "));
    else if (strcmp(name, "noBreakHyphen") == 0)
        dpl__flow_text(&d->flow, DPL_STR("\xE2\x80\x91"));
}

static dpl_status start(void *user, const char *name, const char **attributes, dpl_error *err)
{
    (void)err;
    docx *d = user;
    /* copies for older programs; what was deleted or moved away; notes that are lines */
    static const char *const left_out[] = {"Fallback", "del", "moveFrom", NULL};
    static const char *const notes[] = {"footnote", "endnote", NULL};
    d->depth++;
    if (d->skipped)
        return DPL_OK;
    if (dpl__is_in_list(name, left_out) ||
        (dpl__is_in_list(name, notes) && dpl__xml_attribute(attributes, "type"))) {
        d->skipped = d->depth;
    } else if (strcmp(name, "p") == 0) {
        dpl__flow_break(&d->flow);
        d->run = 0; /* a text box stands in a run */
    } else if (strcmp(name, "r") == 0) {
        d->run = d->depth;
        d->is_hidden = false;
        d->lang[0] = '\0';
    } else if (d->run) {
        start_in_run(d, name, attributes);
    }
    return DPL_OK;
}

static dpl_status end(void *user, const char *name, dpl_error *err)
{
    (void)err;
    docx *d = user;
    assert(d->depth > 0);
    const unsigned depth = d->depth--;
    if (d->skipped) {
        d->skipped = depth == d->skipped ? 0 : d->skipped;
        return DPL_OK;
    }
    d->is_text = false;
    if (depth == d->run)
        d->run = 0;
    if (strcmp(name, "p") == 0 || strcmp(name, "tc") == 0)
        dpl__flow_break(&d->flow);
    return DPL_OK;
}

static void count_language(docx *d, size_t n)
{
    d->n_bytes += n;
    for (size_t i = 0; d->lang[0] && i < MOST_LANGS; i++) {
        marked *m = &d->langs[i];
        if (!m->n_bytes)
            strcpy(m->lang, d->lang);
        if (strcmp(m->lang, d->lang) == 0) {
            m->n_bytes += n;
            return;
        }
    }
}

static dpl_status text(void *user, dpl_str s, dpl_error *err)
{
    (void)err;
    docx *d = user;
    if (!d->is_text || d->is_hidden || d->skipped || !d->run)
        return DPL_OK;
    dpl__flow_text(&d->flow, s);
    count_language(d, s.n);
    return DPL_OK;
}

/* ---- language --------------------------------------------------------------------------- */

typedef struct styles {
    bool is_default; /* in <w:docDefaults> */
    char lang[24];
} styles;

static dpl_status start_style(void *user, const char *name, const char **attributes,
                              dpl_error *err)
{
    (void)err;
    styles *s = user;
    if (strcmp(name, "docDefaults") == 0)
        s->is_default = true;
    else if (s->is_default && strcmp(name, "lang") == 0)
        copy_lang(s->lang, attributes);
    return DPL_OK;
}

static dpl_status end_style(void *user, const char *name, dpl_error *err)
{
    (void)err;
    styles *s = user;
    if (strcmp(name, "docDefaults") == 0)
        s->is_default = false;
    return DPL_OK;
}

/* The language of more than half of the text, in the arena. */
static dpl_status take_language(dpl__package *p, const docx *d, dpl_doc *doc, dpl_error *err)
{
    for (size_t i = 0; i < MOST_LANGS && !doc->lang.n; i++)
        if (2 * d->langs[i].n_bytes > d->n_bytes) {
            doc->lang = dpl__arena_copy(&p->batch->arena, dpl__cstr(d->langs[i].lang));
            DPL_TRY(dpl__need(doc->lang.data, err));
        }
    return DPL_OK;
}

/* ---- all of it -------------------------------------------------------------------------- */

/* The member beside the main one. */
static dpl_status beside(dpl__package *p, dpl_str main, const char *name, dpl_str *out,
                         dpl_error *err)
{
    size_t n = main.n;
    while (n && main.data[n - 1] != '/')
        n--;
    const size_t n_name = strlen(name);
    char *path = dpl__arena_alloc(&p->batch->arena, n + n_name);
    DPL_TRY(dpl__need(path, err));
    memcpy(path, main.data, n);
    memcpy(path + n, name, n_name);
    *out = (dpl_str){path, n + n_name};
    return DPL_OK;
}

static dpl_status read_parts(dpl__package *p, docx *d, dpl_str main, dpl_error *err)
{
    static const char *const notes[] = {"footnotes.xml", "endnotes.xml"};
    const dpl__xml xml = {.start = start, .end = end, .text = text, .user = d};
    if (!dpl__package_has(p, main))
        return dpl__package_bad(p, DPL_DROP_MALFORMED, err, "the member '%.*s' is missing",
                                (int)dpl__min(main.n, 200), main.data);
    DPL_TRY(dpl__package_parse(p, main, &xml, err));
    for (size_t i = 0; i < DPL_LEN(notes); i++) {
        dpl_str name;
        DPL_TRY(beside(p, main, notes[i], &name, err));
        DPL_TRY(dpl__package_parse(p, name, &xml, err));
    }
    return DPL_OK;
}

dpl_status dpl__docx_parse(dpl__package *p, dpl_str main, dpl_error *err)
{
    docx d = {.flow = {.ctx = p->batch->ctx}};
    dpl_doc doc = {.id = p->id};
    dpl_status status = read_parts(p, &d, main, err);
    dpl_error late = {0};
    dpl_status finished = dpl__flow_finish(&d.flow, &p->batch->arena, &doc.text, &late);
    if (status != DPL_OK)
        return status;
    if (finished != DPL_OK)
        return dpl__fail_nomem(err);
    styles s = {0};
    dpl_str name;
    const dpl__xml xml = {.start = start_style, .end = end_style, .user = &s};
    DPL_TRY(dpl__package_metadata(p, DPL_STR("docProps/core.xml"), &doc, err));
    DPL_TRY(take_language(p, &d, &doc, err));
    DPL_TRY(beside(p, main, "styles.xml", &name, err));
    DPL_TRY(dpl__package_parse(p, name, &xml, err));
    dpl__default_language(&doc, s.lang);
    return dpl__batch_add(p->batch, p->chunk, 0, &doc, err);
}
