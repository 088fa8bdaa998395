#include "readers/chunks.h"

#include "test.h"

#include <bzlib.h>
#include <stdio.h>
#include <stdlib.h>

static const char head[] = "<mediawiki version=\"0.11\" xml:lang=\"de\">\n"
                           "  <siteinfo><sitename>x</sitename></siteinfo>\n";
static const char tail[] = "</mediawiki>\n";

#define PAGE(id, title, text)                                                                  \
    "  <page>\n    <title>" title "</title>\n    <ns>0</ns>\n    <id>" id "</id>\n"            \
    "    <revision><id>9</id><contributor><id>8</id></contributor><text>" text "</text>"       \
    "</revision>\n  </page>\n"
#define LONG_TEXT                                                                              \
    "Ein Satz, der lang genug ist, damit die Seite nicht als Stummel gilt. Noch einer, der "   \
    "ebenfalls ein wenig dazu beitr\xC3\xA4gt."

/* ---- reading a dump ----------------------------------------------------------------- */

typedef struct result {
    dpl_status status;
    dpl_error err;
    dpl_read_counts counts;
    char docs[20000]; /* one line each: id|lang|title|text|extra, '/' for line ends,
                         '@' for marks of sections */
} result;

static void append_slice(result *r, size_t *n, dpl_str s, char end)
{
    CHECK(*n + s.n + 2 < sizeof r->docs);
    for (size_t i = 0; i < s.n; i++)
        r->docs[(*n)++] = s.data[i] == '\n'               ? '/'
                          : s.data[i] == DPL_SECTION_MARK ? '@'
                                                          : s.data[i];
    r->docs[(*n)++] = end;
    r->docs[*n] = 0;
}

static void read_file(result *r, dpl_ctx *ctx, const char *path, const dpl_reader_options *o)
{
    *r = (result){0};
    dpl_reader *reader = NULL;
    r->status = dpl_reader_open(&reader, ctx, path, o, &r->err);
    if (r->status != DPL_OK)
        return;
    size_t n = 0;
    dpl_doc doc;
    while ((r->status = dpl_reader_next(reader, &doc, &r->err)) == DPL_OK) {
        append_slice(r, &n, doc.id, '|');
        append_slice(r, &n, doc.lang, '|');
        append_slice(r, &n, doc.title, '|');
        append_slice(r, &n, doc.text, '|');
        append_slice(r, &n, doc.extra, '\n');
    }
    r->counts = *dpl_reader_counts(reader);
    dpl_reader_close(reader);
}

static void read_text(result *r, const char *xml, dpl_on_error on_error)
{
    dpl_ctx *ctx = test_ctx(1);
    dpl_reader_options o =
        DPL_INIT(dpl_reader_options, .from = DPL_FORMAT_WIKI, .on_error = on_error);
    read_file(r, ctx, test_write("dump.xml", xml, strlen(xml)), &o);
    test_ctx_done(ctx);
}

static const char *fixture(void)
{
    return DPL_TEST_SOURCE "/examples/formats/wiki.xml";
}

static void check_fails(const char *xml, const char *message)
{
    static result r;
    read_text(&r, xml, DPL_ON_ERROR_FAIL);
    CHECK_EQ(r.status, DPL_E_FORMAT);
    if (!strstr(r.err.text, message))
        dpl__test_fail(__FILE__, __LINE__, "'%s' does not say '%s'", r.err.text, message);
}

/* With on_error=skip: how many documents, and how many drops for that reason. */
static void check_skips(const char *xml, size_t n_docs, dpl_drop why, size_t n_drops)
{
    static result r;
    read_text(&r, xml, DPL_ON_ERROR_SKIP);
    CHECK_EQ(r.status, DPL_END);
    CHECK_EQ(r.counts.n_docs, n_docs);
    CHECK_EQ(r.counts.n_dropped[why], n_drops);
}

/* ---- pages -------------------------------------------------------------------------- */

