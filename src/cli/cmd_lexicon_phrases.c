/*
 * cmd_lexicon_phrases.c - doppel lexicon phrases: parallel text becomes a phrase model.
 */
#include "cli/command.h"
#include "cli/figure_lines.h"
#include "cli/outfile.h"
#include "cli/parallel.h"
#include "cli/progress.h"
#include "cli/shared.h"
#include "cli/talk.h"

#include "doppel/translate.h"

#include <string.h>

/* What the options set. */
typedef struct settings {
    cli_bitext input;
    dpl_phrases_options set;
    const char *output, *lexicon_path, *into;
    cli_texts pivots;
} settings;

static const settings defaults = {.input = {.read = DPL_INIT(dpl_bitext_options)},
                                  .set = DPL_INIT(dpl_phrases_options)};

static const cli_option options[] = {
    CLI_OUTPUT_OPTION(&defaults.output, NULL, "write the phrase model to FILE"),
    {.name = "into",
     .value = "LANG",
     .text = &defaults.into,
     .standard = "the right language",
     .help = "set the language to translate into, one of the two"},
    {.name = "lexicon",
     .letter = 'l',
     .value = "L.dpl",
     .text = &defaults.lexicon_path,
     .complete = CLI_FILES,
     .standard = "trained on the same text",
     .help = "align words with this lexicon, made by 'doppel lexicon train'"},
    {.name = "monolingual",
     .value = "FILE",
     .texts = &defaults.pivots,
     .complete = CLI_FILES,
     .help = "train the language model on these documents, too"},
    CLI_BITEXT_OPTIONS(defaults.input, "detected from the text; tmx: must be given"),
    CLI_OPTION(phrases, &defaults.set, "symmetrize"),
    CLI_OPTION(phrases, &defaults.set, "max-phrase"),
    CLI_OPTION(phrases, &defaults.set, "top", .letter = 'n'),
    CLI_TEMP_OPTION(&defaults.set.temp),
    {0},
};

static const cli_item examples[] = {
    {"doppel lexicon phrases news.de-en.tsv --langs de,en -o "
     "de-en.phrases.dpl",
     "from German into English"},
    {"doppel lexicon phrases out/sentences.tsv --fields 3,4 --langs en,de "
     "--into en --monolingual en.jsonl -o de-en.phrases.dpl",
     "from what 'doppel mine' found, with the English documents in the language model"},
    {0},
};

/* What the summary is about. */
typedef struct side {
    const char *lang;
    uint64_t n_words;
} side;

typedef struct said {
    dpl_phrases_summary s;
    side from, into;
    const char *output;
    cli_machine machine;
} said;

static const dpl_figure of_side[] = {
    CLI_TEXT_FIGURE(side, "lang", lang, .help = "language"),
    CLI_COUNT_FIGURE(side, "words", n_words, .help = "words of the parallel text"),
};
static const dpl_summary_table side_figures = CLI_SUMMARY(side, of_side);

static const dpl_figure figures[] = {
    CLI_COUNT_FIGURE(said, "rows", s.n_rows, .help = "rows of parallel text", .label = "rows",
                     .remark = "of parallel text"),
    CLI_GROUP_FIGURE(said, from, side_figures, "object: the source side"),
    CLI_GROUP_FIGURE(said, into, side_figures, "object: the target side"),
    CLI_COUNT_FIGURE(said, "monolingual_words", s.n_pivot_words,
                     .help = "words of --monolingual", .label = "monolingual",
                     .remark = "words for the language model",
                     .shown_with = "monolingual_words"),
    CLI_COUNT_FIGURE(said, "extracted", s.n_extracted,
                     .help = "phrase pairs, with repetitions"),
    CLI_COUNT_FIGURE(said, "phrases", s.n_phrases, .help = "distinct source phrases",
                     .label = "phrases",
                     .remark = "with {options} translations, from {extracted} phrase pairs in "
                               "the text"),
    CLI_COUNT_FIGURE(said, "options", s.n_options, .help = "their translations kept"),
    CLI_COUNT_FIGURE(said, "bigrams", s.n_bigrams, .help = "of the language model"),
    CLI_COUNT_FIGURE(said, "trigrams", s.n_trigrams, .help = "of the language model",
                     .label = "trigrams", .remark = "of the language model"),
    CLI_OUTPUT_FIGURE(said, output),
    {.name = "output_bytes",
     .type = DPL_FIGURE_BYTES,
     CLI_FIELD(said, s.n_output_bytes),
     .help = "size of the file",
     .label = "output",
     .remark = "'{output}'"},
    CLI_SECONDS_FIGURE(said, s.seconds),
    CLI_FIGURES_OF(said, machine, cli_machine_figures),
};
static const dpl_summary_table summary = CLI_SUMMARY(said, figures);

