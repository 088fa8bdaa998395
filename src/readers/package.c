/*
 * package.c - ZIP files that are documents: which kind one is, and its members by the policy.
 *
 * A book has META-INF/container.xml, an Office document says in _rels/.rels what it is, an
 * OpenDocument file in its member "mimetype". What is none of them is named and refused.
 * Cost: zlib and Expat, and one copy of the text.
 */
#include "readers/package.h"

#include "base/ascii.h"
#include "readers/dir.h"
#include "readers/flow.h"
#include "readers/foreign.h"

#include <stdarg.h>
#include <stdio.h>

bool dpl__package_has(const dpl__package *p, dpl_str name)
{
    return dpl__zip_find(&p->zip, name) != NULL;
}

dpl_status dpl__package_bad(dpl__package *p, dpl_drop drop, dpl_error *err, const char *fmt,
                            ...)
{
    char what[300];
    va_list ap;
    va_start(ap, fmt);
    vsnprintf(what, sizeof what, fmt, ap);
    va_end(ap);
    return dpl__record_bad(p->batch, DPL__AT(p->chunk, 0, 0), drop, err, "%s", what);
}

/* A fault of the ZIP file; what is no fault of the file stays as it is. */
static dpl_status by_policy(dpl__package *p, dpl_status status, const dpl_error *fault,
                            dpl_error *err)
{
    if (status == DPL_E_FORMAT || status == DPL_E_LIMIT)
        return dpl__package_bad(p, status == DPL_E_LIMIT ? DPL_DROP_LONG : DPL_DROP_MALFORMED,
                                err, "%s", fault->text);
    if (status < 0 && err)
        *err = *fault;
    return status;
}

dpl_status dpl__package_read(dpl__package *p, dpl_str name, dpl_str *out, dpl_error *err)
{
    dpl_error fault = {0};
    const dpl__zip_member *m = dpl__zip_find(&p->zip, name);
    if (!m)
        return dpl__package_bad(p, DPL_DROP_MALFORMED, err, "the member '%.*s' is missing",
                                (int)dpl__min(name.n, 200), name.data);
    if (m->n_bytes > p->n_left)
        return dpl__package_bad(p, DPL_DROP_LONG, err,
                                "its members unpack to more than %llu bytes",
                                (unsigned long long)p->batch->options->max_record);
    dpl_status status = dpl__zip_read(&p->zip, m, p->n_left, out, &fault);
    if (status != DPL_OK)
        return by_policy(p, status, &fault, err);
    assert(out->n <= p->n_left);
    p->n_left -= out->n;
    return DPL_OK;
}

dpl_status dpl__package_parse(dpl__package *p, dpl_str name, const dpl__xml *xml,
                              dpl_error *err)
{
    dpl_str text;
    dpl_error fault = {0};
    if (!dpl__package_has(p, name))
        return DPL_OK;
    DPL_TRY(dpl__package_read(p, name, &text, err));
    dpl_status status = dpl__xml_parse(xml, p->batch->ctx, text, &fault);
    if (status == DPL_E_FORMAT)
        return dpl__package_bad(p, DPL_DROP_MALFORMED, err, "the member '%.*s' line %llu: %s",
                                (int)dpl__min(name.n, 120), name.data,
                                (unsigned long long)fault.line, fault.text);
    if (status < 0 && err)
        *err = fault;
    return status;
}

/* ---- metadata ------------------------------------------------------------------------- */

typedef struct metadata {
    dpl__package *package;
    dpl_doc *doc;
    dpl_str *field; /* that text is for; NULL: none */
    dpl__bytes text;
} metadata;

static dpl_status start_field(void *user, const char *name, const char **attributes,
                              dpl_error *err)
{
    (void)attributes, (void)err;
    metadata *m = user;
    m->field = strcmp(name, "title") == 0      ? &m->doc->title
               : strcmp(name, "language") == 0 ? &m->doc->lang
                                               : NULL;
    m->text.n = 0;
    return DPL_OK;
}

static dpl_status add_to_field(void *user, dpl_str text, dpl_error *err)
{
    metadata *m = user;
    return !m->field || dpl__vec_append(m->package->batch->ctx, &m->text, text.data, text.n)
               ? DPL_OK
               : dpl__fail_nomem(err);
}

static dpl_status end_field(void *user, const char *name, dpl_error *err)
{
    (void)name;
    metadata *m = user;
    dpl_str *field = m->field;
    m->field = NULL;
    if (!field || field->n || !m->text.n)
        return DPL_OK;
    dpl__flow flow = {.ctx = m->package->batch->ctx};
    dpl__flow_text(&flow, (dpl_str){m->text.data, m->text.n});
    return dpl__flow_finish(&flow, &m->package->batch->arena, field, err);
}