DPL_TEST(wiki, the_example_dump_gives_its_articles)
{
    static result r;
    dpl_ctx *ctx = test_ctx(1);
    read_file(&r, ctx, fixture(), NULL);
    CHECK_EQ(r.status, DPL_END);
    CHECK_EQ(r.counts.n_docs, 7);
    CHECK_EQ(r.counts.n_dropped[DPL_DROP_DISAMBIGUATION], 1);
    CHECK_EQ(r.counts.n_dropped[DPL_DROP_REDIRECT], 2);
    CHECK_EQ(r.counts.n_dropped[DPL_DROP_NAMESPACE], 3);
    CHECK_EQ(r.counts.n_dropped[DPL_DROP_STUB], 1);
    CHECK_EQ(r.counts.n_dropped[DPL_DROP_EMPTY], 2);
    CHECK_EQ(r.counts.n_identified, 0);
    static const char *const lines[] = {
        "1|de|Leuchtturm Sandhövel|Der Leuchtturm Sandhövel (niederdeutsch: Sandhövel) steht "
        "auf einer Düne an der Nordseeküste. Er wurde 1871 gebaut und ist hoch, sein Licht "
        "reicht 19 Seemeilen "
        "weit./@Geschichte/Vor dem Bau strandeten hier viele Schiffe. Nach dem Sturm von 1868 "
        "sammelten die Fischer Geld, und der Staat gab den Rest dazu./@Die Wärter/Jens "
        "Brodersen "
        "(1871–1889)/Meta Brodersen (1889–1912), seine Tochter/Heute läuft alles automatisch./|"
        "{\"interlanguage\":{\"en\":\"Sandhövel Lighthouse\",\"nds\":\"Füürtoorn Sandhövel\"},"
        "\"categories\":[\"Leuchtturm\",\"Erbaut in den 1870er Jahren\"]}\n",
        "6|de|Gezeitentafel|Eine Gezeitentafel nennt für jeden Tag, wann an einem Ort "
        "Hochwasser "
        "und wann Niedrigwasser ist. Fischer und Wattführer rechnen danach./Die Tafel gilt nur "
        "für einen Hafen: Schon zwanzig Kilometer weiter kommt die Flut zu einer anderen Zeit./"
        "Wer ins Watt geht, nimmt die Tafel, eine Uhr und einen Kompass mit./|"
        "{\"categories\":[\"Gezeiten\"]}\n",
        "8|de|Zeichen & Wunder|Diese Seite prüft Ärger mit Zeichen: Größe, „Anführung“, 中文, "
        "5 km, "
        "Сар’янка, 日本語, Schiff 🚢, ein e mit Akzent (é) und ein weiches Trennen. 1 < 2 && 3 "
        "> "
        "2, das ist keine Marke: <b>fett</b>. Unbekannt bleibt &gibtesnicht; stehen. Ein "
        "Mathematiker schreibt 𝔘𝔫𝔦𝔠𝔬𝔡𝔢./|\n",
    };
    for (size_t i = 0; i < DPL_LEN(lines); i++)
        if (!strstr(r.docs, lines[i]))
            dpl__test_fail(__FILE__, __LINE__, "'%s' is not in '%s'", lines[i], r.docs);
    test_ctx_done(ctx);
}

DPL_TEST(wiki, the_result_does_not_depend_on_the_chunks)
{
    static result whole, cut;
    dpl_ctx *ctx = test_ctx(1);
    read_file(&whole, ctx, fixture(), NULL);
    for (size_t chunk = 1; chunk < 16000; chunk = chunk * 5 / 4 + 1) {
        dpl_reader_options o = DPL_INIT(dpl_reader_options, .chunk = chunk);
        read_file(&cut, ctx, fixture(), &o);
        CHECK_EQ(cut.status, DPL_END);
        CHECK(strcmp(whole.docs, cut.docs) == 0);
        CHECK(memcmp(&whole.counts, &cut.counts, sizeof whole.counts) == 0);
    }
    test_ctx_done(ctx);
}

