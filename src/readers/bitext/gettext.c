/*
 * gettext.c - message catalogues: the message and its translation become a row.
 *
 * Messages are taken to be in English, as nearly all are. With two other languages, two
 * catalogues are joined by context and message: the right one is held in memory, rows come in
 * the order of the left one. A plural message gives two rows: the singular with the first form
 * of the translation, the plural with the last one; what lies between has no counterpart in
 * English. The header is no row, but says charset and language: one that is not what was asked
 * for is refused. Untranslated messages, and those marked as fuzzy or obsolete, are counted.
 *
 * A catalogue is read as a whole. Cost: linear; joined, a look-up for each message.
 */
#include "readers/bitext/gettext.h"

#include "base/ctx.h"

#include <stdio.h>
#include <strings.h>

enum { MOST_BYTES = INT32_MAX / 4 };

/* ---- catalogues --------------------------------------------------------------------- */

/* What follows "name:" at the beginning of a line, without blanks around. */
static dpl_str header_field(dpl_str header, const char *name)
{
    const size_t n_name = strlen(name);
    while (header.n) {
        const char *end = memchr(header.data, '\n', header.n);
        size_t n = end ? (size_t)(end - header.data) : header.n;
        if (n > n_name && strncasecmp(header.data, name, n_name) == 0 &&
            header.data[n_name] == ':') {
            const char *p = header.data + n_name + 1;
            n -= n_name + 1;
            for (; n && strchr(" \t", *p) && *p; n--)
                p++;
            while (n && strchr(" \t\r", p[n - 1]) && p[n - 1])
                n--;
            return (dpl_str){p, n};
        }
        n += end != NULL;
        header = (dpl_str){header.data + n, header.n - n};
    }
    return (dpl_str){0};
}

static void copy_field(char *out, size_t room, dpl_str value)
{
    if (value.n < room)
        snprintf(out, room, "%.*s", (int)value.n, value.n ? value.data : "");
}

void dpl__catalogue_header(dpl__catalogue *c, dpl_str header)
{
    static const char mark[] = "charset=";
    dpl_str type = header_field(header, "Content-Type");
    for (size_t i = 0; i + sizeof mark - 1 < type.n; i++)
        if (strncasecmp(type.data + i, mark, sizeof mark - 1) == 0) {
            dpl_str name = {type.data + i + sizeof mark - 1, 0};
            while (name.data + name.n < type.data + type.n &&
                   !strchr(" \t;", name.data[name.n]))
                name.n++;
            c->charset = dpl__charset_named(name);
            /* "CHARSET" is what a template has; ASCII, what nobody looked at */
            if ((name.n == 7 && memcmp(name.data, "CHARSET", 7) == 0) ||
                (name.n >= 5 && strncasecmp(name.data + name.n - 5, "ascii", 5) == 0))
                c->charset = (dpl__charset){0};
            break;
        }
    copy_field(c->lang, sizeof c->lang, header_field(header, "Language"));
    copy_field(c->source_lang, sizeof c->source_lang,
               header_field(header, "X-Source-Language"));
}

static dpl_status read_all(dpl__catalogue *c, dpl_error *err)
{
    dpl__textfile *f = c->file;
    dpl_ctx *ctx = c->rows->ctx;
    while (!f->is_at_end) {
        const size_t n = dpl__max(c->rows->chunk, f->bytes.n / 2);
        if (f->bytes.n > MOST_BYTES || dpl__ctx_used(ctx) + n > dpl_ctx_memory(ctx))
            return dpl__fail_code(err, DPL_E_LIMIT, "memory",
                                  "the catalogue '%s' does not fit into memory",
                                  dpl__input_name(f->input));
        DPL_TRY(dpl__textfile_fill(f, n, err));
    }
    return DPL_OK;
}

/* The charset of a .mo is needed when there is text; it should be known before. */
static dpl_status try_charset(dpl__catalogue *c, dpl_error *err)
{
    dpl_str nothing = DPL_STR("");
    size_t n_replaced;
    return c->charset.name[0]
               ? dpl__charset_convert(&nothing, &c->arena, &c->charset, &n_replaced, err)
               : DPL_OK;
}

