/*
 * cells_test.h - cells of the tables that an experiment has filled, for its tests.
 */
#ifndef DPL_LAB_CELLS_TEST_H
#define DPL_LAB_CELLS_TEST_H

#include "lab/experiment_table.h"

#include <stdlib.h>

/* NAME, or NAME-more. */
static inline const dpl__lab_table *test_table(const dpl__lab *lab, const char *more)
{
    const size_t n = strlen(lab->about->name);
    for (const dpl__lab_table *t = lab->tables; t; t = t->next)
        if (more ? t->name[n] == '-' && strcmp(t->name + n + 1, more) == 0 : !t->name[n])
            return t;
    return NULL;
}

/* A cell by its row and column, from 0; without data where there is none. */
static inline dpl_str test_cell(const dpl__lab_table *t, size_t row, unsigned column)
{
    size_t at = 0;
    for (size_t skip = row * t->n_columns + column; skip && at < t->cells.n; at++)
        skip -= t->cells.data[at] == '\t' || t->cells.data[at] == '\n';
    size_t end = at;
    while (end < t->cells.n && t->cells.data[end] != '\t' && t->cells.data[end] != '\n')
        end++;
    return (dpl_str){t->cells.data + at, end - at};
}

static inline double test_number(const dpl__lab_table *t, size_t row, unsigned column)
{
    return strtod(test_cell(t, row, column).data, NULL);
}

/* The k-th row, from 0, that begins with a name; SIZE_MAX: there is none. */
static inline size_t test_row(const dpl__lab_table *t, const char *name, size_t k)
{
    for (size_t row = 0; row < t->n_rows; row++) {
        const dpl_str cell = test_cell(t, row, 0);
        if (cell.n == strlen(name) && memcmp(cell.data, name, cell.n) == 0 && k-- == 0)
            return row;
    }
    return SIZE_MAX;
}

#endif
