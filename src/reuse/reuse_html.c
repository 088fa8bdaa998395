/*
 * reuse_html.c - a page with the query's documents, passages marked, beside their sources.
 *
 * Self-contained, escaped, works without scripts.
 */
#include "reuse/reuse_run.h"

#include "base/ascii.h"
#include "base/sha256.h"
#include "report/report_style.h"

#include <stdio.h>

typedef struct page {
    const dpl_reuse_result *r;
    void (*put)(void *user, const char *data, size_t n);
    void *user;
} page;

static void put(const page *p, const char *text)
{
    p->put(p->user, text, strlen(text));
}

static void put_text(const page *p, dpl_str s)
{
    size_t from = 0;
    for (size_t i = 0; i <= s.n; i++) {
        const char *escape = i == s.n           ? ""
                             : s.data[i] == '&' ? "&amp;"
                             : s.data[i] == '<' ? "&lt;"
                             : s.data[i] == '>' ? "&gt;"
                             : s.data[i] == '"' ? "&quot;"
                                                : NULL;
        if (!escape)
            continue;
        if (i > from)
            p->put(p->user, s.data + from, i - from);
        put(p, escape);
        from = i + 1;
    }
}

static const char head[] =
    "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n"
    "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n";

/* clang-format off */
/* Beside the house's style: a kind is seen by its line, too, not by colour alone. */
static const char own_style[] =
    ".text{font:1.08rem/1.65 var(--serif);white-space:pre-wrap;margin:1.4rem 0;max-width:44rem}\n"
    ".text a{text-decoration:none}.text a:hover{color:inherit}\n"
    "mark{padding:.08em 0;margin:0}\n"
    ".verbatim{background:rgba(var(--tint),.26)}.edited{background:rgba(var(--tint),.13)}\n"
    ".reordered{background:rgba(var(--tint),.13);border-bottom:1px dotted var(--accent)}\n"
    ".translated{background:none;border-bottom:2px solid var(--accent);border-radius:0}\n"
    ".beads tr:target td{background:rgba(var(--tint),.07)}\n"
    ".beads td{width:50%}.beads th:last-child{width:50%;text-align:start}"
    ".beads .place{display:block;font:.8rem/1.6 var(--sans);"
    "color:var(--soft)}.beads .around{color:var(--soft)}\n"
    ".legend{margin-top:1.6rem}.legend mark{padding:.08em .4em;margin-right:.6em}\n"
    "@media print{.text a{color:inherit}mark{print-color-adjust:exact;"
    "-webkit-print-color-adjust:exact;text-decoration:none}}\n";
/* clang-format on */

/* The policy allows nothing but the style: the browser runs nothing, whatever a text
 * contains. */
static void put_head(const page *p)
{
    enum { N_HOUSE = DPL_LEN(report_style) };
    char source[DPL__SOURCE_SIZE];
    const char *pieces[N_HOUSE + 1];
    memcpy(pieces, report_style, sizeof report_style);
    pieces[N_HOUSE] = own_style;
    dpl__policy_source(source, pieces, N_HOUSE + 1);
    put(p, head);
    put(p, "<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; "
           "style-src ");
    put(p, source);
    put(p, "; base-uri 'none'; form-action 'none'\">\n<title>Reused passages &#183; "
           "doppel</title>\n<style>");
    for (size_t i = 0; i < N_HOUSE + 1; i++)
        put(p, pieces[i]);
    put(p, "</style>\n</head>\n<body>\n<header>\n<p class=\"over\">doppel reuse</p>\n"
           "<h1>Reused passages</h1>\n</header>\n");
}

static void put_big(const page *p, const char *name, const char *value, const char *note)
{
    put(p, "<div><dt>");
    put(p, name);
    put(p, "</dt><dd>");
    put(p, value);
    put(p, "</dd><dd class=\"note\">");
    put(p, note);
    put(p, "</dd></div>\n");
}

