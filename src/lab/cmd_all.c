/*
 * cmd_all.c - doppel-lab all: everything behind docs/measurements/REPRODUCTION.md.
 *
 * Each step is a process of its own: its processor time is known, and one that fails stops no
 * other. DIR/steps.tsv has a line for each that is done; a command found there is not run
 * again.
 */
#include "cli/figure_lines.h"
#include "cli/progress.h"
#include "cli/shared.h"
#include "cli/talk.h"
#include "lab/lab_program.h"

#include "doppel-lab/lab.h"

#include <errno.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

extern char **environ;

typedef struct settings {
    const char *folder, *only;
    unsigned seeds;
    bool quick, list;
} settings;

static const settings defaults = {.seeds = 5};

static const cli_option options[] = {
    CLI_FOLDER_OPTION(&defaults.folder,
                      "write pages, tables and pictures to a folder of DIR for each collection",
                      .is_common = true, ),
    {.name = "quick",
     .flag = &defaults.quick,
     .is_common = true,
     .help = "one seed, fewer points, smaller collections, no training of translators for "
             "BLEU: minutes instead of hours"},
    {.name = "only",
     .value = "NAME",
     .text = &defaults.only,
     .is_common = true,
     .help = "only experiments whose names begin with NAME"},
    {.name = "seeds",
     .value = "N",
     .count = &defaults.seeds,
     .min = 1,
     .max = 20,
     .standard = "5",
     .help = "run with N seeds: means with 95 % intervals"},
    {.name = "list",
     .flag = &defaults.list,
     .is_common = true,
     .help = "print the commands of the steps instead of running them"},
    {0},
};

static const cli_item examples[] = {
    {"doppel-lab all ../data --quick -o lab", "everything once, with one seed"},
    {"doppel-lab all ../data -o lab", "the full set; the same command goes on after a stop"},
    {"doppel-lab all ../data --only lunch --list -o lab", "commands of one paper"},
    {0},
};

/* The run. */
typedef struct all {
    const char *folder;
    char log[4200];
    uint64_t n_steps, n_before, n_failed;
    double core_seconds, seconds;
    double began, expected_left, expected_done; /* processor seconds */
} all;

static const dpl_figure figures[] = {
    CLI_COUNT_FIGURE(all, "steps", n_steps, .help = "number of steps", .label = "steps",
                     .remark = "{done_before} of them done before, {failed} failed"),
    CLI_COUNT_FIGURE(all, "done_before", n_before, .help = "of them, done by an earlier run"),
    CLI_COUNT_FIGURE(all, "failed", n_failed, .help = "of them, failed"),
    CLI_REAL_FIGURE(all, "core_seconds", core_seconds,
                    .help = "processor time of all that are done, earlier runs included",
                    .label = "core time", .value = "{core_seconds:.0f} s",
                    .remark = "of all that are done"),
    CLI_SECONDS_FIGURE(all, seconds),
};
static const dpl_summary_table summary = CLI_SUMMARY(all, figures);

static double child_seconds(void)
{
    struct rusage u;
    getrusage(RUSAGE_CHILDREN, &u);
    return (double)(u.ru_utime.tv_sec + u.ru_stime.tv_sec) +
           1e-6 * (double)(u.ru_utime.tv_usec + u.ru_stime.tv_usec);
}

/* ---- what is done ------------------------------------------------------------------------ */

static const char *log_name(bool is_quick)
{
    return is_quick ? "steps-quick.tsv" : "steps.tsv";
}

/* Processor seconds of a command in the log, or of all of them; negative: it is not there. */
static double logged(const char *log, const char *command)
{
    char line[1000];
    double seconds, sum = command ? -1 : 0;
    FILE *f = fopen(log, "re");
    while (f && fgets(line, sizeof line, f)) {
        line[strcspn(line, "\n")] = 0;
        const char *last = strrchr(line, '\t');
        const bool is_it = last && (!command || strcmp(last + 1, command) == 0);
        if (is_it && sscanf(line, "%lf", &seconds) == 1)
            sum = command ? seconds : sum + seconds;
    }
    if (f)
        fclose(f);
    return sum;
}

