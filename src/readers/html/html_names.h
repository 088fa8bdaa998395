/*
 * html_names.h - character references of HTML: "&auml;", "&#228;", "&#xE4".
 */
#ifndef DPL_READERS_HTML_HTML_NAMES_H
#define DPL_READERS_HTML_HTML_NAMES_H

#include "base/base.h"

/* What a reference stands for: valid UTF-8. */
typedef struct dpl__html_value {
    char bytes[8];
    unsigned n;
} dpl__html_value;

/* The length of the reference at s, which begins with '&'; 0 when it is none, and the '&' is
 * one. All rules of the standard: names with and without semicolon, the longest one counts;
 * numbers of windows-1252; U+FFFD for what is no character. */
size_t dpl__html_reference(dpl__html_value *value, dpl_str s);

/* The same outside of HTML (wikitext, Markdown, XML): it needs its semicolon, and is one
 * character, which c receives. */
size_t dpl__html_entity(dpl_str s, uint32_t *c);

#endif
