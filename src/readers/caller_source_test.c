#include "readers/chunks.h"

#include "test.h"

#include <stdio.h>
#include <stdlib.h>

typedef struct list {
    const dpl_doc *docs;
    size_t n, at;
    dpl_status end; /* what follows the last one */
} list;

static dpl_status next_doc(void *user, dpl_doc *doc, dpl_error *err)
{
    (void)err;
    list *l = user;
    if (l->at == l->n)
        return l->end;
    *doc = l->docs[l->at++];
    return DPL_OK;
}

/* "id|lang|title|text|extra" per document; then "! " and the failure. */
static const char *read_all(list *l, const dpl_reader_options *options)
{
    static char text[4096];
    size_t n = 0;
    dpl_ctx *ctx = test_ctx(1);
    dpl_error err = {0};
    dpl_reader *reader = NULL;
    dpl_doc_source source = {.next = next_doc, .user = l};
    dpl_doc d;
    dpl_status status =
        dpl_reader_open_input(&reader, ctx, &(dpl_input){.source = &source}, options, &err);
    while (status == DPL_OK && (status = dpl_reader_next(reader, &d, &err)) == DPL_OK)
        n += (size_t)snprintf(text + n, sizeof text - n, "%.*s|%.*s|%.*s|%.*s|%.*s\n",
                              (int)d.id.n, d.id.data, (int)d.lang.n, d.lang.data,
                              (int)d.title.n, d.title.data, (int)d.text.n, d.text.data,
                              (int)d.extra.n, d.extra.data ? d.extra.data : "");
    if (status < 0)
        n += (size_t)snprintf(text + n, sizeof text - n, "! %s\n", err.text);
    text[n] = 0;
    dpl_reader_close(reader);
    test_ctx_done(ctx);
    return text;
}

#define D(id_, lang_, title_, text_, extra_)                                                   \
    {                                                                                          \
        {id_, sizeof id_ - 1}, {lang_, sizeof lang_ - 1}, {title_, sizeof title_ - 1},         \
            {text_, sizeof text_ - 1},                                                         \
        {                                                                                      \
            extra_, sizeof extra_ - 1                                                          \
        }                                                                                      \
    }

static const char english[] =
    "This is a sentence in the English language, which is easy to identify.";

DPL_TEST(source, documents_of_the_caller_are_normalised_like_those_of_files)
{
    const dpl_doc docs[] = {
        D("a", "deu", "T", "Gru\xCC\x88n", "{\"x\": 1}"),
        D("", "", "", "This is a sentence in the English language, which is easy to identify.",
          ""),
        D("c", "de", "", " \n", ""),
    };
    list l = {docs, DPL_LEN(docs), 0, DPL_END};
    char expected[300];
    snprintf(expected, sizeof expected, "a|de|T|Gr\xC3\xBCn|{\"x\": 1}\n2|en||%s|\n", english);
    dpl_reader_options o = DPL_INIT(dpl_reader_options, .chunk = 1);
    CHECK_STR(dpl__cstr(read_all(&l, &o)), expected);
    l.at = 0;
    CHECK_STR(dpl__cstr(read_all(&l, NULL)), expected);
}

DPL_TEST(source, bad_documents_meet_the_policy)
{
    const dpl_doc docs[] = {
        D("a", "de", "", "eins", ""),
        D("b", "de", "", "zw\xFFi", ""),
        D("c", "de", "", "drei", "[]"),
        D("d\t", "de", "", "vier", ""),
        D("e", "de", "", "a very long text, it is said", ""),
        D("f", "de", "", "sechs", ""),
    };
    list l = {docs, DPL_LEN(docs), 0, DPL_END};
    dpl_reader_options o = DPL_INIT(dpl_reader_options, .max_record = 20);
    CHECK_STR(dpl__cstr(read_all(&l, &o)),
              "a|de||eins|\n! '(documents)' document 2: invalid UTF-8 (byte 0xFF at column "
              "3)\n");
    o.on_error = DPL_ON_ERROR_SKIP;
    for (o.chunk = 0; o.chunk < 2; o.chunk++) {
        l.at = 0;
        CHECK_STR(dpl__cstr(read_all(&l, &o)), "a|de||eins|\nf|de||sechs|\n");
    }
    l = (list){docs + 4, 2, 0, DPL_END};
    o.on_error = DPL_ON_ERROR_FAIL;
    CHECK_STR(dpl__cstr(read_all(&l, &o)),
              "! '(documents)' document 1: longer than 20 bytes\n");
    l = (list){docs + 2, 1, 0, DPL_END};
    CHECK_STR(dpl__cstr(read_all(&l, &o)),
              "! '(documents)' document 1: the extra fields are not a JSON object\n");
}

