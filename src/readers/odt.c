/*
 * odt.c - OpenDocument text (ISO/IEC 26300), zipped or flat: paragraphs and headings, notes
 * behind the paragraph they belong to.
 *
 * Left out: comments, changes that were deleted, alternative texts of images, ruby annotations,
 * the numbers of notes. Title and language are those of the metadata; the default language of
 * the styles counts only where the text does not tell its own. Prefixes of names are the ones
 * that every program writes (text:p). Cost: Expat's, and one copy of the text.
 */

#include "base/ascii.h"
#include "doppel/text.h"
#include "readers/dir.h"
#include "readers/flow.h"
#include "readers/package.h"
#include "readers/xml.h"

/* What the parts of a document add up to. Owned. */
typedef struct dpl__odt {
    dpl_ctx *ctx;
    dpl__flow text;
    dpl__flow notes; /* of the paragraph at hand */
    dpl__bytes title, lang;
    char default_lang[24];
    dpl__bytes *field; /* of the metadata that text is for; NULL: none */
    unsigned depth;
    unsigned skipped;      /* depth of the element that is left out; 0: none */
    unsigned n_paragraphs; /* open ones: text boxes and notes are inside of others */
    unsigned note;         /* depth of the note; 0: outside */
    bool is_meta, is_body, is_default_style;
    dpl__arena *arena; /* for notes on their way */
} dpl__odt;

static dpl__flow *here(dpl__odt *o)
{
    return o->note ? &o->notes : &o->text;
}

static bool is_paragraph(const char *name)
{
    return strcmp(name, "text:p") == 0 || strcmp(name, "text:h") == 0;
}

/* ---- metadata and styles ---------------------------------------------------------------- */

static void start_meta(dpl__odt *o, const char *name)
{
    dpl__bytes *field = strcmp(name, "dc:title") == 0      ? &o->title
                        : strcmp(name, "dc:language") == 0 ? &o->lang
                                                           : NULL;
    o->field = field && !field->n ? field : NULL;
}

static void start_style(dpl__odt *o, const char *name, const char **attributes)
{
    if (strcmp(name, "style:default-style") == 0) {
        const char *family = dpl__xml_attribute(attributes, "family");
        o->is_default_style = family && strcmp(family, "paragraph") == 0;
    } else if (o->is_default_style && strcmp(name, "style:text-properties") == 0) {
        const char *lang = NULL;
        for (const char **a = attributes; *a; a += 2)
            if (strcmp(*a, "fo:language") == 0)
                lang = a[1];
        if (lang && strcmp(lang, "none") != 0 && strlen(lang) < sizeof o->default_lang)
            strcpy(o->default_lang, lang);
    }
}

/* ---- the body --------------------------------------------------------------------------- */

static void start_body(dpl__odt *o, const char *name)
{
    static const char *const left_out[] = {"office:annotation",  "text:tracked-changes",
                                           "text:note-citation", "text:ruby-text",
                                           "text:hidden-text",   "svg:title",
                                           "svg:desc",           "office:forms",
                                           "office:scripts",     NULL};
    static const char *const blanks[] = {"text:s", "text:tab", NULL};
    if (dpl__is_in_list(name, left_out)) {
        o->skipped = o->depth;
    } else if (strcmp(name, "text:note") == 0 && !o->note) {
        o->note = o->depth;
        dpl__flow_break(&o->notes);
    } else if (is_paragraph(name)) {
        o->n_paragraphs++;
        dpl__flow_break(here(o));
    } else if (dpl__is_in_list(name, blanks)) {
        dpl__flow_text(here(o), DPL_STR(" "));
    } else if (strcmp(name, "text:line-break") == 0) {
        dpl__flow_break(here(o));
    }
}

static dpl_status start(void *user, const char *name, const char **attributes, dpl_error *err)
{
    (void)err;
    dpl__odt *o = user;
    o->depth++;
    if (o->skipped)
        return DPL_OK;
    if (strcmp(name, "office:meta") == 0)
        o->is_meta = true;
    else if (strcmp(name, "office:body") == 0)
        o->is_body = true;
    else if (o->is_meta)
        start_meta(o, name);
    else if (o->is_body)
        start_body(o, name);
    else
        start_style(o, name, attributes);
    return DPL_OK;
}

/* Puts the notes of a paragraph behind it. */
static dpl_status place_notes(dpl__odt *o, dpl_error *err)
{
    if (!o->notes.out.n || o->note || o->n_paragraphs)
        return DPL_OK;
    dpl_str notes;
    DPL_TRY(dpl__flow_finish(&o->notes, o->arena, &notes, err));
    dpl__flow_lines(&o->text, notes);
    dpl__flow_break(&o->text);
    return DPL_OK;
}

