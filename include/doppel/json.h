/*
 * doppel/json.h - a JSON writer: the one that every JSON text of the library comes from.
 *
 *     static void print(void *user, const char *data, size_t n)
 *     {
 *         fwrite(data, 1, n, (FILE *)user);
 *     }
 *
 *     dpl_json j = {0};
 *     j.put = print;
 *     j.user = stdout;
 *     dpl_json_begin(&j, NULL, '{');
 *     dpl_json_number(&j, "documents", 3);
 *     dpl_json_begin(&j, "terms", '[');
 *     dpl_json_cstr(&j, NULL, "Haus");        // in an array there are no keys
 *     dpl_json_end(&j, ']');
 *     dpl_json_end(&j, '}');                  // {"documents": 3, "terms": ["Haus"]}
 *
 * The text is valid UTF-8 whatever the strings hold, and does not depend on the locale.
 */
#ifndef DOPPEL_JSON_H
#define DOPPEL_JSON_H

#include "doppel/base.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Where white space goes. */
typedef enum dpl_json_style {
    DPL_JSON_SPACED = 0, /* one line: {"a": 1, "b": [2, 3]} */
    DPL_JSON_COMPACT,    /* one line: {"a":1,"b":[2,3]} */
    DPL_JSON_LINES /* one line for each value of the outermost object, and for each element
                      of the arrays in it */
} dpl_json_style;

/* Takes n bytes of the text. */
typedef void dpl_json_put(void *user, const char *data, size_t n);

/* A text under construction. Zero-initialise it, then set the first three fields; the others
 * are the writer's. Layout fixed. Owned. */
typedef struct dpl_json {
    dpl_json_put *put; /* must be set */
    void *user;        /* first argument of put */
    dpl_json_style style;
    unsigned depth;        /* open objects and arrays */
    uint64_t are_in_lines; /* bit d: what is open at depth d has a line for each value */
    bool needs_comma;
    char reserve[15];
} dpl_json;

/* key is the name within an object, NULL within an array and for the outermost value. bracket
 * is '{' or '['; the matching end is '}' or ']'. */
DPL_API void dpl_json_begin(dpl_json *j, const char *key, char bracket);
DPL_API void dpl_json_end(dpl_json *j, char bracket);

DPL_API void dpl_json_number(dpl_json *j, const char *key, uint64_t value);
/* Six significant digits; null for NaN and infinity. */
DPL_API void dpl_json_real(dpl_json *j, const char *key, double value);
/* At most six digits behind the point and no exponent: 0.25, 3; outside [0, 10^12) like
 * dpl_json_real. */
DPL_API void dpl_json_decimal(dpl_json *j, const char *key, double value);
DPL_API void dpl_json_bool(dpl_json *j, const char *key, bool value);
/* Bytes that are not UTF-8 become U+FFFD; control characters are escaped. */
DPL_API void dpl_json_text(dpl_json *j, const char *key, dpl_str value);
/* The same of a terminated string; null for NULL. */
DPL_API void dpl_json_cstr(dpl_json *j, const char *key, const char *value);
DPL_API void dpl_json_null(dpl_json *j, const char *key);
/* A value that is JSON already; null when it is empty. It is not checked. */
DPL_API void dpl_json_raw(dpl_json *j, const char *key, dpl_str value);

#ifdef __cplusplus
}
#endif
#endif
