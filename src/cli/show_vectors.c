/*
 * show_vectors.c - what 'doppel show' prints of vectors.
 */
#include "cli/notes.h"
#include "cli/show.h"
#include "cli/talk.h"

#include "doppel/vectors.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct weight {
    uint32_t term;
    float weight;
} weight;

/* Vectors and what is to be shown of them. */
typedef struct view {
    dpl_vectors *v;
    uint32_t row, term, n_term_rows; /* the item */
    weight *ranked;                  /* room for the longest row shown */
} view;

/* ---- open, and find an item ------------------------------------------------------------ */

static dpl_str id_of(const void *vectors, uint32_t row)
{
    return dpl_vectors_id(vectors, row);
}

/* How many rows hold the term. */
static void count_term(view *v)
{
    uint32_t n_rows = dpl_vectors_get_sizes(v->v)->n_rows;
    v->n_term_rows = 0;
    for (uint32_t row = 0; row < n_rows; row++) {
        const float *weights;
        size_t n, i = 0;
        const uint32_t *terms = dpl_vectors_row(v->v, row, &weights, &n);
        while (i < n && terms[i] < v->term)
            i++;
        v->n_term_rows += i < n && terms[i] == v->term;
    }
}

static bool make_room(view *v)
{
    size_t most = 1;
    for (uint32_t row = 0; row < dpl_vectors_get_sizes(v->v)->n_rows; row++) {
        const float *weights;
        size_t n;
        dpl_vectors_row(v->v, row, &weights, &n);
        most = n > most ? n : most;
    }
    return (v->ranked = malloc(most * sizeof *v->ranked)) != NULL;
}

static int open_view(void **out, const cli_show_request *request)
{
    dpl_error err = {.status = DPL_E_NOMEM};
    view *v = *out = calloc(1, sizeof *v);
    if (!v || dpl_vectors_open(&v->v, request->ctx, request->path, &err) != DPL_OK)
        return cli_fail(&err);
    return make_room(v) ? CLI_DONE : cli_no_memory();
}

static void close_view(void *object)
{
    view *v = object;
    if (!v)
        return;
    free(v->ranked);
    dpl_vectors_close(v->v);
    free(v);
}

/* ---- rows --------------------------------------------------------------------------- */

static int by_weight_then_term(const void *a, const void *b)
{
    const weight *x = a, *y = b;
    if (x->weight != y->weight)
        return x->weight < y->weight ? 1 : -1;
    return x->term < y->term ? -1 : x->term > y->term;
}

/* Heaviest first. Returns how many there are. */
static size_t rank(const view *v, uint32_t row)
{
    const float *weights;
    size_t n;
    const uint32_t *terms = dpl_vectors_row(v->v, row, &weights, &n);
    for (size_t i = 0; i < n; i++)
        v->ranked[i] = (weight){terms[i], weights[i]};
    qsort(v->ranked, n, sizeof *v->ranked, by_weight_then_term);
    return n;
}

enum { MOST_ID = 24 };

static void print_first(const view *v, uint32_t n_rows, unsigned n_terms)
{
    unsigned columns = 2;
    for (uint32_t row = 0; row < n_rows; row++)
        columns = cli_show_wider(columns, dpl_vectors_id(v->v, row), MOST_ID);
    if (n_rows)
        cli_print("\nfirst rows\n  %-*s  %9s  heaviest\n", (int)columns, "id", "terms");
    for (uint32_t row = 0; row < n_rows; row++) {
        size_t n = rank(v, row), at = 0;
        char line[2000] = "", number[32];
        for (size_t i = 0; i < n && i < n_terms && at + 100 < sizeof line; i++) {
            dpl_str term = dpl_vectors_term(v->v, v->ranked[i].term);
            at += (size_t)snprintf(line + at, sizeof line - at, "%s%.*s %.3f", i ? ", " : "",
                                   term.n < 80 ? (int)term.n : 80, term.data,
                                   (double)v->ranked[i].weight);
        }
        cli_print("  ");
        cli_show_cell(dpl_vectors_id(v->v, row), columns);
        cli_print("%9s  ", cli_grouped(number, n));
        cli_show_rest((dpl_str){line, at}, 2 + columns + 2 + 9 + 2);
    }
}

static void put_row(dpl_json *j, const char *key, const view *v, uint32_t row, unsigned n_terms)
{
    size_t n = rank(v, row);
    dpl_json_begin(j, key, '{');
    dpl_json_text(j, "id", dpl_vectors_id(v->v, row));
    dpl_json_number(j, "terms", n);
    dpl_json_begin(j, "heaviest", '[');
    for (size_t i = 0; i < n && i < n_terms; i++) {
        dpl_json_begin(j, NULL, '{');
        dpl_json_text(j, "term", dpl_vectors_term(v->v, v->ranked[i].term));
        dpl_json_real(j, "weight", (double)v->ranked[i].weight);
        dpl_json_end(j, '}');
    }
    dpl_json_end(j, ']');
    dpl_json_end(j, '}');
}

