/*
 * tsv.c - tab-separated columns, one document per line; also with base64 in the text column.
 *
 * The options name the columns in order: id, lang, title and text become the document's, "-"
 * drops one, any other name keeps it in `extra` as a JSON string. Without an id column the
 * number of the line is the id, from 1, as ParaCrawl's tools count. Fields are taken as they
 * stand: a backslash is a backslash. Every line must have as many columns as there are names;
 * an empty line is an empty document. A first line that has the names themselves is no
 * document. Cost: one search for the tabs.
 */
#include "base/ctx.h"

#include "base/ascii.h"
#include "base/base64.h"
#include "kernels/kernels.h"
#include "readers/reader.h"

typedef enum use { DROPPED, ID, LANG, TITLE, TEXT, KEPT } use;

enum { MOST_COLUMNS = 64 };

typedef struct columns {
    struct {
        use is;
        dpl_str name;
    } data[MOST_COLUMNS];
    size_t n;
    bool has_id, has_text;
} columns;

typedef struct parser {
    dpl__batch *batch;
    const dpl__chunk *chunk;
    columns columns;
    bool is_base64;
    dpl__base64 base64;
    dpl__bytes extra; /* of the record at hand: ",name:value" each */
} parser;

/* ---- the columns' names ------------------------------------------------------------- */

static use use_of(dpl_str name)
{
    static const char *const names[] = {
        [DROPPED] = "-", [ID] = "id", [LANG] = "lang", [TITLE] = "title", [TEXT] = "text"};
    for (unsigned i = 0; i < DPL_LEN(names); i++)
        if (dpl__str_eq(name, dpl__cstr(names[i])))
            return (use)i;
    return KEPT;
}

static dpl_status add_column(columns *c, dpl_str name, dpl_error *err)
{
    if (!name.n)
        return dpl__fail(err, DPL_E_USAGE, "a column without a name");
    if (c->n == MOST_COLUMNS)
        return dpl__fail(err, DPL_E_USAGE, "more than %d columns", MOST_COLUMNS);
    use is = use_of(name);
    for (size_t i = 0; i < c->n; i++)
        if (is != DROPPED && dpl__str_eq(c->data[i].name, name))
            return dpl__fail(err, DPL_E_USAGE, "column '%.*s' is named twice",
                             (int)dpl__min(name.n, 100), name.data);
    c->data[c->n].is = is;
    c->data[c->n++].name = name;
    c->has_id |= is == ID;
    c->has_text |= is == TEXT;
    return DPL_OK;
}

static dpl_status parse_columns(columns *c, const dpl_reader_options *o, dpl_error *err)
{
    const char *at = o->columns ? o->columns : o->from == DPL_FORMAT_TSV ? "id,text" : "text";
    c->n = c->has_id = c->has_text = 0;
    for (;; at++) {
        size_t n = strcspn(at, ",");
        DPL_TRY(add_column(c, (dpl_str){at, n}, err));
        at += n;
        if (!*at)
            break;
    }
    if (!c->has_text)
        return dpl__fail(err, DPL_E_USAGE, "no column is named 'text'");
    return DPL_OK;
}

static dpl_status check(const dpl_reader_options *o, dpl_error *err)
{
    columns c;
    return parse_columns(&c, o, err);
}

/* ---- one line ----------------------------------------------------------------------- */

static dpl_status wrong_number(const parser *p, dpl_str line, uint64_t number, dpl_error *err)
{
    size_t n = 1;
    for (size_t i = 0; i < line.n; i++)
        n += line.data[i] == '\t';
    dpl_status status =
        dpl__record_bad(p->batch, DPL__AT(p->chunk, number, 0), DPL_DROP_MALFORMED, err,
                        "%zu column%s instead of %zu", n, n == 1 ? "" : "s", p->columns.n);
    return status == DPL_END ? status : dpl__code(err, status, "bad-columns");
}

