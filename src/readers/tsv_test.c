#include "readers/wiki/dump_test.h"

#include "test.h"

#define REPLACEMENT "\xEF\xBF\xBD"

DPL_TEST(tsv, a_first_line_of_the_columns_names_is_no_document)
{
    dpl_reader_options o = DPL_INIT(dpl_reader_options);
    CHECK_STR(dpl__cstr(DUMP_TEXT("h.tsv", "id\ttext\n", &o).text), "");
    CHECK_STR(dpl__cstr(DUMP_TEXT("h.tsv", "id\ttext\n1\tone\nid\ttext\n", &o).text),
              "1||one|\nid||text|\n");
    o.columns = "-,text,id,year";
    CHECK_STR(dpl__cstr(DUMP_TEXT("h.tsv", "x\ttext\tid\tyear\ny\tone\t1\t1900\n", &o).text),
              "1||one|{\"year\":\"1900\"}\n");
    o.columns = "text";
    CHECK_STR(dpl__cstr(DUMP_TEXT("h.tsv", "text\n", &o).text), "1||text|\n");
}

DPL_TEST(tsv, columns_become_documents)
{
    CHECK_DUMP("a.tsv", "1\tone\n2\ttwo \\n \"2\"\r\n3\tthree", NULL,
               "1||one|\n2||two \\n \"2\"|\n3||three|\n");
}

DPL_TEST(tsv, columns_can_be_named_kept_and_dropped)
{
    dpl_reader_options o =
        DPL_INIT(dpl_reader_options, .columns = "text,-,url,title,-,id,n\"m");
    CHECK_DUMP("a.tsv", "x\ta\thttp://\ttt\tb\tid\ta\\b\n", &o,
               "id|tt|x|{\"url\":\"http://\",\"n\\\"m\":\"a\\\\b\"}\n");
}

DPL_TEST(tsv, without_an_id_column_the_line_is_the_id)
{
    dpl_reader_options o = DPL_INIT(dpl_reader_options, .columns = "text");
    dump d = DUMP_TEXT("a.tsv", "a\n\nb\n", &o);
    CHECK_STR(dpl__cstr(d.text), "1||a|\n3||b|\n");
    CHECK_DROPPED(d, EMPTY, 1);
}

DPL_TEST(tsv, the_language_comes_from_its_column)
{
    dpl_ctx *ctx = test_ctx(1);
    dpl_reader *reader = NULL;
    dpl_doc doc;
    dpl_reader_options o = DPL_INIT(dpl_reader_options, .columns = "lang,text");
    CHECK_OK(dpl_reader_open(&reader, ctx, test_write("a.tsv", "fr\tx\n", 5), &o, &test_err));
    CHECK_OK(dpl_reader_next(reader, &doc, &test_err));
    CHECK_STR(doc.lang, "fr");
    dpl_reader_close(reader);
    test_ctx_done(ctx);
}

DPL_TEST(tsv, names_of_columns_are_checked_when_opening)
{
    static const char *const cases[][2] = {
        {"", "! a column without a name\n"},
        {"id,", "! a column without a name\n"},
        {"id,-,-", "! no column is named 'text'\n"},
        {"id,text,id", "! column 'id' is named twice\n"},
    };
    for (size_t i = 0; i < DPL_LEN(cases); i++) {
        dpl_reader_options o = DPL_INIT(dpl_reader_options, .columns = cases[i][0]);
        CHECK_DUMP("a.tsv", "1\tx\n", &o, cases[i][1]);
    }
}

DPL_TEST(tsv, too_few_or_too_many_columns_are_refused)
{
    CHECK_DUMP("a.tsv", "1\tx\n2\n", NULL,
               "1||x|\n! 'DIR/a.tsv' line 2: 1 column instead of 2\n");
    dump d = DUMP_TEXT("a.tsv", "1\tx\ty\n", NULL);
    CHECK_STR(dpl__cstr(d.text), "! 'DIR/a.tsv' line 1: 3 columns instead of 2\n");
    CHECK_STR(dpl__cstr(d.err.code), "bad-columns");
    dpl_reader_options o = DPL_INIT(dpl_reader_options, .on_error = DPL_ON_ERROR_SKIP);
    d = DUMP_TEXT("a.tsv", "1\n2\tx\n3\tx\ty\n\tz\n", &o);
    CHECK_STR(dpl__cstr(d.text), "2||x|\n");
    CHECK_DROPPED(d, MALFORMED, 2);
    CHECK_DROPPED(d, MISSING, 1);
}

