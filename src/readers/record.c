/*
 * record.c - what formats do with each record: policy for bad ones, NFC, language.
 *
 * In: the bytes of a record. Out: a document in the batch, or a count, or a failure that names
 * file, line and column. Any thread; the same for every division into chunks. Cost: one pass
 * over the text to check UTF-8, one to check NFC.
 */
#include "readers/reader.h"

#include "base/ascii.h"
#include "base/ctx.h"
#include "kernels/kernels.h"
#include "readers/chunks.h"
#include "readers/json_parser.h"
#include "readers/web_address.h"
#include "unicode/unicode.h"

#include <stdarg.h>
#include <stdio.h>

void dpl__read_counts_add(dpl_read_counts *to, const dpl_read_counts *more)
{
    to->n_docs += more->n_docs;
    for (int i = 0; i < DPL_N_DROPS; i++)
        to->n_dropped[i] += more->n_dropped[i];
    to->n_replaced += more->n_replaced;
    to->n_identified += more->n_identified;
    to->n_file_bytes += more->n_file_bytes;
    to->n_raw_bytes += more->n_raw_bytes;
    for (int i = 0; i < DPL_MOST_ENCODINGS; i++)
        to->n_converted[i] += more->n_converted[i];
    to->n_boilerplate += more->n_boilerplate;
}

size_t dpl__cut_lines(const dpl__header *header, const uint8_t *p, size_t n, size_t from)
{
    (void)header;
    while (n > from && p[n - 1] != '\n')
        n--;
    return n > from ? n : 0;
}

dpl_status dpl__each_line(dpl__batch *batch, const dpl__chunk *chunk, void *user,
                          dpl_status (*parse_line)(void *user, dpl_str line, uint64_t number,
                                                   dpl_error *err),
                          dpl_error *err)
{
    dpl_str line, rest = {chunk->bytes.data, chunk->bytes.n};
    assert(chunk->line > 0 || !rest.n);
    for (uint64_t number = chunk->line; dpl__next_line(&line, &rest); number++) {
        const size_t n = line.n; /* as cutting counts: with a '\r' */
        line.n -= n && line.data[n - 1] == '\r';
        dpl_status status = DPL_LIKELY(n <= batch->options->max_record)
                                ? dpl__record_utf8(batch, chunk, number, 1, &line, err)
                                : dpl__record_long(batch, chunk, number, err);
        if (status == DPL_OK)
            status = parse_line(user, line, number, err);
        if (status != DPL_OK && status != DPL_END)
            return status;
    }
    return DPL_OK;
}

dpl_status dpl__line_id(dpl__batch *batch, uint64_t line, dpl_str *id, dpl_error *err)
{
    char digits[24];
    int n = snprintf(digits, sizeof digits, "%llu", (unsigned long long)line);
    *id = dpl__arena_copy(&batch->arena, (dpl_str){digits, (size_t)n});
    return dpl__need(id->data, err);
}

dpl_status dpl__members_add(dpl__batch *batch, dpl__bytes *members, dpl_str key, dpl_str value,
                            dpl_error *err)
{
    dpl_ctx *ctx = batch->ctx;
    return dpl__need(dpl__vec_push(ctx, members, ',') && dpl__json_escape(ctx, members, key) &&
                         dpl__vec_push(ctx, members, ':') &&
                         dpl__json_escape(ctx, members, value),
                     err);
}

dpl_status dpl__members_to_extra(dpl__batch *batch, dpl__bytes *members, dpl_str *extra,
                                 dpl_error *err)
{
    if (!members->n)
        return DPL_OK;
    assert(members->data[0] == ','); /* dpl__members_add begins with one */
    members->data[0] = '{';
    DPL_TRY(dpl__need(dpl__vec_push(batch->ctx, members, '}'), err));
    *extra = dpl__arena_copy(&batch->arena, (dpl_str){members->data, members->n});
    return dpl__need(extra->data, err);
}

/* A single file is its own member. */
void dpl__record_place(char *out, size_t n, const dpl__chunk *chunk)
{
    size_t n_file = strlen(chunk->file);
    if (chunk->member && strcmp(chunk->member, chunk->file) != 0)
        snprintf(out, n, "%s%s%s", chunk->file,
                 n_file && chunk->file[n_file - 1] == '/' ? "" : "/", chunk->member);
    else
        snprintf(out, n, "%s", chunk->file);
}

/* "'file' line 7" or "'dir/file'" */
static void describe_place(char *out, size_t n, const dpl__chunk *chunk, uint64_t line)
{
    char name[400];
    dpl__record_place(name, sizeof name, chunk);
    if (line)
        snprintf(out, n, "'%s' %s %llu", name, chunk->is_numbered ? "document" : "line",
                 (unsigned long long)line);
    else
        snprintf(out, n, "'%s'", name);
}

