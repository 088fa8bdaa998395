/*
 * cmd_index_build.c - doppel index build: a collection in one file, queried with documents.
 */
#include "cli/index_file.h"
#include "cli/outfile.h"
#include "cli/shared.h"
#include "cli/shared_part.h"
#include "cli/talk.h"

#include <stdlib.h>
#include <string.h>

/* What the options set. */
typedef struct settings {
    dpl_reader_options read;
    dpl_tokens_options tokens;
    dpl_hash_options hash;
    dpl_index_options set;
    const char *output, *page, *part_text;
    cli_texts lexicons;
} settings;

static const settings defaults = {.read = DPL_INIT(dpl_reader_options),
                                  .tokens = DPL_INIT(dpl_tokens_options),
                                  .hash = DPL_INIT(dpl_hash_options),
                                  .set = DPL_INIT(dpl_index_options)};

static const cli_option options[] = {
    CLI_OUTPUT_OPTION(&defaults.output, NULL, "write the index to FILE"),
    CLI_SHARED_PART_OPTION(&defaults.part_text, .only_with = "output !page", ),
    CLI_OPTION(index, &defaults.set, "texts", .is_common = true),
    CLI_OPTION(index, &defaults.set, "plain-texts", .only_with = "!texts"),
    {.name = "page",
     .value = "FILE",
     .text = &defaults.page,
     .is_common = true,
     .complete = CLI_FILES,
     .is_output = true,
     .help = "write a web page to FILE that holds the index and searches it in the browser, "
             "without a server; -o may be left out then"},
    {.name = "lexicon",
     .letter = 'l',
     .value = "FILE",
     .texts = &defaults.lexicons,
     .is_common = true,
     .complete = CLI_FILES,
     .help = "translate documents and queries word by word with this lexicon between the pivot "
             "language and another one"},
    CLI_OPTION(index, &defaults.set, "lexicon-langs", .only_with = "lexicon"),
    CLI_OPTION(index, &defaults.set, "pivot", .only_with = "lexicon"),
    CLI_OPTION(index, &defaults.set, "no-vectors"),
    CLI_OPTION(index, &defaults.set, "no-postings", .only_with = "!no-vectors"),
    CLI_OPTION(hash, &defaults.hash, "method", .of = "function", .value = "METHOD"),
    CLI_OPTION(hash, &defaults.hash, "length", .knob_of = "method",
               .standard = "of rp: log2 of the number of documents, and one more"),
    CLI_OPTION(hash, &defaults.hash, "codes", .knob_of = "method", .standard = "of rp: 4"),
    CLI_OPTION(hash, &defaults.hash, "radix", .knob_of = "method", .knob_with = "fuzzy",
               .only_with = ""),
    CLI_OPTION(hash, &defaults.hash, "width", .knob_of = "method", .knob_with = "pstable",
               .only_with = ""),
    CLI_OPTION(tokens, &defaults.tokens, "stem", .is_raw = true,
               .help = "raw documents: reduce words to stems"),
    CLI_OPTION(tokens, &defaults.tokens, "stop-words", .is_raw = true,
               .help = "raw documents: drop stop words"),
    CLI_OPTION(index, &defaults.set, "sample"),
    CLI_FROM_OPTION(defaults.read),
    CLI_ON_ERROR_OPTION(defaults.read),
    CLI_OPTION(reader, &defaults.read, "lang", .is_common = true, .is_read = true),
    CLI_READER_OPTIONS(defaults.read),
    CLI_TEMP_OPTION(&defaults.set.temp),
    {0},
};

static const cli_item examples[] = {
    {"doppel index build news.jsonl.zst -o news.pocket", "an index with vectors and postings"},
    {"doppel index build en.dpl de.dpl --lexicon de-en.dpl --texts -o news.pocket",
     "two languages; queries in both find documents in both"},
    {"doppel index build news.jsonl --texts --page news.html",
     "a page that can be mailed, and opened from disk"},
    {"doppel index build wiki.dpl --method fuzzy:codes=2 --no-vectors -o wiki.pocket",
     "the smallest one, as in the paper"},
    {0},
};

