/*
 * xml.h - small XML documents in memory: elements and text through callbacks.
 *
 * The parts of office documents and books, and XLIFF. Declarations of entities are refused, and
 * no external one is fetched: such documents have none, and attacks do. Names that HTML knows
 * ("&nbsp;") are understood where a DTD would declare them. Errors have no file name in front.
 */
#ifndef DPL_READERS_XML_H
#define DPL_READERS_XML_H

#include "doppel/base.h"

#include "base/arena.h"

typedef struct dpl__xml {
    /* Names come without the prefix of their namespace: "p" for "w:p". A value that is not
     * DPL_OK stops the parser and is what dpl__xml_parse returns. */
    dpl_status (*start)(void *user, const char *name, const char **attributes, dpl_error *err);
    dpl_status (*end)(void *user, const char *name, dpl_error *err);
    dpl_status (*text)(void *user, dpl_str text, dpl_error *err);
    void *user;
    bool has_prefixes;    /* give names with their prefix */
    const char *encoding; /* NULL: what the document declares */
} dpl__xml;

/* DPL_E_FORMAT with line and column of `text` in err for what is not well-formed. */
dpl_status dpl__xml_parse(const dpl__xml *xml, dpl_ctx *ctx, dpl_str text, dpl_error *err);

/* The attribute of this name, with or without a prefix; NULL. */
const char *dpl__xml_attribute(const char **attributes, const char *name);

/* ---- piece by piece ------------------------------------------------------------------- */

typedef struct dpl__xml_parser dpl__xml_parser;

dpl_status dpl__xml_parser_new(dpl__xml_parser **out, dpl_ctx *ctx, const dpl__xml *xml,
                               dpl_error *err);
dpl_status dpl__xml_parser_feed(dpl__xml_parser *p, dpl_str text, bool is_last, dpl_error *err);
/* Line of the element or text that is being reported, from 1. */
uint64_t dpl__xml_parser_line(const dpl__xml_parser *p);
void dpl__xml_parser_free(dpl__xml_parser *p);

#endif