/* The same for every chunk size: from the line, not from where the chunk begins. */
static uint64_t offset_of(const dpl__chunk *chunk, uint64_t line, uint64_t column)
{
    const char *p = chunk->bytes.data, *end = chunk->bytes.n ? p + chunk->bytes.n : p;
    const uint64_t n_before = line > chunk->line ? 0 : chunk->n_before;
    for (uint64_t i = chunk->line; i < line && p < end; i++) {
        const char *newline = memchr(p, '\n', (size_t)(end - p));
        p = newline ? newline + 1 : end;
    }
    return chunk->offset + (uint64_t)(p - chunk->bytes.data) + (column ? column - 1 : 0) -
           n_before;
}

static const char *code_of(dpl_drop drop)
{
    return drop == DPL_DROP_LONG   ? "long-record"
           : drop == DPL_DROP_UTF8 ? "bad-utf8"
                                   : "bad-record";
}

dpl_status dpl__record_drop(dpl__batch *batch, const dpl__chunk *chunk, uint64_t line,
                            dpl_drop drop, const char *text, dpl_error *err)
{
    dpl__skip skip = {.member = chunk->number,
                      .line = line,
                      .reason = drop,
                      .is_numbered = chunk->is_numbered};
    batch->counts.n_dropped[drop]++;
    if (!dpl__skips_wants(&batch->skipped, &skip))
        return DPL_OK;
    dpl__record_place(skip.file, sizeof skip.file, chunk);
    snprintf(skip.text, sizeof skip.text, "%s", text);
    return dpl__need(dpl__skips_add(&batch->skipped, &skip), err);
}

dpl_status dpl__record_bad(dpl__batch *batch, dpl__record_at at, dpl_drop drop, dpl_error *err,
                           const char *fmt, ...)
{
    assert(at.chunk && (at.line || !at.column));
    char what[300], place[450];
    va_list ap;
    va_start(ap, fmt);
    vsnprintf(what, sizeof what, fmt, ap);
    va_end(ap);
    if (batch->options->on_error == DPL_ON_ERROR_SKIP) {
        DPL_TRY(dpl__record_drop(batch, at.chunk, at.line, drop, what, err));
        return DPL_END;
    }
    describe_place(place, sizeof place, at.chunk, at.line);
    if (at.column)
        dpl__fail(err, DPL_E_FORMAT, "%s: %s at column %llu", place, what,
                  (unsigned long long)at.column);
    else
        dpl__fail(err, DPL_E_FORMAT, "%s: %s", place, what);
    dpl__error_place(err, at.line, at.column, offset_of(at.chunk, at.line, at.column));
    return dpl__code(err, DPL_E_FORMAT, code_of(drop));
}

dpl_status dpl__record_long(dpl__batch *batch, const dpl__chunk *chunk, uint64_t line,
                            dpl_error *err)
{
    return dpl__record_bad(batch, DPL__AT(chunk, line, 0), DPL_DROP_LONG, err,
                           "longer than %llu bytes",
                           (unsigned long long)batch->options->max_record);
}

/* How many bytes at p form one ill-formed sequence (the standard's "maximal subpart"). */
static size_t ill_formed(const uint8_t *p, size_t n)
{
    uint8_t a = p[0];
    unsigned want = a >= 0xF0 && a <= 0xF4 ? 4 : a >= 0xE0 ? 3 : a >= 0xC2 ? 2 : 1;
    if (a > 0xF4)
        return 1;
    size_t i = 1;
    for (; i < want && i < n; i++) {
        uint8_t least = 0x80, most = 0xBF;
        if (i == 1) {
            least = a == 0xE0 ? 0xA0 : a == 0xF0 ? 0x90 : 0x80;
            most = a == 0xED ? 0x9F : a == 0xF4 ? 0x8F : 0xBF;
        }
        if (p[i] < least || p[i] > most)
            break;
    }
    return i;
}

dpl_status dpl__utf8_replace(dpl_str *s, dpl__arena *arena, uint64_t *n_replaced,
                             dpl_error *err)
{
    const dpl__kernels *kernels = arena->ctx->kernels;
    const uint8_t *p = (const uint8_t *)s->data;
    uint8_t most;
    *n_replaced = 0;
    if (kernels->utf8_prefix(p, s->n, &most) == s->n)
        return DPL_OK;
    char *out = dpl__arena_alloc(arena, 3 * s->n);
    DPL_TRY(dpl__need(out, err));
    size_t n_out = 0;
    for (size_t i = 0; i < s->n;) {
        size_t good = kernels->utf8_prefix(p + i, s->n - i, &most);
        memcpy(out + n_out, p + i, good);
        n_out += good;
        i += good;
        if (i < s->n) {
            i += ill_formed(p + i, s->n - i);
            n_out += dpl__utf8_encode(out + n_out, 0xFFFD);
            ++*n_replaced;
        }
    }
    dpl__arena_shrink(arena, out, 3 * s->n, n_out);
    *s = (dpl_str){out, n_out};
    return DPL_OK;
}

