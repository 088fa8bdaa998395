#include "readers/bitext/bitext_rows_test.h"

#include "base/hash.h"
#include "test.h"

#include <stdio.h>
#include <stdlib.h>

#define W test_write_text
#define HEAD "<?xml version=\"1.0\"?>\n<tmx version=\"1.4\"><header srclang=\"en\"/><body>\n"
#define TAIL "</body></tmx>\n"
#define UNIT(de, en)                                                                           \
    "<tu><tuv xml:lang=\"de\"><seg>" de "</seg></tuv>"                                         \
    "<tuv xml:lang=\"en\"><seg>" en "</seg></tuv></tu>\n"

static const dpl_bitext_options de_en =
    DPL_INIT(dpl_bitext_options, .left_lang = "de", .right_lang = "en");
static const dpl_bitext_options de_en_skip = DPL_INIT(
    dpl_bitext_options, .left_lang = "de", .right_lang = "en", .on_error = DPL_ON_ERROR_SKIP);
static const dpl_bitext_options de_en_replace =
    DPL_INIT(dpl_bitext_options, .left_lang = "de", .right_lang = "en",
             .on_error = DPL_ON_ERROR_REPLACE);

/* Through all sizes of pieces. */
static rows_dump read_tmx(const char *text, const dpl_bitext_options *o)
{
    return dump_with_all_pieces(&dpl__bitext_tmx, &(dpl_str){text, strlen(text)}, o);
}

#define CHECK_TMX(xml, options, expected)                                                      \
    CHECK_STR(dpl__cstr(read_tmx((xml), (options)).text), (expected))

DPL_TEST(tmx, two_variants_of_a_unit_are_a_row)
{
    static const char text[] = HEAD UNIT("Haus", "house") UNIT(
        "",
        "empty") "<tu><note>n</note><prop>p</prop><tuv xml:lang='en'><prop>p</prop><seg>a\n "
                 "b</seg></tuv>"
                 "<tuv xml:lang='fr'><seg>x</seg></tuv><tuv xml:lang='de'><seg>&lt;c&gt; &#228;"
                 "</seg></tuv></tu>" TAIL;
    CHECK_TMX(text, &de_en, "Haus|house\n|empty\n<c> \xC3\xA4|a  b\n");
    dpl_bitext_options o = DPL_INIT(dpl_bitext_options, .left_lang = "fr", .right_lang = "en");
    rows_dump d = read_tmx(text, &o);
    CHECK_STR(dpl__cstr(d.text), "x|a  b\n");
    CHECK_EQ(d.counts.n_alone, 2);
}

DPL_TEST(tmx, languages_are_asked_for_with_or_without_region)
{
    static const char text[] =
        "<tmx version='1.1'><body><tu>"
        "<tuv lang='EN-US'><seg>color</seg></tuv><tuv lang='en_GB'><seg>colour</seg></tuv>"
        "<tuv lang='de-AT'><seg>Farb</seg></tuv><tuv lang='de-DE'><seg>Farbe</seg></tuv>"
        "<tuv><seg>nothing</seg></tuv></tu></body></tmx>";
    static const struct {
        const char *left, *right, *expected;
    } cases[] = {{"de", "en", "Farb|color\n"},         {"de-DE", "en-gb", "Farbe|colour\n"},
                 {"German", "eng", "Farb|color\n"},    {"en", "en", "color|colour\n"},
                 {"en-GB", "en-US", "colour|color\n"}, {"de-CH", "en", ""}};
    for (size_t i = 0; i < DPL_LEN(cases); i++) {
        dpl_bitext_options o = DPL_INIT(dpl_bitext_options, .left_lang = cases[i].left,
                                        .right_lang = cases[i].right);
        CHECK_TMX(text, &o, cases[i].expected);
    }
}

DPL_TEST(tmx, the_languages_must_be_given)
{
    dpl_bitext_options o = DPL_INIT(dpl_bitext_options, .left_lang = "de");
    rows_dump d = DUMP_ROWS(&o, W("a.tmx", HEAD TAIL));
    CHECK_EQ(d.err.status, DPL_E_USAGE);
    CHECK_STR(dpl__cstr(d.err.code), "bitext-languages");
}

