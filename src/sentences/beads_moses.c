/*
 * beads_moses.c - beads as two files with corresponding lines, as the Moses toolkit reads them.
 */
#include "sentences/beads_writer.h"

static void put_moses(dpl_beads_writer *w, const dpl__bead_row *row)
{
    for (int i = 0; i < 2; i++) {
        dpl__bead_put_text(w, i, row->text[i], DPL__ESCAPE_NONE);
        dpl__bead_put(w, i, "\n", 1);
    }
}

const dpl__beads_format dpl__beads_moses = {
    .info = {.name = "moses",
             .about = "two files whose lines are translations of each other",
             .has_two_files = true,
             .is_corpus = true},
    .row = put_moses};