static bool has_stdin(char **args, size_t n_args)
{
    for (size_t i = 0; i < n_args; i++)
        if (strcmp(args[i], "-") == 0)
            return true;
    return false;
}

/* The index, the page, or both. */
typedef struct call {
    const settings *o;
    dpl_ctx *ctx;
    char **args;
    size_t n_args;
    dpl_index_summary summary;
    dpl_page_summary page;
} call;

static int build_files(const char *path, void *user, dpl_error *err)
{
    call *c = user;
    const settings *o = c->o;
    const dpl_input written = {.path = o->output};
    dpl_input *inputs = cli_inputs((const char *const *)c->args, c->n_args);
    dpl_status status = DPL_OK;
    if (o->output)
        status = dpl_index_build(&c->summary, c->ctx, path, inputs, c->n_args, &o->set, err);
    else
        c->page.index = &c->summary;
    if (status == DPL_OK && o->page) { /* standard input cannot be read twice: the index can */
        const bool is_read = o->output && has_stdin(c->args, c->n_args);
        status = dpl_page_build(&c->page, c->ctx, o->page, NULL, is_read ? &written : inputs,
                                is_read ? 1 : c->n_args, &o->set, err);
    }
    free(inputs);
    return status == DPL_OK ? CLI_DONE : CLI_FAILED;
}

static int run(dpl_ctx *ctx, char **args, size_t n_args, void *user)
{
    settings *o = user;
    o->set.read = &o->read;
    o->set.tokens = &o->tokens;
    o->set.hash = &o->hash;
    o->set.lexicons = o->lexicons.at;
    o->set.n_lexicons = o->lexicons.n;
    o->set.needs_docs = true;
    call c = {o, ctx, args, n_args, DPL_INIT(dpl_index_summary), DPL_INIT(dpl_page_summary)};
    cli_shared shared = {.text = o->part_text,
                         .output = o->output,
                         .inputs = args,
                         .n_inputs = n_args,
                         .call = build_files,
                         .user = &c};
    int code = cli_shared_run(&shared, ctx);
    if (code == CLI_DONE && !shared.is_over)
        cli_page_summary(&c.summary, &c.page, ctx, o->output, o->page);
    cli_shared_close(&shared);
    return code;
}

static int check(char **args, size_t n_args, void *user)
{
    (void)args, (void)n_args;
    const settings *o = user;
    int code = CLI_DONE;
    if (o->output || !o->page)
        code = cli_check_output(o->output, "the index goes", false);
    if (code == CLI_DONE && o->page)
        code = cli_check_output(o->page, "the page goes", true);
    return code;
}

const cli_command cli_index_build = {
    .name = "index build",
    .family = "index",
    .summary = "build a single-file index, queried with whole documents",
    .synopsis = "IN... -o X.pocket [--page X.html]",
    .about =
        "Build an index of the documents of all INs, in one file that is mapped when it is "
        "used: 'doppel query' finds the documents that are similar to a text, and 'doppel "
        "serve' shows them in a browser. Each IN is raw documents in any format that 'doppel "
        "import' reads, a collection, or another index."
        "\n"
        "\n"
        "Each document has a few similarity hash codes; similar documents are likely to share "
        "one. A minimal perfect hash function gives each different code a slot, which has a "
        "checksum of the code and the numbers of its documents. Counts of words (vectors) "
        "verify the similarity of what was found, and postings, which have the documents of "
        "each word, answer short queries, and others exactly where that is cheap. 'doppel "
        "show' tells where the bytes go."
        "\n"
        "\n"
        "The file has the same bytes for any number of threads and any memory limit."
        "\n"
        "\n"
        "A page (--page) is for collections of up to about 50 MB. It has all of the index in "
        "it, "
        "and the query code as WebAssembly, so that it works from disk and without a network; "
        "answers are those of 'doppel query'. With --texts it shows matching passages.",
    .options = options,
    .examples = examples,
    .figures = &cli_index_figures,
    .see_also = "doppel-query(1), doppel-show(1), doppel-index-add(1), doppel-sign(1)",
    .argument = "IN",
    .min_args = 1,
    .max_args = CLI_MANY,
    .complete = CLI_FILES,
    .check = check,
    .work = run,
    CLI_DEFAULTS(defaults),
};