DPL_TEST(tmx, markup_is_dropped_and_text_inside_it_kept)
{
    CHECK_TMX(HEAD UNIT("a<bpt i='1'>&lt;b><hi>no</hi></bpt>b<ept i='1'>&lt;/b></ept>c",
                        "<hi type='x'>A<ph>x</ph>B</hi><it pos='begin'>y</it><ut>z</ut>C") TAIL,
              &de_en, "abc|ABC\n");
    CHECK_TMX(HEAD UNIT("Bild<ph>&lt;img alt='<sub>ein <bpt>x</bpt>Hund</sub>'></ph>.",
                        "<seg>odd</seg><g>kept</g>") TAIL,
              &de_en, "Bild ein Hund .|oddkept\n");
}

DPL_TEST(tmx, sections_comments_and_entities_are_xml)
{
    CHECK_TMX("<!DOCTYPE tmx SYSTEM \"tmx14.dtd\" [<!ENTITY firm \"M&#252;ller &amp; Co\">]>"
              "<tmx><body><!-- " UNIT("no", "no") " -->" UNIT(
                  "<![CDATA[<b> & </tu>]]>", "&firm;&nbsp;x<!-- y -->") "</body></tmx>",
              &de_en, "<b> & </tu>|M\xC3\xBCller & Co\xC2\xA0x\n");
    CHECK_TMX("<!DOCTYPE tmx SYSTEM \"x\"><tmx><body>\n" UNIT("&nosuch;", "x") "</body></tmx>",
              &de_en, "! 'left' line 2: unknown entity '&nosuch;'\n");
}

DPL_TEST(tmx, external_entities_are_never_fetched)
{
    const char *secret = W("secret", "SECRET");
    char text[600];
    snprintf(text, sizeof text,
             "<!DOCTYPE tmx [<!ENTITY x SYSTEM \"file://%s\">]><tmx><body>\n%s%s</body></tmx>",
             secret, UNIT("a&x;b", "a"), UNIT("c", "d"));
    rows_dump d = read_tmx(text, &de_en);
    CHECK_EQ(d.err.status, DPL_E_FORMAT);
    CHECK(strstr(d.text, "never fetched") && !strstr(d.text, "SECRET"));
    CHECK_EQ(d.err.line, 2);
    d = read_tmx(text, &de_en_skip);
    CHECK_STR(dpl__cstr(d.text), "c|d\n");
    CHECK_EQ(d.counts.n_skipped, 1);
    /* nor is an external DTD */
    snprintf(text, sizeof text, "<!DOCTYPE tmx SYSTEM \"file://%s\"><tmx><body>%s</body></tmx>",
             secret, UNIT("a", "b"));
    CHECK_TMX(text, &de_en, "a|b\n");
}

DPL_TEST(tmx, entities_that_explode_are_refused)
{
    char text[4000], *p = text;
    p += sprintf(p, "<!DOCTYPE tmx [<!ENTITY e0 \"%s\">\n", "lol lol lol lol lol lol lol");
    for (int i = 1; i < 10; i++) {
        p += sprintf(p, "<!ENTITY e%d \"", i);
        for (int k = 0; k < 10; k++)
            p += sprintf(p, "&e%d;", i - 1);
        p += sprintf(p, "\">\n");
    }
    sprintf(p, "]><tmx><body>\n%s%s</body></tmx>", UNIT("&e9;", "x"), UNIT("a", "b"));
    rows_dump d = DUMP_ROWS(&de_en, W("a.tmx", text));
    CHECK_EQ(d.err.status, DPL_E_FORMAT);
    CHECK(strstr(d.text, "amplification") != NULL);
    d = DUMP_ROWS(&de_en_skip, W("a.tmx", text));
    CHECK_STR(dpl__cstr(d.text), "a|b\n");
    CHECK_EQ(d.counts.n_skipped, 1);
}