static void write_log(const all *a, const lab_step *s, double core, double seconds)
{
    FILE *f = fopen(a->log, "ae");
    if (f && fprintf(f, "%.1f\t%.1f\t%s\t%s\t%s\n", core, seconds, s->folder, s->name,
                     s->command) < 0)
        cli_error("cannot write '%s': %s", a->log, strerror(errno));
    if (f)
        fclose(f);
}

/* DIR/index.md: all pages. */
static void write_index(const all *a, const lab_choice *choice)
{
    char path[4200];
    lab_step s;
    snprintf(path, sizeof path, "%s/index.md", a->folder);
    FILE *f = fopen(path, "we");
    if (!f) {
        cli_error("cannot write '%s': %s", path, strerror(errno));
        return;
    }
    fprintf(f, "# All experiments\n\n%.0f core seconds; steps.tsv has those of each.\n\n",
            logged(a->log, NULL));
    for (size_t i = 0; lab_step_get(&s, choice, i); i++) {
        const dpl_lab_experiment *e = dpl_lab_find_experiment(s.name);
        if (e && logged(a->log, s.command) >= 0)
            fprintf(f, "- [%s, %s: %s](%s/%s.md) (%s)\n", e->paper, e->item, e->title, s.folder,
                    s.name, s.folder);
    }
    fclose(f);
}

/* ---- a step ------------------------------------------------------------------------------ */

/* Runs a command; its exit status, or -1 where it was stopped. */
static int run_command(const char *text)
{
    char command[900], shell[] = "bash", flag[] = "-c";
    char *arguments[] = {shell, flag, command, NULL};
    pid_t pid;
    int status;
    snprintf(command, sizeof command, "set -efo pipefail; IFS=; mkdir -p ${TO%%/*}; %s", text);
    if (posix_spawnp(&pid, shell, NULL, NULL, arguments, environ) != 0)
        return CLI_FAILED;
    while (waitpid(pid, &status, 0) < 0)
        if (errno != EINTR)
            return CLI_FAILED;
    return !WIFEXITED(status) || WEXITSTATUS(status) == CLI_INTERRUPTED ? -1
                                                                        : WEXITSTATUS(status);
}

static void note_step(const all *a, const lab_step *s, size_t number, double core)
{
    char left[60] = "";
    if (a->expected_done > 0 && a->expected_left > 0)
        snprintf(left, sizeof left, "; about %.0f min left",
                 (cli_now() - a->began) * a->expected_left / a->expected_done / 60);
    cli_note("%zu of %zu  %-22s %-18s %6.1f core s%s", number, (size_t)a->n_steps, s->folder,
             s->name, core, left);
}

static int run_step(all *a, const lab_step *s, size_t number)
{
    char to[4400];
    snprintf(to, sizeof to, "%s/%s%s%s", a->folder, s->folder, s->is_made ? "/" : "",
             s->is_made ? s->name : "");
    a->expected_left -= s->seconds;
    if (logged(a->log, s->command) >= 0 && access(to, F_OK) == 0) {
        a->n_before++;
        return CLI_DONE;
    }
    setenv("TO", to, 1);
    cli_status(s->name);
    const double began = cli_now(), core_began = child_seconds();
    const int code = run_command(s->command);
    const double core = child_seconds() - core_began;
    cli_status(NULL);
    if (code < 0)
        return CLI_INTERRUPTED;
    a->expected_done += s->seconds;
    if (code == 0) {
        write_log(a, s, core, cli_now() - began);
        note_step(a, s, number, core);
    } else {
        a->n_failed++;
        cli_error("'%s' of '%s' failed", s->name, s->folder);
    }
    return CLI_DONE;
}

/* ---- all of them ------------------------------------------------------------------------- */

