/*
 * cmd_lexicon_stats.c - doppel lexicon stats: a lexicon as a whole, and what it covers.
 */
#include "cli/command.h"
#include "cli/notes.h"
#include "cli/shared.h"
#include "cli/side.h"
#include "cli/talk.h"

#include "doppel/vectors.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* What the options set. */
typedef struct settings {
    unsigned n_terms;
    const char *lexicon_langs;
} settings;

static const settings defaults = {.n_terms = 10};

static const cli_option options[] = {
    {.name = "terms",
     .value = "N",
     .count = &defaults.n_terms,
     .max = 1000000,
     .standard = "10",
     .help = "show the N most frequent terms of a collection that the lexicon does not have"},
    CLI_LEXICON_LANGS_OPTION(&defaults.lexicon_langs, NULL, NULL),
    {0},
};

static const cli_item examples[] = {
    {"doppel lexicon stats de-en.dpl", "its size, and the entropy of its translations"},
    {"doppel lexicon stats de-en.dpl news.de.dpl news.en.dpl",
     "its coverage of two collections, and the most frequent terms that it lacks"},
    {"doppel lexicon stats de-en.dpl news.de.dpl --terms 1000 --json | "
     "jq -r '.collections[0].unknown[].term'",
     "the words to look up in another dictionary"},
    {0},
};

static const cli_item json_keys[] = {
    {"path", "the lexicon"},
    {"source_lang, target_lang", "its languages; empty when not known"},
    {"stemmed", "its words are stems"},
    {"model_links", "links of the model for alignment; 0: there is none"},
    {"source",
     "words of the first language and p(target|source), object: words, translated "
     "(with at least one translation), entries, entropy (of a word's translations, in "
     "bits), perplexity, mass (sum of a word's probabilities), best (probability of "
     "the best translation), certain (words whose best translation has 0.5 or more); "
     "entropy, mass and best are means of translated words"},
    {"target", "the same of the second language and p(source|target); null for text"},
    {"settings", "how a .dpl was made, object; null for text"},
    {"collections",
     "array: path, language (source or target), language_from (languages or words), "
     "terms, known_terms, tokens, known_tokens, unknown: array of term, count, "
     "documents"},
    {0},
};

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
    return name_of(dpl_lexicon_source_lang(l), "source");
}

