/*
 * cmd_lexicon_train.c - doppel lexicon train: parallel text becomes a lexicon.
 */
#include "cli/command.h"
#include "cli/figure_lines.h"
#include "cli/lexicon_file.h"
#include "cli/parallel.h"
#include "cli/progress.h"
#include "cli/shared.h"
#include "cli/talk.h"

#include <string.h>

/* What the options set. */
typedef struct settings {
    cli_bitext input;
    dpl_prune kept;
    dpl_train_options set;
    cli_lexicon_output output;
} settings;

static const settings defaults = {.input = {.read = DPL_INIT(dpl_bitext_options)},
                                  .kept = DPL_INIT(dpl_prune),
                                  .set = DPL_INIT(dpl_train_options)};

/* "5,5" */
static bool parse_rounds(const cli_option *o, void *place, const char *value)
{
    dpl_train_options *set = place;
    char *text = cli_keep(value), *comma = text ? strchr(text, ',') : NULL;
    uint64_t model1 = 0, hmm = 0;
    if (comma)
        *comma++ = 0;
    if (!comma || !dpl_parse_number(&model1, text) || !dpl_parse_number(&hmm, comma) ||
        !model1 || model1 > 1000 || hmm > 1000)
        return cli_bad_value(o, value, "two numbers up to 1000, such as 5,5");
    set->model1 = (unsigned)model1;
    set->hmm = (unsigned)hmm;
    set->no_hmm = hmm == 0;
    return true;
}

static const cli_option options[] = {
    CLI_LEXICON_OUTPUT_OPTION(defaults.output),
    CLI_BITEXT_OPTIONS(defaults.input, "detected from the text; tmx: must be given"),
    CLI_OPTION(train, &defaults.set, "pretokenized"),
    CLI_OPTION(train, &defaults.set, "stem"),
    CLI_OPTION(train, &defaults.set, "max-words"),
    CLI_OPTION(train, &defaults.set, "lexicon", .letter = 'l', .is_common = true),
    {.name = "rounds",
     .value = "M,H",
     .parse = parse_rounds,
     .place = &defaults.set,
     .standard = "5,5",
     .help = "iterations of IBM Model 1, which ignores word order, and of the hidden Markov "
             "model, which uses it; 0 of the second: IBM Model 1 only"},
    CLI_PRUNE_OPTIONS(defaults.kept),
    CLI_OPTION(prune, &defaults.kept, "min-count"),
    CLI_OPTION(train, &defaults.set, "no-model"),
    {0},
};

static const cli_item examples[] = {
    {"doppel lexicon train news.de-en.tsv --langs de,en -o de-en.dpl",
     "one row per line: German, tab, English"},
    {"doppel lexicon train news.de news.en talks.de talks.en -o de-en.dpl",
     "pairs of files, one sentence per line"},
    {"doppel lexicon train memory.tmx --langs de,en --stem -o de-en.dpl",
     "a translation memory, words reduced to their stems"},
    {"doppel lexicon train more.tsv --fields 4,3 --lexicon de-en.dpl -o de-en.2.dpl",
     "train further with more text, German in column 4 and English in column 3"},
    {0},
};

/* ---- the summary -------------------------------------------------------------------- */

typedef struct side {
    const char *lang, *lang_from;
    uint64_t n_tokens, n_words;
    double perplexity;
} side;

/* What one run is about. */
typedef struct job {
    settings *o;
    dpl_ctx *ctx;
    char **args;
    size_t n_args;
    dpl_bitext_counts read;
    dpl_lexicon_sizes sizes;
    dpl_train_summary s;
    side left, right;
    const char *output;
    cli_machine machine;
} job;

/* clang-format off */
#define SIDE_FIGURES(label_) { \
    {.name = "lang", .type = DPL_FIGURE_TEXT, CLI_FIELD(side, lang), \
     .help = "language, empty when not known"}, \
    {.name = "lang_from", .type = DPL_FIGURE_TEXT, CLI_FIELD(side, lang_from), \
     .help = "option, text, lexicon with --lexicon, or none"}, \
    {.name = "tokens", .type = DPL_FIGURE_COUNT, CLI_FIELD(side, n_tokens), .help = "words", \
     .label = label_, \
     .remark = "words, {words} different, [lang?in '{lang}'[lang_from=text?, detected from the " \
               "text]|language not known: set it with --langs]"}, \
    {.name = "words", .type = DPL_FIGURE_COUNT, CLI_FIELD(side, n_words), \
     .help = "distinct words"}, \
    {.name = "perplexity", .type = DPL_FIGURE_REAL, CLI_FIELD(side, perplexity), \
     .help = "of a word of this side, given the other side"}}
/* clang-format on */

static const dpl_figure left[] = SIDE_FIGURES("left"), right[] = SIDE_FIGURES("right");
static const dpl_summary_table left_figures = CLI_SUMMARY(side, left),
                               right_figures = CLI_SUMMARY(side, right);

