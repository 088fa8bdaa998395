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

#include <math.h>
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
    size_t n_told; /* rounds, of two languages */
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
    {.name = "output",
     .letter = 'o',
     .value = "DIR",
     .text = &defaults.output,
     .complete = CLI_FOLDERS,
     .is_output = true,
     .is_common = true,
     .help = "write the results to this folder, which is made if it does not exist"},
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

static void note_side(const dpl_mine_run *s, int side)
{
    const dpl_mine_language *of = side ? s->right : s->left;
    const char *code = of->code;
    char remark[240], lang[64] = "an unknown language", same[80] = "", copies[80] = "",
                      number[32];
    if (*code)
        snprintf(lang, sizeof lang, "'%s'", code);
    if (s->n_duplicates[side])
        snprintf(same, sizeof same, ", %s of them duplicates of others",
                 cli_grouped(number, s->n_duplicates[side]));
    if (s->n_copies[side])
        snprintf(copies, sizeof copies, ", %s%s near-copies",
                 cli_grouped(number, s->n_copies[side]), *same ? "" : " of them");
    snprintf(remark, sizeof remark, "document%s in %s%s%s", of->n_docs == 1 ? "" : "s", lang,
             same, copies);
    cli_note_count(side ? "right" : "left", of->n_docs, remark);
}

/* Text that was left out. */
static void note_cleaning(const dpl_mine_run *s, int side)
{
    char remark[200], number[32], docs[64] = "";
    const char *lang = (side ? s->right : s->left)->code;
    snprintf(remark, sizeof remark, "sentences in '%s' that repeat in many documents", lang);
    if (s->n_boilerplate[side])
        cli_note_count("left out", s->n_boilerplate[side], remark);
    if (s->n_untranslated_docs[side])
        snprintf(docs, sizeof docs, ", and %s document%s",
                 cli_grouped(number, s->n_untranslated_docs[side]),
                 s->n_untranslated_docs[side] == 1 ? "" : "s");
    snprintf(remark, sizeof remark, "untranslated sentences in '%s'%s", lang, docs);
    if (s->n_untranslated[side])
        cli_note_count("left out", s->n_untranslated[side], remark);
    snprintf(remark, sizeof remark, "documents of the %s side are in '%s'",
             side ? "right" : "left", (side ? s->left : s->right)->code);
    if (s->n_other_language[side])
        cli_note_count("left out", s->n_other_language[side], remark);
}

static void note_gold(const dpl_mine_run *s)
{
    char remark[200], number[32], left_out[100] = "";
    if (!s->has_known)
        return;
    if (s->n_known_left_out)
        snprintf(left_out, sizeof left_out, "; %s lines about documents that were left out",
                 cli_grouped(number, s->n_known_left_out));
    snprintf(remark, sizeof remark, "pairs accepted, %s rejected%s",
             cli_grouped(number, s->n_rejected), left_out);
    cli_note_count("known", s->n_accepted, remark);
    if (!s->n_known_absent)
        return;
    char names[400];
    snprintf(names, sizeof names, "lines of it are about documents that are not here: %s%s",
             s->known_absent, s->n_known_absent > 3 ? " ..." : "");
    cli_note_count("unknown", s->n_known_absent, names);
}

/* What the lexicon of the first round was learnt from. */
static const char *known_basis(const settings *o, const dpl_mine_run *s)
{
    return !o->set.use_links ? ", with a lexicon from the accepted pairs"
           : s->has_known    ? ", with a lexicon from the accepted pairs or the known links"
                             : ", with a lexicon from the known links";
}

/* The signs that the first lexicon grew from, with the pairs that each gave. */
static void say_start(char *out, size_t n_out, const dpl_mine_round *r)
{
    char text[32];
    size_t n = 0;
    const struct sign {
        uint64_t n;
        const char *name;
    } signs[] = {{r->n_name_pairs, "names"},
                 {r->n_spelled_pairs, "spelling"},
                 {r->n_shape_pairs, "lengths and marks"}};
    for (size_t i = 0; i < sizeof signs / sizeof *signs && n < n_out; i++)
        if (signs[i].n)
            n += (size_t)snprintf(out + n, n_out - n, "%s %s (%s)", n ? " and" : ", by",
                                  signs[i].name, cli_grouped(text, signs[i].n));
}

