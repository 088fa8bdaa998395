/*
 * show_collection.c - what 'doppel show' prints of a collection.
 *
 * Cost: one look at the language of every document, and otherwise only what is printed.
 */
#include "cli/notes.h"
#include "cli/show.h"
#include "cli/talk.h"

#include "doppel/tokens.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct term_count {
    uint32_t term, count;
} term_count;

/* A collection and what is to be shown of it. */
typedef struct view {
    dpl_collection *c;
    uint32_t doc, term; /* the item */
    term_count *ranked; /* the document's terms, most frequent first */
    size_t n_ranked;
} view;

/* ---- open, and find an item ------------------------------------------------------------ */

/* The word as it is in the vocabulary; terms are folded, so if need be this one is, too. */
static bool find_term(uint32_t *out, const dpl_collection *c, dpl_ctx *ctx, const char *word)
{
    dpl_str text = {word, strlen(word)};
    if (dpl_collection_find_term(c, text, out))
        return true;
    dpl_tokens *tokens = NULL;
    dpl_token token;
    bool is_found = dpl_tokens_new(&tokens, ctx, NULL, NULL) == DPL_OK &&
                    dpl_tokens_start(tokens, text, "und", NULL) == DPL_OK &&
                    dpl_tokens_next(tokens, &token, NULL) == DPL_OK &&
                    token.end - token.begin == text.n &&
                    dpl_collection_find_term(c, token.term, out);
    dpl_tokens_free(tokens);
    return is_found;
}

static int by_count_then_term(const void *a, const void *b)
{
    const term_count *x = a, *y = b;
    if (x->count != y->count)
        return x->count < y->count ? 1 : -1;
    return x->term < y->term ? -1 : x->term > y->term;
}

static bool rank_terms(view *v)
{
    free(v->ranked);
    const uint32_t *counts, *terms = dpl_collection_row(v->c, v->doc, &counts, &v->n_ranked);
    v->ranked = malloc((v->n_ranked + 1) * sizeof *v->ranked);
    if (!v->ranked)
        return false;
    for (size_t i = 0; i < v->n_ranked; i++)
        v->ranked[i] = (term_count){terms[i], counts[i]};
    qsort(v->ranked, v->n_ranked, sizeof *v->ranked, by_count_then_term);
    return true;
}

static int open_view(void **out, const cli_show_request *request)
{
    dpl_error err = {.status = DPL_E_NOMEM};
    view *v = *out = calloc(1, sizeof *v);
    if (!v || dpl_collection_open(&v->c, request->ctx, request->path, &err) != DPL_OK)
        return cli_fail(&err);
    return CLI_DONE;
}

static void close_view(void *object)
{
    view *v = object;
    if (!v)
        return;
    free(v->ranked);
    dpl_collection_close(v->c);
    free(v);
}

/* ---- terms -------------------------------------------------------------------------- */

static void print_term(const dpl_collection *c, uint32_t term, uint64_t count)
{
    char number[3][32];
    cli_print("  %14s %14s %14s  ", cli_grouped(number[0], term), cli_grouped(number[1], count),
              cli_grouped(number[2], dpl_collection_doc_count(c, term)));
    cli_show_rest(dpl_collection_term(c, term), 49);
}

static void put_term(dpl_json *j, const char *key, const dpl_collection *c, uint32_t term,
                     uint64_t count)
{
    dpl_json_begin(j, key, '{');
    dpl_json_text(j, "term", dpl_collection_term(c, term));
    dpl_json_number(j, "id", term);
    dpl_json_number(j, "count", count);
    dpl_json_number(j, "documents", dpl_collection_doc_count(c, term));
    dpl_json_end(j, '}');
}

/* The n most frequent terms: of the document that was ranked, or of the collection, whose ids
 * are in that order. */
