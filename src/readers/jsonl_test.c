#include "readers/wiki/dump_test.h"

#include "test.h"

#define REPLACEMENT "\xEF\xBF\xBD"

DPL_TEST(jsonl, objects_become_documents)
{
    CHECK_DUMP("a.jsonl",
               "{\"id\":\"d1\",\"title\":\"T\",\"text\":\"one\\ntwo\",\"lang\":\"de\"}\n"
               "\n"
               "  {\"text\" : \"three\", \"id\" : \"d2\"}  \r\n",
               NULL, "d1|T|one\ntwo|\nd2||three|\n");
}

DPL_TEST(jsonl, the_language_comes_from_its_field)
{
    dpl_ctx *ctx = test_ctx(1);
    dpl_reader *reader = NULL;
    dpl_doc doc;
    const char json[] = "{\"id\":1,\"sprache\":\"de\",\"text\":\"x\"}";
    dpl_reader_options o = DPL_INIT(dpl_reader_options, .lang_key = "sprache");
    CHECK_OK(dpl_reader_open(&reader, ctx, test_write("a.jsonl", json, sizeof json - 1), &o,
                             &test_err));
    CHECK_OK(dpl_reader_next(reader, &doc, &test_err));
    CHECK_STR(doc.lang, "de");
    CHECK_EQ(dpl_reader_counts(reader)->n_identified, 0);
    dpl_reader_close(reader);
    test_ctx_done(ctx);
}

DPL_TEST(jsonl, unknown_members_are_kept_as_they_stand)
{
    CHECK_DUMP("a.jsonl",
               "{\"url\": \"http:\\/\\/x\",\"id\":1,\"n\":{\"a\": [1,2]},\"text\":\"x\","
               "\"\\u0075\":null}\n",
               NULL,
               "1||x|{\"url\": \"http:\\/\\/x\",\"n\":{\"a\": [1,2]},\"\\u0075\":null}\n");
}

DPL_TEST(jsonl, keys_can_be_chosen)
{
    dpl_reader_options o =
        DPL_INIT(dpl_reader_options, .id_key = "url", .text_key = "body", .title_key = "head");
    CHECK_DUMP("a.jsonl",
               "{\"url\":\"u\",\"body\":\"b\",\"head\":\"h\",\"id\":7,\"\\u0074ext\":\"t\"}\n",
               &o, "u|h|b|{\"id\":7,\"\\u0074ext\":\"t\"}\n");
    o.title_key = "";
    CHECK_DUMP("a.jsonl", "{\"u\\u0072l\":\"u\",\"body\":\"b\",\"\":\"h\"}\n", &o,
               "u||b|{\"\":\"h\"}\n");
    o.text_key = "";
    CHECK_DUMP("a.jsonl", "{}\n", &o, "! the text needs a key\n");
}

DPL_TEST(jsonl, an_empty_id_key_numbers_the_lines)
{
    dpl_reader_options o = DPL_INIT(dpl_reader_options, .id_key = "");
    CHECK_DUMP("a.jsonl", "{\"text\":\"a\"}\n\n{\"text\":\"b\",\"id\":\"x\"}\n", &o,
               "1||a|\n3||b|{\"id\":\"x\"}\n");
}

DPL_TEST(jsonl, ids_may_be_numbers_and_text_an_array_of_paragraphs)
{
    CHECK_DUMP("a.jsonl",
               "{\"id\":-1.50e2,\"title\":1984,\"text\":[\"a\\u00e4\",\"\",\"b\"]}\n"
               "{\"id\":2,\"text\":[]}\n",
               NULL, "-1.50e2|1984|a\xC3\xA4\n\nb|\n");
}

DPL_TEST(jsonl, of_a_key_that_comes_twice_the_last_counts)
{
    CHECK_DUMP("a.jsonl", "{\"id\":1,\"text\":\"a\",\"x\":1,\"x\":2,\"text\":\"b\"}\n", NULL,
               "1||b|{\"x\":1,\"x\":2}\n");
}

