/*
 * shared_part.c - --part i/n of commands that do one run together.
 */
#define _POSIX_C_SOURCE 200809L
#include "cli/shared_part.h"

#include "cli/command.h"
#include "cli/part_option.h"
#include "cli/progress.h"
#include "cli/talk.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

/* What is the same in all processes of a run: the command without options that change nothing
 * in its result, and name, size and time of the inputs. To be freed. */
static char *describe(char *const *inputs, size_t n_inputs)
{
    size_t n = 0, size = strlen(cli_typed_result()) + 200;
    for (size_t i = 0; i < n_inputs; i++)
        size += strlen(inputs[i]) + 100;
    char *text = malloc(size);
    if (!text)
        return NULL;
    n = (size_t)snprintf(text, size, "doppel %s\n%s\n", dpl_version(), cli_typed_result());
    for (size_t i = 0; i < n_inputs; i++) {
        struct stat st = {0};
        (void)stat(inputs[i], &st); /* a missing file is reported when it is opened */
        n += (size_t)snprintf(text + n, size - n, "%s %lld %lld\n", inputs[i],
                              (long long)st.st_size, (long long)st.st_mtim.tv_sec);
    }
    return text;
}

static void say_over(cli_shared *s)
{
    s->is_over = true;
    cli_part_say(
        &(cli_part_said){.number = s->part.number + 1, .n = s->part.n, .is_over = true},
        s->output, NULL);
}

/* Without a text nothing happens. *path becomes what this process writes to. */
static int begin(cli_shared *s, const char **path, dpl_ctx *ctx)
{
    dpl_error err = {0};
    *path = s->output;
    if (!s->text)
        return CLI_DONE;
    int code = cli_part_parse(&s->part, s->text);
    if (code != CLI_DONE)
        return code;
    for (size_t i = 0; i <= s->n_inputs; i++)
        if (strcmp(i < s->n_inputs ? s->inputs[i] : s->output, "-") == 0) {
            cli_error("--part needs files that all parts see, not '-'");
            return CLI_USAGE;
        }
    char *settings = describe(s->inputs, s->n_inputs);
    const dpl_status status =
        dpl_shared_run_open(&s->run, ctx, s->output, &s->part, settings ? settings : "", &err);
    free(settings);
    if (status == DPL_END)
        say_over(s);
    else if (status != DPL_OK)
        return cli_fail_or_stop(&err);
    else
        *path = dpl_shared_run_path(s->run);
    return CLI_DONE;
}

int cli_shared_run(cli_shared *s, dpl_ctx *ctx)
{
    const char *path;
    dpl_error err = {0};
    int code = begin(s, &path, ctx);
    if (code != CLI_DONE || s->is_over)
        return code;
    code = s->call(path, s->user, &err);
    if (err.status && s->run && dpl_shared_run_is_done(s->run)) {
        say_over(s);
        return CLI_DONE;
    }
    if (!err.status && code == CLI_DONE && s->run)
        dpl_shared_run_publish(s->run, &err);
    return err.status ? cli_fail_or_stop(&err) : code;
}

void cli_shared_close(cli_shared *s)
{
    dpl_shared_run_close(s->run);
    s->run = NULL;
}
