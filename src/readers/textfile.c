/*
 * textfile.c - byte-order marks and UTF-16, between the input and those who read text.
 *
 * Cost: UTF-8 is read to where it is used; UTF-16 is one pass more.
 */
#include "readers/textfile.h"

#include "base/ascii.h"
#include "base/ctx.h"
#include "kernels/kernels.h"
#include "unicode/unicode.h"

#include <strings.h>

enum { START = 4096, MOST_MARK = 3, ROOM_BEHIND = 64 };

static const char NOT_A_CHARACTER = (char)0xFF;

/* Appends UTF-16 as UTF-8. */
static bool append_utf16(dpl__textfile *f)
{
    assert(f->encoding == DPL__UTF16LE || f->encoding == DPL__UTF16BE);
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
    if (f->encoding == DPL__DECODED) {
        const dpl_str raw = {f->raw.data, f->raw.n};
        f->raw.n = 0;
        return dpl__need(dpl__decoder_feed(f->decoder, f->ctx, &f->bytes, raw, f->is_at_end),
                         err);
    }
    return dpl__need(append_utf16(f) && (!f->is_at_end || append_utf16_rest(f)), err);
}

/* ---- which encoding? ------------------------------------------------------------------ */

/* More is well-formed than not: UTF-8 with faults. */
static bool is_mostly_utf8(const dpl__textfile *f, const uint8_t *p, size_t n)
{
    size_t n_good = 0, n_bad = 0;
    uint8_t most;
    for (size_t i = 0; i < n;) {
        const size_t good = f->ctx->kernels->utf8_prefix(p + i, n - i, &most);
        for (size_t k = i; k < i + good; k++)
            n_good += p[k] >= 0xC2;
        i += good;
        if (i + 3 < n || (i < n && f->is_at_end))
            n_bad++;
        i++;
    }
    return n_bad == 0 || n_good >= 3 * n_bad;
}

/* From byte x on, the file is in the encoding that was settled. */
static dpl_status begin_decoding(dpl__textfile *f, size_t x, dpl_error *err)
{
    assert(x <= f->bytes.n && f->guess.is_sure);
    f->decoder = dpl__decoder_open(&f->guess.charset);
    DPL_TRY(dpl__need(f->decoder &&
                          dpl__vec_append(f->ctx, &f->raw, f->bytes.data + x, f->bytes.n - x),
                      err));
    f->bytes.n = x;
    f->encoding = DPL__DECODED;
    return convert(f, err);
}

/* At the first byte beyond ASCII. */
static dpl_status decide(dpl__textfile *f, size_t x, dpl_error *err)
{
    assert(x < f->bytes.n);
    f->is_decided = true;
    const dpl_str sample = {f->bytes.data + x, dpl__min(f->bytes.n - x, DPL__GUESS_SAMPLE)};
    if (is_mostly_utf8(f, (const uint8_t *)sample.data, sample.n) && sample.data[0] != 0x1B)
        return DPL_OK;
    if (f->other.name[0])
        f->guess = (dpl__guess){f->other, true};
    else
        DPL_TRY(dpl__charset_guess(&f->guess, f->ctx, sample, err));
    return f->guess.is_sure ? begin_decoding(f, x, err) : DPL_OK;
}

static bool is_beyond_ascii(const char *p, const char *end)
{
    return (unsigned char)*p & 0x80 ||
           (*p == 0x1B && end - p > 1 && (p[1] == '$' || p[1] == '(')); /* ISO-2022 */
}

/* ASCII without escapes, at memory speed. */
static bool is_plain(const char *p, size_t n)
{
    return dpl__is_ascii((dpl_str){p, n}) && !memchr(p, 0x1B, n);
}

static dpl_status read_some(dpl__textfile *f, dpl__bytes *to, size_t n, dpl_error *err)
{
    DPL_TRY(dpl__need(dpl__vec_reserve(f->ctx, to, n + ROOM_BEHIND), err));
    size_t got = 0;
    DPL_TRY(dpl__input_read(f->input, to->data + to->n, n, &got, err));
    to->n += got;
    f->is_at_end = got == 0;
    f->n_raw_bytes += got;
    return DPL_OK;
}

