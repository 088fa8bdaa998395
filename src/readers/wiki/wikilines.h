/*
 * wikilines.h - lines of plain text under construction: wikitext.c writes them piece by piece,
 * wikilines.c makes them presentable. Owned.
 */
#ifndef DPL_READERS_WIKI_WIKILINES_H
#define DPL_READERS_WIKI_WIKILINES_H

#include "base/base.h"

enum {
    DPL__HOLE = 1, /* in the line being written: something was taken out here */
    DPL__HEADINGS = 6
};

typedef struct dpl__wiki_lines {
    uint8_t *out; /* room for the source and one byte more */
    size_t n;
    size_t line; /* where the line being written begins */
    /* About that line; cleared when it ends. */
    bool is_heading; /* it began with '=' */
    bool is_own;     /* never part of the paragraph before: list item, verse, ... */
    bool is_dropped; /* nothing of it is text */
    bool has_hole;
    /* Quote marks seen in it, and 1 + where a bold mark first stood behind a single letter, a
     * longer word, a blank; 0: nowhere. */
    unsigned n_bold, n_italic;
    size_t after_letter, after_word, after_blank;
    /* About the lines before. */
    bool can_join;                  /* the last one was part of a paragraph that may go on */
    size_t headings[DPL__HEADINGS]; /* by level: 1 + where one begins that has no text yet */
} dpl__wiki_lines;

static inline void dpl__wiki_put(dpl__wiki_lines *w, char c)
{
    w->out[w->n++] = (uint8_t)c;
}

static inline void dpl__wiki_put_hole(dpl__wiki_lines *w)
{
    if (w->n == w->line || w->out[w->n - 1] != DPL__HOLE)
        dpl__wiki_put(w, DPL__HOLE);
    w->has_hole = true;
}

/* A run of n >= 2 apostrophes: bold, italic, both. */
void dpl__wiki_put_quotes(dpl__wiki_lines *w, size_t n);

/* Ends the line being written: joined to the paragraph, kept as a heading, or gone. */
void dpl__wiki_end_line(dpl__wiki_lines *w);

/* Ends the text: takes back headings with nothing below them. */
void dpl__wiki_end_text(dpl__wiki_lines *w);

#endif
