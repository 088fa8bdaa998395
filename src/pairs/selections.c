/*
 * selections.c - the table of selections, by the numbers of dpl_select.
 */
#include "pairs/selections.h"

#include "base/base.h"

static const dpl__selection selections[] = {
    [DPL_SELECT_ALL] = {.name = "all"},
    [DPL_SELECT_BEST] = {.name = "best", .is_limited = true},
    [DPL_SELECT_MUTUAL] = {.name = "mutual", .is_mutual = true},
    [DPL_SELECT_ONE_TO_ONE] = {.name = "one-to-one", .is_one_to_one = true},
    [DPL_SELECT_NEAR] = {.name = "near", .is_one_to_one = true, .is_near = true},
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
