/*
 * main.c - doppel: finds the command, reads its options, runs it.
 */
#include "cli/command.h"
#include "cli/help.h"
#include "cli/talk.h"

#include <string.h>

static bool is_one_of(const char *word, const char *a, const char *b)
{
    return strcmp(word, a) == 0 || strcmp(word, b) == 0;
}

static int run(int argc, char **argv)
{
    if (argc < 2) {
        cli_print_to_stderr();
        cli_help_overview();
        return CLI_USAGE;
    }
    const cli_command *command = is_one_of(argv[1], "--help", "-h") ? &cli_help
                                 : is_one_of(argv[1], "--version", "-V")
                                     ? &cli_version
                                     : cli_find_command(argv[1]);
    if (!command)
        return CLI_USAGE;
    cli_talk_as(command->name);
    size_t n_args;
    if (!cli_parse(command, argv + 2, argc - 2, &n_args))
        return CLI_USAGE;
    if (cli_set.help) {
        cli_help_command(command);
        return CLI_DONE;
    }
    if (cli_set.quiet)
        cli_talk_less();
    return command->run(argv + 2, n_args);
}

int main(int argc, char **argv)
{
    cli_talk_begin();
    return cli_talk_end(run(argc, argv));
}
