#include "readers/html/html.h"

#include "readers/html/html_tags.h"
#include "readers/reader.h"
#include "test.h"
#include "unicode/charset.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

/* Checks title, language and text of a page. */
static void check(const char *html, const char *title, const char *lang, const char *text)
{
    dpl_ctx *ctx = test_ctx(1);
    dpl__arena arena;
    dpl__arena_init(&arena, ctx);
    dpl_doc doc;
    CHECK_OK(dpl__html_read(&doc, &arena, dpl__cstr(html), &test_err));
    CHECK_STR(doc.text, text);
    CHECK_STR(doc.title, title);
    CHECK_STR(doc.lang, lang);
    dpl__arena_clear(&arena);
    test_ctx_done(ctx);
}

static void check_text(const char *html, const char *text)
{
    check(html, "", "", text);
}

DPL_TEST(html, a_page_has_title_language_and_text)
{
    check("<!DOCTYPE html><html lang='de'><head><meta charset=utf-8><title>\n Der\n Titel "
          "</title><style>p{}</style></head><body><h1>Kopf</h1><p>Ein Absatz.<p>Noch einer."
          "</body></html>",
          "Der Titel", "de", "Kopf\nEin Absatz.\nNoch einer.");
    check("<html xml:lang=fr><title>A</title><title>B</title>x", "A", "fr", "x");
    check("<meta http-equiv=Content-Language content='en, de'>x", "", "en", "x");
    check("<html lang=it><meta http-equiv=content-language content=en>x", "", "it", "x");
    check_text("", "");
}

DPL_TEST(html, blocks_end_lines_and_inline_elements_do_not)
{
    check_text("<div>a<div>b</div>c</div>d", "a\nb\nc\nd");
    check_text("a<b>b</b><i> c</i><span>d</span> <a href=x>e</a><x-y>f</x-y>", "ab cd ef");
    check_text("a<br>b<br/><br>c<hr>d", "a\nb\nc\nd");
    check_text("<ul><li>a<li>b</ul><dl><dt>c<dd>d</dl>", "a\nb\nc\nd");
    check_text("<table><caption>z</caption><tr><td>a<td>b<tr><th>c</table>", "z\na\nb\nc");
    check_text("<select><option>a<option>b</select><figure><figcaption>c</figcaption></figure>",
               "a\nb\nc");
    check_text("<header>a</header><main>b</main><footer>c</footer>", "a\nb\nc");
}

DPL_TEST(html, white_space_collapses_as_in_browsers)
{
    check_text("  a \n\t b  <b> c</b> <p> d </p> \f\r\n ", "a b c\nd");
    check_text("a&nbsp; b", "a\xC2\xA0 b");
    check_text("<pre>\n a  b\n\n  c\n</pre>d<textarea>e\nf</textarea>", "a b\nc\nd\ne\nf");
    check_text("<pre>a<b>b\nc</b></pre>", "ab\nc");
}

DPL_TEST(html, what_is_not_visible_is_dropped)
{
    check_text("a<script>var x='<p>no';</script><style>no</style><noscript>no</noscript>"
               "<template><p>no</template><svg><title>no</title><text>no</text></svg>"
               "<math><mi>no</mi></math><iframe>no</iframe><object>no</object><nav>no</nav>"
               "<audio>no</audio><video>no</video><canvas>no</canvas><!-- no --><img alt=no>"
               "<p hidden>no<p aria-hidden=true>no<p aria-hidden=false>b"
               "<ruby>c<rp>(</rp><rt>no</rt><rp>)</rp></ruby>",
               "a\nbc");
    check_text("<body hidden>shown by a script", "shown by a script");
}

DPL_TEST(html, references_are_decoded)
{
    check_text("&auml;&#228;&#xE4; &lt;&amp;&gt; &notit; &nope; &#0;",
               "\xC3\xA4\xC3\xA4\xC3\xA4 <&> \xC2\xACit; &nope; \xEF\xBF\xBD");
}

DPL_TEST(html, references_out_of_range_leave_valid_text)
{
    static const char digits[] = "5555555555555555555555555555555555555551";
    char html[200];
    dpl_ctx *ctx = test_ctx(1);
    dpl__arena arena;
    dpl__arena_init(&arena, ctx);
    for (size_t n = 1; n < sizeof digits; n++) {
        dpl_doc doc;
        uint64_t n_replaced;
        const char *d = digits + sizeof digits - 1 - n;
        snprintf(html, sizeof html, "<html lang='&#%s;'><title>&#x%s;</title>a&#%s;b", d, d, d);
        CHECK_OK(dpl__html_read(&doc, &arena, dpl__cstr(html), &test_err));
        dpl_str *const all[] = {&doc.text, &doc.title, &doc.lang};
        for (size_t i = 0; i < DPL_LEN(all); i++) {
            CHECK_OK(dpl__utf8_replace(all[i], &arena, &n_replaced, &test_err));
            CHECK_EQ(n_replaced, 0);
        }
    }
    dpl__arena_clear(&arena);
    test_ctx_done(ctx);
}