/* Looks for the first byte beyond ASCII from byte x on. */
static dpl_status look_for_encoding(dpl__textfile *f, size_t x, dpl_error *err)
{
    enum { SOME = 4096 };
    while (f->bytes.n - x >= SOME && is_plain(f->bytes.data + x, SOME))
        x += SOME;
    while (x < f->bytes.n && !is_beyond_ascii(f->bytes.data + x, f->bytes.data + f->bytes.n))
        x++;
    if (x == f->bytes.n)
        return DPL_OK;
    while (!f->is_at_end && f->bytes.n - x < DPL__GUESS_SAMPLE)
        DPL_TRY(read_some(f, &f->bytes, DPL__GUESS_SAMPLE - (f->bytes.n - x), err));
    return decide(f, x, err);
}

dpl_status dpl__textfile_fill(dpl__textfile *f, size_t n, dpl_error *err)
{
    dpl__bytes *to = f->encoding == DPL__UTF8 ? &f->bytes : &f->raw;
    const size_t before = f->bytes.n;
    DPL_TRY(read_some(f, to, n, err));
    if (!f->is_decided && f->encoding == DPL__UTF8)
        return look_for_encoding(f, before, err);
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

dpl_status dpl__textfile_guess(dpl__textfile *f, dpl_error *err)
{
    f->is_decided = f->n_mark || f->encoding != DPL__UTF8;
    return f->is_decided ? DPL_OK : look_for_encoding(f, 0, err);
}

/* UTF-16 without a mark has zeros. */
static void look_for_utf16(dpl__textfile *f)
{
    bool is_little_endian;
    const dpl_str start = {f->bytes.data, f->bytes.n};
    if (!start.n || !memchr(start.data, 0, start.n) || !dpl__is_utf16(start, &is_little_endian))
        return;
    f->encoding = is_little_endian ? DPL__UTF16LE : DPL__UTF16BE;
    strcpy(f->guess.charset.name, "UTF-16");
    f->guess.is_sure = true;
}

static dpl_status look_at_start(dpl__textfile *f, dpl_error *err)
{
    f->bytes.n = f->raw.n = f->high_surrogate = f->n_mark = 0;
    f->is_at_end = false;
    f->encoding = DPL__UTF8;
    f->is_decided = true; /* until dpl__textfile_guess */
    f->guess = (dpl__guess){0};
    const size_t piece = f->n_start ? dpl__max(f->n_start, MOST_MARK) : START;
    while (!f->is_at_end && f->bytes.n < START) /* whatever the piece, the same is looked at */
        DPL_TRY(dpl__textfile_fill(f, dpl__min(piece, START - f->bytes.n), err));
    const uint8_t *p = (const uint8_t *)f->bytes.data;
    if (f->bytes.n >= 3 && p[0] == 0xEF && p[1] == 0xBB && p[2] == 0xBF)
        f->n_mark = 3;
    else if (f->bytes.n >= 2 && p[0] == 0xFF && p[1] == 0xFE)
        f->encoding = DPL__UTF16LE, f->n_mark = 2;
    else if (f->bytes.n >= 2 && p[0] == 0xFE && p[1] == 0xFF)
        f->encoding = DPL__UTF16BE, f->n_mark = 2;
    dpl__textfile_drop(f, f->n_mark);
    if (!f->n_mark && strncasecmp(f->other.name, "utf", 3) == 0) {
        f->guess = (dpl__guess){f->other, true}; /* UTF-16 and 32 do not look like ASCII */
        return begin_decoding(f, 0, err);
    }
    if (!f->n_mark && !f->other.name[0])
        look_for_utf16(f);
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
    dpl__decoder_close(f->decoder);
    f->decoder = NULL;
}

void dpl__textfile_clear(dpl__textfile *f)
{
    if (!f->ctx)
        return;
    dpl__textfile_close(f);
    dpl__vec_clear(f->ctx, &f->bytes, &f->raw);
}
