/*
 * side.c - from whatever the user names to a collection, vectors or signatures.
 */
#define _POSIX_C_SOURCE 200809L
#include "cli/side.h"

#include "cli/applies.h"
#include "cli/command.h"
#include "cli/notes.h"
#include "cli/talk.h"

#include "doppel/file.h"

#include <stdio.h>
#include <string.h>

typedef enum kind { RAW, COLLECTION, VECTORS, SIGNATURES, OTHER } kind;

static bool ends_in(const char *path, const char *end)
{
    size_t n = strlen(path), n_end = strlen(end);
    return n > n_end && strcmp(path + n - n_end, end) == 0;
}

/* What the path names; -1 and an exit code when a file of ours cannot be opened. */
static kind find_kind(int *code, dpl_ctx *ctx, const char *path)
{
    *code = CLI_DONE;
    if (ends_in(path, ".npy") || ends_in(path, ".fvecs"))
        return VECTORS;
    dpl_file *file = NULL;
    dpl_error err = {0};
    char detected[DPL_FILE_KIND];
    dpl_status status = dpl_file_detect(detected, ctx, path, &err);
    if (status == DPL_OK && !*detected && ends_in(path, ".dpl")) /* says what it is not */
        status = dpl_file_open(&file, ctx, path, &err);
    dpl_file_close(file);
    if (status != DPL_OK)
        *code = cli_fail(&err);
    if (status != DPL_OK || !*detected)
        return RAW;
    static const char *const names[] = {
        [COLLECTION] = "collection", [VECTORS] = "vectors", [SIGNATURES] = "signatures"};
    kind found = OTHER;
    for (kind k = COLLECTION; k <= SIGNATURES; k++)
        if (strcmp(detected, names[k]) == 0)
            found = k;
    if (found == OTHER) {
        cli_error("'%s' is a %s file: no documents, vectors or signatures", path, detected);
        *code = CLI_USAGE;
    }
    return found;
}

/* ---- options of raw documents ------------------------------------------------------- */

/* What the documents of a command are. */
typedef struct given_files {
    size_t n_args;
    bool are_ours, are_vectors; /* all of them: files of ours; without words */
    bool has_signatures;
    const char *last;
    char kind[DPL_FILE_KIND]; /* of the last */
} given_files;

static void look_at(given_files *f, dpl_ctx *ctx, const char *path)
{
    const bool is_dense = ends_in(path, ".npy") || ends_in(path, ".fvecs");
    f->last = path;
    if (is_dense)
        snprintf(f->kind, sizeof f->kind, "vectors");
    else if (dpl_file_detect(f->kind, ctx, path, NULL) != DPL_OK)
        f->kind[0] = '\0';
    f->are_ours &= *f->kind != '\0';
    f->are_vectors &= cli_is_listed("vectors,signatures,codes", f->kind);
    f->has_signatures |= strcmp(f->kind, "signatures") == 0;
}

/* Whether an option that was given has no effect on such files. */
static bool is_idle(const cli_option *o, const cli_command *c, const given_files *f)
{
    if (o->is_signing)
        return f->has_signatures;
    if (o->is_words)
        return f->are_vectors;
    if (!f->are_ours || (o->or_with && cli_given(o->or_with)))
        return false;
    if (f->n_args > 2 && strcmp(o->name, "langs") == 0) /* chooses among the inputs */
        return false;
    return o->is_raw || (o->is_read && !c->rereads);
}

static const cli_option *given_for_files(const cli_option *o)
{
    while (o && o->name &&
           !(cli_given(o->name) && (o->is_raw || o->is_read || o->is_words || o->is_signing)))
        o++;
    return o && o->name ? o : NULL;
}

bool cli_check_raw(const cli_command *command, char **args, size_t n_args)
{
    const cli_option *o = given_for_files(command->options);
    const size_t n = command->n_documents ? command->n_documents : n_args;
    given_files f = {.n_args = n_args, .are_ours = true, .are_vectors = true};
    dpl_ctx *ctx = NULL;
    if (!o || n == 0 || cli_given("against") || dpl_ctx_new(&ctx, NULL, NULL) != DPL_OK)
        return true;
    for (size_t i = n_args - n; i < n_args && f.are_ours; i++)
        look_at(&f, ctx, args[i]);
    dpl_ctx_free(ctx);
    while (o && !is_idle(o, command, &f))
        o = given_for_files(o + 1);
    if (!o)
        return true;
    cli_error("%s%s applies only to %s: '%s' is a %s file", o->knob_of ? "" : "--", o->name,
              o->is_signing ? "vectors, of which signatures are made"
              : o->is_words ? "raw documents and collections"
                            : "raw documents",
              f.last, f.kind);
    if (strcmp(f.kind, "collection") == 0)
        cli_hint("give it to 'doppel import', which makes the collection");
    return false;
}

