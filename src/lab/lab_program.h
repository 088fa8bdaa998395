/*
 * lab_program.h - the program doppel-lab: its commands, each in cmd_<name>.c. The program is
 * the command line of doppel (src/cli) with another table.
 */
#ifndef DPL_LAB_PROGRAM_H
#define DPL_LAB_PROGRAM_H

#include "cli/command.h"

extern const cli_command lab_list, lab_run, lab_all, lab_synth, lab_stress;
extern const cli_program lab_program;

/* ---- steps of 'doppel-lab all' (lab_program_steps.c) ---------------------------------------
 * Every experiment behind docs/measurements/REPRODUCTION.md, each on the collections that suit
 * it. */

/* Which steps, and how. */
typedef struct lab_choice {
    unsigned seeds;   /* of experiments with chance in them */
    unsigned threads; /* 0: all */
    bool is_quick;    /* one seed, fewer points, no step that is long */
    const char *only; /* experiments whose names begin so; NULL: all */
} lab_choice;

typedef struct lab_step {
    char folder[40]; /* of its output; "data" for collections that are made */
    char name[40];   /* of the experiment, script or collection */
    bool is_made;    /* a collection, which other steps read as $MADE/name */
    double seconds;  /* processor seconds to expect */
    char command[800];
} lab_step;

/* The i-th step of the choice; false behind the last. Its command is one of a shell that does
 * not split what a variable holds: $DATA has the collections at hand, $MADE those that are
 * made, $TO is the folder, or collection, to write, $LAB the program, $N_ROWS, $N_TOPICAL and
 * $N_SURFACE are sizes. Collections that no step of the choice reads are left out. */
bool lab_step_get(lab_step *out, const lab_choice *choice, size_t i);

#endif