static const char *target_name(const dpl_lexicon *l)
{
    return name_of(dpl_lexicon_target_lang(l), "target");
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

static void print_lexicon(const dpl_lexicon *l, const dpl_lexicon_column c[2], const char *path)
{
    const dpl_lexicon_sizes *n = dpl_lexicon_get_sizes(l);
    dpl_str made_with = dpl_lexicon_settings(l);
    char number[32];
    print_path(path);
    cli_print("%s to %s", source_name(l), target_name(l));
    if (dpl_lexicon_is_stemmed(l))
        cli_print(", stems");
    if (n->n_links)
        cli_print(", model of %s links", cli_grouped(number, n->n_links));
    cli_print("\n");
    if (made_with.n)
        cli_print("\nsettings\n  %.*s\n", (int)made_with.n, made_with.data);
    print_columns(l, c);
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
    cli_print("\n");
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

static void put_lexicon(dpl_json *j, const dpl_lexicon *l, const dpl_lexicon_column c[2],
                        const char *path)
{
    dpl_json_cstr(j, "path", path);
    dpl_json_cstr(j, "source_lang", dpl_lexicon_source_lang(l));
    dpl_json_cstr(j, "target_lang", dpl_lexicon_target_lang(l));
    dpl_json_bool(j, "stemmed", dpl_lexicon_is_stemmed(l));
    dpl_json_number(j, "model_links", dpl_lexicon_get_sizes(l)->n_links);
    put_column(j, "source", &c[0]);
    if (dpl_lexicon_get_sizes(l)->n_back)
        put_column(j, "target", &c[1]);
    else
        dpl_json_raw(j, "target", (dpl_str){0});
    dpl_json_raw(j, "settings", dpl_lexicon_settings(l));
}

static void put_covered(dpl_json *j, const covered *v)
{
    dpl_json_begin(j, NULL, '{');
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
    dpl_json_end(j, '}');
}

/* ---- the command -------------------------------------------------------------------- */

/* Says which collection it is that does not fit. */
static int fail_for(const char *path, const dpl_error *err)
{
    dpl_error told = *err;
    snprintf(told.text, sizeof told.text, "'%.100s': %.300s", path, err->text);
    return cli_fail(&told);
}

static int cover(const settings *o, covered *v, dpl_ctx *ctx, const dpl_lexicon *l)
{
    dpl_error err = {.status = DPL_E_NOMEM};
    v->n = (dpl_lexicon_coverage)DPL_INIT(dpl_lexicon_coverage);
    v->n_unknown = o->n_terms;
    v->unknown = malloc(((size_t)o->n_terms + 1) * sizeof *v->unknown);
    if (!v->unknown || dpl_collection_open(&v->c, ctx, v->path, &err) != DPL_OK)
        return cli_fail(&err);
    if (dpl_lexicon_cover(&v->n, v->unknown, &v->n_unknown, ctx, l, v->c, &err) != DPL_OK)
        return fail_for(v->path, &err);
    return CLI_DONE;
}

static void print(const dpl_lexicon *l, const char *path, const covered *all, size_t n)
{
    dpl_lexicon_column c[2] = {DPL_INIT(dpl_lexicon_column), DPL_INIT(dpl_lexicon_column)};
    for (int i = 0; i < 2; i++)
        dpl_lexicon_measure(&c[i], l, i, NULL);
    if (!cli_set.json) {
        print_lexicon(l, c, path);
        for (size_t i = 0; i < n; i++)
            print_covered(&all[i], l);
        return;
    }
    dpl_json j = cli_summary_begin(false);
    put_lexicon(&j, l, c, path);
    dpl_json_begin(&j, "collections", '[');
    for (size_t i = 0; i < n; i++)
        put_covered(&j, &all[i]);
    dpl_json_end(&j, ']');
    cli_summary_end(&j);
}

static int run(char **args, size_t n_args, void *user)
{
    settings *o = user;
    dpl_ctx *ctx;
    int code = cli_ctx_new(&ctx, false);
    if (code != CLI_DONE)
        return code;
    dpl_lexicon *lexicon = NULL;
    size_t n = n_args - 1;
    covered *all = calloc(n_args, sizeof *all);
    if (!all)
        code = cli_no_memory();
    else
        code = cli_lexicon_open(&lexicon, ctx, args[0], o->lexicon_langs, false);
    for (size_t i = 0; code == CLI_DONE && i < n; i++) {
        all[i].path = args[i + 1];
        code = cover(o, &all[i], ctx, lexicon);
    }
    if (code == CLI_DONE)
        print(lexicon, args[0], all, n);
    for (size_t i = 0; all && i < n; i++) {
        dpl_collection_close(all[i].c);
        free(all[i].unknown);
    }
    free(all);
    dpl_lexicon_close(lexicon);
    dpl_ctx_free(ctx);
    return code;
}

const cli_command cli_lexicon_stats = {
    .name = "lexicon stats",
    .family = "lexicon",
    .summary = "print the size of a lexicon and its coverage of collections",
    .synopsis = "LEXICON [COLLECTION]...",
    .about = CLI_LEXICON_ABOUT
    "\n"
    "\n"
    "For both directions, print how many words there are, how many have a "
    "translation, and how many of these have one with a probability of 0.5 or "
    "more; the number of translations, and their mean number per word; their "
    "entropy in bits, the mean over words, and the corresponding perplexity (the "
    "number of equally probable translations with the same entropy); the "
    "probability that pruning has kept; and the mean probability of the best "
    "translation. A lexicon in text has one direction."
    "\n"
    "\n"
    "For each COLLECTION (a .dpl made by 'doppel import'), print how many of its "
    "terms the lexicon translates, and how many of their occurrences; then the "
    "most frequent terms that it does not translate. Names and numbers among them"
    " need no translation: vectors keep them unchanged. The language of a "
    "collection is known from both files, or detected from the words. Terms that "
    "are stems are compared with the stems of the words.",
    .options = options,
    .examples = examples,
    .json = json_keys,
    .see_also = "doppel-lexicon-show(1), doppel-vectors(1)",
    .argument = "LEXICON",
    .min_args = 1,
    .max_args = CLI_MANY,
    .complete = CLI_FILES,
    .run_with = run,
    .defaults = &defaults,
    .n_defaults = sizeof defaults,
};
