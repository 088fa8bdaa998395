/*
 * http.c - HTTP responses: header fields, chunks, gzip and deflate.
 *
 * Crawlers often store the body decoded and leave the header as it was, so what does not look
 * encoded is taken as it is. Several encodings are undone from the last to the first. Brotli is
 * not read: the body is refused. Cost: zlib's.
 */
#include "readers/http.h"

#include "base/ascii.h"
#include "base/vec.h"
#include "io/codec.h"

#include <strings.h>
#include <zlib.h>

/* ---- fields --------------------------------------------------------------------------- */

/* The next line without its end; false at the end. */
static bool next_line(dpl_str *line, dpl_str *rest)
{
    if (!dpl__next_line(line, rest))
        return false;
    line->n -= line->n && line->data[line->n - 1] == '\r';
    return true;
}

dpl_str dpl__field(dpl_str lines, const char *name)
{
    const size_t n = strlen(name);
    dpl_str line;
    while (next_line(&line, &lines) && line.n)
        if (line.n > n && line.data[n] == ':' && strncasecmp(line.data, name, n) == 0)
            return dpl__strip((dpl_str){line.data + n + 1, line.n - n - 1});
    return (dpl_str){0};
}

size_t dpl__fields_length(dpl_str bytes)
{
    dpl_str rest = bytes;
    const char *newline;
    while (rest.n && (newline = memchr(rest.data, '\n', rest.n))) {
        const size_t n = (size_t)(newline - rest.data);
        rest = (dpl_str){newline + 1, rest.n - n - 1};
        if (n == 0 || (n == 1 && newline[-1] == '\r'))
            return (size_t)(rest.data - bytes.data);
    }
    return 0;
}

void dpl__media_type(dpl_str value, dpl_str *type, dpl_str *charset)
{
    const char *semicolon = value.n ? memchr(value.data, ';', value.n) : NULL;
    *charset = (dpl_str){0};
    *type = dpl__strip(
        (dpl_str){value.data, semicolon ? (size_t)(semicolon - value.data) : value.n});
    static const char name[] = "charset=";
    for (size_t i = type->n; i + sizeof name - 1 < value.n; i++) {
        if (strncasecmp(value.data + i, name, sizeof name - 1) != 0)
            continue;
        const char *from = value.data + i + sizeof name - 1, *end = value.data + value.n;
        while (from < end && (*from == '"' || *from == '\'' || *from == ' '))
            from++;
        const char *to = from;
        while (to < end && !strchr("\"'; ,", *to))
            to++;
        *charset = (dpl_str){from, (size_t)(to - from)};
        return;
    }
}

/* ---- chunks --------------------------------------------------------------------------- */

/* The size of the chunk whose line begins at s; false when it is none. */
static bool read_size(dpl_str *rest, size_t *size)
{
    dpl_str line;
    size_t i = 0;
    *size = 0;
    if (!next_line(&line, rest))
        return false;
    for (int digit; i < line.n && i < 8 && (digit = dpl__hex_digit(line.data[i])) >= 0; i++)
        *size = *size * 16 + (size_t)digit;
    return i > 0 && (i == line.n || line.data[i] == ';' || line.data[i] == ' ');
}

/* What is cut off stays as far as it goes; what is not chunked stays as it is. */
static dpl_status join_chunks(dpl_str *body, dpl__arena *arena, dpl_error *err)
{
    dpl_str rest = *body;
    size_t size, n = 0;
    if (!read_size(&rest, &size))
        return DPL_OK;
    char *out = dpl__arena_alloc(arena, body->n);
    DPL_TRY(dpl__need(out, err));
    while (size) {
        const size_t take = dpl__min(size, rest.n);
        if (take)
            memcpy(out + n, rest.data, take);
        n += take;
        rest = (dpl_str){rest.data + take, rest.n - take};
        if (rest.n && rest.data[0] == '\r')
            rest = (dpl_str){rest.data + 1, rest.n - 1};
        if (rest.n && rest.data[0] == '\n')
            rest = (dpl_str){rest.data + 1, rest.n - 1};
        if (!read_size(&rest, &size))
            break;
    }
    dpl__arena_shrink(arena, out, body->n, n);
    *body = (dpl_str){out, n};
    return DPL_OK;
}

/* ---- gzip and deflate ----------------------------------------------------------------- */

/* DPL_E_FORMAT when the first bytes are not of that kind. A cut body gives what it holds. */
static dpl_status inflate_as(dpl__bytes *out, dpl_ctx *ctx, dpl_str body, uint64_t most,
                             int window)
{
    enum { STEP = 64 << 10 };
    z_stream z = {.zalloc = dpl__zlib_alloc, .zfree = dpl__zlib_free, .opaque = ctx};
    if (inflateInit2(&z, window) != Z_OK)
        return DPL_E_NOMEM;
    z.next_in = (Bytef *)(uintptr_t)body.data; /* zlib only reads it */
    z.avail_in = (uInt)body.n;
    int r = Z_OK;
    dpl_status status = DPL_OK;
    while (r == Z_OK && status == DPL_OK) {
        if (!dpl__vec_reserve(ctx, out, STEP)) {
            status = DPL_E_NOMEM;
            break;
        }
        z.next_out = (Bytef *)out->data + out->n;
        z.avail_out = STEP;
        r = inflate(&z, Z_NO_FLUSH);
        out->n += STEP - z.avail_out;
        if (out->n > most)
            status = DPL_E_LIMIT;
    }
    inflateEnd(&z);
    if (status == DPL_OK && r == Z_MEM_ERROR)
        status = DPL_E_NOMEM;
    return status == DPL_OK && r == Z_DATA_ERROR && !out->n ? DPL_E_FORMAT : status;
}

