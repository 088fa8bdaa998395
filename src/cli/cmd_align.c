/*
 * cmd_align.c - doppel align: aligned sentences of document pairs.
 */
#include "cli/bead_files.h"
#include "cli/command.h"
#include "cli/figure_lines.h"
#include "cli/notes.h"
#include "cli/outfile.h"
#include "cli/progress.h"
#include "cli/shared.h"
#include "cli/side.h"
#include "cli/talk.h"

#include "doppel/sentences.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* What the options set. */
typedef struct settings {
    dpl_sentences_options set;
    cli_side_request request;
    const char *output;
    dpl_beads_options beads;
    unsigned select, method;
} settings;

static const settings defaults = {.set = DPL_INIT(dpl_sentences_options),
                                  .request = CLI_SIDE_REQUEST_INIT,
                                  .output = "-",
                                  .beads = DPL_INIT(dpl_beads_options)};

#define LISTS "to=tsv,jsonl,moses,tmx,xliff" /* others have all beads of a document pair */

enum { KEPT, UNIQUE, ALL };
static const char *const selections[] = {"kept", "unique", "all", NULL};
enum { ORDERED, UNORDERED };
static const char *const methods[] = {"ordered", "unordered", NULL};

static const cli_option options[] = {
    CLI_OUTPUT_OPTION(
        &defaults.output, "-",
        "write the sentence pairs to FILE; - is standard output. moses: NAME for NAME.de and "
        "NAME.en; ladder, vecalign, html, epub: a folder when there are several document "
        "pairs. Without --to, a name such as book.epub sets the format"),
    CLI_OPTION(beads, &defaults.beads, "to", .is_common = true),
    {.name = "select",
     .value = "WHAT",
     .choice = &defaults.select,
     .choices = selections,
     .standard = "kept; moses, tmx, xliff: unique",
     .only_with = LISTS,
     .is_common = true,
     .help =
         "which beads to write; a bead is one or more sentences beside their counterpart "
         "(kept: beads that pass the filter; unique: kept ones, each sentence pair once, where "
         "its score is best; all: also dropped beads with the reason, in tsv and jsonl)"},
    CLI_OPTION(sentences, &defaults.set, "threshold", .letter = 't', .is_common = true,
               .only_with = "!no-filter " LISTS, .standard = "0.02; moses, tmx, xliff: 0.5"),
    CLI_OPTION(sentences, &defaults.set, "drop-frequent", .is_common = true,
               .only_with = LISTS),
    CLI_OPTION(beads, &defaults.beads, "with-langs"),
    CLI_LEXICON_OPTION(&defaults.request.lexicon,
                       "align with this lexicon, in either direction"),
    CLI_LEXICON_LANGS_OPTION(&defaults.request.lexicon_langs, "detected from the words",
                             "lexicon"),
    CLI_OPTION(sentences, &defaults.set, "no-learning", .only_with = "evidence=all"),
    CLI_OPTION(sentences, &defaults.set, "one-per-line", .is_common = true),
    {.name = "method",
     .value = "METHOD",
     .choice = &defaults.method,
     .choices = methods,
     .is_common = true,
     .help = "set how sentences are aligned (ordered: in the same order on both sides; "
             "unordered: comparable texts, sentences may be in any order, each has at most one "
             "counterpart)"},
    CLI_OPTION(sentences, &defaults.set, "max-side", .knob_of = "method",
               .knob_with = "ordered", .only_with = ""),
    CLI_OPTION(sentences, &defaults.set, "lead", .knob_of = "method", .knob_with = "unordered",
               .only_with = ""),
    CLI_OPTION(sentences, &defaults.set, "evidence"),
    CLI_OPTION(sentences, &defaults.set, "no-filter", .is_common = true, .only_with = LISTS),
    CLI_OPTION(sentences, &defaults.set, "min-ratio", .only_with = "!no-filter " LISTS),
    CLI_OPTION(sentences, &defaults.set, "min-words",
               .only_with = "!no-filter !paper-filter " LISTS),
    CLI_OPTION(sentences, &defaults.set, "length-ratio",
               .only_with = "!no-filter !paper-filter " LISTS),
    CLI_OPTION(sentences, &defaults.set, "no-lang-check", .only_with = "!no-filter " LISTS),
    CLI_OPTION(sentences, &defaults.set, "paper-filter"),
    CLI_OPTION(reader, &defaults.request.read, "on-error",
               .help =
                   "what to do with a line of PAIRS that names no documents (skip), and with "
                   "raw documents that cannot be read (replace: invalid UTF-8)"),
    CLI_OPTION(tokens, &defaults.request.tokens, "stem", .is_raw = true,
               .help =
                   "raw documents: reduce words to their stems, in the languages that have a "
                   "stemmer"),
    CLI_LANGS_OPTION(&defaults.request.lang, "those of the records, or detected from the text",
                     "raw documents: languages of the left and the right side, such as de,en; "
                     "moses, tmx, xliff: as they are written"),
    CLI_FROM_OPTION(defaults.request.read),
    CLI_READER_OPTIONS(defaults.request.read),
    CLI_TEMP_OPTION(&defaults.request.folder.base),
    {0},
};

