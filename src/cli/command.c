/*
 * command.c - the commands of the program: finding one, and what most need first, a context.
 */
#include "cli/command.h"

#include "cli/progress.h"
#include "cli/talk.h"

#include <stdio.h>
#include <string.h>
#include <unistd.h>

#ifdef __GLIBC__
#include <malloc.h>
#endif

const cli_program *cli_this;
const cli_command *const *cli_commands;

void cli_use(const cli_program *program)
{
    cli_this = program;
    cli_commands = program->commands;
}

/* ---- families ----------------------------------------------------------------------- */

bool cli_is_in_family(const cli_command *command, const char *family)
{
    return command->family && strcmp(command->family, family) == 0;
}

const char *cli_first_word(size_t i)
{
    const cli_command *c = cli_commands[i];
    if (!c->family)
        return c->name;
    return i && cli_is_in_family(cli_commands[i - 1], c->family) ? NULL : c->family;
}

const char *cli_family_list(char *out, size_t n_out, const char *family, const char *between)
{
    size_t n = 0;
    *out = 0;
    for (size_t i = 0; cli_commands[i] && n < n_out; i++)
        if (cli_is_in_family(cli_commands[i], family))
            n += (size_t)snprintf(out + n, n_out - n, "%s%s", n ? between : "",
                                  cli_commands[i]->name + strlen(family) + 1);
    return out;
}

/* ---- finding ------------------------------------------------------------------------ */

/* The command of another program that has this name, or NULL. */
static const char *command_elsewhere(const char *name)
{
    for (const cli_item *e = cli_this->elsewhere; e && e->name; e++)
        if (strcmp(e->name, name) == 0)
            return e->text;
    return NULL;
}

static bool unknown_command(const char *name, const char *guess, const char *family)
{
    cli_error("unknown command '%s'", name);
    const char *elsewhere = command_elsewhere(name);
    if (elsewhere)
        cli_hint("it is '%s' now", elsewhere);
    else if (guess)
        cli_hint("did you mean '%s'?", guess);
    else
        cli_hint("'%s help%s%s' lists the commands", cli_this->name, *family ? " " : "",
                 family);
    return false;
}

static bool find_member(cli_found *out, const char *family, const char *word)
{
    char name[80];
    size_t n = (size_t)snprintf(name, sizeof name, "%s ", family);
    snprintf(name + n, sizeof name - n, "%s", word);
    cli_guess guess = {.word = word};
    for (size_t i = 0; cli_commands[i]; i++) {
        const cli_command *c = cli_commands[i];
        if (!cli_is_in_family(c, family))
            continue;
        if (strcmp(c->name, name) == 0) {
            *out = (cli_found){.command = c, .n_words = 2};
            return true;
        }
        if (c->is_default)
            *out = (cli_found){.command = c, .n_words = 1};
        cli_guess_offer(&guess, c->name + n);
    }
    return out->command || unknown_command(name, guess.best ? guess.best - n : NULL, family);
}

bool cli_find_command(cli_found *out, char *const *words, size_t n)
{
    const char *word = words[0];
    cli_guess guess = {.word = word};
    *out = (cli_found){.n_words = 1};
    const cli_command *otherwise = NULL;
    for (size_t i = 0; cli_commands[i]; i++) {
        const cli_command *c = cli_commands[i];
        if (strcmp(c->name, word) == 0) {
            out->command = c;
            return true;
        }
        if (cli_is_in_family(c, word)) {
            out->family = word;
            return n == 1 || words[1][0] == '-' || find_member(out, word, words[1]);
        }
        if (c->is_default && !c->family)
            otherwise = c;
        cli_guess_offer(&guess, c->family ? c->family : c->name);
    }
    if (word[0] != '-' && otherwise)
        *out = (cli_found){.command = otherwise};
    if (word[0] != '-')
        return otherwise || unknown_command(word, guess.best, "");
    cli_error("unknown option '%s'", word);
    cli_hint("the command comes first: %s COMMAND [OPTION]...", cli_this->name);
    return false;
}

/* ---- the context -------------------------------------------------------------------- */

/* What the library has to say, once: some files are opened twice. */
static void take_note(void *user, const char *text)
{
    static char last[1000];
    (void)user;
    if (strcmp(last, text) != 0)
        cli_note("%s", text);
    snprintf(last, sizeof last, "%s", text);
}

uint64_t cli_memory_for_work(uint64_t limit, unsigned n_threads)
{
    enum { PROGRAM = 20 << 20, THREAD = 1 << 20, SMALL = 64 << 20, LARGE = 512 << 20 };
    if (limit >= LARGE)
        return limit;
    const uint64_t own = PROGRAM + (uint64_t)n_threads * THREAD,
                   least = limit < SMALL ? SMALL : limit,
                   left = least - (own < least / 3 ? own : least / 3);
    return limit < left ? limit : left;
}

int cli_ctx_new(dpl_ctx **out, bool stops_cleanly)
{
    static cli_meter meter;
    *out = NULL;
    const unsigned n_threads =
        cli_set.threads ? cli_set.threads : (unsigned)sysconf(_SC_NPROCESSORS_ONLN);
    dpl_ctx_options o =
        DPL_INIT(dpl_ctx_options, .n_threads = cli_set.threads,
                 .memory = cli_memory_for_work(cli_set.memory, n_threads), .seed = cli_set.seed,
                 .cpu = (dpl_cpu)cli_set.cpu, .progress = cli_progress, .progress_user = &meter,
                 .device = cli_device_name(), .note = take_note);
#ifdef __GLIBC__
    /* Large blocks that were freed go back at once: else the process holds up to twice what is
     * counted. It costs some time, so only those who set a limit pay for it. */
    if (cli_set.memory)
        mallopt(M_MMAP_THRESHOLD, 1 << 17);
#endif
    if (stops_cleanly)
        cli_stop_on_signals();
    dpl_error err = {0};
    return dpl_ctx_new(out, &o, &err) == DPL_OK ? CLI_DONE : cli_fail(&err);
}
