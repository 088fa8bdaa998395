/*
 * charset.h - text that declares another encoding than UTF-8: HTML, TMX, gettext catalogues.
 */
#ifndef DPL_TEXT_CHARSET_H
#define DPL_TEXT_CHARSET_H

#include "base/arena.h"

/* The name of an encoding, terminated; empty when there is none, or when it is a Unicode one.
 */
typedef struct dpl__charset {
    char name[48];
} dpl__charset;

/* Names that are known to be used for larger encodings give those. */
dpl__charset dpl__charset_named(dpl_str name);
/* The one that the document's first bytes declare (<meta charset>, <meta http-equiv>, the XML
 * declaration). */
dpl__charset dpl__charset_declared(dpl_str html);

/* Converts *s into UTF-8 in the arena. Bytes that have no meaning become U+FFFD; *n_replaced
 * says how many. DPL_END when no such encoding is known: *s stays. */
dpl_status dpl__charset_convert(dpl_str *s, dpl__arena *arena, const dpl__charset *from,
                                size_t *n_replaced, dpl_error *err);

/* What each byte means, -1 for nothing; false when no such encoding of one byte for a character
 * is known. */
bool dpl__charset_map(int map[256], const char *name);

#endif
