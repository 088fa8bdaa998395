/*
 * po.c - catalogues as text: keywords and strings in quotes, an entry for each message.
 *
 *     # comment                      #, fuzzy             #~ msgid "no longer used"
 *     msgctxt "menu"                 msgid "%d file"      #~ msgstr "..."
 *     msgid "Open"                   msgid_plural "%d files"
 *     msgstr "Öff"                   msgstr[0] "%d Datei"
 *     "nen"                          msgstr[1] "%d Dateien"
 *
 * An entry ends where a comment, a msgctxt or a msgid follows its msgstr; blank lines mean
 * nothing. An entry that cannot be read is a row that cannot be read: the next one is found by
 * the same rule. A text in another character set is converted as a whole before it is parsed,
 * since some have '\' and '"' as second bytes. Cost: one pass.
 */
#include "readers/bitext/gettext.h"

#include "base/ascii.h"

typedef enum word { NONE, CONTEXT, ID, PLURAL, TEXT, DOMAIN } word;

typedef struct entry {
    word last;         /* keyword so far; NONE: nothing but comments */
    dpl__bytes *field; /* that strings are added to */
    unsigned n_forms;  /* of the translation */
    bool has_context, has_plural;
    bool is_fuzzy, is_obsolete;
    bool is_bad; /* dropped by the policy: read on to its end */
    dpl__place place;
} entry;

/* A line being read. */
typedef struct cursor {
    const char *begin, *at, *end;
} cursor;

static void skip_blanks(cursor *k)
{
    while (k->at < k->end && (*k->at == ' ' || (*k->at >= '\t' && *k->at <= '\r')))
        k->at++;
}

static bool take(cursor *k, const char *text)
{
    size_t n = strlen(text);
    if ((size_t)(k->end - k->at) < n || memcmp(k->at, text, n) != 0)
        return false;
    k->at += n;
    return true;
}

/* The line that begins at po->at; false at the end of the text. */
static bool peek_line(const struct dpl__po *po, cursor *k)
{
    if (po->at >= po->text.n)
        return false;
    k->begin = k->at = po->text.data + po->at;
    const char *end = memchr(k->begin, '\n', po->text.n - po->at);
    k->end = end ? end : po->text.data + po->text.n;
    return true;
}

static void take_line(struct dpl__po *po, const cursor *k)
{
    po->at += (size_t)(k->end - k->begin);
    po->at += po->at < po->text.n; /* "\n" */
    po->line++;
}

static dpl_status bad(dpl__catalogue *c, entry *e, const cursor *k, const char *what,
                      dpl_error *err)
{
    if (e->is_bad)
        return DPL_OK;
    dpl__place place = e->place;
    if (k) {
        place.line = c->as.po.line;
        place.column = (uint64_t)(k->at - k->begin) + 1;
        place.offset = (uint64_t)(k->at - c->as.po.text.data);
    }
    dpl_status status = dpl__rows_bad(c->rows, &place, err, "%s", what);
    e->is_bad = true;
    return status == DPL_END ? DPL_OK : status;
}

/* ---- strings ------------------------------------------------------------------------ */

/* Up to n_most digits, at least one. */
static bool take_number(cursor *k, unsigned base, unsigned n_most, char *out)
{
    unsigned value = 0, n = 0;
    for (int digit; n < n_most && k->at < k->end && (digit = dpl__hex_digit(*k->at)) >= 0 &&
                    (unsigned)digit < base;
         n++, k->at++)
        value = value * base + (unsigned)digit;
    *out = (char)(value & 0xFF);
    return n > 0;
}

/* What follows a backslash. */
static bool take_escape(cursor *k, char *out)
{
    static const char from[] = "abfnrtv\\\"'?", to[] = "\a\b\f\n\r\t\v\\\"'?";
    if (k->at == k->end)
        return false;
    const char *found = *k->at ? strchr(from, *k->at) : NULL;
    if (found) {
        *out = to[found - from];
        k->at++;
        return true;
    }
    if (*k->at == 'x') {
        k->at++;
        return take_number(k, 16, 2, out);
    }
    return take_number(k, 8, 3, out);
}

