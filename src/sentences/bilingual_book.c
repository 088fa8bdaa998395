/*
 * bilingual_book.c - beads as elements of XHTML.
 */
#include "sentences/bilingual_book.h"

dpl__book dpl__book_of(const dpl_beads_writer *w, const dpl_aligned_docs *docs)
{
    dpl__book b = {.docs = docs};
    const uint32_t numbers[2] = {docs->docs.left, docs->docs.right};
    for (int side = 0; side < 2; side++) {
        const dpl_doc d = dpl_collection_doc(w->c[side], numbers[side]);
        b.title[side] = d.title.n ? d.title : d.id;
        b.lang[side] = *w->lang[side] ? dpl__cstr(w->lang[side]) : d.lang;
        b.text[side] = d.text;
    }
    return b;
}

dpl_str dpl__book_text(const dpl_beads_writer *w, const dpl__book *b, size_t bead, int side)
{
    const dpl_aligned_docs *d = b->docs;
    const dpl_bead *x = &d->beads[bead];
    const uint32_t doc = side ? d->docs.right : d->docs.left;
    const uint32_t first = side ? x->right : x->left, n = side ? x->n_right : x->n_left;
    const uint32_t *units = d->units[side];
    return n ? dpl_sentences_text(w->c[side], doc, units[first],
                                  units[first + n] - units[first])
             : (dpl_str){"", 0};
}

bool dpl__book_begins_paragraph(const dpl_beads_writer *w, const dpl__book *b, size_t bead)
{
    const dpl_str document = b->text[0], text = dpl__book_text(w, b, bead, 0);
    const char *p = text.data; /* a slice of the document, unless it is empty */
    while (text.n && p > document.data && (p[-1] == ' ' || p[-1] == '\t' || p[-1] == '\r'))
        p--;
    return text.n && (p == document.data || p[-1] == '\n' || p[-1] == DPL_SECTION_MARK);
}

void dpl__book_put_bead(dpl_beads_writer *w, const dpl__book *b, size_t bead)
{
    const dpl_str text[2] = {dpl__book_text(w, b, bead, 0), dpl__book_text(w, b, bead, 1)};
    const bool is_new = dpl__book_begins_paragraph(w, b, bead);
    dpl__bead_put_cstr(w, is_new ? "<div class=\"b n\">" : "<div class=\"b\">");
    for (int side = 0; side < 2; side++) {
        if (!text[side].n) {
            dpl__bead_put_cstr(w,
                               side ? "" : "<p></p>"); /* keeps the right one in its column */
            continue;
        }
        dpl__bead_put_cstr(w, text[!side].n ? "<p lang=\"" : "<p class=\"alone\" lang=\"");
        dpl__bead_put_id(w, b->lang[side], DPL__ESCAPE_XML);
        dpl__bead_put_cstr(w, "\">");
        dpl__bead_put_text(w, 0, text[side], DPL__ESCAPE_XML);
        dpl__bead_put_cstr(w, "</p>");
    }
    dpl__bead_put_cstr(w, "</div>\n");
}
