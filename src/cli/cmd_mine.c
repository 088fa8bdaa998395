/*
 * cmd_mine.c - doppel mine: parallel documents and sentences of two or more languages, without
 * training data.
 */
#include "cli/command.h"
#include "cli/figure_lines.h"
#include "cli/notes.h"
#include "cli/outfile.h"
#include "cli/shared.h"
#include "cli/shared_part.h"
#include "cli/talk.h"

#include "doppel/mine.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* What the options set. */
typedef struct settings {
    dpl_reader_options read;
    dpl_sentences_options sentences;
    dpl_pairs_options search;
    dpl_mine_options set;
    const char *output, *part_text;
    cli_texts links, dictionaries;
    unsigned select;
    bool has_told; /* rounds, when they ended */
    const dpl_ctx *ctx;
} settings;

static const settings defaults = {.read = DPL_INIT(dpl_reader_options),
                                  .sentences = DPL_INIT(dpl_sentences_options),
                                  .search = DPL_INIT(dpl_pairs_options),
                                  .set = DPL_INIT(dpl_mine_options)};

enum { KEPT, UNIQUE };
static const char *const selections[] = {"kept", "unique", NULL};

#define NOT_SENTENCE "!unit=sentence"

static const cli_option options[] = {
    CLI_FOLDER_OPTION(&defaults.output,
                      "write the results to this folder, which is made if it does not exist",
                      .is_common = true, ),
    CLI_OPTION(mine, &defaults.set, "resume", .is_common = true),
    CLI_SHARED_PART_OPTION(&defaults.part_text, .only_with = "!resume", ),
    CLI_MINE_OPTIONS(defaults.set, defaults.dictionaries),
    CLI_RAW_LANGS_OPTION(
        &defaults.set.langs, "detected from the text",
        "two inputs: their languages, such as de,en; else: use only these two"),
    CLI_OPTION(mine, &defaults.set, "unit", .is_common = true),
    CLI_OPTION(mine, &defaults.set, "confidence", .is_common = true),
    CLI_OPTION(mine, &defaults.set, "fdr", .is_common = true),
    CLI_OPTION(
        pairs, &defaults.search, "method",
        .help = "set the search method of rounds with a lexicon: exact compares all "
                "documents by their vectors, brute and window by signatures, hash those that "
                "share a code; ngram compares "
                "documents that share rare words in translation, in linear time; auto: "
                "exact, and ngram for the last search if that takes a quarter of the time"),
    {.name = "links",
     .value = "FILE",
     .texts = &defaults.links,
     .complete = CLI_FILES,
     .help = "use known links between the documents: tables langlinks, page, redirect of a "
             "MediaWiki dump or wb_items_per_site of Wikidata (.sql, compressed or not), lines "
             "of left and right id or title, or 'text' for the links in the pages; writes "
             "missing-links.tsv, suspicious-links.tsv and links.html"},
    CLI_OPTION(mine, &defaults.set, "use-links", .only_with = "links"),
    CLI_OPTION(mine, &defaults.set, "pivot", .is_common = true),
    CLI_OPTION(mine, &defaults.set, "header"),
    CLI_OPTION(mine, &defaults.set, "to", .is_common = true),
    CLI_OPTION(sentences, &defaults.sentences, "threshold", .letter = 't',
               .only_with = NOT_SENTENCE, .standard = "0.02; moses, tmx, xliff: 0.5"),
    {.name = "select",
     .value = "WHAT",
     .choice = &defaults.select,
     .choices = selections,
     .standard = "kept; moses, tmx, xliff: unique",
     .only_with = NOT_SENTENCE,
     .help = "which sentence pairs to write (kept: pairs that pass the filter; unique: each of "
             "these once, where its score is best)"},
    CLI_OPTION(mine, &defaults.set, "drop-frequent", .only_with = NOT_SENTENCE),
    CLI_OPTION(sentences, &defaults.sentences, "one-per-line", .only_with = NOT_SENTENCE),
    CLI_FROM_OPTION(defaults.read),
    CLI_ON_ERROR_OPTION(defaults.read),
    CLI_READER_OPTIONS(defaults.read),
    {0},
};

