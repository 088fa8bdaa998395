/*
 * cmd_lexicon_export.c - doppel lexicon export: a lexicon's table as text.
 */
#include "cli/command.h"
#include "cli/figure_lines.h"
#include "cli/lexicon_file.h"
#include "cli/shared.h"
#include "cli/talk.h"

/* What the options set. */
typedef struct settings {
    const char *output;
    unsigned direction; /* 1: p(source|target) */
    double min_prob;
} settings;

static const settings defaults = {.output = "-"};

static const char *const directions[] = {"target", "source", NULL};

static const cli_option options[] = {
    CLI_OUTPUT_OPTION(&defaults.output, "-", "write the table to FILE; - is standard output"),
    {.name = "direction",
     .value = "WHICH",
     .choice = &defaults.direction,
     .choices = directions,
     .help =
         "set what is written (target: source, target and p(target|source); source: target, "
         "source and p(source|target))"},
    {.name = "threshold",
     .letter = 't',
     .value = "T",
     .real = &defaults.min_prob,
     .least = 0,
     .most = 1,
     .standard = "0",
     .help = "leave out translations that are less probable"},
    {0},
};

static const cli_item examples[] = {
    {"doppel lexicon export de-en.dpl -o de-en.tsv", "German, English, p(English|German)"},
    {"doppel lexicon export de-en.dpl --direction source --threshold 0.1 | zstd >en-de.tsv.zst",
     "English, German, p(German|English), without improbable translations, "
     "compressed"},
    {0},
};

/* What the summary is about. */
typedef struct said {
    uint32_t n_words;
    uint64_t n_entries;
    const char *left, *right, *probability, *output;
} said;

static const dpl_figure figures[] = {
    CLI_COUNT_FIGURE(said, "words", n_words,
                     .help = "words with a translation in this direction", .label = "words"),
    CLI_COUNT_FIGURE(said, "entries", n_entries, .help = "lines written", .label = "entries",
                     .remark = "of {probability}"),
    CLI_TEXT_FIGURE(said, "left_lang", left,
                    .help = "language of the first column; empty when not known"),
    CLI_TEXT_FIGURE(said, "right_lang", right, .help = "the same of the second column"),
    CLI_TEXT_FIGURE(said, "probability", probability, .help = NULL),
    CLI_OUTPUT_LINE(said, output),
};
static const dpl_summary_table summary = CLI_SUMMARY(said, figures);

/* ---- the work ----------------------------------------------------------------------- */

static int export(const settings *o, dpl_ctx *ctx, const dpl_lexicon *lexicon, const char *path)
{
    cli_output out;
    const bool is_back = o->direction == 1;
    said r = {.n_words = cli_lexicon_n_words(lexicon, is_back),
              .left = cli_lexicon_lang(lexicon, is_back),
              .right = cli_lexicon_lang(lexicon, !is_back),
              .probability = is_back ? "p(source|target)" : "p(target|source)",
              .output = cli_output_name(o->output)};
    if (is_back && dpl_lexicon_get_sizes(lexicon)->n_back == 0) {
        cli_error("'%s' has no p(source|target)", path);
        cli_hint("'doppel lexicon import' makes a lexicon with both directions from text");
        return CLI_USAGE;
    }
    int code = cli_output_open(&out, ctx, o->output);
    if (code != CLI_DONE)
        return code;
    code = cli_lexicon_write(&r.n_entries, &out, lexicon, is_back, (float)o->min_prob);
    code = cli_output_close(&out, code);
    if (code == CLI_DONE)
        cli_say_summary(&summary, &r, cli_is_stdout(o->output));
    return code;
}

static int run(dpl_ctx *ctx, char **args, size_t n_args, void *user)
{
    (void)n_args;
    dpl_lexicon *lexicon = NULL;
    dpl_error err = {0};
    if (dpl_lexicon_open(&lexicon, ctx, args[0], NULL, &err) != DPL_OK)
        return cli_fail(&err);
    int code = export(user, ctx, lexicon, args[0]);
    dpl_lexicon_close(lexicon);
    return code;
}

const cli_command cli_lexicon_export = {
    .name = "lexicon export",
    .family = "lexicon",
    .summary = "write a lexicon as text",
    .synopsis = "L.dpl -o T.tsv",
    .about = "Write one line per translation: source, target and p(target|source), "
             "separated by tabs; sources in byte order, the most probable target first. "
             "Every command that takes a lexicon reads it again, with the same "
             "probabilities. The text does not contain counts, the other direction, the "
             "alignment model, the languages, or whether words are stems.",
    .options = options,
    .examples = examples,
    .figures = &summary,
    .see_also = "doppel-lexicon-train(1), doppel-lexicon-import(1)",
    .argument = "lexicon",
    .min_args = 1,
    .max_args = 1,
    .complete = CLI_FILES,
    .output_goes = "the table goes",
    .is_text = true,
    .ends_at_once = true,
    .work = run,
    CLI_DEFAULTS(defaults),
};