DPL_TEST(html, broken_markup_is_mended_as_browsers_do)
{
    check_text("<p>a<b>b<p>c</b>d</i>e</p></p>f", "ab\ncde\nf");
    check_text("<table><tr>x<td>y</table>z<td>w", "x\ny\nzw");
    check_text("<div><span>a</div>b</span><", "a\nb<");
    check_text("</html>a<a href='", "a");
    check_text("<table><select><colgroup><math>a", "a");
    check_text("<template><table><select></template>a", "a");
}

/* A browser opens it again, and the end tag ends what stands in it. */
DPL_TEST(html, formatting_that_a_block_ended_still_has_its_end_tag)
{
    check_text("<p><b>one<p><svg>no</b>two", "one\ntwo");
    check_text("<p><b>one<p><svg>no</i>no", "one");
    check_text("<button><font size=2><button><svg>no</font>two", "two");
    check_text("<p><font size=2>one<table><math>no</font>two", "one\ntwo");
    check_text("<div><b>one<p><b>two</p></b><svg>no</b>three", "one\ntwo\nthree");
    check_text("<p><b>one<p><span hidden>no</b>two", "one\ntwo");
    check_text("<h2><i></h2><h2>one<h2 hidden></h2>two", "onetwo");
    check_text("<h2><i></h2><h2 hidden>no<h2></h2>no", "");
    check_text("<b><ul><ul><ul><ul><ul><ul><ul><svg>no</b>one", "one");
    check_text("<b><ul><ul><ul><ul><ul><ul><ul><ul><svg>no</b>no", "");
    check_text("<p><b>one<table><td><svg>no</b>no</table>two</b>three", "one\ntwothree");
    check_text("<p><b>one<p><b>two</b><svg>no</b>three", "one\ntwothree");
    check_text("<table><b><table> <h1>one<h2></h1><div hidden></h1>two", "one\ntwo");
}

/* n times the text, as one string. */
static char *repeat(const char *text, size_t n)
{
    size_t step = strlen(text);
    char *out = malloc(n * step + 1);
    CHECK(out != NULL);
    for (size_t i = 0; i < n; i++)
        memcpy(out + i * step, text, step);
    out[n * step] = 0;
    return out;
}

static dpl_status read_repeated(const char *text, size_t n)
{
    dpl_ctx *ctx = test_ctx(1);
    dpl__arena arena;
    dpl__arena_init(&arena, ctx);
    dpl_doc doc;
    char *html = repeat(text, n);
    dpl_status status = dpl__html_read(&doc, &arena, dpl__cstr(html), &test_err);
    free(html);
    dpl__arena_clear(&arena);
    test_ctx_done(ctx);
    return status;
}

DPL_TEST(html, pages_nested_without_end_are_refused)
{
    CHECK_EQ(read_repeated("<div>", 200000), DPL_E_FORMAT);
    CHECK_EQ(read_repeated("<DIV\n>", 200000), DPL_E_FORMAT);
    CHECK_EQ(read_repeated("<b>", 200000), DPL_E_FORMAT);
    CHECK_EQ(read_repeated("<x-y></z-z>", 200000), DPL_E_FORMAT);
    CHECK_EQ(read_repeated("<table><tr><td>", 200000), DPL_E_FORMAT);
    CHECK_EQ(read_repeated("<div>", 4000), DPL_OK);
}

DPL_TEST(html, pages_that_only_look_nested_are_read)
{
    CHECK_EQ(read_repeated("<p>a<li>b<td>c<br><img src=x>", 5000), DPL_OK);
    CHECK_EQ(read_repeated("<p><font size=2><b>a", 5000), DPL_OK);
    CHECK_EQ(read_repeated("<svg><path d=''/><g><path/></g></svg>", 5000), DPL_OK);
    CHECK_EQ(read_repeated("<script>'<div>'</script><!-- <div> -->", 5000), DPL_OK);
}

DPL_TEST(html, an_element_of_countless_attributes_is_read)
{
    dpl_ctx *ctx = test_ctx(1);
    dpl__arena arena;
    dpl__arena_init(&arena, ctx);
    dpl_doc doc;
    char *html = repeat(" a", 100000);
    memcpy(html, "<b ", 3);
    CHECK_OK(dpl__html_read(&doc, &arena, dpl__cstr(html), &test_err));
    free(html);
    dpl__arena_clear(&arena);
    test_ctx_done(ctx);
}

