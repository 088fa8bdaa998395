#include "io/zip_test.h"
#include "readers/files_test.h"

#include "test.h"

#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#define FORMATS DPL_TEST_SOURCE "/examples/formats/"

dump dump_in_folder(const char *name, dpl_str bytes, const dpl_reader_options *options)
{
    char path[100];
    mkdir(test_path("one"), 0700);
    snprintf(path, sizeof path, "one/%s", name);
    const char *written = test_write(path, bytes.data, bytes.n);
    dump d = dump_file(test_path("one"), options);
    unlink(written);
    return d;
}

static const char *ending_of(const dump *d)
{
    const char *slash = strrchr(d->text, '/');
    return slash ? slash + 1 : d->text;
}

/* ---- books ------------------------------------------------------------------------------ */

static const char CONTAINER[] =
    "<container><rootfiles><rootfile full-path='a/b.opf'/></rootfiles></container>";
static const char OPF[] =
    "<package><metadata xmlns:dc='x'><dc:title>T</dc:title><dc:language>en</dc:language>"
    "</metadata><manifest><item id='c' href='c.xhtml' media-type='application/xhtml+xml'/>"
    "</manifest><spine><itemref idref='c'/></spine></package>";

static zip_file book(const char *opf, const char *chapter)
{
    zip_file z = {0};
    zip_add(&z, "mimetype", "application/epub+zip", false);
    zip_add(&z, "META-INF/container.xml", CONTAINER, true);
    if (opf)
        zip_add(&z, "a/b.opf", opf, true);
    if (chapter)
        zip_add(&z, "a/c.xhtml", chapter, true);
    return z;
}

DPL_TEST(epub, the_example_is_one_document_or_one_for_each_chapter)
{
    dpl_reader_options o = DPL_INIT(dpl_reader_options);
    dump d = dump_file(FORMATS "book.epub", &o);
    CHECK_STR(dpl__cstr(ending_of(&d)),
              "book.epub|The Lock Keeper|Morning\nThe keeper opens the lower gates before the "
              "first boat comes.\nShe reads the gauge and writes the level into her book.\n"
              "Evening\nWhen the last barge has gone, the water stands still.\n|\n");
    o.chapters = true;
    d = dump_file(FORMATS "book.epub", &o);
    CHECK_STR(dpl__cstr(ending_of(&d)),
              "chapter2.xhtml|Evening|Evening\nWhen the last barge has "
              "gone, the water stands still.|\n");
    CHECK_EQ(d.counts.n_docs, 2);
}

DPL_TEST(epub, names_stay_inside_of_the_book)
{
    zip_file z = book("<package><manifest><item id='c' href='../../../etc/passwd' "
                      "media-type='text/html'/></manifest><spine><itemref idref='c'/></spine>"
                      "</package>",
                      NULL);
    CHECK_IN_FOLDER("x.epub", zip_end(&z), NULL,
                    "! 'DIR/one/x.epub': the member 'etc/passwd' is missing\n");
    z = book("<package><manifest><item id='c' href='./x/../c%2Exhtml#top' "
             "media-type='text/html'/></manifest><spine><itemref idref='c'/></spine></package>",
             "<p>Text</p>");
    CHECK_IN_FOLDER("x.epub", zip_end(&z), NULL, "x.epub||Text\n|\n");
}

DPL_TEST(epub, what_a_book_lacks_is_named)
{
    zip_file z = book(OPF, NULL);
    CHECK_IN_FOLDER("x.epub", zip_end(&z), NULL,
                    "! 'DIR/one/x.epub': the member 'a/c.xhtml' is missing\n");
    z = book(NULL, NULL);
    CHECK_IN_FOLDER("x.epub", zip_end(&z), NULL,
                    "! 'DIR/one/x.epub': the member 'a/b.opf' is missing\n");
    z = book("<package><manifest>", NULL);
    CHECK_IN_FOLDER(
        "x.epub", zip_end(&z), NULL,
        "! 'DIR/one/x.epub': the member 'a/b.opf' line 1: malformed XML: no element "
        "found\n");
    z = book(OPF, "<p>Text</p>");
    zip_add(&z, "META-INF/encryption.xml", "<CipherReference URI='a/c.xhtml'/>", true);
    CHECK_IN_FOLDER("x.epub", zip_end(&z), NULL,
                    "! 'DIR/one/x.epub': the book is encrypted (copy protection)\n");
}

