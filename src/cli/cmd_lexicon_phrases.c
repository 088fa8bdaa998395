/*
 * cmd_lexicon_phrases.c - doppel lexicon phrases: parallel text becomes a phrase model.
 */
#include "cli/command.h"
#include "cli/outfile.h"
#include "cli/parallel.h"
#include "cli/progress.h"
#include "cli/shared.h"
#include "cli/summary.h"
#include "cli/talk.h"

#include "doppel/translate.h"

#include <stdio.h>
#include <string.h>

static cli_bitext input = {.read = DPL_INIT(dpl_bitext_options)};
static dpl_phrases_options set = DPL_INIT(dpl_phrases_options, .read = &input.read);
static const char *output, *lexicon_path, *into;
static cli_texts pivots;

static const cli_option options[] = {
    CLI_OUTPUT_OPTION(&output, NULL, "write the phrase model to FILE"),
    {.name = "into",
     .value = "LANG",
     .text = &into,
     .standard = "the right language",
     .help = "set the language to translate into, one of the two"},
    {.name = "lexicon",
     .letter = 'l',
     .value = "L.dpl",
     .text = &lexicon_path,
     .complete = CLI_FILES,
     .standard = "trained on the same text",
     .help = "align words with this lexicon, made by 'doppel lexicon train'"},
    {.name = "pivot",
     .value = "FILE",
     .texts = &pivots,
     .complete = CLI_FILES,
     .help = "train the language model on these documents, too; may be repeated"},
    CLI_BITEXT_OPTIONS(input, "detected from the text; tmx: must be given"),
    CLI_OPTION(phrases, &set, "symmetrize"),
    CLI_OPTION(phrases, &set, "max-phrase"),
    CLI_OPTION(phrases, &set, "max-options"),
    CLI_TEMP_OPTION(&set.spill_dir),
    {0},
};

static const cli_item examples[] = {
    {"doppel lexicon phrases news.de-en.tsv --left-lang de --right-lang en -o "
     "de-en.phrases.dpl",
     "from German into English"},
    {"doppel lexicon phrases out/sentences.tsv --columns 3,4 --left-lang en --right-lang de "
     "--into en --pivot en.jsonl -o de-en.phrases.dpl",
     "from what 'doppel mine' found, with the English documents in the language model"},
    {0},
};

static const cli_item json_keys[] = {
    {"rows", "rows of parallel text"},
    {"from, into", "objects: lang, words"},
    {"pivot_words", "words of --pivot"},
    {"extracted", "phrase pairs, with repetitions"},
    {"phrases, options", "distinct source phrases, and translations kept"},
    {"bigrams, trigrams", "of the language model"},
    {"output_bytes", "size of the file"},
    {"seconds", "time it took"},
    CLI_MACHINE_JSON,
    {0},
};

static void put_side(dpl_json *j, const char *name, const char *lang, uint64_t n)
{
    dpl_json_begin(j, name, '{');
    dpl_json_cstr(j, "lang", lang);
    dpl_json_number(j, "words", n);
    dpl_json_end(j, '}');
}

static void print_json(const dpl_phrases_summary *s, const dpl_ctx *ctx)
{
    const char *langs[] = {input.read.left_lang, input.read.right_lang};
    dpl_json j = cli_summary_begin(false);
    dpl_json_number(&j, "rows", s->n_rows);
    put_side(&j, "from", langs[set.to_left], s->n_words[0]);
    put_side(&j, "into", langs[!set.to_left], s->n_words[1]);
    dpl_json_number(&j, "pivot_words", s->n_pivot_words);
    dpl_json_number(&j, "extracted", s->n_extracted);
    dpl_json_number(&j, "phrases", s->n_phrases);
    dpl_json_number(&j, "options", s->n_options);
    dpl_json_number(&j, "bigrams", s->n_bigrams);
    dpl_json_number(&j, "trigrams", s->n_trigrams);
    dpl_json_number(&j, "output_bytes", s->n_output_bytes);
    dpl_json_real(&j, "seconds", s->seconds);
    cli_json_machine(&j, ctx);
    cli_summary_end(&j);
}

static void note_summary(const dpl_phrases_summary *s, const dpl_ctx *ctx)
{
    char remark[80];
    cli_note_count("rows", s->n_rows, "of parallel text");
    if (s->n_pivot_words)
        cli_note_count("pivot", s->n_pivot_words, "words for the language model");
    snprintf(remark, sizeof remark, "with %llu translations, of %llu pairs",
             (unsigned long long)s->n_options, (unsigned long long)s->n_extracted);
    cli_note_count("phrases", s->n_phrases, remark);
    cli_note_count("trigrams", s->n_trigrams, "of the language model");
    cli_note_output(output, s->n_output_bytes);
    cli_note_time(s->seconds, "", ctx);
}

/* ---- the work ----------------------------------------------------------------------- */

/* Which of the two languages --into is. */
static int choose_direction(void)
{
    if (!into)
        return CLI_DONE;
    dpl_lang lang = dpl_lang_canonical((dpl_str){into, strlen(into)});
    const char *left = input.read.left_lang, *right = input.read.right_lang;
    bool is_left = left && strcmp(lang.code, left) == 0;
    if (!is_left && !(right && strcmp(lang.code, right) == 0)) {
        cli_error("'%s' is not a language of the text: '%s' and '%s'", into, left ? left : "?",
                  right ? right : "?");
        cli_hint("set the languages with --left-lang and --right-lang");
        return CLI_USAGE;
    }
    set.to_left = is_left;
    return CLI_DONE;
}

static int train(dpl_ctx *ctx, char **args, size_t n_args)
{
    dpl_error err = {0};
    dpl_lexicon *lexicon = NULL;
    dpl_input more[CLI_MOST_TEXTS] = {{0}};
    dpl_phrases_summary s = DPL_INIT(dpl_phrases_summary);
    for (size_t i = 0; i < pivots.n; i++)
        more[i].path = pivots.at[i];
    set.pivot = more;
    set.n_pivot = pivots.n;
    cli_bitext_identify(&input, ctx, args, n_args);
    int code = choose_direction();
    if (code == CLI_DONE && lexicon_path &&
        dpl_lexicon_open(&lexicon, ctx, lexicon_path, NULL, &err) != DPL_OK)
        code = cli_fail(&err);
    set.lexicon = lexicon;
    if (code == CLI_DONE && dpl_phrases_train(&s, ctx, output, (const char *const *)args,
                                              n_args, &set, &err) != DPL_OK)
        code = cli_fail_or_stop(&err);
    if (code == CLI_DONE)
        (cli_set.json ? print_json : note_summary)(&s, ctx);
    dpl_lexicon_close(lexicon);
    return code;
}

static int run(char **args, size_t n_args)
{
    int code = cli_check_output(output, "the phrase model goes", false, args, n_args);
    if (code == CLI_DONE)
        code = cli_bitext_ready(&input);
    if (code != CLI_DONE)
        return code;
    dpl_ctx *ctx;
    code = cli_ctx_new(&ctx, true);
    if (code == CLI_DONE)
        code = train(ctx, args, n_args);
    dpl_ctx_free(ctx);
    return code;
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
        "The language model gets better with more text: --pivot adds documents in any format "
        "that 'doppel import' reads, best those that translations will be compared with.",
    .options = options,
    .examples = examples,
    .json = json_keys,
    .see_also = "doppel-translate(1), doppel-lexicon-train(1), doppel-mine(1)",
    .argument = "FILE",
    .min_args = 1,
    .max_args = CLI_MANY,
    .complete = CLI_FILES,
    .run = run,
};
