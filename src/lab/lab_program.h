/*
 * lab_program.h - the program doppel-lab: its commands, each in cmd_<name>.c. The program is
 * the command line of doppel (src/cli) with another table.
 */
#ifndef DPL_LAB_PROGRAM_H
#define DPL_LAB_PROGRAM_H

#include "cli/command.h"

extern const cli_command lab_list, lab_run, lab_synth, lab_stress;
extern const cli_program lab_program;

#endif
