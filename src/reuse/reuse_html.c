/*
 * reuse_html.c - a page with the query's documents, passages marked, beside their sources.
 *
 * Self-contained, escaped, works without scripts.
 */
#include "reuse/reuse_run.h"

#include "base/sha256.h"

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

static const char style[] =
    "\n"
    ":root { color-scheme: light dark }\n"
    "body { font: 16px/1.5 system-ui, sans-serif; max-width: 72rem; margin: 2rem auto; "
    "padding: 0 1rem }\n"
    "pre { white-space: pre-wrap; font: inherit; background: #8881; padding: 1rem; "
    "border-radius: 6px }\n"
    "table { border-collapse: collapse; width: 100%; table-layout: fixed }\n"
    "td, th { vertical-align: top; text-align: left; padding: .5rem; "
    "border-top: 1px solid #8886 }\n"
    "th:first-child, td:first-child { width: 8rem }\n"
    "mark { background: #fd56; color: inherit }\n"
    "mark.verbatim { background: #f776 } mark.edited { background: #fb46 }\n"
    "mark.reordered { background: #7c76 } mark.translated { background: #6af6 }\n"
    "small { opacity: .7 }\n";

/* Nothing but the style is used: whatever a text may hold, the browser runs none of it. */
static void put_head(const page *p)
{
    char source[DPL__SOURCE_SIZE];
    const char *const pieces[] = {style};
    dpl__policy_source(source, pieces, 1);
    put(p, head);
    put(p, "<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; "
           "style-src ");
    put(p, source);
    put(p, "; base-uri 'none'; form-action 'none'\">\n<title>doppel reuse</title>\n<style>");
    put(p, style);
    put(p, "</style>\n</head>\n<body>\n<h1>Reused passages</h1>\n");
}

static void put_summary(const page *p)
{
    const dpl_reuse_summary *s = &p->r->s;
    char line[300];
    snprintf(line, sizeof line,
             "<p>%llu passages in %llu of %llu documents; %llu of %llu words (%.1f %%).</p>\n",
             (unsigned long long)s->n_passages, (unsigned long long)s->n_source_docs,
             (unsigned long long)s->n_docs, (unsigned long long)s->n_reused_words,
             (unsigned long long)s->n_query_words,
             s->n_query_words ? 100.0 * (double)s->n_reused_words / (double)s->n_query_words
                              : 0.0);
    put(p, line);
}

/* The document's text with marks; of passages that overlap, the first one marks. */
static void put_marked(const page *p, uint32_t doc, size_t first, size_t end)
{
    const dpl_str text = dpl_collection_doc(p->r->c[0], doc).text;
    size_t at = 0;
    char line[100];
    put(p, "<pre>");
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
    put(p, "</pre>\n");
}

static void put_cell(const page *p, const dpl_passage *x, bool is_source)
{
    const dpl_span *s = is_source ? &x->source : &x->query;
    char line[160];
    put(p, "<td>");
    if (is_source) {
        put(p, "<b>");
        put_text(p, dpl_reuse_doc(p->r, s->doc, true).id);
        put(p, "</b> ");
    }
    snprintf(line, sizeof line, "<small>sentences %u to %u, bytes %u to %u</small><br>",
             s->first_sentence + 1, s->first_sentence + s->n_sentences, s->begin, s->end);
    put(p, line);
    put_text(p, dpl_reuse_text(p->r, x, is_source));
    put(p, "</td>");
}

static void put_passages(const page *p, size_t first, size_t end)
{
    char line[160];
    put(p, "<table>\n<tr><th>kind</th><th>query</th><th>source</th></tr>\n");
    for (size_t i = first; i < end; i++) {
        const dpl_passage *x = &p->r->passages.data[i];
        snprintf(line, sizeof line,
                 "<tr id=\"p%zu\"><td><mark class=\"%s\">%s</mark><br>%.2f</td>", i + 1,
                 dpl_passage_kind_name(x->kind), dpl_passage_kind_name(x->kind),
                 (double)x->similarity);
        put(p, line);
        put_cell(p, x, false);
        put_cell(p, x, true);
        put(p, "</tr>\n");
    }
    put(p, "</table>\n");
}

void dpl_reuse_html(const dpl_reuse_result *result,
                    void (*put_fn)(void *user, const char *data, size_t n), void *user)
{
    const page p = {result, put_fn, user};
    const uint32_t n_docs = dpl_collection_get_sizes(result->c[0])->n_docs;
    size_t first = 0;
    put_head(&p);
    put_summary(&p);
    for (uint32_t doc = 0; doc < n_docs; doc++) {
        size_t end = first;
        while (end < result->passages.n && result->passages.data[end].query.doc == doc)
            end++;
        if (end == first)
            continue;
        put(&p, "<h2>");
        put_text(&p, dpl_reuse_doc(result, doc, false).id);
        put(&p, "</h2>\n");
        put_marked(&p, doc, first, end);
        put_passages(&p, first, end);
        first = end;
    }
    put(&p, "</body>\n</html>\n");
}
