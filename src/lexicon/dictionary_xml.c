/*
 * dictionary_xml.c - elements and texts of an entry; entries of lines.
 *
 * Cost: linear; an entry is in memory, the rest of the document is not.
 */
#include "lexicon/dictionary_xml.h"

#include "base/ascii.h"
#include "unicode/unicode.h"

enum { LONGEST_ENTRY = 1 << 20 };

/* ---- pieces ------------------------------------------------------------------------- */

static bool ends_name(char c)
{
    return dpl__is_blank(c) || c == '/' || c == '>' || c == '\n' || c == '\r';
}

/* An element from behind its '<' up to its '>'. */
static void set_element(dpl__xml_piece *out, dpl_str body)
{
    out->kind = DPL__XML_START;
    if (body.n && body.data[0] == '/') {
        out->kind = DPL__XML_END;
        body = (dpl_str){body.data + 1, body.n - 1};
    }
    size_t n = 0;
    while (n < body.n && !ends_name(body.data[n]))
        n++;
    out->name = (dpl_str){body.data, n};
    out->attributes = (dpl_str){body.data + n, body.n - n};
}

bool dpl__xml_next(dpl_str *rest, dpl__xml_piece *out)
{
    *out = (dpl__xml_piece){.kind = DPL__XML_TEXT};
    if (rest->n == 0)
        return false;
    if (rest->n >= 4 && memcmp(rest->data, "<!--", 4) == 0) {
        dpl__cut_text(rest, "-->");
        return true;
    }
    if (rest->data[0] == '<') {
        dpl_str body = dpl__cut_text(rest, ">");
        set_element(out, (dpl_str){body.data + 1, body.n - 1});
        return true;
    }
    const char *at = memchr(rest->data, '<', rest->n);
    size_t n = at ? (size_t)(at - rest->data) : rest->n;
    out->text = (dpl_str){rest->data, n};
    *rest = (dpl_str){rest->data + n, rest->n - n};
    return true;
}

dpl_str dpl__xml_value(dpl_str attributes, const char *name)
{
    size_t n = strlen(name);
    for (dpl_str rest = attributes; rest.n;) {
        const char *at = dpl__find_text(rest, name);
        if (!at)
            break;
        size_t before = (size_t)(at - rest.data);
        rest = (dpl_str){at + n, rest.n - before - n};
        bool is_whole = before == 0 || ends_name(at[-1]);
        if (is_whole && rest.n >= 2 && rest.data[0] == '=' &&
            (rest.data[1] == '"' || rest.data[1] == '\'')) {
            char mark[2] = {rest.data[1], 0};
            rest = (dpl_str){rest.data + 2, rest.n - 2};
            return dpl__cut_text(&rest, mark);
        }
    }
    return (dpl_str){0};
}

/* "&amp;", "&#233;"; 0: none that is a character. */
static uint32_t entity(dpl_str name)
{
    static const struct {
        const char *name;
        char c;
    } known[] = {{"amp", '&'}, {"lt", '<'}, {"gt", '>'}, {"quot", '"'}, {"apos", '\''}};
    for (size_t i = 0; i < DPL_LEN(known); i++)
        if (dpl__str_eq(name, dpl__cstr(known[i].name)))
            return (unsigned char)known[i].c;
    if (name.n < 2 || name.data[0] != '#')
        return 0;
    bool is_hex = name.data[1] == 'x';
    uint32_t c = 0;
    for (size_t i = is_hex ? 2 : 1; i < name.n; i++) {
        char x = name.data[i];
        int digit = dpl__is_digit(x)                 ? x - '0'
                    : is_hex && x >= 'a' && x <= 'f' ? x - 'a' + 10
                    : is_hex && x >= 'A' && x <= 'F' ? x - 'A' + 10
                                                     : -1;
        if (digit < 0 || c > 0x10FFFF)
            return 0;
        c = c * (is_hex ? 16 : 10) + (uint32_t)digit;
    }
    return c < ' ' || c > 0x10FFFF || (c >= 0xD800 && c < 0xE000) ? 0 : c;
}

bool dpl__xml_decode(dpl__bytes *out, dpl_ctx *ctx, dpl_str text)
{
    enum { LONGEST_NAME = 32 };
    for (size_t i = 0; i < text.n;) {
        const char *end = text.data[i] == '&'
                              ? memchr(text.data + i, ';', dpl__min(text.n - i, LONGEST_NAME))
                              : NULL;
        char bytes[4] = {text.data[i]};
        size_t n = 1, n_read = 1;
        if (end) {
            dpl_str name = {text.data + i + 1, (size_t)(end - text.data) - i - 1};
            uint32_t c = entity(name);
            n = c ? dpl__utf8_encode(bytes, c) : 0;
            n_read = name.n + 2;
        }
        if (!dpl__vec_append(ctx, out, bytes, n))
            return false;
        i += n_read;
    }
    return true;
}

/* ---- entries ------------------------------------------------------------------------ */

/* Takes what is complete out of the buffer. */
static dpl_status take_entries(dpl__dictionary_text *d, dpl__entry_fn *read, dpl_error *err)
{
    dpl_str all = {d->entry.data, d->entry.n}, rest = all;
    dpl_status status = DPL_OK;
    while (status == DPL_OK || status == DPL_END) {
        const char *begin = dpl__find_text(rest, "<entry");
        dpl_str from = {begin, begin ? (size_t)(all.data + all.n - begin) : 0};
        const char *end = begin ? dpl__find_text(from, "</entry>") : NULL;
        if (!end) {
            rest = begin ? from : (dpl_str){all.data + all.n, 0};
            break;
        }
        status = read(d, (dpl_str){begin, (size_t)(end - begin)}, err);
        end += strlen("</entry>");
        rest = (dpl_str){end, (size_t)(all.data + all.n - end)};
    }
    memmove(d->entry.data, rest.data, rest.n);
    d->entry.n = rest.n;
    return status == DPL_END ? DPL_OK : status;
}

dpl_status dpl__read_entries(dpl__dictionary_text *d, dpl_str line, dpl__entry_fn *read,
                             dpl_error *err)
{
    if (d->entry.n == 0 && !dpl__find_text(line, "<entry"))
        return DPL_OK;
    if (d->entry.n + line.n > LONGEST_ENTRY && d->entry.n) {
        d->entry.n = 0;
        return dpl__bad_line(dpl__dictionary_place(d), err, "an entry that does not end");
    }
    DPL_TRY(dpl__need(dpl__vec_append(d->ctx, &d->entry, line.data, line.n) &&
                          dpl__vec_push(d->ctx, &d->entry, '\n'),
                      err));
    return dpl__find_text(line, "</entry>") ? take_entries(d, read, err) : DPL_OK;
}

dpl_status dpl__finish_entries(dpl__dictionary_text *d, dpl_error *err)
{
    if (d->entry.n == 0)
        return DPL_OK;
    d->entry.n = 0;
    return dpl__bad_line(dpl__dictionary_place(d), err, "an entry that does not end");
}
