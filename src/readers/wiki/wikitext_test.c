#include "readers/wiki/wikitext.h"

#include "doppel/text.h"

#include "base/ctx.h"
#include "base/hash.h"
#include "kernels/kernels.h"
#include "test.h"

#include <stdlib.h>

/* What a page of that wikitext shows; the lines are joined with '/' to fit on one of ours, and
 * '@' is the mark of a section. */
static void check_plain(const char *file, int line, const char *source, const char *expected)
{
    dpl_ctx *ctx = test_ctx(1);
    dpl__wikitext w = {.ctx = ctx};
    dpl__arena arena;
    dpl__arena_init(&arena, ctx);
    dpl_str out;
    CHECK_OK(dpl__wikitext_plain(&out, &w, &arena, dpl__cstr(source), &test_err));
    char text[1000];
    CHECK(out.n < sizeof text);
    for (size_t i = 0; i < out.n; i++)
        text[i] = out.data[i] == '\n'               ? '/'
                  : out.data[i] == DPL_SECTION_MARK ? '@'
                                                    : out.data[i];
    text[out.n] = 0;
    if (strcmp(text, expected) != 0)
        dpl__test_fail(file, line, "'%s' gives '%s', expected '%s'", source, text, expected);
    dpl__wikitext_clear(&w);
    dpl__arena_clear(&arena);
    test_ctx_done(ctx);
}

#define PLAIN(source, expected) check_plain(__FILE__, __LINE__, source, expected)

DPL_TEST(wikitext, plain_text_stays_as_it_is)
{
    PLAIN("", "");
    PLAIN("Ein Satz.", "Ein Satz./");
    PLAIN("a < b, c > d, x & y, {z}, [w], a_b, it's, 5 - 3", "a < b, c > d, x & y, {z}, [w], "
                                                             "a_b, it's, 5 - 3/");
    PLAIN("main() and f(x, y) stay", "main() and f(x, y) stay/");
    PLAIN("Straße, Сар’янка, 日本語, 🚢, e\xCC\x81", "Straße, Сар’янка, 日本語, 🚢, e\xCC\x81/");
}

DPL_TEST(wikitext, lines_of_a_paragraph_are_joined)
{
    PLAIN("one\ntwo\n\nthree\n\n\n\nfour", "one two/three/four/");
    PLAIN("text\n* item\n* item\ntext\ntext", "text/item/item/text text/");
    PLAIN("text\n preformatted\ntext", "text/preformatted/text/");
    PLAIN("one<br>two\nthree<br/>four</br>five", "one/two three/four/five/");
    PLAIN("  many   blanks \t and\xC2\xA0more&nbsp;&nbsp;of\xE2\x80\xAFthem  ",
          "many blanks and more of them/");
    PLAIN("a\n----\nb\n-----c", "a/b/c/");
    PLAIN("a\r\nb\r\n\r\nc", "a b/c/");
}

DPL_TEST(wikitext, list_marks_go_and_their_text_stays)
{
    PLAIN("* a\n** b\n*# c\n#: d\n:: e\n; f : g", "a/b/c/d/e/f : g/");
    PLAIN("*\n*{{x}}\n*.", "");
}

DPL_TEST(wikitext, templates_go_however_nested)
{
    PLAIN("a {{b}} c", "a c/");
    PLAIN("a {{b|{{c|d={{{e|f}}}}}|[[g]]\n|h}} i", "a i/");
    PLAIN("{{{{{a}}}}}b", "b/");
    PLAIN("{{{x|y}}}{{#if: a | b }}c", "c/");
    PLAIN("{{a|<nowiki>}}</nowiki>}}b {{c|<!-- }} -->}}d", "b d/");
    PLAIN("{{a|[[b}} c", "c/");
    PLAIN("{{Infobox\n| a = {|\n|-\n| b\n|}\n| c = d\n|}}Text", "Text/");
    PLAIN("{{a\n|}}b", "b/");
}

DPL_TEST(wikitext, marks_without_a_partner_go_and_the_text_stays)
{
    PLAIN("a {{b c\n\nd", "a b c/d/");
    PLAIN("a }} b", "a b/");
    PLAIN("a [[b c\nd ]] e", "a b c d e/");
    PLAIN("a <ref>b", "a b/");
    PLAIN("a </ref> b", "a b/");
    PLAIN("{{Infobox\n| a = b\n| c = [[d\ntext", "Infobox/text/");
    PLAIN("before\n{| class=x\n! head\n| cell\n== H ==\n! text", "before/@H/! text/");
    PLAIN("x [[File:a.jpg|thumb|b\ntext", "x text/");
    PLAIN("a <!-- b\n\nc", "a/");
    PLAIN("[[a|[[b|[[c|d", "a|b|c|d/");
}

