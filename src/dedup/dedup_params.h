/*
 * dedup_params.h - constants of duplicate removal that decide results.
 */
#ifndef DPL_DEDUP_DEDUP_PARAMS_H
#define DPL_DEDUP_DEDUP_PARAMS_H

#include "base/params.h"

/* clang-format off */
#define DPL__DEDUP_PARAMS(PARAM) \
    PARAM(dedup, most_in_group, 64, "documents", \
          "of more documents with a common shingle, each is compared with so many; sets from " \
          "which all pairs would take too long (templates) are joined through others") \
    PARAM(dedup, own_shingles, 0.5, "share of shingles", \
          "method auto: if fewer are in one document only, codes are faster than all pairs") \
    PARAM(dedup, few_rows, 5000, "documents", \
          "method auto: up to so many are always searched exactly") \
    PARAM(dedup, exact_rows, 30000, "documents", \
          "method auto, cosine: up to so many are searched exactly, without a plan; speed only") \
    PARAM(dedup, minhash_length, 4, "minima of a code", \
          "J^4 at 0.8 is 0.41: 9 codes reach a recall of 0.99; 3 needs 7 codes and has more " \
          "candidates, 5 needs 12") \
    PARAM(dedup, radius, 3, "bits", \
          "of 64-bit fingerprints; Manku et al. 2007: 3 for web pages") \
    PARAM(dedup, contained, 0.5, "share of shingles", \
          "default threshold of containment only against others; chosen on half 1 of " \
          "bench/decontaminate") \
    PARAM(dedup, not_covered, 0.4, "words", \
          "weight of a word that no shingle of a test item covers against one that is, where " \
          "its place in an edited copy is sought; as of reuse") \
    PARAM(dedup, translation, 0.2, "cosine", \
          "least cosine of translations, which must be nearest to each other, too; chosen on half " \
          "1 of bench/decontaminate") \
    PARAM(dedup, translation_margin, 1.1, "ratio", \
          "of a translation's cosine to the mean of both documents' four nearest; not measured") \
    PARAM(dedup, item_margin, 1.4, "ratio", \
          "the same only against others, where their translations may be missing: then each has a " \
          "nearest document, too; chosen on half 1 of bench/decontaminate")
/* clang-format on */

DPL__PARAMS_DECLARE(DPL__DEDUP_PARAMS)

#endif
