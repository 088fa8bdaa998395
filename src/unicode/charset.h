/*
 * charset.h - text that declares another encoding than UTF-8: HTML, TMX, gettext catalogues.
 */
#ifndef DPL_UNICODE_CHARSET_H
#define DPL_UNICODE_CHARSET_H

#include "base/arena.h"
#include "base/vec.h"

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

/* The encoding that an option names; false when it is not known. *is_utf8: it is UTF-8, and
 * the charset is empty. */
bool dpl__charset_option(dpl__charset *out, bool *is_utf8, const char *name);

/* Its number in dpl_read_counts.n_converted. */
unsigned dpl__encoding_number(const char *name);

/* Converts a stream, piece by piece. Owned. */
typedef struct dpl__decoder dpl__decoder;
/* NULL when no such encoding is known, or there is no memory. */
dpl__decoder *dpl__decoder_open(const dpl__charset *from);
/* Appends bytes as UTF-8; 0xFF, which is never valid, stands for those without meaning.
 * is_last: nothing follows. False when there is no memory. */
bool dpl__decoder_feed(dpl__decoder *decoder, dpl_ctx *ctx, dpl__bytes *out, dpl_str bytes,
                       bool is_last);
void dpl__decoder_close(dpl__decoder *decoder);

/* What each byte means, -1 for nothing; false when no such encoding of one byte for a character
 * is known. */
bool dpl__charset_map(int map[256], const char *name);

/* "windows-1252", "Shift_JIS", ... and "other"; NULL when out of range. */
const char *dpl__encoding_name(unsigned encoding);

#endif
