/*
 * csv.c - comma-separated values (RFC 4180), one document per record.
 *
 * The first record names the columns, and the keys of the options choose among them, as among
 * the members of JSON Lines; all other columns are kept in `extra` as strings. With `columns`
 * there is no such record: it names the columns in order. The separator is the comma, semicolon
 * or tab that comes most often in the first line. A field in quotes may hold separators, line
 * breaks and quotes (as ""); a quote inside a field without quotes is a character like others.
 *
 * A record can be cut off only where no quoted field is open, which a scan from its beginning
 * tells. Cost: one search for quotes to cut, one for separators to parse.
 */
#include "readers/reader.h"

enum { ID, LANG, TITLE, TEXT, N_FIELDS, KEPT = N_FIELDS, DROPPED };
enum { MOST_COLUMNS = 1024 };

typedef struct column {
    dpl_str name;
    unsigned use;
} column;

typedef struct parser {
    dpl__batch *batch;
    const dpl__chunk *chunk;
    char separator;
    DPL_VEC(column) columns;
    bool has[N_FIELDS];
    dpl_str values[N_FIELDS]; /* of the record at hand */
    dpl__bytes extra;         /* its other columns, ",name:value" each */
} parser;

/* One record, or what is left of it. */
typedef struct record {
    char *at, *end;
    char *line_end; /* the first line break from `at` on, or `end` */
    char separator;
    const char *fault; /* where the text is not CSV, and why */
    const char *problem;
    char *newline, *moved; /* a line break in quotes, and where it went as they were unescaped;
                              NULL: none did */
} record;

/* ---- separators and cuts ------------------------------------------------------------ */

/* Does a quote at p[i] open a field? */
static bool opens(const char *p, size_t i, char separator)
{
    return i == 0 || p[i - 1] == separator || p[i - 1] == '\n';
}

/* The end of a quoted field whose text begins at p[i]: behind its quote; n when it is open. */
static size_t skip_quoted(const char *p, size_t n, size_t i)
{
    assert(i <= n);
    const char *q;
    while (i < n && (q = memchr(p + i, '"', n - i))) {
        i = (size_t)(q - p) + 1;
        if (i == n || p[i] != '"')
            return i;
        i++;
    }
    return n + 1;
}

/* The first line decides; text between quotes does not count. *is_whole: it ends in p[0, n). */
static char separator_of(const char *p, size_t n, bool *is_whole)
{
    static const char marks[] = {',', ';', '\t'};
    size_t counts[sizeof marks] = {0}, i, best = 0;
    bool is_quoted = false;
    for (i = 0; i < n && p[i] != '\n'; i++) {
        is_quoted ^= p[i] == '"';
        for (size_t k = 0; k < sizeof marks && !is_quoted; k++)
            counts[k] += p[i] == marks[k];
    }
    for (size_t k = 1; k < sizeof marks; k++)
        if (counts[k] > counts[best])
            best = k;
    *is_whole = i < n;
    return marks[best];
}

/* Behind the line break that ends the record of which p[i] is no part of a quoted field. */
static size_t end_of_record(const char *p, size_t n, size_t i, char separator)
{
    assert(i <= n);
    while (i < n) {
        const char *newline = memchr(p + i, '\n', n - i);
        size_t end = newline ? (size_t)(newline - p) : n;
        const char *quote = memchr(p + i, '"', end - i);
        if (!quote)
            return end + (end < n);
        i = (size_t)(quote - p);
        i = opens(p, i, separator) ? skip_quoted(p, n, i + 1) : i + 1;
    }
    return n;
}

static size_t cut(const dpl__header *header, const uint8_t *bytes, size_t n, size_t from)
{
    const char *p = (const char *)bytes;
    bool is_whole = true;
    const char separator =
        header->separator ? header->separator : separator_of(p, n, &is_whole);
    if (!is_whole)
        return 0;
    size_t last = 0, at = 0;
    while (at < n) {
        const char *quote = memchr(p + at, '"', n - at);
        size_t end = quote ? (size_t)(quote - p) : n;
        for (size_t i = end; i > at && i > last; i--)
            if (p[i - 1] == '\n') {
                last = i;
                break;
            }
        if (!quote)
            break;
        at = opens(p, end, separator) ? skip_quoted(p, n, end + 1) : end + 1;
    }
    return last > from ? last : 0;
}

