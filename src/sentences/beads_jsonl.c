/*
 * beads_jsonl.c - beads as JSON Lines.
 */
#include "sentences/beads_writer.h"

static void put_jsonl(dpl_beads_writer *w, const dpl__bead_row *row)
{
    const dpl_bead *b = row->bead;
    dpl__bead_put_cstr(w, "{\"left_id\":\"");
    dpl__bead_put_id(w, row->id[0], DPL__ESCAPE_JSON);
    dpl__bead_put_cstr(w, "\",\"right_id\":\"");
    dpl__bead_put_id(w, row->id[1], DPL__ESCAPE_JSON);
    dpl__bead_put_cstr(w, "\",\"left\":");
    dpl__bead_put_units(w, 0, b->left, b->n_left);
    dpl__bead_put_cstr(w, ",\"right\":");
    dpl__bead_put_units(w, 1, b->right, b->n_right);
    dpl__bead_put_cstr(w, ",\"left_sentence\":\"");
    dpl__bead_put_text(w, 0, row->text[0], DPL__ESCAPE_JSON);
    dpl__bead_put_cstr(w, "\",\"right_sentence\":\"");
    dpl__bead_put_text(w, 0, row->text[1], DPL__ESCAPE_JSON);
    dpl__bead_put_cstr(w, "\",\"score\":");
    dpl__bead_put_score(w, b->score);
    if (w->options.all) {
        dpl__bead_put_cstr(w, ",\"verdict\":\"");
        dpl__bead_put_cstr(w, dpl_verdict_name(b->verdict));
        dpl__bead_put_cstr(w, "\"");
    }
    for (int i = 0; i < 2 && w->options.with_langs; i++) {
        dpl__bead_put_cstr(w, i ? "\",\"right_lang\":\"" : ",\"left_lang\":\"");
        dpl__bead_put_id(w, row->lang[i], DPL__ESCAPE_JSON);
        dpl__bead_put_cstr(w, i ? "\"" : "");
    }
    dpl__bead_put_cstr(w, "}\n");
}

const dpl__beads_format dpl__beads_jsonl = {
    .info = {.name = "jsonl",
             .about = "the columns of tsv and the numbers of the sentences, an object per line",
             .has_verdicts = true},
    .row = put_jsonl,
    .has_numbers = true};
