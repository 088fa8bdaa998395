/*
 * show_lexicon.c - what 'doppel show' prints of a lexicon.
 */
#include "cli/show_lexicon.h"

#include "cli/layout.h"
#include "cli/lexicon_file.h"
#include "cli/side.h"
#include "cli/talk.h"

#include "doppel/file.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct entry {
    uint32_t word;
    float p;
} entry;

/* A word that has translations. */
typedef struct frequent {
    uint64_t count;
    uint32_t word;
} frequent;

/* One of the two languages. */
typedef struct column {
    bool is_target;
    uint32_t n_words;
    frequent *frequent; /* most frequent first */
    size_t n_frequent;
} column;

/* A lexicon and what is to be shown of it. */
typedef struct view {
    dpl_lexicon *l;
    column columns[2];
    entry *ranked; /* room for the longest row */
} view;

/* ---- open ------------------------------------------------------------------------------ */

static int by_count_then_word(const void *a, const void *b)
{
    const frequent *x = a, *y = b;
    if (x->count != y->count)
        return x->count < y->count ? 1 : -1;
    return x->word < y->word ? -1 : x->word > y->word;
}

static bool find_frequent(view *v, column *c, size_t *longest)
{
    c->frequent = malloc(((size_t)c->n_words + 1) * sizeof *c->frequent);
    if (!c->frequent)
        return false;
    for (uint32_t w = 0; w < c->n_words; w++) {
        const float *p;
        size_t n;
        cli_lexicon_row(v->l, c->is_target, w, &p, &n);
        if (n)
            c->frequent[c->n_frequent++] =
                (frequent){dpl_lexicon_count(v->l, c->is_target, w), w};
        *longest = n > *longest ? n : *longest;
    }
    qsort(c->frequent, c->n_frequent, sizeof *c->frequent, by_count_then_word);
    return true;
}

static bool prepare(view *v)
{
    size_t longest = 1;
    for (int i = 0; i < 2; i++) {
        column *c = &v->columns[i];
        c->is_target = i;
        c->n_words = cli_lexicon_n_words(v->l, i);
        if (!find_frequent(v, c, &longest))
            return false;
    }
    return (v->ranked = malloc(longest * sizeof *v->ranked)) != NULL;
}

static int open_view(void **out, const cli_show_request *request)
{
    view *v = *out = calloc(1, sizeof *v);
    if (!v)
        return cli_no_memory();
    int code =
        cli_lexicon_open(&v->l, request->ctx, request->path, request->lexicon_langs, false);
    return code == CLI_DONE && !prepare(v) ? cli_no_memory() : code;
}

static void close_view(void *object)
{
    view *v = object;
    if (!v)
        return;
    free(v->ranked);
    free(v->columns[0].frequent);
    free(v->columns[1].frequent);
    dpl_lexicon_close(v->l);
    free(v);
}

/* ---- rows --------------------------------------------------------------------------- */

static int by_p_then_word(const void *a, const void *b)
{
    const entry *x = a, *y = b;
    if (x->p != y->p)
        return x->p < y->p ? 1 : -1;
    return x->word < y->word ? -1 : x->word > y->word;
}

/* Most probable first. Returns how many there are. */
static size_t rank(const view *v, bool is_target, uint32_t word)
{
    const float *p;
    size_t n;
    const uint32_t *words = cli_lexicon_row(v->l, is_target, word, &p, &n);
    for (size_t i = 0; i < n; i++)
        v->ranked[i] = (entry){words[i], p[i]};
    qsort(v->ranked, n, sizeof *v->ranked, by_p_then_word);
    return n;
}

enum { MOST_WORD = 24 };

/* "house 0.750, home 0.250", as far as it fits. */
static void print_translations(const view *v, const column *c, uint32_t word,
                               unsigned n_entries, unsigned used)
{
    char line[2000] = "";
    size_t n = rank(v, c->is_target, word), at = 0;
    for (size_t i = 0; i < n && i < n_entries && at + 100 < sizeof line; i++) {
        dpl_str other = dpl_lexicon_written(v->l, !c->is_target, v->ranked[i].word);
        at += (size_t)snprintf(line + at, sizeof line - at, "%s%.*s %.3f", i ? ", " : "",
                               other.n < 80 ? (int)other.n : 80, other.data,
                               (double)v->ranked[i].p);
    }
    cli_show_rest((dpl_str){line, at}, used);
}

