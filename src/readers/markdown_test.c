#include "readers/markdown.h"

#include "test.h"

static void check(const char *source, const char *title, const char *lang, const char *text)
{
    dpl_ctx *ctx = test_ctx(1);
    dpl__arena arena;
    dpl__arena_init(&arena, ctx);
    dpl_doc doc;
    CHECK_OK(dpl__markdown_read(&doc, &arena, dpl__cstr(source), &test_err));
    CHECK_STR(doc.text, text);
    CHECK_STR(doc.title, title);
    CHECK_STR(doc.lang, lang);
    dpl__arena_clear(&arena);
    test_ctx_done(ctx);
}

static void check_text(const char *source, const char *text)
{
    check(source, "", "", text);
}

DPL_TEST(markdown, blocks_become_lines)
{
    check("# A *title*\n\nOne\nparagraph.  \nA break.\n\n## Sub\n\n- a\n- b\n  c\n\n1. d\n\n> "
          "e\n",
          "A title", "", "A title\nOne paragraph.\nA break.\nSub\na\nb c\nd\ne");
    check_text("| a | b |\n|---|---|\n| c | d |\n\n- [x] done\n", "a\nb\nc\nd\ndone");
    check_text("", "");
    check_text("a\r\nb\r\n\r\nc\r\n", "a b\nc");
}

DPL_TEST(markdown, markup_is_gone_and_labels_stay)
{
    check_text("A [label](http://x \"title\"), ![alt **x**](y.png) **bold** ~~old~~ `code` "
               "<http://auto>.",
               "A label, bold old code http://auto.");
    check_text("[ref][1] [1]\n\n[1]: http://x\n", "ref 1");
}

DPL_TEST(markdown, code_stays_line_by_line)
{
    check_text("a\n\n```c\nint  x;\n\n  return `1`;\n```\n\n    indented &amp;\n",
               "a\nint x;\nreturn `1`;\nindented &amp;");
}

DPL_TEST(markdown, raw_html_is_dropped)
{
    check_text("<div>\nno\n</div>\n\na <b>b</b> c<br/>d <!-- no -->\n", "a b c\nd");
}

DPL_TEST(markdown, references_are_decoded)
{
    check_text("&auml; &amp; &#228; &nbsp;x &notit; &nope; \\&amp;",
               "\xC3\xA4 & \xC3\xA4 \xC2\xA0x &notit; &nope; &amp;");
}

DPL_TEST(markdown, nul_bytes_are_nothing)
{
    dpl_ctx *ctx = test_ctx(1);
    dpl__arena arena;
    dpl__arena_init(&arena, ctx);
    dpl_doc doc;
    CHECK_OK(dpl__markdown_read(&doc, &arena, DPL_STR("a\0b `c\0`\n\n    d\0e\n"), &test_err));
    CHECK_STR(doc.text, "ab c\nde");
    dpl__arena_clear(&arena);
    test_ctx_done(ctx);
}

DPL_TEST(markdown, front_matter_gives_title_and_language)
{
    check("---\ntitle: \"Der Titel\"\nlang: de\ntags: [a, b]\n---\n# H\ntext\n", "Der Titel",
          "de", "H\ntext");
    check("---\nauthor: x\nLanguage: 'en'\n...\n# H\n", "H", "en", "H");
    check("---\ntitle: >\n  folded\n---\nx\n", "", "", "x");
    check("---\r\ntitle: a: b\r\n---\r\nx\r\n", "a: b", "", "x");
}

DPL_TEST(markdown, rules_are_no_front_matter)
{
    check_text("---\n\na: b\n\n---\n\nx\n", "a: b\nx");
    check_text("---\na: b\n", "a: b");
    check_text("---\n", "");
    check_text("---", "");
    check_text("x\n\n---\na: b\n---\n", "x\na: b");
}

DPL_TEST(markdown, only_the_first_heading_of_level_one_is_the_title)
{
    check("## No\n\nTitle `x` &amp; ![no](y)\n===\n\n# Second\n", "Title x &", "",
          "No\nTitle x &\nSecond");
}

static dpl_status read_source(void *user, dpl_ctx *ctx, dpl_error *err)
{
    dpl__arena arena;
    dpl__arena_init(&arena, ctx);
    dpl_doc doc;
    dpl_status status = dpl__markdown_read(&doc, &arena, dpl__cstr(user), err);
    dpl__arena_clear(&arena);
    return status;
}

DPL_TEST(markdown, every_allocation_may_fail)
{
    static char source[] = "---\ntitle: x\n---\n# H\n\n&auml; text\n";
    test_allocation_failures(read_source, source);
}
