#include "readers/wiki/xml_plain.h"

#include "base/hash.h"
#include "base/vec.h"
#include "test.h"

#include <expat.h>
#include <stdio.h>

/* What callbacks were told: text in one piece, whatever pieces it came in. */
typedef struct events {
    dpl_ctx *ctx;
    dpl__bytes bytes;
    bool is_text;
} events;

static void note(events *e, char kind, const char *text, size_t n)
{
    if (kind != 't' || !e->is_text) {
        CHECK(dpl__vec_push(e->ctx, &e->bytes, '\0'));
        CHECK(dpl__vec_push(e->ctx, &e->bytes, kind));
    }
    e->is_text = kind == 't';
    CHECK(dpl__vec_append(e->ctx, &e->bytes, text, n));
}

static void on_start(void *user, const char *name, const char **attributes)
{
    note(user, 's', name, strlen(name));
    for (; *attributes; attributes++)
        note(user, 'a', *attributes, strlen(*attributes));
}

static void on_end(void *user, const char *name)
{
    note(user, 'e', name, strlen(name));
}

static void on_text(void *user, const char *text, int n)
{
    note(user, 't', text, (size_t)n);
}

static bool parse_plainly(events *e, dpl_str text)
{
    const dpl__xml_plain xml = {.start = on_start, .end = on_end, .text = on_text, .user = e};
    e->bytes.n = 0;
    e->is_text = false;
    return dpl__xml_plain_parse(&xml, e->ctx, text);
}

static bool parse_with_expat(events *e, dpl_str text)
{
    e->bytes.n = 0;
    e->is_text = false;
    XML_Parser parser = XML_ParserCreate("UTF-8");
    XML_SetUserData(parser, e);
    XML_SetElementHandler(parser, on_start, on_end);
    XML_SetCharacterDataHandler(parser, on_text);
    bool is_good = XML_Parse(parser, text.data, (int)text.n, XML_TRUE) == XML_STATUS_OK;
    XML_ParserFree(parser);
    return is_good;
}

/* What is accepted is what Expat accepts, with the same events. Returns whether it is. */
static bool compare(dpl_str text)
{
    dpl_ctx *ctx = test_ctx(1);
    events ours = {.ctx = ctx}, expat = {.ctx = ctx};
    bool is_plain = parse_plainly(&ours, text);
    if (is_plain && (!parse_with_expat(&expat, text) || ours.bytes.n != expat.bytes.n ||
                     memcmp(ours.bytes.data, expat.bytes.data, ours.bytes.n) != 0))
        dpl__test_fail(__FILE__, __LINE__, "not as Expat: %.*s", (int)text.n, text.data);
    dpl__vec_clear(ctx, &ours.bytes, &expat.bytes);
    test_ctx_done(ctx);
    return is_plain;
}

DPL_TEST(xml_plain, pages_of_dumps_are_plain)
{
    static const char *const plain[] = {
        "<page/>",
        "<page></page>",
        "<page>\n\t<id>12</id><text xml:space=\"preserve\" bytes=\"7\">a &lt;b&gt; "
        "&quot;c&quot; "
        "&amp;nbsp; &apos;</text>\n</page>",
        "<a><b><a>\xC3\xA4\xEF\xBC\x81\x7F</a></b></a>",
        "<redirect title=\"it's\" />",
    };
    for (size_t i = 0; i < DPL_LEN(plain); i++)
        CHECK(compare(dpl__cstr(plain[i])));
}

DPL_TEST(xml_plain, what_is_not_plain_is_left_to_expat)
{
    static const char *const other[] = {
        "",
        "<",
        "<page",
        "<page>",
        "page",
        " <page/>",
        "<page/> ",
        "<page/><page/>",
        "<page></pag>",
        "<page><id></page></id>",
        "<page>&nbsp;</page>",
        "<page>&#65;</page>",
        "<page>&</page>",
        "<page>]]></page>",
        "<page>\r\n</page>",
        "<page>\x01</page>",
        "<page>\xEF\xBF\xBE</page>",
        "<page><!-- c --></page>",
        "<page><![CDATA[x]]></page>",
        "<page><?x?></page>",
        "<!DOCTYPE page><page/>",
        "<page a=\"1\" a=\"2\"/>",
        "<page a=\"1\"b=\"2\"/>",
        "<page a='1'/>",
        "<page a=\"&lt;\"/>",
        "<page a=\"<\"/>",
        "<page a=\"\t\"/>",
        "<page a/>",
        "<1/>",
        "< page/>",
        "<page / >",
        "</page>",
    };
    for (size_t i = 0; i < DPL_LEN(other); i++)
        CHECK(!compare(dpl__cstr(other[i])));
}

/* Pieces of XML in an order that is right more often than not. */
DPL_TEST(xml_plain, any_pieces_give_the_events_of_expat)
{
    static const char *const pieces[] = {
        "<a>",
        "</a>",
        "<b x=\"1\">",
        "</b>",
        "text",
        "\n",
        " ",
        "&lt;",
        "&amp;",
        "&quot;",
        "<c/>",
        "<c />",
        ">",
        "]]",
        "\xC3\xA4",
        "&#x41;",
        "<a\n y=\"\xC3\xA4\">",
        "<!---->",
        "<b  x=\"1\" y=\"\">",
        "\xEF\xBB\xBF",
        "\r",
        "/",
    };
    size_t n_plain = 0;
    for (uint64_t seed = 0; seed < 20000; seed++) {
        dpl__rng rng = {dpl__mix(seed)};
        char text[400];
        const char *open[20];
        size_t n = 0, depth = 0, usual = dpl__rng_below(&rng, 8) ? 12 : DPL_LEN(pieces);
        open[depth++] = "</r>";
        n += (size_t)snprintf(text, sizeof text, "<r>");
        for (uint64_t k = dpl__rng_below(&rng, 12); k; k--) {
            const char *piece = pieces[dpl__rng_below(&rng, usual)];
            if (piece[0] == '<' && piece[1] != '/' && piece[1] != 'c' && piece[1] != '!')
                open[depth++] = piece[1] == 'a' ? "</a>" : "</b>";
            if (piece[1] == '/') /* the right one, nearly always */
                piece = depth > 1 && dpl__rng_below(&rng, 30) ? open[--depth] : piece;
            n += (size_t)snprintf(text + n, sizeof text - n, "%s", piece);
        }
        while (depth)
            n += (size_t)snprintf(text + n, sizeof text - n, "%s", open[--depth]);
        n_plain += compare((dpl_str){text, n});
    }
    CHECK(n_plain > 5000);
}
