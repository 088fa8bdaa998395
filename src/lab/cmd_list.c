/*
 * cmd_list.c - doppel-lab list: the experiments, with paper and figure.
 */
#include "cli/notes.h"
#include "cli/talk.h"
#include "lab/lab_program.h"

#include "doppel-lab/lab.h"

#include <stdio.h>

static const cli_item examples[] = {
    {"doppel-lab list", "all experiments"},
    {"doppel-lab list --json | jq -r '.experiments[].name'", "their names, for a script"},
    {0},
};

static const cli_item json_keys[] = {
    {"experiments", "array of objects: name, paper, item, title, claim, needs"},
    {0},
};

static void print_json(void)
{
    dpl_json j = cli_summary_begin(false);
    dpl_json_begin(&j, "experiments", '[');
    const dpl_lab_experiment *e;
    for (size_t i = 0; (e = dpl_lab_get_experiment(i)) != NULL; i++) {
        char needs[200];
        dpl_json_begin(&j, NULL, '{');
        dpl_json_cstr(&j, "name", e->name);
        dpl_json_cstr(&j, "paper", e->paper);
        dpl_json_cstr(&j, "item", e->item);
        dpl_json_cstr(&j, "title", e->title);
        dpl_json_cstr(&j, "claim", e->claim);
        dpl_json_cstr(&j, "needs", dpl_lab_needs(needs, sizeof needs, e));
        dpl_json_end(&j, '}');
    }
    dpl_json_end(&j, ']');
    cli_summary_end(&j);
}

static int run(char **args, size_t n_args, void *user)
{
    (void)args, (void)n_args, (void)user;
    if (cli_set.json) {
        print_json();
        return CLI_DONE;
    }
    const char *paper = "";
    const dpl_lab_experiment *e;
    for (size_t i = 0; (e = dpl_lab_get_experiment(i)) != NULL; i++) {
        char line[600], needs[200];
        if (e->paper != paper && *paper)
            cli_write("\n", 1);
        if (e->paper != paper) {
            const int n = snprintf(line, sizeof line, "%s\n", e->paper);
            cli_write(line, (size_t)n);
        }
        paper = e->paper;
        const int n =
            snprintf(line, sizeof line, "  %-18s %-11s %s\n  %-30s needs %s\n", e->name,
                     e->item, e->title, "", dpl_lab_needs(needs, sizeof needs, e));
        cli_write(line, (size_t)n);
    }
    return CLI_DONE;
}

const cli_command lab_list = {
    .name = "list",
    .summary = "list the experiments of 'doppel-lab'",
    .synopsis = "",
    .about =
        "List the experiments of 'doppel-lab': name, figure or table of the paper, title, and "
        "what it needs.",
    .examples = examples,
    .json = json_keys,
    .see_also = "doppel-lab-EXPERIMENT(1)",
    .argument = "",
    .run = run,
};
