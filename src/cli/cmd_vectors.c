/*
 * cmd_vectors.c - doppel vectors: term vectors of a collection.
 */
#include "cli/command.h"
#include "cli/figure_lines.h"
#include "cli/outfile.h"
#include "cli/shared.h"
#include "cli/side.h"
#include "cli/talk.h"

#include "doppel/vectors.h"

/* What the options set. */
typedef struct settings {
    dpl_vectors_options set;
    cli_side_request request; /* of documents */
    const char *output, *lexicon_path, *lexicon_langs;
} settings;

static const settings defaults = {.set = DPL_INIT(dpl_vectors_options),
                                  .request = CLI_SIDE_REQUEST_INIT};

static const cli_option options[] = {
    CLI_OUTPUT_OPTION(&defaults.output, NULL,
                      "write the vectors to FILE; - is standard output"),
    CLI_LEXICON_OPTION(&defaults.lexicon_path,
                       "project into another language with this lexicon"),
    CLI_LEXICON_LANGS_OPTION(&defaults.lexicon_langs, "detected from the words", "lexicon"),
    CLI_OPTION(vectors, &defaults.set, "into", .only_with = "lexicon",
               .help = "set the language to project into, when --lexicon-langs does not"),
    CLI_OPTION(
        reader, &defaults.request.read, "on-error", .is_read = true, .or_with = "lexicon",
        .help = "what to do with a document or a line of the lexicon that cannot be read "
                "(replace turns invalid UTF-8 of documents into U+FFFD)"),
    CLI_VECTORS_OPTIONS(defaults.set, "", ""),
    CLI_OPTION(vectors, &defaults.set, "min-count", .standard = "2; with --ngrams: 1"),
    CLI_OPTION(vectors, &defaults.set, "min-terms"),
    CLI_OPTION(vectors, &defaults.set, "temp"),
    CLI_OPTION(tokens, &defaults.request.tokens, "stem", .is_raw = true,
               .help = "documents: reduce words to stems"),
    CLI_FROM_OPTION(defaults.request.read),
    {.name = "lang",
     .value = "LANG",
     .text = &defaults.request.lang[0],
     .standard = "that of the record, or detected from the text",
     .is_read = true,
     .help = "documents: set their language, as a code such as de"},
    CLI_OPTION(reader, &defaults.request.read, "only-lang", .is_read = true),
    CLI_READER_OPTIONS(defaults.request.read),
    {0},
};

static const cli_item examples[] = {
    {"doppel vectors en.dpl -o en.vectors.dpl", "vectors of the words of the documents"},
    {"doppel vectors news.jsonl --fields text=body -o news.vectors.dpl",
     "the same of documents, without a collection of them"},
    {"doppel vectors de.dpl --lexicon de-en.tsv.zst --lexicon-langs de,en -o de.vectors.dpl",
     "German documents projected into English, comparable with the former"},
    {"doppel vectors de.dpl --ngrams 4 -o de.vectors.dpl",
     "character n-grams: names, numbers and cognates of different languages"},
    {"doppel vectors news.dpl --weighting tf-idf --min-count 1 -o news.vectors.dpl",
     "another weighting, all words"},
    {0},
};

/* ---- the summary -------------------------------------------------------------------- */

/* What the summary is about. */
typedef struct result {
    settings *o;
    dpl_vectors_summary s;
    dpl_lexicon_sizes lexicon; /* zero when there is none */
    unsigned min_terms;
    const char *direction_from, *output;
    cli_machine machine;
    dpl_ctx *ctx;
    const char *input;
} result;

static const dpl_figure of_lexicon[] = {
    {.name = "lexicon_entries",
     .type = DPL_FIGURE_COUNT,
     CLI_FIELD(dpl_lexicon_sizes, n_entries),
     .only_with = "direction",
     .help = "pairs of words in the lexicon"},
    {.name = "lexicon_skipped",
     .type = DPL_FIGURE_COUNT,
     CLI_FIELD(dpl_lexicon_sizes, n_skipped),
     .only_with = "direction",
     .help = "lines of the lexicon that could not be read (--on-error=skip)",
     .label = "skipped",
     .remark = "lines of the lexicon",
     .shown_with = "lexicon_skipped"},
};
static const dpl_summary_table lexicon_figures = CLI_SUMMARY(dpl_lexicon_sizes, of_lexicon);

static const dpl_figure figures[] = {
    {.name = "min_terms", .type = DPL_FIGURE_COUNT, CLI_FIELD(result, min_terms)},
    CLI_OUTPUT_FIGURE(result, output),
    CLI_SOME_FIGURES(result, s, dpl_vectors_figures,
                     "documents rows dropped terms entries lang doc_lang"),
    CLI_FIGURES_OF(result, lexicon, lexicon_figures),
    CLI_SOME_FIGURES(result, s, dpl_vectors_figures,
                     "source_terms known_terms source_tokens known_tokens direction"),
    {.name = "direction_from",
     .type = DPL_FIGURE_TEXT,
     CLI_FIELD(result, direction_from),
     .only_with = "direction",
     .help = "option, languages or words: how direction or column was decided"},
    CLI_SOME_FIGURES(result, s, dpl_vectors_figures,
                     "lexicon_column output_bytes spilled_bytes seconds"),
    CLI_FIGURES_OF(result, machine, cli_machine_figures),
};
static const dpl_summary_table summary = CLI_SUMMARY(result, figures);

/* ---- the work ----------------------------------------------------------------------- */

static int make(void *user, const char *path)
{
    result *r = user;
    settings *o = r->o;
    dpl_lexicon *lexicon = NULL;
    dpl_collection *collection = NULL;
    dpl_error err = {0};
    int code = CLI_DONE;
    if (o->lexicon_path)
        code = cli_lexicon_open(&lexicon, r->ctx, o->lexicon_path, o->lexicon_langs,
                                o->request.read.on_error == DPL_ON_ERROR_SKIP);
    if (code == CLI_DONE)
        code = cli_collection_open(&collection, r->ctx, r->input, 0, &o->request);
    if (code == CLI_DONE &&
        dpl_vectors_make(&r->s, r->ctx, path, collection, lexicon, &o->set, &err) != DPL_OK)
        code = cli_fail(&err);
    if (code == CLI_DONE && lexicon)
        r->lexicon = *dpl_lexicon_get_sizes(lexicon);
    dpl_collection_close(collection);
    dpl_lexicon_close(lexicon);
    return code;
}

static void say(result *r)
{
    settings *o = r->o;
    r->min_terms = o->set.min_terms ? o->set.min_terms : 5;
    r->direction_from = o->set.direction ? "option" : r->s.is_counted ? "words" : "languages";
    r->output = cli_output_name(o->output);
    r->machine = cli_machine_of(r->ctx, true);
    cli_say_summary(&summary, r, cli_is_stdout(o->output));
}

static int run(dpl_ctx *ctx, char **args, size_t n_args, void *user)
{
    settings *o = user;
    (void)n_args;
    result r = {.o = o, .ctx = ctx, .s = DPL_INIT(dpl_vectors_summary), .input = args[0]};
    o->request.folder.base = o->set.temp;
    int code = cli_write_container(o->output, ctx, o->set.temp, make, &r);
    cli_folder_remove(&o->request.folder);
    if (code == CLI_DONE)
        say(&r);
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
    .figures = &summary,
    .see_also = "doppel-import(1), doppel-show(1)",
    .argument = "collection",
    .min_args = 1,
    .max_args = 1,
    .complete = CLI_FILES,
    .output_goes = "the vectors go",
    .work = run,
    CLI_DEFAULTS(defaults),
};