/* "..." is added to the entry's field. */
static dpl_status take_string(dpl__catalogue *c, entry *e, cursor *k, dpl_error *err)
{
    const char *begin = k->at++;
    dpl_ctx *ctx = c->rows->ctx;
    while (k->at < k->end && *k->at != '"') {
        const char *from = k->at;
        while (k->at < k->end && *k->at != '"' && *k->at != '\\')
            k->at++;
        const size_t n = (size_t)(k->at - from);
        DPL_TRY(dpl__need(dpl__vec_append(ctx, e->field, from, n), err));
        if (k->at == k->end || *k->at == '"')
            continue;
        k->at++;
        char byte;
        if (!take_escape(k, &byte))
            return bad(c, e, k, "unknown escape in a string", err);
        DPL_TRY(dpl__need(dpl__vec_push(ctx, e->field, byte), err));
    }
    if (k->at == k->end) {
        k->at = begin;
        return bad(c, e, k, "a string without its closing quote", err);
    }
    k->at++;
    return DPL_OK;
}

/* The rest of a line: strings, at least one. */
static dpl_status take_strings(dpl__catalogue *c, entry *e, cursor *k, dpl_error *err)
{
    skip_blanks(k);
    do {
        if (k->at == k->end || *k->at != '"')
            return bad(c, e, k, "no string in quotes", err);
        DPL_TRY(take_string(c, e, k, err));
        skip_blanks(k);
    } while (k->at < k->end && !e->is_bad);
    return DPL_OK;
}

/* ---- entries ------------------------------------------------------------------------ */

/* The keyword at the cursor, which moves behind it; *form is the n of msgstr[n], or -1. */
static word take_keyword(cursor *k, int *form)
{
    static const struct {
        const char *text;
        word is;
    } words[] = {{"msgctxt", CONTEXT},
                 {"msgid_plural", PLURAL},
                 {"msgid", ID},
                 {"msgstr", TEXT},
                 {"domain", DOMAIN}};
    *form = -1;
    for (size_t i = 0; i < DPL_LEN(words); i++) {
        cursor behind = *k;
        if (!take(&behind, words[i].text))
            continue;
        if (words[i].is == TEXT && take(&behind, "[")) {
            char value;
            if (!take_number(&behind, 10, 2, &value) || !take(&behind, "]"))
                return NONE;
            *form = value;
        }
        if (behind.at < behind.end && !strchr(" \t\r\f\v\"", *behind.at))
            return NONE;
        *k = behind;
        return words[i].is;
    }
    return NONE;
}

/* Whether a line with this keyword (NONE: a comment) is not of this entry any more. */
static bool begins_another(const entry *e, word w)
{
    switch (w) {
    case NONE:
    case DOMAIN: return e->last == TEXT || e->is_bad;
    case CONTEXT: return e->last != NONE || e->is_bad;
    case ID: return e->last > CONTEXT || e->is_bad;
    default: return false;
    }
}

/* Whether it may follow what the entry has so far. */
static bool is_in_place(const entry *e, word w, int form)
{
    switch (w) {
    case PLURAL: return e->last == ID;
    case TEXT:
        return e->has_plural ? form == (int)e->n_forms && e->last >= PLURAL
                             : form == -1 && e->last == ID;
    default: return true;
    }
}

/* The field that the keyword's strings are for, empty. */
static dpl__bytes *field_of(struct dpl__po *po, entry *e, word w)
{
    dpl__bytes *field = w == CONTEXT     ? &po->context
                        : w == ID        ? &po->id
                        : w == PLURAL    ? &po->plural
                        : e->n_forms < 2 ? &po->first
                                         : &po->last;
    field->n = 0;
    return field;
}

static dpl_status read_keyword(dpl__catalogue *c, entry *e, cursor *k, word w, int form,
                               dpl_error *err)
{
    if (!is_in_place(e, w, form))
        return bad(c, e, k, "a keyword that is out of place", err);
    if (w == DOMAIN)
        return DPL_OK;
    if (e->last == NONE || w == ID) {
        e->place.line = c->as.po.line;
        e->place.offset = (uint64_t)(k->begin - c->as.po.text.data);
    }
    e->last = w;
    e->has_context |= w == CONTEXT;
    e->has_plural |= w == PLURAL;
    e->n_forms += w == TEXT;
    e->field = field_of(&c->as.po, e, w);
    return take_strings(c, e, k, err);
}

/* "#, c-format, fuzzy" */
static bool has_fuzzy_flag(const cursor *k)
{
    static const char flag[] = "fuzzy";
    const size_t n = sizeof flag - 1;
    if (k->end - k->at < 2 || k->at[1] != ',')
        return false;
    for (const char *p = k->at + 2; (size_t)(k->end - p) >= n; p++)
        if (memcmp(p, flag, n) == 0)
            return true;
    return false;
}