dpl_status dpl__catalogue_open(dpl__catalogue *c, dpl__rows *rows, dpl__textfile *file,
                               dpl_error *err)
{
    *c = (dpl__catalogue){.rows = rows, .file = file};
    dpl__arena_init(&c->arena, rows->ctx);
    dpl_status status;
    DPL__STEP(read_all(c, err));
    c->is_mo = dpl__is_mo((dpl_str){file->bytes.data, file->bytes.n});
    DPL__STEP(c->is_mo ? dpl__mo_open(c, err) : dpl__po_open(c, err));
    if (c->is_mo)
        status = try_charset(c, err);
done:
    if (status == DPL_END)
        status = dpl__fail(err, DPL_E_FORMAT, "'%s': unknown character set '%s'",
                           dpl__input_name(file->input), c->charset.name);
    if (status != DPL_OK)
        dpl__catalogue_close(c);
    return status;
}

void dpl__catalogue_close(dpl__catalogue *c)
{
    if (!c->rows)
        return;
    if (!c->is_mo)
        dpl__po_close(c);
    dpl__arena_clear(&c->arena);
    *c = (dpl__catalogue){0};
}

dpl_status dpl__catalogue_next(dpl__catalogue *c, dpl__message *m, dpl_error *err)
{
    for (;;) {
        DPL_TRY(c->is_mo ? dpl__mo_next(c, m, err) : dpl__po_next(c, m, err));
        if (!m->context.data && !m->id.n) /* the header */
            continue;
        if (m->context.n + m->id.n + m->plural.n + m->first.n + m->last.n <=
            c->rows->options.max_record)
            return DPL_OK;
        dpl_status status = dpl__rows_long(c->rows, &m->place, err);
        if (status != DPL_END)
            return status;
    }
}

static size_t count_replacements(dpl_str s)
{
    size_t n = 0;
    for (size_t i = 0; i + 3 <= s.n; i++)
        n += memcmp(s.data + i, "\xEF\xBF\xBD", 3) == 0;
    return n;
}

dpl_status dpl__catalogue_utf8(dpl__catalogue *c, const dpl__place *place, dpl_str *text,
                               dpl_error *err)
{
    size_t n_replaced = 0;
    if (c->is_converted) {
        n_replaced = count_replacements(*text);
    } else if (c->is_mo && c->charset.name[0] && text->n) {
        dpl_status status =
            dpl__charset_convert(text, &c->rows->arena, &c->charset, &n_replaced, err);
        if (status < 0)
            return status;
        n_replaced += status == DPL_END; /* then it stays as it was, and is looked at below */
    }
    if (n_replaced && c->rows->options.on_error != DPL_ON_ERROR_REPLACE) {
        dpl_status status = dpl__rows_bad(c->rows, place, err, "bytes that mean nothing in %s",
                                          c->charset.name);
        return status == DPL_END ? status : dpl__code(err, status, "bad-utf8");
    }
    c->rows->counts.n_replaced += n_replaced;
    return dpl__rows_utf8(c->rows, text, place, err); /* escapes can make anything */
}

/* ---- rows --------------------------------------------------------------------------- */

/* A message in UTF-8, one for each form. Slices as in dpl__message or in the arena. */
typedef struct units {
    dpl_str context;
    dpl_str message[2], text[2]; /* clean */
    unsigned n;                  /* 1, or 2 for a plural */
} units;

static bool is_english(const char *lang)
{
    return lang && strcmp(dpl_lang_canonical(dpl__cstr(lang)).code, "en") == 0;
}

bool dpl__gettext_is_joined(const dpl_bitext_options *o)
{
    return o->left_lang && o->right_lang && !is_english(o->left_lang) &&
           !is_english(o->right_lang);
}

/* Which side the message is. */
static bool is_message_right(const dpl_bitext_options *o)
{
    if (is_english(o->left_lang) && is_english(o->right_lang)) /* en-GB and en */
        return strpbrk(o->left_lang, "-_") && !strpbrk(o->right_lang, "-_");
    return is_english(o->right_lang) || (o->left_lang && !is_english(o->left_lang));
}