DPL_TEST(wikitext, what_a_template_leaves_behind_is_tidied)
{
    PLAIN("A ({{lang|x}}) b", "A b/");
    PLAIN("A ( {{x}} , {{y}} ) b", "A b/");
    PLAIN("A ({{x}}; born 1950) b", "A (born 1950) b/");
    PLAIN("A (Greek: {{x}}, ''b''; Latin: {{y}}) c", "A (b) c/");
    PLAIN("A (b {{x}}, c {{y}}), d", "A (b, c), d/");
    PLAIN("A (b ({{x}})) c", "A (b) c/");
    PLAIN("A（{{x}}，{{y}}）b", "Ab/");
    PLAIN("A {{x}}, b {{y}}. C{{z}} d", "A, b. C d/");
    PLAIN("* {{flagicon|x}} – Bern\n* {{cite}}. Note.\n* {{x}}.NET", "Bern/Note./.NET/");
    PLAIN("A () b (, c) {{x}}", "A () b (, c)/");
}

DPL_TEST(wikitext, tables_go_with_everything_in_them)
{
    PLAIN("a\n{| class=\"x\"\n! b !! c\n|-\n| d || [[e]]\n|}\nf", "a/f/");
    PLAIN("a\n{|\n|\n{|\n| b\n|}\n|}\nc", "a/c/");
    PLAIN(":{|\n| a\n|}\nb", "b/");
    PLAIN("a <table><tr><td>b<table>c</table></td></tr></table> d", "a d/");
    PLAIN("{|\n| {{a | b\n|}\nc", "c/");
    PLAIN("{|\n| [[a | b\n|}\nc", "c/");
}

DPL_TEST(wikitext, references_and_opaque_tags_go_with_their_content)
{
    PLAIN("a<ref>b</ref> c<ref name=\"d\">e</ref>, f<ref name=g />.", "a c, f./");
    PLAIN("a <math>x^{{2}}</math> b <REF>c</Ref > d", "a b d/");
    PLAIN("<gallery>\nFile:a.jpg|b\n</gallery>\nc", "c/");
    PLAIN("a <syntaxhighlight lang=c>{{int}} x;</syntaxhighlight> b <score>c</score>", "a b/");
    PLAIN("a <!-- b --> c<!---->d", "a cd/");
    PLAIN("<references>\n<ref name=a>b</ref>\n</references>\nc <includeonly>d</includeonly>",
          "c/");
}

DPL_TEST(wikitext, other_tags_go_and_their_content_stays)
{
    PLAIN("H<sub>2</sub>O <small>b</small> <span style=\"x\">c</span>", "H2O b c/");
    PLAIN("a<div class=x>b</div>c", "a/b/c/");
    PLAIN("<poem>\na\nb\n</poem>\nc", "a/b/c/");
    PLAIN("a <pre>\n''b''\n c\n</pre> d", "a/''b''/c/d/");
    PLAIN("<foo>a</foo> <b@c.d> <3", "<foo>a</foo> <b@c.d> <3/");
}

DPL_TEST(wikitext, nowiki_is_kept_literally)
{
    PLAIN("<nowiki>[[a|b]] {{c}} ''d'' <b> &lt;</nowiki>", "[[a|b]] {{c}} ''d'' <b> </");
    PLAIN("<nowiki>* a</nowiki> <nowiki/>b", "* a b/");
}

DPL_TEST(wikitext, links_become_what_a_reader_sees)
{
    PLAIN("[[a]] [[a]]s [[a|b]] [[a|b]]c [[ a | b ]]", "a as b bc b/");
    PLAIN("[[a (x)|]] [[ns:a, b|]] [[:de:X|x]] [[:Datei:A.jpg]] [[#Teil]]",
          "a a x Datei:A.jpg Teil/");
    PLAIN("[[a|''b'' {{c}}<ref>d</ref> e]] [[{{x}}|f]] [[a|b|c]]", "b e f b|c/");
    PLAIN("[[wikt:a|b]] [[Help:c]]", "b Help:c/");
    PLAIN("[[a\nb]] c", "a b c/");
    PLAIN("[[http://x.y z]] [[a|[http://x.y b] c]]", "z b c/");
}

