/*
 * cmd_lexicon_import.c - doppel lexicon import: dictionaries and lexicons become one lexicon.
 */
#define _POSIX_C_SOURCE 200809L
#include "cli/command.h"
#include "cli/figure_lines.h"
#include "cli/lexicon_file.h"
#include "cli/progress.h"
#include "cli/shared.h"
#include "cli/talk.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* What the options set. */
typedef struct settings {
    dpl_prune kept;
    dpl_lexicon_import_options set;
    cli_lexicon_output output;
} settings;

static const settings defaults = {
    .kept = DPL_INIT(dpl_prune),
    .set = DPL_INIT(dpl_lexicon_import_options, .on_error = DPL_ON_ERROR_SKIP)};

static const char *format_name(unsigned i)
{
    const dpl_dictionary_format_info *info =
        dpl_dictionary_format_get_info((dpl_dictionary_format)i);
    return info ? info->name : NULL;
}

static const char *format_text(unsigned i)
{
    const dpl_dictionary_format_info *info =
        dpl_dictionary_format_get_info((dpl_dictionary_format)i);
    return info ? info->description : NULL;
}

static const cli_option options[] = {
    CLI_LEXICON_OUTPUT_OPTION(defaults.output),
    CLI_OPTION(lexicon_import, &defaults.set, "from", .is_common = true),
    CLI_LANGS_OPTION(&defaults.set.source_lang, "as a .dpl or the name of a dictionary says",
                     "languages of the source and the target words, as codes such as de,en; a "
                     "dictionary of the other direction is reversed"),
    CLI_OPTION(lexicon_import, &defaults.set, "stem"),
    CLI_OPTION(lexicon_import, &defaults.set, "on-error", .standard = "skip"),
    CLI_PRUNE_OPTIONS(defaults.kept),
    {0},
};

static const cli_item examples[] = {
    {"doppel lexicon import /usr/share/dictd/freedict-deu-eng.index -o de-en.dpl",
     "a FreeDict dictionary, as in Debian's dict-freedict-deu-eng"},
    {"doppel lexicon import words.tsv --langs de,en -o de-en.dpl",
     "word, tab, translation, optionally tab and probability"},
    {"doppel lexicon import wn-data-fra.tab wn-data-eng.tab --langs fr,en -o fr-en.dpl",
     "wordnets of two languages"},
    {"doppel lexicon import trained.dpl:0.7 dictionary.dpl:0.3 -o de-en.dpl",
     "two lexicons mixed; words that only one of them has come from it alone"},
    {"doppel lexicon import big.dpl --top 5 --threshold 0.01 -o small.dpl",
     "a lexicon made earlier, pruned further"},
    {0},
};

/* What one run is about. */
typedef struct job {
    settings *o;
    dpl_ctx *ctx;
    dpl_dictionary *dictionaries;
    size_t n;
    char *names; /* the paths that had a weight behind them */
    dpl_lexicon_sizes sizes;
    dpl_lexicon_import_summary s;
    const char *left_lang, *right_lang, *output;
    cli_machine machine;
} job;

/* ---- the summary -------------------------------------------------------------------- */

static const dpl_figure figures[] = {
    {.name = "dictionaries",
     .type = DPL_FIGURE_COUNT,
     CLI_FIELD(job, n),
     .help = "dictionaries that were read"},
    CLI_SOME_FIGURES(job, s, dpl_lexicon_import_figures, "read used phrases skipped"),
    {.name = "left_lang",
     .type = DPL_FIGURE_TEXT,
     CLI_FIELD(job, left_lang),
     .help = "language of the sources; empty when not known"},
    {.name = "right_lang",
     .type = DPL_FIGURE_TEXT,
     CLI_FIELD(job, right_lang),
     .help = "language of the targets; empty when not known"},
    CLI_OUTPUT_FIGURE(job, output),
    {.name = "source_line",
     .type = DPL_FIGURE_WORDS,
     .label = "sources",
     .value = "{sources}",
     .remark = "words, [left_lang?in '{left_lang}'|language not known]"},
    {.name = "target_line",
     .type = DPL_FIGURE_WORDS,
     .label = "targets",
     .value = "{targets}",
     .remark = "words, [right_lang?in '{right_lang}'|language not known]"},
    CLI_SOME_FIGURES(job, s, dpl_lexicon_import_figures, "sizes output_bytes seconds"),
    CLI_FIGURES_OF(job, machine, cli_machine_figures),
};
static const dpl_summary_table summary = CLI_SUMMARY(job, figures);

static void say(job *j)
{
    settings *o = j->o;
    j->left_lang = o->output.lang[0];
    j->right_lang = o->output.lang[1];
    j->output = cli_output_name(o->output.path);
    j->machine = cli_machine_of(j->ctx, true);
    cli_say_summary(&summary, j, cli_is_stdout(o->output.path));
    if (j->sizes.n_entries == 0 && !cli_set.json)
        cli_note("no entry could be used: set the format of the dictionaries with --from");
}