DPL_TEST(epub, xhtml_may_close_any_element_at_once)
{
    zip_file z = book(OPF, "<html><head><title/><script src='x'/></head><body><p>a<a id='1'/>b"
                           "</p><div/><p>&#233;t&eacute;</p></body></html>");
    CHECK_IN_FOLDER("x.epub", zip_end(&z), NULL, "x.epub|T|ab\nété\n|\n");
}

#define ITEM(id, href, more)                                                                   \
    "<item id='" id "' href='" href "' media-type='application/xhtml+xml'" more "/>"
#define PACKAGE(metadata, items, spine)                                                        \
    "<package><metadata xmlns:dc='x'>" metadata "</metadata><manifest>" items                  \
    "</manifest><spine>" spine "</spine></package>"

DPL_TEST(epub, chapters_come_in_the_order_of_the_spine)
{
    static const char opf[] =
        PACKAGE("",
                ITEM("c", "c.xhtml", "") ITEM("d", "sub/d.xhtml", " properties='x nav'")
                    ITEM("e", "../e.xhtml", " properties='navy'")
                        ITEM("h", "h.xhtml", "") "<item id='f' "
                                                 "href='f.xhtml'/>"
                                                 "<item id='g'/>",
                "<itemref idref='e'/><itemref idref='h'/><itemref/><itemref "
                "idref='missing'/><itemref idref='d'/>"
                "<itemref idref='f'/><itemref idref='g'/><itemref idref='c' linear='no'/>"
                "<itemref idref='e'/>");
    zip_file z = book(opf, "<p>c</p>");
    zip_add(&z, "a/sub/d.xhtml", "<p>contents</p>", true);
    zip_add(&z, "e.xhtml", "<p>e</p>", true);
    zip_add(&z, "a/h.xhtml", "<p/>", true); /* without text */
    zip_add(&z, "a/f.xhtml", "<p>no text by its type</p>", true);
    const dpl_str bytes = zip_end(&z);
    CHECK_IN_FOLDER("x.epub", bytes, NULL, "x.epub||e\nc\ne\n|\n");
    dpl_reader_options o =
        DPL_INIT(dpl_reader_options, .chapters = true, .on_error = DPL_ON_ERROR_SKIP);
    CHECK_IN_FOLDER("x.epub", bytes, &o,
                    "x.epub#e.xhtml||e|\nx.epub#a/c.xhtml||c|\nx.epub#e.xhtml||e|\n");
}

DPL_TEST(epub, chapters_have_title_and_language_of_the_book_unless_they_have_their_own)
{
    static const char opf[] = PACKAGE("<dc:title>Book</dc:title><dc:language>fr</dc:language>",
                                      ITEM("c", "c.xhtml", "") ITEM("d", "d.xhtml", ""),
                                      "<itemref idref='c'/><itemref idref='d'/>");
    zip_file z = book(opf, "<p>1 2</p>");
    zip_add(&z, "a/d.xhtml",
            "<html lang='de'><head><title>Own</title></head><body>3 4</body></html>", true);
    const dpl_str bytes = zip_end(&z);
    dpl_reader_options o = DPL_INIT(dpl_reader_options, .chapters = true, .only_lang = "fr");
    CHECK_IN_FOLDER("x.epub", bytes, &o, "x.epub#a/c.xhtml|Book|1 2|\n");
    o.only_lang = "de";
    CHECK_IN_FOLDER("x.epub", bytes, &o, "x.epub#a/d.xhtml|Own|3 4|\n");
    o.chapters = false;
    CHECK_IN_FOLDER("x.epub", bytes, &o, "");
    o.only_lang = "fr";
    CHECK_IN_FOLDER("x.epub", bytes, &o, "x.epub|Book|1 2\n3 4\n|\n");
}

