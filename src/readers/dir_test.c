#include "readers/dir.h"

#include "readers/wiki/dump_test.h"
#include "test.h"

#include <stdio.h>
#include <sys/stat.h>
#include <unistd.h>

#define REPLACEMENT "\xEF\xBF\xBD"

static const char *make_directory(const char *name)
{
    const char *path = test_path(name);
    CHECK(mkdir(path, 0700) == 0);
    return path;
}

/* The names of the members, separated by spaces. */
static const char *list(const char *path, size_t *n_other)
{
    static char names[1000];
    dpl_ctx *ctx = test_ctx(1);
    dpl__dir_list l;
    CHECK_OK(dpl__dir_list_open(&l, ctx, path, false, &test_err));
    names[0] = 0;
    for (size_t i = 0; i < l.n; i++)
        sprintf(names + strlen(names), "%s%s", i ? " " : "", l.data[i].name);
    *n_other = l.n_other;
    dpl__dir_list_close(&l);
    test_ctx_done(ctx);
    return names;
}

DPL_TEST(dir, lists_its_files_in_bytewise_order)
{
    static const char *const names[] = {"t/b.txt",      "t/B.TXT",     "t/a/z.md",
                                        "t/a.html",     "t/a/b/c.htm", "t/a-.txt.gz",
                                        "t/z.markdown", "t/c.xhtml"};
    make_directory("t");
    make_directory("t/a");
    make_directory("t/a/b");
    make_directory("t/.hidden");
    for (size_t i = 0; i < DPL_LEN(names); i++)
        test_write(names[i], "x", 1);
    test_write("t/.x.txt", "x", 1);
    test_write("t/.hidden/x.txt", "x", 1);
    test_write("t/other.ps", "x", 1);
    test_write("t/a/other.tex", "x", 1);
    size_t n_other;
    static const char *const expected =
        "B.TXT a-.txt.gz a.html a/b/c.htm a/z.md b.txt c.xhtml z.markdown";
    CHECK_STR(dpl__cstr(list(test_path("t"), &n_other)), expected);
    CHECK_EQ(n_other, 2);
    CHECK_STR(dpl__cstr(list(test_path("t/"), &n_other)), expected);
}

DPL_TEST(dir, files_without_an_ending_are_listed_if_they_are_text)
{
    make_directory("t");
    test_write("t/README", "x", 1);
    test_write("t/60123", "From: a\n", 8);
    test_write("t/program", "x\0y", 3);
    test_write("t/program2",
               "\x7F"
               "ELF",
               4);
    size_t n_other;
    CHECK_STR(dpl__cstr(list(test_path("t"), &n_other)), "60123 README");
    CHECK_EQ(n_other, 2);
}

DPL_TEST(dir, links_are_followed_on_demand_and_never_to_directories)
{
    make_directory("t");
    make_directory("t/sub");
    test_write("x.txt", "x", 1);
    CHECK(symlink(test_path("x.txt"), test_path("t/link.txt")) == 0);
    CHECK(symlink(test_path("t"), test_path("t/sub/loop")) == 0);
    CHECK(symlink(test_path("t"), test_path("t/sub/loop.txt")) == 0);
    CHECK(symlink("nowhere", test_path("t/sub/dangling.txt")) == 0);
    CHECK(symlink("round.txt", test_path("t/sub/round.txt")) == 0);
    CHECK(mkfifo(test_path("t/pipe.txt"), 0600) == 0);
    dump d = dump_file(test_path("t"), NULL);
    CHECK_STR(dpl__cstr(d.text), "");
    CHECK_DROPPED(d, LINK, 3); /* two of them to directories */
    dpl_reader_options o = DPL_INIT(dpl_reader_options, .follow_links = true);
    d = dump_file(test_path("t"), &o);
    CHECK_STR(dpl__cstr(d.text), "link.txt||x|\n");
    CHECK_DROPPED(d, LINK, 2);
    CHECK_DROPPED(d, FILE_TYPE, 0);
    CHECK(symlink(test_path("t"), test_path("entry")) == 0);
    CHECK_STR(dpl__cstr(dump_file(test_path("entry"), &o).text), "link.txt||x|\n");
    CHECK(symlink("x.txt", test_path("given.txt")) == 0);
    CHECK(strstr(dump_file(test_path("given.txt"), NULL).text, "given.txt||x|") != NULL);
}

DPL_TEST(dir, deep_trees_are_listed_whole)
{
    char path[6000];
    make_directory("t");
    snprintf(path, sizeof path, "%s", test_path("t"));
    int depth = 0;
    while (strlen(path) < 4000 && mkdir(strcat(path, "/dddddddd"), 0700) == 0)
        depth++;
    strcat(path, "/x.txt");
    FILE *f = fopen(path, "w");
    CHECK(f != NULL);
    fclose(f);
    dpl_ctx *ctx = test_ctx(1);
    dpl__dir_list l;
    CHECK_OK(dpl__dir_list_open(&l, ctx, test_path("t"), false, &test_err));
    CHECK_EQ(l.n, 1);
    CHECK(depth > 400);
    dpl__dir_list_close(&l);
    test_ctx_done(ctx);
}

