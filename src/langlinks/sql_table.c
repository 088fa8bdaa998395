/*
 * sql_table.c - rows from the INSERT statements of a dump.
 *
 * mysqldump and mariadb-dump write a statement per line, or a row per line; line ends within
 * strings are escaped, so that no row is divided. Names of columns come from CREATE TABLE: what
 * a table has beside the columns that are wanted, and in which order, has changed over the
 * years. Nothing else of SQL is understood.
 *
 * Cost: one pass over each line; strings are copied once.
 */
#include "langlinks/sql_table.h"

#include "base/ascii.h"
#include "unicode/unicode.h"

static dpl_str behind(dpl_str s, size_t n)
{
    return (dpl_str){s.data + n, s.n - n};
}

static dpl_str skip_blanks(dpl_str s)
{
    while (s.n && (*s.data == ' ' || *s.data == '\t'))
        s = behind(s, 1);
    return s;
}

/* `name`: copies it, and moves s behind the second mark. */
static bool take_name(char out[DPL__SQL_NAME], dpl_str *s)
{
    const char *end = s->n > 1 && *s->data == '`' ? memchr(s->data + 1, '`', s->n - 1) : NULL;
    if (!end)
        return false;
    size_t n = (size_t)(end - s->data) - 1;
    if (n == 0 || n >= DPL__SQL_NAME)
        return false;
    memcpy(out, s->data + 1, n);
    out[n] = 0;
    *s = behind(*s, n + 2);
    return true;
}

/* "-- Host: localhost    Database: dewiki" */
static void note_database(dpl__sql_table *t, dpl_str line)
{
    static const char mark[] = "Database: ";
    for (size_t i = 0; i + sizeof mark - 1 < line.n; i++) {
        if (!dpl__begins_with(behind(line, i), mark))
            continue;
        dpl_str name = behind(line, i + sizeof mark - 1);
        size_t n = 0;
        while (n < name.n && n + 1 < DPL__SQL_NAME && name.data[n] > ' ')
            n++;
        memcpy(t->database, name.data, n);
        t->database[n] = 0;
        return;
    }
}

/* The columns, up to the line that closes the statement. */
static dpl_status read_columns(dpl__sql_table *t, dpl_error *err)
{
    dpl_str line;
    dpl_status status;
    while ((status = dpl__lines_next(&t->lines, &line, err)) == DPL_OK) {
        line = skip_blanks(line);
        if (line.n && *line.data == ')')
            return t->n_columns ? DPL_OK : dpl__lines_bad(&t->lines, err, "no columns");
        if (!line.n || *line.data != '`')
            continue; /* a key */
        if (t->n_columns == DPL__SQL_COLUMNS || !take_name(t->columns[t->n_columns], &line))
            return dpl__lines_bad(&t->lines, err, "not a column of a table");
        t->n_columns++;
    }
    return status == DPL_END ? dpl__lines_bad(&t->lines, err, "CREATE TABLE has no end")
                             : status;
}

static dpl_status read_head(dpl__sql_table *t, dpl_error *err)
{
    static const char create[] = "CREATE TABLE ";
    dpl_str line;
    dpl_status status;
    while ((status = dpl__lines_next(&t->lines, &line, err)) == DPL_OK) {
        if (dpl__begins_with(line, "--"))
            note_database(t, line);
        if (!dpl__begins_with(line, create))
            continue;
        line = behind(line, sizeof create - 1);
        if (!take_name(t->name, &line))
            return dpl__lines_bad(&t->lines, err, "CREATE TABLE without a name");
        return read_columns(t, err);
    }
    return status == DPL_END ? dpl__lines_bad(&t->lines, err, "no CREATE TABLE in this file")
                             : status;
}

static dpl_status opened(dpl__sql_table *t, dpl_status status, dpl_error *err)
{
    if (status == DPL_OK)
        status = read_head(t, err);
    if (status != DPL_OK)
        dpl__sql_close(t);
    return status;
}

dpl_status dpl__sql_open(dpl__sql_table *t, dpl_ctx *ctx, const char *path, dpl_error *err)
{
    *t = (dpl__sql_table){.ctx = ctx};
    return opened(t, dpl__lines_open(&t->lines, ctx, path, err), err);
}

dpl_status dpl__sql_open_memory(dpl__sql_table *t, dpl_ctx *ctx, const char *name,
                                const void *data, size_t n, dpl_error *err)
{
    *t = (dpl__sql_table){.ctx = ctx};
    return opened(t, dpl__lines_open_memory(&t->lines, ctx, name, data, n, err), err);
}

void dpl__sql_close(dpl__sql_table *t)
{
    if (!t->ctx)
        return;
    dpl__lines_close(&t->lines);
    dpl__vec_clear(t->ctx, &t->text);
    t->ctx = NULL;
}

