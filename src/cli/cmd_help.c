/*
 * cmd_help.c - PROGRAM help: the overview, or one command's page.
 */
#include "cli/help.h"
#include "cli/talk.h"

#include <string.h>

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
    {"PROGRAM COMMAND --help all", "explain all of its options"},
    {0},
};

/* What the words name: a command, a family or 'reading'; n_known: number of words known. False
 * when there is none of that name, which it has printed then. */
static bool find(cli_found *found, size_t *n_known, char **args, size_t n_args)
{
    *found = (cli_found){0};
    *n_known = 0;
    if (!n_args)
        return true;
    if (strcmp(args[0], cli_reading.name) == 0 && cli_this->groups) {
        found->command = &cli_reading;
        *n_known = 1;
        return true;
    }
    if (!cli_find_command(found, args, n_args))
        return false;
    /* behind a default command that is not named stands its argument */
    *n_known = found->command && found->n_words == 0 ? 1 : found->n_words;
    return true;
}

static int run(char **args, size_t n_args, void *user)
{
    settings *o = user;
    cli_found found;
    size_t n_known;
    if (!find(&found, &n_known, args, n_args))
        return CLI_USAGE;
    const bool is_all =
        found.command && n_args == n_known + 1 && strcmp(args[n_known], "all") == 0;
    if (n_args > n_known + is_all) {
        cli_error("unexpected argument '%s'", args[n_known]);
        return CLI_USAGE;
    }
    if (o->is_man)
        cli_man_page(found.command);
    else if (found.command)
        cli_help_command(found.command, is_all || found.command == &cli_reading);
    else if (found.family)
        cli_help_family(found.family);
    else
        cli_help_overview();
    return CLI_DONE;
}

const cli_command cli_help = {
    .name = "help",
    .summary = "list the commands, or explain one",
    .synopsis = "[COMMAND [all]]",
    .about = "Explain a command and the options that people need of it, or with 'all' all of "
             "them, as COMMAND --help all does. Without a command, list the commands.",
    .options = options,
    .examples = examples,
    .argument = "COMMAND",
    .max_args = 3,
    .complete = CLI_COMMANDS,
    .run = run,
    CLI_DEFAULTS(defaults),
};
