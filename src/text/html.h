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
#ifndef DPL_TEXT_HTML_H
#define DPL_TEXT_HTML_H

#include "doppel/text.h"

#include "base/arena.h"

/* Fills title, lang and text of the document; html is valid UTF-8. With err left alone,
 * DPL_E_FORMAT for a page that no browser would show: thousands of elements deep; DPL_E_LIMIT
 * for one whose tree takes more than half of the context's memory or 256 times the page. */
dpl_status dpl__html_read(dpl_doc *doc, dpl__arena *arena, dpl_str html, dpl_error *err);

#endif
