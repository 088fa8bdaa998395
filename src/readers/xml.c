/*
 * xml.c - Expat with the settings that files from strangers need.
 *
 * Cost: Expat's. Its own memory is not the context's; it grows with the longest token and the
 * depth of elements, both of which the caller's limit on the document bounds.
 */
#include "readers/xml.h"

#include "readers/html/html_names.h"
#include "unicode/charset.h"
#include "unicode/unicode.h"

#include <expat.h>
#include <stdio.h>

enum { STEP = 1 << 20 };

struct dpl__xml_parser {
    dpl_ctx *ctx;
    dpl__xml xml;
    XML_Parser expat;
    bool declares_entity, is_external;
    char entity[40];   /* one that nobody knows; "" */
    dpl_status status; /* of a callback */
    dpl_error *err;
};

static const char *local_name(const dpl__xml_parser *p, const char *name)
{
    const char *colon = p->xml.has_prefixes ? NULL : strchr(name, ':');
    return colon ? colon + 1 : name;
}

static void stop(dpl__xml_parser *p, dpl_status status)
{
    assert(status <= DPL_END);
    if (status == DPL_OK || p->status != DPL_OK)
        return;
    p->status = status;
    XML_StopParser(p->expat, XML_FALSE);
}

static void XMLCALL on_start(void *user, const XML_Char *name, const XML_Char **attributes)
{
    dpl__xml_parser *p = user;
    if (p->status == DPL_OK && p->xml.start)
        stop(p,
             p->xml.start(p->xml.user, local_name(p, name), (const char **)attributes, p->err));
}

static void XMLCALL on_end(void *user, const XML_Char *name)
{
    dpl__xml_parser *p = user;
    if (p->status == DPL_OK && p->xml.end)
        stop(p, p->xml.end(p->xml.user, local_name(p, name), p->err));
}

static void XMLCALL on_text(void *user, const XML_Char *text, int n)
{
    dpl__xml_parser *p = user;
    if (p->status == DPL_OK && p->xml.text)
        stop(p, p->xml.text(p->xml.user, (dpl_str){text, (size_t)n}, p->err));
}

static void XMLCALL on_entity(void *user, const XML_Char *name, int is_parameter,
                              const XML_Char *value, int n, const XML_Char *base,
                              const XML_Char *system_id, const XML_Char *public_id,
                              const XML_Char *notation)
{
    (void)name, (void)is_parameter, (void)value, (void)n, (void)base, (void)system_id;
    (void)public_id, (void)notation;
    dpl__xml_parser *p = user;
    p->declares_entity = true;
    XML_StopParser(p->expat, XML_FALSE);
}

/* A name that a DTD may declare, which is not read. */
static void XMLCALL on_skipped(void *user, const XML_Char *name, int is_parameter)
{
    dpl__xml_parser *p = user;
    char text[48], utf8[4];
    uint32_t c;
    const int n = snprintf(text, sizeof text, "&%s;", name);
    if (is_parameter)
        return;
    if (n < (int)sizeof text && dpl__html_entity((dpl_str){text, (size_t)n}, &c) == (size_t)n) {
        on_text(p, utf8, (int)dpl__utf8_encode(utf8, c));
        return;
    }
    snprintf(p->entity, sizeof p->entity, "%s", name);
    XML_StopParser(p->expat, XML_FALSE);
}

static int XMLCALL on_external(XML_Parser parser, const XML_Char *context, const XML_Char *base,
                               const XML_Char *system_id, const XML_Char *public_id)
{
    (void)context, (void)base, (void)system_id, (void)public_id;
    dpl__xml_parser *p = XML_GetUserData(parser);
    p->is_external = true;
    return XML_STATUS_ERROR;
}

/* Encodings of one byte for a character. */
static int XMLCALL on_encoding(void *user, const XML_Char *name, XML_Encoding *info)
{
    (void)user;
    info->data = NULL;
    info->convert = NULL;
    info->release = NULL;
    return dpl__charset_map(info->map, name) ? XML_STATUS_OK : XML_STATUS_ERROR;
}