/* A header without a language, or with an unknown one, is accepted. */
static dpl_status check_lang(const dpl__catalogue *c, const char *asked, dpl_error *err)
{
    dpl_lang lang = dpl_lang_canonical(dpl__cstr(c->lang));
    if (!asked || strcmp(lang.code, "und") == 0)
        return DPL_OK;
    const bool is_plain = !strpbrk(c->lang, "-_");
    if (dpl__lang_fits(is_plain ? dpl_lang_canonical(dpl__cstr(asked)).code : asked,
                       dpl__cstr(c->lang)))
        return DPL_OK;
    return dpl__fail_code(err, DPL_E_USAGE, "catalogue-language",
                          "'%s' translates into '%s', not into '%s'",
                          dpl__input_name(c->file->input), c->lang, asked);
}

/* The next message that has a translation; DPL_END after the last one. */
static dpl_status clean_units(dpl__catalogue *c, units *u, const dpl__place *place,
                              dpl_error *err)
{
    DPL_TRY(dpl__catalogue_utf8(c, place, &u->context, err));
    for (unsigned i = 0; i < u->n; i++) {
        DPL_TRY(dpl__catalogue_utf8(c, place, &u->message[i], err));
        DPL_TRY(dpl__catalogue_utf8(c, place, &u->text[i], err));
        DPL_TRY(dpl__rows_clean(c->rows, &u->text[i], err));
    }
    return DPL_OK;
}

static dpl_status next_units(dpl__catalogue *c, units *u, dpl__place *place, dpl_error *err)
{
    dpl__rows *rows = c->rows;
    for (;;) {
        dpl__message m;
        dpl__arena_reset(&rows->arena);
        DPL_TRY(dpl__catalogue_next(c, &m, err));
        *place = m.place;
        if (m.is_doubtful || (!m.first.n && !m.last.n)) {
            *(m.is_doubtful ? &rows->counts.n_fuzzy : &rows->counts.n_alone) += 1;
            continue;
        }
        *u = (units){.context = m.context,
                     .message = {m.id, m.plural},
                     .text = {m.first, m.last},
                     .n = m.plural.data ? 2 : 1};
        const dpl_status status = clean_units(c, u, place, err);
        if (status != DPL_END)
            return status;
    }
}

typedef struct catalogues {
    dpl__rows *rows;
    dpl__catalogue catalogue; /* joined: the left one */
    dpl__held right;          /* joined: the other one's texts */
    bool is_message_right;
    units units; /* the message at hand */
    unsigned at; /* of its forms */
    dpl__bytes key;
    dpl__place place;
} catalogues;

/* What catalogues are joined by: context, EOT, message, NUL, form. */
static bool make_key(catalogues *g, const units *u, unsigned form)
{
    dpl_ctx *ctx = g->rows->ctx;
    const char behind[2] = {'\0', (char)('0' + form)};
    g->key.n = 0;
    return dpl__vec_append(ctx, &g->key, u->context.data, u->context.n) &&
           dpl__vec_append(ctx, &g->key, "\4", (size_t)(u->context.data != NULL)) &&
           dpl__vec_append(ctx, &g->key, u->message[0].data, u->message[0].n) &&
           dpl__vec_append(ctx, &g->key, behind, sizeof behind);
}

static void close_all(void *state)
{
    catalogues *g = state;
    dpl__catalogue_close(&g->catalogue);
    dpl__held_clear(&g->right);
    dpl__vec_clear(g->rows->ctx, &g->key);
    dpl__free(g->rows->ctx, g);
}

static dpl_status new_state(catalogues **out, dpl__rows *rows, dpl_error *err)
{
    *out = dpl__calloc(rows->ctx, 1, sizeof **out);
    DPL_TRY(dpl__need(*out, err));
    (*out)->rows = rows;
    (*out)->is_message_right = is_message_right(&rows->options);
    return DPL_OK;
}

/* ---- one catalogue ------------------------------------------------------------------ */

static dpl_status open_one(void **state, dpl__rows *rows, dpl__textfile *const *files,
                           dpl_error *err)
{
    catalogues *g;
    DPL_TRY(new_state(&g, rows, err));
    dpl_status status;
    DPL__STEP(dpl__catalogue_open(&g->catalogue, rows, files[0], err));
    status = check_lang(
        &g->catalogue, g->is_message_right ? rows->options.left_lang : rows->options.right_lang,
        err);
done:
    if (status != DPL_OK)
        close_all(g);
    else
        *state = g;
    return status;
}

