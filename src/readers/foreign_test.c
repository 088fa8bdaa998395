#include "readers/foreign.h"

#include "readers/wiki/dump_test.h"

#include "test.h"

DPL_TEST(foreign, files_that_are_not_text_are_named)
{
    static const struct {
        const char *bytes;
        size_t n;
        const char *what;
    } cases[] = {
        {"%PDF-1.7\n%\xE2", 10, "a PDF file"},
        {"PAR1\x15\x04", 6, "a Parquet file"},
        {"PK\3\4\x14\0\0\0", 8, "a ZIP archive"},
        {"AT&TFORM\0\0", 10, "a DjVu file"},
        {"ARROW1\0\0", 8, "an Arrow file"},
        {"{\\rtf1", 6, "an RTF document"},
        {"\xD0\xCF\x11\xE0\xA1\xB1\x1A\xE1", 8, "an old Office file (DOC, XLS, PPT)"},
        {"\x7F"
         "ELF\2",
         5, "a program"},
        {"\x89"
         "DPL\r\n\x1A\n",
         8, "a file of doppel"},
        {"GIF89a", 6, "an image"},
        {"\0\1\2\3", 4, "a binary file"},
    };
    for (size_t i = 0; i < DPL_LEN(cases); i++) {
        const dpl__foreign *f = dpl__foreign_of((dpl_str){cases[i].bytes, cases[i].n});
        CHECK(f != NULL);
        CHECK_STR(dpl__cstr(f->what), cases[i].what);
    }
    CHECK(dpl__foreign_of(DPL_STR("Plain text, 5 % PDF.\n")) == NULL);
    CHECK(dpl__foreign_of(DPL_STR("")) == NULL);
}

DPL_TEST(foreign, postscript_is_refused_by_name_and_not_imported_as_text)
{
    dump d = dump_bytes("a.xyz", "%!PS-Adobe-3.0\n", 15, NULL);
    CHECK_STR(dpl__cstr(d.err.code), "file-postscript");
    dpl_reader_options o = DPL_INIT(dpl_reader_options, .from = DPL_FORMAT_DIR);
    static const char *const names[] = {"a.txt",  "a.html", "a.md",   "a.xyz",
                                        "a.epub", "a.srt",  "a.xliff"};
    for (size_t i = 0; i < DPL_LEN(names); i++) {
        d = dump_bytes(names[i], "%!PS-Adobe-3.0\n", 15, &o);
        CHECK_STR(dpl__cstr(d.err.code), "file-postscript");
    }
    o.on_error = DPL_ON_ERROR_SKIP;
    d = dump_bytes("a.txt", "a\0b\n", 4, &o);
    CHECK_DROPPED(d, FILE_TYPE, 1);
}