static void set_variables(const all *a, const char *data, bool is_quick)
{
    char made[4200], self[4096];
    snprintf(made, sizeof made, "%s/data", a->folder);
    const ssize_t n = readlink("/proc/self/exe", self, sizeof self - 1);
    self[n > 0 ? n : 0] = 0;
    const char *const variables[][2] = {{"DATA", data},
                                        {"MADE", made},
                                        {"LAB", n > 0 ? self : "doppel-lab"},
                                        {"N_ROWS", is_quick ? "10000" : "50000"},
                                        {"N_TOPICAL", is_quick ? "20000" : "100000"},
                                        {"N_SURFACE", is_quick ? "3000" : "48000"}};
    for (size_t i = 0; i < sizeof variables / sizeof *variables; i++)
        setenv(variables[i][0], variables[i][1], 1);
}

static int report(all *a)
{
    a->core_seconds = logged(a->log, NULL);
    a->seconds = cli_now() - a->began;
    cli_say_summary(&summary, a, false);
    if (!a->n_failed)
        return CLI_DONE;
    cli_error("%zu of %zu steps failed", (size_t)a->n_failed, (size_t)a->n_steps);
    cli_hint("the same command tries them again; collections are made by scripts of bench/, in "
             "the current folder");
    return CLI_FAILED;
}

static int run_all(all *a, const lab_choice *choice, const char *data)
{
    lab_step s;
    int code = CLI_DONE;
    char other[4200];
    snprintf(other, sizeof other, "%s/%s", a->folder, log_name(!choice->is_quick));
    if (access(other, F_OK) == 0) {
        cli_error("'%s' has what a run %s --quick made", a->folder,
                  choice->is_quick ? "without" : "with");
        cli_hint("take another folder");
        return CLI_USAGE;
    }
    set_variables(a, data, choice->is_quick);
    cli_note("%zu steps, an estimated %.0f core minutes", (size_t)a->n_steps,
             a->expected_left / 60);
    for (size_t i = 0; code == CLI_DONE && lab_step_get(&s, choice, i); i++)
        code = run_step(a, &s, i + 1);
    write_index(a, choice);
    return code == CLI_DONE ? report(a) : code;
}

static int run(char **args, size_t n_args, void *user)
{
    (void)n_args;
    const settings *o = user;
    const lab_choice choice = {
        .seeds = o->seeds, .threads = cli_set.threads, .is_quick = o->quick, .only = o->only};
    all a = {.folder = o->folder, .began = cli_now()};
    lab_step s;
    snprintf(a.log, sizeof a.log, "%s/%s", o->folder, log_name(o->quick));
    for (; lab_step_get(&s, &choice, a.n_steps); a.n_steps++) {
        a.expected_left += s.seconds;
        if (o->list)
            cli_print("%s\t%s\t%s\n", s.folder, s.name, s.command);
    }
    if (!a.n_steps) {
        cli_error("there is no experiment '%s'", o->only);
        cli_hint("'doppel-lab list' names the experiments");
        return CLI_USAGE;
    }
    return o->list ? CLI_DONE : run_all(&a, &choice, args[0]);
}

const cli_command lab_all = {
    .name = "all",
    .summary = "run every experiment of the page on the reproduction",
    .synopsis = "DATA -o DIR",
    .about =
        "Run everything behind the page on the reproduction of the papers (docs/measurements): "
        "each experiment on the collections that suit it, with several seeds, as doppel does "
        "it and, in folders that end in -as-paper, as the papers do. DATA is a folder of "
        "collections with the names that the page and --list have. Collections that must be "
        "made come first, in DIR/data, by scripts of bench/ in the current folder."
        "\n"
        "\n"
        "DIR gets a folder for each collection, index.md, which links to all pages, and "
        "steps.tsv: processor seconds, seconds, folder, name and command of each step that is "
        "done. The same command goes on where it was stopped, and tries again what failed.",
    .options = options,
    .examples = examples,
    .figures = &summary,
    .see_also = "doppel-lab-EXPERIMENT(1), doppel-lab-list(1)",
    .argument = "DATA",
    .min_args = 1,
    .max_args = 1,
    .complete = CLI_FOLDERS,
    .run = run,
    .ends_at_once = true,
    CLI_DEFAULTS(defaults),
};
