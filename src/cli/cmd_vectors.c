/*
 * cmd_vectors.c - doppel vectors: term vectors of a collection.
 */
#include "cli/command.h"
#include "cli/outfile.h"
#include "cli/shared.h"
#include "cli/side.h"
#include "cli/summary.h"
#include "cli/talk.h"

#include "doppel/vectors.h"

#include <stdio.h>

static dpl_vectors_options set = DPL_INIT(dpl_vectors_options);
static cli_side_request request = CLI_SIDE_REQUEST_INIT; /* of documents */
static const char *output, *lexicon_path, *lexicon_langs;

static const cli_option options[] = {
    CLI_OUTPUT_OPTION(&output, NULL, "write the vectors to FILE; - is standard output"),
    CLI_LEXICON_OPTION(&lexicon_path, "project into another language with this lexicon"),
    CLI_LEXICON_LANGS_OPTION(&lexicon_langs, "detected from the words", "lexicon"),
    CLI_OPTION(vectors, &set, "into", .only_with = "lexicon",
               .help = "set the language to project into, when --lexicon-langs does not"),
    CLI_OPTION(reader, &request.read, "on-error",
               .help =
                   "what to do with a document or a line of the lexicon that cannot be read "
                   "(replace turns invalid UTF-8 of documents into U+FFFD)"),
    CLI_VECTORS_OPTIONS(set, "", ""),
    CLI_OPTION(vectors, &set, "min-count"),
    CLI_OPTION(vectors, &set, "min-terms"),
    CLI_OPTION(vectors, &set, "temp"),
    CLI_OPTION(tokens, &request.tokens, "stem", .help = "documents: reduce words to stems"),
    CLI_OPTION(reader, &request.read, "format"),
    {.name = "lang",
     .value = "LANG",
     .text = &request.lang[0],
     .standard = "that of the record, or detected from the text",
     .help = "documents: set their language, as a code such as de"},
    CLI_OPTION(reader, &request.read, "only"),
    CLI_READER_OPTIONS(request.read),
    {0},
};

static const cli_item examples[] = {
    {"doppel vectors en.dpl -o en.vectors.dpl", "vectors of the words of the documents"},
    {"doppel vectors news.jsonl --text-key body -o news.vectors.dpl",
     "the same of documents, without a collection of them"},
    {"doppel vectors de.dpl --lexicon de-en.tsv.zst --lexicon-langs de-en -o de.vectors.dpl",
     "German documents projected into English, comparable with the former"},
    {"doppel vectors de.dpl --spelling 4 -o de.vectors.dpl",
     "character n-grams: names, numbers and cognates of different languages"},
    {"doppel vectors news.dpl --weighting tf-idf --min-count 1 -o news.vectors.dpl",
     "another weighting, all words"},
    {0},
};

static const cli_item json_keys[] = {
    {"documents", "documents in the collection"},
    {"rows", "documents with a vector"},
    {"dropped", "documents with too few terms (--min-terms)"},
    {"terms", "distinct terms in all rows"},
    {"entries", "pairs of a row and a term in it"},
    {"lang", "language of the terms, empty when not known"},
    {"doc_lang", "language of most documents, empty when not known"},
    {"direction", "source: by p(e|f), target: by p(f|e), none without a lexicon; f are the "
                  "collection's words"},
    {"direction_from", "option, languages or words: how direction or column was decided"},
    {"lexicon_column", "source or target: the one that is the collection's language"},
    {"source_terms", "terms of the collection that occur often enough (--min-count)"},
    {"known_terms", "of these, translated by the lexicon; the others stay unchanged"},
    {"source_tokens", "occurrences of those terms"},
    {"known_tokens", "of these, translated by the lexicon"},
    {"lexicon_entries", "pairs of words in the lexicon"},
    {"lexicon_skipped", "lines of the lexicon that could not be read (--on-error=skip)"},
    {"output_bytes", "bytes of the vectors' file"},
    {"spilled_bytes", "bytes written to temporary files"},
    {"seconds", "time it took, without reading collection and lexicon"},
    CLI_MACHINE_JSON,
    {0},
};

/* ---- the summary -------------------------------------------------------------------- */