DPL_TEST(wikitext, files_go_with_captions_and_links_in_them)
{
    PLAIN("[[File:a.jpg|thumb|b [[c|d]] e [http://f g]]]h", "h/");
    PLAIN("[[Datei:ä.jpg]]a [[Bild:b]] [[ФАЙЛ:b]] [[ファイル:b]] [[Tập tin:b]] [[image : b]]c",
          "a c/");
    PLAIN("[[File:a.jpg|b\n\nc\n* [[d]]\n]]e", "e/");
    PLAIN("[[a|b [[File:c.jpg|d]] e]]", "b e/");
}

DPL_TEST(wikitext, external_links_become_their_labels)
{
    PLAIN("[http://x.y a b] [//x.y c] [mailto:a@b d] [https://x.y]", "a b c d/");
    PLAIN("http://x.y/z stays, [sic] too", "http://x.y/z stays, [sic] too/");
    PLAIN("[http://x.y [[a|b]] c] [http://x.y\nd]", "b c [http://x.y d]/");
}

DPL_TEST(wikitext, quotes_go_and_apostrophes_stay)
{
    PLAIN("'''a''' ''b'' '''''c''''' d'e", "a b c d'e/");
    PLAIN("l'''Iliade'' et", "l'Iliade et/");
    PLAIN("le chat d'''Homère''", "le chat d'Homère/");
    PLAIN("''''a''''", "'a'/");
    PLAIN("'''a\n'''b''", "a 'b/");
}

DPL_TEST(wikitext, headings_without_text_below_go)
{
    PLAIN("== A ==\nb\n=== C ===\n== D ==\n=== E ===\nf\n== G ==\n<references/>",
          "@A/b/@D/@E/f/");
    PLAIN("= A =\nb\n==C==  \nd\n== ''E'' {{x}} == <!-- y -->\nf", "@A/b/@C/d/@E/f/");
    PLAIN("== A\nb == c", "== A b == c/");
    PLAIN("== A<br>B ==\nc\n==\n===\nd", "@A B/c/d/");
    PLAIN("== {{x}} ==\na", "a/");
}

DPL_TEST(wikitext, entities_are_decoded_after_the_markup)
{
    PLAIN("&lt;b&gt; &amp;lt; &#91;&#x5B;a]] &quot;&ndash;&#x1F6A2;", "<b> &lt; [[a \"–🚢/");
    PLAIN("&nosuch; &#xD800; &#0; &#1; &amp &", "&nosuch; &#xD800; &#0; &amp &/");
    PLAIN("Tren&shy;nen Tren\xC2\xADnen", "Trennen Trennen/");
    PLAIN("&#42; no item\n&#61;&#61; no heading ==", "* no item == no heading ==/");
}

DPL_TEST(wikitext, magic_words_go)
{
    PLAIN("__TOC__a __KEIN_INHALTSVERZEICHNIS__b __БЕЗ_ОГЛ__ c __init__ ____", "a b c __init__ "
                                                                               "____/");
}

DPL_TEST(wikitext, of_language_variants_the_first_is_shown)
{
    PLAIN("-{zh-hans:A;zh-hant:B}-c -{D}- -{A|zh-cn:E;zh-tw:F}- -{H|zh:G}--{x}-y",
          "Ac D E xy/");
    PLAIN("a -{b}-{c}- d", "a b{c}- d/");
    PLAIN("a -{b c", "a -{b c/");
}

DPL_TEST(wikitext, categories_and_languages_are_noted)
{
    static const char source[] =
        "[[Category:A b|key]] x [[Kategorie: C_d ]] [[de:Titel]] [[Категория:Я]] "
        "[[:Category:E]] "
        "[[zh-min-nan:F]] [[de:Zwei]] [[DE :Drei]] {{x|[[Category:no]]}} [[Category:]] "
        "[[Category:{{x}}]]";
    dpl_ctx *ctx = test_ctx(1);
    dpl__wikitext w = {.ctx = ctx};
    dpl__arena arena;
    dpl__arena_init(&arena, ctx);
    dpl_str out;
    CHECK_OK(dpl__wikitext_plain(&out, &w, &arena, DPL_STR(source), &test_err));
    CHECK_STR(out, "x Category:E\n");
    static const struct {
        const char *lang, *name;
    } expected[] = {
        {NULL, "A b"}, {NULL, "C_d"}, {"de", "Titel"}, {NULL, "Я"}, {"zh-min-nan", "F"}};
    CHECK_EQ(w.links.n, DPL_LEN(expected));
    for (size_t i = 0; i < DPL_LEN(expected); i++) {
        CHECK(!w.links.data[i].lang == !expected[i].lang);
        CHECK(!expected[i].lang || strcmp(w.links.data[i].lang, expected[i].lang) == 0);
        CHECK_STR(w.links.data[i].name, expected[i].name);
    }
    dpl__wikitext_clear(&w);
    dpl__arena_clear(&arena);
    test_ctx_done(ctx);
}