/* ---- the three views ---------------------------------------------------------------- */

/* "in 'en'", or nothing when it is not known */
static const char *in_language(char out[40], dpl_str lang)
{
    *out = 0;
    if (lang.n)
        snprintf(out, 40, "in '%.*s'", lang.n < 20 ? (int)lang.n : 20, lang.data);
    return out;
}

static void print_vectors(const void *object, const cli_show_request *request)
{
    const view *v = object;
    const dpl_vectors_info about = dpl_vectors_get_info(v->v);
    const dpl_vectors_sizes *n = dpl_vectors_get_sizes(v->v);
    dpl_str settings = about.settings, space = about.space;
    char remark[40];
    cli_print("\n");
    cli_print_count("rows", n->n_rows, in_language(remark, about.doc_lang));
    cli_print_count("dropped", n->n_dropped, "documents with too few terms");
    cli_print_count("terms", n->n_terms, in_language(remark, about.lang));
    snprintf(remark, sizeof remark, "%.0f a row",
             n->n_rows ? (double)n->n_entries / n->n_rows : 0);
    cli_print_count("entries", n->n_entries, remark);
    cli_print("\nspace\n  %.*s\n", (int)space.n, space.data);
    cli_print("\nsettings\n  %.*s\n", (int)settings.n, settings.data);
    print_first(v, (uint32_t)cli_show_most(n->n_rows, request->n_docs), request->n_in_row);
}

static void put_vectors(dpl_json *j, const void *object, const cli_show_request *request)
{
    const view *v = object;
    const dpl_vectors_info about = dpl_vectors_get_info(v->v);
    const dpl_vectors_sizes *n = dpl_vectors_get_sizes(v->v);
    dpl_json_begin(j, "vectors", '{');
    dpl_json_number(j, "rows", n->n_rows);
    dpl_json_number(j, "dropped", n->n_dropped);
    dpl_json_number(j, "terms", n->n_terms);
    dpl_json_number(j, "entries", n->n_entries);
    dpl_json_text(j, "space", about.space);
    dpl_json_text(j, "lang", about.lang);
    dpl_json_text(j, "doc_lang", about.doc_lang);
    dpl_json_raw(j, "settings", about.settings);
    dpl_json_begin(j, "first_rows", '[');
    for (uint32_t row = 0; row < cli_show_most(n->n_rows, request->n_docs); row++)
        put_row(j, NULL, v, row, request->n_in_row);
    dpl_json_end(j, ']');
    dpl_json_end(j, '}');
}

static void print_one_row(const view *v, const cli_show_request *request)
{
    char number[32];
    size_t n = rank(v, v->row);
    cli_print("id         ");
    cli_print_line(dpl_vectors_id(v->v, v->row));
    cli_print("terms      %s\n", cli_grouped(number, n));
    if (n && request->n_terms)
        cli_print("\nheaviest terms\n  %8s  term\n", "weight");
    for (size_t i = 0; i < n && i < request->n_terms; i++) {
        cli_print("  %8.6f  ", (double)v->ranked[i].weight);
        cli_print_line(dpl_vectors_term(v->v, v->ranked[i].term));
    }
}

static void print_one_term(const view *v)
{
    char number[2][32];
    cli_print("term       ");
    cli_print_line(dpl_vectors_term(v->v, v->term));
    cli_print("id         %s\n", cli_grouped(number[0], v->term));
    cli_print("rows       %s\n", cli_grouped(number[1], v->n_term_rows));
}

static void put_one_term(dpl_json *j, const view *v)
{
    dpl_json_begin(j, "term", '{');
    dpl_json_text(j, "term", dpl_vectors_term(v->v, v->term));
    dpl_json_number(j, "id", v->term);
    dpl_json_number(j, "rows", v->n_term_rows);
    dpl_json_end(j, '}');
}

static int item(void *object, const cli_show_request *request, const char *item, dpl_json *j)
{
    view *v = object;
    const uint32_t n_rows = dpl_vectors_get_sizes(v->v)->n_rows;
    if (cli_show_find(&v->row, n_rows, v->v, id_of, item)) {
        if (j)
            put_row(j, "row", v, v->row, request->n_terms);
        else
            print_one_row(v, request);
        return CLI_DONE;
    }
    if (!dpl_vectors_find_term(v->v, (dpl_str){item, strlen(item)}, &v->term))
        return cli_show_missing(request, "row or term", item,
                                "'--top N' lists the first N rows and their terms; documents "
                                "with too few terms have no row");
    count_term(v);
    if (j)
        put_one_term(j, v);
    else
        print_one_term(v);
    return CLI_DONE;
}

const cli_show_kind cli_show_vectors = {"vectors",   open_view, print_vectors,
                                        put_vectors, item,      close_view};