static void begin(dpl__header *header, dpl_str start)
{
    bool is_whole;
    header->separator = separator_of(start.data, start.n, &is_whole);
    header->record = start;
    header->record.n = end_of_record(start.data, start.n, 0, header->separator);
}

/* ---- fields ------------------------------------------------------------------------- */

static char *end_of_line(char *p, char *end)
{
    char *newline = memchr(p, '\n', (size_t)(end - p));
    return newline ? newline : end;
}

/* Two quotes become one, in place. */
static size_t unescape(char *p, size_t n)
{
    char *q = memchr(p, '"', n);
    if (!q)
        return n;
    size_t to = (size_t)(q - p);
    for (size_t i = to; i < n;) { /* p[i] is the first of two quotes */
        q = i + 2 < n ? memchr(p + i + 2, '"', n - i - 2) : NULL;
        size_t next = q ? (size_t)(q - p) : n;
        memmove(p + to, p + i + 1, next - i - 1);
        to += next - i - 1;
        i = next;
    }
    memset(p + to, ' ', n - to); /* a message counts lines up to a later field */
    return to;
}

/* Unescapes the n bytes at p, which are in quotes, and notes where their last line break went:
 * columns of later faults count from it. */
static dpl_str take_quoted(record *r, char *p, size_t n)
{
    const dpl_str value = {p, unescape(p, n)};
    size_t n_gone = n - value.n; /* in front of where we are: a quote for each that is left */
    for (size_t i = n_gone ? value.n : 0; i-- > 0; n_gone -= p[i] == '"')
        if (p[i] == '\n') {
            r->moved = p + i;
            r->newline = r->moved + n_gone;
            break;
        }
    return value;
}

static bool read_quoted(record *r, dpl_str *value)
{
    char *p = r->at + 1;
    size_t left = (size_t)(r->end - p), n = skip_quoted(p, left, 0);
    if (n > left) {
        r->fault = r->at;
        r->problem = "a quote is not closed";
        return false;
    }
    *value = take_quoted(r, p, n - 1);
    r->at = p + n;
    if (r->at > r->line_end)
        r->line_end = end_of_line(r->at, r->end);
    if (r->at < r->end && *r->at == '\r' && r->at + 1 == r->line_end)
        r->at++;
    if (r->at < r->line_end && *r->at != r->separator) {
        r->fault = r->at;
        r->problem = "text behind a closing quote";
        return false;
    }
    return true;
}

/* The next field; *is_last: the record ends behind it. False: r->problem says why. */
static bool read_field(record *r, dpl_str *value, bool *is_last)
{
    if (r->at < r->end && *r->at == '"') {
        if (!read_quoted(r, value))
            return false;
    } else {
        char *mark = memchr(r->at, r->separator, (size_t)(r->line_end - r->at));
        char *end = mark ? mark : r->line_end;
        *value = (dpl_str){r->at, (size_t)(end - r->at)};
        r->at = end;
        if (!mark && value->n && value->data[value->n - 1] == '\r')
            value->n--;
    }
    *is_last = r->at == r->line_end;
    r->at += r->at < r->end;
    return true;
}

/* ---- columns ------------------------------------------------------------------------ */

static const char *key_of(const dpl_reader_options *o, unsigned field)
{
    assert(field < N_FIELDS);
    const char *const keys[N_FIELDS] = {
        [ID] = o->id_key, [LANG] = o->lang_key, [TITLE] = o->title_key, [TEXT] = o->text_key};
    return keys[field];
}

static dpl_status add_column(parser *p, dpl_str name, dpl_error *err)
{
    column c = {name, KEPT};
    for (unsigned i = 0; i < N_FIELDS; i++) {
        const char *key = key_of(p->batch->options, i);
        if (*key && dpl__str_eq(name, dpl__cstr(key)))
            c.use = i;
    }
    if (dpl__str_eq(name, dpl__cstr("-")) || !name.n)
        c.use = DROPPED;
    bool is_twice = c.use < N_FIELDS && p->has[c.use];
    if (is_twice || p->columns.n == MOST_COLUMNS) {
        dpl__fail(err, DPL_E_FORMAT,
                  is_twice ? "'%s': column '%.*s' is named twice" : "'%s': too many columns",
                  p->chunk->file, (int)dpl__min(name.n, 100), name.data);
        return DPL_E_FORMAT;
    }
    if (c.use < N_FIELDS)
        p->has[c.use] = true;
    return dpl__need(dpl__vec_push(p->batch->ctx, &p->columns, c), err);
}