static void note_round(const settings *o, const dpl_mine_run *s, size_t i, const char *label)
{
    const dpl_mine_round *r = s->rounds[i];
    bool has_passages = s->unit == DPL_UNIT_PASSAGE && i >= s->n_document_rounds;
    char remark[200], rows[32], docs[32], sample[64] = "", names[100] = "";
    if (r->n_sampled_docs)
        snprintf(sample, sizeof sample, ", with a sample of %s documents",
                 cli_grouped(docs, r->n_sampled_docs));
    else if (r->search == DPL_PAIRS_NGRAM)
        snprintf(sample, sizeof sample, ", searched by n-grams");
    say_start(names, sizeof names, r);
    if (has_passages)
        snprintf(remark, sizeof remark, "pairs, by passages, after %s sentence pairs",
                 cli_grouped(rows, r->n_sentence_pairs));
    else if (r->n_sentence_pairs)
        snprintf(remark, sizeof remark, "pairs, %s %.2f, after %s sentence pairs%s",
                 s->unit == DPL_UNIT_SENTENCE ? "score" : "cosine", r->mean_cosine,
                 cli_grouped(rows, r->n_sentence_pairs), sample);
    else
        snprintf(remark, sizeof remark, "pairs, %s %.2f%s%s",
                 s->unit == DPL_UNIT_SENTENCE ? "score" : "cosine", r->mean_cosine,
                 i                      ? ""
                 : *names               ? names
                 : o->set.lexicon       ? ", with the lexicon given"
                 : o->set.dictionary    ? ", with the dictionary given"
                 : r->n_lexicon_entries ? known_basis(o, s)
                                        : ", by spelling",
                 sample);
    cli_note_count(label, r->n_pairs, remark);
}

static void note_rounds(const settings *o, const dpl_mine_run *s)
{
    for (size_t i = 0; i < s->n_rounds; i++) {
        char label[32];
        snprintf(label, sizeof label, "round %zu", i);
        note_round(o, s, i, label);
    }
}

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

static void note_documents(const dpl_mine_run *s)
{
    note_side(s, 0);
    note_side(s, 1);
    note_cleaning(s, 0);
    note_cleaning(s, 1);
    if (s->unit == DPL_UNIT_SENTENCE)
        cli_note_row("unit", "", "sentence: each is paired by itself");
    note_idle(s);
}

/* On a terminal each round is printed when it ends, and what is known before it, too. */
static void tell_round(void *user, const dpl_mine_run *s)
{
    settings *o = user;
    size_t i = s->n_rounds - 1;
    char label[64];
    if (!cli_shows_status() || cli_set.json)
        return;
    snprintf(label, sizeof label, "%s-%s round %zu", s->left->code, s->right->code, i);
    note_round(o, s, i, label);
    o->n_told++;
}

static void note_end(const settings *o, double seconds)
{
    cli_note_time(seconds, "", o->ctx);
    char path[600];
    snprintf(path, sizeof path, "'%s/report.html'", o->output);
    cli_note_row("report", "", path);
}

