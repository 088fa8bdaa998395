/*
 * jsonl.c - JSON Lines: one object per line becomes one document.
 *
 * The members that the options name are used: the text is a string, or an array of strings that
 * become its paragraphs; the id is a string or a number, taken as it is written; language and
 * title are strings, the title may be a number too. null is as good as no member. Of a key that
 * comes twice the last one counts, as nearly everywhere. All other members are kept in `extra`
 * as they stand, in their order. Blank lines are nothing. Cost: that of the JSON parser.
 */
#include "text/json.h"
#include "text/reader.h"

enum { ID, LANG, TITLE, TEXT, N_FIELDS };

typedef struct parser {
    dpl__batch *batch;
    const dpl__chunk *chunk;
    dpl_str keys[N_FIELDS];
    dpl_str values[N_FIELDS]; /* of the record at hand; data is NULL where there is none */
    dpl__bytes extra;         /* its other members, ",key:value" each */
} parser;

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
    dpl_status status = dpl__json_open(j, '[');
    for (bool is_first = true; status == DPL_OK; is_first = false) {
        dpl_str s;
        status = dpl__json_element(j);
        if (status == DPL_OK)
            status = dpl__json_string(j, arena, &s);
        if (status == DPL_OK && !((is_first || dpl__vec_push(ctx, &text, '\n')) &&
                                  dpl__vec_append(ctx, &text, s.data, s.n)))
            status = DPL_E_NOMEM;
    }
    if (status == DPL_END) {
        *out = dpl__arena_copy(arena, (dpl_str){text.data, text.n});
        status = out->data ? DPL_OK : DPL_E_NOMEM;
    }
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
    if ((c == '-' || (c >= '0' && c <= '9')) && (field == ID || field == TITLE))
        return dpl__json_number(j, out);
    if (c == 'n') {
        DPL_TRY(dpl__json_skip(j, out));
        *out = (dpl_str){0};
        return DPL_OK;
    }
    j->problem = problems[field];
    return DPL_E_FORMAT;
}

static dpl_status keep_member(parser *p, dpl__json *j)
{
    const char *from = j->key;
    dpl_str raw;
    DPL_TRY(dpl__json_skip(j, &raw));
    return dpl__vec_push(p->batch->ctx, &p->extra, ',') &&
                   dpl__vec_append(p->batch->ctx, &p->extra, from, (size_t)(j->at - from))
               ? DPL_OK
               : DPL_E_NOMEM;
}

static dpl_status read_record(parser *p, dpl__json *j)
{
    memset(p->values, 0, sizeof p->values);
    p->extra.n = 0;
    DPL_TRY(dpl__json_open(j, '{'));
    dpl_str key;
    dpl_status status;
    while ((status = dpl__json_member(j, &p->batch->arena, &key)) == DPL_OK) {
        unsigned field = field_of(p, key);
        if (field < N_FIELDS)
            DPL_TRY(read_field(p, j, field, &p->values[field]));
        else
            DPL_TRY(keep_member(p, j));
    }
    return status == DPL_END ? dpl__json_end(j) : status;
}

/* DPL_END when the policy drops the record. */
static dpl_status check_record(const parser *p, const dpl__json *j, uint64_t line,
                               dpl_error *err)
{
    if (j->n_lone && p->batch->options->on_error != DPL_ON_ERROR_REPLACE)
        return dpl__record_bad(p->batch, p->chunk, line, dpl__json_column(j, j->lone),
                               DPL_DROP_UTF8, err, "a surrogate without its other half");
    p->batch->counts.n_replaced += j->n_lone;
    const bool has_text = p->values[TEXT].data != NULL;
    if (has_text && (p->values[ID].data || !p->keys[ID].n))
        return DPL_OK;
    dpl_str key = p->keys[has_text ? ID : TEXT];
    dpl_status status =
        dpl__record_bad(p->batch, p->chunk, line, 0, DPL_DROP_MISSING, err,
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

static dpl_status parse_line(void *user, dpl_str text, uint64_t line, dpl_error *err)
{
    parser *p = user;
    dpl__json j = dpl__json_begin(p->batch->ctx, text);
    if (dpl__json_peek(&j) == 0 && j.at == j.end)
        return DPL_OK;
    dpl_status status = read_record(p, &j);
    if (status == DPL_E_NOMEM)
        return dpl__fail_nomem(err);
    if (status == DPL_E_FORMAT) {
        status = dpl__record_bad(p->batch, p->chunk, line, dpl__json_column(&j, j.at),
                                 DPL_DROP_MALFORMED, err, "%s", j.problem);
        if (status != DPL_END && j.at == j.begin && *j.at == '[')
            dpl__code(err, status, "json-array");
        return status;
    }
    DPL_TRY(check_record(p, &j, line, err));
    return add_record(p, line, err);
}

static dpl_status parse(dpl__batch *batch, dpl__chunk *chunk, dpl_error *err)
{
    const dpl_reader_options *o = batch->options;
    parser p = {.batch = batch,
                .chunk = chunk,
                .keys = {[ID] = dpl__cstr(o->id_key),
                         [LANG] = dpl__cstr(o->lang_key),
                         [TITLE] = dpl__cstr(o->title_key),
                         [TEXT] = dpl__cstr(o->text_key)}};
    dpl_status status = dpl__each_line(batch, chunk, &p, parse_line, err);
    dpl__vec_clear(batch->ctx, &p.extra);
    return status;
}

static dpl_status check(const dpl_reader_options *o, dpl_error *err)
{
    return o->text_key[0] ? DPL_OK : dpl__fail(err, DPL_E_USAGE, "the text needs a key");
}

/* A file of nothing has no documents in any format. */
static bool sniff(dpl_str start)
{
    size_t n_space = 0;
    while (n_space < start.n && strchr(" \t\r\n", start.data[n_space]))
        n_space++;
    return n_space == start.n || start.data[n_space] == '{';
}

const dpl__format dpl__format_jsonl = {
    .format = DPL_FORMAT_JSONL,
    .name = "jsonl",
    .about = "JSON Lines: one object per line",
    .endings = (const char *const[]){".jsonl", ".ndjson", ".json", NULL},
    .sniff = sniff,
    .check = check,
    .cut = dpl__cut_lines,
    .parse = parse};
