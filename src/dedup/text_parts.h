/*
 * text_parts.h - a document's text in lines or paragraphs.
 */
#ifndef DPL_DEDUP_TEXT_PARTS_H
#define DPL_DEDUP_TEXT_PARTS_H

#include "doppel/dedup.h"

/* A part of a text. `end` is behind the line end, or behind the empty lines that follow a
 * paragraph: parts stand one behind the other, and together they are the text. */
typedef struct dpl__part {
    size_t begin, end;
} dpl__part;

/* Walks over the parts. Zero it, then set unit and text. */
typedef struct dpl__part_walk {
    dpl_dedup_unit unit;
    dpl_str text;
    size_t at;
    bool is_by_line; /* a text without empty lines; set by the first call */
} dpl__part_walk;

/* False behind the last one. */
bool dpl__part_next(dpl__part_walk *walk, dpl__part *part);

#endif