dpl_status dpl__xml_parser_new(dpl__xml_parser **out, dpl_ctx *ctx, const dpl__xml *xml,
                               dpl_error *err)
{
    dpl__xml_parser *p = dpl__calloc(ctx, 1, sizeof *p);
    DPL_TRY(dpl__need(p, err));
    p->ctx = ctx;
    p->xml = *xml;
    p->expat = XML_ParserCreate(xml->encoding);
    if (!p->expat) {
        dpl__xml_parser_free(p);
        return dpl__fail_nomem(err);
    }
    XML_SetUserData(p->expat, p);
    XML_SetElementHandler(p->expat, on_start, on_end);
    XML_SetCharacterDataHandler(p->expat, on_text);
    XML_SetEntityDeclHandler(p->expat, on_entity);
    XML_SetSkippedEntityHandler(p->expat, on_skipped);
    XML_SetExternalEntityRefHandler(p->expat, on_external);
    XML_SetUnknownEncodingHandler(p->expat, on_encoding, NULL);
    XML_UseForeignDTD(p->expat, XML_FALSE);
    *out = p;
    return DPL_OK;
}

void dpl__xml_parser_free(dpl__xml_parser *p)
{
    if (!p)
        return;
    if (p->expat)
        XML_ParserFree(p->expat);
    dpl__free(p->ctx, p);
}

uint64_t dpl__xml_parser_line(const dpl__xml_parser *p)
{
    return (uint64_t)XML_GetCurrentLineNumber(p->expat);
}

static dpl_status fault(dpl__xml_parser *p, dpl_error *err)
{
    const enum XML_Error code = XML_GetErrorCode(p->expat);
    if (p->status != DPL_OK)
        return p->status;
    if (code == XML_ERROR_NO_MEMORY)
        return dpl__fail_nomem(err);
    if (p->declares_entity)
        dpl__fail(err, DPL_E_FORMAT, "it declares XML entities, which are not accepted");
    else if (p->is_external)
        dpl__fail(err, DPL_E_FORMAT, "an external XML entity, which is never fetched");
    else if (p->entity[0])
        dpl__fail(err, DPL_E_FORMAT, "unknown XML entity '&%s;'", p->entity);
    else
        dpl__fail(err, DPL_E_FORMAT, "malformed XML: %s", XML_ErrorString(code));
    dpl__error_place(err, (uint64_t)XML_GetCurrentLineNumber(p->expat),
                     (uint64_t)XML_GetCurrentColumnNumber(p->expat) + 1,
                     (uint64_t)XML_GetCurrentByteIndex(p->expat));
    return DPL_E_FORMAT;
}

dpl_status dpl__xml_parser_feed(dpl__xml_parser *p, dpl_str text, bool is_last, dpl_error *err)
{
    p->err = err;
    do {
        const size_t n = dpl__min(text.n, STEP);
        if (XML_Parse(p->expat, n ? text.data : "", (int)n, is_last && n == text.n) !=
            XML_STATUS_OK)
            return fault(p, err);
        text = (dpl_str){text.data + n, text.n - n};
    } while (text.n);
    return DPL_OK;
}

dpl_status dpl__xml_parse(const dpl__xml *xml, dpl_ctx *ctx, dpl_str text, dpl_error *err)
{
    dpl__xml_parser *p;
    DPL_TRY(dpl__xml_parser_new(&p, ctx, xml, err));
    dpl_status status = dpl__xml_parser_feed(p, text, true, err);
    dpl__xml_parser_free(p);
    return status;
}

const char *dpl__xml_attribute(const char **attributes, const char *name)
{
    for (; *attributes; attributes += 2) {
        const char *colon = strchr(*attributes, ':');
        if (strcmp(*attributes, name) == 0 || (colon && strcmp(colon + 1, name) == 0))
            return attributes[1];
    }
    return NULL;
}
