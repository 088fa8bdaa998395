#include "readers/wiki/dump_test.h"

#include "test.h"

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
