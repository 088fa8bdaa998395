#include "readers/wiki/dump_test.h"

#include "base/hash.h"
#include "test.h"

#include <stdio.h>

DPL_TEST(csv, the_header_names_the_columns)
{
    CHECK_DUMP("a.csv", "url,text,id,title\nu,\"one, two\",1,t\nv,drei,2,\n", NULL,
               "1|t|one, two|{\"url\":\"u\"}\n2||drei|{\"url\":\"v\"}\n");
    dpl_reader_options o = DPL_INIT(dpl_reader_options, .id_key = "key", .text_key = "body");
    CHECK_DUMP("a.csv", "\"key\",body\r\na,x\r\n", &o, "a||x|\n");
}

DPL_TEST(csv, quoted_fields_hold_separators_line_breaks_and_quotes)
{
    CHECK_DUMP("a.csv", "id,text\n1,\"a \"\"b\"\"\nc, d\"\r\n\"2\",5\" disk\n", NULL,
               "1||a \"b\"\nc, d|\n2||5\" disk|\n");
}

DPL_TEST(csv, semicolons_and_tabs_are_found_in_the_first_line)
{
    CHECK_DUMP("a.csv", "id;text\n1;a, b\n", NULL, "1||a, b|\n");
    dpl_reader_options o = DPL_INIT(dpl_reader_options, .from = DPL_FORMAT_CSV);
    CHECK_DUMP("a.txt", "id\ttext\n1\ta;b, \"c\"\n", &o, "1||a;b, \"c\"|\n");
}

DPL_TEST(csv, columns_of_the_options_mean_there_is_no_header)
{
    dpl_reader_options o = DPL_INIT(dpl_reader_options, .columns = "text,-,n");
    CHECK_DUMP("a.csv", "x,y,3\n\nz,,\n", &o, "1||x|{\"n\":\"3\"}\n3||z|{\"n\":\"\"}\n");
}

DPL_TEST(csv, a_record_is_the_same_for_any_chunk)
{
    dpl_reader_options o = DPL_INIT(dpl_reader_options);
    for (o.chunk = 1; o.chunk < 40; o.chunk++)
        CHECK_DUMP("a.csv", "id,text\n1,\"a\n\"\"b\n\"\n2,c\n3,\"d,\ne\"\n", &o,
                   "1||a\n\"b\n|\n2||c|\n3||d,\ne|\n");
}

DPL_TEST(csv, faults_name_line_and_column)
{
    CHECK_DUMP("a.csv", "id,text\n1,\"a\nb\"c\n", NULL,
               "! 'DIR/a.csv' line 3: text behind a closing quote at column 3\n");
    CHECK_DUMP("a.csv", "id,text\n1,x\n2,\"a\nb\n", NULL,
               "1||x|\n! 'DIR/a.csv' line 3: a quote is not closed at column 3\n");
    CHECK_DUMP("a.csv", "id,text\n1,a,b\n", NULL,
               "! 'DIR/a.csv' line 2: 3 columns instead of 2\n");
    CHECK_DUMP("a.csv", "id,body\n1,a\n", NULL, "! 'DIR/a.csv': no column is named 'text'\n");
    CHECK_DUMP("a.csv", "id,text,text\n1,a,b\n", NULL,
               "! 'DIR/a.csv': column 'text' is named twice\n");
    dpl_reader_options o = DPL_INIT(dpl_reader_options, .on_error = DPL_ON_ERROR_SKIP);
    dump d = DUMP_TEXT("a.csv", "id,text\n1,\"a\"b,\"\n\",\n2,x\n3\n4,\xC3\n5,y\n", &o);
    CHECK_STR(dpl__cstr(d.text), "2||x|\n5||y|\n");
    CHECK_DROPPED(d, MALFORMED, 2);
    CHECK_DROPPED(d, UTF8, 1);
}

DPL_TEST(csv, a_long_record_is_dropped_to_its_end)
{
    dpl_reader_options o =
        DPL_INIT(dpl_reader_options, .on_error = DPL_ON_ERROR_SKIP, .max_record = 12);
    for (o.chunk = 1; o.chunk < 40; o.chunk++) {
        dump d = DUMP_TEXT("a.csv", "id,text\n1,aaaaaaaaaaaaaaaaaaaaaaaaaaaa\n2,x\n3,y\n", &o);
        CHECK_STR(dpl__cstr(d.text), "2||x|\n3||y|\n");
        CHECK_DROPPED(d, LONG, 1);
    }
}