DPL_TEST(wiki, a_multistream_dump_reads_like_a_plain_one)
{
    static result plain, packed;
    dpl_ctx *ctx = test_ctx(2);
    size_t n_xml, n_packed = 0;
    char *xml = test_read(fixture(), &n_xml), *out = malloc(4 * n_xml + 8000);
    CHECK(out != NULL);
    for (size_t at = 0; at < n_xml;) { /* a stream for every few pages, as dumps have them */
        const char *end = at + 3000 < n_xml ? strstr(xml + at + 3000, "</page>\n") : NULL;
        size_t next = end ? (size_t)(end - xml) + 8 : n_xml;
        unsigned n = (unsigned)(4 * (next - at) + 1000);
        CHECK_EQ(BZ2_bzBuffToBuffCompress(out + n_packed, &n, xml + at, (unsigned)(next - at),
                                          9, 0, 0),
                 BZ_OK);
        n_packed += n;
        at = next;
    }
    const char *path = test_write("wiki.xml.bz2", out, n_packed);
    free(out);
    free(xml);
    read_file(&plain, ctx, fixture(), NULL);
    dpl_reader_options o =
        DPL_INIT(dpl_reader_options, .from = DPL_FORMAT_WIKI, .on_error = DPL_ON_ERROR_SKIP);
    read_file(&packed, ctx, path, &o);
    test_ctx_done(ctx);
    if (packed.counts.n_raw_bytes == n_packed)
        dpl__test_skip("this build does not decompress");
    CHECK(strcmp(plain.docs, packed.docs) == 0);
}

DPL_TEST(wiki, the_last_revision_counts_and_the_page_has_its_own_id)
{
    static result r;
    read_text(&r,
              "<mediawiki xml:lang='en'><page><title>T</title><id>1</id><revision><id>2</id>"
              "<contributor><id>3</id></contributor><text>Old. " LONG_TEXT "</text></revision>"
              "<revision><id>4</id><text>New. " LONG_TEXT
              "</text></revision></page></mediawiki>",
              DPL_ON_ERROR_FAIL);
    CHECK_EQ(r.status, DPL_END);
    CHECK(strcmp(r.docs, "1|en|T|New. " LONG_TEXT "/|\n") == 0);
}

DPL_TEST(wiki, dumps_without_namespace_numbers_go_by_the_title)
{
    static result r;
    read_text(&r,
              "<mediawiki><page><title>User talk:A</title><id>1</id><revision><text>" LONG_TEXT
              "</text></revision></page><page><title>B: C</title><id>2</id><revision>"
              "<text>" LONG_TEXT "</text></revision></page></mediawiki>",
              DPL_ON_ERROR_FAIL);
    CHECK_EQ(r.status, DPL_END);
    CHECK_EQ(r.counts.n_docs, 1);
    CHECK_EQ(r.counts.n_dropped[DPL_DROP_NAMESPACE], 1);
    CHECK_EQ(r.counts.n_identified, 1);
}

DPL_TEST(wiki, pages_that_are_not_wikitext_are_empty)
{
    static result r;
    read_text(&r,
              "<mediawiki><page><title>Q1</title><ns>0</ns><id>1</id><revision>"
              "<model>wikibase-item</model><text>" LONG_TEXT "</text></revision></page>"
              "</mediawiki>",
              DPL_ON_ERROR_FAIL);
    CHECK_EQ(r.status, DPL_END);
    CHECK_EQ(r.counts.n_dropped[DPL_DROP_EMPTY], 1);
}

DPL_TEST(wiki, titles_in_extra_are_valid_json)
{
    static result r;
    read_text(&r,
              "<mediawiki><page><title>T</title><ns>0</ns><id>1</id><revision><text>" LONG_TEXT
              "[[Category:a \"b\" \\ &amp;quot;c_d &amp;nosuch;&#9;e]][[fr:L&#xE9;&amp;#10;f]]"
              "</text></revision></page></mediawiki>",
              DPL_ON_ERROR_FAIL);
    CHECK_EQ(r.status, DPL_END);
    const char *extra = strrchr(r.docs, '|');
    CHECK(extra &&
          strcmp(extra, "|{\"interlanguage\":{\"fr\":\"L\xC3\xA9\\u000Af\"},"
                        "\"categories\":[\"a \\\"b\\\" \\\\ \\\"c d &nosuch;\\u0009e\"]}"
                        "\n") == 0);
}

/* ---- damage ------------------------------------------------------------------------- */

DPL_TEST(wiki, a_malformed_page_harms_no_other)
{
    static char xml[4000];
    snprintf(xml, sizeof xml, "%s%s%s%s%s", head, PAGE("1", "A", LONG_TEXT),
             PAGE("2", "B", LONG_TEXT "\n<b>"), PAGE("3", "C", LONG_TEXT), tail);
    check_fails(xml, "dump.xml' line 14: malformed page: mismatched tag at column 6");
    check_skips(xml, 2, DPL_DROP_MALFORMED, 1);
}

