/*
 * cmd_show.c - doppel show: the contents of a .dpl file, and its checksums.
 */
#include "cli/command.h"
#include "cli/notes.h"
#include "cli/outfile.h"
#include "cli/shared.h"
#include "cli/show.h"
#include "cli/talk.h"

#include "doppel/lexicon.h"
#include "doppel/pairs.h"

#include <stdio.h>
#include <string.h>
#include <unistd.h>

/* What the options set. */
typedef struct settings {
    unsigned top;
    bool wants_check;
    const char *lexicon_langs;
} settings;

static const settings defaults;
enum { DOCS = 5, TERMS = 10 }; /* without --top */

static const cli_option options[] = {
    {.name = "check",
     .flag = &defaults.wants_check,
     .help = "verify every checksum in the file"},
    {.name = "top",
     .letter = 'n',
     .value = "N",
     .count = &defaults.top,
     .max = 1000000000,
     .standard = "5 documents, 10 terms",
     .help = "list the first N documents and the N most frequent terms; of a document, its N "
             "heaviest terms; of a word, its N most probable translations"},
    CLI_LEXICON_LANGS_OPTION(&defaults.lexicon_langs, NULL, NULL),
    {0},
};

static const cli_item examples[] = {
    {"doppel show news.dpl", "print the contents of the file"},
    {"doppel show --check news.dpl", "verify that the file is undamaged"},
    {"doppel show news.dpl 4711 | less", "read one document, sentence by sentence"},
    {"doppel show de-en.dpl Haus Hund", "the translations of two words"},
    {"doppel show de-en.dpl news.de.dpl --top 100",
     "how much of a collection a lexicon covers, and the most frequent terms that it lacks"},
    {"doppel show de-en d17 e42",
     "why two documents are a pair in the folder of a mine run, or are not"},
    {"doppel show --json news.dpl | jq .collection.documents", "for a program"},
    {0},
};

static const cli_item json_keys[] = {
    {"path", "the file"},
    {"kind", "kind of the contents, such as collection"},
    {"format", "version of the file's format"},
    {"bytes", "size of the file"},
    {"checked", "true when every checksum was verified (--check)"},
    {"sections", "array: name, element (bytes of one), count, bytes, crc32c, required"},
    {"collection",
     "object: documents, terms, terms_once, tokens, entries, sentences, text_bytes, "
     "languages, settings, first_documents, frequent_terms"},
    {"lexicon",
     "object: sources, targets, entries, back, links, source_lang, target_lang, stemmed, "
     "settings, frequent_sources, frequent_targets, source and target: words, translated (with "
     "at least one translation), entries, entropy (of a word's translations, in bits), "
     "perplexity, mass (sum of a word's probabilities), best (probability of the best "
     "translation), certain (words whose best translation has 0.5 or more)"},
    {"vectors", "object: rows, dropped, terms, entries, space, lang, doc_lang, settings, "
                "first_rows"},
    {"signatures", "object: rows, method, bits or values, seed, settings, first_rows"},
    {"codes", "object: rows, seed, settings, first_rows"},
    {"index",
     "object: documents, words, terms, languages, pivot, function, code_length, "
     "codes_of_document, checksum, codes, slots, bits_per_slot, vectors, postings, texts, "
     "lexicon, stem, bytes, parts (array of name, about, bytes), receipt (sampled, candidates, "
     "and for each twentieth of similarity nearest, pairs, found, found_auto), "
     "first_documents"},
    {"round", "object: sentence_pairs, lexicon_entries, searched, matches, pairs, new, gone, "
              "cosine, alone, known, exact, recall, low, high, best_cosines, second_cosines, "
              "align_seconds, train_seconds, search_seconds"},
    {"is_pair, confidence, sentences, aligned, cosine, of_left, of_right, shared, words",
     "of DIR LEFT RIGHT instead: whether pairs.tsv has the pair, with which confidence, "
     "sentences of both and how many of them are aligned, cosine, rank of the partner and the "
     "second best of each, number of shared words, and array of term, left and right (the "
     "words of the texts) "
     "and weight"},
    {"items",
     "with ID or WORD, instead of the contents: array of objects, each with document, row or "
     "term; of a lexicon word, source, target (term, word as texts write it, count, entries, "
     "translations: term, word, p, back, count), or path, language, terms, known_terms, "
     "tokens, known_tokens, unknown of a "
     "collection"},
    {0},
};

