/*
 * http.h - an HTTP response as a crawler stored it: status, media type, body.
 */
#ifndef DPL_READERS_HTTP_H
#define DPL_READERS_HTTP_H

#include "base/arena.h"

/* Slices of the bytes, but for a body that was decoded, which is in the arena. */
typedef struct dpl__http {
    unsigned status;    /* 200; 0: not a response */
    dpl_str media_type; /* "text/html", without parameters; may be empty */
    dpl_str charset;    /* of the header; may be empty */
    dpl_str body;
} dpl__http;

/* The value of a header field in lines "name: value", without blanks at its ends; empty when
 * there is none. */
dpl_str dpl__field(dpl_str lines, const char *name);
/* The length of header lines with the blank line behind them; 0 when that is missing. */
size_t dpl__fields_length(dpl_str bytes);

/* "text/html; charset=x" into both. */
void dpl__media_type(dpl_str value, dpl_str *type, dpl_str *charset);

/* Undoes chunked transfer and the encodings gzip and deflate, also several. The body has at
 * most `most` bytes: DPL_E_LIMIT. With err left alone, DPL_E_FORMAT when it cannot be decoded.
 */
dpl_status dpl__http_read(dpl__http *out, dpl__arena *arena, dpl_str bytes, uint64_t most,
                          dpl_error *err);

#endif
