/*
 * cmd_lexicon_train.c - doppel lexicon train: parallel text becomes a lexicon.
 */
#include "cli/command.h"
#include "cli/lexicon_file.h"
#include "cli/parallel.h"
#include "cli/progress.h"
#include "cli/shared.h"
#include "cli/summary.h"
#include "cli/talk.h"

#include <limits.h>
#include <stdio.h>

static cli_bitext input = {.read = DPL_INIT(dpl_bitext_options)};
static dpl_prune kept = DPL_INIT(dpl_prune);
static dpl_train_options set = DPL_INIT(dpl_train_options, .read = &input.read, .prune = &kept);
static cli_lexicon_output output;
static unsigned n_hmm = UINT_MAX; /* 0 is a value of its own */

static const cli_option options[] = {
    CLI_LEXICON_OUTPUT_OPTIONS(output),
    CLI_BITEXT_OPTIONS(input, "detected from the text; tmx: must be given"),
    CLI_OPTION(train, &set, "pretokenized"),
    CLI_OPTION(train, &set, "stem"),
    CLI_OPTION(train, &set, "max-words"),
    CLI_OPTION(train, &set, "continue"),
    CLI_OPTION(train, &set, "model1"),
    {.name = "hmm",
     .value = "N",
     .count = &n_hmm,
     .max = 1000,
     .standard = "5",
     .help =
         "iterations of the hidden Markov model, which uses word order; 0: IBM Model 1 only"},
    CLI_PRUNE_OPTIONS(kept),
    CLI_OPTION(prune, &kept, "min-count"),
    CLI_OPTION(train, &set, "min-link",
               .standard = "links that were never aligned; with --hmm 0: 0.01"),
    CLI_OPTION(train, &set, "no-model"),
    {0},
};

static const cli_item examples[] = {
    {"doppel lexicon train news.de-en.tsv --left-lang de --right-lang en -o de-en.dpl",
     "one row per line: German, tab, English"},
    {"doppel lexicon train news.de news.en talks.de talks.en -o de-en.dpl",
     "pairs of files, one sentence per line"},
    {"doppel lexicon train memory.tmx --left-lang de --right-lang en --stem -o de-en.dpl",
     "a translation memory, words reduced to their stems"},
    {"doppel lexicon train more.tsv --columns 4,3 --continue de-en.dpl -o de-en.2.dpl",
     "train further with more text, German in column 4 and English in column 3"},
    {0},
};

static const cli_item json_keys[] = {
    {"rows", "rows that were trained on"},
    {"empty, long", "rows without words on a side, and with too many"},
    CLI_BITEXT_JSON,
    {"left, right",
     "objects: lang, lang_from (option, text, lexicon with --continue, none), tokens, words "
     "(distinct), perplexity (of a word of this side, given the other side)"},
    {"links", "pairs of words with a probability"},
    {"dropped_links", "pairs of words left out because of the memory limit"},
    {"blocks", "pieces that the text was divided into because of the memory limit"},
    CLI_LEXICON_JSON,
    {"output_bytes", "bytes of the lexicon's file"},
    {"train_seconds", "time without reading and writing"},
    {"seconds", "time it took"},
    CLI_MACHINE_JSON,
    {0},
};

/* ---- the summary -------------------------------------------------------------------- */

/* What one run is about. */
typedef struct job {
    dpl_ctx *ctx;
    char **args;
    size_t n_args;
    dpl_bitext_counts read;
    dpl_lexicon_sizes sizes;
    dpl_train_summary s;
} job;

static const char *lang_from(int side)
{
    return !output.lang[side][0] ? "none"
           : set.start           ? "lexicon"
           : input.is_told[side] ? "text"
                                 : "option";
}

static void put_side(dpl_json *out, const char *name, const job *j, int side)
{
    dpl_json_begin(out, name, '{');
    dpl_json_cstr(out, "lang", output.lang[side]);
    dpl_json_cstr(out, "lang_from", lang_from(side));
    dpl_json_number(out, "tokens", j->s.n_tokens[side]);
    dpl_json_number(out, "words", j->s.n_words[side]);
    dpl_json_real(out, "perplexity", j->s.perplexity[!side]);
    dpl_json_end(out, '}');
}

static void print_json(const job *j)
{
    const dpl_train_summary *s = &j->s;
    dpl_json out = cli_summary_begin(cli_lexicon_takes_stdout(&output));
    dpl_json_number(&out, "rows", s->n_rows);
    dpl_json_number(&out, "empty", s->n_empty);
    dpl_json_number(&out, "long", s->n_long);
    cli_bitext_json(&out, &j->read);
    put_side(&out, "left", j, 0);
    put_side(&out, "right", j, 1);
    dpl_json_number(&out, "links", s->n_links);
    dpl_json_number(&out, "dropped_links", s->n_dropped);
    dpl_json_number(&out, "blocks", s->n_blocks);
    cli_lexicon_json(&out, &j->sizes);
    dpl_json_number(&out, "output_bytes", s->n_output_bytes);
    dpl_json_real(&out, "train_seconds", s->train_seconds);
    dpl_json_real(&out, "seconds", s->seconds);
    cli_json_machine(&out, j->ctx);
    cli_summary_end(&out);
}