static const cli_item examples[] = {
    {"doppel align pairs.tsv de.jsonl en.jsonl -o sentences.tsv",
     "sentences of the document pairs that 'doppel pairs' found"},
    {"doppel align pairs.tsv de.dpl en.dpl --lexicon de-en.dpl --to moses -o corpus",
     "with a lexicon; writes corpus.de and corpus.en"},
    {"doppel align book.de book.en --one-per-line --to vecalign",
     "two texts with one sentence per line: which lines correspond"},
    {"doppel align roman.txt novel.txt --to epub -o book.epub",
     "a bilingual book; --to html makes a page"},
    {"doppel align pairs.tsv de.jsonl en.jsonl --to jsonl --select all | jq -r .verdict | sort "
     "| "
     "uniq -c",
     "count the reasons of the filter"},
    {0},
};

/* What belongs to one run. */
typedef struct work {
    dpl_doc_pair one; /* of both sides */
    settings *o;
    dpl_ctx *ctx;
    const char *pairs_path; /* NULL: one document beside one */
    char **sides;           /* paths */
    dpl_collection *c[2];
    dpl_lexicon *lexicon;
    dpl_doc_pair *pairs;
    size_t n_pairs;
    uint64_t n_skipped;
    dpl_lang lang[2]; /* given; code "" when not */
    cli_beads out;
    dpl_sentences_summary summary;
} work;

/* ---- the summary -------------------------------------------------------------------- */

/* "1-1: 380, 1-2: 24, 2-1: 9, 1-0: 3, others: 2" */
static void name_main_kinds(char remark[200], const dpl_sentences_summary *s)
{
    char number[32];
    size_t n = 0;
    remark[0] = 0;
    uint64_t kinds[81], rest = s->n_beads;
    memcpy(kinds, s->n_kinds, sizeof kinds);
    for (int k = 0; k < 4; k++) {
        unsigned best = 0;
        for (unsigned i = 1; i < 81; i++)
            if (kinds[i] > kinds[best])
                best = i;
        if (!kinds[best])
            break;
        n += (size_t)snprintf(remark + n, 200 - n, "%s%u-%u: %s", k ? ", " : "", best / 9,
                              best % 9, cli_grouped(number, kinds[best]));
        rest -= kinds[best];
        kinds[best] = 0;
    }
    if (rest)
        snprintf(remark + n, 200 - n, ", others: %s", cli_grouped(number, rest));
}

static void name_output(char remark[400], const cli_beads *out)
{
    if (out->options.to == DPL_BEADS_MOSES)
        snprintf(remark, 400, "'%.180s' and '%.180s'", out->names[0], out->names[1]);
    else if (out->is_folder)
        snprintf(remark, 400, "'%s', a file for each pair", out->path);
    else
        snprintf(remark, 400, "'%s'", cli_output_name(out->path));
}

typedef struct said {
    const dpl_sentences_summary *s;
    uint64_t n_skipped, n_written;
    const char *units;
    char main_kinds[200], output[400];
    cli_machine machine;
} said;

