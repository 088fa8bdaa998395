#include "readers/wiki/wikifields.h"

#include "base/ctx.h"
#include "base/hash.h"
#include "doppel/text.h"
#include "kernels/kernels.h"
#include "readers/json_parser.h"
#include "test.h"

#include <stdlib.h>

typedef struct fields {
    dpl_ctx *ctx;
    dpl__wikitext page;
    dpl__wiki_fields f;
    dpl__arena arena;
} fields;

static void fields_init(fields *x, unsigned wants)
{
    *x = (fields){.ctx = test_ctx(1)};
    x->page = (dpl__wikitext){.ctx = x->ctx};
    x->f = (dpl__wiki_fields){.ctx = x->ctx, .wants = wants};
    dpl__arena_init(&x->arena, x->ctx);
}

static void fields_done(fields *x)
{
    dpl__wiki_fields_clear(&x->f);
    dpl__wikitext_clear(&x->page);
    dpl__arena_clear(&x->arena);
    test_ctx_done(x->ctx);
}

static void find(fields *x, dpl_str source)
{
    dpl_str text;
    CHECK_OK(dpl__wikitext_plain(&text, &x->page, &x->arena, source, &test_err));
    CHECK_OK(dpl__wiki_fields_find(&x->f, &x->page, source, &test_err));
}

/* text: '/' for line ends, '@' for marks of sections. */
static void check_fields(const char *file, int line, const char *source, const char *members,
                         const char *text)
{
    fields x;
    char shown[1000];
    fields_init(&x, DPL__WIKI_INFOBOX | DPL__WIKI_TABLES);
    find(&x, dpl__cstr(source));
    dpl_str got = {x.f.members.data, x.f.members.n};
    if (!dpl__str_eq(got, dpl__cstr(members)))
        dpl__test_fail(file, line, "'%s' gives '%.*s', expected '%s'", source, (int)got.n,
                       got.data, members);
    CHECK(x.f.text.n < sizeof shown);
    for (size_t i = 0; i < x.f.text.n; i++)
        shown[i] = x.f.text.data[i] == '\n'               ? '/'
                   : x.f.text.data[i] == DPL_SECTION_MARK ? '@'
                                                          : x.f.text.data[i];
    shown[x.f.text.n] = 0;
    if (strcmp(shown, text) != 0)
        dpl__test_fail(file, line, "'%s' gives the text '%s', expected '%s'", source, shown,
                       text);
    fields_done(&x);
}

#define FIELDS(source, members, text) check_fields(__FILE__, __LINE__, source, members, text)

DPL_TEST(wikifields, an_infobox_has_its_named_values_as_plain_text)
{
    FIELDS("{{Infobox city|name='''Ulm'''|area={{convert|5|km2}}|x|mayor=[[A|B]]<ref>c</ref>"
           "|empty= |image=}}\nText",
           ",\"infobox\":[{\"template\":\"Infobox city\",\"values\":{\"name\":\"Ulm\","
           "\"area\":\"5 km2\",\"mayor\":\"B\"}}]",
           "@Ulm/5 km2/B/");
    FIELDS("{{Infobox x|a=1|b=\n* one\n* two|a=3}}",
           ",\"infobox\":[{\"template\":\"Infobox x\",\"values\":{\"b\":\"one\\ntwo\","
           "\"a\":\"3\"}}]",
           "@one/two/3/");
    FIELDS("{{Карточка <!-- c -->|имя=Ян}} {{taxobox|a=1}}",
           ",\"infobox\":[{\"template\":\"Карточка\",\"values\":{\"имя\":\"Ян\"}},"
           "{\"template\":\"taxobox\",\"values\":{\"a\":\"1\"}}]",
           "@Ян/@1/");
    FIELDS("{{Infobox|a=}} {{cite web|a=1|b=2|c=3|d=4|e=5}}", "", "");
}

DPL_TEST(wikifields, a_template_of_any_name_with_values_line_by_line_is_one)
{
    FIELDS("{{Mjesto\n| ime = A\n| drzava = B\n| broj = 3\n| sat = \n}}\nText\n== H ==\n",
           ",\"infobox\":[{\"template\":\"Mjesto\",\"values\":{\"ime\":\"A\",\"drzava\":\"B\","
           "\"broj\":\"3\"}}]",
           "@A/B/3/");
    FIELDS("Text\n== H ==\n{{Chart\n| a = A\n| b = B\n| c = 3\n| d = 4\n}}", "", "");
    FIELDS("{{cite|a=1\n|b=2|c=3|d=4}}", "", "");
}

