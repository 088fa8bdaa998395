/*
 * json_record.c - a JSON object becomes a document.
 *
 * The members that the options name are used: the text is a string, or an array of strings that
 * become its paragraphs; the id is a string or a number, taken as it is written; language and
 * title are strings, the title may be a number too. null is as good as no member. Of a key that
 * comes twice the last one counts, as nearly everywhere. All other members are kept in `extra`
 * as they stand, in their order.
 *
 * A key with dots that no member has as a whole is a path: "page.content.text" is the member
 * text of the object content of the object page. Arrays on the way are gone through; the texts
 * of their elements become paragraphs. The member in which a path begins is kept in `extra`.
 * Cost: that of the JSON parser; a member with a path in it is parsed twice.
 */
#include "readers/json_record.h"

#include "base/ascii.h"
#include "base/ctx.h"
#include "readers/json_parser.h"

enum { ID = DPL__JSON_ID, LANG, TITLE, TEXT, N_FIELDS };

typedef dpl__json_records parser;

/* The field of that key, or N_FIELDS. */
static unsigned field_of(const parser *p, dpl_str key)
{
    unsigned i = 0;
    while (i < N_FIELDS && !(p->keys[i].n && dpl__str_eq(key, p->keys[i])))
        i++;
    return i;
}

static dpl_status read_paragraphs(const parser *p, dpl__json *j, dpl_str *out)
{
    dpl_ctx *ctx = p->batch->ctx;
    dpl__arena *arena = &p->batch->arena;
    dpl__bytes text = {0};
    dpl_status status;
    DPL__STEP(dpl__json_open(j, '['));
    for (bool is_first = true; (status = dpl__json_element(j)) == DPL_OK; is_first = false) {
        dpl_str s;
        DPL__STEP(dpl__json_string(j, arena, &s));
        DPL__STEP((is_first || dpl__vec_push(ctx, &text, '\n')) &&
                          dpl__vec_append(ctx, &text, s.data, s.n)
                      ? DPL_OK
                      : DPL_E_NOMEM);
    }
    if (status == DPL_END) {
        *out = dpl__arena_copy(arena, (dpl_str){text.data, text.n});
        status = out->data ? DPL_OK : DPL_E_NOMEM;
    }
done:
    dpl__vec_clear(ctx, &text);
    return status;
}

static dpl_status read_field(const parser *p, dpl__json *j, unsigned field, dpl_str *out)
{
    static const char *const problems[N_FIELDS] = {
        [ID] = "the id must be a string or a number",
        [LANG] = "the language must be a string",
        [TITLE] = "the title must be a string",
        [TEXT] = "the text must be a string or an array of strings",
    };
    char c = dpl__json_peek(j);
    if (c == '"')
        return dpl__json_string(j, &p->batch->arena, out);
    if (c == '[' && field == TEXT)
        return read_paragraphs(p, j, out);
    if ((c == '-' || dpl__is_digit(c)) && (field == ID || field == TITLE))
        return dpl__json_number(j, out);
    if (c == 'n') {
        DPL_TRY(dpl__json_skip(j, out));
        *out = (dpl_str){0};
        return DPL_OK;
    }
    j->problem = problems[field];
    return DPL_E_FORMAT;
}

/* ---- paths -------------------------------------------------------------------------- */

typedef struct path {
    dpl_str first, rest;
} path;

static path split(dpl_str key)
{
    const char *dot = memchr(key.data, '.', key.n);
    size_t n = dot ? (size_t)(dot - key.data) : key.n;
    return (path){{key.data, n}, dot ? (dpl_str){dot + 1, key.n - n - 1} : (dpl_str){dot, 0}};
}

/* The value at the end of a path: the first one counts, of texts all. */
static dpl_status take_value(parser *p, dpl__json *j, unsigned field)
{
    dpl_str value = {0};
    DPL_TRY(read_field(p, j, field, &value));
    if (field != TEXT) {
        if (!p->values[field].data)
            p->values[field] = value;
        return DPL_OK;
    }
    if (!value.data)
        return DPL_OK;
    dpl_ctx *ctx = p->batch->ctx;
    return (!p->text.n || dpl__vec_push(ctx, &p->text, '\n')) &&
                   dpl__vec_append(ctx, &p->text, value.data, value.n)
               ? DPL_OK
               : DPL_E_NOMEM;
}

