/*
 * textfile.c - byte-order marks and UTF-16, between the input and those who read text.
 *
 * Cost: UTF-8 is read to where it is used; UTF-16 is one pass more.
 */
#include "text/textfile.h"

#include "text/unicode.h"

enum { START = 4096, MOST_MARK = 3, ROOM_BEHIND = 64 };

static const char NOT_A_CHARACTER = (char)0xFF;

/* Appends UTF-16 as UTF-8. */
static bool append_utf16(dpl__textfile *f)
{
    size_t n_units = f->raw.n / 2;
    if (!dpl__vec_reserve(f->ctx, &f->bytes, 3 * (n_units + 1) + ROOM_BEHIND))
        return false;
    const uint8_t *p = (const uint8_t *)f->raw.data;
    char *out = f->bytes.data + f->bytes.n;
    for (size_t i = 0; i < n_units; i++, p += 2) {
        uint32_t c = f->encoding == DPL__UTF16LE ? p[0] | (uint32_t)p[1] << 8
                                                 : p[1] | (uint32_t)p[0] << 8;
        if (f->high_surrogate) {
            if (c >= 0xDC00 && c < 0xE000) {
                c = ((f->high_surrogate - 0xD7C0) << 10) + (c & 0x3FF);
                f->high_surrogate = 0;
                out += dpl__utf8_encode(out, c);
                continue;
            }
            *out++ = NOT_A_CHARACTER;
            f->high_surrogate = 0;
        }
        if (c >= 0xD800 && c < 0xDC00)
            f->high_surrogate = c;
        else if (c >= 0xDC00 && c < 0xE000)
            *out++ = NOT_A_CHARACTER;
        else
            out += dpl__utf8_encode(out, c);
    }
    f->bytes.n = (size_t)(out - f->bytes.data);
    memmove(f->raw.data, p, f->raw.n & 1);
    f->raw.n &= 1;
    return true;
}

/* What a file leaves that ends in the middle of a UTF-16 character. */
static bool append_utf16_rest(dpl__textfile *f)
{
    if (!f->high_surrogate && !f->raw.n)
        return true;
    if (!dpl__vec_reserve(f->ctx, &f->bytes, 2 + ROOM_BEHIND))
        return false;
    if (f->high_surrogate)
        f->bytes.data[f->bytes.n++] = NOT_A_CHARACTER;
    if (f->raw.n)
        f->bytes.data[f->bytes.n++] = NOT_A_CHARACTER;
    f->raw.n = f->high_surrogate = 0;
    return true;
}

static dpl_status convert(dpl__textfile *f, dpl_error *err)
{
    if (f->encoding == DPL__UTF8)
        return DPL_OK;
    return append_utf16(f) && (!f->is_at_end || append_utf16_rest(f)) ? DPL_OK
                                                                      : dpl__fail_nomem(err);
}

dpl_status dpl__textfile_fill(dpl__textfile *f, size_t n, dpl_error *err)
{
    dpl__bytes *to = f->encoding == DPL__UTF8 ? &f->bytes : &f->raw;
    if (!dpl__vec_reserve(f->ctx, to, n + ROOM_BEHIND))
        return dpl__fail_nomem(err);
    size_t got = 0;
    DPL_TRY(dpl__input_read(f->input, to->data + to->n, n, &got, err));
    to->n += got;
    f->is_at_end = got == 0;
    f->n_raw_bytes += got;
    return convert(f, err);
}

void dpl__textfile_drop(dpl__textfile *f, size_t n)
{
    assert(n <= f->bytes.n);
    if (!n)
        return;
    f->bytes.n -= n;
    memmove(f->bytes.data, f->bytes.data + n, f->bytes.n);
}

static dpl_status look_at_start(dpl__textfile *f, dpl_error *err)
{
    f->bytes.n = f->raw.n = f->high_surrogate = f->n_mark = 0;
    f->is_at_end = false;
    f->encoding = DPL__UTF8;
    const size_t n_start = f->n_start ? dpl__max(f->n_start, MOST_MARK) : START;
    while (!f->is_at_end && f->bytes.n < n_start)
        DPL_TRY(dpl__textfile_fill(f, n_start - f->bytes.n, err));
    const uint8_t *p = (const uint8_t *)f->bytes.data;
    if (f->bytes.n >= 3 && p[0] == 0xEF && p[1] == 0xBB && p[2] == 0xBF)
        f->n_mark = 3;
    else if (f->bytes.n >= 2 && p[0] == 0xFF && p[1] == 0xFE)
        f->encoding = DPL__UTF16LE, f->n_mark = 2;
    else if (f->bytes.n >= 2 && p[0] == 0xFE && p[1] == 0xFF)
        f->encoding = DPL__UTF16BE, f->n_mark = 2;
    dpl__textfile_drop(f, f->n_mark);
    if (f->encoding == DPL__UTF8)
        return DPL_OK;
    dpl__bytes swap = f->raw;
    f->raw = f->bytes;
    f->bytes = swap;
    return convert(f, err);
}

dpl_status dpl__textfile_open(dpl__textfile *f, dpl_ctx *ctx, const char *path, dpl_error *err)
{
    assert(!f->input);
    f->ctx = ctx;
    DPL_TRY(dpl__input_open(&f->input, ctx, path, err));
    return look_at_start(f, err);
}

dpl_status dpl__textfile_open_memory(dpl__textfile *f, dpl_ctx *ctx, const char *name,
                                     const void *data, size_t n, dpl_error *err)
{
    assert(!f->input);
    f->ctx = ctx;
    DPL_TRY(dpl__input_open_memory(&f->input, ctx, name, data, n, err));
    return look_at_start(f, err);
}

void dpl__textfile_close(dpl__textfile *f)
{
    dpl__input_close(f->input);
    f->input = NULL;
}

void dpl__textfile_clear(dpl__textfile *f)
{
    if (!f->ctx)
        return;
    dpl__textfile_close(f);
    dpl__vec_clear(f->ctx, &f->bytes);
    dpl__vec_clear(f->ctx, &f->raw);
}