static const dpl_figure figures[] = {
    {.name = "units", .type = DPL_FIGURE_TEXT, CLI_FIELD(said, units)},
    {.name = "main_kinds", .type = DPL_FIGURE_CHARS, CLI_FIELD(said, main_kinds)},
    CLI_SOME_FIGURES(said, s, dpl_sentences_figures, "pairs"),
    {.name = "skipped",
     .type = DPL_FIGURE_COUNT,
     CLI_FIELD(said, n_skipped),
     .help = "lines of PAIRS that name no documents (--on-error=skip)",
     .label = "skipped",
     .remark = "lines that name no documents",
     .shown_with = "skipped"},
    CLI_SOME_FIGURES(said, s, dpl_sentences_figures,
                     "left right links learnt beads kinds verdicts kept dropped length_ratio"),
    {.name = "written",
     .type = DPL_FIGURE_COUNT,
     CLI_FIELD(said, n_written),
     .help = "beads in the output",
     .label = "output",
     .value = "",
     .remark = "{output}"},
    {.name = "output", .type = DPL_FIGURE_CHARS, CLI_FIELD(said, output)},
    CLI_SOME_FIGURES(said, s, dpl_sentences_figures, "learn_seconds seconds"),
    CLI_FIGURES_OF(said, machine, cli_machine_figures),
};
static const dpl_summary_table summary = CLI_SUMMARY(said, figures);

static void say(const work *w)
{
    said all = {.s = &w->summary,
                .n_skipped = w->n_skipped,
                .n_written = w->out.n_written,
                .units = w->o->set.one_per_line ? "lines" : "sentences",
                .machine = cli_machine_of(w->ctx, false)};
    name_main_kinds(all.main_kinds, all.s);
    name_output(all.output, &w->out);
    cli_say_summary(&summary, &all, cli_is_stdout(w->o->output));
}

/* ---- input -------------------------------------------------------------------------- */

/* The format that the name of a file ends with, such as book.epub; tsv: with none. */
static dpl_beads_format format_of(const char *name)
{
    const char *end = strrchr(name, '.');
    const dpl_beads_format_info *f;
    for (int i = 0; end && (f = dpl_beads_format_info_of((dpl_beads_format)i)); i++)
        if (!f->has_two_files && strcmp(end + 1, f->name) == 0)
            return (dpl_beads_format)i;
    return DPL_BEADS_TSV;
}

/* Options of the filter, where the name of the output sets a format without one. */
static bool check_name(const dpl_beads_format_info *f)
{
    static const char *const filter[] = {"select",       "threshold",    "drop-frequent",
                                         "no-filter",    "min-ratio",    "min-words",
                                         "length-ratio", "no-lang-check"};
    for (size_t i = 0; f->is_per_pair && i < sizeof filter / sizeof *filter; i++)
        if (cli_given(filter[i])) {
            cli_error("--%s does not apply to %s, which has all sentences", filter[i], f->name);
            return false;
        }
    return true;
}

/* What the choices mean. */
static void set_choices(settings *o)
{
    if (!cli_given("to"))
        o->beads.to = format_of(o->output);
    o->set.unordered = o->method == UNORDERED;
    o->set.unique = o->select == UNIQUE;
    o->beads.all = o->select == ALL;
    o->beads.keep_repeats = o->select == KEPT && cli_given("select");
    o->beads.threshold = cli_given("threshold") || o->set.no_filter ? -1 : 0;
}

static int check(char **args, size_t n_args, void *user)
{
    (void)args, (void)n_args;
    settings *o = user;
    set_choices(o);
    const dpl_beads_format_info *f = dpl_beads_format_info_of(o->beads.to);
    if (!check_name(f))
        return CLI_USAGE;
    if (f->has_two_files && cli_is_stdout(o->output)) {
        cli_error("%s writes two files", f->name);
        cli_hint("-o NAME writes NAME.de and NAME.en, if these are the languages");
    } else if (o->set.unordered && f->needs_ordering) {
        cli_error("a ladder cannot hold beads that cross: --to ladder does not apply with "
                  "--method unordered");
        cli_hint("--to vecalign can");
    } else if (o->select == ALL && !f->has_verdicts) {
        cli_error("--select all applies only with --to tsv or jsonl (not '%s')", f->name);
    } else {
        return CLI_DONE;
    }
    return CLI_USAGE;
}

/* Languages that were given, as codes. */
static int check_langs(work *w)
{
    settings *o = w->o;
    for (int i = 0; i < 2; i++) {
        const char *name = o->request.lang[i];
        if (!name)
            continue;
        w->lang[i] = dpl_lang_canonical((dpl_str){name, strlen(name)});
        if (strcmp(w->lang[i].code, "und") == 0) {
            cli_error("unknown language '%s'", name);
            return CLI_USAGE;
        }
    }
    return CLI_DONE;
}

