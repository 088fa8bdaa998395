#include "io/external_filter.h"
#include "readers/wiki/dump_test.h"

#include "test.h"

#include <stdlib.h>

static const char report[] = DPL_TEST_SOURCE "/examples/formats/report.pdf";

DPL_TEST(pdf, paragraphs_are_joined_and_numbers_of_pages_left_out)
{
    if (!dpl__filter_is_there("pdftotext")) {
        dump d = dump_file(report, NULL);
        CHECK_STR(dpl__cstr(d.err.code), "file-pdf");
        return;
    }
    dump d = dump_file(report, NULL);
    CHECK(strstr(d.text, "the water in the chamber stands as high as the river below. A boat"));
    CHECK(strstr(d.text, "kept from then on.\nIn spring the ice"));
    CHECK(strstr(d.text, "the first of May.|"));
    const dpl_reader_options lines = DPL_INIT(dpl_reader_options, .wrapped = DPL_WRAPPED_NO);
    d = dump_file(report, &lines);
    CHECK(strstr(d.text, "in the chamber\nstands as high"));
}

DPL_TEST(pdf, a_damaged_one_is_an_error_whatever_its_name)
{
    if (!dpl__filter_is_there("pdftotext"))
        return;
    dump d = dump_bytes("a.txt", "%PDF-1.4\n", 9, NULL);
    CHECK(strstr(d.err.text, "pdftotext cannot read it"));
    const dpl_reader_options o = DPL_INIT(dpl_reader_options, .on_error = DPL_ON_ERROR_SKIP);
    d = dump_bytes("b.pdf", "no PDF at all", 13, &o);
    CHECK_DROPPED(d, MALFORMED, 1);
}

DPL_TEST(pdf, without_the_program_the_message_says_so)
{
    char *path = strdup(getenv("PATH") ? getenv("PATH") : "");
    CHECK(path && setenv("PATH", "/nowhere", 1) == 0);
    const dump d = dump_file(report, NULL);
    CHECK(setenv("PATH", path, 1) == 0);
    free(path);
    CHECK_STR(dpl__cstr(d.err.code), "file-pdf");
    CHECK(strstr(d.err.text, "pdftotext is not installed"));
}