static const dpl_figure figures[] = {
    CLI_OUTPUT_FIGURE(job, output),
    CLI_SOME_FIGURES(job, s, dpl_train_figures, "rows left_out empty long read"),
    CLI_GROUP_FIGURE(job, left, left_figures, "what was on the left"),
    CLI_GROUP_FIGURE(job, right, right_figures, "what was on the right"),
    CLI_SOME_FIGURES(job, s, dpl_train_figures,
                     "links dropped_links blocks right_perplexity sizes output_bytes "
                     "train_seconds seconds"),
    CLI_FIGURES_OF(job, machine, cli_machine_figures),
};
static const dpl_summary_table summary = CLI_SUMMARY(job, figures);

static side side_of(const job *j, int i)
{
    settings *o = j->o;
    return (side){.lang = o->output.lang[i],
                  .lang_from = !o->output.lang[i][0] ? "none"
                               : o->set.lexicon      ? "lexicon"
                               : o->input.is_told[i] ? "text"
                                                     : "option",
                  .n_tokens = j->s.n_tokens[i],
                  .n_words = j->s.n_words[i],
                  .perplexity = j->s.perplexity[!i]};
}

static void say(job *j)
{
    settings *o = j->o;
    j->left = side_of(j, 0);
    j->right = side_of(j, 1);
    j->output = cli_output_name(o->output.path);
    j->machine = cli_machine_of(j->ctx, true);
    cli_say_summary(&summary, j, cli_is_stdout(o->output.path));
}

/* ---- the work ----------------------------------------------------------------------- */

static int train_to(void *user, const char *path)
{
    job *j = user;
    settings *o = j->o;
    dpl_error err = {0};
    if (dpl_lexicon_train(&j->s, j->ctx, path, (const char *const *)j->args, j->n_args, &o->set,
                          &err) == DPL_OK)
        return CLI_DONE;
    int code = cli_fail_or_stop(&err);
    return err.status == DPL_E_NOTHING ? CLI_DAMAGED : code; /* the input is at fault */
}

static int train(job *j)
{
    settings *o = j->o;
    if (!o->set.lexicon)
        cli_bitext_identify(&o->input, j->ctx, j->args, j->n_args);
    return cli_lexicon_make(&o->output, j->ctx, train_to, j);
}

static int check(char **args, size_t n_args, void *user)
{
    (void)args, (void)n_args;
    settings *o = user;
    o->set.read = &o->input.read;
    o->set.prune = &o->kept;
    return cli_bitext_ready(&o->input);
}

static int run(dpl_ctx *ctx, char **args, size_t n_args, void *user)
{
    job j = {.o = user,
             .ctx = ctx,
             .args = args,
             .n_args = n_args,
             .read = DPL_INIT(dpl_bitext_counts),
             .sizes = DPL_INIT(dpl_lexicon_sizes),
             .s = DPL_INIT(dpl_train_summary, .read = &j.read, .sizes = &j.sizes)};
    int code = train(&j);
    if (code == CLI_DONE)
        say(&j);
    return code;
}

const cli_command cli_lexicon_train = {
    .name = "lexicon train",
    .family = "lexicon",
    .summary = "train a lexicon on parallel text",
    .synopsis = "CORPUS.tsv | LEFT RIGHT | X.tmx | X.mo -o L.dpl",
    .about = "Align the words of parallel text and write a lexicon: the translation "
             "probabilities p(target|source) and p(source|target), where the left side is "
             "the source, how often each word occurred, and the alignment model, with "
             "which 'doppel lexicon align' aligns other text and --lexicon trains "
             "further. IBM Model 1 is trained first, then a hidden Markov model, both "
             "directions jointly. The bytes depend on the input and the options only, not "
             "on threads or processor, nor on --memory as long as all pairs of words fit "
             "(the line 'links' says so)."
             "\n"
             "\n" CLI_BITEXT_ABOUT "\n"
             "\n"
             "Words are segmented as by 'doppel import': use the same languages and --stem"
             " in both, so that the words are the same. Rows without words on a side and "
             "very long rows are left out and counted; a row that cannot be read ends the "
             "training with its file and line, unless --on-error is set."
             "\n"
             "\n"
             "For each word the most probable translations are kept, until one of the "
             "bounds --top, --cumulative, --threshold and --min-count is reached; "
             "the kept probabilities are not rescaled.",
    .options = options,
    .examples = examples,
    .figures = &summary,
    .see_also = "doppel-lexicon-align(1), doppel-pairs(1)",
    .argument = "parallel text",
    .min_args = 1,
    .max_args = CLI_MANY,
    .complete = CLI_FILES,
    .output_goes = "the lexicon goes",
    .check = check,
    .work = run,
    CLI_DEFAULTS(defaults),
};
