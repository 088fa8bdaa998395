/*
 * dropped.h - sentence pairs that a run leaves out: how many, why, and some examples.
 */
#ifndef DPL_MINE_DROPPED_H
#define DPL_MINE_DROPPED_H

#include "sentences/beads_writer.h"

struct dpl__pair_run;

/* Verdicts, then what formats for a corpus (moses, tmx, xliff) leave out of what is kept. */
enum {
    DPL__DROPPED_LOW = DPL_N_VERDICTS, /* a lower score than they take */
    DPL__DROPPED_SAME,                 /* again, or again with other numbers */
    DPL__N_DROPPED
};

typedef struct dpl__dropped_reason {
    const char *name, *what; /* static */
    uint64_t n;
    dpl__bead_examples examples; /* borrowed from the collections */
} dpl__dropped_reason;

/* The kept ones have number 0 and no name. */
typedef struct dpl__dropped {
    dpl__dropped_reason reasons[DPL__N_DROPPED];
} dpl__dropped;

/* Collects from all beads of the run and from its writer of a corpus (NULL: none). */
dpl_status dpl__dropped_collect(dpl__dropped *out, const struct dpl__pair_run *run,
                                const dpl_beads_writer *corpus, dpl_error *err);

/* dropped.tsv: reason, number, left id, right id, left and right sentences; a line for each
 * example. */
dpl_status dpl__dropped_write(const dpl__dropped *dropped, const struct dpl__pair_run *run,
                              dpl_error *err);

#endif