static dpl_status check_columns(const parser *p, dpl_error *err)
{
    const dpl_reader_options *o = p->batch->options;
    unsigned missing = !p->has[TEXT] ? TEXT : !p->has[ID] && *o->id_key ? ID : N_FIELDS;
    if (missing == ID && o->columns)
        missing = N_FIELDS;
    if (missing == N_FIELDS)
        return DPL_OK;
    dpl__fail(err, DPL_E_FORMAT, "'%s': no column is named '%s'", p->chunk->file,
              key_of(o, missing));
    return dpl__code(err, DPL_E_FORMAT, missing == ID ? "missing-id" : "missing-text");
}

static dpl_status name_by_option(parser *p, const char *at, dpl_error *err)
{
    for (;; at++) {
        size_t n = strcspn(at, ",");
        DPL_TRY(add_column(p, (dpl_str){at, n}, err));
        at += n;
        if (!*at)
            return check_columns(p, err);
    }
}

static record open_record(const parser *p, char *at, char *end)
{
    return (record){
        .at = at, .end = end, .line_end = end_of_line(at, end), .separator = p->separator};
}

/* Every chunk reads the header, only the first one counts what it replaces. */
static dpl_status check_header(const parser *p, dpl_str *header, dpl_error *err)
{
    uint64_t n_replaced;
    dpl_str valid = *header;
    DPL_TRY(dpl__utf8_replace(&valid, &p->batch->arena, &n_replaced, err));
    if (n_replaced && p->batch->options->on_error != DPL_ON_ERROR_REPLACE)
        return dpl__fail_code(err, DPL_E_FORMAT, "bad-utf8",
                              "'%s' line 1: invalid UTF-8 in the names of columns",
                              p->chunk->file);
    p->batch->counts.n_replaced += p->chunk->header.is_here ? n_replaced : 0;
    *header = valid;
    return DPL_OK;
}

static dpl_status name_by_header(parser *p, dpl_error *err)
{
    dpl_str header = dpl__arena_copy(&p->batch->arena, p->chunk->header.record), name;
    DPL_TRY(dpl__need(header.data, err));
    DPL_TRY(check_header(p, &header, err));
    char *at = (char *)header.data; /* a copy of our own */
    record r = open_record(p, at, at + header.n);
    for (bool is_last = false; !is_last;) {
        if (!read_field(&r, &name, &is_last))
            return dpl__fail(err, DPL_E_FORMAT, "'%s' line 1: %s", p->chunk->file, r.problem);
        DPL_TRY(add_column(p, name, err));
    }
    return check_columns(p, err);
}

/* ---- records ------------------------------------------------------------------------ */

/* DPL_E_FORMAT without a message: r->problem has it, or n_fields is not that of the columns. */
static dpl_status read_fields(parser *p, record *r, size_t *n_fields, dpl_error *err)
{
    dpl_str value;
    memset(p->values, 0, sizeof p->values);
    p->extra.n = 0;
    *n_fields = 0;
    for (bool is_last = false; !is_last;) {
        if (!read_field(r, &value, &is_last))
            return DPL_E_FORMAT;
        size_t i = (*n_fields)++;
        unsigned use = i < p->columns.n ? p->columns.data[i].use : DROPPED;
        if (use < N_FIELDS)
            p->values[use] = value;
        else if (use == KEPT)
            DPL_TRY(dpl__members_add(p->batch, &p->extra, p->columns.data[i].name, value, err));
    }
    return *n_fields == p->columns.n ? DPL_OK : DPL_E_FORMAT;
}

