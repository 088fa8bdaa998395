/*
 * beads_ladder.c - beads as a ladder, as hunalign writes it.
 *
 * A rung is where a bead begins, in units of both sides; the last one is where both documents
 * end.
 */
#include "sentences/beads_writer.h"

static void put_rung(dpl_beads_writer *w, const uint32_t at[2], float score)
{
    dpl__bead_put_number(w, at[0]);
    dpl__bead_put_cstr(w, "\t");
    dpl__bead_put_number(w, at[1]);
    dpl__bead_put_cstr(w, "\t");
    dpl__bead_put_score(w, score);
    dpl__bead_put_cstr(w, "\n");
}

/* Moves to where the next bead begins. Empty lines before it are no part of any: they get a
 * rung of their own. */
static void pass_over(dpl_beads_writer *w, uint32_t at[2], const uint32_t to[2])
{
    if (to[0] <= at[0] && to[1] <= at[1])
        return;
    put_rung(w, at, 0);
    for (int i = 0; i < 2; i++)
        at[i] = to[i] > at[i] ? to[i] : at[i];
}

static dpl_status put_ladder(dpl_beads_writer *w, const dpl_aligned_docs *docs, dpl_error *err)
{
    uint32_t next[2] = {0, 0}, at[2] = {0, 0}, to[2]; /* units; numbers */
    for (size_t k = 0; k < docs->n_beads; k++) {
        const dpl_bead *b = &docs->beads[k];
        const uint32_t n[2] = {b->n_left, b->n_right};
        if (b->left != next[0] || b->right != next[1])
            return dpl__fail(err, DPL_E_USAGE, "a ladder has no place for beads that cross");
        for (int i = 0; i < 2; i++)
            to[i] = n[i] ? w->numbers[i].data[next[i]] : at[i];
        pass_over(w, at, to);
        put_rung(w, at, b->score);
        for (int i = 0; i < 2; i++) {
            next[i] += n[i];
            if (n[i])
                at[i] = w->numbers[i].data[next[i] - 1] + 1;
        }
        w->n_rows++;
    }
    for (int i = 0; i < 2; i++)
        to[i] = w->numbers[i].data[docs->n_units[i]];
    pass_over(w, at, to);
    put_rung(w, at, 0);
    return DPL_OK;
}

const dpl__beads_format dpl__beads_ladder = {
    .info = {.name = "ladder",
             .about = "hunalign's: left number, right number and score of where a bead begins",
             .is_per_pair = true,
             .needs_ordering = true},
    .docs = put_ladder,
    .has_numbers = true};
