/*
 * lines.c - a window that moves over the input; a line never crosses its ends.
 */
#include "io/lines.h"

#include "base/ascii.h"

enum { READ = 1 << 16 };

dpl_status dpl__lines_open(dpl__lines *lines, dpl_ctx *ctx, const char *path, dpl_error *err)
{
    *lines = (dpl__lines){.ctx = ctx};
    return dpl__input_open(&lines->in, ctx, path, err);
}

dpl_status dpl__lines_open_memory(dpl__lines *lines, dpl_ctx *ctx, const char *name,
                                  const void *data, size_t n, dpl_error *err)
{
    *lines = (dpl__lines){.ctx = ctx};
    return dpl__input_open_memory(&lines->in, ctx, name, data, n, err);
}

void dpl__lines_close(dpl__lines *lines)
{
    if (!lines->ctx)
        return;
    dpl__vec_clear(lines->ctx, &lines->buffer);
    dpl__input_close(lines->in);
    *lines = (dpl__lines){0};
}

dpl_status dpl__lines_bad(const dpl__lines *lines, dpl_error *err, const char *what)
{
    const uint64_t line = lines->number ? lines->number : 1; /* of an empty file */
    dpl__fail(err, DPL_E_FORMAT, "'%s' line %llu: %s", dpl__input_name(lines->in),
              (unsigned long long)line, what);
    dpl__error_place(err, line, 0, 0);
    return DPL_E_FORMAT;
}

/* Moves what is left to the front and reads on behind it. */
static dpl_status read_on(dpl__lines *lines, dpl_error *err)
{
    dpl__bytes *b = &lines->buffer;
    size_t got = 0;
    b->n -= lines->at;
    if (lines->at && b->n)
        memmove(b->data, b->data + lines->at, b->n);
    lines->at = 0;
    DPL_TRY(dpl__need(dpl__vec_reserve(lines->ctx, b, READ), err));
    DPL_TRY(dpl__input_read(lines->in, b->data + b->n, b->cap - b->n, &got, err));
    b->n += got;
    lines->is_at_end = got == 0;
    return DPL_OK;
}

dpl_status dpl__lines_next(dpl__lines *lines, dpl_str *line, dpl_error *err)
{
    assert(lines->at <= lines->buffer.n);
    dpl__bytes *b = &lines->buffer;
    const char *end = NULL;
    size_t searched = 0; /* bytes of the line that hold no '\n' */
    for (;;) {
        size_t n = b->n - lines->at;
        if (n > searched)
            end = memchr(b->data + lines->at + searched, '\n', n - searched);
        if (end || lines->is_at_end)
            break;
        if (n > DPL__LONGEST_LINE)
            break;
        searched = n;
        DPL_TRY(read_on(lines, err));
    }
    size_t n = end ? (size_t)(end - b->data) - lines->at : b->n - lines->at;
    if (!end && n == 0)
        return DPL_END;
    *line = (dpl_str){b->data + lines->at, n};
    lines->number++;
    if (n > DPL__LONGEST_LINE)
        return dpl__lines_bad(lines, err, "longer than 16 MiB");
    lines->at += n + (end != NULL);
    if (line->n && line->data[line->n - 1] == '\r')
        line->n--;
    if (lines->number == 1)
        *line = dpl__without_mark(*line);
    return DPL_OK;
}