/* ---- dictionaries and their weights ------------------------------------------------- */

/* "de-en.dpl:0.7", unless a file of that whole name is there. names has room for the path. */
static int read_source(dpl_dictionary *out, char *names, const char *word)
{
    const char *colon = strrchr(word, ':');
    double weight;
    *out = (dpl_dictionary){.path = word};
    if (!colon || colon == word || !dpl_parse_real(&weight, colon + 1) ||
        access(word, F_OK) == 0)
        return CLI_DONE;
    if (weight <= 0) {
        cli_error("bad weight in '%s': expected a number above 0", word);
        return CLI_USAGE;
    }
    size_t n = (size_t)(colon - word);
    memcpy(names, word, n);
    names[n] = 0;
    *out = (dpl_dictionary){.path = names, .weight = weight};
    return CLI_DONE;
}

static int read_sources(job *j, char **args, size_t n_args)
{
    size_t n_bytes = 1;
    j->n = n_args;
    for (size_t i = 0; i < j->n; i++)
        n_bytes += strlen(args[i]) + 1;
    j->dictionaries = calloc(j->n, sizeof *j->dictionaries);
    j->names = malloc(n_bytes);
    if (!j->dictionaries || !j->names)
        return cli_no_memory();
    char *at = j->names;
    int code = CLI_DONE;
    for (size_t i = 0; i < j->n && code == CLI_DONE; i++) {
        code = read_source(&j->dictionaries[i], at, args[i]);
        at += strlen(args[i]) + 1;
    }
    return code;
}

/* ---- the work ----------------------------------------------------------------------- */

static int import_to(void *user, const char *path)
{
    job *j = user;
    settings *o = j->o;
    dpl_error err = {0};
    if (dpl_lexicon_import(&j->s, j->ctx, path, j->dictionaries, j->n, &o->set, &err) != DPL_OK)
        return cli_fail_or_stop(&err);
    return CLI_DONE;
}

static int import(job *j)
{
    settings *o = j->o;
    int code = CLI_DONE;
    for (size_t i = 0; i < j->n && code == CLI_DONE; i++) {
        char *path = (char *)(uintptr_t)j->dictionaries[i].path;
        code = cli_check_same(o->output.path, &path, 1);
    }
    return code == CLI_DONE ? cli_lexicon_make(&o->output, j->ctx, import_to, j) : code;
}

static int run(dpl_ctx *ctx, char **args, size_t n_args, void *user)
{
    settings *o = user;
    o->set.prune = &o->kept;
    job j = {.o = o,
             .ctx = ctx,
             .sizes = DPL_INIT(dpl_lexicon_sizes),
             .s = DPL_INIT(dpl_lexicon_import_summary, .sizes = &j.sizes)};
    int code = read_sources(&j, args, n_args);
    if (code == CLI_DONE)
        code = import(&j);
    if (code == CLI_DONE)
        say(&j);
    free(j.names);
    free(j.dictionaries);
    return code;
}

const cli_command cli_lexicon_import = {
    .name = "lexicon import",
    .family = "lexicon",
    .summary = "make a lexicon from dictionaries and other lexicons",
    .synopsis = "DICT[:WEIGHT]... -o L.dpl",
    .about = "Convert dictionaries into one lexicon. The format of each DICT is detected from "
             "its name and first bytes; set it with --from. Lines and articles that cannot be "
             "read are skipped and counted; the first are named."
             "\n"
             "\n"
             "Words are folded, and with --stem stemmed, as 'doppel import' does it with "
             "documents. Where a dictionary has no probabilities, the translations of a "
             "word share the probability, the first ones more; the words of a translation "
             "of several words share its part."
             "\n"
             "\n"
             "Several dictionaries are mixed: the translations of a word that only one of "
             "them has come from it, those of a word that several have are their mean by "
             "WEIGHT (default: equal weights). What follows the last colon of an argument "
             "is a weight if it is a number and there is no file of the whole name."
             "\n"
             "\n"
             "For each word the most probable translations are kept, until one of the "
             "bounds --top, --cumulative and --threshold is reached; the kept "
             "probabilities are not rescaled.",
    .values = {"Formats of dictionaries (--from)", format_name, format_text},
    .options = options,
    .examples = examples,
    .figures = &summary,
    .see_also = "doppel-lexicon-train(1), dictd(8)",
    .argument = "dictionary",
    .min_args = 1,
    .max_args = CLI_MANY,
    .complete = CLI_FILES,
    .output_goes = "the lexicon goes",
    .work = run,
    CLI_DEFAULTS(defaults),
};