DPL_TEST(wiki, undeclared_entities_and_declarations_are_refused)
{
    static char xml[4000];
    snprintf(xml, sizeof xml, "%s%s%s", head, PAGE("1", "A", LONG_TEXT "&nbsp;"), tail);
    check_fails(xml, "undefined entity");
    snprintf(xml, sizeof xml, "<!DOCTYPE x [<!ENTITY nbsp \"boom\">]>\n%s%s%s", head,
             PAGE("1", "A", LONG_TEXT "&nbsp;"), tail);
    check_fails(xml, "line 1: a document type declaration");
    check_skips(xml, 0, DPL_DROP_MALFORMED, 2);
    snprintf(xml, sizeof xml, "%s%s%s", head,
             "<page><!DOCTYPE x SYSTEM \"/etc/passwd\"></page>", tail);
    check_skips(xml, 0, DPL_DROP_MALFORMED, 1);
}

DPL_TEST(wiki, a_truncated_dump_is_an_error_with_its_place)
{
    static char xml[4000];
    int n = snprintf(xml, sizeof xml, "%s%s%s", head, PAGE("1", "A", LONG_TEXT),
                     PAGE("2", "B", LONG_TEXT));
    xml[n - 30] = 0;
    check_fails(xml, "line 9: the page that begins here has no end");
    check_skips(xml, 1, DPL_DROP_MALFORMED, 1);
    snprintf(xml, sizeof xml, "%s<page><id>1</id>\n%s", head, PAGE("2", "B", LONG_TEXT));
    check_fails(xml, "line 3: the page that begins here has no end");
    check_skips(xml, 1, DPL_DROP_MALFORMED, 1);
    snprintf(xml, sizeof xml, "%s<id>1</id></page>\n%s", head, PAGE("2", "B", LONG_TEXT));
    check_fails(xml, "line 3: the end of a page that has no beginning");
    check_skips(xml, 1, DPL_DROP_MALFORMED, 1);
    snprintf(xml, sizeof xml, "%s%s<pag", head, PAGE("2", "B", LONG_TEXT));
    check_fails(xml, "line 9: not a page of a MediaWiki dump");
}

DPL_TEST(wiki, other_xml_is_not_a_dump)
{
    check_fails("<?xml version=\"1.0\"?>\n<tmx><body/></tmx>\n",
                "not a page of a MediaWiki dump");
    static result r;
    read_text(&r, "<mediawiki/>", DPL_ON_ERROR_FAIL);
    CHECK_EQ(r.status, DPL_END);
    read_text(&r, "", DPL_ON_ERROR_FAIL);
    CHECK_EQ(r.status, DPL_END);
}

DPL_TEST(wiki, invalid_utf8_meets_the_policy)
{
    static char xml[4000];
    static result r;
    snprintf(xml, sizeof xml, "%s%s%s%s", head, PAGE("1", "A", LONG_TEXT),
             PAGE("2", "B", LONG_TEXT " \xC3("), tail);
    check_fails(xml, "line 13: invalid UTF-8 (byte 0xC3 at column");
    check_skips(xml, 1, DPL_DROP_UTF8, 1);
    read_text(&r, xml, DPL_ON_ERROR_REPLACE);
    CHECK_EQ(r.status, DPL_END);
    CHECK_EQ(r.counts.n_docs, 2);
    CHECK_EQ(r.counts.n_replaced, 1);
    CHECK(strstr(r.docs, "\xEF\xBF\xBD(/|") != NULL);
}

DPL_TEST(wiki, a_page_needs_an_id)
{
    static char xml[4000];
    snprintf(xml, sizeof xml, "%s%s%s%s", head, PAGE("", "A", LONG_TEXT),
             PAGE("2", "B", LONG_TEXT), tail);
    check_fails(xml, "line 3: the page has no <id>");
    check_skips(xml, 1, DPL_DROP_MISSING, 1);
}

/* ---- header, memory ----------------------------------------------------------------- */