/* ---- random tables ------------------------------------------------------------------------
 */

enum { MOST_FILE = 20000 };

/* A file as it is written, and what is to be read from it. */
typedef struct table {
    char file[MOST_FILE], expected[2 * MOST_FILE];
    size_t n, n_expected;
    char separator;
    const char *line_end;
    uint64_t n_lines;            /* written so far */
    size_t n_empty, n_malformed; /* records that are dropped */
} table;

static void put(table *t, char c)
{
    CHECK(t->n < MOST_FILE);
    t->file[t->n++] = c;
    t->n_lines += c == '\n';
}

static void put_text(table *t, const char *s)
{
    while (*s)
        put(t, *s++);
}

static void expect(table *t, const char *s)
{
    const size_t n = strlen(s);
    CHECK(t->n_expected + n < sizeof t->expected);
    memcpy(t->expected + t->n_expected, s, n + 1);
    t->n_expected += n;
}

/* Any characters that mean something; an id has no line breaks. */
static void random_field(char out[20], dpl__rng *rng, bool is_id)
{
    static const char some[] = "ab ,;\t\"\"\"\n\n\r";
    const size_t n = dpl__rng_below(rng, 12) + is_id;
    for (size_t i = 0; i < n; i++)
        out[i] = is_id ? "ab,;\"|"[dpl__rng_below(rng, 6)]
                       : some[dpl__rng_below(rng, sizeof some - 1)];
    out[n] = 0;
}

static void put_quoted(table *t, const char *s)
{
    put(t, '"');
    for (; *s; s++) {
        put(t, *s);
        if (*s == '"')
            put(t, '"');
    }
    put(t, '"');
}

/* In quotes where it must be, and in some other places. */
static void put_field(table *t, const char *s, dpl__rng *rng)
{
    const char marks[] = {t->separator, '\n', '\r', 0};
    if (*s != '"' && !strpbrk(s, marks) && dpl__rng_below(rng, 3))
        put_text(t, s);
    else
        put_quoted(t, s);
}

static void expect_json(table *t, const char *s)
{
    expect(t, "\"");
    for (; *s; s++) {
        const char plain[] = {*s, 0};
        expect(t, *s == '"'    ? "\\\""
                  : *s == '\n' ? "\\n"
                  : *s == '\r' ? "\\r"
                  : *s == '\t' ? "\\t"
                               : plain);
    }
    expect(t, "\"");
}

static void add_record(table *t, dpl__rng *rng)
{
    char id[20], text[20], more[20];
    random_field(id, rng, true);
    random_field(text, rng, false);
    random_field(more, rng, false);
    const char *const fields[] = {id, more, text};
    for (size_t i = 0; i < DPL_LEN(fields); i++) {
        put_field(t, fields[i], rng);
        if (i + 1 < DPL_LEN(fields))
            put(t, t->separator);
    }
    put_text(t, t->line_end);
    if (!text[strspn(text, " \t\r\n")]) {
        t->n_empty++;
        return;
    }
    expect(t, id);
    expect(t, "||");
    expect(t, text);
    expect(t, "|{\"n\":");
    expect_json(t, more);
    expect(t, "}\n");
}

/* A record of other columns, or with something behind a quote; or a blank line, which is none.
 */
static void add_odd(table *t, dpl__rng *rng)
{
    const uint64_t kind = dpl__rng_below(rng, 4);
    const char two[] = {'x', t->separator, 'y', 0}, behind[] = {'"', '\n', '"', 'z', 0};
    put_text(t, kind == 0 ? "x" : kind == 1 ? two : kind == 2 ? behind : "");
    put_text(t, t->line_end);
    t->n_malformed += kind < 3;
}

