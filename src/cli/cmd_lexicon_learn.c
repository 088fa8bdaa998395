/*
 * cmd_lexicon_learn.c - doppel lexicon learn: a lexicon from two collections of documents
 * alone.
 */
#include "cli/command.h"
#include "cli/notes.h"
#include "cli/outfile.h"
#include "cli/progress.h"
#include "cli/shared.h"
#include "cli/talk.h"

#include "doppel/mine.h"

#include <stdio.h>

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

static const cli_item json_keys[] = {
    {"rounds", "rounds of training"},
    {"stable", "the last two rounds found the same pairs"},
    {"pairs", "document pairs of the last round"},
    {"sentence_pairs", "sentence pairs that the lexicon was trained on"},
    {"entries", "of p(target|source)"},
    {"seconds", "time it took"},
    {0},
};

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

static void tell(const settings *o, const dpl_mine_run *s)
{
    const dpl_mine_round *last = s->rounds[s->n_rounds - 1];
    if (!cli_set.json) {
        char remark[100];
        snprintf(remark, sizeof remark, "of learning%s",
                 s->is_stable ? "" : "; the last one still changed something");
        cli_note_count("rounds", s->n_rounds - 1, remark);
        cli_note_count("pairs", last->n_pairs, "of documents");
        cli_note_count("sentences", last->n_sentence_pairs, "pairs to train on");
        cli_note_count("entries", last->n_lexicon_entries, "of p(target|source)");
        cli_note_time(s->seconds, "", NULL);
        return;
    }
    dpl_json j = cli_summary_begin(cli_is_stdout(o->output));
    dpl_json_number(&j, "rounds", s->n_rounds - 1);
    dpl_json_bool(&j, "stable", s->is_stable);
    dpl_json_number(&j, "pairs", last->n_pairs);
    dpl_json_number(&j, "sentence_pairs", last->n_sentence_pairs);
    dpl_json_number(&j, "entries", last->n_lexicon_entries);
    dpl_json_real(&j, "seconds", s->seconds);
    cli_summary_end(&j);
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
        tell(o, dpl_mine_get_summary(w.result)->runs[0]);
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
    .json = json_keys,
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