/* A browser opens in each paragraph again what the one before left open. */
DPL_TEST(html, formatting_that_is_left_open_does_not_multiply)
{
    char *html = malloc(1 << 20);
    size_t n = 0;
    CHECK(html != NULL);
    n += (size_t)sprintf(html + n, "<p>");
    for (int i = 0; i < 3000; i++)
        n += (size_t)sprintf(html + n, "<b x=%d>", i);
    for (int i = 0; i < 3000; i++)
        n += (size_t)sprintf(html + n, "</p><p>x");
    dpl_ctx *ctx = test_ctx(1);
    dpl__arena arena;
    dpl__arena_init(&arena, ctx);
    dpl_doc doc;
    CHECK_OK(dpl__html_read(&doc, &arena, (dpl_str){html, n}, &test_err));
    CHECK(dpl_ctx_peak(ctx) < 1 << 20);
    free(html);
    dpl__arena_clear(&arena);
    test_ctx_done(ctx);
}

static void check_charset(const char *html, const char *name)
{
    CHECK_STR(dpl__cstr(dpl__charset_declared(dpl__cstr(html)).name), name);
}

DPL_TEST(charset, declarations_are_found)
{
    check_charset("<meta charset=koi8-r>", "koi8-r");
    check_charset("<META CHARSET = \"Big5\" >", "Big5");
    check_charset("<meta http-equiv='Content-Type' content='text/html; charset=windows-1251'>",
                  "windows-1251");
    check_charset("<?xml version='1.0' encoding='iso-8859-2'?><html>", "iso-8859-2");
    check_charset("<!-- <meta charset=koi8-r> --><meta name=charset><meta charset='latin1'>",
                  "windows-1252");
    check_charset("<meta charset=utf-8>", "");
    check_charset("<meta charset=UTF-16>", "");
    check_charset("<metal charset=koi8-r>", "");
    check_charset("<meta charset", "");
    check_charset("<meta charset=", "");
    check_charset("", "");
}

DPL_TEST(charset, text_is_converted)
{
    static const struct {
        const char *name, *from, *to;
    } cases[] = {
        {"windows-1252", "\x93\xE4\x80\x94", "\xE2\x80\x9C\xC3\xA4\xE2\x82\xAC\xE2\x80\x9D"},
        {"windows-31j", "\x93\xFA\x96\x7B", "\xE6\x97\xA5\xE6\x9C\xAC"},
        {"gb18030", "\xD6\xD0\x81\x30\x84\x36", "\xE4\xB8\xAD\xC2\xA5"},
        {"koi8-r", "\xCD\xC9\xD2", "\xD0\xBC\xD0\xB8\xD1\x80"},
        {"windows-949", "\xC7\xD1", "\xED\x95\x9C"},
        {"windows-874", "\xA1", "\xE0\xB8\x81"},
        {"windows-1254", "\xFE", "\xC5\x9F"},
    };
    dpl_ctx *ctx = test_ctx(1);
    dpl__arena arena;
    dpl__arena_init(&arena, ctx);
    size_t n_replaced;
    for (size_t i = 0; i < DPL_LEN(cases); i++) {
        dpl__charset charset = {0};
        strcpy(charset.name, cases[i].name);
        dpl_str s = dpl__cstr(cases[i].from);
        CHECK_OK(dpl__charset_convert(&s, &arena, &charset, &n_replaced, &test_err));
        CHECK_STR(s, cases[i].to);
        CHECK_EQ(n_replaced, 0);
    }
    dpl_str s = DPL_STR("a\xFF");
    CHECK_EQ(dpl__charset_convert(&s, &arena, &(dpl__charset){"no such"}, &n_replaced, NULL),
             DPL_END);
    CHECK_OK(
        dpl__charset_convert(&s, &arena, &(dpl__charset){"gb18030"}, &n_replaced, &test_err));
    CHECK_STR(s, "a\xEF\xBF\xBD");
    CHECK_EQ(n_replaced, 1);
    dpl__arena_clear(&arena);
    test_ctx_done(ctx);
}

static dpl_status read_page(void *user, dpl_ctx *ctx, dpl_error *err)
{
    dpl__arena arena;
    dpl__arena_init(&arena, ctx);
    dpl_doc doc;
    dpl_status status = dpl__html_read(&doc, &arena, dpl__cstr(user), err);
    dpl__arena_clear(&arena);
    return status;
}

DPL_TEST(html, every_allocation_may_fail)
{
    static char html[] = "<html lang=de><title>T</title><p>a<table><tr><td>b</table><b a=1>c";
    test_allocation_failures(read_page, html);
}