DPL_TEST(dir, what_is_not_there_is_an_error)
{
    dump d = dump_file(test_path("no.txt"), NULL);
    CHECK_STR(dpl__cstr(d.text), "! cannot open 'DIR/no.txt': No such file or directory\n");
    CHECK_EQ(d.err.sys_errno, ENOENT);
}

DPL_TEST(dir, files_become_documents_by_their_ending)
{
    make_directory("t");
    test_write("t/a.txt", "one\r\ntwo\rthree\r\n", 16);
    test_write("t/b.HTM", "<title>B</title><p>b &amp; b", 28);
    test_write("t/c.md", "# C\n\n*c*\n", 9);
    test_write("t/d.txt", "", 0);
    test_write("t/e.txt",
               "\xEF\xBB\xBF"
               "bom",
               6);
    test_write("t/f.txt",
               "\xFF\xFE"
               "u\0\xE4\0",
               6);
    dump d = dump_with_all_chunks(test_path("t"), NULL);
    CHECK_STR(dpl__cstr(d.text), "a.txt||one\ntwo\rthree\n|\nb.HTM|B|b & b|\nc.md|C|C\nc|\n"
                                 "e.txt||bom|\nf.txt||u\xC3\xA4|\n");
    CHECK_DROPPED(d, EMPTY, 1);
}

DPL_TEST(dir, a_single_file_is_its_own_member)
{
    dump d = dump_bytes("a.txt", "x\xC3\n", 3, NULL);
    CHECK_STR(dpl__cstr(d.text),
              "! 'DIR/a.txt' line 1: invalid UTF-8 (byte 0xC3 at column 2)\n");
    d = dump_bytes("a.txt", "x\n", 2, NULL);
    char expected[600];
    snprintf(expected, sizeof expected, "%s||x\n|\n", test_path("a.txt"));
    CHECK_STR(dpl__cstr(d.text), expected);
}

DPL_TEST(dir, a_single_file_of_any_other_name_is_text)
{
    dpl_reader_options o = DPL_INIT(dpl_reader_options, .from = DPL_FORMAT_DIR);
    dump d = dump_bytes("a.de", "x\r\ny", 4, &o);
    char expected[600];
    snprintf(expected, sizeof expected, "%s||x\ny|\n", test_path("a.de"));
    CHECK_STR(dpl__cstr(d.text), expected);
}

DPL_TEST(dir, html_is_converted_from_the_encoding_it_declares)
{
    make_directory("t");
    test_write("t/a.html", "<meta charset=latin1>\xE4", 22);
    CHECK_STR(dpl__cstr(dump_file(test_path("t"), NULL).text), "a.html||\xC3\xA4|\n");
    test_write("t/a.html", "<meta charset=latin1>\xC3\xA4", 23); /* it lies: this is UTF-8 */
    CHECK_STR(dpl__cstr(dump_file(test_path("t"), NULL).text), "a.html||\xC3\xA4|\n");
    test_write("t/a.html", "\n\n<meta charset=unheard-of>\xE4", 28);
    CHECK_STR(dpl__cstr(dump_file(test_path("t"), NULL).text),
              "! 'DIR/t/a.html' line 3: invalid UTF-8 (byte 0xE4 at column 26)\n");
}

DPL_TEST(dir, bytes_outside_the_declared_encoding_meet_the_policy)
{
    make_directory("t");
    test_write("t/a.html",
               "<meta charset=gb2312>\xFF"
               "a",
               23);
    CHECK_STR(dpl__cstr(dump_file(test_path("t/"), NULL).text),
              "! 'DIR/t/a.html': not valid gb18030 in 1 place\n");
    dpl_reader_options o = DPL_INIT(dpl_reader_options, .on_error = DPL_ON_ERROR_REPLACE);
    dump d = dump_file(test_path("t"), &o);
    CHECK_STR(dpl__cstr(d.text), "a.html||" REPLACEMENT "a|\n");
    CHECK_EQ(d.counts.n_replaced, 1);
    o.on_error = DPL_ON_ERROR_SKIP;
    d = dump_file(test_path("t"), &o);
    CHECK_STR(dpl__cstr(d.text), "");
    CHECK_DROPPED(d, UTF8, 1);
}

