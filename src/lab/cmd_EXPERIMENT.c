/*
 * cmd_EXPERIMENT.c - doppel-lab EXPERIMENT: the experiments of the papers, on any collections.
 */
#include "cli/notes.h"
#include "cli/outfile.h"
#include "cli/progress.h"
#include "cli/shared.h"
#include "cli/talk.h"
#include "lab/lab_program.h"

#include "doppel-lab/lab.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static dpl_reader_options read = DPL_INIT(dpl_reader_options);
static dpl_lab_options set = DPL_INIT(dpl_lab_options, .read = &read, .renderer = "gnuplot");
static const char *folder;
static cli_texts links;
static bool no_pictures;

static const cli_option options[] = {
    CLI_FOLDER_OPTION(&folder, "write tables, pictures and pages to DIR", ),
    CLI_OPTION(lab, &set, "gold", .letter = 'g'),
    CLI_OPTION(lab, &set, "lexicon", .letter = 'l'),
    CLI_OPTION(lab, &set, "lexicon-langs"),
    CLI_OPTION(lab, &set, "translated"),
    CLI_OPTION(lab, &set, "parallel"),
    CLI_OPTION(lab, &set, "test"),
    {.name = "links",
     .value = "FILE",
     .texts = &links,
     .complete = CLI_FILES,
     .help = "known links between the documents, as 'doppel mine' takes them"},
    CLI_OPTION(lab, &set, "small"),
    CLI_OPTION(lab, &set, "threshold", .letter = 't'),
    CLI_OPTION(lab, &set, "bits"),
    CLI_OPTION(lab, &set, "sample"),
    CLI_OPTION(lab, &set, "repeats"),
    CLI_OPTION(lab, &set, "seeds"),
    CLI_OPTION(lab, &set, "as-paper"),
    CLI_OPTION(lab, &set, "reference"),
    CLI_OPTION(lab, &set, "resume"),
    CLI_OPTION(lab, &set, "renderer", .standard = "gnuplot"),
    CLI_OPTION(lab, &set, "most-documents"),
    CLI_OPTION(lab, &set, "keep-data"),
    {.name = "no-pictures",
     .flag = &no_pictures,
     .help = "write tables, scripts and pages, but draw nothing"},
    CLI_ALL_READER_OPTIONS(read),
    CLI_TEMP_OPTION(&set.temp),
    {0},
};

static const cli_item examples[] = {
    {"doppel-lab list", "all experiments, with paper and figure"},
    {"doppel-lab lunch-figure-6 de.jsonl en.jsonl -o figure6",
     "one figure, on two collections"},
    {"doppel-lab hash news.jsonl.zst -o hash", "the experiments of one paper"},
    {"doppel-lab lunch de.jsonl en.jsonl --gold gold.tsv --small -o lab",
     "likewise; those that need more are left out"},
    {0},
};

static const cli_item json_keys[] = {
    {"experiments",
     "array of objects: name, paper, item, page, table, picture (files), finding, "
     "seconds; of one that was skipped: name, paper, item, skipped (what it "
     "lacks)"},
    CLI_MACHINE_JSON,
    {0},
};

static void put_optional(dpl_json *j, const char *key, const char *text)
{
    if (text)
        dpl_json_cstr(j, key, text);
    else
        dpl_json_null(j, key);
}

static void print_json(const dpl_lab_result *r, const dpl_ctx *ctx)
{
    dpl_json j = cli_summary_begin(false);
    dpl_json_begin(&j, "experiments", '[');
    for (size_t i = 0; i < dpl_lab_n_runs(r); i++) {
        const dpl_lab_run_info *run = dpl_lab_get_run(r, i);
        dpl_json_begin(&j, NULL, '{');
        dpl_json_cstr(&j, "name", run->experiment->name);
        dpl_json_cstr(&j, "paper", run->experiment->paper);
        dpl_json_cstr(&j, "item", run->experiment->item);
        if (run->is_skipped) {
            dpl_json_cstr(&j, "skipped", run->reason);
        } else {
            dpl_json_cstr(&j, "page", run->page);
            put_optional(&j, "table", run->table);
            put_optional(&j, "picture", run->picture);
            dpl_json_cstr(&j, "finding", run->finding);
            dpl_json_real(&j, "seconds", run->seconds);
        }
        dpl_json_end(&j, '}');
    }
    dpl_json_end(&j, ']');
    cli_json_machine(&j, ctx);
    cli_summary_end(&j);
}