DPL_TEST(html, references_beyond_unicode_are_replaced)
{
    check_text("<p>a&#4294912000;b&#2147483648;c&#4294967361;d&#x110000;e&#XfffffffffF;f",
               "a\xEF\xBF\xBD"
               "b\xEF\xBF\xBD"
               "c\xEF\xBF\xBD"
               "d\xEF\xBF\xBD"
               "e\xEF\xBF\xBD"
               "f");
    check_text("<p>&#65;&#0000000065;&#x41;&#1114109;&#;&#x;&&#65",
               "AAA\xF4\x8F\xBF\xBD&#;&#x;&A");
    check("<html lang='&#4294967361;'><title>&#4294967361;</title>x", "\xEF\xBF\xBD",
          "\xEF\xBF\xBD", "x");
}

/* start, then n times what is repeated; a number stands for each %d. */
static char *make_page(const char *start, const char *repeated, int n, const char *end)
{
    size_t n_room = strlen(start) + (strlen(repeated) + 12) * (size_t)n + strlen(end) + 1;
    char *page = malloc(n_room);
    CHECK(page != NULL);
    if (!page)
        return NULL;
    char *at = page + sprintf(page, "%s", start);
    for (int i = 0; i < n; i++) {
        const char *number = strstr(repeated, "%d");
        at += number
                  ? sprintf(at, "%.*s%d%s", (int)(number - repeated), repeated, i, number + 2)
                  : sprintf(at, "%s", repeated);
    }
    sprintf(at, "%s", end);
    return page;
}

DPL_TEST(html, pages_made_to_take_long_do_not)
{
    static const struct {
        const char *start, *repeated, *end;
    } cases[] = {{"<p>", "<", ""},
                 {"<p>", "<![CDATA[", ""},
                 {"<svg>", "<![CDATA[", ""},
                 {"", "<font a=%d>", "<p>x"},
                 {"", "</", ""},
                 {"", "<!--", ""}};
    dpl_ctx *ctx = test_ctx(1);
    clock_t began = clock();
    for (size_t i = 0; i < DPL_LEN(cases); i++) {
        char *page = make_page(cases[i].start, cases[i].repeated, 100000, cases[i].end);
        dpl__arena arena;
        dpl_doc doc;
        dpl__arena_init(&arena, ctx);
        dpl_status status = dpl__html_read(&doc, &arena, dpl__cstr(page), &test_err);
        CHECK(status == DPL_OK || status == DPL_E_FORMAT);
        dpl__arena_clear(&arena);
        free(page);
    }
    CHECK((double)(clock() - began) / CLOCKS_PER_SEC < 4); /* one of them alone took 5.6 s */
    test_ctx_done(ctx);
}

DPL_TEST(html, a_large_page_takes_little_memory)
{
    dpl_ctx *ctx = NULL;
    dpl_ctx_options o = DPL_INIT(dpl_ctx_options, .memory = 16 << 20, .n_threads = 1);
    CHECK_OK(dpl_ctx_new(&ctx, &o, &test_err));
    char *formatting = make_page("", "<i a=%d>", 300, "");
    char *page = make_page(formatting, "<p>x", 100000, "");
    dpl__arena arena;
    dpl_doc doc;
    dpl__arena_init(&arena, ctx);
    CHECK_OK(dpl__html_read(&doc, &arena, dpl__cstr(page), &test_err));
    CHECK(dpl_ctx_peak(ctx) < 2 << 20);
    dpl__arena_clear(&arena);
    free(page);
    free(formatting);
    test_ctx_done(ctx);
}

DPL_TEST(html, names_of_elements_are_found_in_capital_letters)
{
#define PUT_TAG(name, text) {text, DPL__HTML_##name},
    static const struct {
        const char *text;
        dpl__html_tag tag;
    } all[] = {DPL__HTML_TAGS(PUT_TAG)};
#undef PUT_TAG
    uint32_t hash;
    for (size_t i = 0; i < DPL_LEN(all); i++) {
        char name[32] = "";
        for (size_t k = 0; all[i].text[k]; k++)
            name[k] = (char)(k % 2 ? all[i].text[k] : toupper((unsigned char)all[i].text[k]));
        CHECK_EQ(dpl__html_tag_of(dpl__cstr(all[i].text), &hash), all[i].tag);
        CHECK_EQ(dpl__html_tag_of(dpl__cstr(name), &hash), all[i].tag);
        name[0] = (char)(name[0] | 0x80); /* no letter of ASCII */
        CHECK_EQ(dpl__html_tag_of(dpl__cstr(name), &hash), DPL__HTML_OTHER);
    }
    CHECK_EQ(dpl__html_tag_of(dpl__cstr("H\x11"), &hash),
             DPL__HTML_OTHER); /* '1' without 0x20 */
    CHECK_EQ(dpl__html_tag_of(dpl__cstr(""), &hash), DPL__HTML_OTHER);
}