static dpl_status refuse(const parser *p, const record *r, const char *begin, uint64_t line,
                         size_t n_fields, dpl_error *err)
{
    if (!r->problem) {
        dpl_status status = dpl__record_bad(
            p->batch, DPL__AT(p->chunk, line, 0), DPL_DROP_MALFORMED, err,
            "%zu column%s instead of %zu", n_fields, n_fields == 1 ? "" : "s", p->columns.n);
        return status == DPL_END ? status : dpl__code(err, status, "csv-columns");
    }
    if (r->moved) { /* nobody reads this record any more */
        *r->moved = ' ';
        *r->newline = '\n';
    }
    uint64_t place = 1;
    for (const char *at = begin; at < r->fault; at++, place++)
        if (*at == '\n') {
            line++;
            place = 0;
        }
    return dpl__record_bad(p->batch, DPL__AT(p->chunk, line, place), DPL_DROP_MALFORMED, err,
                           "%s", r->problem);
}

static dpl_status add_record(parser *p, uint64_t line, dpl_error *err)
{
    dpl_doc doc = {.id = p->values[ID],
                   .lang = p->values[LANG],
                   .title = p->values[TITLE],
                   .text = p->values[TEXT]};
    if (!p->has[ID])
        DPL_TRY(dpl__line_id(p->batch, line, &doc.id, err));
    DPL_TRY(dpl__members_to_extra(p->batch, &p->extra, &doc.extra, err));
    return dpl__batch_add(p->batch, p->chunk, line, &doc, err);
}

/* The record text[0, n), n without its line break. DPL_END when the policy drops it. */
static dpl_status parse_record(parser *p, dpl_str text, uint64_t line, dpl_error *err)
{
    if (text.n > p->batch->options->max_record)
        return dpl__record_long(p->batch, p->chunk, line, err);
    DPL_TRY(dpl__record_utf8(p->batch, p->chunk, line, 1, &text, err));
    if (!text.n || (text.n == 1 && text.data[0] == '\r'))
        return DPL_OK;
    char *begin = (char *)text.data; /* the chunk's, which may change, or a copy of our own */
    record r = open_record(p, begin, begin + text.n);
    size_t n_fields;
    dpl_status status = read_fields(p, &r, &n_fields, err);
    if (status == DPL_E_FORMAT)
        return refuse(p, &r, begin, line, n_fields, err);
    DPL_TRY(status);
    return add_record(p, line, err);
}

static dpl_status parse_records(parser *p, dpl__chunk *chunk, dpl_error *err)
{
    const char *data = chunk->bytes.data;
    uint64_t line = chunk->line;
    for (size_t at = 0, end; at < chunk->bytes.n; at = end) {
        end = end_of_record(data, chunk->bytes.n, at, p->separator);
        const char *newline = data + at;
        uint64_t n_lines = 0;
        while ((newline = memchr(newline, '\n', (size_t)(data + end - newline)))) {
            newline++;
            n_lines++;
        }
        dpl_str text = {data + at, end - at - (data[end - 1] == '\n')};
        bool is_header = at == 0 && chunk->header.is_here && !p->batch->options->columns;
        dpl_status status = is_header ? DPL_OK : parse_record(p, text, line, err);
        if (status != DPL_OK && status != DPL_END)
            return status;
        line += n_lines;
    }
    return DPL_OK;
}

static dpl_status parse(dpl__batch *batch, dpl__chunk *chunk, dpl_error *err)
{
    const char *columns = batch->options->columns;
    parser p = {.batch = batch, .chunk = chunk, .separator = chunk->header.separator};
    dpl_status status;
    DPL__STEP(columns ? name_by_option(&p, columns, err) : name_by_header(&p, err));
    status = parse_records(&p, chunk, err);
done:
    dpl__vec_clear(batch->ctx, &p.columns, &p.extra);
    return status;
}

static dpl_status check(const dpl_reader_options *o, dpl_error *err)
{
    return o->text_key[0] ? DPL_OK : dpl__fail(err, DPL_E_USAGE, "the text needs a column");
}

const dpl__format dpl__format_csv = {.format = DPL_FORMAT_CSV,
                                     .name = "csv",
                                     .endings = (const char *const[]){".csv", NULL},
                                     .check = check,
                                     .begin = begin,
                                     .cut = cut,
                                     .parse = parse};
