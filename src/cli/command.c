/*
 * command.c - the list of commands, and what most of them need first: a context.
 */
#include "cli/command.h"

#include "cli/progress.h"
#include "cli/talk.h"

#include <string.h>

const cli_command *const cli_commands[] = {
    &cli_import, &cli_show, &cli_version, &cli_help, &cli_completion, NULL,
};

const cli_command *cli_find_command(const char *name)
{
    cli_guess guess = {.word = name};
    for (size_t i = 0; cli_commands[i]; i++) {
        if (strcmp(cli_commands[i]->name, name) == 0)
            return cli_commands[i];
        cli_guess_offer(&guess, cli_commands[i]->name);
    }
    if (name[0] == '-') {
        cli_error("unknown option '%s'", name);
        cli_hint("the command comes first: doppel COMMAND [OPTION]...");
        return NULL;
    }
    cli_error("unknown command '%s'", name);
    if (guess.best)
        cli_hint("did you mean '%s'?", guess.best);
    else
        cli_hint("'doppel help' lists the commands");
    return NULL;
}

int cli_ctx_new(dpl_ctx **out, bool stops_cleanly)
{
    static cli_meter meter;
    *out = NULL;
    if (cli_set.device == CLI_DEVICE_CUDA) {
        cli_error("no device 'cuda' in this build");
        cli_hint("--device=auto takes the best there is");
        return CLI_FAILED;
    }
    dpl_ctx_options o = {
        .n_threads = cli_set.threads,
        .memory = cli_set.memory,
        .seed = cli_set.seed,
        .cpu = (dpl_cpu)cli_set.cpu,
        .progress = cli_progress,
        .progress_user = &meter,
    };
    if (stops_cleanly)
        cli_stop_on_signals();
    dpl_error err = {0};
    return dpl_ctx_new(out, &o, &err) == DPL_OK ? CLI_DONE : cli_fail(&err);
}