static void frequent_terms(const view *v, unsigned n, dpl_json *j)
{
    size_t n_terms = v->ranked ? v->n_ranked : dpl_collection_get_sizes(v->c)->n_terms;
    if (j)
        dpl_json_begin(j, "frequent_terms", '[');
    else if (n && n_terms)
        cli_print("\nmost frequent terms\n  %14s %14s %14s  term\n", "id", "count",
                  "documents");
    for (uint32_t i = 0; i < n && i < n_terms; i++) {
        uint32_t term = v->ranked ? v->ranked[i].term : i;
        uint64_t count = v->ranked ? v->ranked[i].count : dpl_collection_term_count(v->c, i);
        if (j)
            put_term(j, NULL, v->c, term, count);
        else
            print_term(v->c, term, count);
    }
    if (j)
        dpl_json_end(j, ']');
}

/* ---- documents ---------------------------------------------------------------------- */

static size_t n_tokens(const dpl_collection *c, uint32_t doc)
{
    size_t n;
    dpl_collection_tokens(c, doc, &n);
    return n;
}

enum { MOST_ID = 24, MOST_TITLE = 28, MOST_TEXT = 200 };

static void print_docs(const dpl_collection *c, uint32_t n)
{
    unsigned id = 2, title = 0; /* columns */
    for (uint32_t i = 0; i < n; i++) {
        dpl_doc d = dpl_collection_doc(c, i);
        id = cli_show_wider(id, d.id, MOST_ID);
        title = cli_show_wider(title, d.title, MOST_TITLE);
    }
    if (title && title < 5)
        title = 5;
    if (n)
        cli_print("\nfirst documents\n  %-*s  lang  %9s  %-*s%stext\n", (int)id, "id", "tokens",
                  (int)title, title ? "title" : "", title ? "  " : "");
    for (uint32_t i = 0; i < n; i++) {
        dpl_doc d = dpl_collection_doc(c, i);
        char number[32];
        cli_print("  ");
        cli_show_cell(d.id, id);
        cli_show_cell(d.lang, 4);
        cli_print("%9s  ", cli_grouped(number, n_tokens(c, i)));
        if (title)
            cli_show_cell(d.title, title);
        cli_show_rest(d.text, 2 + id + 2 + 4 + 2 + 9 + 2 + (title ? title + 2 : 0));
    }
}

/* The first characters of s, as many as fit into the text column of a wide terminal. */
static dpl_str beginning(dpl_str s)
{
    size_t i = 0;
    for (unsigned n = 0; i < s.n && n < MOST_TEXT; n++)
        cli_next_char(s, &i);
    return (dpl_str){s.data, i};
}

static void put_docs(dpl_json *j, const dpl_collection *c, uint32_t n)
{
    dpl_json_begin(j, "first_documents", '[');
    for (uint32_t i = 0; i < n; i++) {
        dpl_doc d = dpl_collection_doc(c, i);
        dpl_json_begin(j, NULL, '{');
        dpl_json_text(j, "id", d.id);
        dpl_json_text(j, "lang", d.lang);
        dpl_json_text(j, "title", d.title);
        dpl_json_number(j, "tokens", n_tokens(c, i));
        dpl_json_text(j, "text", beginning(d.text));
        dpl_json_end(j, '}');
    }
    dpl_json_end(j, ']');
}

/* ---- languages ---------------------------------------------------------------------- */

enum { MOST_LANGUAGES = 256 };

typedef struct language {
    dpl_str code;
    uint64_t n_docs;
} language;

static int by_docs_then_code(const void *a, const void *b)
{
    const language *x = a, *y = b;
    if (x->n_docs != y->n_docs)
        return x->n_docs < y->n_docs ? 1 : -1;
    size_t n = x->code.n < y->code.n ? x->code.n : y->code.n;
    int c = n ? memcmp(x->code.data, y->code.data, n) : 0;
    return c ? c : (x->code.n > y->code.n) - (x->code.n < y->code.n);
}