static dpl_status next_of_one(void *state, dpl_bitext_row *row, dpl_error *err)
{
    catalogues *g = state;
    for (;;) {
        if (g->at == g->units.n) {
            DPL_TRY(next_units(&g->catalogue, &g->units, &g->place, err));
            g->at = 0;
        }
        const unsigned i = g->at++;
        if (!g->units.text[i].n) {
            g->rows->counts.n_alone++;
            continue;
        }
        dpl_str message = g->units.message[i];
        DPL_TRY(dpl__rows_clean(g->rows, &message, err));
        *row = g->is_message_right ? (dpl_bitext_row){g->units.text[i], message}
                                   : (dpl_bitext_row){message, g->units.text[i]};
        return dpl__drop_accelerators(row, &g->rows->arena, err);
    }
}

const dpl__bitext_ops dpl__bitext_gettext = {
    .n_files = 1, .open = open_one, .next = next_of_one, .close = close_all};

/* ---- two catalogues ----------------------------------------------------------------- */

/* The first of messages that are there twice stays. */
static dpl_status hold_right(catalogues *g, dpl__textfile *file, dpl_error *err)
{
    dpl__catalogue c;
    units u;
    dpl__place place;
    DPL_TRY(dpl__catalogue_open(&c, g->rows, file, err));
    dpl_status status = check_lang(&c, g->rows->options.right_lang, err);
    while (status == DPL_OK && (status = next_units(&c, &u, &place, err)) == DPL_OK)
        for (unsigned i = 0; i < u.n && status == DPL_OK; i++) {
            if (!u.text[i].n) {
                g->rows->counts.n_alone++;
                continue;
            }
            const dpl__held_text *there;
            dpl__held_text t = {.text = u.text[i], .line = place.line};
            if (!make_key(g, &u, i)) {
                status = dpl__fail_nomem(err);
                break;
            }
            t.key = (dpl_str){g->key.data, g->key.n};
            status = dpl__held_add(&g->right, &t, place.file, &there, err);
            if (status == DPL_END) {
                g->rows->counts.n_alone++;
                status = DPL_OK;
            }
        }
    dpl__catalogue_close(&c);
    dpl__vec_clear(g->rows->ctx, &file->bytes);
    return status == DPL_END ? DPL_OK : status;
}

static dpl_status open_two(void **state, dpl__rows *rows, dpl__textfile *const *files,
                           dpl_error *err)
{
    catalogues *g;
    DPL_TRY(new_state(&g, rows, err));
    dpl__held_init(&g->right, rows->ctx);
    dpl_status status;
    DPL__STEP(hold_right(g, files[1], err));
    DPL__STEP(dpl__catalogue_open(&g->catalogue, rows, files[0], err));
    status = check_lang(&g->catalogue, rows->options.left_lang, err);
done:
    if (status != DPL_OK)
        close_all(g);
    else
        *state = g;
    return status;
}

static dpl_status next_of_two(void *state, dpl_bitext_row *row, dpl_error *err)
{
    catalogues *g = state;
    dpl_bitext_counts *counts = &g->rows->counts;
    for (;;) {
        if (g->at == g->units.n) {
            dpl_status status = next_units(&g->catalogue, &g->units, &g->place, err);
            if (status == DPL_END)
                counts->n_alone += g->right.texts.n_used - g->right.n_taken;
            DPL_TRY(status);
            g->at = 0;
        }
        const unsigned i = g->at++;
        DPL_TRY(dpl__need(make_key(g, &g->units, i), err));
        dpl__held_text *t = dpl__held_find(&g->right, (dpl_str){g->key.data, g->key.n});
        if (!t || t->taken_by || !g->units.text[i].n) {
            counts->n_alone++;
            continue;
        }
        t->taken_by = 1 + g->place.line;
        g->right.n_taken++;
        *row = (dpl_bitext_row){g->units.text[i], t->text};
        return dpl__drop_accelerators(row, &g->rows->arena, err);
    }
}

const dpl__bitext_ops dpl__bitext_gettext_joined = {
    .n_files = 2, .open = open_two, .next = next_of_two, .close = close_all};