/* The text column of DOCENC; column: of its first character. */
static dpl_status decode(const parser *p, uint64_t line, uint64_t column, dpl_str *text,
                         dpl_error *err)
{
    dpl__batch *batch = p->batch;
    const size_t n_most = text->n / 4 * 3;
    char *out = dpl__arena_alloc(&batch->arena, n_most);
    DPL_TRY(dpl__need(out, err));
    size_t n;
    if (!dpl__base64_decode(&p->base64, out, &n, *text))
        return dpl__record_bad(batch, DPL__AT(p->chunk, line, column + n), DPL_DROP_MALFORMED,
                               err, "invalid base64");
    dpl__arena_shrink(&batch->arena, out, n_most, n);
    *text = (dpl_str){out, n};
    uint8_t most;
    size_t n_good = batch->ctx->kernels->utf8_prefix((const uint8_t *)out, n, &most);
    if (DPL_LIKELY(n_good == n))
        return DPL_OK;
    if (batch->options->on_error != DPL_ON_ERROR_REPLACE)
        return dpl__record_bad(batch, DPL__AT(p->chunk, line, column + n_good / 3 * 4),
                               DPL_DROP_UTF8, err, "invalid UTF-8 in base64 (byte 0x%02X)",
                               (uint8_t)out[n_good]);
    return dpl__record_utf8(batch, p->chunk, line, column, text, err);
}

/* DPL_END when the policy drops the record. */
static dpl_status read_fields(parser *p, dpl_str line, uint64_t number, dpl_doc *doc,
                              dpl_error *err)
{
    dpl_str *const slices[] = {
        [ID] = &doc->id, [LANG] = &doc->lang, [TITLE] = &doc->title, [TEXT] = &doc->text};
    dpl_str rest = line;
    for (size_t i = 0; i < p->columns.n; i++) {
        dpl_str value = dpl__next_column(&rest);
        const uint64_t column = (uint64_t)(value.data - line.data) + 1;
        if ((i + 1 < p->columns.n) != (rest.data != NULL))
            return wrong_number(p, line, number, err);
        use is = p->columns.data[i].is;
        if (is == TEXT && p->is_base64)
            DPL_TRY(decode(p, number, column, &value, err));
        if (is == KEPT)
            DPL_TRY(dpl__members_add(p->batch, &p->extra, p->columns.data[i].name, value, err));
        else if (is != DROPPED)
            *slices[is] = value;
    }
    return DPL_OK;
}

/* Are the fields of the line the names of the columns? What is dropped may have any name. */
static bool is_header(const columns *c, dpl_str line)
{
    size_t n_named = 0;
    for (size_t i = 0; i < c->n; i++) {
        const dpl_str field = dpl__next_column(&line);
        if ((i + 1 < c->n) != (line.data != NULL) ||
            (c->data[i].is != DROPPED && !dpl__str_eq(field, c->data[i].name)))
            return false;
        n_named += c->data[i].is != DROPPED;
    }
    return n_named > 1; /* a text may well be the word "text" */
}

static dpl_status parse_line(void *user, dpl_str line, uint64_t number, dpl_error *err)
{
    parser *p = user;
    if (number == 1 && !p->is_base64 && is_header(&p->columns, line))
        return DPL_OK;
    if (!line.n)
        return dpl__record_drop(p->batch, p->chunk, number, DPL_DROP_EMPTY, "", err);
    dpl_doc doc = {0};
    p->extra.n = 0;
    DPL_TRY(read_fields(p, line, number, &doc, err));
    if (!p->columns.has_id)
        DPL_TRY(dpl__line_id(p->batch, number, &doc.id, err));
    DPL_TRY(dpl__members_to_extra(p->batch, &p->extra, &doc.extra, err));
    return dpl__batch_add(p->batch, p->chunk, number, &doc, err);
}

static dpl_status parse(dpl__batch *batch, dpl__chunk *chunk, dpl_error *err)
{
    parser p = {.batch = batch,
                .chunk = chunk,
                .is_base64 = batch->options->from == DPL_FORMAT_DOCENC,
                .base64 = dpl__base64_make()};
    DPL_TRY(parse_columns(&p.columns, batch->options, err));
    dpl_status status = dpl__each_line(batch, chunk, &p, parse_line, err);
    dpl__vec_clear(batch->ctx, &p.extra);
    return status;
}

const dpl__format dpl__format_tsv = {.format = DPL_FORMAT_TSV,
                                     .name = "tsv",
                                     .endings = (const char *const[]){".tsv", NULL},
                                     .check = check,
                                     .cut = dpl__cut_lines,
                                     .parse = parse};
const dpl__format dpl__format_docenc = {.format = DPL_FORMAT_DOCENC,
                                        .name = "docenc",
                                        .endings =
                                            (const char *const[]){".b64", ".docenc", NULL},
                                        .check = check,
                                        .cut = dpl__cut_lines,
                                        .parse = parse};
