#include "readers/html/html_tokens.h"

#include "base/hash.h"
#include "test.h"

#include <stdio.h>
#include <stdlib.h>

/* ---- tokens as a string -------------------------------------------------------------------
 */

static const char *name_of(dpl__html_tag tag)
{
#define NAME(id, text) [DPL__HTML_##id] = text,
    static const char *const names[DPL__HTML_N_TAGS] = {DPL__HTML_TAGS(NAME)};
#undef NAME
    return tag < DPL__HTML_N_TAGS && names[tag] ? names[tag] : "?";
}

typedef struct listing {
    char text[4000];
    size_t n;
} listing;

static void add(listing *out, const char *before, dpl_str s, const char *behind)
{
    const int n = snprintf(out->text + out->n, sizeof out->text - out->n, "%s%.*s%s", before,
                           (int)s.n, s.data ? s.data : "", behind);
    CHECK((size_t)n < sizeof out->text - out->n);
    out->n += (size_t)n;
}

/* "text", [cdata], <tag>, <tag/>, <tag hidden>, </tag>, the text of raw elements in braces. */
static const char *list_tokens(dpl_str html, bool has_cdata)
{
    static listing out;
    dpl__html_token token;
    dpl__html_tokens t = {.p = html.data, .end = html.data + html.n, .has_cdata = has_cdata};
    out.n = 0;
    out.text[0] = 0;
    while (dpl__html_next(&t, &token)) {
        const char *const name = name_of(token.tag);
        switch (token.kind) {
        case DPL__HTML_TEXT: add(&out, "\"", token.text, "\""); break;
        case DPL__HTML_CDATA: add(&out, "[", token.text, "]"); break;
        case DPL__HTML_END: add(&out, "</", dpl__cstr(name), ">"); break;
        case DPL__HTML_START:
            add(&out, "<", dpl__cstr(name), token.is_hidden ? " hidden" : "");
            add(&out, token.is_self_closing ? "/>" : ">", (dpl_str){0}, "");
            if (token.tag == DPL__HTML_SCRIPT || token.tag == DPL__HTML_TITLE)
                add(&out, "{", dpl__html_raw_text(&t, token.tag), "}");
        }
    }
    CHECK(t.p == t.end);
    CHECK_EQ(dpl__html_rest(&t).n, 0);
    return out.text;
}

typedef struct expectation {
    const char *html, *tokens;
} expectation;

static void check_tokens(const expectation *cases, size_t n)
{
    for (size_t i = 0; i < n; i++) {
        const char *got = list_tokens(dpl__cstr(cases[i].html), false);
        if (strcmp(got, cases[i].tokens) != 0)
            dpl__test_fail(__FILE__, __LINE__, "'%s' is %s, expected %s", cases[i].html, got,
                           cases[i].tokens);
    }
}

/* ---- tags ---------------------------------------------------------------------------------
 */

DPL_TEST(html_tokens, tags_and_the_text_between_them)
{
    static const expectation cases[] = {
        {"", ""},
        {"one", "\"one\""},
        {"<p>one</p>two", "<p>\"one\"</p>\"two\""},
        {"<P\nid=x>a</P\t>", "<p>\"a\"</p>"},
        {"<p/>a<br /><br/ >", "<p/>\"a\"<br/><br>"},
        {"<p/a>b", "<p>\"b\""}, /* a slash between attributes */
        {"<q-x>a</q-x>", "<?>\"a\"</?>"},
        {"a < b <1 <", "\"a < b <1 <\""},
        {"a<", "\"a<\""},
        {"a</", "\"a</\""},
        {"a</>b", "\"a\"\"b\""},
        {"a</ p>b</1>c", "\"a\"\"b\"\"c\""}, /* comments of sorts */
        {"a</ p", "\"a\""},
        {"a<p", "\"a\""}, /* a tag that does not end is none */
        {"a<p x", "\"a\""},
        {"a<p x=", "\"a\""},
        {"a<p x='>", "\"a\""},
        {"a<p x='b'", "\"a\""},
        {"a<p x=b", "\"a\""},
        {"a<p x ", "\"a\""},
        {"a</p", "\"a\""}};
    check_tokens(cases, DPL_LEN(cases));
}

DPL_TEST(html_tokens, a_tag_ends_at_the_first_bracket_outside_of_quotes)
{
    static const expectation cases[] = {
        {"<p title=\"a>b\">c", "<p>\"c\""},
        {"<p title='a>\"b'>c", "<p>\"c\""},
        {"<p title=a>b\">c", "<p>\"b\">c\""},
        {"<p title = 'a'b='c'>d", "<p>\"d\""},
        {"<p \"a>b\">c", "<p>\"b\">c\""}, /* a quote in a name does not open a value */
        {"<p ==a>b", "<p>\"b\""},
        {"<p =>b", "<p>\"b\""},
        {"<p a=>b", "<p>\"b\""},
        {"<a href=/x/>b", "<a>\"b\""}, /* the slash ends the value */
        {"<a href=/x />b", "<a/>\"b\""},
        {"<a href='/x'/>b", "<a/>\"b\""},
        {"<a href/>b", "<a/>\"b\""},
        {"<a b=c href/>b", "<a/>\"b\""}};
    check_tokens(cases, DPL_LEN(cases));
}