dpl_status dpl__record_utf8(dpl__batch *batch, const dpl__chunk *chunk, uint64_t line,
                            uint64_t column, dpl_str *s, dpl_error *err)
{
    uint8_t most;
    const uint8_t *p = (const uint8_t *)s->data;
    size_t good = batch->ctx->kernels->utf8_prefix(p, s->n, &most);
    if (DPL_LIKELY(good == s->n))
        return DPL_OK;
    if (batch->options->on_error == DPL_ON_ERROR_REPLACE) {
        uint64_t n_replaced;
        dpl_status status = dpl__utf8_replace(s, &batch->arena, &n_replaced, err);
        batch->counts.n_replaced += n_replaced;
        return status;
    }
    if (batch->options->on_error == DPL_ON_ERROR_SKIP) {
        DPL_TRY(dpl__record_drop(batch, chunk, line, DPL_DROP_UTF8, "", err));
        return DPL_END;
    }
    for (size_t i = 0; i < good; i++) { /* records of several lines: where exactly? */
        column++;
        if (p[i] == '\n') {
            line++;
            column = 1;
        }
    }
    if (chunk->is_utf16) /* its bytes are not those of the file */
        return dpl__record_bad(batch, DPL__AT(chunk, line, column), DPL_DROP_UTF8, err,
                               "invalid UTF-16");
    if (chunk->charset)
        return dpl__record_bad(batch, DPL__AT(chunk, line, column), DPL_DROP_UTF8, err,
                               "invalid %s", chunk->charset);
    char place[450];
    describe_place(place, sizeof place, chunk, line);
    dpl__fail(err, DPL_E_FORMAT, "%s: invalid UTF-8 (byte 0x%02X at column %llu)%s%s", place,
              p[good], (unsigned long long)column, chunk->likely ? ", it may be " : "",
              chunk->likely ? chunk->likely : "");
    dpl__error_place(err, line, column, offset_of(chunk, line, column));
    return dpl__code(err, DPL_E_FORMAT,
                     chunk->likely ? "bad-encoding" : code_of(DPL_DROP_UTF8));
}

/* Neighbours have the same language, and looking a tag of three letters up takes 4 us. */
static dpl_lang canonical(dpl__batch *batch, dpl_str tag)
{
    if (!tag.n || tag.n >= sizeof batch->tag || memchr(tag.data, '\0', tag.n))
        return dpl_lang_canonical(tag);
    if (!dpl__str_eq(dpl__cstr(batch->tag), tag)) {
        batch->tagged = dpl_lang_canonical(tag);
        memcpy(batch->tag, tag.data, tag.n);
        batch->tag[tag.n] = '\0';
    }
    return batch->tagged;
}

static dpl_status find_language(dpl__batch *batch, dpl_doc *doc, bool *is_identified,
                                dpl_error *err)
{
    const char *given = batch->options->lang;
    dpl_lang lang = {0};
    if (given)
        lang = canonical(batch, dpl__cstr(given));
    else if (doc->lang.n)
        lang = canonical(batch, doc->lang);
    *is_identified = !lang.code[0] || strcmp(lang.code, "und") == 0;
    if (*is_identified)
        lang = dpl_lang_identify(doc->text);
    doc->lang = dpl__arena_copy(&batch->arena, dpl__cstr(lang.code));
    return dpl__need(doc->lang.data, err);
}

static dpl_status put_title_first(dpl__batch *batch, dpl_doc *doc, dpl_error *err)
{
    dpl_str title = doc->title, text = doc->text;
    bool is_there = text.n >= title.n && memcmp(text.data, title.data, title.n) == 0 &&
                    (text.n == title.n || text.data[title.n] == '\n');
    if (!title.n || is_there) /* Markdown takes the title from the text */
        return DPL_OK;
    size_t n = title.n + 1 + text.n;
    char *p = dpl__arena_alloc(&batch->arena, n);
    DPL_TRY(dpl__need(p, err));
    memcpy(p, title.data, title.n);
    p[title.n] = '\n';
    memcpy(p + title.n + 1, text.data, text.n);
    doc->text = (dpl_str){p, n};
    return DPL_OK;
}