/* "pairs; 120 repeated and 31 frequent ones dropped" */
static void note_sentences(const dpl_mine_run *s)
{
    char remark[200] = "pairs", number[32];
    uint64_t n_repeated = s->sentences->n_verdicts[DPL_VERDICT_REPEATED],
             n_frequent = s->sentences->n_verdicts[DPL_VERDICT_FREQUENT];
    size_t n = strlen(remark);
    if (n_repeated)
        n += (size_t)snprintf(remark + n, sizeof remark - n, "; %s repeated%s",
                              cli_grouped(number, n_repeated), n_frequent ? "" : " dropped");
    if (n_frequent)
        snprintf(remark + n, sizeof remark - n, "%s %s frequent dropped",
                 n_repeated ? " and" : ";", cli_grouped(number, n_frequent));
    cli_note_count("sentences", s->n_sentence_pairs, remark);
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

/* Links that were known: how many, what they say about the pairs, what is missing. */
static void note_links(const settings *o, const dpl_links_agreement *l)
{
    char remark[200];
    if (!l)
        return;
    const uint64_t n_absent = l->read->n_absent[0] + l->read->n_absent[1];
    snprintf(remark, sizeof remark,
             "known between these documents; %.1f %% and %.1f %% of them have one",
             100 * l->share[0], 100 * l->share[1]);
    cli_note_count("links", l->read->n_links, remark);
    if (l->read->absent) {
        char names[400];
        snprintf(names, sizeof names, "ends of links are documents that are not here: %s%s",
                 l->read->absent, n_absent > 3 ? " ..." : "");
        cli_note_count("unknown", n_absent, names);
    }
    snprintf(remark, sizeof remark,
             "pairs with linked documents: precision %.1f %%, recall %.1f %%",
             100 * l->precision, 100 * l->recall);
    cli_note_count("evaluation", l->n_matching + l->n_touching, remark);
    if (isnan(l->estimated_precision))
        snprintf(remark, sizeof remark, "confidences shifted by %+.2f log-odds", l->shift);
    else
        snprintf(remark, sizeof remark,
                 "estimated precision of these %.1f %%; without suspicious links, confidences "
                 "are shifted by %+.2f log-odds",
                 100 * l->estimated_precision, l->shift);
    cli_note_row("calibration", "", remark);
    snprintf(remark, sizeof remark, "pairs without a link; '%s/missing-links.tsv'", o->output);
    cli_note_count("missing", l->n_missing, remark);
    snprintf(remark, sizeof remark, "links that do not fit; '%s/suspicious-links.tsv'",
             o->output);
    cli_note_count("suspicious", l->n_suspicious, remark);
}

/* Records of the inputs that did not become documents. */
static void note_skipped(const dpl_skip_list *list)
{
    cli_reason reasons[DPL_N_DROPS];
    for (unsigned i = 0; i < DPL_N_DROPS; i++)
        reasons[i] =
            (cli_reason){dpl_skip_list_count(list, (dpl_drop)i), dpl_drop_name((dpl_drop)i)};
    cli_note_reasons("dropped", reasons, DPL_N_DROPS);
    cli_note_skipped(list);
}

/* The lowest confidence of the pairs, where it is not the one that was asked for. */
static void note_cut(const dpl_mine_run *s)
{
    char cut[16], remark[200];
    if (!s->n_pairs || !s->why_cut)
        return;
    snprintf(cut, sizeof cut, "%.2f", s->least_confidence);
    snprintf(remark, sizeof remark, "lowest confidence: %s", s->why_cut);
    cli_note_row("cut", cut, remark);
}

/* Precision and recall of a run's pairs, or why there is no figure. */
static void say_estimate(char out[200], const dpl_mine_run *s)
{
    if (!s->n_pairs)
        snprintf(out, 200, "no pairs found%s%s", s->why_empty ? ": " : "",
                 s->why_empty ? s->why_empty : "");
    else if (s->why_no_estimate)
        snprintf(out, 200, "%s", s->why_no_estimate);
    else
        snprintf(
            out, 200,
            "estimated precision %.1f %% (%.1f to %.1f), estimated recall %.1f %% (%.1f to "
            "%.1f)",
            100 * s->estimated_precision, 100 * s->estimated_precision_low,
            100 * s->estimated_precision_high, 100 * s->estimated_recall,
            100 * s->estimated_recall_low, 100 * s->estimated_recall_high);
}

static void note_two(const settings *o, const dpl_mine_run *s)
{
    char remark[200];
    note_documents(s);
    note_skipped(s->skipped);
    if (!o->n_told)
        note_rounds(o, s);
    note_gold(s);
    if (s->has_few_pairs && s->n_pairs)
        cli_note_row("few pairs", "", "most documents have no counterpart");
    say_estimate(remark, s);
    cli_note_count("pairs", s->n_pairs, remark);
    note_cut(s);
    if (s->verdict)
        cli_note_row("verdict", "", s->verdict);
    if (s->has_ranges && s->n_pairs) {
        snprintf(remark, sizeof remark,
                 "and %.0f %% of the pairs' words are in parts that match; '%s/passages.tsv'",
                 100 * s->parallel_share[1], o->output);
        char share[16];
        snprintf(share, sizeof share, "%.0f %%", 100 * s->parallel_share[0]);
        cli_note_row("passages", share, remark);
    }
    if (s->n_pairs)
        note_sentences(s);
    note_links(o, s->links);
    note_end(o, s->seconds);
    note_labels(s);
    if (s->why_empty && s->n_rounds && !s->rounds[s->n_rounds - 1]->n_pairs &&
        !o->set.lexicon && !o->set.dictionary)
        cli_note("hint: --dictionary or --lexicon gives a start");
}

static void note_languages(const dpl_mine_summary *s)
{
    uint64_t n_left_out = 0;
    for (size_t i = 0; i < s->n_langs; i++)
        cli_note_count(s->langs[i]->code, s->langs[i]->n_docs,
                       s->langs[i] == s->pivot ? "documents, the pivot" : "documents");
    for (size_t i = 0; i < s->n_left_out; i++)
        n_left_out += s->left_out[i]->n_docs;
    char remark[100];
    snprintf(remark, sizeof remark, "document%s in %zu other language%s",
             n_left_out == 1 ? "" : "s", s->n_left_out, s->n_left_out == 1 ? "" : "s");
    if (n_left_out)
        cli_note_count("left out", n_left_out, remark);
}

static void note_run(const dpl_mine_run *run)
{
    char label[32], estimate[200], remark[256], number[32];
    snprintf(label, sizeof label, "%s-%s", run->left->code, run->right->code);
    say_estimate(estimate, run);
    if (run->n_pairs)
        snprintf(remark, sizeof remark, "pairs, %s; %s sentence pairs", estimate,
                 cli_grouped(number, run->n_sentence_pairs));
    cli_note_count(label, run->n_pairs, run->n_pairs ? remark : estimate);
    note_gold(run);
    note_idle(run);
    note_labels(run);
}

static void note_many(const settings *o, const dpl_mine_summary *s)
{
    note_languages(s);
    note_skipped(s->skipped);
    for (size_t i = 0; i < s->n_runs; i++)
        note_run(s->runs[i]);
    for (size_t i = s->n_langs; i >= 2; i--) {
        char remark[64];
        snprintf(remark, sizeof remark, "of documents in %zu languages", i);
        if (s->n_groups_by_size[i])
            cli_note_count("groups", s->n_groups_by_size[i], remark);
    }
    note_end(o, s->seconds);
}

/* ---- for programs ------------------------------------------------------------------- */

typedef struct json_result {
    const dpl_mine_summary *many; /* NULL: there are two sides */
    const dpl_mine_run *two;
    const char *output, *report;
    double seconds;
} json_result;

static const dpl_figure figures[] = {
    CLI_SOME_FIGURES(json_result, many, dpl_mine_figures,
                     "languages pivot_language left_out runs groups"),
    CLI_SOME_FIGURES(json_result, two, dpl_mine_run_figures,
                     "left right rounds unit document_rounds aligned_share parallel_share "
                     "few_pairs known stable pairs sentence_pairs estimated_precision "
                     "estimated_precision_low estimated_precision_high "
                     "estimated_recall estimated_recall_low estimated_recall_high "
                     "least_confidence why_cut why_no_estimate verdict why_empty links "
                     "sentences recall_check "
                     "skipped stages import_seconds final_seconds"),
    {.name = "output",
     .type = DPL_FIGURE_TEXT,
     CLI_FIELD(json_result, output),
     .help = "path of the output folder"},
    {.name = "report",
     .type = DPL_FIGURE_TEXT,
     CLI_FIELD(json_result, report),
     .help = "path of the report"},
    {.name = "seconds",
     .type = DPL_FIGURE_REAL,
     CLI_FIELD(json_result, seconds),
     .help = "time it took"},
};
static const dpl_summary_table summary_figures = CLI_SUMMARY(json_result, figures);

static void print_json(const settings *o, const dpl_mine_summary *s)
{
    char report[4200];
    snprintf(report, sizeof report, "%s/report.html", o->output);
    const json_result r = {.many = s->is_many ? s : NULL,
                           .two = s->is_many ? NULL : s->runs[0],
                           .output = o->output,
                           .report = report,
                           .seconds = s->seconds};
    cli_say_summary(&summary_figures, &r, false);
}

static void say(const settings *o, const dpl_mine_summary *s)
{
    if (cli_set.json)
        print_json(o, s);
    else if (s->is_many)
        note_many(o, s);
    else
        note_two(o, s->runs[0]);
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