/* Without pairs both sides are one document. */
static int pair_one(work *w)
{
    for (int i = 0; i < 2; i++) {
        uint32_t n = dpl_collection_get_sizes(w->c[i])->n_docs;
        if (n == 1)
            continue;
        cli_error("'%s' has %u documents, and no pairs are given", w->sides[i], n);
        if (n)
            cli_hint("usage: doppel align PAIRS LEFT RIGHT, with ids in PAIRS");
        return CLI_USAGE;
    }
    w->pairs = &w->one;
    w->n_pairs = 1;
    return CLI_DONE;
}

static int read_pairs(work *w)
{
    settings *o = w->o;
    dpl_error err = {0};
    if (dpl_doc_pairs_read(&w->pairs, &w->n_pairs, w->ctx, w->pairs_path, w->c[0], w->c[1],
                           o->request.read.on_error == DPL_ON_ERROR_SKIP ? &w->n_skipped : NULL,
                           &err) == DPL_OK)
        return CLI_DONE;
    int code = cli_fail_or_stop(&err);
    if (err.status == DPL_E_FORMAT && err.line && !*err.code)
        cli_hint("--on-error=skip drops such lines and counts them");
    return code;
}

/* Before documents are read: a file whose first line has no tab is no list of pairs. */
static int check_pairs(const char *path)
{
    char line[4096] = "";
    FILE *f = cli_is_stdout(path) ? NULL : fopen(path, "r");
    const bool is_text = f && fgets(line, sizeof line, f) && strchr(line, '\n');
    if (f)
        fclose(f);
    if (!is_text || strchr(line, '\t') || line[0] == '\n' || (unsigned char)line[0] < ' ' ||
        (unsigned char)line[0] >= 0x7F || strncmp(line, "BZh", 3) == 0)
        return CLI_DONE;
    cli_error("'%s' line 1: no pair: expected left id, tab, right id", path);
    cli_hint("usage: doppel align PAIRS LEFT RIGHT, with ids in PAIRS");
    return CLI_USAGE;
}

static int open_input(work *w)
{
    settings *o = w->o;
    int code = w->pairs_path ? check_pairs(w->pairs_path) : CLI_DONE;
    for (unsigned i = 0; i < 2 && code == CLI_DONE; i++)
        code = cli_collection_open(&w->c[i], w->ctx, w->sides[i], i, &o->request);
    if (code == CLI_DONE)
        code = w->pairs_path ? read_pairs(w) : pair_one(w);
    if (code == CLI_DONE && o->request.lexicon)
        code = cli_lexicon_open(&w->lexicon, w->ctx, o->request.lexicon,
                                o->request.lexicon_langs, false);
    return code;
}

static void close_input(work *w)
{
    settings *o = w->o;
    dpl_lexicon_close(w->lexicon);
    if (w->pairs_path)
        dpl_doc_pairs_free(w->ctx, w->pairs, w->n_pairs);
    dpl_collection_close(w->c[0]);
    dpl_collection_close(w->c[1]);
    cli_folder_remove(&o->request.folder);
}

/* ---- output ------------------------------------------------------------------------- */

/* moses: the ends of the files' names are what was given, or the first documents'. */
static void find_endings(work *w)
{
    for (int i = 0; i < 2; i++) {
        if (w->lang[i].code[0] || !dpl_collection_get_sizes(w->c[i])->n_docs)
            continue;
        uint32_t doc = !w->n_pairs ? 0 : i ? w->pairs[0].right : w->pairs[0].left;
        dpl_str lang = dpl_collection_doc(w->c[i], doc).lang;
        snprintf(w->lang[i].code, sizeof w->lang[i].code, "%.*s", (int)lang.n, lang.data);
    }
}

