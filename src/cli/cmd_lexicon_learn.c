/*
 * cmd_lexicon_learn.c - doppel lexicon learn: a lexicon from two collections of documents
 * alone.
 */
#include "cli/command.h"
#include "cli/figure_lines.h"
#include "cli/outfile.h"
#include "cli/progress.h"
#include "cli/shared.h"
#include "cli/talk.h"

#include "doppel/mine.h"

/* What the options set. */
typedef struct settings {
    dpl_reader_options read;
    dpl_mine_options set;
    const char *output;
    cli_texts dictionaries;
} settings;

static const settings defaults = {.read = DPL_INIT(dpl_reader_options),
                                  .set = DPL_INIT(dpl_mine_options)};

static const cli_option options[] = {
    CLI_OUTPUT_OPTION(&defaults.output, NULL,
                      "write the lexicon to FILE; - is standard output"),
    CLI_MINE_OPTIONS(defaults.set, defaults.dictionaries),
    CLI_RAW_LANGS_OPTION(&defaults.set.langs, "detected from the text",
                         "languages of LEFT and RIGHT, as codes such as de,en"),
    CLI_FROM_OPTION(defaults.read),
    CLI_ON_ERROR_OPTION(defaults.read),
    CLI_READER_OPTIONS(defaults.read),
    {0},
};

static const cli_item examples[] = {
    {"doppel lexicon learn de.jsonl.zst en.jsonl.zst -o de-en.dpl",
     "from documents that are partly translations of each other"},
    {0},
};

/* What the summary is about. */
typedef struct said {
    uint64_t n_rounds;
    bool is_stable;
    const dpl_mine_round *last;
    double seconds;
    cli_machine machine;
} said;

static const dpl_figure of_round[] = {
    CLI_COUNT_FIGURE(dpl_mine_round, "pairs", n_pairs,
                     .help = "document pairs of the last round", .label = "pairs",
                     .remark = "of documents"),
    CLI_COUNT_FIGURE(dpl_mine_round, "sentence_pairs", n_sentence_pairs,
                     .help = "sentence pairs that the lexicon was trained on",
                     .label = "sentences", .remark = "pairs to train on"),
    CLI_COUNT_FIGURE(dpl_mine_round, "entries", n_lexicon_entries,
                     .help = "of p(target|source)", .label = "entries",
                     .remark = "of p(target|source)"),
};
static const dpl_summary_table round_figures = CLI_SUMMARY(dpl_mine_round, of_round);

static const dpl_figure figures[] = {
    CLI_COUNT_FIGURE(said, "rounds", n_rounds, .help = "rounds of training", .label = "rounds",
                     .remark = "of learning[stable?|; the last one still changed something]"),
    CLI_FLAG_FIGURE(said, "stable", is_stable,
                    .help = "the last two rounds found the same pairs"),
    CLI_FIGURES_OF(said, last, round_figures),
    CLI_SECONDS_FIGURE(said, seconds),
    CLI_FIGURES_OF(said, machine, cli_machine_figures),
};
static const dpl_summary_table summary = CLI_SUMMARY(said, figures);

typedef struct work {
    const settings *o;
    dpl_ctx *ctx;
    char **args;
    dpl_mine_result *result;
} work;

static int learn(void *user, const char *path)
{
    work *w = user;
    const settings *o = w->o;
    dpl_error err = {0};
    dpl_input left = {.path = w->args[0]}, right = {.path = w->args[1]};
    return dpl_lexicon_learn(&w->result, w->ctx, path, &left, &right, &o->set, &err) == DPL_OK
               ? CLI_DONE
               : cli_fail_or_stop(&err);
}

static void tell(const settings *o, const dpl_mine_run *s, const dpl_ctx *ctx)
{
    const said r = {.n_rounds = s->n_rounds - 1,
                    .is_stable = s->is_stable,
                    .last = s->rounds[s->n_rounds - 1],
                    .seconds = s->seconds,
                    .machine = cli_machine_of(ctx, false)};
    cli_say_summary(&summary, &r, cli_is_stdout(o->output));
}

static int run(dpl_ctx *ctx, char **args, size_t n_args, void *user)
{
    (void)n_args;
    settings *o = user;
    o->set.read = &o->read;
    cli_set_dictionaries(&o->set, &o->dictionaries);
    work w = {.o = o, .ctx = ctx, .args = args};
    int code = cli_write_container(o->output, ctx, NULL, learn, &w);
    if (code == CLI_DONE)
        tell(o, dpl_mine_get_summary(w.result)->runs[0], ctx);
    dpl_mine_result_free(w.result);
    return code;
}

const cli_command cli_lexicon_learn = {
    .name = "lexicon learn",
    .family = "lexicon",
    .summary = "train a lexicon on two collections without parallel text",
    .synopsis = "LEFT RIGHT -o L.dpl",
    .about = "Do the rounds of 'doppel mine' and write only the lexicon of the last round:"
             " document pairs by spelling, aligned sentences, a lexicon trained on them, "
             "better pairs, until the pairs no longer change. No parallel text is needed, "
             "but some of the documents must be translations of each other. The lexicon "
             "has the same form as that of 'doppel lexicon train': LEFT is the source, and"
             " words are stems unless --no-stem is given.",
    .options = options,
    .examples = examples,
    .figures = &summary,
    .see_also = "doppel-mine(1), doppel-lexicon-train(1)",
    .argument = "LEFT",
    .second = "RIGHT",
    .min_args = 2,
    .max_args = 2,
    .complete = CLI_FILES,
    .output_goes = "the lexicon goes",
    .work = run,
    CLI_DEFAULTS(defaults),
};
