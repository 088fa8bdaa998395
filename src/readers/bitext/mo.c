/*
 * mo.c - compiled catalogues: a table of messages, a table of translations, and their text.
 *
 * Numbers are 32 bits in the byte order of the machine that wrote them, which the magic shows.
 * Nothing is trusted: every offset is checked against the size of the file. The hash table and
 * the order of the messages are of no use here. Messages with parts that depend on the machine
 * (minor revision 1) are stored in pieces, and come out as in a .po: "%<PRIu64>".
 */
#include "readers/bitext/gettext.h"

enum { HEADER = 28, HEADER_1 = 48 /* of minor revision 1 */, MOST_PIECED = 1 << 16 };
static const uint32_t MAGIC = 0x950412DE, LAST_PIECE = 0xFFFFFFFF;

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

static bool has_table(const dpl__catalogue *c, uint32_t offset, uint32_t n, unsigned size)
{
    return offset + (uint64_t)n * size <= c->file->bytes.n;
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
    if ((revision & 0xFFFF) >= 1 && n_bytes >= HEADER_1) {
        mo->n_names = number_at(c, 28);
        mo->names = number_at(c, 32);
        mo->n_pieced = number_at(c, 36);
        mo->pieced_ids = number_at(c, 40);
        mo->pieced_texts = number_at(c, 44);
    }
    if (!has_table(c, mo->ids, mo->n, 8) || !has_table(c, mo->texts, mo->n, 8) ||
        !has_table(c, mo->names, mo->n_names, 8) ||
        !has_table(c, mo->pieced_ids, mo->n_pieced, 4) ||
        !has_table(c, mo->pieced_texts, mo->n_pieced, 4))
        return damaged(c, 12, "a table of the catalogue lies outside of the file", err);
    dpl_str id, header; /* in byte order, the empty message is the first one */
    if (mo->n && string_at(c, &id, mo->ids, 0) && !id.n && string_at(c, &header, mo->texts, 0))
        dpl__catalogue_header(c, header);
    return DPL_OK;
}

/* ---- strings in pieces -------------------------------------------------------------- */

/* Appends "<name>" for a part that depends on the machine; the flag "I" stands for itself. */
static bool append_name(const dpl__catalogue *c, uint32_t i, char *out, size_t *n, size_t room)
{
    dpl_str name;
    const uint32_t entry = c->as.mo.names + 8 * i;
    const uint32_t n_name = number_at(c, entry), offset = number_at(c, entry + 4);
    if (n_name < 2 || offset >= c->file->bytes.n || n_name > c->file->bytes.n - offset)
        return false;
    name = (dpl_str){c->file->bytes.data + offset, n_name - 1}; /* without its zero */
    const bool is_bare = dpl__str_eq(name, DPL_STR("I"));
    if (name.n + 2 > room - *n)
        return false;
    if (!is_bare)
        out[(*n)++] = '<';
    memcpy(out + *n, name.data, name.n);
    *n += name.n;
    if (!is_bare)
        out[(*n)++] = '>';
    return true;
}

/* The i-th string of a table of those: text, name, text, name ... with its zero at the end.
 * False when it is none, or longer than room. */
static bool join_pieces(const dpl__catalogue *c, uint32_t table, uint32_t i, char *out,
                        size_t *n, size_t room)
{
    const dpl__bytes *b = &c->file->bytes;
    uint64_t at = number_at(c, table + 4 * (size_t)i);
    if (at + 4 > b->n)
        return false;
    uint64_t text = number_at(c, (size_t)at);
    *n = 0;
    for (at += 4; at + 8 <= b->n; at += 8) {
        const uint32_t n_text = number_at(c, (size_t)at), name = number_at(c, (size_t)at + 4);
        if (text + n_text > b->n || n_text > room - *n)
            return false;
        memcpy(out + *n, b->data + text, n_text);
        *n += n_text;
        text += n_text;
        if (name == LAST_PIECE)
            return *n > 0 && out[--*n] == '\0';
        if (name >= c->as.mo.n_names || !append_name(c, name, out, n, room))
            return false;
    }
    return false;
}

/* Likewise into the arena. */
static dpl_status pieced_at(const dpl__catalogue *c, dpl_str *s, uint32_t table, uint32_t i,
                            dpl_error *err)
{
    const size_t room = dpl__min(c->rows->options.max_record, MOST_PIECED);
    char *out = dpl__arena_alloc(&c->rows->arena, room);
    size_t n;
    DPL_TRY(dpl__need(out, err));
    const bool is_whole = join_pieces(c, table, i, out, &n, room);
    dpl__arena_shrink(&c->rows->arena, out, room, is_whole ? n : 0);
    *s = is_whole ? (dpl_str){out, n} : (dpl_str){0};
    return DPL_OK;
}

/* ---- messages ----------------------------------------------------------------------- */

/* Cuts the text before the first `mark` off *rest; all of it when there is none, and *rest has
 * no data then. */
static dpl_str cut(dpl_str *rest, char mark)
{
    const char *end = rest->n ? memchr(rest->data, mark, rest->n) : NULL;
    dpl_str part = {rest->data, end ? (size_t)(end - rest->data) : rest->n};
    *rest = end ? (dpl_str){end + 1, rest->n - part.n - 1} : (dpl_str){0};
    return part;
}

/* The strings of message i, of either kind; without data when they cannot be read. */
static dpl_status read_strings(dpl__catalogue *c, uint32_t i, dpl_str *ids, dpl_str *texts,
                               dpl_error *err)
{
    const struct dpl__mo *mo = &c->as.mo;
    *ids = *texts = (dpl_str){0};
    if (i >= mo->n) {
        DPL_TRY(pieced_at(c, ids, mo->pieced_ids, i - mo->n, err));
        return pieced_at(c, texts, mo->pieced_texts, i - mo->n, err);
    }
    string_at(c, ids, mo->ids, i);
    string_at(c, texts, mo->texts, i);
    return DPL_OK;
}

static void split(dpl__message *m, dpl_str ids, dpl_str texts)
{
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
}

dpl_status dpl__mo_next(dpl__catalogue *c, dpl__message *m, dpl_error *err)
{
    struct dpl__mo *mo = &c->as.mo;
    while (mo->at < (uint64_t)mo->n + mo->n_pieced) {
        const uint32_t i = mo->at++;
        dpl_str ids, texts;
        *m = (dpl__message){.place = {.file = dpl__input_name(c->file->input)}};
        DPL_TRY(read_strings(c, i, &ids, &texts, err));
        if (ids.data && texts.data) {
            split(m, ids, texts);
            return DPL_OK;
        }
        dpl_status status = dpl__rows_bad(c->rows, &m->place, err,
                                          "message %u lies outside of the file", (unsigned)i);
        if (status != DPL_END)
            return status;
    }
    return DPL_END;
}
