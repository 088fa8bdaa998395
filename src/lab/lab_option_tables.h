/*
 * lab_option_tables.h - the laboratory's option tables: lab_options.c, synth_options.c,
 * embed_options.c.
 */
#ifndef DPL_LAB_OPTION_TABLES_H
#define DPL_LAB_OPTION_TABLES_H

#include "doppel/options.h"

const dpl_option_table *dpl__lab_option_table(void);
const dpl_option_table *dpl__synth_option_table(void);
const dpl_option_table *dpl__embed_option_table(void);

#endif