DPL_TEST(docenc, the_text_is_base64)
{
    CHECK_DUMP("a.docenc", "ZWlucw==\n\nendlaQpkcmVp\r\n", NULL, "1||eins|\n3||zwei\ndrei|\n");
    dpl_reader_options o = DPL_INIT(dpl_reader_options, .columns = "url,text,id");
    CHECK_DUMP("a.b64", "u\tw6Q=\tx\n", &o, "x||\xC3\xA4|{\"url\":\"u\"}\n");
}

DPL_TEST(docenc, faults_name_the_character)
{
    CHECK_DUMP("a.docenc", "ZWlucw=\n", NULL,
               "! 'DIR/a.docenc' line 1: invalid base64 at column 7\n");
    dpl_reader_options o = DPL_INIT(dpl_reader_options, .columns = "-,text");
    dump d = DUMP_TEXT("a.docenc", "x\tZWlu cw==\n", &o);
    CHECK_STR(dpl__cstr(d.text), "! 'DIR/a.docenc' line 1: invalid base64 at column 7\n");
    CHECK_EQ(d.err.column, 7);
    CHECK_EQ(d.err.offset, 6);
    o.on_error = DPL_ON_ERROR_SKIP;
    d = DUMP_TEXT("a.docenc", "x\tZWlu cw==\nx\tw6\nx\tw6Q=\n", &o);
    CHECK_STR(dpl__cstr(d.text), "3||\xC3\xA4|\n");
    CHECK_DROPPED(d, MALFORMED, 2);
}

DPL_TEST(docenc, decoded_text_must_be_utf8)
{
    static const char text[] = "YWJjw2Q=\n"; /* "abc\xC3d" */
    dump d = DUMP_TEXT("a.docenc", text, NULL);
    CHECK_STR(dpl__cstr(d.text),
              "! 'DIR/a.docenc' line 1: invalid UTF-8 in base64 (byte 0xC3) at column 5\n");
    CHECK_STR(dpl__cstr(d.err.code), "bad-utf8");
    dpl_reader_options o = DPL_INIT(dpl_reader_options, .on_error = DPL_ON_ERROR_REPLACE);
    d = DUMP_TEXT("a.docenc", text, &o);
    CHECK_STR(dpl__cstr(d.text), "1||abc" REPLACEMENT "d|\n");
    CHECK_EQ(d.counts.n_replaced, 1);
    o.on_error = DPL_ON_ERROR_SKIP;
    d = DUMP_TEXT("a.docenc", text, &o);
    CHECK_STR(dpl__cstr(d.text), "");
    CHECK_DROPPED(d, UTF8, 1);
}

DPL_TEST(tsv, the_examples_read_the_same_in_any_chunks)
{
    dpl_reader_options o = DPL_INIT(dpl_reader_options, .columns = "id,lang,text,source");
    dump d = dump_with_all_chunks(DPL_TEST_SOURCE "/examples/formats/docs.tsv", &o);
    CHECK_EQ(d.err.status, DPL_OK);
    CHECK_EQ(d.counts.n_docs, 4);
    d = dump_with_all_chunks(DPL_TEST_SOURCE "/examples/formats/docs.docenc", NULL);
    CHECK_EQ(d.err.status, DPL_OK);
    CHECK_EQ(d.counts.n_docs, 3);
    CHECK_DROPPED(d, EMPTY, 1);
}

DPL_TEST(docenc, every_allocation_may_fail)
{
    static const char text[] = "\"a\"\tZWlucw==\n";
    dpl_reader_options o = DPL_INIT(dpl_reader_options, .columns = "x,text");
    check_read_allocations(test_write("a.docenc", text, sizeof text - 1), &o);
}