static const cli_show_kind *const kinds[] = {
    &cli_show_collection, &cli_show_lexicon, &cli_show_vectors, &cli_show_signatures,
    &cli_show_round,      &cli_show_codes,   &cli_show_pocket,  NULL};

static const cli_show_kind *find_kind(const char *name)
{
    for (size_t i = 0; kinds[i]; i++)
        if (strcmp(kinds[i]->kind, name) == 0)
            return kinds[i];
    return NULL;
}

/* ---- the container ------------------------------------------------------------------ */

enum { MOST_NAME = 60 };

static dpl_str cstr(const char *s)
{
    return (dpl_str){s, strlen(s)};
}

static void print_heading(const dpl_file *file)
{
    const dpl_file_info about = dpl_file_get_info(file);
    char bytes[32], exact[32], name[CLI_FIT_BYTES(MOST_NAME)];
    cli_fit(name, sizeof name, cstr(about.path), MOST_NAME);
    cli_print("%s: %s, format %u.%u, %s", name, about.kind, about.major, about.minor,
              cli_bytes(bytes, about.n_bytes));
    if (about.n_bytes >= 1024)
        cli_print(" (%s bytes)", cli_grouped(exact, about.n_bytes));
    cli_print("\n");
}

static void print_sections(const dpl_file *file)
{
    const dpl_file_info about = dpl_file_get_info(file);
    char bytes[32], exact[32], name[CLI_FIT_BYTES(MOST_NAME)];
    cli_print("\n  %-20s %8s %14s %18s  %s\n", "section", "element", "count", "bytes",
              "crc32c");
    for (size_t i = 0; i < about.n_sections; i++) {
        dpl_section s = dpl_file_section(file, i);
        cli_fit(name, sizeof name, cstr(s.name), 32);
        cli_print("  %-20s %8u %14s %18s  %08x%s\n", name, s.element,
                  cli_grouped(bytes, s.element ? s.n_bytes / s.element : 0),
                  cli_grouped(exact, s.n_bytes), s.crc, s.is_required ? "" : " optional");
    }
    cli_print("\n  all checksums are right\n");
}

static void put_sections(const settings *o, dpl_json *j, const dpl_file *file)
{
    const dpl_file_info about = dpl_file_get_info(file);
    char text[32];
    dpl_json_cstr(j, "path", about.path);
    dpl_json_cstr(j, "kind", about.kind);
    snprintf(text, sizeof text, "%u.%u", about.major, about.minor);
    dpl_json_cstr(j, "format", text);
    dpl_json_number(j, "bytes", about.n_bytes);
    dpl_json_bool(j, "checked", o->wants_check);
    dpl_json_begin(j, "sections", '[');
    for (size_t i = 0; i < about.n_sections; i++) {
        dpl_section s = dpl_file_section(file, i);
        dpl_json_begin(j, NULL, '{');
        dpl_json_cstr(j, "name", s.name);
        dpl_json_number(j, "element", s.element);
        dpl_json_number(j, "count", s.element ? s.n_bytes / s.element : 0);
        dpl_json_number(j, "bytes", s.n_bytes);
        snprintf(text, sizeof text, "%08x", s.crc);
        dpl_json_cstr(j, "crc32c", text);
        dpl_json_bool(j, "required", s.is_required);
        dpl_json_end(j, '}');
    }
    dpl_json_end(j, ']');
}

/* ---- the command -------------------------------------------------------------------- */

/* A file that does not even call itself .dpl is raw input more likely than a damaged file. */
static int not_ours(const char *path, dpl_error *err)
{
    size_t n = strlen(path);
    bool is_named_ours = n > 4 && strcmp(path + n - 4, ".dpl") == 0;
    if (cli_is_folder(path) || (err->status == DPL_E_FORMAT && !is_named_ours)) {
        const char *slash = strrchr(path, '/'), *base = slash && slash[1] ? slash + 1 : path;
        size_t n_base = strcspn(base, "./"); /* "news" of "in/news.jsonl.zst" */
        snprintf(err->hint, sizeof err->hint,
                 "it may be raw input: 'doppel import %s -o %.*s.dpl' makes a collection of it",
                 path, n_base ? (int)n_base : 10, n_base ? base : "collection");
        err->code[0] = 0; /* this says more */
    }
    return cli_fail(err);
}

