/*
 * unit.c - the table of units.
 */
#include "mine/unit.h"

static const dpl__unit *const units[] = {
    [DPL_UNIT_DOCUMENT] = &dpl__unit_document,
    [DPL_UNIT_SENTENCE] = &dpl__unit_sentence,
    [DPL_UNIT_PASSAGE] = &dpl__unit_passage,
};

const dpl__unit *dpl__unit_of(dpl_mine_unit number)
{
    return (unsigned)number < DPL_LEN(units) ? units[number] : NULL;
}

const char *dpl_mine_unit_name(dpl_mine_unit number)
{
    const dpl__unit *unit = dpl__unit_of(number);
    return number == DPL_UNIT_AUTO ? "auto" : unit ? unit->name : NULL;
}