/* In the output folder; work/ looks after itself. */
static const char *const writes[] = {
    "pairs.tsv",       "sentences.tsv", "sentences.jsonl", "sentences.tmx", "sentences.xliff",
    "lexicon.tsv.zst", "report.html",   "run.json",        "groups.tsv",    NULL};

static const cli_item examples[] = {
    {"doppel mine de.jsonl.zst en.jsonl.zst -o de-en",
     "pairs, sentences, lexicon and a report"},
    {"doppel mine de.jsonl.zst en.jsonl.zst -o de-en --resume",
     "continue after an interruption"},
    {"doppel mine site.jsonl --pivot en -o site",
     "pages in many languages: pair each language with English"},
    {"doppel mine ja/ en/ --dictionary /usr/share/dictd/freedict-jpn-eng.index -o ja-en",
     "languages with few words of similar spelling: start with a dictionary"},
    {"doppel mine de/ en/ -o de-en --to moses,tmx --drop-frequent",
     "also sentences.de, sentences.en and sentences.tmx, each sentence pair once, without "
     "menus"},
    {"doppel mine --unit sentence news.de.jsonl news.en.jsonl -o news",
     "pair single sentences, wherever they occur, without document pairs"},
    {0},
};

/* ---- telling ------------------------------------------------------------------------ */

/* Options that --unit sentence refuses; with auto the unit is known only now. */
static void note_idle(const dpl_mine_run *s)
{
    for (const cli_option *p = options; p->name && s->unit == DPL_UNIT_SENTENCE; p++)
        if (p->only_with && strcmp(p->only_with, NOT_SENTENCE) == 0 && cli_given(p->name))
            cli_note(
                "note: --%s has no effect on single sentences; --confidence sets the lowest "
                "score of their pairs",
                p->name);
}

/* What is known around a run. */
typedef struct said {
    const dpl_mine_summary *all;
    const dpl_mine_run *two; /* NULL: there are more than two sides */
    const char *output, *report;
    bool is_live, is_told; /* rounds are told as they end; were */
    cli_machine machine;
} said;

static const dpl_figure of_live[] = {CLI_FLAG_FIGURE(said, "is_live", is_live, )};
static const dpl_summary_table live = CLI_SUMMARY(said, of_live);

/* On a terminal each round is printed when it ends. */
static void tell_round(void *user, const dpl_mine_run *s)
{
    settings *o = user;
    const said around = {.is_live = true};
    const dpl_figures outer = {&live, &around, NULL, NULL};
    if (!cli_shows_status() || cli_set.json)
        return;
    cli_note_last(&(dpl_figures){&dpl_mine_run_figures, s, &outer, NULL}, "rounds");
    o->has_told = true;
}

/* More sentence pairs are in another language than their documents than are not: the documents
 * have wrong labels. */
static void note_labels(const dpl_mine_run *s)
{
    const uint64_t n = s->sentences ? s->sentences->n_verdicts[DPL_VERDICT_LANGUAGE] : 0;
    char number[32];
    if (n <= s->n_sentence_pairs)
        return;
    cli_note("note: %s sentence pairs were dropped, because one side is not in the language of "
             "its document ('%s' or '%s')",
             cli_grouped(number, n), s->left->code, s->right->code);
    cli_note("hint: if the documents have wrong labels, set the languages of both sides with "
             "--langs=X,Y");
}

