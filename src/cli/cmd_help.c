/*
 * cmd_help.c - PROGRAM help: the overview, or one command's page.
 */
#include "cli/help.h"
#include "cli/talk.h"

/* What the options set. */
typedef struct settings {
    bool is_man;
} settings;

static const settings defaults;

static const cli_option options[] = {
    /* the build makes the manual with it */
    {.name = "man", .flag = &defaults.is_man, .is_hidden = true, .help = "the man page"},
    {0},
};

static const cli_item examples[] = {
    {"PROGRAM help COMMAND", "explain a command"},
    {"PROGRAM COMMAND --help", "the same"},
    {0},
};

static int run(char **args, size_t n_args, void *user)
{
    settings *o = user;
    cli_found found = {0};
    if (n_args && !cli_find_command(&found, args, n_args))
        return CLI_USAGE;
    /* behind a default command that is not named stands its argument */
    const size_t n_known = found.command && found.n_words == 0 ? 1 : found.n_words;
    if (n_args > n_known) {
        cli_error("unexpected argument '%s'", args[n_known]);
        return CLI_USAGE;
    }
    if (o->is_man)
        cli_man_page(found.command);
    else if (found.command)
        cli_help_command(found.command);
    else if (found.family)
        cli_help_family(found.family);
    else
        cli_help_overview();
    return CLI_DONE;
}

const cli_command cli_help = {
    .name = "help",
    .summary = "list the commands, or explain one",
    .synopsis = "[COMMAND]",
    .about = "Without a command: print what the program does, and list the commands.",
    .options = options,
    .examples = examples,
    .argument = "COMMAND",
    .max_args = 2,
    .complete = CLI_COMMANDS,
    .run_with = run,
    .defaults = &defaults,
    .n_defaults = sizeof defaults,
};
