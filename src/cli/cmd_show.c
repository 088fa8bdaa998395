/*
 * cmd_show.c - doppel show: the contents of a .dpl file, and its checksums.
 */
#include "cli/command.h"
#include "cli/notes.h"
#include "cli/outfile.h"
#include "cli/show.h"
#include "cli/talk.h"

#include <stdio.h>
#include <string.h>

/* What the options set. */
typedef struct settings {
    cli_show_request request;
    bool wants_check;
} settings;

static const settings defaults = {.request = {.n_docs = 5, .n_terms = 10}};

static const cli_option options[] = {
    {.name = "check",
     .flag = &defaults.wants_check,
     .help = "verify every checksum in the file"},
    {.name = "docs",
     .value = "N",
     .count = &defaults.request.n_docs,
     .standard = "5",
     .help = "show the first N documents, or rows; of a lexicon: the N most frequent words"},
    {.name = "terms",
     .value = "N",
     .count = &defaults.request.n_terms,
     .standard = "10",
     .help = "show the N most frequent terms; of vectors: the N heaviest of each row; of a "
             "lexicon: N translations"},
    {.name = "doc",
     .value = "ID",
     .text = &defaults.request.doc,
     .help = "show one document, sentence by sentence; of vectors and signatures: its row"},
    {.name = "term",
     .value = "WORD",
     .text = &defaults.request.term,
     .help = "show one term: its number and how often it occurs; of a lexicon: its "
             "translations"},
    {0},
};

