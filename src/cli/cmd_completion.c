/*
 * cmd_completion.c - PROGRAM completion: completion scripts for shells.
 */
#include "cli/help.h"
#include "cli/talk.h"

#include <string.h>

static const cli_item examples[] = {
    {"PROGRAM completion bash > ~/.local/share/bash-completion/completions/PROGRAM",
     "bash, for one user (make the folder first)"},
    {"PROGRAM completion zsh > ~/.zfunc/_PROGRAM",
     "zsh, with 'fpath+=~/.zfunc' in front of compinit in .zshrc"},
    {"PROGRAM completion fish > ~/.config/fish/completions/PROGRAM.fish", "fish"},
    {0},
};

static int run(char **args, size_t n_args, void *user)
{
    (void)n_args, (void)user;
    for (size_t i = 0; cli_shells[i]; i++)
        if (strcmp(cli_shells[i], args[0]) == 0) {
            cli_completion_script(args[0]);
            return CLI_DONE;
        }
    char list[64];
    cli_error("no completion for '%s': expected %s", args[0],
              cli_list(list, sizeof list, cli_shells, " or "));
    return CLI_USAGE;
}

const cli_command cli_completion = {
    .name = "completion",
    .summary = "print a completion script for bash, zsh or fish",
    .synopsis = "bash|zsh|fish",
    .about = "Print a completion script. 'make install' installs the scripts where the "
             "shells look for them; this command is for a program that was not installed, "
             "or not for all users.",
    .examples = examples,
    .argument = "SHELL",
    .min_args = 1,
    .max_args = 1,
    .choices = cli_shells,
    .run = run,
};
