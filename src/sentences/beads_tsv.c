/*
 * beads_tsv.c - beads as tab-separated columns.
 */
#include "sentences/beads_writer.h"

static void put_tsv(dpl_beads_writer *w, const dpl__bead_row *row)
{
    for (int i = 0; i < 2; i++) {
        dpl__bead_put_id(w, row->id[i], DPL__ESCAPE_NONE);
        dpl__bead_put_cstr(w, "\t");
    }
    for (int i = 0; i < 2; i++) {
        dpl__bead_put_text(w, 0, row->text[i], DPL__ESCAPE_NONE);
        dpl__bead_put_cstr(w, "\t");
    }
    dpl__bead_put_score(w, row->bead->score);
    if (w->options.all) {
        dpl__bead_put_cstr(w, "\t");
        dpl__bead_put_cstr(w, dpl_verdict_name(row->bead->verdict));
    }
    for (int i = 0; i < 2 && w->options.with_langs; i++) {
        dpl__bead_put_cstr(w, "\t");
        dpl__bead_put_id(w, row->lang[i], DPL__ESCAPE_NONE);
    }
    dpl__bead_put_cstr(w, "\n");
}

const dpl__beads_format dpl__beads_tsv = {
    .info = {.name = "tsv",
             .about =
                 "left id, right id, left sentence, right sentence and score, tabs between",
             .has_verdicts = true},
    .row = put_tsv};
