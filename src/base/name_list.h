/*
 * name_list.h - the first few names of a list as text, for a message: "'a', 'b', 'c' ...".
 */
#ifndef DPL_BASE_NAME_LIST_H
#define DPL_BASE_NAME_LIST_H

#include "base/base.h"

enum { DPL__NAMES_LISTED = 3, DPL__NAME_BYTES = 60 };

/* Zeroed: no names yet. */
typedef struct dpl__name_list {
    char text[DPL__NAMES_LISTED * (DPL__NAME_BYTES + 8) + 5];
    unsigned n;
} dpl__name_list;

/* Adds a name while there is room for more, then " ..."; of a long one its beginning. */
void dpl__name_list_add(dpl__name_list *list, dpl_str name);

#endif