static void random_table(table *t, uint64_t seed, bool has_odd)
{
    dpl__rng rng = {seed << 20};
    memset(t, 0, sizeof *t);
    t->separator = ",;\t"[seed % 3];
    t->line_end = seed % 2 ? "\r\n" : "\n";
    const char header[] = {'i', 'd', t->separator, 'n', t->separator, 't', 'e', 'x', 't', 0};
    put_text(t, header);
    put_text(t, t->line_end);
    for (size_t n = dpl__rng_below(&rng, 40); n > 0; n--)
        if (has_odd && dpl__rng_below(&rng, 3) == 0)
            add_odd(t, &rng);
        else
            add_record(t, &rng);
    if (seed % 5 == 0 && !has_odd) /* the last line need not end */
        t->n -= strlen(t->line_end);
}

/* What is written is read again, in pieces of any size. */
DPL_TEST(csv, random_fields_come_back)
{
    static table t;
    for (uint64_t seed = 0; seed < 250; seed++) {
        random_table(&t, seed, false);
        const dpl_reader_options o =
            DPL_INIT(dpl_reader_options, .chunk = seed % 7 ? 1 + seed * 7 % 90 : 0);
        const dump d = dump_bytes("a.csv", t.file, t.n, &o);
        if (strcmp(d.text, t.expected) != 0)
            dpl__test_fail(__FILE__, __LINE__, "seed %llu: %s", (unsigned long long)seed,
                           d.text);
        CHECK_DROPPED(d, EMPTY, t.n_empty);
    }
}

DPL_TEST(csv, records_between_faulty_ones_come_back)
{
    static table t;
    size_t n_malformed = 0;
    for (uint64_t seed = 1000; seed < 1150; seed++) {
        random_table(&t, seed, true);
        const dpl_reader_options o =
            DPL_INIT(dpl_reader_options, .chunk = seed % 7 ? 1 + seed * 7 % 90 : 0,
                     .on_error = DPL_ON_ERROR_SKIP);
        const dump d = dump_bytes("a.csv", t.file, t.n, &o);
        if (strcmp(d.text, t.expected) != 0)
            dpl__test_fail(__FILE__, __LINE__, "seed %llu: %s", (unsigned long long)seed,
                           d.text);
        CHECK_DROPPED(d, EMPTY, t.n_empty);
        CHECK_DROPPED(d, MALFORMED, t.n_malformed);
        n_malformed += t.n_malformed;
    }
    CHECK(n_malformed > 100);
}

/* Where the file has come to. */
static void place_of_end(const table *t, unsigned long long *line, unsigned long long *column)
{
    *line = *column = 1;
    for (size_t i = 0; i < t->n; i++) {
        *line += t->file[i] == '\n';
        *column = t->file[i] == '\n' ? 1 : *column + 1;
    }
}

/* In the file, whatever quotes and line breaks the fields of the record have. */
DPL_TEST(csv, a_fault_behind_random_fields_names_its_line_column_and_offset)
{
    static table t;
    for (uint64_t seed = 2000; seed < 2300; seed++) {
        dpl__rng rng = {seed << 20 | 1 << 19};
        unsigned long long line, column;
        char field[20], expected[200];
        random_table(&t, seed, false);
        if (t.n && t.file[t.n - 1] != '\n')
            put_text(&t, t.line_end);
        size_t offset = t.n;
        place_of_end(&t, &line, &column);
        sprintf(expected, "! 'DIR/a.csv' line %llu: 2 columns instead of 3\n", line);
        for (size_t i = 0; i < 2; i++) {
            random_field(field, &rng, i == 0);
            if (i)
                put(&t, t.separator);
            put_field(&t, field, &rng);
        }
        if (seed % 3) {
            random_field(field, &rng, false);
            put(&t, t.separator);
            put_quoted(&t, field);
            offset = t.n;
            place_of_end(&t, &line, &column);
            put(&t, 'c');
            sprintf(expected,
                    "! 'DIR/a.csv' line %llu: text behind a closing quote at column %llu\n",
                    line, column);
        }
        put_text(&t, t.line_end);
        const dpl_reader_options o =
            DPL_INIT(dpl_reader_options, .chunk = seed % 7 ? 1 + seed * 7 % 90 : 0);
        const dump d = dump_bytes("a.csv", t.file, t.n, &o);
        expect(&t, expected);
        if (strcmp(d.text, t.expected) != 0)
            dpl__test_fail(__FILE__, __LINE__, "seed %llu: %s, expected %s",
                           (unsigned long long)seed, d.text, t.expected);
        CHECK_EQ(d.err.offset, offset);
    }
}
