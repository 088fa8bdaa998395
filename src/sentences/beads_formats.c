/*
 * beads_formats.c - what each format makes of a bead.
 */
#include "sentences/beads_writer.h"

#include <stdio.h>

/* ---- columns ------------------------------------------------------------------------ */

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
    if (w->options.has_all) {
        dpl__bead_put_cstr(w, "\t");
        dpl__bead_put_cstr(w, dpl_verdict_name(row->bead->verdict));
    }
    dpl__bead_put_cstr(w, "\n");
}

const dpl__beads_ops dpl__beads_tsv = {.row = put_tsv, .has_verdicts = true};

static void put_moses(dpl_beads_writer *w, const dpl__bead_row *row)
{
    for (int i = 0; i < 2; i++) {
        dpl__bead_put_text(w, i, row->text[i], DPL__ESCAPE_NONE);
        dpl__bead_put(w, i, "\n", 1);
    }
}

const dpl__beads_ops dpl__beads_moses = {.row = put_moses};

/* ---- JSON --------------------------------------------------------------------------- */

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
    if (w->options.has_all) {
        dpl__bead_put_cstr(w, ",\"verdict\":\"");
        dpl__bead_put_cstr(w, dpl_verdict_name(b->verdict));
        dpl__bead_put_cstr(w, "\"");
    }
    dpl__bead_put_cstr(w, "}\n");
}

const dpl__beads_ops dpl__beads_jsonl = {
    .row = put_jsonl, .has_numbers = true, .has_verdicts = true};

/* ---- translation memories ----------------------------------------------------------- */

/* A unit's language is that of the header unless it says another one. "*all*": any. */
static void begin_tmx(dpl_beads_writer *w, dpl_str lang)
{
    snprintf(w->head_lang, sizeof w->head_lang, "%.*s", (int)lang.n, lang.n ? lang.data : "");
    dpl__bead_put_cstr(w, "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n"
                          "<!DOCTYPE tmx SYSTEM \"tmx14.dtd\">\n"
                          "<tmx version=\"1.4\">\n"
                          "<header creationtool=\"doppel\" creationtoolversion=\"");
    dpl__bead_put_cstr(w, dpl_version());
    dpl__bead_put_cstr(w,
                       "\" segtype=\"sentence\" o-tmf=\"doppel\" adminlang=\"en\" srclang=\"");
    dpl__bead_put_id(w, lang.n ? lang : DPL_STR("*all*"), DPL__ESCAPE_XML);
    dpl__bead_put_cstr(w, "\" datatype=\"plaintext\"/>\n<body>\n");
}

static void put_prop(dpl_beads_writer *w, const char *type, dpl_str value)
{
    dpl__bead_put_cstr(w, "<prop type=\"");
    dpl__bead_put_cstr(w, type);
    dpl__bead_put_cstr(w, "\">");
    dpl__bead_put_id(w, value, DPL__ESCAPE_XML);
    dpl__bead_put_cstr(w, "</prop>");
}

static void put_tmx(dpl_beads_writer *w, const dpl__bead_row *row)
{
    dpl__bead_put_cstr(w, "<tu");
    if (!dpl__str_eq(row->lang[0], dpl__cstr(w->head_lang))) {
        dpl__bead_put_cstr(w, " srclang=\"");
        dpl__bead_put_id(w, row->lang[0], DPL__ESCAPE_XML);
        dpl__bead_put_cstr(w, "\"");
    }
    dpl__bead_put_cstr(w, "><prop type=\"score\">");
    dpl__bead_put_score(w, row->bead->score);
    dpl__bead_put_cstr(w, "</prop>\n");
    for (int i = 0; i < 2; i++) {
        dpl__bead_put_cstr(w, "<tuv xml:lang=\"");
        dpl__bead_put_id(w, row->lang[i], DPL__ESCAPE_XML);
        dpl__bead_put_cstr(w, "\">");
        put_prop(w, "document", row->id[i]);
        dpl__bead_put_cstr(w, "<seg>");
        dpl__bead_put_text(w, 0, row->text[i], DPL__ESCAPE_XML);
        dpl__bead_put_cstr(w, "</seg></tuv>\n");
    }
    dpl__bead_put_cstr(w, "</tu>\n");
}

static void end_tmx(dpl_beads_writer *w)
{
    dpl__bead_put_cstr(w, "</body>\n</tmx>\n");
}

const dpl__beads_ops dpl__beads_tmx = {.row = put_tmx, .begin = begin_tmx, .end = end_tmx};

/* ---- numbers only ------------------------------------------------------------------- */

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

const dpl__beads_ops dpl__beads_ladder = {.docs = put_ladder, .has_numbers = true};

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

const dpl__beads_ops dpl__beads_vecalign = {.docs = put_vecalign, .has_numbers = true};
