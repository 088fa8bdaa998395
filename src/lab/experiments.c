/*
 * experiments.c - the list of experiments, in the order of the papers.
 */
#include "lab/experiments.h"

#include <stdio.h>

/* clang-format off */
#define LUNCH "No Free Lunch"
#define MINING "Document mining"
#define HASH "Hash-based retrieval"
#define POCKET "Wikipedia in the Pocket"
#define BEYOND "doppel"
/* clang-format on */

const dpl__lab_row dpl__lab_rows[] = {
    {{"plan-settings", BEYOND, "settings", "which method, by size, hardware and recall",
      "There is no single best setting (No Free Lunch): the planner chooses.",
      DPL_LAB_MAY_SYNTH},
     dpl__lab_plan_settings},
    {{0}, NULL},
};

const dpl_lab_experiment *dpl_lab_get_experiment(size_t i)
{
    for (size_t k = 0; k <= i; k++)
        if (!dpl__lab_rows[k].run)
            return NULL;
    return &dpl__lab_rows[i].about;
}

const dpl_lab_experiment *dpl_lab_find_experiment(const char *name)
{
    for (size_t i = 0; dpl__lab_rows[i].run; i++)
        if (strcmp(dpl__lab_rows[i].about.name, name) == 0)
            return &dpl__lab_rows[i].about;
    return NULL;
}

const char *dpl_lab_needs(char *out, size_t n_out, const dpl_lab_experiment *what)
{
    static const struct {
        unsigned bit;
        const char *text;
    } needs[] = {
        {DPL_LAB_ONE, "a collection"},
        {DPL_LAB_TWO, "two collections"},
        {DPL_LAB_GOLD, "gold pairs"},
        {DPL_LAB_TRANSLATED, "translated documents"},
        {DPL_LAB_PARALLEL, "sentence pairs to train on"},
        {DPL_LAB_TEST, "sentence pairs to test with"},
        {DPL_LAB_NEEDS_LINKS, "known links"},
        {DPL_LAB_MAY_SYNTH, "or none: synthetic ones"},
    };
    size_t n = 0;
    *out = 0;
    for (size_t i = 0; i < DPL_LEN(needs) && n < n_out; i++)
        if (what->needs & needs[i].bit)
            n += (size_t)snprintf(out + n, n_out - n, "%s%s", n ? ", " : "", needs[i].text);
    return out;
}