size_t dpl__sql_column(const dpl__sql_table *t, const char *name)
{
    for (size_t i = 0; i < t->n_columns; i++)
        if (strcmp(t->columns[i], name) == 0)
            return i;
    return SIZE_MAX;
}

/* ---- rows --------------------------------------------------------------------------- */

static char unescape(char c)
{
    switch (c) {
    case '0': return '\0';
    case 'b': return '\b';
    case 'n': return '\n';
    case 'r': return '\r';
    case 't': return '\t';
    case 'Z': return 26;
    default: return c;
    }
}

/* 'text' with \' and '' inside. The text buffer has room for the rest of the line. */
static bool take_string(dpl__sql_table *t, dpl_str *field)
{
    const char *p = t->row.data + 1, *end = t->row.data + t->row.n;
    char *out = t->text.data + t->text.n, *to = out;
    for (; p < end; p++) {
        if (*p == '\\' && p + 1 < end) {
            *to++ = unescape(*++p);
        } else if (*p == '\'') {
            if (p + 1 == end || p[1] != '\'')
                break;
            *to++ = *p++;
        } else {
            *to++ = *p;
        }
    }
    if (p == end)
        return false;
    *field = (dpl_str){out, (size_t)(to - out)};
    t->text.n += field->n;
    t->row = behind(t->row, (size_t)(p + 1 - t->row.data));
    return true;
}

/* A number, NULL, or a string; hexadecimal bytes and calls do not occur. */
static bool take_value(dpl__sql_table *t, dpl_str *field)
{
    t->row = skip_blanks(t->row);
    if (dpl__begins_with(t->row, "_binary "))
        t->row = skip_blanks(behind(t->row, 8));
    if (t->row.n && *t->row.data == '\'')
        return take_string(t, field);
    size_t n = 0;
    while (n < t->row.n && t->row.data[n] != ',' && t->row.data[n] != ')')
        n++;
    *field = dpl__trim((dpl_str){t->row.data, n});
    if (n == t->row.n || field->n == 0)
        return false;
    if (dpl__str_eq(*field, DPL_STR("NULL")))
        *field = (dpl_str){NULL, 0};
    t->row = behind(t->row, n);
    return true;
}

/* "(1,'a',NULL)" */
static bool take_row(dpl__sql_table *t)
{
    t->text.n = 0;
    t->row = behind(t->row, 1);
    for (size_t i = 0; i < t->n_columns; i++) {
        if (!take_value(t, &t->fields[i]))
            return false;
        t->row = skip_blanks(t->row);
        if (!t->row.n || *t->row.data != (i + 1 < t->n_columns ? ',' : ')'))
            return false;
        t->row = behind(t->row, 1);
    }
    return true;
}

/* A line that has rows, or promises some. */
static dpl_status next_line(dpl__sql_table *t, dpl_error *err)
{
    char name[DPL__SQL_NAME];
    dpl_str line;
    DPL_TRY(dpl__lines_next(&t->lines, &line, err));
    t->row = skip_blanks(line);
    DPL_TRY(dpl__need(dpl__vec_reserve(t->ctx, &t->text, line.n + 1), err));
    if (t->has_rows)
        return DPL_OK;
    static const char insert[] = "INSERT INTO ";
    if (!dpl__begins_with(line, insert)) {
        t->row.n = 0;
        return DPL_OK;
    }
    t->row = behind(line, sizeof insert - 1);
    if (!take_name(name, &t->row) || strcmp(name, t->name) != 0)
        return dpl__lines_bad(&t->lines, err, "rows of another table");
    t->row = skip_blanks(t->row);
    if (t->row.n && *t->row.data == '(') /* names of all columns, in their order */
        while (t->row.n && *t->row.data != 'V')
            t->row = behind(t->row, 1);
    t->row = skip_blanks(t->row);
    if (!dpl__begins_with(t->row, "VALUES"))
        return dpl__lines_bad(&t->lines, err, "INSERT without VALUES");
    t->row = skip_blanks(behind(t->row, 6));
    t->has_rows = true;
    return DPL_OK;
}

dpl_status dpl__sql_next(dpl__sql_table *t, const dpl_str **row, dpl_error *err)
{
    for (;;) {
        t->row = skip_blanks(t->row);
        if (t->row.n == 0) {
            dpl_status status = next_line(t, err);
            if (status == DPL_END && t->has_rows)
                return dpl__lines_bad(&t->lines, err, "the statement has no end");
            DPL_TRY(status);
        } else if (*t->row.data == ',' && t->has_rows) {
            t->row = behind(t->row, 1);
        } else if (*t->row.data == ';') {
            t->has_rows = false;
            t->row.n = 0;
        } else if (*t->row.data == '(' && t->has_rows && take_row(t)) {
            *row = t->fields;
            return DPL_OK;
        } else {
            return dpl__lines_bad(&t->lines, err, "not a row of this table");
        }
    }
}
