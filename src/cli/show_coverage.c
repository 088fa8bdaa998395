/*
 * show_coverage.c - a lexicon as a whole, and what it knows of a collection.
 */
#include "cli/layout.h"
#include "cli/notes.h"
#include "cli/show_lexicon.h"
#include "cli/talk.h"

#include "doppel/vectors.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* A collection and what the lexicon knows of it. */
typedef struct covered {
    const char *path;
    dpl_collection *c;
    dpl_lexicon_coverage n;
    uint32_t *unknown;
    size_t n_unknown;
} covered;

/* ---- as text ------------------------------------------------------------------------ */

static const char *name_of(const char *lang, const char *role)
{
    return *lang ? lang : role;
}

static const char *source_name(const dpl_lexicon *l)
{
    return name_of(dpl_lexicon_get_info(l).source_lang, "source");
}

static const char *target_name(const dpl_lexicon *l)
{
    return name_of(dpl_lexicon_get_info(l).target_lang, "target");
}

static void print_path(const char *path)
{
    enum { MOST = 60 };
    char text[CLI_FIT_BYTES(MOST)];
    cli_fit(text, sizeof text, (dpl_str){path, strlen(path)}, MOST);
    cli_print("%s: ", text);
}

/* What both columns say about one thing; text has no second one. */
static void print_both(const char *label, const char *left, const char *right,
                       const char *remark)
{
    cli_print("  %-12s %16s %16s%s%s\n", label, left, right, *remark ? "   " : "", remark);
}

static void print_counts(const char *label, const dpl_lexicon_column c[2], const uint64_t n[2],
                         const char *remark)
{
    char text[2][32];
    print_both(label, cli_grouped(text[0], n[0]),
               c[1].n_translated ? cli_grouped(text[1], n[1]) : "-", remark);
}

static void print_reals(const char *label, const dpl_lexicon_column c[2], const double x[2],
                        int digits, const char *remark)
{
    char text[2][32];
    for (int side = 0; side < 2; side++)
        if (c[side].n_translated)
            snprintf(text[side], sizeof text[side], "%.*f", digits, x[side]);
        else
            strcpy(text[side], "-");
    print_both(label, text[0], text[1], remark);
}

static double per(uint64_t n, uint64_t whole)
{
    return whole ? (double)n / (double)whole : 0;
}

static void print_columns(const dpl_lexicon *l, const dpl_lexicon_column c[2])
{
    char left[40], right[40], words[2][32];
    snprintf(left, sizeof left, "p(%s|%s)", target_name(l), source_name(l));
    snprintf(right, sizeof right, "p(%s|%s)", source_name(l), target_name(l));
    cli_print("\n");
    print_both("", left, right, "");
    print_both("words", cli_grouped(words[0], c[0].n_words),
               cli_grouped(words[1], c[1].n_words), "");
    print_counts("translated", c, (uint64_t[]){c[0].n_translated, c[1].n_translated}, "");
    print_counts("certain", c, (uint64_t[]){c[0].n_certain, c[1].n_certain},
                 "best translation 0.5 or more");
    print_counts("entries", c, (uint64_t[]){c[0].n_entries, c[1].n_entries}, "");
    print_reals("per word", c,
                (double[]){per(c[0].n_entries, c[0].n_translated),
                           per(c[1].n_entries, c[1].n_translated)},
                1, "entries");
    print_reals("entropy", c, (double[]){c[0].entropy, c[1].entropy}, 2, "bits");
    print_reals("perplexity", c, (double[]){c[0].perplexity, c[1].perplexity}, 2, "");
    print_reals("mass", c, (double[]){c[0].mass, c[1].mass}, 4, "sum of a word's entries");
    print_reals("best", c, (double[]){c[0].top, c[1].top}, 4, "the first of them");
}

static void print_known(const char *label, uint64_t n, uint64_t n_known)
{
    char number[32], remark[100];
    snprintf(remark, sizeof remark, "%s known, %.1f %%", cli_grouped(number, n_known),
             100 * per(n_known, n));
    cli_print_count(label, n, remark);
}

