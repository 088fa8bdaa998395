/*
 * html.h - HTML to the text that a reader sees.
 *
 * Kept: all visible text of the page, a line for each block (paragraph, heading, list item,
 * table cell, caption, option ...), white space collapsed; lines of <pre> stay lines. <title>
 * is the title, the language of <html> (or of a content-language <meta>) the language. Dropped:
 * <nav>, what carries `hidden` or aria-hidden="true", ruby annotations, and what is no text:
 * scripts, styles, templates, noscript, SVG, MathML, frames, objects, media, alt texts. Headers
 * and footers stay: on many pages they hold the headline.
 */
#ifndef DPL_READERS_HTML_HTML_H
#define DPL_READERS_HTML_HTML_H

#include "doppel/text.h"

#include "base/arena.h"

typedef struct dpl__html_options {
    bool is_xml;     /* "<p/>" has no content, CDATA is text: XHTML, as in EPUB. A page that
                        begins with an XML declaration is read so anyway */
    bool with_links; /* say where the text of links stands */
} dpl__html_options;

/* A part of the text, in bytes. */
typedef struct dpl__html_span {
    size_t begin, end;
} dpl__html_span;

/* Valid UTF-8, in the arena. */
typedef struct dpl__html_page {
    dpl_str title;
    dpl_str lang; /* as the page spells it; empty: it does not say */
    dpl_str text; /* lines between '\n', none of them empty, no blanks at their ends */
    const dpl__html_span *links; /* with_links: in order, without overlap */
    size_t n_links;
} dpl__html_page;

/* html is valid UTF-8. options may be NULL. With err left alone, DPL_E_FORMAT for a page that
 * no browser would show: 65 536 elements deep, or made to take for ever. */
dpl_status dpl__html_text(dpl__html_page *page, dpl__arena *arena, dpl_str html,
                          const dpl__html_options *options, dpl_error *err);

/* The same without boilerplate, or only learnt from (DPL_END), as the header says; *n_dropped
 * lines were dropped. site: blocks.h. */
struct dpl__header;
typedef struct dpl__html_source {
    const struct dpl__header *header;
    dpl_str html, id;
    bool is_xml;
    uint64_t key; /* a page that is learnt from is kept with it (blocks.h); 0: it is not */
} dpl__html_source;
dpl_status dpl__html_page_read(dpl__html_page *page, dpl__arena *arena,
                               const dpl__html_source *source, uint64_t *n_dropped,
                               dpl_error *err);

/* The same into title, lang and text of a document. */
dpl_status dpl__html_read(dpl_doc *doc, dpl__arena *arena, dpl_str html, dpl_error *err);

#endif
