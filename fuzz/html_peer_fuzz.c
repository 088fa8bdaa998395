/*
 * html_peer_fuzz.c - HTML through our reader and through Gumbo: the same words.
 *
 * Each byte of the input is a piece of a page: a tag, text, a comment ... Where nothing of a
 * table is in the page, both give the same lines; text that stands between the cells of a table
 * is moved by Gumbo, so there the characters are counted. Left out is what we read otherwise by
 * intent (docs/import.md lists it), and hidden elements that are no blocks: where formatting
 * overlaps them, a tree shows or hides what came before.
 */
#include "readers.h"

#include "../bench/gumbo_text.h"
#include "readers/html/html.h"

static const char *const pieces[] = {"one ",
                                     "two",
                                     " ",
                                     "3",
                                     "&auml;",
                                     "&amp",
                                     "&notit;",
                                     "&#x41;",
                                     "&",
                                     "< ",
                                     "\n",
                                     "\t",
                                     "<!-- c -->",
                                     "<!-->",
                                     "<!--a--!>",
                                     "<? x>",
                                     "</>",
                                     "</ x>",
                                     "<!doctype html>",
                                     "<p>",
                                     "</p>",
                                     "<p>",
                                     "</p>",
                                     "<div>",
                                     "</div>",
                                     "<div>",
                                     "</div>",
                                     "<section>",
                                     "</section>",
                                     "<h1>",
                                     "</h1>",
                                     "<h2>",
                                     "</h2>",
                                     "<ul>",
                                     "</ul>",
                                     "<ol>",
                                     "</ol>",
                                     "<li>",
                                     "</li>",
                                     "<dl>",
                                     "</dl>",
                                     "<dt>",
                                     "</dt>",
                                     "<dd>",
                                     "</dd>",
                                     "<blockquote>",
                                     "</blockquote>",
                                     "<pre>",
                                     "</pre>",
                                     "<br>",
                                     "</br>",
                                     "<hr>",
                                     "<address>",
                                     "</address>",
                                     "<center>",
                                     "</center>",
                                     "<fieldset>",
                                     "</fieldset>",
                                     "<button>",
                                     "</button>",
                                     "<b>",
                                     "</b>",
                                     "<i>",
                                     "</i>",
                                     "<a href=x>",
                                     "</a>",
                                     "<font size=2>",
                                     "</font>",
                                     "<nobr>",
                                     "</nobr>",
                                     "<span>",
                                     "</span>",
                                     "<em>",
                                     "</em>",
                                     "<sub>",
                                     "</sub>",
                                     "<img src='>'>",
                                     "<input value=\"<p>\">",
                                     "<div hidden>",
                                     "<p aria-hidden=true>",
                                     "<p a=b/c hidden>",
                                     "<nav>",
                                     "</nav>",
                                     "<select>",
                                     "</select>",
                                     "<option>",
                                     "</option>",
                                     "<optgroup>",
                                     "</optgroup>",
                                     "<ruby>",
                                     "</ruby>",
                                     "<textarea>a\nb<p></textarea>",
                                     "<title>T</title>",
                                     "<script>'<p>'</script>",
                                     "<script><!-- <script></script> --></script>",
                                     "<style>p > b</style>",
                                     "<xmp>a <b>&lt;</xmp>",
                                     "<template>",
                                     "</template>",
                                     "<svg>",
                                     "<g>",
                                     "</g>",
                                     "</svg>",
                                     "<svg/>",
                                     "<math>",
                                     "</math>",
                                     "<mi>",
                                     "</mi>",
                                     "<![CDATA[ c ]]>",
                                     "<object>",
                                     "</object>",
                                     "<html lang=de>",
                                     "<head>",
                                     "</head>",
                                     "<body>",
                                     "</body>",
                                     "</html>",
                                     "<iframe>x</iframe>", /* tables, from here on */
                                     "<table>",
                                     "</table>",
                                     "<tr>",
                                     "</tr>",
                                     "<td>",
                                     "</td>",
                                     "<th>",
                                     "</th>",
                                     "<tbody>",
                                     "</tbody>",
                                     "<thead>",
                                     "<caption>",
                                     "</caption>",
                                     "<col>",
                                     "<colgroup>",
                                     "</colgroup>"};

enum { N_TABLE_PIECES = 16, MOST_PIECES = 200 };

static bool is_white(char c)
{
    return c == ' ' || c == '\n';
}

static void check_characters(dpl_str a, dpl_str b)
{
    int64_t counts[256] = {0};
    for (size_t i = 0; i < a.n; i++)
        counts[(unsigned char)a.data[i]] += !is_white(a.data[i]);
    for (size_t i = 0; i < b.n; i++)
        counts[(unsigned char)b.data[i]] -= !is_white(b.data[i]);
    for (int i = 0; i < 256; i++)
        FUZZ_CHECK(counts[i] == 0);
}

/* The standard's </p> and </br> end SVG and MathML; Gumbo's do not. */
static bool is_foreign_end(const char *piece, bool *has_foreign)
{
    *has_foreign = *has_foreign || !strcmp(piece, "<svg>") || !strcmp(piece, "<math>");
    return *has_foreign && (!strcmp(piece, "</p>") || !strcmp(piece, "</br>"));
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t n)
{
    dpl__arena arena;
    dpl__arena_init(&arena, fuzz_ctx());
    dpl__bytes page = {0};
    bool has_table = false, has_foreign = false;
    static const char start[] = "<!doctype html>"; /* else <table> does not end <p> */
    FUZZ_CHECK(dpl__vec_append(fuzz_ctx(), &page, start, sizeof start - 1));
    for (size_t i = 0; i < n && i < MOST_PIECES; i++) {
        const size_t piece = data[i] % DPL_LEN(pieces);
        if (is_foreign_end(pieces[piece], &has_foreign))
            continue;
        has_table = has_table || piece >= DPL_LEN(pieces) - N_TABLE_PIECES;
        FUZZ_CHECK(dpl__vec_append(fuzz_ctx(), &page, pieces[piece], strlen(pieces[piece])));
    }
    dpl_str html = {page.data ? page.data : "", page.n};
    dpl_doc ours, gumbos;
    FUZZ_CHECK(dpl__html_read(&ours, &arena, html, NULL) == DPL_OK);
    FUZZ_CHECK(gumbo_text(&gumbos, &arena, html, NULL) == DPL_OK);
    if (has_table)
        check_characters(ours.text, gumbos.text);
    else
        FUZZ_CHECK(dpl__str_eq(ours.text, gumbos.text));
    dpl__vec_clear(fuzz_ctx(), &page);
    dpl__arena_clear(&arena);
    return 0;
}