static dpl_status follow(parser *p, dpl__json *j, unsigned field, dpl_str key, unsigned depth);

static dpl_status follow_member(parser *p, dpl__json *j, unsigned field, dpl_str key,
                                unsigned depth)
{
    path at = split(key);
    dpl_str name, raw;
    dpl_status status = dpl__json_open(j, '{');
    while (status == DPL_OK &&
           (status = dpl__json_member(j, &p->batch->arena, &name)) == DPL_OK)
        status = dpl__str_eq(name, at.first) ? follow(p, j, field, at.rest, depth)
                                             : dpl__json_skip(j, &raw);
    return status == DPL_END ? DPL_OK : status;
}

static dpl_status follow_elements(parser *p, dpl__json *j, unsigned field, dpl_str key,
                                  unsigned depth)
{
    dpl_status status = dpl__json_open(j, '[');
    while (status == DPL_OK && (status = dpl__json_element(j)) == DPL_OK)
        status = follow(p, j, field, key, depth);
    return status == DPL_END ? DPL_OK : status;
}

/* The value that comes next, from which the path `key` goes on. */
static dpl_status follow(parser *p, dpl__json *j, unsigned field, dpl_str key, unsigned depth)
{
    dpl_str raw;
    char c = dpl__json_peek(j);
    if (depth == DPL__JSON_DEPTH) {
        j->problem = "arrays and objects are nested too deeply";
        return DPL_E_FORMAT;
    }
    if (c == '[')
        return follow_elements(p, j, field, key, depth + 1);
    if (!key.n)
        return take_value(p, j, field);
    return c == '{' ? follow_member(p, j, field, key, depth + 1) : dpl__json_skip(j, &raw);
}

/* The fields whose path begins with this member, whose value is raw. */
static dpl_status follow_paths(parser *p, dpl__json *j, dpl_str key, dpl_str raw)
{
    for (unsigned field = 0; field < N_FIELDS; field++) {
        path at = split(p->keys[field]);
        if (!at.rest.data || !dpl__str_eq(at.first, key))
            continue;
        dpl__json inner = dpl__json_begin(p->batch->ctx, raw);
        inner.begin = j->begin;
        dpl_status status = follow(p, &inner, field, at.rest, 0);
        if (inner.n_lone && !j->n_lone)
            j->lone = inner.lone;
        j->n_lone += inner.n_lone;
        if (status != DPL_OK) {
            j->at = inner.at;
            j->problem = inner.problem;
            return status;
        }
    }
    return DPL_OK;
}

/* ---- objects ------------------------------------------------------------------------ */

static dpl_status keep_member(parser *p, dpl__json *j, dpl_str key)
{
    const char *from = j->key;
    dpl_str raw;
    DPL_TRY(dpl__json_skip(j, &raw));
    DPL_TRY(follow_paths(p, j, key, raw));
    return dpl__vec_push(p->batch->ctx, &p->extra, ',') &&
                   dpl__vec_append(p->batch->ctx, &p->extra, from, (size_t)(j->at - from))
               ? DPL_OK
               : DPL_E_NOMEM;
}

static dpl_status read_record(parser *p, dpl__json *j)
{
    memset(p->values, 0, sizeof p->values);
    p->extra.n = p->text.n = 0;
    DPL_TRY(dpl__json_open(j, '{'));
    dpl_str key;
    dpl_status status;
    while ((status = dpl__json_member(j, &p->batch->arena, &key)) == DPL_OK) {
        unsigned field = field_of(p, key);
        if (field < N_FIELDS)
            DPL_TRY(read_field(p, j, field, &p->values[field]));
        else
            DPL_TRY(keep_member(p, j, key));
    }
    if (status != DPL_END)
        return status;
    if (p->text.n && !p->values[TEXT].data) {
        p->values[TEXT] = dpl__arena_copy(&p->batch->arena, (dpl_str){p->text.data, p->text.n});
        if (!p->values[TEXT].data)
            return DPL_E_NOMEM;
    }
    return dpl__json_end(j);
}