DPL_TEST(tmx, malformed_units_are_named_or_skipped)
{
    static const char *const broken[][2] = {
        {UNIT("a<b", "c"), "not well-formed"},
        {UNIT("a</x>", "c"), "mismatched tag"},
        {"<tu><tuv xml:lang='de><seg>x</seg></tuv></tu>\n", "not well-formed"},
        {UNIT("&nosuch;", "c"), "undefined entity"},
        {UNIT("a\1", "c"), "not well-formed"},
        {UNIT("\xEF\xBF\xBF", "c"), "not well-formed"},
    };
    for (size_t i = 0; i < DPL_LEN(broken); i++) {
        char text[1000];
        snprintf(text, sizeof text, "%s%s%s%s%s", HEAD, UNIT("1", "1"), broken[i][0],
                 UNIT("2", "2"), TAIL);
        rows_dump d = read_tmx(text, &de_en);
        CHECK_EQ(d.err.status, DPL_E_FORMAT);
        CHECK_EQ(d.err.line, 4);
        CHECK(strstr(d.text, "1|1\n! 'left' line 4: malformed XML: ") == d.text);
        CHECK(strstr(d.text, broken[i][1]) != NULL);
        d = read_tmx(text, &de_en_skip);
        CHECK_STR(dpl__cstr(d.text), "1|1\n2|2\n");
        CHECK_EQ(d.counts.n_skipped, 1);
        CHECK_EQ(read_tmx(text, &de_en_replace).err.status, DPL_E_FORMAT);
    }
}

DPL_TEST(tmx, every_truncation_is_an_error)
{
    static const char text[] = HEAD UNIT("a", "b") UNIT("c&amp;", "d") TAIL;
    for (size_t n = 0; n + 1 < strlen(text); n++) {
        char cut[sizeof text] = {0};
        memcpy(cut, text, n);
        dpl_str s = {cut, n};
        CHECK_EQ(dump_texts(&dpl__bitext_tmx, &s, &de_en, 0).err.status, DPL_E_FORMAT);
        rows_dump d = dump_texts(&dpl__bitext_tmx, &s, &de_en_skip, 7);
        CHECK_EQ(d.err.status, DPL_OK);
        CHECK_EQ(d.counts.n_skipped, 1);
    }
}

DPL_TEST(tmx, other_xml_is_refused)
{
    CHECK_TMX("<mediawiki><page/></mediawiki>", &de_en_skip,
              "! 'left' is no TMX file: its first element is not <tmx>\n");
}

DPL_TEST(tmx, invalid_utf8_meets_the_policy)
{
    static const char text[] =
        HEAD UNIT("a\xC3(", "b") UNIT("c", "d\xFF\xFE") UNIT("e", "f") TAIL;
    CHECK_TMX(text, &de_en, "! 'left' line 3: invalid UTF-8 (byte 0xC3) at column 30\n");
    rows_dump d = read_tmx(text, &de_en_replace);
    CHECK_STR(dpl__cstr(d.text), "a\xEF\xBF\xBD(|b\nc|d\xEF\xBF\xBD\xEF\xBF\xBD\ne|f\n");
    CHECK_EQ(d.counts.n_replaced, 3);
    d = read_tmx(text, &de_en_skip);
    CHECK_STR(dpl__cstr(d.text), "e|f\n");
    CHECK_EQ(d.counts.n_skipped, 2);
}

DPL_TEST(tmx, other_encodings_are_read)
{
    static const char latin[] = "<?xml version='1.0' encoding='ISO-8859-1'?><tmx><body>" UNIT(
        "\xE4", "x") "</body></tmx>";
    CHECK_TMX(latin, &de_en, "\xC3\xA4|x\n");
    CHECK_TMX(latin, &de_en_replace, "\xC3\xA4|x\n");
    static const char cyrillic[] =
        "<?xml version='1.0' encoding='windows-1251'?><tmx><body>" UNIT("\xC4\xE0</x>", "x")
            UNIT("\xC4\xE0", "x") "</body></tmx>";
    CHECK_TMX(cyrillic, &de_en_skip, "\xD0\x94\xD0\xB0|x\n");
    rows_dump d = read_tmx("<?xml version='1.0' encoding='x-none'?><tmx/>", &de_en_skip);
    CHECK_EQ(d.err.status, DPL_E_FORMAT);
    CHECK_STR(dpl__cstr(d.err.code), "xml-encoding");
    for (int is_big = 0; is_big < 2; is_big++) { /* UTF-16, with a mark */
        static const char text[] =
            "<?xml version='1.0' encoding='UTF-16'?><tmx><body>" UNIT("a", "b")
                UNIT("c</x>", "d") UNIT("e", "f") "</body></tmx>";
        char wide[2 * sizeof text];
        const char mark[2] = {is_big ? (char)0xFE : (char)0xFF,
                              is_big ? (char)0xFF : (char)0xFE};
        memcpy(wide, mark, 2);
        for (size_t i = 0; i + 1 < sizeof text; i++) {
            wide[2 + 2 * i + (size_t)is_big] = text[i];
            wide[2 + 2 * i + !is_big] = 0;
        }
        dpl_str s = {wide, 2 * sizeof text};
        d = dump_with_all_pieces(&dpl__bitext_tmx, &s, &de_en_skip);
        CHECK_STR(dpl__cstr(d.text), "a|b\ne|f\n");
        CHECK_EQ(d.counts.n_skipped, 1);
    }
}

