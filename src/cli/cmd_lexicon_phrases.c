/*
 * cmd_lexicon_phrases.c - doppel lexicon phrases: parallel text becomes a phrase model.
 */
#include "cli/command.h"
#include "cli/notes.h"
#include "cli/outfile.h"
#include "cli/parallel.h"
#include "cli/progress.h"
#include "cli/shared.h"
#include "cli/talk.h"

#include "doppel/translate.h"

#include <stdio.h>
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

static const cli_item json_keys[] = {
    {"rows", "rows of parallel text"},
    {"from, into", "objects: lang, words"},
    {"monolingual_words", "words of --monolingual"},
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

static void print_json(settings *o, const dpl_phrases_summary *s, const dpl_ctx *ctx)
{
    const char *langs[] = {o->input.read.left_lang, o->input.read.right_lang};
    dpl_json j = cli_summary_begin(false);
    dpl_json_number(&j, "rows", s->n_rows);
    put_side(&j, "from", langs[o->set.to_left], s->n_words[0]);
    put_side(&j, "into", langs[!o->set.to_left], s->n_words[1]);
    dpl_json_number(&j, "monolingual_words", s->n_pivot_words);
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

static void note_summary(settings *o, const dpl_phrases_summary *s, const dpl_ctx *ctx)
{
    char remark[120], kept[32], all[32];
    cli_note_count("rows", s->n_rows, "of parallel text");
    if (s->n_pivot_words)
        cli_note_count("monolingual", s->n_pivot_words, "words for the language model");
    snprintf(remark, sizeof remark, "with %s translations, from %s phrase pairs in the text",
             cli_grouped(kept, s->n_options), cli_grouped(all, s->n_extracted));
    cli_note_count("phrases", s->n_phrases, remark);
    cli_note_count("trigrams", s->n_trigrams, "of the language model");
    cli_note_output(o->output, s->n_output_bytes);
    cli_note_time(s->seconds, "", ctx);
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
    dpl_phrases_summary s = DPL_INIT(dpl_phrases_summary);
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
    if (code == CLI_DONE && dpl_phrases_train(&s, ctx, o->output, (const char *const *)args,
                                              n_args, &o->set, &err) != DPL_OK)
        code = cli_fail_or_stop(&err);
    if (code == CLI_DONE)
        (cli_set.json ? print_json : note_summary)(o, &s, ctx);
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
    .json = json_keys,
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
