#include "readers/wiki/dump_test.h"

#include "test.h"

DPL_TEST(json_array, objects_of_an_array_become_documents)
{
    CHECK_DUMP("a.json",
               "[{\"id\":1,\"text\":\"a ]}\\\"{\"},\n {\"id\":\"2\",\"text\":\"b\",\n"
               "\"n\":[{}]}]\n",
               NULL, "1||a ]}\"{|\n2||b|{\"n\":[{}]}\n");
    CHECK_DUMP("a.json", "{\n \"id\": 1,\n \"text\": \"x\"\n}\n", NULL, "1||x|\n");
    CHECK_DUMP("a.json", "[]\n", NULL, "");
}

DPL_TEST(json_array, an_object_is_the_same_for_any_chunk)
{
    dpl_reader_options o = DPL_INIT(dpl_reader_options);
    for (o.chunk = 1; o.chunk < 60; o.chunk++)
        CHECK_DUMP("a.json", "[\n{\"id\":1,\"text\":\"a\\\\\"},{\"text\":\"}\",\"id\":2}]", &o,
                   "1||a\\|\n2||}|\n");
}

DPL_TEST(json_array, faults_name_line_and_column)
{
    CHECK_DUMP("a.json", "[\n {\"id\":1,\n  \"text\":7}\n]\n", NULL,
               "! 'DIR/a.json' line 3: the text must be a string or an array of strings at "
               "column 10\n");
    CHECK_DUMP("a.json", "[{\"id\":1,\"text\":\"x\"},\n7]\n", NULL,
               "1||x|\n! 'DIR/a.json' line 2: expected an object at column 1\n");
    dpl_reader_options o = DPL_INIT(dpl_reader_options, .on_error = DPL_ON_ERROR_SKIP);
    dump d = DUMP_TEXT("a.json", "[{\"id\":1},{\"id\":2,\"text\":\"x\"},{\"id\":3,", &o);
    CHECK_STR(dpl__cstr(d.text), "2||x|\n");
    CHECK_DROPPED(d, MISSING, 1);
    CHECK_DROPPED(d, MALFORMED, 1);
}

DPL_TEST(json_array, an_array_cut_off_between_two_objects_is_an_error_for_any_chunk)
{
    dpl_reader_options o = DPL_INIT(dpl_reader_options);
    for (o.chunk = 1; o.chunk < 60; o.chunk++) {
        CHECK_DUMP("a.json", "[{\"id\":1,\"text\":\"x\"},\n{\"id\":2,\"text\":\"y\"}", &o,
                   "1||x|\n2||y|\n! 'DIR/a.json' line 2: the array is not closed: the file "
                   "is cut off at column 20\n");
        CHECK_DUMP("a.json", "[{\"id\":1,\"text\":\"x\"},\n", &o,
                   "1||x|\n! 'DIR/a.json' line 2: the array is not closed: the file is cut off "
                   "at column 1\n");
        CHECK_DUMP("a.json", "[{\"id\":1,\"text\":\"x\"}\n]\n\n", &o, "1||x|\n");
    }
    CHECK_DUMP("a.json", "[", NULL,
               "! 'DIR/a.json' line 1: the array is not closed: the file is cut off at column "
               "2\n");
    o = (dpl_reader_options)DPL_INIT(dpl_reader_options, .on_error = DPL_ON_ERROR_SKIP);
    dump d = DUMP_TEXT("a.json", "[{\"id\":1,\"text\":\"x\"},", &o);
    CHECK_STR(dpl__cstr(d.text), "1||x|\n");
    CHECK_DROPPED(d, MALFORMED, 1);
}

DPL_TEST(json_path, dots_lead_into_objects_and_arrays)
{
    dpl_reader_options o = DPL_INIT(dpl_reader_options, .id_key = "meta.id",
                                    .title_key = "meta.title", .text_key = "page.parts.text");
    CHECK_DUMP("a.jsonl",
               "{\"meta\":{\"id\":7,\"title\":\"t\"},\"page\":{\"parts\":[{\"text\":\"a\"},"
               "{\"x\":1},{\"text\":[\"b\",\"c\"]}]}}\n",
               &o,
               "7|t|a\nb\nc|{\"meta\":{\"id\":7,\"title\":\"t\"},\"page\":{\"parts\":["
               "{\"text\":\"a\"},{\"x\":1},{\"text\":[\"b\",\"c\"]}]}}\n");
}

DPL_TEST(json_path, a_key_with_dots_comes_before_a_path)
{
    dpl_reader_options o = DPL_INIT(dpl_reader_options, .text_key = "a.b");
    CHECK_DUMP("a.jsonl", "{\"id\":1,\"a\":{\"b\":\"x\"},\"a.b\":\"y\"}\n", &o,
               "1||y|{\"a\":{\"b\":\"x\"}}\n");
    CHECK_DUMP("a.jsonl", "{\"id\":1,\"a\":{\"b\":{}}}\n", &o,
               "! 'DIR/a.jsonl' line 1: the text must be a string or an array of strings at "
               "column 18\n");
    CHECK_DUMP("a.jsonl", "{\"id\":1,\"a\":{\"c\":\"x\"}}\n", &o,
               "! 'DIR/a.jsonl' line 1: missing key 'a.b'\n");
}