static void note_hints(const settings *o, const dpl_mine_run *s, bool is_of_many)
{
    note_idle(s);
    note_labels(s);
    const bool is_other = 2 * s->n_untranslated_docs[0] > s->left->n_docs ||
                          2 * s->n_untranslated_docs[1] > s->right->n_docs;
    if (!is_of_many && s->why_empty && s->n_rounds && !s->rounds[s->n_rounds - 1]->n_pairs &&
        !o->set.lexicon && !o->set.dictionary)
        cli_note(is_other ? "hint: --langs=X,Y sets the languages of both sides"
                          : "hint: --dictionary or --lexicon gives a start");
}

/* Two sides have their records that were left out and their time in `all`. */
static const dpl_figure figures[] = {
    CLI_TEXT_FIGURE(said, "output", output, .help = "path of the output folder"),
    CLI_FLAG_FIGURE(said, "is_told", is_told, ),
    CLI_SOME_FIGURES(said, two, dpl_mine_run_figures, "left right unit"),
    CLI_SOME_FIGURES(said, all, dpl_mine_figures, "!seconds"),
    CLI_SOME_FIGURES(said, two, dpl_mine_run_figures, "!left right unit skipped seconds"),
    CLI_SOME_FIGURES(said, all, dpl_mine_figures, "seconds"),
    CLI_FIGURES_OF(said, machine, cli_machine_figures),
    CLI_TEXT_FIGURE(said, "report", report, .help = "path of the report", .label = "report",
                    .value = "", .remark = "'{report}'"),
};
static const dpl_summary_table summary_figures = CLI_SUMMARY(said, figures);

static void say(const settings *o, const dpl_mine_summary *s)
{
    char report[4200];
    snprintf(report, sizeof report, "%s/report.html", o->output);
    const said r = {.all = s,
                    .two = s->is_many ? NULL : s->runs[0],
                    .output = o->output,
                    .report = report,
                    .is_told = o->has_told && !s->is_many,
                    .machine = cli_machine_of(o->ctx, false)};
    cli_say_summary(&summary_figures, &r, false);
    for (size_t i = 0; i < s->n_runs && !cli_set.json; i++)
        note_hints(o, s->runs[i], s->is_many);
    if (o->set.header && !s->is_many)
        cli_note("--header has no effect: there are two languages, and no groups.tsv");
}

/* ---- the work ----------------------------------------------------------------------- */

typedef struct call {
    const settings *o;
    dpl_ctx *ctx;
    const dpl_input *inputs;
    size_t n_inputs;
    dpl_mine_result *result;
} call;

static int mine(const char *path, void *user, dpl_error *err)
{
    call *c = user;
    return dpl_mine(&c->result, c->ctx, path, c->inputs, c->n_inputs, &c->o->set, err) == DPL_OK
               ? CLI_DONE
               : CLI_FAILED;
}

/* A hint at a format that is written almost as one that there is. The library says what is
 * wrong with others. */
static int check(char **args, size_t n_args, void *user)
{
    (void)args, (void)n_args;
    const settings *o = user;
    const char *list = o->set.to;
    char name[32];
    for (size_t n; list && *list; list += n + (list[n] == ',')) {
        n = strcspn(list, ",");
        snprintf(name, sizeof name, "%.*s", (int)n, list);
        cli_guess guess = {.word = name};
        const dpl_beads_format_info *f;
        for (int i = 0; (f = dpl_beads_format_info_of((dpl_beads_format)i)); i++)
            if (!f->is_per_pair)
                cli_guess_offer(&guess, f->name);
        if (guess.best && strcmp(guess.best, name) != 0) {
            cli_error("unknown format '%s' for --to", name);
            cli_hint("did you mean '%s'?", guess.best);
            return CLI_USAGE;
        }
    }
    return CLI_DONE;
}