DPL_TEST(html_tokens, elements_may_be_hidden_by_two_attributes)
{
    static const expectation cases[] = {{"<p hidden>", "<p hidden>"},
                                        {"<p HIDDEN=until-found class=x>", "<p hidden>"},
                                        {"<p class=hidden>", "<p>"},
                                        {"<p hiddenx data-hidden>", "<p>"},
                                        {"<p aria-hidden=true>", "<p hidden>"},
                                        {"<p ARIA-hidden='TRUE' x>", "<p hidden>"},
                                        {"<p aria-hidden=false>", "<p>"},
                                        {"<p aria-hidden>", "<p>"},
                                        {"<p aria-label=true>", "<p>"},
                                        {"<p hidden>a<p>", "<p hidden>\"a\"<p>"}};
    check_tokens(cases, DPL_LEN(cases));
}

/* As it stands there; of two the first. */
DPL_TEST(html_tokens, attributes_are_found_by_name)
{
    static const char *const cases[][2] = {{"<p a=1>", "1"},
                                           {"<p b=2 a=1>", "1"},
                                           {"<p a=1 a=2>", "1"},
                                           {"<p A = \"x y\">", "x y"},
                                           {"<p a='\"'>", "\""},
                                           {"<p a>", ""},
                                           {"<p a=\"\">", ""},
                                           {"<p a=''>", ""},
                                           {"<p a=x&amp;y>", "x&amp;y"},
                                           {"<p b a=1>", "1"},
                                           {"<p b=''a=1>", "1"},
                                           {"<p/a=1/>", "1/"},
                                           {"<p\fa\r=\n1>", "1"},
                                           {"<p c='a=2' a=1>", "1"},
                                           {"<p a=b=c>", "b=c"},
                                           {"<p ab=2>", NULL},
                                           {"<p>", NULL},
                                           {"<p b=a>", NULL},
                                           {"<p =a=1>", NULL}};
    for (size_t i = 0; i < DPL_LEN(cases); i++) {
        dpl__html_token token;
        const dpl_str html = dpl__cstr(cases[i][0]);
        dpl__html_tokens t = {.p = html.data, .end = html.data + html.n};
        CHECK(dpl__html_next(&t, &token));
        const dpl_str value = dpl__html_attribute(&token, "a");
        CHECK_EQ(value.data != NULL, cases[i][1] != NULL);
        CHECK_STR(value, cases[i][1] ? cases[i][1] : "");
    }
}

/* ---- comments, declarations, CDATA --------------------------------------------------------
 */

DPL_TEST(html_tokens, comments_and_declarations_do_not_come_out)
{
    static const expectation cases[] = {
        {"<!DOCTYPE html>a", "\"a\""},
        {"<?xml version='1.0'?>a", "\"a\""},
        {"<!>a", "\"a\""},
        {"<?>a", "\"a\""},
        {"<!a", ""},
        {"<!-- a > b -- c --->d", "\"d\""},
        {"<!---->a", "\"a\""},
        {"<!-->a", "\"a\""},
        {"<!--->a", "\"a\""},
        {"<!--a--!>b", "\"b\""},
        {"<!----!>b", "\"b\""},
        {"<!--!>b-->c", "\"c\""}, /* "--!>" needs its own dashes */
        {"<!---!>b-->c", "\"c\""},
        {"<!--a--!b-->c", "\"c\""},
        {"<!--a", ""},
        {"<!--a--", ""},
        {"<!--a--!", ""},
        {"<!-a-->b", "\"b\""}, /* one dash: ends at the first bracket */
        {"<!->a-->b", "\"a-->b\""},
        {"<![CDATA[a]]>b", "\"b\""},
        {"a<!--b-->c", "\"a\"\"c\""}};
    check_tokens(cases, DPL_LEN(cases));
}

DPL_TEST(html_tokens, cdata_is_text_where_it_may_be)
{
    static const expectation cases[] = {{"<![CDATA[a<b>&amp;]]>c", "[a<b>&amp;]\"c\""},
                                        {"<![CDATA[]]>c", "[]\"c\""},
                                        {"<![CDATA[a]]>", "[a]"},
                                        {"<![CDATA[a]b]]c]]]>d", "[a]b]]c]]\"d\""},
                                        {"<![CDATA[a]]", "[a]]]"},
                                        {"<![CDATA[a", "[a]"},
                                        {"<![CDATA[", "[]"},
                                        {"<![CDATA", ""},
                                        {"<![cdata[a]]>b", "\"b\""}};
    for (size_t i = 0; i < DPL_LEN(cases); i++)
        CHECK_STR(dpl__cstr(list_tokens(dpl__cstr(cases[i].html), true)), cases[i].tokens);
}

/* ---- elements whose content is text -------------------------------------------------------
 */

