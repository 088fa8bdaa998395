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
          "Lowest number of characters beyond ASCII for a sure guess of the encoding") \
    PARAM(readers, sure_confidence, 12, "confidence of ICU", \
          "Lowest confidence of ICU for a sure guess of the encoding") \
    PARAM(readers, sure_lead, 3, "confidence of ICU", \
          "Lowest lead of a sure guess over the next candidate that reads differently, in " \
          "confidence") \
    PARAM(readers, sure_odd, 0.035, "share of characters", \
          "Highest share of characters beyond ASCII that no writing system uses, for a sure " \
          "guess") \
    PARAM(readers, odd_weight, 4, "times the share", \
          "Weight of this share against a candidate. With its inverse the candidate is " \
          "dropped") \
    PARAM(readers, named_beyond, 3, "characters beyond ASCII", \
          "Lowest number of characters beyond ASCII for an encoding to be named") \
    /* wrapped.c */ \
    PARAM(readers, longest_line, 120, "columns", \
          "Text is not wrapped when more than one line in 20 has more columns") \
    PARAM(readers, narrow_line, 35, "columns", \
          "Narrower lines, in columns, must look like sentences to be joined") \
    PARAM(readers, narrowest_line, 20, "columns", \
          "Narrower lines, in columns, are a list or a poem") \
    PARAM(readers, fewest_breaks, 3, "line breaks", \
          "Lowest number of line breaks inside paragraphs for a decision") \
    PARAM(readers, full_lines, 0.7, "share of line breaks", \
          "Lowest share of line breaks where the next word did not fit, in wrapped text") \
    PARAM(readers, full_narrow_lines, 0.9, "share of line breaks", \
          "The same share for narrow lines") \
    PARAM(readers, within_sentence, 0.3, "share of line breaks", \
          "Lowest share of line breaks within a sentence, in wrapped text with narrow lines") \
    /* blocks.c */ \
    PARAM(readers, site_pages, 64, "pages", \
          "Pages of a web site that its repeated lines are learnt from") \
    PARAM(readers, least_site, 4, "pages", \
          "Lowest number of pages of a web site for lines to be called repeated") \
    PARAM(readers, repeated_pages, 3, "pages", "Lowest number of pages with a repeated line") \
    PARAM(readers, repeated_share, 0.25, "share of pages", \
          "Lowest share of the pages learnt from with a repeated line") \
    PARAM(readers, link_run, 3, "lines", "Successive lines of links that are navigation") \
    /* wiki/wikifields.c */ \
    PARAM(readers, infobox_parameters, 4, "parameters", \
          "A template with this many named parameters on lines of their own is an infobox")
/* clang-format on */

DPL__PARAMS_DECLARE(DPL__READERS_PARAMS)

#endif