/* ---- documents ---------------------------------------------------------------------- */

int cli_lexicon_open(dpl_lexicon **out, dpl_ctx *ctx, const char *path, const char *langs,
                     bool skips)
{
    dpl_error err = {0};
    dpl_lexicon_options o = DPL_INIT(dpl_lexicon_options,
                                     .on_error = skips ? DPL_ON_ERROR_SKIP : DPL_ON_ERROR_FAIL);
    char held[64];
    if (langs) {
        snprintf(held, sizeof held, "%s", langs);
        char *comma = strchr(held, ',');
        if (!comma || comma == held || !comma[1]) {
            cli_error("bad value '%s' for --lexicon-langs: expected two languages, such as "
                      "de,en",
                      langs);
            return CLI_USAGE;
        }
        *comma = 0;
        o.source_lang = held;
        o.target_lang = comma + 1;
    }
    return dpl_lexicon_open(out, ctx, path, &o, &err) == DPL_OK ? CLI_DONE : cli_fail(&err);
}

/* What the policy for bad records did. */
static void note_damage(const char *path, const dpl_read_counts *counts,
                        const dpl_skip_list *skipped)
{
    static const dpl_drop damages[] = {DPL_DROP_DUPLICATE, DPL_DROP_UTF8, DPL_DROP_MALFORMED,
                                       DPL_DROP_MISSING, DPL_DROP_LONG};
    uint64_t n_skipped = 0;
    for (size_t i = 0; i < sizeof damages / sizeof *damages; i++)
        n_skipped += counts->n_dropped[damages[i]];
    if (n_skipped)
        cli_note("'%s': records that cannot be read were skipped: %llu", path,
                 (unsigned long long)n_skipped);
    cli_note_skipped(skipped);
    if (counts->n_replaced)
        cli_note("'%s': invalid UTF-8 sequences were replaced: %llu", path,
                 (unsigned long long)counts->n_replaced);
}

/* Raw documents become a collection in the folder, whose path is put into file. */
static int import(dpl_ctx *ctx, const char *path, unsigned number, cli_side_request *w,
                  char *file, size_t n_file)
{
    dpl_error err = {0};
    dpl_read_counts counts = DPL_INIT(dpl_read_counts);
    dpl_import_summary summary = DPL_INIT(dpl_import_summary, .read = &counts);
    dpl_reader_options read = w->read;
    dpl_import_options o = DPL_INIT(dpl_import_options, .read = &read, .tokens = &w->tokens,
                                    .temp = w->folder.base);
    read.lang = w->lang[number];
    char name[32];
    snprintf(name, sizeof name, "collection-%u.dpl", number);
    if (!cli_folder_file(&w->folder, file, n_file, name))
        return CLI_FAILED;
    o.needs_docs = true;
    if (dpl_skip_list_new(&summary.skipped, ctx, &err) != DPL_OK)
        return cli_fail(&err);
    const dpl_status status = dpl_import(&summary, ctx, file, &path, 1, &o, &err);
    note_damage(path, &counts, summary.skipped);
    dpl_skip_list_free(summary.skipped);
    return status == DPL_OK ? CLI_DONE : cli_fail(&err);
}

static int open_collection(dpl_collection **out, dpl_ctx *ctx, const char *path, kind is,
                           unsigned number, cli_side_request *w)
{
    dpl_error err = {0};
    char file[4200];
    if (is == RAW) {
        int code = import(ctx, path, number, w, file, sizeof file);
        if (code != CLI_DONE)
            return code;
        path = file;
    }
    return dpl_collection_open(out, ctx, path, &err) == DPL_OK ? CLI_DONE : cli_fail(&err);
}

