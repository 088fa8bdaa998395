/*
 * reuse_params.h - constants of text reuse that decide results. full_words and the defaults of
 * similarity and translation were chosen with bench/reuse/run --half 1; it reports on half 0.
 * The others were set beforehand and not varied.
 */
#ifndef DPL_REUSE_REUSE_PARAMS_H
#define DPL_REUSE_REUSE_PARAMS_H

#include "base/params.h"

/* clang-format off */
#define DPL__REUSE_PARAMS(PARAM) \
    PARAM(reuse, most_places, 16, "places", \
          "of one seed in the query: of more, as in tables, the first ones are used") \
    PARAM(reuse, least_covered, 0.15, "share of words", \
          "of a passage that seeds cover on either side; topics share a few phrases") \
    PARAM(reuse, not_covered, 0.4, "words", \
          "weight of a word that no seed covers against one that is, when ends are trimmed") \
    PARAM(reuse, full_words, 40, "words", \
          "of shorter passages, more similarity is wanted; all of it of none") \
    PARAM(reuse, verbatim, 0.95, "similarity", \
          "from here on a passage is verbatim") \
    PARAM(reuse, run_share, 0.75, "share of words", \
          "of a passage in one verbatim run, which it is then cut to") \
    PARAM(reuse, in_order, 0.7, "share of seeds", \
          "of a passage in the order of the query; below it is reordered") \
    PARAM(reuse, sentence_cosine, 0.2, "cosine", \
          "least of a sentence and its translation, projected; verification decides") \
    PARAM(reuse, sentence_gap, 2, "sentences", \
          "between translated sentences of one passage") \
    PARAM(reuse, least_p, 0.01, "probability", \
          "of a translation that counts") \
    PARAM(reuse, n_best, 4, "sentences", \
          "of the collection that a translated sentence of the query is compared with") \
    PARAM(reuse, extend_words, 60, "words", \
          "that a passage is extended by behind its seeds, at most") \
    PARAM(reuse, extend_others, 2, "words", \
          "in a row that do not match, in such an extension") \
    PARAM(reuse, most_nested, 200, "times", \
          "that matches which a passage does not hold are grouped again")
/* clang-format on */

DPL__PARAMS_DECLARE(DPL__REUSE_PARAMS)

#endif