DPL_TEST(html_tokens, raw_text_ends_at_the_elements_own_end_tag)
{
    static const expectation cases[] = {
        {"<title>a<p>b</p></title>c", "<title>{a<p>b</p>}</title>\"c\""},
        {"<title>a</TITLE\n>b", "<title>{a}</title>\"b\""},
        {"<title>a</titles>b</title/>c", "<title>{a</titles>b}</title>\"c\""},
        {"<title>a< /title></title>", "<title>{a< /title>}</title>"},
        {"<title>a", "<title>{a}"},
        {"<title>a</title", "<title>{a</title}"},
        {"<title>a</", "<title>{a</}"},
        {"<title></title>", "<title>{}</title>"},
        {"<title>a<</title>", "<title>{a<}</title>"}};
    check_tokens(cases, DPL_LEN(cases));
}

DPL_TEST(html_tokens, scripts_in_comments_of_scripts_have_their_own_end)
{
    static const expectation cases[] = {
        {"<script>a<b</script>c", "<script>{a<b}</script>\"c\""},
        {"<script>a</scripts></script >", "<script>{a</scripts>}</script>"},
        {"<script>a</script", "<script>{a</script}"},
        {"<script><!--a</script>b", "<script>{<!--a}</script>\"b\""},
        {"<script><!--<script>a</script>b</script>c",
         "<script>{<!--<script>a</script>b}</script>\"c\""},
        {"<script><!--<script>a--></script>b", "<script>{<!--<script>a-->}</script>\"b\""},
        {"<script><!--<script>a--<script></script>b</script>c",
         "<script>{<!--<script>a--<script></script>b}</script>\"c\""},
        {"<script><!--<scripts>a</script>b", "<script>{<!--<scripts>a}</script>\"b\""},
        {"<script><!--<SCRIPT/>a</SCRIPT>b</script>",
         "<script>{<!--<SCRIPT/>a</SCRIPT>b}</script>"},
        {"<script><script>a</script>b", "<script>{<script>a}</script>\"b\""},
        {"<script><!--><script>a</script>b", "<script>{<!--><script>a}</script>\"b\""},
        {"<script><!---><script>a</script>b", "<script>{<!---><script>a}</script>\"b\""},
        {"<script><!-<script>a</script>b", "<script>{<!-<script>a}</script>\"b\""},
        {"<script>--><!--<script>a</script>b</script>",
         "<script>{--><!--<script>a</script>b}</script>"},
        {"<script><!--<script><!--a</script>b</script>c",
         "<script>{<!--<script><!--a</script>b}</script>\"c\""},
        {"<script><!--", "<script>{<!--}"}};
    check_tokens(cases, DPL_LEN(cases));
}

/* ---- any bytes ----------------------------------------------------------------------------
 */

/* One behind the other, also where the page is cut in the middle of a tag: what stands behind
 * it, which would end that, is not looked at. */
DPL_TEST(html_tokens, of_random_pages_lie_in_the_page)
{
    static const char *const pieces[] = {"<",       ">",         "/",   "!",        "--",
                                         "-",       "a",         "p",   " ",        "=",
                                         "'",       "\"",        "<p ", "</p>",     "<!--",
                                         "-->",     "<![CDATA[", "]]>", "<script>", "</script>",
                                         "<title>", "</title",   "?",   "\n",       "hidden"};
    for (uint64_t seed = 0; seed < 4000; seed++) {
        dpl__rng rng = {seed << 16};
        char text[400];
        size_t n = 0;
        for (size_t k = dpl__rng_below(&rng, 30); k > 0; k--)
            n += (size_t)sprintf(text + n, "%s", pieces[dpl__rng_below(&rng, DPL_LEN(pieces))]);
        n = n ? dpl__rng_below(&rng, n + 1) : 0;
        char *page = malloc(n + 1);
        CHECK(page);
        memcpy(page, text, n);
        page[n] = '>';
        dpl__html_tokens t = {.p = page, .end = page + n, .has_cdata = seed % 2};
        dpl__html_token token;
        const char *last = page;
        while (dpl__html_next(&t, &token)) {
            CHECK(t.p > last && t.p <= page + n);
            const dpl_str s = token.kind == DPL__HTML_START ? token.attributes
                              : token.kind == DPL__HTML_END ? (dpl_str){t.p, 0}
                                                            : token.text;
            CHECK(s.data >= last && s.data + s.n <= t.p);
            if (token.kind == DPL__HTML_START)
                CHECK(s.data[s.n] == '>' && s.data + s.n + 1 == t.p);
            if (token.kind == DPL__HTML_TEXT)
                CHECK(s.n > 0 && s.data + s.n == t.p);
            last = t.p;
        }
        CHECK(t.p == page + n);
        static char listed[4000];
        snprintf(listed, sizeof listed, "%s", list_tokens((dpl_str){page, n}, seed % 2));
        for (const char *behind = "-] /<"; *behind; behind++) {
            page[n] = *behind;
            CHECK_STR(dpl__cstr(list_tokens((dpl_str){page, n}, seed % 2)), listed);
        }
        free(page);
    }
}
