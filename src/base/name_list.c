/*
 * name_list.c - names for a message, up to a number of them and of bytes each.
 */
#include "base/name_list.h"

#include "base/ascii.h"

#include <stdio.h>

void dpl__name_list_add(dpl__name_list *l, dpl_str name)
{
    const size_t at = strlen(l->text);
    assert(at < sizeof l->text);
    size_t n = name.n; /* no character is cut */
    if (n > DPL__NAME_BYTES)
        n = dpl__char_begin(name.data, DPL__NAME_BYTES);
    if (l->n++ == DPL__NAMES_LISTED)
        snprintf(l->text + at, sizeof l->text - at, " ...");
    if (l->n > DPL__NAMES_LISTED)
        return;
    snprintf(l->text + at, sizeof l->text - at, "%s'%.*s%s'", at ? ", " : "", (int)n,
             n ? name.data : "", n < name.n ? "..." : "");
}