DPL_TEST(source, a_failure_of_the_caller_comes_after_its_documents)
{
    const dpl_doc docs[] = {D("a", "de", "", "eins", "")};
    list l = {docs, 1, 0, DPL_E_IO};
    CHECK_STR(dpl__cstr(read_all(&l, NULL)),
              "a|de||eins|\n! '(documents)': the caller's source failed\n");
}

DPL_TEST(source, a_buffer_is_read_like_a_file)
{
    static const struct {
        const char *name, *bytes, *text;
    } cases[] = {{NULL, "{\"id\":1,\"text\":\"x\"}", "x"},
                 {"a.html", "<p>x<p>y", "x\ny"},
                 {"a.tsv", "1\tz", "z"}};
    dpl_ctx *ctx = test_ctx(1);
    for (size_t i = 0; i < DPL_LEN(cases); i++) {
        dpl_input input = {.name = cases[i].name, .buffer = dpl__cstr(cases[i].bytes)};
        dpl_reader *reader = NULL;
        dpl_doc doc;
        CHECK_OK(dpl_reader_open_input(&reader, ctx, &input, NULL, &test_err));
        CHECK_OK(dpl_reader_next(reader, &doc, &test_err));
        CHECK_STR(doc.text, cases[i].text);
        CHECK_EQ(dpl_reader_next(reader, &doc, &test_err), DPL_END);
        dpl_reader_close(reader);
    }
    dpl_reader *reader = NULL;
    CHECK_EQ(dpl_reader_open_input(&reader, ctx, &(dpl_input){.name = "x"}, NULL, &test_err),
             DPL_E_USAGE);
    test_ctx_done(ctx);
}

/* ---- rows --------------------------------------------------------------------------- */

static dpl_status next_row(void *user, dpl_bitext_row *row, dpl_error *err)
{
    (void)err;
    static const char *const sides[][2] = {
        {" one ", "eins"}, {"a\tb", "\xFF"}, {"", "leer"}, {"e\xCC\x81t\xC3\xA9", "Sommer"}};
    size_t *at = user;
    if (*at == DPL_LEN(sides))
        return DPL_END;
    row->left = dpl__cstr(sides[*at][0]);
    row->right = dpl__cstr(sides[(*at)++][1]);
    return DPL_OK;
}

DPL_TEST(source, rows_of_the_caller_are_normalised_like_those_of_files)
{
    dpl_ctx *ctx = test_ctx(1);
    size_t at = 0;
    dpl_bitext_source source = {.next = next_row, .user = &at, .name = "mine"};
    dpl_bitext *bitext = NULL;
    dpl_bitext_row row;
    CHECK_OK(dpl_bitext_open_source(&bitext, ctx, &source, NULL, &test_err));
    CHECK_OK(dpl_bitext_next(bitext, &row, &test_err));
    CHECK_STR(row.left, "one");
    CHECK_EQ(dpl_bitext_next(bitext, &row, &test_err), DPL_E_FORMAT);
    CHECK_STR(dpl__cstr(test_err.text), "'mine' row 2: invalid UTF-8 (byte 0xFF)");
    dpl_bitext_close(bitext);
    at = 0;
    dpl_bitext_options o = DPL_INIT(dpl_bitext_options, .on_error = DPL_ON_ERROR_SKIP);
    CHECK_OK(dpl_bitext_open_source(&bitext, ctx, &source, &o, &test_err));
    CHECK_OK(dpl_bitext_next(bitext, &row, &test_err));
    CHECK_OK(dpl_bitext_next(bitext, &row, &test_err));
    CHECK_STR(row.right, "leer");
    CHECK_OK(dpl_bitext_next(bitext, &row, &test_err));
    CHECK_STR(row.left, "\xC3\xA9t\xC3\xA9");
    CHECK_EQ(dpl_bitext_next(bitext, &row, &test_err), DPL_END);
    CHECK_EQ(dpl_bitext_get_counts(bitext)->n_rows, 3);
    CHECK_EQ(dpl_bitext_get_counts(bitext)->n_skipped, 1);
    dpl_bitext_close(bitext);
    test_ctx_done(ctx);
}