/* A book of one chapter, under another name than its package file says, perhaps. */
static void check_href(const char *href, const char *member, const char *missing)
{
    char opf[600], expected[200] = "x.epub||text\n|\n";
    snprintf(opf, sizeof opf, PACKAGE("", ITEM("c", "%s", ""), "<itemref idref='c'/>"), href);
    zip_file z = book(opf, NULL);
    zip_add(&z, member, "<p>text</p>", true);
    if (missing)
        snprintf(expected, sizeof expected, "! 'DIR/one/x.epub': the member '%s' is missing\n",
                 missing);
    CHECK_IN_FOLDER("x.epub", zip_end(&z), NULL, expected);
}

DPL_TEST(epub, names_are_relative_to_the_package_file)
{
    check_href("c d.xhtml", "a/c d.xhtml", NULL);
    check_href("c%20d.xhtml", "a/c d.xhtml", NULL);
    check_href("c%c3%A4#x%20y", "a/c\xC3\xA4", NULL);
    check_href("c%4", "a/c%4", NULL); /* no escapes */
    check_href("c%4g%", "a/c%4g%", NULL);
    check_href("c%41", "a/cA", NULL);
    check_href(".//b/./../c", "a/c", NULL);
    check_href("../c", "c", NULL);
    check_href("../../c", "c", NULL); /* the top has nothing above it */
    check_href("..c/...", "a/..c/...", NULL);
    check_href("b/..", "a/c", "a");
    check_href("c", "c", "a/c");
    check_href("/c", "a/c", NULL);
}

DPL_TEST(epub, chapters_may_be_in_utf16_or_have_a_mark)
{
    static const char *const marks[] = {"\xEF\xBB\xBF<p>\xC3\xA4</p>", "<p>\xC3\xA4</p>"};
    for (size_t i = 0; i < DPL_LEN(marks); i++) {
        zip_file z = book(OPF, marks[i]);
        CHECK_IN_FOLDER("x.epub", zip_end(&z), NULL, "x.epub|T|\xC3\xA4\n|\n");
    }
    for (int is_big = 0; is_big < 2; is_big++) {
        char wide[64];
        size_t n = 0;
        const char *const narrow = "<p>x y</p>";
        wide[n++] = is_big ? '\xFE' : '\xFF';
        wide[n++] = is_big ? '\xFF' : '\xFE';
        for (const char *p = narrow; *p; p++) {
            wide[n++] = is_big ? 0 : *p;
            wide[n++] = is_big ? *p : 0;
        }
        zip_file z = book(OPF, NULL);
        zip_add_bytes(&z, "a/c.xhtml", (dpl_str){wide, n}, true);
        CHECK_IN_FOLDER("x.epub", zip_end(&z), NULL, "x.epub|T|x y\n|\n");
    }
}

DPL_TEST(epub, fonts_may_be_encrypted)
{
    zip_file z = book(OPF, "<p>Text</p>");
    zip_add(&z, "META-INF/encryption.xml",
            "<CipherReference URI='a/c.otf'/><CipherReference URI='a/c.xhtm'/>", true);
    CHECK_IN_FOLDER("x.epub", zip_end(&z), NULL, "x.epub|T|Text\n|\n");
    z = book(OPF, "<p>Text</p>");
    zip_add(&z, "META-INF/encryption.xml", "a/c.xhtml", true); /* at both ends */
    CHECK_IN_FOLDER("x.epub", zip_end(&z), NULL,
                    "! 'DIR/one/x.epub': the book is encrypted (copy protection)\n");
}