dpl_status dpl__package_metadata(dpl__package *p, dpl_str name, dpl_doc *doc, dpl_error *err)
{
    metadata m = {.package = p, .doc = doc};
    const dpl__xml xml = {
        .start = start_field, .end = end_field, .text = add_to_field, .user = &m};
    dpl_status status = dpl__package_parse(p, name, &xml, err);
    dpl__vec_clear(p->batch->ctx, &m.text);
    return status;
}

void dpl__default_language(dpl_doc *doc, const char *lang)
{
    if (!doc->lang.n && lang[0] && dpl_lang_identify(doc->text).confidence <= 0)
        doc->lang = dpl__cstr(lang);
}

/* ---- which kind ----------------------------------------------------------------------- */

/* Where the main part of an Office document is, as _rels/.rels says. */
typedef struct relations {
    char main[200];
} relations;

static dpl_status read_relation(void *user, const char *name, const char **attributes,
                                dpl_error *err)
{
    (void)err;
    relations *r = user;
    static const char ending[] = "/officeDocument";
    const char *type = dpl__xml_attribute(attributes, "Type");
    const char *target = dpl__xml_attribute(attributes, "Target");
    if (strcmp(name, "Relationship") != 0 || !type || !target || r->main[0])
        return DPL_OK;
    const size_t n = strlen(type);
    if (n >= sizeof ending - 1 && strcmp(type + n - (sizeof ending - 1), ending) == 0 &&
        strlen(target) < sizeof r->main)
        strcpy(r->main, target[0] == '/' ? target + 1 : target);
    return DPL_OK;
}

static dpl_status refuse(dpl__package *p, const char *what, const char *code, dpl_error *err)
{
    dpl_status bad = dpl__package_bad(p, DPL_DROP_FILE_TYPE, err, "it is %s, not text", what);
    return bad == DPL_END ? bad : dpl__code(err, bad, code);
}

static dpl_status parse_office(dpl__package *p, dpl_error *err)
{
    relations r = {{0}};
    const dpl__xml xml = {.start = read_relation, .user = &r};
    DPL_TRY(dpl__package_parse(p, DPL_STR("_rels/.rels"), &xml, err));
    const dpl_str main = dpl__cstr(r.main);
    if (dpl__begins_with(main, "xl/"))
        return refuse(p, "a spreadsheet", "file-spreadsheet", err);
    if (dpl__begins_with(main, "ppt/"))
        return refuse(p, "a presentation", "file-slides", err);
    if (!main.n)
        return refuse(p, "an Office file without a document", "file-office", err);
    return dpl__docx_parse(p, main, err);
}

static dpl_status parse_opendocument(dpl__package *p, dpl_error *err)
{
    dpl_str type;
    DPL_TRY(dpl__package_read(p, DPL_STR("mimetype"), &type, err));
    static const char prefix[] = "application/vnd.oasis.opendocument.";
    if (dpl__begins_with(type, prefix) &&
        !dpl__begins_with(
            (dpl_str){type.data + sizeof prefix - 1, type.n - (sizeof prefix - 1)}, "text"))
        return refuse(p, "an OpenDocument file of another kind than text", "file-slides", err);
    return dpl__odt_parse(p, err);
}

static dpl_status parse_kind(dpl__package *p, dpl_error *err)
{
    if (dpl__package_has(p, DPL_STR("META-INF/container.xml")))
        return dpl__epub_parse(p, err);
    if (dpl__package_has(p, DPL_STR("[Content_Types].xml")))
        return parse_office(p, err);
    if (dpl__package_has(p, DPL_STR("content.xml")) && dpl__package_has(p, DPL_STR("mimetype")))
        return parse_opendocument(p, err);
    return refuse(p, "a ZIP archive", "file-archive", err);
}

static dpl_status parse_package(dpl__batch *batch, const dpl__chunk *chunk, dpl_str id,
                                dpl_str bytes, dpl_error *err)
{
    dpl__package p = {
        .batch = batch, .chunk = chunk, .id = id, .n_left = batch->options->max_record};
    dpl_error fault = {0};
    if (!dpl__is_zip(bytes)) {
        const dpl__foreign *foreign = dpl__foreign_of(bytes);
        if (foreign)
            return refuse(&p, foreign->what, foreign->code, err);
        return dpl__package_bad(&p, DPL_DROP_MALFORMED, err, "it is not a ZIP file");
    }
    dpl_status status = dpl__zip_open(&p.zip, &batch->arena, bytes, &fault);
    return status == DPL_OK ? parse_kind(&p, err) : by_policy(&p, status, &fault, err);
}

const dpl__filetype dpl__filetype_package = {
    .endings = (const char *const[]){".epub", ".docx", ".docm", ".dotx", ".odt", ".ott", NULL},
    .is_binary = true,
    .sniff = dpl__is_zip,
    .parse = parse_package};
