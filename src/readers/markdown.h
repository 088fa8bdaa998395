/*
 * markdown.h - Markdown (CommonMark with tables) to text.
 *
 * A line for each paragraph, heading, list item and table cell. Code stays, in spans and in
 * blocks: names and code are what translations have in common. Links leave their label, images
 * and raw HTML leave nothing; text between inline tags stays.
 * YAML front matter ("---" lines at the start) is dropped; a plain `title:` and `lang:` or
 * `language:` in it are used. Without a title there, the first heading of level 1 is the title;
 * it also stays in the text.
 */
#ifndef DPL_READERS_MARKDOWN_H
#define DPL_READERS_MARKDOWN_H

#include "doppel/text.h"

#include "base/arena.h"

/* Fills title, lang and text of the document: slices of `source`, which is valid UTF-8, or of
 * the arena. */
dpl_status dpl__markdown_read(dpl_doc *doc, dpl__arena *arena, dpl_str source, dpl_error *err);

#endif
