/*
 * cmd_help.c - doppel help: the overview, or one command's page.
 */
#include "cli/help.h"
#include "cli/talk.h"

static bool is_man;

static const cli_option options[] = {
    /* the build makes the manual with it */
    {.name = "man", .flag = &is_man, .is_hidden = true, .help = "the man page"},
    {0},
};

static const cli_item examples[] = {
    {"doppel help import", "all about importing"},
    {"doppel import --help", "the same"},
    {0},
};

static int run(char **args, size_t n_args)
{
    const cli_command *command = n_args ? cli_find_command(args[0]) : NULL;
    if (n_args && !command)
        return CLI_USAGE;
    if (is_man)
        cli_man_page(command);
    else if (command)
        cli_help_command(command);
    else
        cli_help_overview();
    return CLI_DONE;
}

const cli_command cli_help = {
    .name = "help",
    .summary = "explain doppel or one of its commands",
    .synopsis = "[COMMAND]",
    .about = "Without a command: what doppel is for, and the commands there are.",
    .options = options,
    .examples = examples,
    .argument = "COMMAND",
    .max_args = 1,
    .complete = CLI_COMMANDS,
    .run = run,
};
