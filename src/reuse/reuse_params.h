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
          "Places of a seed in the query that are used. Tables have more; the first ones are " \
          "used") \
    PARAM(reuse, least_covered, 0.15, "share of words", \
          "Lowest share of a passage's words that seeds cover on either side. Texts on one " \
          "topic share a few phrases") \
    PARAM(reuse, not_covered, 0.4, "words", \
          "Weight of a word outside of seeds when the ends of a passage are trimmed") \
    PARAM(reuse, full_words, 40, "words", \
          "Shorter passages, in words, need more similarity. A passage of no words would need " \
          "all of it") \
    PARAM(reuse, verbatim, 0.95, "similarity", "Lowest similarity of a verbatim passage") \
    PARAM(reuse, run_share, 0.75, "share of words", \
          "A passage is cut to a verbatim run with at least this share of its words") \
    PARAM(reuse, in_order, 0.7, "share of seeds", \
          "A passage with a smaller share of seeds in the order of the query is reordered") \
    PARAM(reuse, sentence_cosine, 0.2, "cosine", \
          "Lowest cosine of a sentence and its projected translation. Verification decides") \
    PARAM(reuse, sentence_gap, 2, "sentences", \
          "Largest number of sentences between translated sentences of one passage") \
    PARAM(reuse, least_p, 0.01, "probability", \
          "Translations with a lower probability do not count") \
    PARAM(reuse, n_best, 4, "sentences", \
          "Sentences of the collection that a translated sentence of the query is compared " \
          "with") \
    PARAM(reuse, extend_words, 60, "words", \
          "Words by which a passage is extended behind its seeds at most") \
    PARAM(reuse, extend_others, 2, "words", \
          "Largest number of successive words that do not match in such an extension") \
    PARAM(reuse, most_nested, 200, "times", \
          "Times that matches outside of a passage are grouped again at most")
/* clang-format on */

DPL__PARAMS_DECLARE(DPL__REUSE_PARAMS)

#endif
