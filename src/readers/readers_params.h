/*
 * readers_params.h - the constants of reading that decide which text comes out (base/params.h).
 */
#ifndef DPL_READERS_READERS_PARAMS_H
#define DPL_READERS_READERS_PARAMS_H

#include "base/params.h"

/* clang-format off */
#define DPL__READERS_PARAMS(PARAM) \
    /* guess.c: docs/guides/import.md has the measurements */ \
    PARAM(readers, sure_beyond, 16, "characters beyond ASCII", \
          "that a guess of the encoding takes to be sure") \
    PARAM(readers, sure_confidence, 12, "confidence of ICU", \
          "that a guess of the encoding takes to be sure") \
    PARAM(readers, sure_lead, 3, "confidence of ICU", \
          "of a sure guess, before the next candidate that reads otherwise") \
    PARAM(readers, sure_odd, 0.035, "share of characters", \
          "beyond ASCII that no writing has, of a sure guess, at most") \
    PARAM(readers, odd_weight, 4, "times the share", \
          "of such characters that counts against a candidate: with its inverse it is none") \
    PARAM(readers, named_beyond, 3, "characters beyond ASCII", \
          "that it takes to name an encoding at all") \
    /* wrapped.c */ \
    PARAM(readers, longest_line, 120, "columns", \
          "where more than one line in 20 is longer, nothing was wrapped") \
    PARAM(readers, narrow_line, 35, "columns", \
          "narrower lines must look like sentences to be joined") \
    PARAM(readers, narrowest_line, 20, "columns", \
          "narrower lines are a list or a poem") \
    PARAM(readers, fewest_breaks, 3, "line breaks", \
          "inside of paragraphs that it takes to decide") \
    PARAM(readers, full_lines, 0.7, "share of line breaks", \
          "where the next word did not fit, of wrapped text") \
    PARAM(readers, full_narrow_lines, 0.9, "share of line breaks", \
          "where the next word did not fit, of wrapped text with narrow lines") \
    PARAM(readers, within_sentence, 0.3, "share of line breaks", \
          "within a sentence, of wrapped text with narrow lines") \
    /* blocks.c */ \
    PARAM(readers, site_pages, 64, "pages", \
          "of a web site that its repeated lines are learnt from") \
    PARAM(readers, least_site, 4, "pages", \
          "of a web site that it takes to call a line repeated") \
    PARAM(readers, repeated_pages, 3, "pages", \
          "that a repeated line of a web site is on, at least") \
    PARAM(readers, repeated_share, 0.25, "share of pages", \
          "learnt from that a repeated line of a web site is on, at least") \
    PARAM(readers, link_run, 3, "lines", \
          "of links in a row that are navigation") \
    /* wiki/wikifields.c */ \
    PARAM(readers, infobox_parameters, 4, "parameters", \
          "with names, on lines of their own, of a template that is an infobox")
/* clang-format on */

DPL__PARAMS_DECLARE(DPL__READERS_PARAMS)

#endif