DPL_TEST(wikifields, a_table_has_rows_of_cells)
{
    FIELDS("{| class=x\n|+ Ships\n! Year !! N\n|-\n| style=\"a\" | 1871 || [[a|12]]\n|-\n|\n|"
           "\n|-\n|1872\n|{{nowrap|13}}\nand more\n|}",
           ",\"tables\":[[[\"Ships\"],[\"Year\",\"N\"],[\"1871\",\"12\"],[\"1872\",\"13 and "
           "more\"]]]",
           "@Ships/Year N/1871 12/1872 13 and more/");
    FIELDS("<table><caption>C</caption><tr><th>a<td>b</td></tr><tr><td>[[c|d]]</table>",
           ",\"tables\":[[[\"C\"],[\"a\",\"b\"],[\"d\"]]]", "@C/a b/d/");
    FIELDS("{|\n|a\n{|\n|b\n|}\n|c\n|}\n{|\n|}", ",\"tables\":[[[\"a\",\"c\"]],[[\"b\"]]]",
           "@a c/@b/");
    FIELDS("{|\n|a\n<tr><td>b</table \xD0\xB0\xD0\xB0>\n", ",\"tables\":[[[\"a\"],[\"b\"]]]",
           "@a/b/");
    FIELDS("{|\n|a [[b|c]] | d\n|}", ",\"tables\":[[[\"a c | d\"]]]", "@a c | d/");
}

DPL_TEST(wikifields, names_of_fields_are_checked)
{
    unsigned wants;
    CHECK(dpl__wiki_fields_parse(&wants, NULL) && wants == 0);
    CHECK(dpl__wiki_fields_parse(&wants, "tables") && wants == DPL__WIKI_TABLES);
    CHECK(dpl__wiki_fields_parse(&wants, "tables,infobox") &&
          wants == (DPL__WIKI_TABLES | DPL__WIKI_INFOBOX));
    CHECK(!dpl__wiki_fields_parse(&wants, "infoboxes"));
    CHECK(!dpl__wiki_fields_parse(&wants, "infobox,,tables"));
}

DPL_TEST(wikifields, of_any_markup_are_json)
{
    static const char *const pieces[] = {
        "{{",         "}}",
        "{{Infobox",  "[[",
        "]]",         "{|",
        "\n|}",       "\n|-",
        "|",          "||",
        "\n|",        "\n!",
        "!!",         "\n{|",
        "=",          "a",
        "b=",         "<table>",
        "</table>",   "<tr>",
        "<td>",       "</td>",
        "<th>",       "\"",
        "\\",         "\n== ",
        " ==\n",      "語",
        "<ref>",      "</ref>",
        "\n|+",       "<!--",
        "-->",        "{{x\n|a=1\n|b=2\n|c=3\n|d=4}}",
        "</tr>",      "<caption>",
        "</caption>", "\x01",
    };
    const uint64_t seed = 20261116;
    dpl__rng rng = {seed};
    fields x;
    fields_init(&x, DPL__WIKI_INFOBOX | DPL__WIKI_TABLES);
    for (size_t round = 0; round < 20000; round++) {
        char text[2000];
        size_t n = 0;
        for (size_t i = dpl__rng_below(&rng, 50); i-- > 0;) {
            const char *piece = pieces[dpl__rng_below(&rng, DPL_LEN(pieces))];
            memcpy(text + n, piece, strlen(piece));
            n += strlen(piece);
        }
        find(&x, (dpl_str){text, n});
        if (x.f.members.n == 0)
            continue;
        x.f.members.data[0] = '{';
        CHECK(dpl__vec_push(x.ctx, &x.f.members, '}'));
        dpl__json j = dpl__json_begin(x.ctx, (dpl_str){x.f.members.data, x.f.members.n});
        dpl_str raw;
        if (dpl__json_skip(&j, &raw) != DPL_OK || dpl__json_end(&j) != DPL_OK)
            dpl__test_fail(__FILE__, __LINE__, "seed %llu, round %zu: '%.*s' gives '%.*s'",
                           (unsigned long long)seed, round, (int)n, text, (int)raw.n, raw.data);
        uint8_t most;
        CHECK_EQ(x.ctx->kernels->utf8_prefix((const uint8_t *)x.f.text.data, x.f.text.n, &most),
                 x.f.text.n);
        dpl__arena_reset(&x.arena);
    }
    fields_done(&x);
}

DPL_TEST(wikifields, hostile_nesting_comes_to_an_end)
{
    static const char *const hostile[][2] = {
        {"{{Infobox|a=", "}}"}, {"\n{|\n|", "\n|}"}, {"<table><td>", "</table>"},
        {"{{a\n|b=", "}}"},     {"|", "|"},          {"{{Infobox|a=1", "\n"}};
    fields x;
    fields_init(&x, DPL__WIKI_INFOBOX | DPL__WIKI_TABLES);
    const size_t n = 1 << 20;
    char *text = malloc(n);
    CHECK(text != NULL);
    for (size_t k = 0; k < DPL_LEN(hostile); k++) {
        for (size_t half = 0; half < 2; half++)
            for (size_t i = 0, n_piece = strlen(hostile[k][half]); i < n / 2; i++)
                text[half * n / 2 + i] = hostile[k][half][i % n_piece];
        find(&x, (dpl_str){text, n});
        dpl__arena_reset(&x.arena);
    }
    free(text);
    fields_done(&x);
}
