/*
 * access_log.c - lines of the access log: Common Log Format, or JSON.
 */
#include "serve/access_log.h"

#include "base/json_writer.h"

#include <stdio.h>

enum { LONGEST_TARGET = 2000 }; /* bytes of a request's target that are logged */

DPL__NAMES(dpl__log_format_name, "common", "json")

static dpl_str shorten(dpl_str s)
{
    return (dpl_str){s.data, dpl__min(s.n, LONGEST_TARGET)};
}

/* As Apache does it: \xHH for what is not printable ASCII, a backslash before quotes. */
static bool put_escaped(dpl_ctx *ctx, dpl__bytes *out, dpl_str s)
{
    for (size_t i = 0; i < s.n; i++) {
        const unsigned char c = (unsigned char)s.data[i];
        char code[8];
        int n;
        if (c == '"' || c == '\\')
            n = snprintf(code, sizeof code, "\\%c", c);
        else if (c < ' ' || c > '~')
            n = snprintf(code, sizeof code, "\\x%02x", c);
        else
            n = snprintf(code, sizeof code, "%c", c);
        if (!dpl__vec_append(ctx, out, code, (size_t)n))
            return false;
    }
    return true;
}

static bool put(dpl_ctx *ctx, dpl__bytes *out, const char *text)
{
    return dpl__vec_append(ctx, out, text, strlen(text));
}

static bool put_common(dpl_ctx *ctx, dpl__bytes *out, const dpl__access *a, const struct tm *t)
{
    static const char *const months[] = {"Jan", "Feb", "Mar", "Apr", "May", "Jun",
                                         "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"};
    char head[160], tail[80];
    snprintf(head, sizeof head, "%s - - [%02d/%s/%04d:%02d:%02d:%02d +0000] \"",
             *a->client ? a->client : "-", t->tm_mday, months[t->tm_mon % 12],
             t->tm_year + 1900, t->tm_hour, t->tm_min, t->tm_sec);
    snprintf(tail, sizeof tail, "\" %u %llu", a->status, (unsigned long long)a->n_bytes);
    return put(ctx, out, head) && put_escaped(ctx, out, shorten(a->method)) &&
           put(ctx, out, " ") && put_escaped(ctx, out, shorten(a->target)) &&
           put(ctx, out, " ") && put_escaped(ctx, out, shorten(a->version)) &&
           put(ctx, out, tail);
}

static bool put_json(dpl_ctx *ctx, dpl__bytes *out, const dpl__access *a, const struct tm *t)
{
    char time[40];
    dpl__json_text text = {.ctx = ctx, .bytes = *out};
    dpl_json j = dpl__json_into(&text, DPL_JSON_COMPACT);
    snprintf(time, sizeof time, "%04d-%02d-%02dT%02d:%02d:%02dZ", t->tm_year + 1900,
             t->tm_mon + 1, t->tm_mday, t->tm_hour, t->tm_min, t->tm_sec);
    dpl_json_begin(&j, NULL, '{');
    dpl_json_cstr(&j, "time", time);
    dpl_json_cstr(&j, "client", a->client);
    dpl_json_text(&j, "method", shorten(a->method));
    dpl_json_text(&j, "path", shorten(a->target));
    dpl_json_number(&j, "status", a->status);
    dpl_json_number(&j, "bytes", a->n_bytes);
    dpl_json_number(&j, "micros", a->seconds > 0 ? (uint64_t)(a->seconds * 1e6) : 0);
    dpl_json_bool(&j, "complete", a->is_complete);
    dpl_json_end(&j, '}');
    out->data = text.bytes.data;
    out->n = text.bytes.n;
    out->cap = text.bytes.cap;
    return !text.has_failed;
}

bool dpl__access_line(dpl_ctx *ctx, dpl__bytes *out, dpl_log_format format,
                      const dpl__access *access, time_t now)
{
    struct tm t = {0};
    gmtime_r(&now, &t);
    out->n = 0;
    return format == DPL_LOG_JSON ? put_json(ctx, out, access, &t)
                                  : put_common(ctx, out, access, &t);
}
