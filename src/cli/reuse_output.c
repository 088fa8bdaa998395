/*
 * reuse_output.c - passages and sources as JSON and for people.
 */
#include "cli/reuse_output.h"

#include <stdio.h>
#include <string.h>

static void write_text(cli_output *out, const char *text)
{
    cli_output_write(out, text, strlen(text));
}

/* ---- JSON ------------------------------------------------------------------------------- */

static void print_side(dpl_json *j, const dpl_reuse_result *r, const dpl_passage *p,
                       bool is_source)
{
    const dpl_span *s = is_source ? &p->source : &p->query;
    dpl_json_begin(j, is_source ? "source" : "query", '{');
    dpl_json_text(j, "id", dpl_reuse_doc(r, s->doc, is_source).id);
    dpl_json_number(j, "begin", s->begin);
    dpl_json_number(j, "end", s->end);
    dpl_json_number(j, "sentence", s->first_sentence);
    dpl_json_number(j, "sentences", s->n_sentences);
    dpl_json_text(j, "text", dpl_reuse_text(r, p, is_source));
    dpl_json_end(j, '}');
}

static void print_sources(dpl_json *j, const dpl_reuse_result *r)
{
    dpl_json_begin(j, "sources", '[');
    for (size_t i = 0; i < dpl_reuse_get_summary(r)->n_source_docs; i++) {
        const dpl_reuse_source *s = dpl_reuse_get_source(r, i);
        const dpl_doc doc = dpl_reuse_doc(r, s->doc, true);
        dpl_json_begin(j, NULL, '{');
        dpl_json_text(j, "id", doc.id);
        dpl_json_text(j, "title", doc.title);
        dpl_json_number(j, "passages", s->n_passages);
        dpl_json_number(j, "words", s->n_words);
        dpl_json_number(j, "new_words", s->n_new_words);
        dpl_json_end(j, '}');
    }
    dpl_json_end(j, ']');
}

void cli_json_reuse(dpl_json *j, const dpl_reuse_result *r)
{
    dpl_json_begin(j, "passages", '[');
    for (size_t i = 0; i < dpl_reuse_get_summary(r)->n_passages; i++) {
        const dpl_passage *p = dpl_reuse_get_passage(r, i);
        dpl_json_begin(j, NULL, '{');
        dpl_json_cstr(j, "kind", dpl_passage_kind_name(p->kind));
        dpl_json_decimal(j, "similarity", p->similarity);
        print_side(j, r, p, false);
        print_side(j, r, p, true);
        dpl_json_end(j, '}');
    }
    dpl_json_end(j, ']');
    print_sources(j, r);
}

/* ---- sources -------------------------------------------------------------------------- */

/* Maximum number of sources in the text output. */
enum { MOST_SOURCES = 10 };

void cli_print_sources(cli_output *out, const dpl_reuse_result *r)
{
    const size_t n = dpl_reuse_get_summary(r)->n_source_docs;
    char line[80];
    if (!n)
        return;
    write_text(out, "sources, by the words of the query that they explain\n");
    for (size_t i = 0; i < n && i < MOST_SOURCES; i++) {
        const dpl_reuse_source *s = dpl_reuse_get_source(r, i);
        const dpl_doc doc = dpl_reuse_doc(r, s->doc, true);
        snprintf(line, sizeof line, "%7llu  %6llu new  ", (unsigned long long)s->n_words,
                 (unsigned long long)s->n_new_words);
        write_text(out, line);
        cli_output_write(out, doc.id.data, doc.id.n);
        write_text(out, doc.title.n ? "  " : "");
        cli_output_write(out, doc.title.data, doc.title.n);
        write_text(out, "\n");
    }
    if (n > MOST_SOURCES) {
        snprintf(line, sizeof line, "         and %zu more\n", n - MOST_SOURCES);
        write_text(out, line);
    }
}

static void write_place(cli_output *out, const dpl_span *s)
{
    char line[60];
    if (s->n_sentences > 1)
        snprintf(line, sizeof line, "sentences %u to %u", s->first_sentence + 1,
                 s->first_sentence + s->n_sentences);
    else
        snprintf(line, sizeof line, "sentence %u", s->first_sentence + 1);
    write_text(out, line);
}

void cli_list_passages(cli_output *out, const dpl_reuse_result *r)
{
    for (size_t i = 0; i < dpl_reuse_get_summary(r)->n_passages; i++) {
        const dpl_passage *p = dpl_reuse_get_passage(r, i);
        const dpl_str id = dpl_reuse_doc(r, p->source.doc, true).id;
        char line[60];
        snprintf(line, sizeof line, "        %s %.2f  ", dpl_passage_kind_name(p->kind),
                 (double)p->similarity);
        write_text(out, line);
        write_place(out, &p->query);
        write_text(out, "  <-  ");
        cli_output_write(out, id.data, id.n);
        write_text(out, "  ");
        write_place(out, &p->source);
        write_text(out, "\n");
    }
}
