/*
 * plain.c - plain text: lines are paragraphs, "\r\n" becomes "\n".
 */
#include "text/dir.h"

static dpl_status read_plain(dpl_doc *doc, dpl__arena *arena, dpl_str text, dpl_error *err)
{
    (void)arena, (void)err;
    char *p = (char *)(uintptr_t)text.data; /* ours: in the chunk or in the arena */
    doc->text = text;
    char *out = text.n ? memchr(p, '\r', text.n) : NULL;
    if (!out)
        return DPL_OK;
    for (const char *at = out, *end = p + text.n; at < end; at++)
        if (*at != '\r' || at + 1 == end || at[1] != '\n')
            *out++ = *at;
    doc->text.n = (size_t)(out - p);
    return DPL_OK;
}

const dpl__filetype dpl__filetype_plain = {.endings = (const char *const[]){".txt", NULL},
                                           .read = read_plain};