DPL_TEST(jsonl, a_missing_key_is_named)
{
    dump d = DUMP_TEXT("a.jsonl", "{\"id\":1,\"text\":\"x\"}\n{\"id\":2}\n", NULL);
    CHECK_STR(dpl__cstr(d.text), "1||x|\n! 'DIR/a.jsonl' line 2: missing key 'text'\n");
    CHECK_STR(dpl__cstr(d.err.code), "missing-text");
    CHECK_EQ(d.err.line, 2);
    CHECK_EQ(d.err.offset, 20);
    CHECK_DUMP("a.jsonl", "{\"id\":2,\"text\":null}\n", NULL,
               "! 'DIR/a.jsonl' line 1: missing key 'text'\n");
    d = DUMP_TEXT("a.jsonl", "{\"text\":\"x\"}", NULL);
    CHECK_STR(dpl__cstr(d.text), "! 'DIR/a.jsonl' line 1: missing key 'id'\n");
    CHECK_STR(dpl__cstr(d.err.code), "missing-id");
}

DPL_TEST(jsonl, wrong_types_are_refused)
{
    CHECK_DUMP(
        "a.jsonl", "{\"id\":1,\"text\":5}\n", NULL,
        "! 'DIR/a.jsonl' line 1: the text must be a string or an array of strings at column "
        "16\n");
    CHECK_DUMP("a.jsonl", "{\"id\":1,\"text\":[5]}\n", NULL,
               "! 'DIR/a.jsonl' line 1: expected a string at column 17\n");
    CHECK_DUMP("a.jsonl", "{\"id\":true,\"text\":\"x\"}\n", NULL,
               "! 'DIR/a.jsonl' line 1: the id must be a string or a number at column 7\n");
    dump d = DUMP_TEXT("a.jsonl", "[1]\n", NULL);
    CHECK_STR(dpl__cstr(d.text), "! 'DIR/a.jsonl' line 1: expected an object at column 1\n");
    CHECK_STR(dpl__cstr(d.err.code), "json-array");
}

DPL_TEST(jsonl, malformed_lines_can_be_skipped)
{
    dpl_reader_options o = DPL_INIT(dpl_reader_options, .on_error = DPL_ON_ERROR_SKIP);
    static const char json[] = "{\"id\":1,\"text\":\"x\"\n"
                               "{\"id\":2,\"text\":\"y\"}\n"
                               "{\"id\":3}\n"
                               "{\"id\":\"\",\"text\":\"z\"}\n"
                               "{\"id\":\"a\\tb\",\"text\":\"z\"}\n"
                               "{\"id\":4,\"text\":\"\\ud800\"}\n"
                               "{\"id\":5,\"text\":\"\xC3\"}\n"
                               "{\"id\":6,\"text\":\" \\n \"}\n";
    dump d = DUMP_TEXT("a.jsonl", json, &o);
    CHECK_STR(dpl__cstr(d.text), "2||y|\n");
    CHECK_DROPPED(d, MALFORMED, 2);
    CHECK_DROPPED(d, MISSING, 2);
    CHECK_DROPPED(d, UTF8, 2);
    CHECK_DROPPED(d, EMPTY, 1);
    CHECK_EQ(d.counts.n_docs, 1);
}

DPL_TEST(jsonl, surrogates_follow_the_policy)
{
    static const char json[] =
        "{\"id\":1,\"\\udc00\":\"\\udc00\",\"text\":\"a\\ud800b\\udc00\"}\n";
    dump d = DUMP_TEXT("a.jsonl", json, NULL);
    CHECK_STR(dpl__cstr(d.text),
              "! 'DIR/a.jsonl' line 1: a surrogate without its other half at column 36\n");
    CHECK_STR(dpl__cstr(d.err.code), "bad-utf8");
    dpl_reader_options o = DPL_INIT(dpl_reader_options, .on_error = DPL_ON_ERROR_REPLACE);
    d = DUMP_TEXT("a.jsonl", json, &o);
    CHECK_STR(dpl__cstr(d.text),
              "1||a" REPLACEMENT "b" REPLACEMENT "|{\"\\udc00\":\"\\udc00\"}\n");
    CHECK_EQ(d.counts.n_replaced, 2);
}

DPL_TEST(jsonl, the_example_reads_the_same_in_any_chunks)
{
    dump d = dump_with_all_chunks(DPL_TEST_SOURCE "/examples/formats/docs.jsonl", NULL);
    CHECK_EQ(d.err.status, DPL_OK);
    CHECK_EQ(d.counts.n_docs, 5);
}

DPL_TEST(jsonl, every_allocation_may_fail)
{
    static const char json[] =
        "{\"id\":1,\"u\":1,\"text\":[\"a\\n\",\"b\"],\"title\":\"\\u00e4\"}\n"
        "{\"id\":2,\"text\":\"e\xCC\x81\"}\n";
    check_read_allocations(test_write("a.jsonl", json, sizeof json - 1), NULL);
}
