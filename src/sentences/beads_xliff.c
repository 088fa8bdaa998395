/*
 * beads_xliff.c - beads as XLIFF 1.2: a file for each document pair, a unit for each bead.
 *
 * 1.2 and not 2.x, because every translation tool reads it. Targets are translated, not
 * approved: a person has not seen them. The score is a note.
 */
#include "sentences/beads_writer.h"

#include "base/hash.h"

static void begin_xliff(dpl_beads_writer *w, dpl_str lang)
{
    (void)lang;
    dpl__bead_put_cstr(w, "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n"
                          "<xliff version=\"1.2\" "
                          "xmlns=\"urn:oasis:names:tc:xliff:document:1.2\">\n");
}

static void end_file(dpl_beads_writer *w)
{
    if (w->file_key)
        dpl__bead_put_cstr(w, "</body>\n</file>\n");
    w->file_key = 0;
}

static void put_attribute(dpl_beads_writer *w, const char *name, dpl_str value)
{
    dpl__bead_put_cstr(w, " ");
    dpl__bead_put_cstr(w, name);
    dpl__bead_put_cstr(w, "=\"");
    dpl__bead_put_id(w, value, DPL__ESCAPE_XML);
    dpl__bead_put_cstr(w, "\"");
}

static void begin_file(dpl_beads_writer *w, const dpl__bead_row *row)
{
    dpl__bead_put_cstr(w, "<file");
    put_attribute(w, "original", row->id[0]);
    put_attribute(w, "product-name", row->id[1]);
    put_attribute(w, "source-language", row->lang[0]);
    put_attribute(w, "target-language", row->lang[1]);
    dpl__bead_put_cstr(w, " datatype=\"plaintext\">\n<header><tool tool-id=\"doppel\" "
                          "tool-name=\"doppel\"");
    put_attribute(w, "tool-version", dpl__cstr(dpl_version()));
    dpl__bead_put_cstr(w, "/></header>\n<body>\n");
    w->n_file_rows = 0;
}

static void put_xliff(dpl_beads_writer *w, const dpl__bead_row *row)
{
    const uint64_t left = dpl__hash(row->id[0].data, row->id[0].n, 1);
    const uint64_t key = dpl__hash(row->id[1].data, row->id[1].n, left) | 1;
    if (key != w->file_key) {
        end_file(w);
        begin_file(w, row);
        w->file_key = key;
    }
    dpl__bead_put_cstr(w, "<trans-unit id=\"");
    dpl__bead_put_number(w, ++w->n_file_rows);
    dpl__bead_put_cstr(w, "\" approved=\"no\">\n<source>");
    dpl__bead_put_text(w, 0, row->text[0], DPL__ESCAPE_XML);
    dpl__bead_put_cstr(w, "</source>\n<target state=\"translated\">");
    dpl__bead_put_text(w, 0, row->text[1], DPL__ESCAPE_XML);
    dpl__bead_put_cstr(w, "</target>\n<note from=\"doppel\">score ");
    dpl__bead_put_score(w, row->bead->score);
    dpl__bead_put_cstr(w, "</note>\n</trans-unit>\n");
}

static void end_xliff(dpl_beads_writer *w)
{
    end_file(w);
    dpl__bead_put_cstr(w, "</xliff>\n");
}

const dpl__beads_format dpl__beads_xliff = {
    .info = {.name = "xliff", .about = "for translation tools, XLIFF 1.2", .is_corpus = true},
    .row = put_xliff,
    .begin = begin_xliff,
    .end = end_xliff};