DPL_TEST(dir, names_must_be_utf8_too)
{
    make_directory("t");
    test_write("t/\xFF.txt", "x", 1);
    CHECK_STR(dpl__cstr(dump_file(test_path("t"), NULL).text),
              "! 'DIR/t/\xFF.txt': the name is not valid UTF-8\n");
    dpl_reader_options o = DPL_INIT(dpl_reader_options, .on_error = DPL_ON_ERROR_REPLACE);
    CHECK_STR(dpl__cstr(dump_file(test_path("t"), &o).text), REPLACEMENT ".txt||x|\n");
    o.on_error = DPL_ON_ERROR_SKIP;
    CHECK_DROPPED(dump_file(test_path("t"), &o), UTF8, 1);
}

DPL_TEST(dir, long_files_meet_the_policy)
{
    make_directory("t");
    test_write("t/a.txt",
               "\xFF\xFE"
               "0\0001\0002\0003",
               9); /* ends within a character */
    test_write("t/b.txt",
               "\xFF\xFE"
               "b\0",
               4);
    dpl_reader_options o = DPL_INIT(dpl_reader_options, .max_record = 3, .chunk = 1);
    CHECK_STR(dpl__cstr(dump_file(test_path("t"), &o).text),
              "! 'DIR/t/a.txt': longer than 3 bytes\n");
    o.on_error = DPL_ON_ERROR_SKIP;
    dump d = dump_with_all_chunks(test_path("t"), &o);
    CHECK_STR(dpl__cstr(d.text), "b.txt||b|\n");
    CHECK_DROPPED(d, LONG, 1);
}

DPL_TEST(dir, a_page_that_no_browser_would_show_meets_the_policy)
{
    static char html[5 * 200000];
    for (size_t i = 0; i < sizeof html; i += 5)
        memcpy(html + i, "<div>", 5);
    make_directory("t");
    test_write("t/a.html", html, sizeof html);
    dpl_reader_options o = DPL_INIT(dpl_reader_options);
    CHECK_STR(dpl__cstr(dump_file(test_path("t"), &o).text),
              "! 'DIR/t/a.html': its elements are nested too deeply\n");
    o.on_error = DPL_ON_ERROR_SKIP;
    CHECK_DROPPED(dump_file(test_path("t"), &o), MALFORMED, 1);
}

DPL_TEST(dir, the_example_reads_as_it_should)
{
    dump d = dump_with_all_chunks(DPL_TEST_SOURCE "/examples/formats/site", NULL);
    CHECK_STR(
        dpl__cstr(d.text),
        "de/pegel.txt||Der Pegel steht bei zwei Metern zehn.\n"
        "Seit Dienstag f\xC3\xA4llt er langsam.\n|\n"
        "de/schleuse.htm|Wie eine Schleuse arbeitet|Wie eine Schleuse arbeitet\n"
        "Hinter dem Boot schlie\xC3\x9F"
        "en sich die unteren Tore. Von oben l\xC3\xA4uft Wasser ein, "
        "bis beide Seiten gleich hoch stehen.\n"
        "Dann werden die oberen Tore von Hand ge\xC3\xB6"
        "ffnet \xE2\x80\x93 oder, wie der "
        "W\xC3\xA4rter sagt, \xE2\x80\x9E\xC3\xBC"
        "berredet\xE2\x80\x9C.|\n"
        "en/lock.html|How a lock works|How a lock works\n"
        "The lower gates close behind the boat. Water runs in from above until both sides are "
        "level.\nThen the upper gates open by hand.\nKeep the lines loose.\nKeep the engine "
        "off.\n"
        "up 12 minutes\ndown 9 minutes|\n"
        "index.html|The lock keeper's pages|The lock keeper\xE2\x80\x99s pages\n"
        "Two boats fit into the chamber, three if the skippers are friends. Please sound the "
        "horn "
        "once.\nDay\nBoats\nSaturday\n31\nLevel on the gauge: 2,10\xC2\xA0m|\n"
        "notes/log.markdown|Logbook|Logbook\nThe Marta came through at nine,\nthe Ida did not "
        "stop.\nGrease the winch\nPaint the railing|\n"
        "notes/tides.md|Notes on the tide|Spring and neap\nThe harbour is tidal; the tables "
        "are "
        "only a guess.\nSpring tide: two days after full moon\nNeap tide: a week later "
        "\xE2\x80\x93 "
        "and lower\nPlace\nRange\nHarbour\n3.4 m\nBridge\n2.9 m\nheight = mean + range / 2 * "
        "cos(t)|\n");
    CHECK_DROPPED(d, FILE_TYPE, 1);
}

DPL_TEST(dir, every_allocation_may_fail)
{
    make_directory("t");
    make_directory("t/s");
    test_write("t/a.html", "<meta charset=latin1><title>\xE4</title>x", 38);
    test_write("t/s/b.md", "# x\n\n&auml;", 11);
    test_write("t/s/c.txt", "x\r\n", 3);
    check_read_allocations(test_path("t"), NULL);
}
