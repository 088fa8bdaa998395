/*
 * index_params.h - the constants of the index that decide results (base/params.h).
 */
#ifndef DPL_INDEX_INDEX_PARAMS_H
#define DPL_INDEX_INDEX_PARAMS_H

#include "base/params.h"

/* clang-format off */
#define DPL__INDEX_PARAMS(PARAM)                                                               \
    PARAM(index, part_keys, 100000, "keys", "of a part of the perfect hash function")          \
    PARAM(index, cells, 1.155, "cells of a key", "of its graph; with 1.13 most seeds fail")    \
    PARAM(index, codes, 4, "codes", "of a document")                                            \
    PARAM(index, more_bits, 1, "bits", "of a code beyond log2 of the documents")               \
    PARAM(index, reference_docs, 5000, "documents", "for fuzzy")                               \
    PARAM(index, passage_cosine, 0.2, "cosine", "least of two sentences that match")            \
    PARAM(index, part_words, 60, "words",                                                      \
          "of a part of a document that is asked with for passages, at least")                 \
    PARAM(index, part_hits, 8, "documents", "of the index, for each such part")                \
    PARAM(index, part_cosine, 0.03, "cosine", "least of such a part and a document")            \
    PARAM(index, k1, 1.2, "occurrences", "BM25: as vectors")                                   \
    PARAM(index, b, 0.75, "share", "BM25: as vectors")                                        \
    PARAM(index, most_candidates, 20000, "documents", "of codes, for a query")                 \
    PARAM(index, most_verified, 24, "documents", "of postings; at least 3 for each hit wanted")    \
    PARAM(index, verify_cost, 100, "postings", "that take as long as comparing a document") \
    PARAM(index, top, 10, "hits", \
          "of a query; an option") \
    PARAM(index, probes, 64, "codes", \
          "near those of the query that are looked up, for each of its codes; an option") \
    PARAM(index, terms, 10, "terms", \
          "shown of a hit; an option") \
    PARAM(index, budget, 4000, "postings", \
          "that an exact answer may read, method auto; an option") \
    PARAM(index, short_words, 8, "words", \
          "queries with fewer are short") \
    PARAM(index, times_longer, 8, "times", \
          "the words of a query, on average: of longer documents, the default threshold falls")
/* clang-format on */

DPL__PARAMS_DECLARE(DPL__INDEX_PARAMS)

#endif
