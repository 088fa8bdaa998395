/*
 * entities.h - HTML character references: "&nbsp;", "&#8211;", "&#x2013;".
 */
#ifndef DPL_READERS_HTML_ENTITIES_H
#define DPL_READERS_HTML_ENTITIES_H

#include "base/base.h"

/* The character reference at the start of s, which begins with '&': its length with the
 * semicolon, and the scalar value it stands for. 0 when there is none. */
size_t dpl__html_entity(dpl_str s, uint32_t *c);

#endif