/* Each of the items, whatever the others are. */
static int show_items(const cli_show_kind *kind, void *object, const cli_show_request *request,
                      char **items, size_t n)
{
    dpl_json j = cli_json();
    int code = CLI_DONE;
    if (cli_set.json) {
        j = cli_summary_begin(false);
        dpl_json_cstr(&j, "path", request->path);
        dpl_json_begin(&j, "items", '[');
    }
    for (size_t i = 0; i < n; i++) {
        if (cli_set.json)
            dpl_json_begin(&j, NULL, '{');
        const int code_of_item =
            kind->item(object, request, items[i], cli_set.json ? &j : NULL);
        code = code ? code : code_of_item;
        if (cli_set.json)
            dpl_json_end(&j, '}');
        else if (code_of_item == CLI_DONE && i + 1 < n)
            cli_print("\n");
    }
    if (cli_set.json) {
        dpl_json_end(&j, ']');
        cli_summary_end(&j);
    }
    return code;
}

/* file: NULL of a lexicon in text */
static void show_all(const settings *o, const dpl_file *file, const cli_show_kind *kind,
                     const void *object, const cli_show_request *request)
{
    dpl_json j = cli_json();
    if (!cli_set.json) {
        if (file)
            print_heading(file);
        else
            cli_print("%s: a lexicon in text\n", request->path);
        if (file && o->wants_check)
            print_sections(file);
        if (kind)
            kind->print(object, request);
        return;
    }
    j = cli_summary_begin(false);
    if (file)
        put_sections(o, &j, file);
    else
        dpl_json_cstr(&j, "path", request->path);
    if (kind)
        kind->put(&j, object, request);
    cli_summary_end(&j);
}

/* Options that have no effect on a file of this kind. */
static bool check_options(const settings *o, const dpl_file *file, const cli_show_kind *kind,
                          const char *path)
{
    const char *name = file ? dpl_file_get_info(file).kind : "lexicon";
    if (!file && o->wants_check)
        cli_error("--check applies only to files made by doppel: '%s' is a lexicon in text",
                  path);
    else if (o->lexicon_langs && kind != &cli_show_lexicon)
        cli_error("--lexicon-langs applies only to a lexicon: '%s' is a %s file", path, name);
    else if (cli_given("top") && (!kind || kind == &cli_show_round))
        cli_error("--top does not apply to a %s file: '%s'", name, path);
    else
        return true;
    return false;
}

static int show(const settings *o, const dpl_file *file, const cli_show_kind *kind,
                const cli_show_request *request, char **items, size_t n_items)
{
    void *object = NULL;
    if (!check_options(o, file, kind, request->path))
        return CLI_USAGE;
    if (n_items && (!kind || !kind->item)) {
        cli_error("'%s' has no documents or terms: it is a file of kind '%s'", request->path,
                  dpl_file_get_info(file).kind);
        return CLI_USAGE;
    }
    int code = kind ? kind->open(&object, request) : CLI_DONE;
    if (code == CLI_DONE && n_items)
        code = show_items(kind, object, request, items, n_items);
    else if (code == CLI_DONE)
        show_all(o, file, kind, object, request);
    if (kind)
        kind->close(object);
    return code;
}

/* Whether a file that is not ours is a lexicon in text. */
static bool is_lexicon(dpl_ctx *ctx, const char *path, bool has_items, const dpl_error *err)
{
    dpl_lexicon *lexicon = NULL;
    const bool is_stream = strcmp(path, "-") == 0 && has_items;
    const bool is = is_stream || (err->status == DPL_E_FORMAT &&
                                  dpl_lexicon_open(&lexicon, ctx, path, NULL, NULL) == DPL_OK &&
                                  dpl_lexicon_get_sizes(lexicon)->n_entries > 0);
    dpl_lexicon_close(lexicon);
    return is;
}

static bool is_run(const char *folder)
{
    char path[4200];
    snprintf(path, sizeof path, "%s/pairs.tsv", folder);
    return access(path, F_OK) == 0;
}

/* Every byte of it; of parts of pairs, which nothing shows, also what merging relies on. */
static dpl_status check(const dpl_file *file, const cli_show_request *request, dpl_error *err)
{
    return strcmp(dpl_file_get_info(file).kind, "pairs") == 0
               ? dpl_pairs_check_part(request->ctx, request->path, err)
               : dpl_file_check(file, err);
}

