/*
 * xml_plain.h - XML as programs write it, several times faster than Expat reads it.
 *
 * Elements, attributes, text and the five entities that XML itself defines; no comments,
 * sections, instructions, declarations or numbered characters. What is not of this kind, or
 * may be malformed, is left to Expat: then the answer is false, and what the callbacks were
 * told does not count. Where the answer is true, Expat would have told them the same.
 */
#ifndef DPL_READERS_WIKI_XML_PLAIN_H
#define DPL_READERS_WIKI_XML_PLAIN_H

#include "base/base.h"

typedef struct dpl__xml_plain {
    /* As Expat's handlers; strings last until the call returns. Text comes in any pieces. */
    void (*start)(void *user, const char *name, const char **attributes);
    void (*end)(void *user, const char *name);
    void (*text)(void *user, const char *text, int n);
    void *user;
} dpl__xml_plain;

/* One element and nothing around it, in valid UTF-8. */
bool dpl__xml_plain_parse(const dpl__xml_plain *xml, const dpl_ctx *ctx, dpl_str text);

#endif