/* What the summary is about. */
typedef struct result {
    dpl_vectors_summary s;
    dpl_lexicon_sizes lexicon; /* zero when there is none */
    dpl_ctx *ctx;
    const char *input;
} result;

static const char *direction_from(const dpl_vectors_summary *s)
{
    return set.direction ? "option" : s->is_counted ? "words" : "languages";
}

static void print_json(const result *r)
{
    const dpl_vectors_summary *s = &r->s;
    dpl_json j = cli_summary_begin(cli_is_stdout(output));
    dpl_json_number(&j, "documents", s->n_docs);
    dpl_json_number(&j, "rows", s->n_rows);
    dpl_json_number(&j, "dropped", s->n_dropped);
    dpl_json_number(&j, "terms", s->n_terms);
    dpl_json_number(&j, "entries", s->n_entries);
    dpl_json_cstr(&j, "lang", s->lang);
    dpl_json_cstr(&j, "doc_lang", s->doc_lang);
    dpl_json_cstr(&j, "direction", lexicon_path ? cli_direction_name(s->direction) : "none");
    if (lexicon_path) {
        dpl_json_cstr(&j, "direction_from", direction_from(s));
        dpl_json_cstr(&j, "lexicon_column", s->is_target ? "target" : "source");
        dpl_json_number(&j, "source_terms", s->n_source_terms);
        dpl_json_number(&j, "known_terms", s->n_known_terms);
        dpl_json_number(&j, "source_tokens", s->n_source_tokens);
        dpl_json_number(&j, "known_tokens", s->n_known_tokens);
        dpl_json_number(&j, "lexicon_entries", r->lexicon.n_entries);
        dpl_json_number(&j, "lexicon_skipped", r->lexicon.n_skipped);
    }
    dpl_json_number(&j, "output_bytes", s->n_output_bytes);
    dpl_json_number(&j, "spilled_bytes", s->n_spilled_bytes);
    dpl_json_real(&j, "seconds", s->seconds);
    cli_json_machine(&j, r->ctx);
    cli_summary_end(&j);
}

static double percent(uint64_t part, uint64_t whole)
{
    return whole ? 100 * (double)part / (double)whole : 0;
}

static void note_lexicon(const result *r)
{
    const dpl_vectors_summary *s = &r->s;
    char value[64], remark[200];
    if (r->lexicon.n_skipped)
        cli_note_count("skipped", r->lexicon.n_skipped, "lines of the lexicon");
    snprintf(value, sizeof value, "%.1f %%", percent(s->n_known_terms, s->n_source_terms));
    snprintf(remark, sizeof remark,
             "of the terms, %.1f %% of their occurrences; the others stay unchanged",
             percent(s->n_known_tokens, s->n_source_tokens));
    cli_note_row("translated", value, remark);
    const char *p = s->direction == DPL_DIRECTION_SOURCE ? "p(e|f)" : "p(f|e)";
    const char *column = s->is_target ? "second" : "first";
    if (set.direction)
        snprintf(remark, sizeof remark, "%s, as asked; the %s column is the collection's", p,
                 column);
    else if (s->is_counted)
        snprintf(remark, sizeof remark,
                 "%s; the %s column holds more of the collection's terms", p, column);
    else
        snprintf(remark, sizeof remark, "%s; the collection is in '%s', as is the %s column", p,
                 s->doc_lang, column);
    cli_note_row("direction", cli_direction_name(s->direction), remark);
}

static void note_summary(const result *r)
{
    const dpl_vectors_summary *s = &r->s;
    char remark[200];
    cli_note_count("documents", s->n_docs, "");
    cli_note_count("rows", s->n_rows, "");
    snprintf(remark, sizeof remark, "documents with fewer than %u terms",
             set.min_terms ? set.min_terms : 5);
    if (s->n_dropped)
        cli_note_count("dropped", s->n_dropped, remark);
    snprintf(remark, sizeof remark, "in '%s'", s->lang);
    cli_note_count("terms", s->n_terms, *s->lang ? remark : "");
    snprintf(remark, sizeof remark, "%.0f a row",
             s->n_rows ? (double)s->n_entries / s->n_rows : 0);
    cli_note_count("entries", s->n_entries, remark);
    if (lexicon_path)
        note_lexicon(r);
    cli_note_output(output, s->n_output_bytes);
    if (s->n_spilled_bytes)
        cli_note_bytes("spilled", s->n_spilled_bytes, "to temporary files");
    cli_note_bytes("memory", dpl_ctx_peak(r->ctx), "at most");
    cli_note_time(s->seconds, "", r->ctx);
}