/* Everything we write names documents by their id, one a line, between tabs. */
static dpl_status check_id(dpl__batch *batch, const dpl__chunk *chunk, uint64_t line,
                           dpl_str id, dpl_error *err)
{
    if (!id.n)
        return dpl__record_bad(batch, DPL__AT(chunk, line, 0), DPL_DROP_MISSING, err,
                               "the id is empty");
    for (size_t i = 0; i < id.n; i++)
        if ((unsigned char)id.data[i] < 0x20 || id.data[i] == 0x7F)
            return dpl__record_bad(batch, DPL__AT(chunk, line, 0), DPL_DROP_MALFORMED, err,
                                   "the id holds a control character (0x%02X)",
                                   (unsigned)id.data[i]);
    return DPL_OK;
}

dpl_status dpl__batch_add(dpl__batch *batch, const dpl__chunk *chunk, uint64_t line,
                          const dpl_doc *doc, dpl_error *err)
{
    dpl_doc d = *doc;
    if (dpl__trim(d.text).n == 0)
        return dpl__record_drop(batch, chunk, line, DPL_DROP_EMPTY, "", err);
    dpl_status status = check_id(batch, chunk, line, d.id, err);
    if (status != DPL_OK)
        return status == DPL_END ? DPL_OK : status;
    DPL_TRY(dpl__nfc(&d.id, &batch->arena, err));
    DPL_TRY(dpl__nfc(&d.title, &batch->arena, err));
    DPL_TRY(dpl__nfc(&d.text, &batch->arena, err));
    bool is_identified;
    DPL_TRY(find_language(batch, &d, &is_identified, err));
    const char *only = batch->options->only_lang;
    if (only && strcmp(d.lang.data, only) != 0) {
        batch->counts.n_dropped[DPL_DROP_LANGUAGE]++;
        return DPL_OK;
    }
    if (batch->options->with_title)
        DPL_TRY(put_title_first(batch, &d, err));
    DPL_TRY(dpl__need(dpl__vec_push(batch->ctx, &batch->docs, d) &&
                          dpl__vec_push(batch->ctx, &batch->lines, line) &&
                          dpl__vec_push(batch->ctx, &batch->is_identified, is_identified),
                      err));
    batch->counts.n_docs++;
    batch->counts.n_identified += is_identified && strcmp(d.lang.data, "und") != 0;
    return DPL_OK;
}

static bool is_one_line(dpl_str s)
{
    for (size_t i = 0; i < s.n; i++)
        if ((uint8_t)s.data[i] < 0x20)
            return false;
    return s.n > 0;
}

dpl_status dpl__batch_add_alias(dpl__batch *batch, dpl_str title, dpl_str target,
                                dpl_error *err)
{
    dpl__alias alias = {dpl__trim(title), dpl__trim(target)};
    if (!is_one_line(alias.title) || !is_one_line(alias.target))
        return DPL_OK;
    alias.title = dpl__arena_copy(&batch->arena, alias.title);
    alias.target = dpl__arena_copy(&batch->arena, alias.target);
    DPL_TRY(dpl__need(alias.title.data && alias.target.data, err));
    DPL_TRY(dpl__nfc(&alias.title, &batch->arena, err));
    DPL_TRY(dpl__nfc(&alias.target, &batch->arena, err));
    return dpl__need(dpl__vec_push(batch->ctx, &batch->aliases, alias), err);
}

dpl_status dpl__batch_add_site(dpl__batch *batch, dpl_str address, dpl_error *err)
{
    if (!dpl__is_address(address))
        return DPL_OK;
    const dpl__alias alias = {{"", 0}, dpl__arena_copy(&batch->arena, address)};
    return dpl__need(alias.target.data && dpl__vec_push(batch->ctx, &batch->aliases, alias),
                     err);
}

void dpl__batch_init(dpl__batch *batch, dpl_ctx *ctx, const dpl_reader_options *options)
{
    *batch = (dpl__batch){.ctx = ctx, .options = options, .skipped = {.ctx = ctx}};
    dpl__arena_init(&batch->arena, ctx);
}

void dpl__batch_reset(dpl__batch *batch)
{
    dpl__arena_reset(&batch->arena);
    batch->docs.n = batch->lines.n = batch->is_identified.n = batch->aliases.n = 0;
    batch->counts = (dpl_read_counts){0};
    dpl__skips_reset(&batch->skipped);
}

void dpl__batch_clear(dpl__batch *batch)
{
    dpl__arena_clear(&batch->arena);
    dpl__vec_clear(batch->ctx, &batch->docs, &batch->lines, &batch->is_identified,
                   &batch->aliases);
    dpl__skips_clear(&batch->skipped);
}
