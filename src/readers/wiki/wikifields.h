/*
 * wikifields.h - what a page of a wiki says outside of its text: values of infoboxes, cells of
 * tables, as plain text.
 *
 *     dpl__wiki_fields f = {.ctx = ctx, .wants = DPL__WIKI_INFOBOX | DPL__WIKI_TABLES};
 *     DPL_TRY(dpl__wikitext_plain(&text, &w, &arena, source, err));
 *     DPL_TRY(dpl__wiki_fields_find(&f, &w, source, err));
 *     dpl__wiki_fields_clear(&f);
 */
#ifndef DPL_READERS_WIKI_WIKIFIELDS_H
#define DPL_READERS_WIKI_WIKIFIELDS_H

#include "readers/wiki/wikitext.h"

enum { DPL__WIKI_INFOBOX = 1, DPL__WIKI_TABLES = 2 };

/* Scratch, and the fields of the last page. Owned. */
typedef struct dpl__wiki_fields {
    dpl_ctx *ctx;
    unsigned wants; /* of the above */
    dpl__wikitext inner;
    dpl__arena arena;   /* of one value at a time */
    dpl__bytes members; /* ,"infobox":[{"template":"T","values":{"name":"value"}}],
                           "tables":[[["cell","cell"],["cell"]]]; or nothing */
    dpl__bytes text;    /* the same as paragraphs: a value, or the cells of a row; a section for
                           each infobox and table */
    DPL_VEC(dpl_str) parts;         /* of a template */
    DPL_VEC(dpl_str) names, values; /* of an infobox */
} dpl__wiki_fields;

/* "infobox,tables", in any order; false: it names something else. NULL is none. */
bool dpl__wiki_fields_parse(unsigned *wants, const char *list);

/* page: the converter that has just converted the source. */
dpl_status dpl__wiki_fields_find(dpl__wiki_fields *f, const dpl__wikitext *page, dpl_str source,
                                 dpl_error *err);
void dpl__wiki_fields_clear(dpl__wiki_fields *f);

#endif