/* One line for the entry; DPL_END when it belongs to the next one. */
static dpl_status read_line(dpl__catalogue *c, entry *e, cursor *k, dpl_error *err)
{
    struct dpl__po *po = &c->as.po;
    const cursor whole = *k;
    skip_blanks(k);
    if (k->at == k->end) {
        take_line(po, &whole);
        return DPL_OK;
    }
    cursor keyword = *k;
    bool is_obsolete = take(&keyword, "#~");
    skip_blanks(&keyword);
    if (*k->at == '#' && (!is_obsolete || keyword.at == keyword.end || *keyword.at == '|')) {
        if (begins_another(e, NONE))
            return DPL_END;
        e->is_fuzzy |= has_fuzzy_flag(k);
        take_line(po, &whole);
        return DPL_OK;
    }
    const cursor content = keyword;
    int form;
    word w = take_keyword(&keyword, &form);
    if (w != NONE && begins_another(e, w))
        return DPL_END;
    take_line(po, &whole);
    if (e->is_bad)
        return DPL_OK;
    e->is_obsolete |= is_obsolete;
    if (w != NONE)
        return read_keyword(c, e, &keyword, w, form, err);
    cursor string = content;
    if (*string.at == '"' && e->field)
        return take_strings(c, e, &string, err);
    return bad(c, e, &string, "neither a keyword nor a string of an entry", err);
}

static dpl_str slice(const dpl__bytes *b)
{
    return (dpl_str){b->n ? b->data : "", b->n};
}

static void give(const struct dpl__po *po, const entry *e, dpl__message *m)
{
    *m = (dpl__message){.id = slice(&po->id),
                        .first = slice(&po->first),
                        .is_doubtful = e->is_fuzzy || e->is_obsolete,
                        .is_obsolete = e->is_obsolete,
                        .place = e->place};
    m->last = e->n_forms > 1 ? slice(&po->last) : m->first;
    if (e->has_context)
        m->context = slice(&po->context);
    if (e->has_plural)
        m->plural = slice(&po->plural);
}

dpl_status dpl__po_next(dpl__catalogue *c, dpl__message *m, dpl_error *err)
{
    struct dpl__po *po = &c->as.po;
    for (;;) {
        entry e = {.place = {.file = dpl__input_name(c->file->input)}};
        cursor k;
        dpl_status status = DPL_OK;
        while (status == DPL_OK && peek_line(po, &k))
            status = read_line(c, &e, &k, err);
        if (status < 0)
            return status;
        if (e.last == NONE && !e.is_bad)
            return DPL_END;
        if (e.last != TEXT && e.last != NONE)
            DPL_TRY(bad(c, &e, NULL, "the message has no msgstr", err));
        if (!e.is_bad && e.last == TEXT) {
            give(po, &e, m);
            return DPL_OK;
        }
    }
}

/* ---- the text ----------------------------------------------------------------------- */

static void start(dpl__catalogue *c, dpl_str text)
{
    c->as.po.text = text;
    c->as.po.at = 0;
    c->as.po.line = 0;
}

/* The header is the first entry. What is wrong with that one is found again later. */
static dpl_status read_header(dpl__catalogue *c, dpl_error *err)
{
    dpl__message m;
    const dpl_bitext_counts counts = c->rows->counts;
    void (*on_skip)(void *, uint64_t, const char *) = c->rows->on_skip;
    c->rows->on_skip = NULL;
    dpl_status status = dpl__po_next(c, &m, NULL);
    c->rows->counts = counts;
    c->rows->on_skip = on_skip;
    if (status == DPL_OK && !m.context.data && !m.id.n)
        dpl__catalogue_header(c, m.first);
    return status == DPL_E_NOMEM ? dpl__fail_nomem(err) : DPL_OK;
}

dpl_status dpl__po_open(dpl__catalogue *c, dpl_error *err)
{
    dpl_str text = {c->file->bytes.data, c->file->bytes.n};
    start(c, text);
    DPL_TRY(read_header(c, err));
    if (c->charset.name[0] && c->file->encoding == DPL__UTF8) {
        size_t n_replaced;
        DPL_TRY(dpl__charset_convert(&text, &c->arena, &c->charset, &n_replaced, err));
        c->is_converted = true;
        dpl__vec_clear(c->rows->ctx, &c->file->bytes);
    }
    start(c, text);
    return DPL_OK;
}

void dpl__po_close(dpl__catalogue *c)
{
    struct dpl__po *po = &c->as.po;
    dpl__bytes *const fields[] = {&po->context, &po->id, &po->plural, &po->first, &po->last};
    for (size_t i = 0; i < DPL_LEN(fields); i++)
        dpl__vec_clear(c->rows->ctx, fields[i]);
}
