/*
 * index_params.h - the constants of the index that decide results (base/params.h).
 */
#ifndef DPL_INDEX_INDEX_PARAMS_H
#define DPL_INDEX_INDEX_PARAMS_H

#include "base/params.h"

/* clang-format off */
#define DPL__INDEX_PARAMS(PARAM) \
    PARAM(index, part_keys, 100000, "keys", "Keys of a part of the perfect hash function") \
    PARAM(index, cells, 1.155, "cells of a key", \
          "Cells per key of its graph. With 1.13 most seeds fail") \
    PARAM(index, codes, 4, "codes", "Codes of a document") \
    PARAM(index, more_bits, 1, "bits", \
          "Bits of a code beyond log2 of the number of documents") \
    PARAM(index, reference_docs, 5000, "documents", "Documents of the reference of fuzzy") \
    PARAM(index, passage_cosine, 0.2, "cosine", "Lowest cosine of two sentences that match") \
    PARAM(index, part_words, 60, "words", \
          "Lowest number of words of a part of a document that is queried for passages") \
    PARAM(index, part_hits, 8, "documents", \
          "Documents of the index that are read for each part") \
    PARAM(index, part_cosine, 0.03, "cosine", "Lowest cosine of a part and a document") \
    PARAM(index, k1, 1.2, "occurrences", "Parameter k1 of BM25, as in vectors") \
    PARAM(index, b, 0.75, "share", "Parameter b of BM25, as in vectors") \
    PARAM(index, most_candidates, 20000, "documents", \
          "Maximum number of candidates that codes give for a query") \
    PARAM(index, most_verified, 24, "documents", \
          "Documents that are compared after postings. At least 3 for each hit wanted") \
    PARAM(index, verify_cost, 100, "postings", \
          "Postings that take as long as comparing a document") \
    PARAM(index, top, 10, "hits", "Hits of a query; an option") \
    PARAM(index, probes, 64, "codes", \
          "Codes near each code of the query that are looked up; an option") \
    PARAM(index, terms, 10, "terms", "Terms shown of a hit; an option") \
    PARAM(index, budget, 4000, "postings", \
          "Maximum number of postings that method auto reads for an exact answer; an option") \
    PARAM(index, short_words, 8, "words", "Queries with fewer words are short") \
    PARAM(index, times_longer, 8, "times", \
          "The default threshold falls when documents are on average this many times as long " \
          "as the query")
/* clang-format on */

DPL__PARAMS_DECLARE(DPL__INDEX_PARAMS)

#endif
