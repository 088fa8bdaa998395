/*
 * print_version.c - PROGRAM --version: what this build is and what it runs on.
 */
#include "cli/command.h"
#include "cli/notes.h"
#include "cli/talk.h"

static const cli_item json_keys[] = {
    {"version", "version of doppel"},
    {"compiler", "compiler of this build"},
    {"cpu", "instruction set in use"},
    {"cpu_best", "best instruction set of this machine"},
    {"threads", "threads that a command would use"},
    {"memory_bytes", "memory limit of a command"},
    {"libraries", "object: name to version"},
    {0},
};

static const cli_item examples[] = {
    {"PROGRAM --version --json", "for a bug report or a program"},
    {0},
};

static void print_json(const dpl_ctx *ctx)
{
    dpl_json j = cli_json();
    const char *name, *version;
    dpl_json_begin(&j, NULL, '{');
    dpl_json_cstr(&j, "version", dpl_version());
    dpl_json_cstr(&j, "compiler", dpl_compiler());
    dpl_json_cstr(&j, "cpu", dpl_cpu_name(dpl_ctx_cpu(ctx)));
    dpl_json_cstr(&j, "cpu_best", dpl_cpu_name(dpl_cpu_best()));
    dpl_json_number(&j, "threads", dpl_ctx_threads(ctx));
    dpl_json_number(&j, "memory_bytes", dpl_ctx_memory(ctx));
    dpl_json_begin(&j, "libraries", '{');
    for (size_t i = 0; dpl_library(i, &name, &version); i++)
        dpl_json_cstr(&j, name, version);
    dpl_json_end(&j, '}');
    cli_summary_end(&j);
}

static void print_text(const dpl_ctx *ctx)
{
    char memory[32];
    const char *name, *version;
    dpl_cpu cpu = dpl_ctx_cpu(ctx), best = dpl_cpu_best();
    cli_print("%s %s\n", cli_this->name, dpl_version());
    cli_print("compiler   %s\n", dpl_compiler());
    cli_print("cpu        %s", dpl_cpu_name(cpu));
    if (cpu != best)
        cli_print(" (this machine has %s)", dpl_cpu_name(best));
    cli_print("\nthreads    %u\n", dpl_ctx_threads(ctx));
    cli_print("memory     %s at most\n", cli_bytes(memory, dpl_ctx_memory(ctx)));
    cli_print("libraries ");
    for (size_t i = 0; dpl_library(i, &name, &version); i++)
        cli_print("%s %s %s", i ? "," : "", name, version);
    cli_print("\n");
}

static int run(dpl_ctx *ctx, char **args, size_t n_args, void *user)
{
    (void)args, (void)n_args, (void)user;
    (cli_set.json ? print_json : print_text)(ctx);
    return CLI_DONE;
}

const cli_command cli_version = {
    .name = "--version",
    .summary = "print the version, and what this build runs on",
    .synopsis = "",
    .about = "Print the version of doppel, and the threads, memory and instruction set "
             "that a command with the same options would use.",
    .examples = examples,
    .json = json_keys,
    .argument = "ARGUMENT",
    .ends_at_once = true,
    .work = run,
};