static int run(dpl_ctx *ctx, char **args, size_t n_args, void *user)
{
    settings *o = user;
    o->set.read = &o->read;
    o->set.sentences = &o->sentences;
    o->set.search = &o->search;
    dpl_input *inputs = cli_inputs((const char *const *)args, n_args);
    o->ctx = ctx;
    o->set.unique = o->select == UNIQUE;
    o->set.keep_repeats = o->select == KEPT && cli_given("select");
    o->set.command = cli_typed();
    o->set.on_round = tell_round;
    o->set.user = o;
    cli_set_dictionaries(&o->set, &o->dictionaries);
    o->set.links = o->links.at;
    o->set.n_links = o->links.n;
    call c = {o, ctx, inputs, n_args, NULL};
    cli_shared shared = {.text = o->part_text,
                         .output = o->output,
                         .inputs = args,
                         .n_inputs = n_args,
                         .call = mine,
                         .user = &c};
    int code = cli_shared_run(&shared, ctx);
    dpl_mine_result *result = c.result;
    free(inputs);
    if (code == CLI_INTERRUPTED)
        cli_hint(o->part_text ? "the same command continues from here"
                              : "--resume continues from here");
    const dpl_mine_summary *summary = result ? dpl_mine_get_summary(result) : NULL;
    if (code == CLI_DONE && summary)
        say(o, summary);
    dpl_mine_result_free(result);
    cli_shared_close(&shared);
    return code;
}

const cli_command cli_mine = {
    .name = "mine",
    .summary = "find parallel documents and sentences without training data",
    .synopsis = "IN... -o DIR",
    .about =
        "Find the documents of two or more collections that are translations of each "
        "other, and align their sentences. Only the documents are needed. Words of "
        "similar spelling (names, numbers, cognates) give the first document pairs; "
        "their sentences are aligned and train a lexicon; with the lexicon the search"
        " finds better pairs. Such rounds repeat until the pairs no longer change."
        "\n"
        "\n"
        "Each IN is raw documents in any format that 'doppel import' reads, or a "
        "collection. Two INs, each in one language, are the left and the right side. "
        "The output folder then contains"
        "\n"
        "\n"
        "    pairs.tsv        left id, right id, confidence\n"
        "    sentences.tsv    left id, right id, left sentence, right sentence, score;\n"
        "                     --to adds sentences.jsonl, .tmx, .xliff and .LANG\n"
        "    lexicon.tsv.zst  source, target, p(target|source)\n"
        "    report.html      the run as a page for people\n"
        "    run.json         the same for programs\n"
        "    work/            stage files, from which --resume continues"
        "\n"
        "\n"
        "The confidence is the estimated probability that a pair is a translation. It"
        " is estimated with decoys: false pairs, made by leaving the best match of a "
        "document out of the search, show how false pairs score. Documents with the "
        "same words as an earlier one of their side are left out as duplicates."
        "\n"
        "\n"
        "With one IN, more than two, or one in several languages, the documents are "
        "divided by language, as a field says or as detected from the text. Every two of "
        "up to five languages are mined in a folder of their own such as de-en/, first "
        "each with the pivot, then the others with a lexicon composed of those; pairs "
        "that follow from a third language are more likely then. Of more than five "
        "languages each is mined with the pivot alone. The output folder then has "
        "pairs.tsv and sentences.tsv of all pairs of languages, with the languages of left "
        "and right in two more columns at the end where there are more than two, and"
        "\n"
        "\n"
        "    groups.tsv       documents that are paired with each other: the id of the\n"
        "                     pivot, then those of the other languages by code"
        "\n"
        "\n"
        "Ids need only be unique within a language then. Languages with fewer than "
        "five documents, or with hardly any document detected, are left out and "
        "counted."
        "\n"
        "\n"
        "pairs, sentences and lexicon have the same bytes for any number of threads, "
        "and whether or not the run was interrupted and resumed.",
    .options = options,
    .examples = examples,
    .figures = &summary_figures,
    .see_also = "doppel-pairs(1), doppel-align(1), doppel-lexicon-import(1)",
    .argument = "IN",
    .min_args = 1,
    .max_args = CLI_MANY,
    .complete = CLI_FILES,
    .writes = writes,
    .check = check,
    .work = run,
    CLI_DEFAULTS(defaults),
};
