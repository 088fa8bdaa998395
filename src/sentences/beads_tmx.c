/*
 * beads_tmx.c - beads as a translation memory, TMX 1.4b.
 */
#include "sentences/beads_writer.h"

#include <stdio.h>

/* A unit's language is that of the header unless it has its own. "*all*": any. */
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

const dpl__beads_format dpl__beads_tmx = {
    .info = {.name = "tmx", .about = "a translation memory, TMX 1.4b", .is_corpus = true},
    .row = put_tmx,
    .begin = begin_tmx,
    .end = end_tmx};