DPL_TEST(epub, the_first_package_file_of_the_container_counts)
{
    static const char *const containers[][2] = {
        {"<c><rootfile full-path='a/b.opf'/><rootfile full-path='no'/></c>",
         "x.epub|T|Text\n|\n"},
        {"<c><other full-path='no'/><rootfile/><rootfile full-path='a/b.opf'/></c>",
         "x.epub|T|Text\n|\n"},
        {"<c><rootfile full-path=''/></c>",
         "! 'DIR/one/x.epub': META-INF/container.xml names no package file\n"},
        {"<c/>", "! 'DIR/one/x.epub': META-INF/container.xml names no package file\n"}};
    for (size_t i = 0; i < DPL_LEN(containers); i++) {
        zip_file z = {0};
        zip_add(&z, "mimetype", "application/epub+zip", false);
        zip_add(&z, "META-INF/container.xml", containers[i][0], true);
        zip_add(&z, "a/b.opf", OPF, true);
        zip_add(&z, "a/c.xhtml", "<p>Text</p>", true);
        CHECK_IN_FOLDER("x.epub", zip_end(&z), NULL, containers[i][1]);
    }
}

/* ---- attacks ---------------------------------------------------------------------------- */

DPL_TEST(package, a_zip_bomb_is_refused_before_it_is_unpacked)
{
    static char zeros[4 << 20];
    zip_file z = book(OPF, NULL);
    zip_add_bytes(&z, "a/c.xhtml", (dpl_str){zeros, sizeof zeros}, true);
    dpl_reader_options o = DPL_INIT(dpl_reader_options, .max_record = 1 << 20);
    dump d = dump_in_folder("x.epub", zip_end(&z), &o);
    CHECK_STR(dpl__cstr(d.err.code), "long-record");
    CHECK_STR(dpl__cstr(d.text),
              "! 'DIR/one/x.epub': its members unpack to more than 1048576 bytes\n");
    zip_set(&z, 24, 1u << 30); /* "1 GB" */
    CHECK_STR(dpl__cstr(dump_in_folder("x.epub", zip_end(&z), NULL).err.code), "long-record");
    o.on_error = DPL_ON_ERROR_SKIP;
    CHECK_DROPPED(dump_in_folder("x.epub", zip_end(&z), &o), LONG, 1);
}

DPL_TEST(package, a_member_that_is_named_a_thousand_times_counts_each_time)
{
    static char opf[1 << 15], chapter[40000];
    int n = sprintf(opf, "<package><manifest><item id='c' href='c.xhtml' "
                         "media-type='text/html'/></manifest><spine>");
    for (int i = 0; i < 1000; i++)
        n += sprintf(opf + n, "<itemref idref='c'/>");
    sprintf(opf + n, "</spine></package>");
    memset(chapter, 'a', sizeof chapter - 1);
    zip_file z = book(opf, chapter);
    dpl_reader_options o = DPL_INIT(dpl_reader_options, .max_record = 1 << 20);
    CHECK_STR(dpl__cstr(dump_in_folder("x.epub", zip_end(&z), &o).err.code), "long-record");
}

DPL_TEST(package, entities_cannot_be_declared)
{
    zip_file z = book("<!DOCTYPE p [<!ENTITY a 'aaaaaaaaaa'><!ENTITY b '&a;&a;&a;&a;&a;'>]>"
                      "<package>&b;</package>",
                      NULL);
    CHECK_IN_FOLDER(
        "x.epub", zip_end(&z), NULL,
        "! 'DIR/one/x.epub': the member 'a/b.opf' line 1: it declares XML entities, "
        "which are not accepted\n");
    z = book("<!DOCTYPE p SYSTEM 'file:///etc/passwd'><package>&x;</package>", NULL);
    CHECK_IN_FOLDER(
        "x.epub", zip_end(&z), NULL,
        "! 'DIR/one/x.epub': the member 'a/b.opf' line 1: unknown XML entity '&x;'\n");
}