static void put_summary(const page *p)
{
    const dpl_reuse_summary *s = &p->r->s;
    char value[40], note[100];
    const char *between = "";
    put(p, "<dl class=\"big\">\n");
    snprintf(value, sizeof value, "%.1f %%",
             s->n_query_words ? 100.0 * (double)s->n_reused_words / (double)s->n_query_words
                              : 0.0);
    snprintf(note, sizeof note, "%llu of %llu words", (unsigned long long)s->n_reused_words,
             (unsigned long long)s->n_query_words);
    put_big(p, "Reused", value, note);
    snprintf(value, sizeof value, "%llu", (unsigned long long)s->n_passages);
    size_t n = 0;
    note[0] = 0;
    for (unsigned k = 0; dpl_passage_kind_name(k); k++)
        if (s->n_kinds[k] && n < sizeof note - 1) {
            n += (size_t)snprintf(note + n, sizeof note - n, "%s%llu %s", between,
                                  (unsigned long long)s->n_kinds[k], dpl_passage_kind_name(k));
            between = ", ";
        }
    put_big(p, "Passages", value, note);
    snprintf(value, sizeof value, "%llu", (unsigned long long)s->n_source_docs);
    snprintf(note, sizeof note, "of %llu documents", (unsigned long long)s->n_docs);
    put_big(p, "Sources", value, note);
    put(p, "</dl>\n");
}

/* ---- sources -------------------------------------------------------------------------- */

/* Title and id; an address on the web is a link. */
static void put_source_name(const page *p, uint32_t doc)
{
    const dpl_doc d = dpl_reuse_doc(p->r, doc, true);
    const bool is_address =
        dpl__begins_with(d.id, "http://") || dpl__begins_with(d.id, "https://");
    if (is_address) {
        put(p, "<a rel=\"noreferrer\" href=\"");
        put_text(p, d.id);
        put(p, "\">");
    }
    put_text(p, d.title.n ? d.title : d.id);
    put(p, is_address ? "</a>" : "");
    if (d.title.n) {
        put(p, " <code>");
        put_text(p, d.id);
        put(p, "</code>");
    }
}

enum { MOST_SOURCES = 50 };

static void put_sources(const page *p)
{
    const size_t n = dpl_reuse_get_summary(p->r)->n_source_docs;
    char line[200];
    if (!n)
        return;
    put(p, "<h2>Sources</h2>\n<p class=\"note\">Ranked by the words that a source explains and "
           "those before it do not.</p>\n<div class=\"scroll\"><table>\n<thead><tr><th>source"
           "</th><th class=\"num\">passages</th><th class=\"num\">words</th><th class=\"num\">"
           "of them new</th></tr></thead>\n");
    for (size_t i = 0; i < n && i < MOST_SOURCES; i++) {
        const dpl_reuse_source *s = dpl_reuse_get_source(p->r, i);
        put(p, "<tr><th>");
        put_source_name(p, s->doc);
        snprintf(line, sizeof line,
                 "</th><td class=\"num\">%u</td><td class=\"num\">%llu</td><td class=\"num\">"
                 "%llu</td></tr>\n",
                 s->n_passages, (unsigned long long)s->n_words,
                 (unsigned long long)s->n_new_words);
        put(p, line);
    }
    put(p, "</table></div>\n");
    if (n > MOST_SOURCES) {
        snprintf(line, sizeof line, "<p class=\"note\">and %zu more</p>\n", n - MOST_SOURCES);
        put(p, line);
    }
}

/* ---- a document ----------------------------------------------------------------------- */

/* The document's text with marks; of passages that overlap, the first one marks. */
static void put_marked(const page *p, uint32_t doc, size_t first, size_t end)
{
    const dpl_str text = dpl_collection_doc(p->r->c[0], doc).text;
    size_t at = 0;
    char line[100];
    put(p, "<div class=\"text\">");
    for (size_t i = first; i < end; i++) {
        const dpl_passage *x = &p->r->passages.data[i];
        const size_t begin = x->query.begin > at ? x->query.begin : at;
        if (x->query.end <= begin)
            continue;
        put_text(p, (dpl_str){text.data + at, begin - at});
        snprintf(line, sizeof line, "<a href=\"#p%zu\"><mark class=\"%s\">", i + 1,
                 dpl_passage_kind_name(x->kind));
        put(p, line);
        put_text(p, (dpl_str){text.data + begin, x->query.end - begin});
        put(p, "</mark></a>");
        at = x->query.end;
    }
    put_text(p, (dpl_str){text.data + at, text.n - at});
    put(p, "</div>\n");
}