/* ---- properties --------------------------------------------------------------------- */

static const char *const pieces[] = {
    "{{",       "}}",        "{{{",   "}}}",     "[[",        "]]",        "[",     "]",
    "{|",       "|}",        "|-",    "|",       "\n",        "\n\n",      "\n|",   "\n{|",
    "\n|}",     "\n*",       "\n== ", " ==\n",   "'''",       "''",        "'''''", "<ref>",
    "</ref>",   "<ref/>",    "<!--",  "-->",     "<nowiki>",  "</nowiki>", "<pre>", "</pre>",
    "<table>",  "</table>",  "<br>",  "<math>",  "</math>",   "-{",        "}-",    "zh:",
    ";",        "http://x ", "File:", "de:",     "Category:", "(",         ")",     ", ",
    "&nbsp;",   "&lt;",      "&",     "__TOC__", "_",         " ",         "  ",    "word",
    "Wörter",   "語",        "🚢",     "\x01",    "<",         ">",         ":",     "#",
    "\xC2\xA0", "（",        "）",    "，",
};

/* Random markup of n_pieces pieces; the caller frees. */
static char *soup(dpl__rng *rng, size_t n_pieces, size_t *n)
{
    char *text = malloc(16 * n_pieces + 1);
    CHECK(text != NULL);
    *n = 0;
    for (size_t i = 0; i < n_pieces; i++) {
        const char *piece = pieces[dpl__rng_below(rng, DPL_LEN(pieces))];
        memcpy(text + *n, piece, strlen(piece));
        *n += strlen(piece);
    }
    return text;
}

DPL_TEST(wikitext, any_markup_gives_clean_lines)
{
    const uint64_t seed = 20240301;
    dpl__rng rng = {seed};
    dpl_ctx *ctx = test_ctx(1);
    dpl__wikitext w = {.ctx = ctx};
    dpl__arena arena;
    dpl__arena_init(&arena, ctx);
    for (size_t round = 0; round < 20000; round++) {
        size_t n;
        char *text = soup(&rng, 1 + dpl__rng_below(&rng, 60), &n);
        dpl_str out;
        CHECK_OK(dpl__wikitext_plain(&out, &w, &arena, (dpl_str){text, n}, &test_err));
        uint8_t most;
        bool ok = ctx->kernels->utf8_prefix((const uint8_t *)out.data, out.n, &most) == out.n;
        for (size_t i = 0; i < out.n; i++) {
            bool is_first = i == 0 || out.data[i - 1] == '\n';
            bool is_last = i + 1 == out.n || out.data[i + 1] == '\n';
            ok &= (uint8_t)out.data[i] >= ' ' || (out.data[i] == '\n' && !is_first) ||
                  (out.data[i] == DPL_SECTION_MARK && is_first && !is_last);
            ok &= out.data[i] != ' ' || !(is_first || is_last || out.data[i + 1] == ' ' ||
                                          out.data[i - 1] == DPL_SECTION_MARK);
        }
        ok &= out.n == 0 || out.data[out.n - 1] == '\n';
        if (!ok)
            dpl__test_fail(__FILE__, __LINE__, "seed %llu, round %zu: '%.*s' gives '%.*s'",
                           (unsigned long long)seed, round, (int)n, text, (int)out.n, out.data);
        free(text);
        dpl__arena_reset(&arena);
    }
    dpl__wikitext_clear(&w);
    dpl__arena_clear(&arena);
    test_ctx_done(ctx);
}

DPL_TEST(wikitext, hostile_nesting_comes_to_an_end)
{
    static const char *const hostile[] = {
        "{{",     "[[",       "[[a|",    "{{a|[[",   "{|\n",    "\n{|",       "-{",
        "-{a:",   "<ref>",    "<ref ",   "<b",       "<!-",     "[http://a ", "''",
        "'''a''", "(",        "({{x}}",  "__A",      "&#1",     "}}",         "]]",
        "\n|}",   "\n== ",    "[[File:", "[[de:a]]", "[[a|b]]", "{{x}}(,)",   "<table>",
        "<pre>a", "<nowiki>", "\n=",     "_",
    };
    dpl_ctx *ctx = test_ctx(1);
    dpl__wikitext w = {.ctx = ctx};
    dpl__arena arena;
    dpl__arena_init(&arena, ctx);
    const size_t n = 2 << 20;
    char *text = malloc(n);
    CHECK(text != NULL);
    for (size_t k = 0; k < DPL_LEN(hostile); k++) {
        size_t n_piece = strlen(hostile[k]);
        for (size_t i = 0; i < n; i++)
            text[i] = hostile[k][i % n_piece];
        dpl_str out;
        /* Anything quadratic would not end within the runner's limit. */
        CHECK_OK(dpl__wikitext_plain(&out, &w, &arena, (dpl_str){text, n}, &test_err));
        dpl__arena_reset(&arena);
    }
    free(text);
    dpl__wikitext_clear(&w);
    dpl__arena_clear(&arena);
    test_ctx_done(ctx);
}