DPL_TEST(package, other_zip_files_are_named_and_archives_in_archives_stay_closed)
{
    zip_file z = {0};
    zip_add(&z, "a.txt", "x", false);
    dump d = dump_in_folder("x.epub", zip_end(&z), NULL);
    CHECK_STR(dpl__cstr(d.text), "! 'DIR/one/x.epub': it is a ZIP archive, not text\n");
    CHECK_STR(dpl__cstr(d.err.code), "file-archive");
    zip_file outer = {0};
    zip_add_bytes(&outer, "inner.epub", zip_end(&z), true);
    CHECK_STR(dpl__cstr(dump_in_folder("x.txt", zip_end(&outer), NULL).err.code),
              "file-archive");
    zip_file sheet = {0};
    zip_add(&sheet, "[Content_Types].xml", "<Types/>", true);
    zip_add(&sheet, "_rels/.rels",
            "<Relationships><Relationship Type='http://x/officeDocument' "
            "Target='xl/workbook.xml'/></Relationships>",
            true);
    d = dump_in_folder("x.docx", zip_end(&sheet), NULL);
    CHECK_STR(dpl__cstr(d.text), "! 'DIR/one/x.docx': it is a spreadsheet, not text\n");
    CHECK_STR(dpl__cstr(d.err.code), "file-spreadsheet");
    CHECK_IN_FOLDER("x.odt", DPL_STR("plain"), NULL,
                    "! 'DIR/one/x.odt': it is not a ZIP file\n");
}

DPL_TEST(package, every_truncation_of_the_examples_is_refused)
{
    static const char *const names[] = {"book.epub", "letter.docx", "letter.odt"};
    for (size_t i = 0; i < DPL_LEN(names); i++) {
        char path[300], bytes[4000];
        snprintf(path, sizeof path, FORMATS "%s", names[i]);
        FILE *f = fopen(path, "rb");
        CHECK(f != NULL);
        const size_t n = fread(bytes, 1, sizeof bytes, f);
        fclose(f);
        CHECK(n > 1000 && n < sizeof bytes);
        for (size_t cut = 4; cut < n; cut += 37)
            CHECK_EQ(dump_in_folder(names[i], (dpl_str){bytes, cut}, NULL).err.status,
                     DPL_E_FORMAT);
    }
}

/* ---- office documents ------------------------------------------------------------------- */

DPL_TEST(docx, the_example_reads_with_its_changes_accepted)
{
    dump d = dump_file(FORMATS "letter.docx", NULL);
    CHECK_STR(dpl__cstr(ending_of(&d)),
              "letter.docx|A letter from the lock|Dear colleagues,\nthe upper gate will be "
              "repaired on Monday.\nBoats wait\nbelow the bridge\nWeather permitting.|\n");
}

static zip_file word(const char *body)
{
    zip_file z = {0};
    zip_add(&z, "[Content_Types].xml", "<Types/>", true);
    zip_add(&z, "_rels/.rels",
            "<Relationships><Relationship Type='http://x/officeDocument' "
            "Target='/word/document.xml'/></Relationships>",
            true);
    if (body)
        zip_add(&z, "word/document.xml", body, true);
    return z;
}

DPL_TEST(docx, hidden_text_fallbacks_and_tab_stops_are_no_text)
{
    zip_file z = word(
        "<w:document xmlns:w='w' xmlns:mc='m'><w:p><w:pPr><w:tabs><w:tab/></w:tabs></w:pPr>"
        "<w:r><w:t>one</w:t><w:tab/><w:t>two</w:t><w:noBreakHyphen/><w:t>x</w:t></w:r>"
        "<w:r><w:rPr><w:vanish/></w:rPr><w:t>hidden</w:t></w:r>"
        "<w:r><w:rPr><w:vanish w:val='0'/></w:rPr><w:t> seen</w:t></w:r>"
        "<w:r><w:instrText>PAGE</w:instrText></w:r>"
        "<w:moveFrom><w:r><w:t>moved</w:t></w:r></w:moveFrom>"
        "<mc:AlternateContent><mc:Choice><w:r><w:txbxContent><w:p><w:r><w:t>box</w:t></w:r>"
        "</w:p></w:txbxContent></w:r></mc:Choice><mc:Fallback><w:r><w:t>box</w:t></w:r>"
        "</mc:Fallback></mc:AlternateContent></w:p></w:document>");
    CHECK_IN_FOLDER("x.docx", zip_end(&z), NULL, "x.docx||one two\xE2\x80\x91x seen\nbox|\n");
    z = word(NULL);
    CHECK_IN_FOLDER("x.docx", zip_end(&z), NULL,
                    "! 'DIR/one/x.docx': the member 'word/document.xml' is missing\n");
}

