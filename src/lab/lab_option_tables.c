/*
 * lab_option_tables.c - the laboratory's option tables by name.
 */
#include <string.h>

#include "base/options.h"
#include "doppel-lab/lab.h"
#include "lab/lab_option_tables.h"

const dpl_option_table *dpl_lab_option_table_of(const char *name)
{
    const dpl_option_table *const tables[] = {
        dpl__lab_option_table(), dpl__synth_option_table(), dpl__embed_option_table()};
    for (size_t i = 0; i < DPL_LEN(tables); i++)
        if (strcmp(tables[i]->name, name) == 0)
            return tables[i];
    return NULL;
}