static dpl_status inflate_body(dpl_str *body, dpl__arena *arena, uint64_t most, dpl_error *err)
{
    dpl_ctx *ctx = arena->ctx;
    dpl__bytes out = {0};
    dpl_status status = inflate_as(&out, ctx, *body, most, 32 + MAX_WBITS);
    if (status == DPL_E_FORMAT)
        status =
            inflate_as(&out, ctx, *body, most, -MAX_WBITS); /* deflate without its header */
    if (status == DPL_OK) {
        *body = dpl__arena_copy(arena, (dpl_str){out.data, out.n});
        status = body->data ? DPL_OK : DPL_E_NOMEM;
    }
    dpl__vec_clear(ctx, &out);
    return status == DPL_E_NOMEM ? dpl__fail_nomem(err) : status;
}

static bool is_gzip(dpl_str s)
{
    return s.n > 2 && (unsigned char)s.data[0] == 0x1F && (unsigned char)s.data[1] == 0x8B;
}

/* Is the body still deflated? HTML and text are not. */
static bool is_deflated(dpl_str body)
{
    for (size_t i = 0; i < body.n && i < 16; i++)
        if ((unsigned char)body.data[i] < ' ' && !strchr("\t\n\f\r", body.data[i]))
            return true;
    return body.n && (body.data[0] == 'x' || (unsigned char)body.data[0] >= 0x80);
}

/* ---- the encodings of a response -------------------------------------------------------- */

enum { MOST_CODINGS = 8 };

/* In the order in which they were applied. */
typedef struct codings {
    dpl_str names[MOST_CODINGS];
    size_t n;
} codings;

/* Adds the names of a field, which may come several times: "gzip, chunked". False: too many. */
static bool add_codings(codings *c, dpl_str fields, const char *name)
{
    for (dpl_str value; (value = dpl__field(fields, name)).n;) {
        dpl_str line;
        fields = (dpl_str){value.data, (size_t)(fields.data + fields.n - value.data)};
        next_line(&line, &fields);
        while (value.n) {
            const char *comma = memchr(value.data, ',', value.n);
            const size_t n = comma ? (size_t)(comma - value.data) : value.n;
            const dpl_str coding = dpl__strip((dpl_str){value.data, n});
            if (coding.n && c->n == MOST_CODINGS)
                return false;
            if (coding.n)
                c->names[c->n++] = coding;
            value = (dpl_str){value.data + n + !!comma, value.n - n - !!comma};
        }
    }
    return true;
}

/* Undoes one of them, if the body looks as if it were still there. *is_done: it was inflated.
 */
static dpl_status undo(dpl_str *body, dpl__arena *arena, dpl_str coding, uint64_t most,
                       bool *is_done, dpl_error *err)
{
    if (dpl__is_word(coding, "chunked"))
        return join_chunks(body, arena, err);
    const bool is_zlib = dpl__is_word(coding, "gzip") || dpl__is_word(coding, "x-gzip")
                             ? is_gzip(*body)
                             : dpl__is_word(coding, "deflate") && is_deflated(*body);
    if (is_zlib) {
        *is_done = true;
        return inflate_body(body, arena, most, err);
    }
    const bool is_unknown = dpl__is_word(coding, "br") || dpl__is_word(coding, "zstd") ||
                            dpl__is_word(coding, "compress");
    return is_unknown && is_deflated(*body) && !is_gzip(*body) ? DPL_E_FORMAT : DPL_OK;
}

static dpl_status decode(dpl__http *h, dpl__arena *arena, dpl_str fields, uint64_t most,
                         dpl_error *err)
{
    codings c = {0};
    bool is_inflated = false;
    if (!add_codings(&c, fields, "Content-Encoding") ||
        !add_codings(&c, fields, "Transfer-Encoding"))
        return DPL_E_FORMAT;
    while (c.n)
        DPL_TRY(undo(&h->body, arena, c.names[--c.n], most, &is_inflated, err));
    return !is_inflated && is_gzip(h->body) ? inflate_body(&h->body, arena, most, err) : DPL_OK;
}

dpl_status dpl__http_read(dpl__http *out, dpl__arena *arena, dpl_str bytes, uint64_t most,
                          dpl_error *err)
{
    *out = (dpl__http){0};
    const size_t n = dpl__fields_length(bytes);
    if (n < 12 || memcmp(bytes.data, "HTTP/", 5) != 0)
        return DPL_OK;
    const char *blank = memchr(bytes.data, ' ', n);
    for (const char *p = blank ? blank + 1 : bytes.data + n;
         p < bytes.data + n && *p >= '0' && *p <= '9' && out->status < 1000; p++)
        out->status = out->status * 10 + (unsigned)(*p - '0');
    const dpl_str fields = {bytes.data, n};
    out->body = (dpl_str){bytes.data + n, bytes.n - n};
    dpl__media_type(dpl__field(fields, "Content-Type"), &out->media_type, &out->charset);
    return decode(out, arena, fields, most, err);
}