static const cli_item examples[] = {
    {"doppel show news.dpl", "print the contents of the file"},
    {"doppel show --check news.dpl", "verify that the file is undamaged"},
    {"doppel show news.dpl --doc 4711 | less", "read one document, sentence by sentence"},
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
    {"document", "with --doc instead of collection: id, lang, title, extra, tokens, sentences, "
                 "frequent_terms"},
    {"term", "with --term instead of collection: term, id, count, documents"},
    {"lexicon", "object: sources, targets, entries, back, links, source_lang, target_lang, "
                "stemmed, settings, frequent_sources, frequent_targets; with --term instead of "
                "it source, target, or both: word, count, translations"},
    {"vectors", "object: rows, dropped, terms, entries, space, lang, doc_lang, settings, "
                "first_rows; with --doc instead of it row, with --term term"},
    {"signatures", "object: rows, method, bits or values, seed, settings, first_rows; with "
                   "--doc instead of it row"},
    {"codes", "object: rows, seed, settings, first_rows; with --doc instead of it row"},
    {"round", "object: sentence_pairs, lexicon_entries, searched, matches, pairs, new, gone, "
              "cosine, alone, known, exact, recall, low, high, best_cosines, second_cosines, "
              "align_seconds, train_seconds, search_seconds"},
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

static void print_sections(const settings *o, const dpl_file *file)
{
    char bytes[32], exact[32], name[CLI_FIT_BYTES(MOST_NAME)];
    cli_fit(name, sizeof name, cstr(dpl_file_path(file)), MOST_NAME);
    size_t n_bytes = dpl_file_n_bytes(file);
    cli_print("%s: %s, format %u.%u, %s", name, dpl_file_kind(file), dpl_file_major(file),
              dpl_file_minor(file), cli_bytes(bytes, n_bytes));
    if (n_bytes >= 1024)
        cli_print(" (%s bytes)", cli_grouped(exact, n_bytes));
    cli_print("\n\n  %-20s %8s %14s %18s  %s\n", "section", "element", "count", "bytes",
              "crc32c");
    for (size_t i = 0; i < dpl_file_n_sections(file); i++) {
        dpl_section s = dpl_file_section(file, i);
        cli_fit(name, sizeof name, cstr(s.name), 32);
        cli_print("  %-20s %8u %14s %18s  %08x%s\n", name, s.element,
                  cli_grouped(bytes, s.element ? s.n_bytes / s.element : 0),
                  cli_grouped(exact, s.n_bytes), s.crc, s.is_required ? "" : " optional");
    }
    if (o->wants_check)
        cli_print("\n  all checksums are right\n");
}

static void put_sections(const settings *o, dpl_json *j, const dpl_file *file)
{
    char text[32];
    dpl_json_cstr(j, "path", dpl_file_path(file));
    dpl_json_cstr(j, "kind", dpl_file_kind(file));
    snprintf(text, sizeof text, "%u.%u", dpl_file_major(file), dpl_file_minor(file));
    dpl_json_cstr(j, "format", text);
    dpl_json_number(j, "bytes", dpl_file_n_bytes(file));
    dpl_json_bool(j, "checked", o->wants_check);
    dpl_json_begin(j, "sections", '[');
    for (size_t i = 0; i < dpl_file_n_sections(file); i++) {
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

static void print(const settings *o, const dpl_file *file, const cli_show_kind *kind,
                  const void *object)
{
    dpl_json j = cli_json();
    if (cli_set.json) {
        j = cli_summary_begin(false);
        put_sections(o, &j, file);
    } else if (!o->request.doc && !o->request.term) {
        print_sections(o, file);
    }
    if (kind)
        kind->print(object, &o->request, cli_set.json ? &j : NULL);
    if (cli_set.json) {
        cli_summary_end(&j);
    }
}

static int show(const settings *o, dpl_ctx *ctx, const dpl_file *file)
{
    dpl_error err = {0};
    if (o->wants_check && dpl_file_check(file, &err) != DPL_OK)
        return cli_fail(&err);
    const cli_show_kind *kind = find_kind(dpl_file_kind(file));
    if (!kind && (o->request.doc || o->request.term)) {
        cli_error("'%s' has no documents or terms: it is a file of kind '%s'",
                  dpl_file_path(file), dpl_file_kind(file));
        return CLI_USAGE;
    }
    void *object = NULL;
    int code = kind ? kind->open(&object, ctx, dpl_file_path(file), &o->request) : CLI_DONE;
    if (code == CLI_DONE)
        print(o, file, kind, object);
    if (kind)
        kind->close(object);
    return code;
}

static int run(char **args, size_t n_args, void *user)
{
    settings *o = user;
    (void)n_args;
    dpl_ctx *ctx;
    int code = cli_ctx_new(&ctx, false);
    if (code != CLI_DONE)
        return code;
    dpl_file *file = NULL;
    dpl_error err = {0};
    if (dpl_file_open(&file, ctx, args[0], &err) != DPL_OK)
        code = not_ours(args[0], &err);
    else
        code = show(o, ctx, file);
    dpl_file_close(file);
    dpl_ctx_free(ctx);
    return code;
}

const cli_command cli_show = {
    .name = "show",
    .summary = "print the contents of a file made by doppel, and check it",
    .synopsis = "FILE",
    .about = "Print kind, format version and sections of a .dpl file. For a collection, "
             "also its counts, languages, settings, first documents and most frequent "
             "terms; for one document (--doc) its fields, its numbered sentences, with a "
             "mark at the first of each paragraph, and its most frequent terms. For a "
             "lexicon, its counts, settings, and most frequent words with their "
             "translations. For vectors, their counts, settings, and first rows with the "
             "terms of the highest weight; for signatures the same, in hexadecimal. For a "
             "round of 'doppel mine', what it was trained on and what it found."
             "\n"
             "\n"
             "Long texts are cut to the width of the terminal, or of COLUMNS, or 80 "
             "columns; those of --doc are not."
             "\n"
             "\n"
             "Opening a file checks its structure. --check reads every byte of it and "
             "verifies the checksum of every section; damage is exit status 3 and an error"
             " that names the section.",
    .options = options,
    .examples = examples,
    .json = json_keys,
    .see_also = "doppel-import(1)",
    .argument = "FILE",
    .min_args = 1,
    .max_args = 1,
    .complete = CLI_FILES,
    .run_with = run,
    .defaults = &defaults,
    .n_defaults = sizeof defaults,
};