/* "paragraph 3, sentences 12 to 14": places that a reader can find. */
static void put_place(const page *p, const dpl_span *s, dpl_str text)
{
    char line[120];
    size_t paragraph = 1;
    for (size_t i = 0; i < s->begin; i++) /* begin is within the text */
        paragraph += text.data[i] == '\n' && text.data[i + 1] != '\n';
    const unsigned first = s->first_sentence + 1, last = s->first_sentence + s->n_sentences;
    if (last > first)
        snprintf(line, sizeof line, "paragraph %zu, sentences %u to %u", paragraph, first,
                 last);
    else
        snprintf(line, sizeof line, "paragraph %zu, sentence %u", paragraph, first);
    put(p, line);
}

enum { AROUND = 120 }; /* bytes of a source before and behind a passage, about */

/* Some of the text before or behind a passage, up to a blank. */
static void put_around(const page *p, dpl_str text, size_t begin, size_t end, bool is_before)
{
    const bool is_cut = is_before ? begin > 0 : end < text.n;
    while (is_cut && is_before && begin < end && text.data[begin] != ' ')
        begin++;
    while (is_cut && !is_before && end > begin && text.data[end - 1] != ' ')
        end--;
    put(p, "<span class=\"around\">");
    put(p, is_cut && is_before ? "\xE2\x80\xA6" : "");
    put_text(p, (dpl_str){text.data + begin, end - begin});
    put(p, is_cut && !is_before ? "\xE2\x80\xA6" : "");
    put(p, "</span>");
}

static void put_cell(const page *p, size_t number, const dpl_passage *x, bool is_source)
{
    const dpl_span *s = is_source ? &x->source : &x->query;
    const dpl_doc doc = dpl_reuse_doc(p->r, s->doc, is_source);
    char line[160];
    put(p, "<td lang=\"");
    put_text(p, doc.lang);
    put(p, "\"><span class=\"place\">");
    if (is_source) {
        put_source_name(p, s->doc);
        put(p, ", ");
    } else {
        snprintf(line, sizeof line, "%zu. <mark class=\"%s\">%s</mark> %.2f, ", number,
                 dpl_passage_kind_name(x->kind), dpl_passage_kind_name(x->kind),
                 (double)x->similarity);
        put(p, line);
    }
    put_place(p, s, doc.text);
    put(p, "</span>");
    if (is_source)
        put_around(p, doc.text, s->begin > AROUND ? s->begin - AROUND : 0, s->begin, true);
    put_text(p, dpl_reuse_text(p->r, x, is_source));
    if (is_source)
        put_around(p, doc.text, s->end, dpl__min((size_t)s->end + AROUND, doc.text.n), false);
    put(p, "</td>");
}

static void put_passages(const page *p, size_t first, size_t end)
{
    char line[60];
    put(p,
        "<table class=\"beads\">\n<thead><tr><th>passage</th><th>source</th></tr></thead>\n");
    for (size_t i = first; i < end; i++) {
        snprintf(line, sizeof line, "<tr id=\"p%zu\">", i + 1);
        put(p, line);
        put_cell(p, i + 1, &p->r->passages.data[i], false);
        put_cell(p, i + 1, &p->r->passages.data[i], true);
        put(p, "</tr>\n");
    }
    put(p, "</table>\n");
}

static void put_document(const page *p, uint32_t doc, size_t first, size_t end)
{
    const dpl_doc d = dpl_reuse_doc(p->r, doc, false);
    put(p, "<h2>");
    put_text(p, d.title.n ? d.title : d.id);
    put(p, "</h2>\n");
    put_marked(p, doc, first, end);
    put_passages(p, first, end);
}

void dpl_reuse_html(const dpl_reuse_result *result,
                    void (*put_fn)(void *user, const char *data, size_t n), void *user)
{
    const page p = {result, put_fn, user};
    const uint32_t n_docs = dpl_collection_get_sizes(result->c[0])->n_docs;
    size_t first = 0;
    put_head(&p);
    put_summary(&p);
    put(&p, "<p class=\"note legend\"><mark class=\"verbatim\">verbatim</mark><mark "
            "class=\"edited\">edited</mark><mark class=\"reordered\">reordered</mark><mark "
            "class=\"translated\">translated</mark></p>\n");
    put_sources(&p);
    for (uint32_t doc = 0; doc < n_docs; doc++) {
        size_t end = first;
        while (end < result->passages.n && result->passages.data[end].query.doc == doc)
            end++;
        if (end > first)
            put_document(&p, doc, first, end);
        first = end;
    }
    put(&p, "<footer>doppel ");
    put(&p, dpl_version());
    put(&p, "</footer>\n</body>\n</html>\n");
}