/* The column of `at`; *line, that of the record, becomes its line. */
static uint64_t place_of(const parser *p, const dpl__json *j, const char *at, uint64_t *line)
{
    uint64_t column = p->n_before + dpl__json_column(j, at);
    for (const char *c = j->begin; c < at; c++)
        if (*c == '\n') {
            ++*line;
            column = (uint64_t)(at - c);
        }
    return column;
}

/* DPL_END when the policy drops the record. */
static dpl_status check_record(const parser *p, const dpl__json *j, uint64_t line,
                               dpl_error *err)
{
    if (j->n_lone && p->batch->options->on_error != DPL_ON_ERROR_REPLACE) {
        uint64_t column = place_of(p, j, j->lone, &line);
        return dpl__record_bad(p->batch, DPL__AT(p->chunk, line, column), DPL_DROP_UTF8, err,
                               "a surrogate without its other half");
    }
    p->batch->counts.n_replaced += j->n_lone;
    const bool has_text = p->values[TEXT].data != NULL;
    if (has_text && (p->values[ID].data || !p->keys[ID].n))
        return DPL_OK;
    dpl_str key = p->keys[has_text ? ID : TEXT];
    dpl_status status =
        dpl__record_bad(p->batch, DPL__AT(p->chunk, line, 0), DPL_DROP_MISSING, err,
                        "missing key '%.*s'", (int)dpl__min(key.n, 100), key.data);
    return status == DPL_END ? status
                             : dpl__code(err, status, has_text ? "missing-id" : "missing-text");
}

static dpl_status add_record(parser *p, uint64_t line, dpl_error *err)
{
    dpl_doc doc = {.id = p->values[ID],
                   .lang = p->values[LANG],
                   .title = p->values[TITLE],
                   .text = p->values[TEXT]};
    if (!p->keys[ID].n)
        DPL_TRY(dpl__line_id(p->batch, line, &doc.id, err));
    DPL_TRY(dpl__members_to_extra(p->batch, &p->extra, &doc.extra, err));
    return dpl__batch_add(p->batch, p->chunk, line, &doc, err);
}

dpl_status dpl__json_record(void *user, dpl_str text, uint64_t line, dpl_error *err)
{
    parser *p = user;
    dpl__json j = dpl__json_begin(p->batch->ctx, text);
    if (dpl__json_peek(&j) == 0 && j.at == j.end)
        return DPL_OK;
    dpl_status status = read_record(p, &j);
    if (status == DPL_E_NOMEM)
        return dpl__fail_nomem(err);
    if (status == DPL_E_FORMAT) {
        uint64_t column = place_of(p, &j, j.at, &line);
        status = dpl__record_bad(p->batch, DPL__AT(p->chunk, line, column), DPL_DROP_MALFORMED,
                                 err, "%s", j.problem);
        if (status != DPL_END && j.at == j.begin && *j.at == '[')
            dpl__code(err, status, "json-array");
        return status;
    }
    DPL_TRY(check_record(p, &j, line, err));
    return add_record(p, line, err);
}

dpl__json_records dpl__json_records_begin(dpl__batch *batch, const dpl__chunk *chunk)
{
    assert(batch && chunk);
    const dpl_reader_options *o = batch->options;
    return (parser){.batch = batch,
                    .chunk = chunk,
                    .keys = {[ID] = dpl__cstr(o->id_key),
                             [LANG] = dpl__cstr(o->lang_key),
                             [TITLE] = dpl__cstr(o->title_key),
                             [TEXT] = dpl__cstr(o->text_key)}};
}

void dpl__json_records_end(dpl__json_records *p)
{
    dpl__vec_clear(p->batch->ctx, &p->extra, &p->text);
}

dpl_status dpl__json_check(const dpl_reader_options *o, dpl_error *err)
{
    return o->text_key[0] ? DPL_OK : dpl__fail(err, DPL_E_USAGE, "the text needs a key");
}

bool dpl__json_is_spread(dpl_str start)
{
    size_t i = 0;
    while (i < start.n && strchr(" \t\r\n", start.data[i]))
        i++;
    if (i == start.n || start.data[i] != '{')
        return i < start.n && start.data[i] == '[';
    do
        i++;
    while (i < start.n && (start.data[i] == ' ' || start.data[i] == '\r'));
    return i < start.n && start.data[i] == '\n';
}
