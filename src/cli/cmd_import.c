/*
 * cmd_import.c - doppel import: files of documents become a collection.
 */
#include "cli/command.h"
#include "cli/figure_lines.h"
#include "cli/notes.h"
#include "cli/outfile.h"
#include "cli/part_option.h"
#include "cli/progress.h"
#include "cli/shared.h"
#include "cli/talk.h"

#include "doppel/tokens.h"

#include <stdlib.h>

/* What the options set. */
typedef struct settings {
    dpl_reader_options read;
    dpl_tokens_options tokens;
    dpl_import_options set;
    const char *output, *part_text;
} settings;

static const settings defaults = {.read = DPL_INIT(dpl_reader_options),
                                  .tokens = DPL_INIT(dpl_tokens_options),
                                  .set = DPL_INIT(dpl_import_options)};

static const cli_option options[] = {
    CLI_OUTPUT_OPTION(&defaults.output, NULL,
                      "write the collection to FILE; - is standard output"),
    CLI_ALL_READER_OPTIONS(defaults.read),
    CLI_OPTION(tokens, &defaults.tokens, "stem", .is_common = true),
    CLI_OPTION(tokens, &defaults.tokens, "stop-words"),
    CLI_OPTION(tokens, &defaults.tokens, "stop-file"),
    CLI_OPTION(tokens, &defaults.tokens, "ngrams"),
    CLI_PART_OPTION(&defaults.part_text, "of the documents"),
    CLI_OPTION(import, &defaults.set, "update"),
    CLI_OPTION(import, &defaults.set, "temp"),
    {0},
};

static const cli_item examples[] = {
    {"doppel import news.jsonl.zst -o news.dpl",
     "one JSON object per line with id, text and optionally lang and title, "
     "compressed"},
    {"doppel import dewiki-latest-pages-articles.xml.bz2 --lang de --stem -o dewiki.dpl",
     "a Wikipedia dump, words reduced to their stems"},
    {"doppel import --fields id,lang,url,text crawl.tsv -o crawl.dpl",
     "tab-separated columns; url is kept with the document"},
    {"zcat parts/*.gz | doppel import --from jsonl --on-error skip - -o all.dpl",
     "from a pipe, dropping records that cannot be read"},
    {"doppel import dewiki-new.xml.bz2 --update dewiki-old.dpl -o dewiki-new.dpl",
     "a later dump: pages that did not change are not tokenized again"},
    {"doppel import news.jsonl.zst --part 3/7 -o news.3.dpl",
     "the third of seven parts of the documents, for 'doppel merge'"},
    {0},
};

/* ---- the summary -------------------------------------------------------------------- */

/* What one run is about. */
typedef struct job {
    const settings *o;
    dpl_ctx *ctx;
    char **args;
    size_t n_args;
    dpl_read_counts counts;
    dpl_collection_sizes sizes;
    dpl_import_summary summary;
    const char *output;
    bool updates;
    cli_machine machine;
    dpl_part part;
    dpl_part_summary made;
} job;

static const dpl_figure figures[] = {
    {.name = "updates", .type = DPL_FIGURE_FLAG, CLI_FIELD(job, updates)},
    CLI_OUTPUT_FIGURE(job, output),
    CLI_FIGURES_OF(job, summary, dpl_import_figures),
    CLI_FIGURES_OF(job, machine, cli_machine_figures),
};
static const dpl_summary_table summary = CLI_SUMMARY(job, figures);

static const cli_item json_keys[] = {CLI_PART_JSON, {0}};

/* ---- the work ----------------------------------------------------------------------- */

static int import_part_to(job *j, const char *path)
{
    const settings *o = j->o;
    dpl_error err = {0};
    dpl_input *inputs = cli_inputs((const char *const *)j->args, j->n_args);
    if (!inputs) {
        cli_error("out of memory");
        return CLI_FAILED;
    }
    dpl_status status =
        dpl_import_part(&j->made, j->ctx, path, inputs, j->n_args, &j->part, &o->set, &err);
    free(inputs);
    return status == DPL_OK ? CLI_DONE : cli_fail_or_stop(&err);
}

static int import_to(void *user, const char *path)
{
    job *j = user;
    const settings *o = j->o;
    dpl_error err = {0};
    if (o->part_text)
        return import_part_to(j, path);
    if (dpl_import(&j->summary, j->ctx, path, (const char *const *)j->args, j->n_args, &o->set,
                   &err) == DPL_OK)
        return CLI_DONE;
    if (err.status == DPL_E_NOTHING) /* what was there instead of documents */
        cli_note_skipped(j->summary.skipped);
    return cli_fail_or_stop(&err);
}

static int run(dpl_ctx *ctx, char **args, size_t n_args, void *user)
{
    settings *o = user;
    o->set.read = &o->read;
    o->set.tokens = &o->tokens;
    job j = {.o = o,
             .ctx = ctx,
             .args = args,
             .n_args = n_args,
             .output = cli_output_name(o->output),
             .updates = o->set.update != NULL,
             .counts = DPL_INIT(dpl_read_counts),
             .sizes = DPL_INIT(dpl_collection_sizes),
             .summary = DPL_INIT(dpl_import_summary, .read = &j.counts, .sizes = &j.sizes),
             .made = DPL_INIT(dpl_part_summary)};
    if (o->part_text && cli_part_parse(&j.part, o->part_text) != CLI_DONE)
        return CLI_USAGE;
    dpl_error err = {0};
    if (dpl_skip_list_new(&j.summary.skipped, ctx, &err) != DPL_OK)
        return cli_fail(&err);
    o->set.needs_docs = true;
    int code = cli_write_container(o->output, j.ctx, o->set.temp, import_to, &j);
    if (code == CLI_DONE && o->part_text)
        cli_part_say(&(cli_part_said){.made = j.made,
                                      .what = "documents",
                                      .number = j.part.number + 1,
                                      .n = j.part.n},
                     o->output, j.ctx);
    else if (code == CLI_DONE) {
        j.machine = cli_machine_of(j.ctx, true);
        cli_say_summary(&summary, &j, cli_is_stdout(o->output));
    }
    dpl_skip_list_free(j.summary.skipped);
    return code;
}

const cli_command cli_import = {
    .name = "import",
    .summary = "read documents and write a collection",
    .synopsis = "FILE... -o C.dpl",
    .about =
        "Read the files in order, segment the text into words and sentences, and "
        "write one collection: the documents, their vocabulary, and the terms of each"
        " document. The bytes of the collection depend on the input and the options "
        "only, not on threads, memory or processor."
        "\n"
        "\n"
        "A FILE is in any format that 'doppel help reading' lists, or a folder of files; - is "
        "standard input."
        "\n"
        "\n"
        "The output is written under a temporary name and renamed when it is "
        "complete: after a failure or an interruption an older file of that name is "
        "unchanged."
        "\n"
        "\n" CLI_PART_ABOUT
        " A part reads all files and keeps every N-th piece of them; of N files, it reads one.",
    .options = options,
    .examples = examples,
    .figures = &summary,
    .json = json_keys,
    .see_also = "doppel-show(1), doppel-merge(1), zstd(1)",
    .argument = "FILE",
    .min_args = 1,
    .max_args = CLI_MANY,
    .complete = CLI_FILES,
    .output_goes = "the collection goes",
    .work = run,
    CLI_DEFAULTS(defaults),
};