static void say(said *r, const settings *o, const dpl_ctx *ctx)
{
    const char *langs[] = {o->input.read.left_lang, o->input.read.right_lang};
    r->from = (side){langs[o->set.to_left], r->s.n_words[0]};
    r->into = (side){langs[!o->set.to_left], r->s.n_words[1]};
    r->output = cli_output_name(o->output);
    r->machine = cli_machine_of(ctx, false);
    cli_say_summary(&summary, r, false);
}

/* ---- the work ----------------------------------------------------------------------- */

/* Which of the two languages --into is. */
static int choose_direction(settings *o)
{
    if (!o->into)
        return CLI_DONE;
    dpl_lang lang = dpl_lang_canonical((dpl_str){o->into, strlen(o->into)});
    const char *left = o->input.read.left_lang, *right = o->input.read.right_lang;
    bool is_left = left && strcmp(lang.code, left) == 0;
    if (!is_left && !(right && strcmp(lang.code, right) == 0)) {
        cli_error("'%s' is not a language of the text: '%s' and '%s'", o->into,
                  left ? left : "?", right ? right : "?");
        cli_hint("set the languages with --langs");
        return CLI_USAGE;
    }
    o->set.to_left = is_left;
    return CLI_DONE;
}

static int run(dpl_ctx *ctx, char **args, size_t n_args, void *user)
{
    settings *o = user;
    dpl_error err = {0};
    dpl_lexicon *lexicon = NULL;
    dpl_input more[CLI_MOST_TEXTS] = {{0}};
    said r = {.s = DPL_INIT(dpl_phrases_summary)};
    for (size_t i = 0; i < o->pivots.n; i++)
        more[i].path = o->pivots.at[i];
    o->set.pivot = more;
    o->set.n_pivot = o->pivots.n;
    cli_bitext_identify(&o->input, ctx, args, n_args);
    int code = choose_direction(o);
    if (code == CLI_DONE && o->lexicon_path &&
        dpl_lexicon_open(&lexicon, ctx, o->lexicon_path, NULL, &err) != DPL_OK)
        code = cli_fail(&err);
    o->set.lexicon = lexicon;
    if (code == CLI_DONE && dpl_phrases_train(&r.s, ctx, o->output, (const char *const *)args,
                                              n_args, &o->set, &err) != DPL_OK)
        code = cli_fail_or_stop(&err);
    if (code == CLI_DONE)
        say(&r, o, ctx);
    dpl_lexicon_close(lexicon);
    return code;
}

static int check(char **args, size_t n_args, void *user)
{
    (void)args, (void)n_args;
    settings *o = user;
    o->set.read = &o->input.read;
    return cli_bitext_ready(&o->input);
}

const cli_command cli_lexicon_phrases = {
    .name = "lexicon phrases",
    .family = "lexicon",
    .summary = "make a phrase model for translation from parallel text",
    .synopsis = "CORPUS.tsv | LEFT RIGHT | X.tmx | X.mo -o M.dpl",
    .about =
        "Align the words of parallel text, extract phrase pairs (sequences of up to four words "
        "that are translations of each other), score them, and train a trigram language model "
        "of the language that is translated into. 'doppel translate' uses the result."
        "\n"
        "\n" CLI_BITEXT_ABOUT "\n"
        "\n"
        "The language model gets better with more text: --monolingual adds documents in any "
        "format "
        "that 'doppel import' reads, best those that translations will be compared with.",
    .options = options,
    .examples = examples,
    .figures = &summary,
    .see_also = "doppel-translate(1), doppel-lexicon-train(1), doppel-mine(1)",
    .argument = "FILE",
    .min_args = 1,
    .max_args = CLI_MANY,
    .complete = CLI_FILES,
    .output_goes = "the phrase model goes",
    .check = check,
    .work = run,
    CLI_DEFAULTS(defaults),
};
