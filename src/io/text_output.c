/*
 * text_output.c - text into an output.
 */
#include "io/text_output.h"

#include <stdarg.h>
#include <stdio.h>

dpl_status dpl__open_output(dpl_output **out, dpl_ctx *ctx, const char *dir, const char *name,
                            dpl_error *err)
{
    char path[4200];
    snprintf(path, sizeof path, "%s/%s", dir, name);
    return dpl_output_new(out, ctx, path, err);
}

dpl_status dpl__output_end(dpl_output *o, dpl_status status, dpl_error *err)
{
    if (o && status == DPL_OK)
        status = dpl_output_finish(o, err);
    dpl_output_free(o);
    return status;
}

void dpl__put(dpl_output *o, const char *fmt, ...)
{
    char text[4096];
    va_list args;
    va_start(args, fmt);
    const int n = vsnprintf(text, sizeof text, fmt, args);
    va_end(args);
    dpl_output_write(o, text, dpl__min((size_t)(n < 0 ? 0 : n), sizeof text - 1));
}

void dpl__put_str(dpl_output *o, dpl_str s)
{
    dpl_output_write(o, s.data, s.n);
}

void dpl__put_field(dpl_output *o, dpl_str s, const char *end)
{
    for (size_t i = 0, from = 0; i <= s.n; i++) {
        if (i < s.n && (unsigned char)s.data[i] >= ' ')
            continue;
        if (i > from)
            dpl_output_write(o, s.data + from, i - from);
        if (i < s.n)
            dpl_output_write(o, " ", 1);
        from = i + 1;
    }
    dpl_output_write(o, end, strlen(end));
}

static void put_json(void *user, const char *data, size_t n)
{
    dpl_output_write(user, data, n);
}

dpl_json dpl__output_json(dpl_output *o, dpl_json_style style)
{
    return (dpl_json){.put = put_json, .user = o, .style = style};
}
