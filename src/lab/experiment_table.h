/*
 * experiment_table.h - what a table of an experiment holds.
 */
#ifndef DPL_LAB_EXPERIMENT_TABLE_H
#define DPL_LAB_EXPERIMENT_TABLE_H

#include "lab/experiment.h"

struct dpl__lab_table {
    dpl__lab *lab;
    dpl__lab_table *next; /* made before it */
    const char *name;     /* of the file, without ".tsv" */
    const char *columns;  /* names with tabs between */
    unsigned n_columns, column;
    size_t n_rows;
    dpl__bytes cells; /* rows as they are written */
};

dpl_status dpl__lab_table_write(const dpl__lab_table *t, dpl_error *err);
void dpl__lab_tables_clear(dpl__lab *lab);

#endif