/* Documents per language, most first. Languages past the limit are left out. */
static size_t count_languages(language *out, const dpl_collection *c)
{
    size_t n = 0, i = 0; /* i stays: the next document often has the same language */
    for (uint32_t doc = 0; doc < dpl_collection_get_sizes(c)->n_docs; doc++) {
        dpl_str code = dpl_collection_doc(c, doc).lang;
        size_t tried = 0;
        while (tried < n && (out[i].code.n != code.n ||
                             (code.n && memcmp(out[i].code.data, code.data, code.n) != 0))) {
            i = (i + 1) % n;
            tried++;
        }
        if (tried == n && n == MOST_LANGUAGES)
            continue;
        if (tried == n) {
            i = n++;
            out[i] = (language){.code = code};
        }
        out[i].n_docs++;
    }
    qsort(out, n, sizeof *out, by_docs_then_code);
    return n;
}

/* "de 600, en 634" */
static void print_languages(const dpl_collection *c)
{
    enum { MOST_PRINTED = 12 };
    language all[MOST_LANGUAGES];
    char number[32], text[CLI_FIT_BYTES(16)], remark[MOST_PRINTED * 64];
    size_t n = count_languages(all, c), n_remark = 0;
    for (size_t i = 0; i < n && i < MOST_PRINTED; i++) {
        cli_fit(text, sizeof text, all[i].code, 16);
        n_remark += (size_t)snprintf(remark + n_remark, sizeof remark - n_remark, "%s%.24s %s",
                                     i ? ", " : "", text, cli_grouped(number, all[i].n_docs));
    }
    snprintf(remark + n_remark, sizeof remark - n_remark, "%s",
             n > MOST_PRINTED ? ", ..." : "");
    cli_print_count("languages", n, n ? remark : "");
}

static void put_languages(dpl_json *j, const dpl_collection *c)
{
    language all[MOST_LANGUAGES];
    size_t n = count_languages(all, c);
    dpl_json_begin(j, "languages", '{');
    for (size_t i = 0; i < n; i++) {
        char code[64];
        snprintf(code, sizeof code, "%.*s", (int)all[i].code.n, all[i].code.data);
        dpl_json_number(j, code, all[i].n_docs);
    }
    dpl_json_end(j, '}');
}

/* ---- the three views ---------------------------------------------------------------- */

static void print_collection(const void *object, const cli_show_request *request)
{
    const view *v = object;
    const dpl_collection_sizes *n = dpl_collection_get_sizes(v->c);
    dpl_str settings = dpl_collection_settings(v->c);
    char number[32], remark[64];
    cli_print("\n");
    cli_print_count("documents", n->n_docs, "");
    print_languages(v->c);
    cli_print_count("sentences", n->n_sentences, "");
    cli_print_count("tokens", n->n_tokens, "");
    snprintf(remark, sizeof remark, "%s of them once",
             cli_grouped(number, n->n_terms - n->n_repeated));
    cli_print_count("vocabulary", n->n_terms, remark);
    cli_print_count("entries", n->n_entries, "pairs of a document and a term in it");
    cli_print_row("text", cli_bytes(number, n->n_text_bytes), "");
    cli_print("\nsettings\n  %.*s\n", (int)settings.n, settings.data);
    print_docs(v->c, (uint32_t)cli_show_most(n->n_docs, request->n_docs));
    frequent_terms(v, request->n_terms, NULL);
}

static void put_collection(dpl_json *j, const void *object, const cli_show_request *request)
{
    const view *v = object;
    const dpl_collection_sizes *n = dpl_collection_get_sizes(v->c);
    dpl_json_begin(j, "collection", '{');
    dpl_json_number(j, "documents", n->n_docs);
    dpl_json_number(j, "terms", n->n_terms);
    dpl_json_number(j, "terms_once", n->n_terms - n->n_repeated);
    dpl_json_number(j, "tokens", n->n_tokens);
    dpl_json_number(j, "entries", n->n_entries);
    dpl_json_number(j, "sentences", n->n_sentences);
    dpl_json_number(j, "text_bytes", n->n_text_bytes);
    put_languages(j, v->c);
    dpl_json_raw(j, "settings", dpl_collection_settings(v->c));
    put_docs(j, v->c, (uint32_t)cli_show_most(n->n_docs, request->n_docs));
    frequent_terms(v, request->n_terms, j);
    dpl_json_end(j, '}');
}

