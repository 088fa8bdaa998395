/*
 * plain.c - plain text: lines are paragraphs, unless the text was hard-wrapped; "\r\n" becomes
 * "\n".
 */
#include "readers/dir.h"
#include "readers/wrapped.h"

static size_t drop_returns(char *p, size_t n)
{
    char *out = n ? memchr(p, '\r', n) : NULL;
    if (!out)
        return n;
    for (const char *at = out, *end = p + n; at < end; at++)
        if (*at != '\r' || at + 1 == end || at[1] != '\n')
            *out++ = *at;
    return (size_t)(out - p);
}

static dpl_status read_plain(dpl_doc *doc, dpl__arena *arena, dpl_str text,
                             const dpl_reader_options *options, dpl_error *err)
{
    (void)arena, (void)err;
    char *p = (char *)(uintptr_t)text.data; /* ours: in the chunk or in the arena */
    doc->text = (dpl_str){p, drop_returns(p, text.n)};
    if (options->wrapped == DPL_WRAPPED_YES ||
        (options->wrapped == DPL_WRAPPED_AUTO && dpl__is_wrapped(doc->text)))
        doc->text.n = dpl__unwrap(p, doc->text.n);
    return DPL_OK;
}

const dpl__filetype dpl__filetype_plain = {.endings = (const char *const[]){".txt", NULL},
                                           .read = read_plain};
