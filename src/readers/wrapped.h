/*
 * wrapped.h - lines of hard-wrapped text become paragraphs again.
 */
#ifndef DPL_READERS_WRAPPED_H
#define DPL_READERS_WRAPPED_H

#include "doppel/text.h"

/* Was the text, valid UTF-8, broken into lines of about the same width? */
bool dpl__is_wrapped(dpl_str text);

/* Joins the lines of each paragraph with blanks, in place; returns the new length. Blank lines,
 * items of lists and lines that end early (the next word would have fitted) separate
 * paragraphs. Runs of blanks become one. */
size_t dpl__unwrap(char *text, size_t n);

#endif
