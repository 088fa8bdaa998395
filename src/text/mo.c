/*
 * mo.c - compiled catalogues: a table of messages, a table of translations, and their text.
 *
 * Numbers are 32 bits in the byte order of the machine that wrote them, which the magic tells.
 * Nothing is trusted: every offset is checked against the size of the file. The hash table and
 * the order of the messages are of no use here. Messages with parts that depend on the machine
 * (minor revision 1: "<PRIu64>") are counted as messages without a translation.
 */
#include "text/gettext.h"

enum { HEADER = 28, HEADER_1 = 48 /* of minor revision 1 */ };
static const uint32_t MAGIC = 0x950412DE;

static uint32_t load(const char *from, bool is_big)
{
    const uint8_t *p = (const uint8_t *)from;
    return is_big ? (uint32_t)p[0] << 24 | (uint32_t)p[1] << 16 | (uint32_t)p[2] << 8 | p[3]
                  : (uint32_t)p[3] << 24 | (uint32_t)p[2] << 16 | (uint32_t)p[1] << 8 | p[0];
}

bool dpl__is_mo(dpl_str s)
{
    return s.n >= 4 && (load(s.data, false) == MAGIC || load(s.data, true) == MAGIC);
}

static dpl_status damaged(const dpl__catalogue *c, uint64_t offset, const char *what,
                          dpl_error *err)
{
    dpl__fail(err, DPL_E_FORMAT, "'%s': %s", dpl__input_name(c->file->input), what);
    dpl__error_place(err, 0, 0, offset);
    return DPL_E_FORMAT;
}

static uint32_t number_at(const dpl__catalogue *c, size_t offset)
{
    assert(offset + 4 <= c->file->bytes.n);
    return load(c->file->bytes.data + offset, c->as.mo.is_big);
}

/* The i-th string of a table; false when it lies outside of the file. A zero follows it. */
static bool string_at(const dpl__catalogue *c, dpl_str *s, uint32_t table, uint32_t i)
{
    const uint32_t n = number_at(c, table + 8 * (size_t)i),
                   offset = number_at(c, table + 8 * (size_t)i + 4);
    const dpl__bytes *b = &c->file->bytes;
    if (offset >= b->n || n >= b->n - offset || b->data[offset + (size_t)n] != '\0')
        return false;
    *s = (dpl_str){b->data + offset, n};
    return true;
}

dpl_status dpl__mo_open(dpl__catalogue *c, dpl_error *err)
{
    const size_t n_bytes = c->file->bytes.n;
    struct dpl__mo *mo = &c->as.mo;
    if (n_bytes < HEADER)
        return damaged(c, n_bytes, "the file ends in the header of a catalogue", err);
    mo->is_big = load(c->file->bytes.data, true) == MAGIC;
    const uint32_t revision = number_at(c, 4);
    if (revision >> 16 > 1) {
        dpl__fail(err, DPL_E_UNSUPPORTED, "'%s': revision %u of the format",
                  dpl__input_name(c->file->input), (unsigned)(revision >> 16));
        return DPL_E_UNSUPPORTED;
    }
    mo->n = number_at(c, 8);
    mo->ids = number_at(c, 12);
    mo->texts = number_at(c, 16);
    const uint64_t size = 8 * (uint64_t)mo->n;
    if (mo->ids + size > n_bytes || mo->texts + size > n_bytes)
        return damaged(c, 12, "a table of the catalogue lies outside of the file", err);
    if ((revision & 0xFFFF) >= 1) {
        if (n_bytes < HEADER_1 || number_at(c, 40) + 4 * (uint64_t)number_at(c, 36) > n_bytes)
            return damaged(c, 36, "a table of the catalogue lies outside of the file", err);
        c->rows->counts.n_alone += number_at(c, 36);
    }
    dpl_str id, header; /* in byte order, the empty message is the first one */
    if (mo->n && string_at(c, &id, mo->ids, 0) && !id.n && string_at(c, &header, mo->texts, 0))
        dpl__catalogue_header(c, header);
    return DPL_OK;
}

/* Cuts the text before the first `mark` off *rest; all of it when there is none, and *rest has
 * no data then. */
static dpl_str cut(dpl_str *rest, char mark)
{
    const char *end = rest->n ? memchr(rest->data, mark, rest->n) : NULL;
    dpl_str part = {rest->data, end ? (size_t)(end - rest->data) : rest->n};
    *rest = end ? (dpl_str){end + 1, rest->n - part.n - 1} : (dpl_str){0};
    return part;
}

dpl_status dpl__mo_next(dpl__catalogue *c, dpl__message *m, dpl_error *err)
{
    struct dpl__mo *mo = &c->as.mo;
    while (mo->at < mo->n) {
        const uint32_t i = mo->at++;
        dpl_str ids, texts;
        *m = (dpl__message){.place = {.file = dpl__input_name(c->file->input),
                                      .offset = mo->ids + 8 * (uint64_t)i}};
        if (!string_at(c, &ids, mo->ids, i) || !string_at(c, &texts, mo->texts, i)) {
            dpl_status status = dpl__rows_bad(
                c->rows, &m->place, err, "message %u lies outside of the file", (unsigned)i);
            if (status != DPL_END)
                return status;
            continue;
        }
        m->id = cut(&ids, '\0');
        m->plural = cut(&ids, '\0');
        dpl_str behind = m->id;
        m->context = cut(&behind, '\4');
        if (behind.data)
            m->id = behind;
        else
            m->context = (dpl_str){0};
        m->first = m->last = cut(&texts, '\0');
        while (texts.data)
            m->last = cut(&texts, '\0');
        return DPL_OK;
    }
    return DPL_END;
}
