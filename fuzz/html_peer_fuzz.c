/*
 * html_peer_fuzz.c - HTML through our reader and through Gumbo: the same words.
 *
 * Each byte of the input is a piece of a page: a tag, text, a comment ... Both give the same
 * lines, perhaps in another order, where nothing of a table or a list of options is in the page
 * and few inline elements: text that stands between the cells of a table is moved by Gumbo, and
 * so are the line breaks of an option that formatting overlaps, and blocks in formatting around
 * many elements. There the characters are counted. Left out is what we read otherwise by intent
 * (docs/guides/import.md lists it), and hidden elements that are no blocks, SVG and MathML
 * among them, in pages with formatting: where it overlaps them, a tree shows or hides what came
 * before, and how many elements the standard looks through decides.
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

/* MOST_INLINE: formatting and the three elements in it that the standard looks at. */
enum { N_TABLE_PIECES = 16, MOST_PIECES = 200, MOST_INLINE = 4 };

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

static bool is_foreign(const char *piece)
{
    return !strcmp(piece, "<svg>") || !strcmp(piece, "<math>");
}

/* The standard's </p> and </br> end SVG and MathML, </object> in <mi> ends nothing, and a
 * <select> of MathML is none of HTML; Gumbo's do otherwise. */
static bool is_foreign_end(const char *piece, bool *has_foreign)
{
    static const char *const others[] = {"</p>", "</br>", "</object>", "<select>"};
    *has_foreign = *has_foreign || is_foreign(piece);
    for (size_t i = 0; *has_foreign && i < DPL_LEN(others); i++)
        if (!strcmp(piece, others[i]))
            return true;
    return false;
}

/* Behind </>, which is nothing, Gumbo loses the end tag of SVG and MathML; CDATA in their text
 * in a table makes it stop. */
static bool is_lost_by_gumbo(const char *piece, const uint8_t *data, size_t n)
{
    const bool is_lost = !strcmp(piece, "</>") || !strcmp(piece, "<![CDATA[ c ]]>");
    for (size_t i = 0; is_lost && i < n; i++)
        if (is_foreign(pieces[data[i] % DPL_LEN(pieces)]))
            return true;
    return false;
}

static bool is_one_of(const char *piece, const char *const *names, size_t n)
{
    for (size_t i = 0; i < n; i++)
        if (!strcmp(piece, names[i]))
            return true;
    return false;
}

static bool has_one_of(const uint8_t *data, size_t n, const char *const *names, size_t n_names)
{
    for (size_t i = 0; i < n; i++)
        if (is_one_of(pieces[data[i] % DPL_LEN(pieces)], names, n_names))
            return true;
    return false;
}

/* Parts of a table in a <template> without the table have insertion modes of their own; ours
 * are passed over. And a marker in the list of formatting outlives an <object> that ends with a
 * cell, a table or a template around it; ours does not. */
static bool is_left_out(const char *piece, const uint8_t *data, size_t n)
{
    static const char *const names[] = {"<template>", "<tr>",    "<td>",      "<th>",
                                        "<tbody>",    "<thead>", "<caption>", "<col>",
                                        "<colgroup>", "<table>"};
    static const char *const formatting[] = {"<b>",           "<i>",    "<a href=x>",
                                             "<font size=2>", "<nobr>", "<em>"};
    if (is_foreign(piece))
        return has_one_of(data, n, formatting, DPL_LEN(formatting));
    if (!strcmp(piece, "<object>"))
        return has_one_of(data, n, names, DPL_LEN(names));
    return is_one_of(piece, names + 1, DPL_LEN(names) - 2) && has_one_of(data, n, names, 1);
}

static bool is_inline(const char *piece)
{
    static const char *const names[] = {"<b>",    "<i>",  "<a href=x>", "<font size=2>",
                                        "<nobr>", "<em>", "<sub>",      "<span>",
                                        "<ruby>", "<g>",  "<mi>"};
    return is_one_of(piece, names, DPL_LEN(names));
}

static int compare_lines(const void *a, const void *b)
{
    const dpl_str *x = a, *y = b;
    const int order = memcmp(x->data, y->data, dpl__min(x->n, y->n));
    return order ? order : x->n < y->n ? -1 : x->n > y->n;
}

/* The lines of a text, sorted; returns how many. */
static size_t sort_lines(dpl_str *lines, dpl_str text)
{
    size_t n = 0;
    while (text.n) {
        const char *newline = memchr(text.data, '\n', text.n);
        const size_t n_line = newline ? (size_t)(newline - text.data) : text.n;
        lines[n++] = (dpl_str){text.data, n_line};
        text = (dpl_str){text.data + n_line + !!newline, text.n - n_line - !!newline};
    }
    qsort(lines, n, sizeof *lines, compare_lines);
    return n;
}

static void check_lines(dpl_str a, dpl_str b)
{
    static dpl_str lines[2][4 * MOST_PIECES]; /* a piece has three line breaks at most */
    const size_t n = sort_lines(lines[0], a);
    FUZZ_CHECK(sort_lines(lines[1], b) == n);
    for (size_t i = 0; i < n; i++)
        FUZZ_CHECK(dpl__str_eq(lines[0][i], lines[1][i]));
}

/* An element on lines of its own that is not one of the standard's "special" ones. */
static bool is_option(const char *piece)
{
    return !strcmp(piece, "<option>") || !strcmp(piece, "<optgroup>");
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t n)
{
    dpl__arena arena;
    dpl__arena_init(&arena, fuzz_ctx());
    dpl__bytes page = {0};
    bool has_table = false, has_foreign = false;
    size_t n_inline = 0;
    static const char start[] = "<!doctype html>"; /* else <table> does not end <p> */
    FUZZ_CHECK(dpl__vec_append(fuzz_ctx(), &page, start, sizeof start - 1));
    for (size_t i = 0; i < n && i < MOST_PIECES; i++) {
        const size_t piece = data[i] % DPL_LEN(pieces);
        if (is_left_out(pieces[piece], data, n) ||
            is_foreign_end(pieces[piece], &has_foreign) ||
            is_lost_by_gumbo(pieces[piece], data, n))
            continue;
        n_inline += is_inline(pieces[piece]);
        has_table =
            has_table || piece >= DPL_LEN(pieces) - N_TABLE_PIECES || is_option(pieces[piece]);
        FUZZ_CHECK(dpl__vec_append(fuzz_ctx(), &page, pieces[piece], strlen(pieces[piece])));
    }
    dpl_str html = {page.data ? page.data : "", page.n};
    dpl_doc ours, gumbos;
    FUZZ_CHECK(dpl__html_read(&ours, &arena, html, NULL) == DPL_OK);
    FUZZ_CHECK(gumbo_text(&gumbos, &arena, html, NULL) == DPL_OK);
    if (has_table || n_inline > MOST_INLINE)
        check_characters(ours.text, gumbos.text);
    else
        check_lines(ours.text, gumbos.text);
    dpl__vec_clear(fuzz_ctx(), &page);
    dpl__arena_clear(&arena);
    return 0;
}
