/*
 * beads_vecalign.c - beads as vecalign writes them: [3,4]:[5]:cost.
 */
#include "sentences/beads_writer.h"

static dpl_status put_vecalign(dpl_beads_writer *w, const dpl_aligned_docs *docs,
                               dpl_error *err)
{
    (void)err;
    for (size_t i = 0; i < docs->n_beads; i++) {
        const dpl_bead *b = &docs->beads[i];
        dpl__bead_put_units(w, 0, b->left, b->n_left);
        dpl__bead_put_cstr(w, ":");
        dpl__bead_put_units(w, 1, b->right, b->n_right);
        dpl__bead_put_cstr(w, ":");
        dpl__bead_put_score(w, 1 - (double)b->score);
        dpl__bead_put_cstr(w, "\n");
        w->n_rows++;
    }
    return DPL_OK;
}

const dpl__beads_format dpl__beads_vecalign = {
    .info = {.name = "vecalign",
             .about = "[3,4]:[5]:cost, where the cost is 1 - score",
             .is_per_pair = true},
    .docs = put_vecalign,
    .has_numbers = true};