int cli_collection_open(dpl_collection **out, dpl_ctx *ctx, const char *path, unsigned number,
                        cli_side_request *request)
{
    int code;
    kind is = find_kind(&code, ctx, path);
    if (code == CLI_DONE && is != RAW && is != COLLECTION) {
        cli_error("'%s' has no text: it is vectors or signatures", path);
        cli_hint("give documents, or a collection that 'doppel import' makes");
        code = CLI_USAGE;
    }
    return code == CLI_DONE ? open_collection(out, ctx, path, is, number, request) : code;
}

/* Collection to vectors, through the lexicon if this side is the one to project. */
static int make_vectors(cli_side *side, dpl_ctx *ctx, const dpl_collection *collection,
                        const char *name_told, unsigned number, cli_side_request *w)
{
    dpl_error err = {0};
    dpl_lexicon *lexicon = NULL;
    dpl_vectors_summary summary = DPL_INIT(dpl_vectors_summary);
    char name[32], file[4200];
    snprintf(name, sizeof name, "vectors-%u.dpl", number);
    int code = CLI_DONE;
    if (w->lexicon && number == w->project)
        code = cli_lexicon_open(&lexicon, ctx, w->lexicon, w->lexicon_langs, false);
    if (code == CLI_DONE && !cli_folder_file(&w->folder, file, sizeof file, name))
        code = CLI_FAILED;
    if (code == CLI_DONE && (dpl_vectors_make(&summary, ctx, file, collection, lexicon,
                                              &w->vectors, &err) != DPL_OK ||
                             dpl_vectors_open(&side->vectors, ctx, file, &err) != DPL_OK))
        code = cli_fail(&err);
    if (code == CLI_DONE && lexicon && summary.n_source_tokens)
        cli_note("'%s': the lexicon translates %.1f %% of the words", name_told,
                 100. * (double)summary.n_known_tokens / (double)summary.n_source_tokens);
    dpl_lexicon_close(lexicon);
    return code;
}

/* ---- sides -------------------------------------------------------------------------- */

static int open_side(cli_side *side, dpl_ctx *ctx, const char *path, unsigned number,
                     cli_side_request *w)
{
    dpl_error err = {0};
    int code;
    kind k = find_kind(&code, ctx, path);
    if (code != CLI_DONE)
        return code;
    if (k == VECTORS) {
        if (dpl_vectors_open(&side->vectors, ctx, path, &err) != DPL_OK)
            code = cli_fail(&err);
    } else if (k == SIGNATURES) {
        if (dpl_signatures_open(&side->signatures, ctx, path, &err) != DPL_OK)
            code = cli_fail(&err);
    } else {
        dpl_collection *collection = NULL;
        code = open_collection(&collection, ctx, path, k, number, w);
        if (code == CLI_DONE)
            code = make_vectors(side, ctx, collection, path, number, w);
        dpl_collection_close(collection);
    }
    if (code == CLI_DONE && w->lexicon && number == w->project && k != RAW && k != COLLECTION) {
        cli_error("'%s' cannot be projected: it is no longer words", path);
        cli_hint("use the lexicon where the vectors are made: doppel vectors --lexicon");
        code = CLI_USAGE;
    }
    if (code == CLI_DONE && side->vectors)
        side->n_dropped = dpl_vectors_get_sizes(side->vectors)->n_dropped;
    return code;
}

int cli_sides_open(cli_side sides[2], dpl_ctx *ctx, char **paths, size_t n_paths,
                   cli_side_request *request)
{
    char into[16] = "";
    for (unsigned k = 0; k < n_paths;
         k++) { /* the one to project last: it needs the other's language */
        unsigned i = n_paths == 2 && request->project == CLI_PROJECT_LEFT ? 1 - k : k;
        request->vectors.into = *into ? into : NULL;
        int code = open_side(&sides[i], ctx, paths[i], i, request);
        if (code != CLI_DONE)
            return code;
        if (sides[i].vectors) {
            dpl_str lang = dpl_vectors_get_info(sides[i].vectors).lang;
            snprintf(into, sizeof into, "%.*s", (int)lang.n, lang.data);
        }
    }
    return CLI_DONE;
}

void cli_sides_close(cli_side sides[2], cli_side_request *request)
{
    for (int i = 0; i < 2; i++) {
        dpl_vectors_close(sides[i].vectors);
        dpl_signatures_close(sides[i].signatures);
        dpl_collection_close(sides[i].collection);
    }
    cli_folder_remove(&request->folder);
}