/* ---- the work ----------------------------------------------------------------------- */

static int make(void *user, const char *path)
{
    result *r = user;
    dpl_lexicon *lexicon = NULL;
    dpl_collection *collection = NULL;
    dpl_error err = {0};
    int code = CLI_DONE;
    if (lexicon_path)
        code = cli_lexicon_open(&lexicon, r->ctx, lexicon_path, lexicon_langs,
                                request.read.on_error == DPL_ON_ERROR_SKIP);
    if (code == CLI_DONE)
        code = cli_collection_open(&collection, r->ctx, r->input, 0, &request);
    if (code == CLI_DONE &&
        dpl_vectors_make(&r->s, r->ctx, path, collection, lexicon, &set, &err) != DPL_OK)
        code = cli_fail(&err);
    if (code == CLI_DONE && lexicon)
        r->lexicon = *dpl_lexicon_get_sizes(lexicon);
    dpl_collection_close(collection);
    dpl_lexicon_close(lexicon);
    return code;
}

static int run(char **args, size_t n_args)
{
    (void)n_args;
    char *inputs[] = {args[0], (char *)(uintptr_t)lexicon_path};
    int code = cli_check_output(output, "the vectors go", false, inputs, lexicon_path ? 2 : 1);
    if (code != CLI_DONE)
        return code;
    result r = {.s = DPL_INIT(dpl_vectors_summary), .input = args[0]};
    code = cli_ctx_new(&r.ctx, true);
    if (code != CLI_DONE)
        return code;
    request.folder.base = set.spill_dir;
    code = cli_write_container(output, r.ctx, set.spill_dir, make, &r);
    cli_folder_remove(&request.folder);
    if (code == CLI_DONE)
        (cli_set.json ? print_json : note_summary)(&r);
    dpl_ctx_free(r.ctx);
    return code;
}

const cli_command cli_vectors = {
    .name = "vectors",
    .summary = "compute term vectors of a collection",
    .synopsis = "C.dpl|FILE -o V.dpl",
    .about =
        "Compute a vector (a row) for each document: its terms, weighted by BM25 (or "
        "tf-idf, or idf alone) and scaled to length 1, so that the dot product of two"
        " rows is their cosine. Terms that occur once in the collection and documents"
        " with fewer than five terms are dropped. The bytes depend on the input and "
        "the options only, not on threads, memory or processor."
        "\n"
        "\n"
        "C.dpl is a collection; of documents in any format that 'doppel import' reads, one "
        "is made first, with the options of that command."
        "\n"
        "\n"
        "With a lexicon the rows are projected into its other language. Each word f "
        "of the collection is replaced by its translations e: tf and df of e are the "
        "sums over all f of p tf(f) and p df(f), weighted like any others. In the "
        "direction 'target', p is p(f|e), as in the paper; in the direction 'source' "
        "it is p(e|f), which distributes a word over fewer others and usually gives "
        "higher cosines. Words that the lexicon does not have stay unchanged: names "
        "and numbers are the same in most languages."
        "\n"
        "\n"
        "A lexicon made by 'doppel lexicon' has both directions, and 'source' is the "
        "default. A lexicon in text has one line per pair: source, target, and the "
        "probability of the target given the source, separated by tabs, compressed or"
        " not; p is p(e|f) when the collection is in the language of the first "
        "column, p(f|e) when in that of the second. The words of a lexicon need not "
        "be stemmed when the collection is: words of one stem are merged, weighted by"
        " how often they occurred where that is known."
        "\n"
        "\n"
        "Dense rows from elsewhere (.npy, .fvecs) need no such step: commands that "
        "take vectors read them as they are.",
    .options = options,
    .examples = examples,
    .json = json_keys,
    .see_also = "doppel-import(1), doppel-show(1)",
    .argument = "collection",
    .min_args = 1,
    .max_args = 1,
    .complete = CLI_FILES,
    .run = run,
};