DPL_TEST(wiki, the_language_comes_from_the_opening_tag)
{
    static const struct {
        const char *start, *code;
    } cases[] = {
        {"<mediawiki xml:lang=\"de\">", "de"},
        {"<?xml version=\"1.0\"?>\n<mediawiki a='b'\n xml:lang='en' c=\"d\">", "en"},
        {"<mediawiki><page xml:lang=\"de\">", ""},
        {"<mediawiki xml:lang=\"de", ""},
        {"<mediawiki xml:lang=", ""},
        {"<mediawiki xml:lang=\"d\xA0\">", ""},
        {"<tmx xml:lang=\"de\">", ""},
        {"", ""},
    };
    for (size_t i = 0; i < DPL_LEN(cases); i++) {
        dpl_lang lang = {.code = ""};
        dpl__wiki_header(&lang, dpl__cstr(cases[i].start));
        CHECK_STR(dpl__cstr(lang.code), cases[i].code);
    }
}

static dpl_status read_fixture(void *user, dpl_ctx *ctx, dpl_error *err)
{
    dpl_reader *reader = NULL;
    dpl_reader_options o = DPL_INIT(dpl_reader_options, .chunk = 5000);
    dpl_status status = dpl_reader_open(&reader, ctx, user, &o, err);
    dpl_doc doc;
    while (status == DPL_OK)
        status = dpl_reader_next(reader, &doc, err);
    dpl_reader_close(reader);
    return status == DPL_END ? DPL_OK : status;
}

DPL_TEST(wiki, failing_allocations_leak_nothing)
{
    char path[500];
    snprintf(path, sizeof path, "%s", fixture());
    test_allocation_failures(read_fixture, path);
}

DPL_TEST(wiki, disambiguation_pages_and_lists_are_kept_on_request)
{
    static const char xml[] =
        "<mediawiki xml:lang='en'>"
        "<page><title>Mercury</title><ns>0</ns><id>1</id><revision><text>Mercury may mean: "
        "{{disambiguation}} " LONG_TEXT "</text></revision></page>"
        "<page><title>List of rivers</title><ns>0</ns><id>2</id><revision><text>" LONG_TEXT
        "</text></revision></page>"
        "<page><title>Set</title><ns>0</ns><id>3</id><revision><text>__DISAMBIG__ " LONG_TEXT
        "</text></revision></page>"
        "<page><title>Listing</title><ns>0</ns><id>4</id><revision><text>" LONG_TEXT
        "</text></revision></page></mediawiki>";
    static result r;
    dpl_ctx *ctx = test_ctx(1);
    const char *path = test_write("kinds.xml", xml, sizeof xml - 1);
    read_file(&r, ctx, path, NULL);
    CHECK_EQ(r.counts.n_docs, 1);
    CHECK_EQ(r.counts.n_dropped[DPL_DROP_DISAMBIGUATION], 2);
    CHECK_EQ(r.counts.n_dropped[DPL_DROP_LIST], 1);
    dpl_reader_options o = DPL_INIT(dpl_reader_options, .all_pages = true);
    read_file(&r, ctx, path, &o);
    CHECK_EQ(r.counts.n_docs, 4);
    CHECK(strstr(r.docs, "{\"page\":\"disambiguation\"}") != NULL);
    CHECK(strstr(r.docs, "{\"page\":\"list\"}") != NULL);
    test_ctx_done(ctx);
}

DPL_TEST(wiki, the_head_of_the_dump_names_the_namespaces)
{
    static result r;
    read_text(&r,
              "<mediawiki xml:lang='xx'><siteinfo><namespaces>"
              "<namespace key=\"6\" case=\"first-letter\">Ficherox</namespace>"
              "<namespace key=\"14\">Cosax</namespace><namespace key=\"3\">Falax</namespace>"
              "</namespaces></siteinfo>"
              "<page><title>A</title><id>1</id><revision><text>[[Ficherox:a.jpg|thumb|not "
              "shown]] [[Cosax:Things]] [[Falax:x|shown]] " LONG_TEXT
              "</text></revision></page>"
              "<page><title>Falax:A</title><id>2</id><revision><text>" LONG_TEXT
              "</text></revision></page></mediawiki>",
              DPL_ON_ERROR_FAIL);
    CHECK_EQ(r.counts.n_docs, 1);
    CHECK_EQ(r.counts.n_dropped[DPL_DROP_NAMESPACE], 1);
    CHECK(strstr(r.docs, "not shown") == NULL);
    CHECK(strstr(r.docs, "shown ") != NULL);
    CHECK(strstr(r.docs, "{\"categories\":[\"Things\"]}") != NULL);
}