static void print_frequent(const view *v, const column *c, const cli_show_request *request)
{
    size_t n = cli_show_most(c->n_frequent, request->n_docs);
    unsigned columns = 4;
    for (size_t i = 0; i < n; i++)
        columns = cli_show_wider(
            columns, dpl_lexicon_written(v->l, c->is_target, c->frequent[i].word), MOST_WORD);
    /* A table of text has no counts: its words are in their order. */
    const bool has_counts = n && c->frequent[0].count;
    if (n)
        cli_print("\n%s %s\n  %-*s  %11s  translations\n",
                  has_counts ? "most frequent" : "first", c->is_target ? "targets" : "sources",
                  (int)columns, "word", has_counts ? "count" : "");
    for (size_t i = 0; i < n; i++) {
        const frequent *f = &c->frequent[i];
        char number[32];
        cli_print("  ");
        cli_show_cell(dpl_lexicon_written(v->l, c->is_target, f->word), columns);
        cli_print("%11s  ", has_counts ? cli_grouped(number, f->count) : "");
        print_translations(v, c, f->word, request->n_in_row, 2 + columns + 2 + 11 + 2);
    }
}

static void put_row(dpl_json *j, const char *key, const view *v, bool is_target, uint32_t word,
                    unsigned n_entries)
{
    size_t n = rank(v, is_target, word);
    dpl_json_begin(j, key, '{');
    dpl_json_text(j, "word", dpl_lexicon_written(v->l, is_target, word));
    dpl_json_number(j, "count", dpl_lexicon_count(v->l, is_target, word));
    dpl_json_begin(j, "translations", '[');
    for (size_t i = 0; i < n && i < n_entries; i++) {
        dpl_json_begin(j, NULL, '{');
        dpl_json_text(j, "word", dpl_lexicon_written(v->l, !is_target, v->ranked[i].word));
        dpl_json_real(j, "p", (double)v->ranked[i].p);
        dpl_json_end(j, '}');
    }
    dpl_json_end(j, ']');
    dpl_json_end(j, '}');
}

/* ---- all of it ---------------------------------------------------------------------- */

static const char *name_of(const char *lang, const char *role)
{
    return *lang ? lang : role;
}

static void print_lexicon(const void *object, const cli_show_request *request)
{
    const view *v = object;
    const dpl_lexicon_info about = dpl_lexicon_get_info(v->l);
    const uint64_t n_links = dpl_lexicon_get_sizes(v->l)->n_links;
    dpl_str settings = about.settings;
    char number[32];
    cli_print("\n%s to %s%s", name_of(about.source_lang, "source"),
              name_of(about.target_lang, "target"), about.is_stemmed ? ", stems" : "");
    if (n_links)
        cli_print(", model of %s links", cli_grouped(number, n_links));
    cli_print("\n");
    if (settings.n)
        cli_print("\nsettings\n  %.*s\n", (int)settings.n, settings.data);
    cli_show_columns(v->l);
    print_frequent(v, &v->columns[0], request);
    print_frequent(v, &v->columns[1], request);
}

static void put_lexicon(dpl_json *j, const void *object, const cli_show_request *request)
{
    const view *v = object;
    const dpl_lexicon_info about = dpl_lexicon_get_info(v->l);
    const dpl_lexicon_sizes *n = dpl_lexicon_get_sizes(v->l);
    dpl_json_begin(j, "lexicon", '{');
    dpl_json_number(j, "sources", n->n_sources);
    dpl_json_number(j, "targets", n->n_targets);
    dpl_json_number(j, "entries", n->n_entries);
    dpl_json_number(j, "back", n->n_back);
    dpl_json_number(j, "links", n->n_links);
    dpl_json_cstr(j, "source_lang", about.source_lang);
    dpl_json_cstr(j, "target_lang", about.target_lang);
    dpl_json_bool(j, "stemmed", about.is_stemmed);
    dpl_json_raw(j, "settings", about.settings);
    cli_put_columns(j, v->l);
    for (int k = 0; k < 2; k++) {
        const column *c = &v->columns[k];
        dpl_json_begin(j, k ? "frequent_targets" : "frequent_sources", '[');
        for (size_t i = 0; i < cli_show_most(c->n_frequent, request->n_docs); i++)
            put_row(j, NULL, v, k, c->frequent[i].word, request->n_in_row);
        dpl_json_end(j, ']');
    }
    dpl_json_end(j, '}');
}

/* A word, or a collection if there is one of that name. */
static int item(void *object, const cli_show_request *request, const char *item, dpl_json *j)
{
    const view *v = object;
    dpl_error err = {0};
    char kind[DPL_FILE_KIND];
    if (dpl_file_detect(kind, request->ctx, item, &err) != DPL_OK)
        return cli_fail(&err);
    return *kind ? cli_show_coverage(v->l, request, item, j)
                 : cli_show_word(v->l, request, item, j);
}

const cli_show_kind cli_show_lexicon = {"lexicon",   open_view, print_lexicon,
                                        put_lexicon, item,      close_view};