static void note_run(const dpl_lab_run_info *run)
{
    char text[700];
    if (run->is_skipped) {
        snprintf(text, sizeof text, "skipped: %s", run->reason);
        cli_note_row(run->experiment->name, text, "");
        return;
    }
    cli_note_row(run->experiment->name, run->page, "");
    if (*run->finding)
        cli_note_row("", run->finding, "");
}

static void note_summary(const dpl_lab_result *r, const dpl_ctx *ctx)
{
    double seconds = 0;
    const char *no_picture = NULL;
    for (size_t i = 0; i < dpl_lab_n_runs(r); i++) {
        const dpl_lab_run_info *run = dpl_lab_get_run(r, i);
        note_run(run);
        seconds += run->seconds;
        if (run->no_picture)
            no_picture = run->no_picture;
    }
    if (no_picture && !no_pictures) {
        cli_note("no pictures: %s", no_picture);
        cli_hint("install gnuplot (Debian: gnuplot-nox), then 'gnuplot NAME.gp' in the folder "
                 "draws them");
    }
    cli_note_time(seconds, "", ctx);
}

/* As typed, without --resume: what was made before has the same command. */
static const char *command_of(char *out, size_t n)
{
    static const char resume[] = " --resume";
    snprintf(out, n, "%s", cli_typed());
    char *at = strstr(out, resume);
    if (at && (!at[sizeof resume - 1] || at[sizeof resume - 1] == ' '))
        memmove(at, at + sizeof resume - 1, strlen(at + sizeof resume - 1) + 1);
    return out;
}

static int run_with(dpl_ctx *ctx, const char *name, dpl_input *inputs, size_t n)
{
    dpl_error err = {0};
    dpl_lab_result *result = NULL;
    int code = CLI_DONE;
    if (dpl_lab_run(&result, ctx, folder, &name, 1, inputs, n, &set, &err) != DPL_OK)
        code = cli_fail_or_stop(&err);
    else if (cli_set.json)
        print_json(result, ctx);
    else
        note_summary(result, ctx);
    dpl_lab_result_free(result);
    return code;
}

static int run(dpl_ctx *ctx, char **args, size_t n_args, void *user)
{
    (void)user;
    int code;
    set.links = links.at;
    set.n_links = links.n;
    char command[4096];
    set.command = command_of(command, sizeof command);
    if (no_pictures)
        set.renderer = NULL;
    dpl_input *inputs =
        n_args > 1 ? cli_inputs((const char *const *)(args + 1), n_args - 1) : NULL;
    if (n_args > 1 && !inputs) {
        cli_error("out of memory");
        code = CLI_FAILED;
    } else {
        code = run_with(ctx, args[0], inputs, n_args - 1);
    }
    free(inputs);
    return code;
}

const cli_command lab_run = {
    .name = "EXPERIMENT", /* any word that is no command's */
    .is_default = true,
    .summary = "run experiments of the papers on your collections",
    .synopsis = "[COLLECTION [COLLECTION]] -o DIR",
    .about =
        "Run an experiment: a table or figure of one of the papers that doppel implements, or "
        "one beyond them, on one or two collections. 'doppel-lab list' names them; what "
        "several "
        "names begin with (lunch, mining, hash, pocket, mine) runs those for which the inputs "
        "are enough. COLLECTION is raw documents in any format that 'doppel import' "
        "reads, a collection (.dpl), or for experiments on vectors a file of vectors."
        "\n"
        "\n"
        "Each leaves in DIR a table NAME.tsv with all numbers, the paper's beside ours; a "
        "script "
        "NAME.gp; the picture NAME.svg and NAME.png, which gnuplot draws; and a page NAME.md "
        "with what was found and the command.",
    .options = options,
    .examples = examples,
    .json = json_keys,
    .see_also = "doppel-lab-list(1), doppel-plan(1), gnuplot(1)",
    .argument = "EXPERIMENT",
    .min_args = 1,
    .max_args = 3,
    .complete = CLI_FILES,
    .work = run,
};
