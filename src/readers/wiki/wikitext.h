/*
 * wikitext.h - wikitext to the plain text that a reader of the page would see.
 *
 *     dpl__wikitext w = {.ctx = ctx};
 *     DPL_TRY(dpl__wikitext_plain(&text, &w, &arena, source, err));
 *     for (size_t i = 0; i < w.links.n; i++) ...
 *     dpl__wikitext_clear(&w);
 */
#ifndef DPL_READERS_WIKI_WIKITEXT_H
#define DPL_READERS_WIKI_WIKITEXT_H

#include "base/arena.h"
#include "readers/wiki/wikispans.h"

/* A link that describes the page (category, language) instead of leading somewhere. */
typedef struct dpl__wiki_link {
    const char *lang; /* of an interlanguage link, static text; NULL: a category */
    dpl_str name;     /* slice of the source, as it is written there */
} dpl__wiki_link;

/* The converter: scratch space, and what the last page left behind. Owned. */
typedef struct dpl__wikitext {
    dpl_ctx *ctx;
    const dpl__wiki_site *site; /* NULL: not known */
    dpl__wiki_spans spans;
    DPL_VEC(dpl__wiki_link) links; /* in the order of the page, one per language */
    bool is_disambiguation;        /* a template or a switch of the page says so */
} dpl__wikitext;

/* source is valid UTF-8, shorter than 4 GiB. The text lies in the arena: valid UTF-8, each
 * paragraph, list item and heading on a line that ends with '\n', no line empty, headings with
 * DPL_SECTION_MARK in front. */
dpl_status dpl__wikitext_plain(dpl_str *out, dpl__wikitext *w, dpl__arena *arena,
                               dpl_str source, dpl_error *err);
void dpl__wikitext_clear(dpl__wikitext *w);

#endif
