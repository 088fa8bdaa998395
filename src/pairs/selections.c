/*
 * selections.c - the table of selections, by the numbers of dpl_select.
 */
#include "pairs/selections.h"

#include "base/base.h"

#include <string.h>

static const dpl__selection selections[] = {
    [DPL_SELECT_ALL] = {.name = "all", .help = "all pairs at or above the threshold"},
    [DPL_SELECT_BEST] = {.name = "best",
                         .help = "the n best of every left document",
                         .is_limited = true},
    [DPL_SELECT_MUTUAL] = {.name = "mutual",
                           .help = "pairs in which each document is the other's best",
                           .is_mutual = true},
    [DPL_SELECT_ONE_TO_ONE] = {.name = "one-to-one",
                               .help = "every document in at most one pair",
                               .is_one_to_one = true},
};

const dpl__selection *dpl__selection_of(dpl_select select)
{
    return (unsigned)select < DPL_LEN(selections) ? &selections[select] : NULL;
}

const char *dpl_select_name(dpl_select select)
{
    const dpl__selection *s = dpl__selection_of(select);
    return s ? s->name : NULL;
}

const char *dpl_select_help(dpl_select select)
{
    const dpl__selection *s = dpl__selection_of(select);
    return s ? s->help : NULL;
}

bool dpl_select_parse(dpl_select *out, const char *name)
{
    for (size_t i = 0; i < DPL_LEN(selections); i++)
        if (strcmp(selections[i].name, name) == 0) {
            *out = (dpl_select)i;
            return true;
        }
    return false;
}