static dpl_status convert(void *user, dpl_ctx *ctx, dpl_error *err)
{
    dpl__wikitext w = {.ctx = ctx};
    dpl__arena arena;
    dpl__arena_init(&arena, ctx);
    dpl_str out;
    dpl_status status = dpl__wikitext_plain(&out, &w, &arena, *(dpl_str *)user, err);
    dpl__wikitext_clear(&w);
    dpl__arena_clear(&arena);
    return status;
}

DPL_TEST(wikitext, failing_allocations_leak_nothing)
{
    dpl__rng rng = {7};
    size_t n;
    char *text = soup(&rng, 3000, &n);
    dpl_str source = {text, n};
    test_allocation_failures(convert, &source);
    free(text);
}

DPL_TEST(wikitext, the_text_of_content_templates_stays)
{
    PLAIN("a {{nowrap|b [[c|d]]}} e", "a b d e/");
    PLAIN("{{lang|fr|''bonjour''}} and {{lang-de|Tag}}", "bonjour and Tag/");
    PLAIN("It is {{convert|5|km|mi}} long, {{formatnum:1000}} times.",
          "It is 5 km long, 1000 times./");
    PLAIN("{{Quote|text=He said {{nowrap|no}}.|author=X}}", "He said no./");
    PLAIN("{{quote|a=b <ref name=x>c</ref>}} d", "d/");
    PLAIN("{{quote|x <span style=a>y</span>}} d", "x y d/");
    PLAIN("a {{lang|fr}} b {{nowrap}} c {{convert|{{x}}|m}} d", "a b c d/");
    PLAIN("{{nowrap|{{nowrap|{{nowrap|a}}}}}}{{other|b}}", "a/");
    PLAIN("A ({{Vol-la|Plantae}}, {{vol-bat-smg|b}}) {{IPA-fr|c}} {{x-stub|d}}.",
          "A (Plantae, b)./");
    PLAIN("{{transl|ar|al}} {{transl|ar|DIN|ba}} {{Script/Hebr|c}}", "al ba c/");
}

DPL_TEST(wikitext, parameters_of_templates_are_put_together)
{
    PLAIN("{{convert|5|to|6|km|mi}} or {{convert|3|m}}", "5 to 6 km or 3 m/");
    PLAIN("{{chem|H|2|[[O]]}} and {{frac|1|2}}, 5{{e|24}} kg", "H2O and 1/2, 5×1024 kg/");
    PLAIN("from {{start date|1969|7|16|df=y}}", "from 1969-7-16/");
    PLAIN("{{hlist|a [[b|c]]|d|{{nowrap|e}}}} f", "a c, d, e f/");
    PLAIN("aboard {{HMS|Ajax|22|6}} and {{ship|USS|Hornet|CV-12}}",
          "aboard HMS Ajax and USS Hornet/");
    PLAIN("1778{{ndash}}83{{snd}}''Eagle''{{'s}} a {{=}} b", "1778–83 – Eagle's a = b/");
    PLAIN("ASD {{as of|2014|lc=y}}, {{frac|3}}, {{US$|2 billion}}",
          "ASD as of 2014, 1/3, US$2 billion/");
    PLAIN("{{columns-list|2|\n* a\n* b\n}}", "a/b/");
    PLAIN("{{hlist|1|2|3|4|5|6|7|8|9|10}}", "1, 2, 3, 4, 5, 6, 7, 8/");
    PLAIN("{{hlist}} a {{frac}} b {{HMS}} c", "a b c/");
    PLAIN("of a, {{x}}, and b: {{x}}, {{x}}, c", "of a, and b: c/");
    PLAIN("at: {{hlist|[http://a]|[http://b]}}", "at:/");
    PLAIN("main(a,,b), , c", "main(a,,b), , c/");
    PLAIN("57 minutes, {{ASIN|x}}. {{As of|2004}}, a", "57 minutes. As of 2004, a/");
    PLAIN("(1, {{x}}) b,.", "(1) b,./");
}