DPL_TEST(tmx, long_units_meet_the_policy)
{
    dpl_bitext_options o = de_en_skip;
    o.max_record = 10;
    rows_dump d = read_tmx(HEAD UNIT("12345", "12345") UNIT("12345", "123456")
                               UNIT("<ph>123456789012</ph>", "x") TAIL,
                           &o);
    CHECK_STR(dpl__cstr(d.text), "12345|12345\n|x\n");
    CHECK_EQ(d.counts.n_skipped, 1);
    o.on_error = DPL_ON_ERROR_FAIL;
    CHECK_TMX(HEAD UNIT("12345", "123456") TAIL, &o, "! 'left' line 3: longer than 10 bytes\n");
}

DPL_TEST(tmx, a_comment_without_end_is_not_held)
{
    enum { N = 4 << 20 };
    char *text = malloc(N);
    CHECK(text != NULL);
    memset(text, 'x', N);
    memcpy(text, "<tmx><!--", 9);
    memcpy(text + N - 200, "-->" UNIT("a", "b"), 3 + strlen(UNIT("a", "b")));
    const char *path = test_write("a.tmx", text, N);
    free(text);
    dpl_bitext_options o = de_en;
    o.max_record = 1 << 16;
    rows_dump d = DUMP_ROWS(&o, path);
    CHECK_STR(dpl__cstr(d.text), "! 'DIR/a.tmx' line 1: longer than 65536 bytes at column 6\n");
}

DPL_TEST(tmx, any_bytes_read_the_same_in_any_pieces)
{
    static const char *const parts[] = {"<tu>",
                                        "</tu>",
                                        "<tuv xml:lang='de'>",
                                        "<tuv lang='en'>",
                                        "</tuv>",
                                        "<seg>",
                                        "</seg>",
                                        "<ph>",
                                        "</ph>",
                                        "<sub>",
                                        "</sub>",
                                        "text",
                                        "&amp;",
                                        "&#xE4;",
                                        "\xC3\xA4",
                                        "\xC3",
                                        "<",
                                        ">",
                                        "\n",
                                        "<!--",
                                        "-->",
                                        "<![CDATA[",
                                        "]]>",
                                        UNIT("x", "y"),
                                        UNIT("u", "v")};
    for (uint64_t seed = 1; seed <= 40; seed++) {
        dpl__rng rng = {seed};
        char text[6000] = HEAD;
        for (int i = 0; i < 40; i++)
            strcat(text, parts[dpl__rng_below(&rng, DPL_LEN(parts))]);
        strcat(text, TAIL);
        read_tmx(text, &de_en_skip);
        read_tmx(text, &de_en_replace);
        read_tmx(text, &de_en);
    }
}

DPL_TEST(tmx, every_allocation_may_fail)
{
    const char *path =
        W("a.tmx", HEAD UNIT("a<ph/>\xCC\x88", "b") "<tu><" UNIT("a\xCC\x88", "b") TAIL);
    check_row_allocations(&path, 1, &de_en_skip);
    path = W("b.tmx", HEAD UNIT("a\xFF", "b") TAIL);
    check_row_allocations(&path, 1, &de_en_replace);
}