/* A field of a document, whole; an empty one is left out. */
static void print_field(const char *label, dpl_str s)
{
    if (!s.n)
        return;
    cli_print("%-10s ", label);
    cli_print_line(s);
}

static void print_doc(const view *v, const cli_show_request *request)
{
    dpl_doc d = dpl_collection_doc(v->c, v->doc);
    char number[3][32];
    print_field("id", d.id);
    print_field("lang", d.lang);
    print_field("title", d.title);
    print_field("extra", d.extra);
    cli_print("tokens     %s, %s different\n", cli_grouped(number[0], n_tokens(v->c, v->doc)),
              cli_grouped(number[1], v->n_ranked));
    cli_print("text       %s\n\nsentences\n", cli_bytes(number[2], d.text.n));
    size_t n = dpl_collection_n_sentences(v->c, v->doc);
    for (size_t i = 0; i < n; i++) {
        dpl_sentence s = dpl_collection_sentence(v->c, v->doc, i);
        const char *mark = s.is_section_start     ? "\xC2\xA7" /* a section sign */
                           : s.is_paragraph_start ? "\xC2\xB6" /* a pilcrow */
                                                  : " ";
        cli_print("%7zu %s ", i + 1, mark);
        cli_print_line(dpl_collection_sentence_text(v->c, v->doc, i));
    }
    frequent_terms(v, request->n_terms, NULL);
}

static void put_doc(dpl_json *j, const view *v, const cli_show_request *request)
{
    dpl_doc d = dpl_collection_doc(v->c, v->doc);
    dpl_json_begin(j, "document", '{');
    dpl_json_text(j, "id", d.id);
    dpl_json_text(j, "lang", d.lang);
    dpl_json_text(j, "title", d.title);
    dpl_json_raw(j, "extra", d.extra);
    dpl_json_number(j, "tokens", n_tokens(v->c, v->doc));
    dpl_json_begin(j, "sentences", '[');
    size_t n = dpl_collection_n_sentences(v->c, v->doc);
    for (size_t i = 0; i < n; i++) {
        dpl_json_begin(j, NULL, '{');
        dpl_json_text(j, "text", dpl_collection_sentence_text(v->c, v->doc, i));
        dpl_sentence s = dpl_collection_sentence(v->c, v->doc, i);
        dpl_json_bool(j, "paragraph", s.is_paragraph_start);
        if (s.is_section_start)
            dpl_json_bool(j, "section", true);
        dpl_json_end(j, '}');
    }
    dpl_json_end(j, ']');
    frequent_terms(v, request->n_terms, j);
    dpl_json_end(j, '}');
}

static void print_one_term(const view *v)
{
    char number[3][32];
    cli_print("term       ");
    cli_print_line(dpl_collection_term(v->c, v->term));
    cli_print("id         %s\n", cli_grouped(number[0], v->term));
    cli_print("count      %s\n",
              cli_grouped(number[1], dpl_collection_term_count(v->c, v->term)));
    cli_print("documents  %s\n",
              cli_grouped(number[2], dpl_collection_doc_count(v->c, v->term)));
}

static int item(void *object, const cli_show_request *request, const char *item, dpl_json *j)
{
    view *v = object;
    if (dpl_collection_find_doc(v->c, (dpl_str){item, strlen(item)}, &v->doc)) {
        if (!rank_terms(v))
            return cli_no_memory();
        if (j)
            put_doc(j, v, request);
        else
            print_doc(v, request);
        return CLI_DONE;
    }
    if (!find_term(&v->term, v->c, request->ctx, item))
        return cli_show_missing(request, "document or term", item,
                                "'--top N' lists the first N documents and the N most frequent "
                                "terms");
    if (j)
        put_term(j, "term", v->c, v->term, dpl_collection_term_count(v->c, v->term));
    else
        print_one_term(v);
    return CLI_DONE;
}

const cli_show_kind cli_show_collection = {"collection",   open_view, print_collection,
                                           put_collection, item,      close_view};