static dpl_status end(void *user, const char *name, dpl_error *err)
{
    dpl__odt *o = user;
    const unsigned depth = o->depth--;
    if (o->skipped) {
        o->skipped = depth == o->skipped ? 0 : o->skipped;
        return DPL_OK;
    }
    o->field = NULL;
    if (strcmp(name, "office:meta") == 0)
        o->is_meta = false;
    else if (strcmp(name, "office:body") == 0)
        o->is_body = false;
    else if (strcmp(name, "style:default-style") == 0)
        o->is_default_style = false;
    if (depth == o->note)
        o->note = 0;
    if (!o->is_body || !is_paragraph(name) || !o->n_paragraphs)
        return DPL_OK;
    o->n_paragraphs--;
    dpl__flow_break(here(o));
    return place_notes(o, err);
}

static dpl_status text(void *user, dpl_str s, dpl_error *err)
{
    dpl__odt *o = user;
    if (o->skipped)
        return DPL_OK;
    if (o->field)
        return dpl__need(dpl__vec_append(o->ctx, o->field, s.data, s.n), err);
    if (o->is_body && o->n_paragraphs)
        dpl__flow_text(here(o), s);
    return DPL_OK;
}

/* ---- all of it -------------------------------------------------------------------------- */

static void init(dpl__odt *o, dpl__arena *arena)
{
    *o = (dpl__odt){.ctx = arena->ctx,
                    .arena = arena,
                    .text = {.ctx = arena->ctx},
                    .notes = {.ctx = arena->ctx}};
}

/* Callbacks that add a part: content.xml, meta.xml, styles.xml, or all in one file. */
static dpl__xml callbacks_of(dpl__odt *o)
{
    return (dpl__xml){
        .start = start, .end = end, .text = text, .user = o, .has_prefixes = true};
}

static void clear(dpl__odt *o)
{
    dpl__vec_clear(o->ctx, &o->text.out, &o->notes.out, &o->title, &o->lang);
}

/* Fills title, lang and text in the arena; frees the rest in any case. */
static dpl_status finish(dpl__odt *o, dpl_doc *doc, dpl_error *err)
{
    dpl__flow title = {.ctx = o->ctx};
    dpl__flow_text(&title, (dpl_str){o->title.data, o->title.n});
    doc->lang = dpl__arena_copy(o->arena, (dpl_str){o->lang.data, o->lang.n});
    const dpl_str fallback = dpl__arena_copy(o->arena, dpl__cstr(o->default_lang));
    dpl_status status;
    DPL__STEP(dpl__flow_finish(&title, o->arena, &doc->title, err));
    DPL__STEP(dpl__flow_finish(&o->text, o->arena, &doc->text, err));
    DPL__STEP(dpl__need(doc->lang.data && fallback.data, err));
    dpl__default_language(doc, fallback.data);
done:
    clear(o);
    return status;
}

static dpl_status parse_parts(dpl__package *p, dpl__odt *o, dpl_error *err)
{
    const dpl__xml xml = callbacks_of(o);
    DPL_TRY(dpl__package_parse(p, DPL_STR("content.xml"), &xml, err));
    DPL_TRY(dpl__package_parse(p, DPL_STR("meta.xml"), &xml, err));
    return dpl__package_parse(p, DPL_STR("styles.xml"), &xml, err);
}

dpl_status dpl__odt_parse(dpl__package *p, dpl_error *err)
{
    dpl__odt o;
    dpl_doc doc = {.id = p->id};
    init(&o, &p->batch->arena);
    dpl_status status = parse_parts(p, &o, err);
    if (status != DPL_OK) {
        clear(&o);
        return status;
    }
    DPL_TRY(finish(&o, &doc, err));
    return dpl__batch_add(p->batch, p->chunk, 0, &doc, err);
}

/* ---- flat files ------------------------------------------------------------------------- */

static dpl_status parse_flat(dpl__batch *batch, const dpl__chunk *chunk, dpl_str id,
                             dpl_str bytes, dpl_error *err)
{
    dpl__odt o;
    dpl_doc doc = {.id = id};
    dpl_error fault = {0};
    init(&o, &batch->arena);
    dpl__xml xml = callbacks_of(&o);
    xml.encoding = "UTF-8";
    dpl_status status = dpl__xml_parse(&xml, batch->ctx, bytes, &fault);
    if (status != DPL_OK)
        clear(&o);
    if (status == DPL_E_FORMAT)
        return dpl__record_bad(batch, DPL__AT(chunk, fault.line, fault.column),
                               DPL_DROP_MALFORMED, err, "%s", fault.text);
    if (status != DPL_OK)
        return dpl__fail_nomem(err);
    DPL_TRY(finish(&o, &doc, err));
    return dpl__batch_add(batch, chunk, 0, &doc, err);
}

const dpl__filetype dpl__filetype_fodt = {.endings = (const char *const[]){".fodt", NULL},
                                          .can_declare_charset = true,
                                          .parse = parse_flat};