static void print_covered(const covered *v, const dpl_lexicon *l)
{
    char number[2][32];
    print_path(v->path);
    cli_print("%s%s\n", v->n.is_target ? target_name(l) : source_name(l),
              v->n.is_counted ? ", detected from the words" : "");
    print_known("terms", v->n.n_terms, v->n.n_known_terms);
    print_known("tokens", v->n.n_tokens, v->n.n_known_tokens);
    if (v->n_unknown)
        cli_print("  most frequent of the others\n  %14s %14s  term\n", "count", "documents");
    for (size_t i = 0; i < v->n_unknown; i++) {
        uint32_t term = v->unknown[i];
        cli_print("  %14s %14s  ",
                  cli_grouped(number[0], dpl_collection_term_count(v->c, term)),
                  cli_grouped(number[1], dpl_collection_doc_count(v->c, term)));
        cli_print_line(dpl_collection_term(v->c, term));
    }
}

/* ---- as JSON ------------------------------------------------------------------------ */

static void put_column(dpl_json *j, const char *key, const dpl_lexicon_column *c)
{
    dpl_json_begin(j, key, '{');
    dpl_json_number(j, "words", c->n_words);
    dpl_json_number(j, "translated", c->n_translated);
    dpl_json_number(j, "entries", c->n_entries);
    dpl_json_real(j, "entropy", c->entropy);
    dpl_json_real(j, "perplexity", c->perplexity);
    dpl_json_real(j, "mass", c->mass);
    dpl_json_real(j, "best", c->top);
    dpl_json_number(j, "certain", c->n_certain);
    dpl_json_end(j, '}');
}

static void put_covered(dpl_json *j, const covered *v)
{
    dpl_json_cstr(j, "path", v->path);
    dpl_json_cstr(j, "language", v->n.is_target ? "target" : "source");
    dpl_json_cstr(j, "language_from", v->n.is_counted ? "words" : "languages");
    dpl_json_number(j, "terms", v->n.n_terms);
    dpl_json_number(j, "known_terms", v->n.n_known_terms);
    dpl_json_number(j, "tokens", v->n.n_tokens);
    dpl_json_number(j, "known_tokens", v->n.n_known_tokens);
    dpl_json_begin(j, "unknown", '[');
    for (size_t i = 0; i < v->n_unknown; i++) {
        dpl_json_begin(j, NULL, '{');
        dpl_json_text(j, "term", dpl_collection_term(v->c, v->unknown[i]));
        dpl_json_number(j, "count", dpl_collection_term_count(v->c, v->unknown[i]));
        dpl_json_number(j, "documents", dpl_collection_doc_count(v->c, v->unknown[i]));
        dpl_json_end(j, '}');
    }
    dpl_json_end(j, ']');
}

/* ---- what is shown ------------------------------------------------------------------ */

static void measure(dpl_lexicon_column c[2], const dpl_lexicon *l)
{
    for (int i = 0; i < 2; i++) {
        c[i] = (dpl_lexicon_column)DPL_INIT(dpl_lexicon_column);
        dpl_lexicon_measure(&c[i], l, i, NULL);
    }
}

void cli_show_columns(const dpl_lexicon *l)
{
    dpl_lexicon_column c[2];
    measure(c, l);
    print_columns(l, c);
}

void cli_put_columns(dpl_json *j, const dpl_lexicon *l)
{
    dpl_lexicon_column c[2];
    measure(c, l);
    put_column(j, "source", &c[0]);
    if (dpl_lexicon_get_sizes(l)->n_back)
        put_column(j, "target", &c[1]);
    else
        dpl_json_null(j, "target");
}

/* Says which collection it is that does not fit. */
static int fail_for(const char *path, const dpl_error *err)
{
    dpl_error told = *err;
    snprintf(told.text, sizeof told.text, "'%.100s': %.300s", path, err->text);
    return cli_fail(&told);
}

int cli_show_coverage(const dpl_lexicon *l, const cli_show_request *request, const char *path,
                      dpl_json *j)
{
    covered v = {.path = path, .n = DPL_INIT(dpl_lexicon_coverage)};
    dpl_error err = {.status = DPL_E_NOMEM};
    int code = CLI_DONE;
    v.n_unknown = request->n_terms;
    v.unknown = malloc((v.n_unknown + 1) * sizeof *v.unknown);
    if (!v.unknown || dpl_collection_open(&v.c, request->ctx, path, &err) != DPL_OK)
        code = cli_fail(&err);
    else if (dpl_lexicon_cover(&v.n, v.unknown, &v.n_unknown, request->ctx, l, v.c, &err) !=
             DPL_OK)
        code = fail_for(path, &err);
    else if (j)
        put_covered(j, &v);
    else
        print_covered(&v, l);
    dpl_collection_close(v.c);
    free(v.unknown);
    return code;
}
