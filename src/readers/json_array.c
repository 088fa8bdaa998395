/*
 * json_array.c - one JSON array of objects, or objects one behind the other, over any number of
 * lines; each object becomes a document (json_record.c).
 *
 * The brackets of the array and the commas between objects are passed over, so that chunks
 * between two objects can be parsed apart; an array must be closed behind the last one, else
 * the file was cut off. An object is found by its braces outside of strings; whether it is JSON
 * is the parser's to tell. Cost: one pass over the bytes outside of strings, and the JSON
 * parser.
 */
#include "readers/json_record.h"

static bool is_between(char c)
{
    return c == ' ' || c == '\t' || c == '\r' || c == '\n' || c == ',' || c == '[' || c == ']';
}

/* Behind the string that begins at p[i]; n when it does not end. */
static size_t skip_string(const char *p, size_t n, size_t i)
{
    const char *quote;
    for (size_t at = i + 1; at < n && (quote = memchr(p + at, '"', n - at));) {
        size_t n_escapes = 0;
        at = (size_t)(quote - p) + 1;
        while (at - 2 - n_escapes > i && p[at - 2 - n_escapes] == '\\')
            n_escapes++;
        if (n_escapes % 2 == 0)
            return at;
    }
    return n;
}

/* Behind the object that begins at p[i]; 0 when it does not end. */
static size_t skip_object(const char *p, size_t n, size_t i)
{
    size_t depth = 0;
    while (i < n) {
        char c = p[i];
        if (c == '"') {
            i = skip_string(p, n, i);
            continue;
        }
        depth += c == '{';
        depth -= c == '}';
        i++;
        if (depth == 0)
            return i;
    }
    return 0;
}

/* The next object or other value at or behind p[i], [*begin, return value); 0: none that ends.
 * What is no object ends at its line or before the next object. */
static size_t next_value(const char *p, size_t n, size_t i, size_t *begin)
{
    while (i < n && is_between(p[i]))
        i++;
    *begin = i;
    if (i == n || p[i] == '{')
        return i == n ? 0 : skip_object(p, n, i);
    while (i < n && p[i] != '\n' && p[i] != '{')
        i++;
    return i < n ? i : 0;
}

static size_t cut(const dpl__header *header, const uint8_t *bytes, size_t n, size_t from)
{
    (void)header;
    const char *p = (const char *)bytes;
    size_t last = 0, begin, end;
    while ((end = next_value(p, n, last, &begin)))
        last = end;
    return last > from ? last : 0;
}

static dpl_status parse_value(dpl__json_records *records, dpl_str text, uint64_t line,
                              dpl_error *err)
{
    dpl__batch *batch = records->batch;
    if (text.n > batch->options->max_record)
        return dpl__record_long(batch, records->chunk, line, err);
    DPL_TRY(dpl__record_utf8(batch, records->chunk, line, records->n_before + 1, &text, err));
    return dpl__json_record(records, text, line, err);
}

static void pass(dpl__json_records *records, uint64_t *line, char c)
{
    *line += c == '\n';
    records->n_before = c == '\n' ? 0 : records->n_before + 1;
}

static void begin(dpl__header *header, dpl_str start)
{
    size_t i = 0;
    while (i < start.n && is_between(start.data[i]) && start.data[i] != '[')
        i++;
    header->is_array = i < start.n && start.data[i] == '[';
}

/* Behind the last value of the file, from p[from] to p[n]. */
static dpl_status check_closed(const dpl__json_records *records, size_t from, uint64_t line,
                               dpl_error *err)
{
    const dpl__chunk *chunk = records->chunk;
    if (!chunk->is_last || !chunk->header.is_array ||
        (chunk->bytes.n > from && memchr(chunk->bytes.data + from, ']', chunk->bytes.n - from)))
        return DPL_OK;
    return dpl__record_bad(records->batch, DPL__AT(chunk, line, records->n_before + 1),
                           DPL_DROP_MALFORMED, err,
                           "the array is not closed: the file is cut off");
}

static dpl_status parse(dpl__batch *batch, dpl__chunk *chunk, dpl_error *err)
{
    dpl__json_records records = dpl__json_records_begin(batch, chunk);
    const char *p = chunk->bytes.data;
    const size_t n = chunk->bytes.n;
    uint64_t line = chunk->line;
    records.n_before = chunk->n_before;
    dpl_status status = DPL_OK;
    bool is_whole = true; /* the last value */
    size_t behind = 0;    /* it */
    for (size_t at = 0, begin; at < n && (status == DPL_OK || status == DPL_END);) {
        size_t end = next_value(p, n, at, &begin);
        for (; at < begin; at++)
            pass(&records, &line, p[at]);
        is_whole = end || begin == n;
        end = end ? end : n; /* of the last value: the parser says what is missing */
        if (begin < end) {
            status = parse_value(&records, (dpl_str){p + begin, end - begin}, line, err);
            behind = end;
        }
        for (; at < end; at++)
            pass(&records, &line, p[at]);
    }
    if (is_whole && (status == DPL_OK || status == DPL_END))
        status = check_closed(&records, behind, line, err);
    dpl__json_records_end(&records);
    return status == DPL_END ? DPL_OK : status;
}

const dpl__format dpl__format_json = {.format = DPL_FORMAT_JSON,
                                      .name = "json",
                                      .sniff = dpl__json_is_spread,
                                      .check = dpl__json_check,
                                      .begin = begin,
                                      .cut = cut,
                                      .parse = parse};