static void note_side(const char *label, const job *j, int side)
{
    char remark[160], number[32], lang[64];
    snprintf(lang, sizeof lang, "language not known: --%s-lang says it", label);
    if (output.lang[side][0])
        snprintf(lang, sizeof lang, "in '%s'%s", output.lang[side],
                 !set.start && input.is_told[side] ? ", detected from the text" : "");
    snprintf(remark, sizeof remark, "words, %s different, %s",
             cli_grouped(number, j->s.n_words[side]), lang);
    cli_note_count(label, j->s.n_tokens[side], remark);
}

static void note_rows(const job *j)
{
    const dpl_train_summary *s = &j->s;
    const cli_reason reasons[] = {
        {s->n_empty, "without words on a side"},     {s->n_long, "too long"},
        {j->read.n_alone, "without the other side"}, {j->read.n_fuzzy, "doubtful"},
        {j->read.n_skipped, "unreadable"},
    };
    cli_note_count("rows", s->n_rows, "");
    cli_note_reasons("left out", reasons, sizeof reasons / sizeof *reasons);
    if (j->read.n_replaced)
        cli_note_count("replaced", j->read.n_replaced, "invalid UTF-8 sequences");
    note_side("left", j, 0);
    note_side("right", j, 1);
}

static void note_summary(const job *j)
{
    const dpl_train_summary *s = &j->s;
    char value[64], remark[200], number[32];
    note_rows(j);
    snprintf(remark, sizeof remark, "%s left out for want of memory",
             cli_grouped(number, s->n_dropped));
    cli_note_count("links", s->n_links, s->n_dropped ? remark : "pairs of words");
    if (s->n_blocks > 1)
        cli_note_count("pieces", s->n_blocks, "of the text, because of the memory limit");
    snprintf(value, sizeof value, "%.2f", s->perplexity[0]);
    snprintf(remark, sizeof remark, "of a right word given the left side; the other way %.2f",
             s->perplexity[1]);
    cli_note_row("perplexity", value, remark);
    cli_note_entries(&j->sizes);
    if (j->sizes.n_links)
        cli_note_count("model", j->sizes.n_links, "links of the alignment model");
    cli_note_output(output.path, s->n_output_bytes);
    cli_note_bytes("memory", dpl_ctx_peak(j->ctx), "at most");
    snprintf(remark, sizeof remark, "%.2f of it training", s->train_seconds);
    cli_note_time(s->seconds, remark, j->ctx);
}

/* ---- the work ----------------------------------------------------------------------- */

static int train_to(void *user, const char *path)
{
    job *j = user;
    dpl_error err = {0};
    if (dpl_lexicon_train(&j->s, j->ctx, path, (const char *const *)j->args, j->n_args, &set,
                          &err) == DPL_OK)
        return CLI_DONE;
    int code = cli_fail_or_stop(&err);
    return err.status == DPL_E_NOTHING ? CLI_DAMAGED : code; /* the input is at fault */
}

static int train(job *j)
{
    if (!set.start)
        cli_bitext_identify(&input, j->ctx, j->args, j->n_args);
    return cli_lexicon_make(&output, j->ctx, train_to, j);
}

static int check_usage(char **args, size_t n_args)
{
    char *start = (char *)(uintptr_t)set.start;
    int code = cli_lexicon_check(&output, args, n_args);
    if (code == CLI_DONE && start)
        code = cli_lexicon_check(&output, &start, 1);
    return code == CLI_DONE ? cli_bitext_ready(&input) : code;
}

static int run(char **args, size_t n_args)
{
    int code = check_usage(args, n_args);
    if (code != CLI_DONE)
        return code;
    set.n_hmm = n_hmm == UINT_MAX ? 0 : n_hmm;
    set.no_hmm = n_hmm == 0;
    job j = {.args = args,
             .n_args = n_args,
             .read = DPL_INIT(dpl_bitext_counts),
             .sizes = DPL_INIT(dpl_lexicon_sizes),
             .s = DPL_INIT(dpl_train_summary, .read = &j.read, .sizes = &j.sizes)};
    code = cli_ctx_new(&j.ctx, true);
    if (code != CLI_DONE)
        return code;
    code = train(&j);
    if (code == CLI_DONE)
        (cli_set.json ? print_json : note_summary)(&j);
    dpl_ctx_free(j.ctx);
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
             "which 'doppel lexicon align' aligns other text and --continue trains "
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
             "bounds --max-entries, --cumulative, --min-prob and --min-count is reached; "
             "the kept probabilities are not rescaled.",
    .options = options,
    .examples = examples,
    .json = json_keys,
    .see_also = "doppel-lexicon-align(1), doppel-lexicon-show(1), doppel-pairs(1)",
    .argument = "parallel text",
    .min_args = 1,
    .max_args = CLI_MANY,
    .complete = CLI_FILES,
    .run = run,
};