DPL_TEST(docx, the_language_is_that_of_the_runs_or_of_the_text_but_not_the_template)
{
    static const char *const runs[][2] = {
        {"<w:lang w:val='fr-FR'/>", "fr"}, /* marked */
        {"", "de"},                        /* en-US in the template, German in fact */
    };
    for (size_t i = 0; i < DPL_LEN(runs); i++) {
        char body[600];
        snprintf(
            body, sizeof body,
            "<w:document xmlns:w='w'><w:p><w:r><w:rPr>%s</w:rPr><w:t>Die Schleuse wird am "
            "Montag geschlossen, weil das obere Tor repariert werden muss. Die Boote warten "
            "unter der Brücke auf den Abend.</w:t></w:r></w:p></w:document>",
            runs[i][0]);
        zip_file z = word(body);
        zip_add(&z, "word/styles.xml",
                "<w:styles xmlns:w='w'><w:docDefaults><w:lang w:val='en-US'/></w:docDefaults>"
                "</w:styles>",
                true);
        dpl_reader_options o = DPL_INIT(dpl_reader_options, .only_lang = runs[i][1]);
        CHECK_EQ(dump_in_folder("x.docx", zip_end(&z), &o).counts.n_docs, 1);
    }
}

DPL_TEST(odt, the_example_puts_notes_behind_their_paragraph)
{
    dump d = dump_file(FORMATS "letter.odt", NULL);
    CHECK_STR(
        dpl__cstr(ending_of(&d)),
        "letter.odt|Ein Brief von der Schleuse|Liebe Kollegen\ndas obere Tor wird am "
        "Montag repariert.\nWenn das Wetter es erlaubt.\nBoote warten unter der Brücke.|\n");
}

DPL_TEST(odt, flat_files_are_read_without_a_zip_file)
{
    CHECK_IN_FOLDER("x.fodt",
                    DPL_STR("<office:document xmlns:office='o' xmlns:text='t' xmlns:dc='d'>"
                            "<office:meta><dc:title>T</dc:title></office:meta><office:body>"
                            "<text:p>a<text:line-break/>b <text:span>c</text:span></text:p>"
                            "</office:body></office:document>"),
                    NULL, "x.fodt|T|a\nb c|\n");
    CHECK_IN_FOLDER("x.fodt", DPL_STR("<office:document>\n<a>"), NULL,
                    "! 'DIR/one/x.fodt' line 2: malformed XML: no element found at column 4\n");
}

DPL_TEST(package, every_allocation_may_fail)
{
    check_read_allocations(FORMATS "book.epub", NULL);
    check_read_allocations(FORMATS "letter.docx", NULL);
    check_read_allocations(FORMATS "letter.odt", NULL);
    check_read_allocations(FORMATS "strings.xliff", NULL);
    check_read_allocations(FORMATS "messages.po", NULL);
    check_read_allocations(FORMATS "talk.srt", NULL);
}

DPL_TEST(package, binary_files_are_detected_by_their_bytes_whatever_their_name)
{
    zip_file z = book(OPF, "<p>Text</p>");
    CHECK_IN_FOLDER("x.txt", zip_end(&z), NULL, "x.txt|T|Text\n|\n");
}