static int show_file(const settings *o, const cli_show_request *request, char **items,
                     size_t n_items)
{
    dpl_file *file = NULL;
    dpl_error err = {0};
    int code;
    if (cli_is_folder(request->path) && (n_items || is_run(request->path))) {
        const char *given = o->wants_check     ? "check"
                            : o->lexicon_langs ? "lexicon-langs"
                                               : NULL;
        if (given)
            cli_error("--%s applies only to a file: '%s' is a folder", given, request->path);
        return given ? CLI_USAGE : cli_show_pair(request, items, n_items);
    }
    if (dpl_file_open(&file, request->ctx, request->path, &err) != DPL_OK)
        code = is_lexicon(request->ctx, request->path, n_items > 0, &err)
                   ? show(o, NULL, &cli_show_lexicon, request, items, n_items)
                   : not_ours(request->path, &err);
    else if (o->wants_check && check(file, request, &err) != DPL_OK)
        code = cli_fail(&err);
    else
        code = show(o, file, find_kind(dpl_file_get_info(file).kind), request, items, n_items);
    dpl_file_close(file);
    return code;
}

static int run(dpl_ctx *ctx, char **args, size_t n_args, void *user)
{
    const settings *o = user;
    const bool has_top = cli_given("top");
    cli_show_request request = {.ctx = ctx,
                                .path = args[0],
                                .n_docs = has_top ? o->top : DOCS,
                                .n_terms = has_top ? o->top : TERMS,
                                .n_in_row = TERMS,
                                .lexicon_langs = o->lexicon_langs};
    return show_file(o, &request, args + 1, n_args - 1);
}

const cli_command cli_show = {
    .name = "show",
    .summary = "print what a file made by doppel holds, and check it",
    .synopsis = "FILE [ID|WORD]... | DIR LEFT RIGHT",
    .about =
        "Print kind and format version of a .dpl file or of an index, and what it "
        "holds: of a collection its counts, languages, settings, first documents and most "
        "frequent terms; of a lexicon its size and the most frequent words with their "
        "translations; of vectors, signatures and codes their settings and first rows; of an "
        "index its documents and languages, the size of each part, and the recall that was "
        "measured when it was built; of a round of 'doppel mine', what it was trained on and "
        "what it found. A lexicon in text is shown like a .dpl: lines of source word, target "
        "word and probability, separated by tabs, compressed or not."
        "\n"
        "\n"
        "With ID or WORD, print these alone. A document of a collection is printed sentence by "
        "sentence, with a mark at the first of each paragraph. A word of a lexicon is folded "
        "as "
        "tokens are, and stemmed when the lexicon has stems; it is looked up in both languages "
        "and printed with its translations, their probability, the probability of the reverse "
        "direction, and how often the translation occurred in training; a dash means that "
        "pruning has kept the pair in one of the two tables only. If a lexicon lacks a word, "
        "similar words are listed. When WORD is the name of a collection, the share of its "
        "terms that the lexicon translates is printed, with the most frequent terms that it "
        "lacks; names and numbers among them need no translation, vectors keep them unchanged."
        "\n"
        "\n"
        "With the folder of a 'doppel mine' run and the ids of two documents, print why they "
        "are "
        "a pair, or are not: the confidence, the share of sentences that are aligned, the "
        "cosine "
        "of their vectors and its rank, the next best document of each, and the words that "
        "both "
        "have, with what each adds to the cosine; words of the left document are translated by "
        "the lexicon of the run."
        "\n"
        "\n"
        "Long texts are cut to the width of the terminal, or of COLUMNS, or 80 columns; those "
        "of one document are not."
        "\n"
        "\n"
        "Opening a file checks its structure. --check reads every byte of it, verifies the "
        "checksum of every section and lists the sections; damage is exit status 3 and an "
        "error that names the "
        "section.",
    .options = options,
    .examples = examples,
    .json = json_keys,
    .see_also = "doppel-import(1), doppel-lexicon-train(1), doppel-index-build(1)",
    .argument = "FILE",
    .min_args = 1,
    .max_args = CLI_MANY,
    .complete = CLI_FILES,
    .ends_at_once = true,
    .work = run,
    CLI_DEFAULTS(defaults),
};
