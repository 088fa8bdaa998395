/*
 * program.c - a program: finds the command, reads its options, runs it.
 */
#include "cli/command.h"
#include "cli/help.h"
#include "cli/outfile.h"
#include "cli/shared.h"
#include "cli/side.h"
#include "cli/talk.h"

#include <stdlib.h>
#include <string.h>

static bool is_one_of(const char *word, const char *a, const char *b)
{
    return strcmp(word, a) == 0 || strcmp(word, b) == 0;
}

/* A family's name with no command of it. */
static int run_family(const char *family, const char *option)
{
    char list[256];
    if (option && is_one_of(option, "--help", "-h")) {
        cli_help_family(family);
        return CLI_DONE;
    }
    cli_talk_as(family);
    if (option)
        cli_error("unknown option '%s'", option);
    else
        cli_error("no command given");
    cli_hint("usage: %s %s %s [ARGUMENT]... [OPTION]...", cli_this->name, family,
             cli_family_list(list, sizeof list, family, "|"));
    return CLI_USAGE;
}

/* The command that the words begin with, and how many of them name it. */
static bool find_command(cli_found *out, char **words, size_t n)
{
    bool is_help = is_one_of(words[0], "--help", "-h");
    if (!is_help && !is_one_of(words[0], "--version", "-V"))
        return cli_find_command(out, words, n);
    *out = (cli_found){.command = is_help ? &cli_help : &cli_version, .n_words = 1};
    return true;
}

/* The folder for temporary files, where the option says that it is $TMPDIR. */
static void fill_temp(const cli_command *command)
{
    const char *temp = getenv("TMPDIR");
    for (const cli_option *o = command->options; temp && *temp && o && o->name; o++)
        if (o->text && o->standard && strcmp(o->standard, CLI_TEMP_STANDARD) == 0) {
            const char **text = cli_place(o->text);
            *text = *text ? *text : temp;
        }
}

static int run_command(const cli_command *command, char **args, size_t n_args)
{
    void *settings = cli_settings();
    dpl_ctx *ctx = NULL;
    if (command->run)
        return command->run(args, n_args, settings);
    int code = command->check ? command->check(args, n_args, settings) : CLI_DONE;
    if (code == CLI_DONE)
        code = cli_ctx_new(&ctx, !command->ends_at_once);
    if (code == CLI_DONE)
        code = command->work(ctx, args, n_args, settings);
    dpl_ctx_free(ctx);
    return code;
}

static int run(int argc, char **argv)
{
    cli_keep_typed(argc, argv);
    if (argc < 2) {
        cli_print_to_stderr();
        cli_help_overview();
        return CLI_USAGE;
    }
    cli_found found;
    if (!find_command(&found, argv + 1, (size_t)argc - 1))
        return CLI_USAGE;
    if (found.family)
        return run_family(found.family, argv[2]);
    const cli_command *command = found.command;
    char **args = argv + 1 + found.n_words;
    size_t n_args;
    cli_talk_as(command->name);
    if (!cli_parse(command, args, (int)(argv + argc - args), &n_args))
        return CLI_USAGE;
    if (cli_set.help) {
        cli_help_command(command, cli_set.help_all);
        return CLI_DONE;
    }
    if (cli_set.quiet)
        cli_talk_less();
    fill_temp(command);
    if (!cli_check_inputs(command, args, n_args) || !cli_check_raw(command, args, n_args))
        return CLI_USAGE;
    const int code = cli_check_outputs(command);
    return code == CLI_DONE ? run_command(command, args, n_args) : code;
}

int cli_main(const cli_program *program, int argc, char **argv)
{
    cli_use(program);
    cli_talk_begin(program->name);
    cli_find_devices();
    const int code = run(argc, argv);
    cli_parse_end();
    return cli_talk_end(code);
}