static int write_output(work *w)
{
    settings *o = w->o;
    dpl_error err = {0};
    if (o->beads.to == DPL_BEADS_MOSES)
        find_endings(w);
    w->summary.size = sizeof w->summary;
    dpl_sentences_input in =
        DPL_INIT(dpl_sentences_input, .left = w->c[0], .right = w->c[1], .pairs = w->pairs,
                 .n_pairs = w->n_pairs, .lexicon = w->lexicon);
    o->beads.one_per_line = o->set.one_per_line;
    o->set.temp = o->request.folder.base ? o->request.folder.base : getenv("TMPDIR");
    w->out = (cli_beads){
        .path = o->output, .ctx = w->ctx, .c = {w->c[0], w->c[1]}, .options = o->beads};
    for (int i = 0; i < 2; i++)
        w->out.options.langs[i] = w->lang[i].code[0] ? w->lang[i].code : NULL;
    int code = cli_beads_open(&w->out, w->n_pairs, w->sides, 2);
    if (code == CLI_DONE && dpl_sentences_align(&w->summary, w->ctx, &in, &o->set,
                                                dpl_beads_write, w->out.writer, &err) != DPL_OK)
        code = cli_fail_or_stop(&err);
    return cli_beads_close(&w->out, code);
}

/* ---- the work ----------------------------------------------------------------------- */

static int align(work *w)
{
    int code = open_input(w);
    if (code == CLI_DONE)
        code = write_output(w);
    if (code == CLI_DONE)
        say(w);
    close_input(w);
    return code;
}

static int run(dpl_ctx *ctx, char **args, size_t n_args, void *user)
{
    settings *o = user;
    work w = {.o = o,
              .ctx = ctx,
              .pairs_path = n_args == 3 ? args[0] : NULL,
              .sides = args + n_args - 2};
    int code = check_langs(&w);
    o->request.read.unknown_as_text = !w.pairs_path;
    return code == CLI_DONE ? align(&w) : code;
}

const cli_command cli_align = {
    .name = "align",
    .summary = "align the sentences of document pairs",
    .synopsis = "[PAIRS] LEFT RIGHT -o S.tsv",
    .about =
        "Find the sentences of two documents that are translations of each other. "
        "PAIRS lists the document pairs: left id, tab, right id on each line, as "
        "'doppel pairs' writes them. LEFT and RIGHT are raw documents in any format "
        "that 'doppel import' reads, or collections. Without PAIRS each side is one "
        "document; a file of unknown format is then read as plain text, also from standard "
        "input (-)."
        "\n"
        "\n"
        "A bead is a run of sentences on the left beside a run on the right that are "
        "translations of each other. Sentences are in the same order on both sides, "
        "and one may correspond to several: beads are 1-1, 1-2, 2-1, 2-2, up to "
        "4 on a side, or 1-0 and 0-1 for sentences without counterpart. The alignment "
        "follows lengths and words. Word translations are learned from these "
        "documents, starting from the lexicon, if one is given, and from words of "
        "similar spelling. --method unordered is for texts on the same subject that are not "
        "translations sentence by sentence."
        "\n"
        "\n"
        "The filter drops beads whose sides are identical, too different in length, "
        "not in the language of their documents, or share too little information "
        "through their aligned words."
        "\n"
        "\n"
        "tsv has left id, right id, left sentence, right sentence and score, "
        "separated by tabs; jsonl the same and the numbers of the sentences, counted "
        "from 0. moses is two files with corresponding lines, tmx a translation "
        "memory (TMX 1.4b), xliff the same for translation tools (XLIFF 1.2). html and epub "
        "are "
        "a bilingual book of two texts, with every sentence. ladder (hunalign) and vecalign "
        "describe the alignment of "
        "two documents in numbers of sentences, or of lines with --one-per-line, and "
        "contain all beads, also those that the filter drops: a ladder has left "
        "number, right number and score where each bead begins, vecalign "
        "[3,4]:[5]:cost, where the cost is 1 - score. Both hold one document pair; "
        "for several, a folder gets one file each, LEFTID--RIGHTID.ladder or "
        ".vecalign."
        "\n"
        "\n"
        "The score is in [0, 1]: the estimated probability that both sides are whole "
        "translations of each other, from their words and lengths, the type of the "
        "bead, and how well the documents can be aligned. The same input and options "
        "give the same bytes for any number of threads and any instruction set.",
    .options = options,
    .examples = examples,
    .figures = &summary,
    .see_also = "doppel-pairs(1), doppel-lexicon-train(1), doppel-eval-sentences(1)",
    .argument = "LEFT",
    .second = "RIGHT",
    .min_args = 2,
    .max_args = 3,
    .n_documents = 2,
    .complete = CLI_FILES,
    .output_goes = "the sentences go",
    .is_text = true,
    .check = check,
    .work = run,
    CLI_DEFAULTS(defaults),
};
