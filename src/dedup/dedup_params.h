/*
 * dedup_params.h - constants of duplicate removal that decide results.
 */
#ifndef DPL_DEDUP_DEDUP_PARAMS_H
#define DPL_DEDUP_DEDUP_PARAMS_H

#include "base/params.h"

/* clang-format off */
#define DPL__DEDUP_PARAMS(PARAM) \
    PARAM(dedup, most_in_group, 64, "documents", \
          "In larger groups with a common shingle, a document is compared with this many " \
          "others. Sets of which all pairs would take too long (templates) are joined through " \
          "them") \
    PARAM(dedup, own_shingles, 0.5, "share of shingles", \
          "Method auto uses codes when a smaller share of shingles is in one document only. " \
          "Codes are then faster than all pairs") \
    PARAM(dedup, few_rows, 5000, "documents", \
          "Method auto searches up to this number of documents exactly") \
    PARAM(dedup, exact_rows, 30000, "documents", \
          "Method auto with cosine searches up to this number of documents exactly, without a " \
          "plan. Speed only") \
    PARAM(dedup, minhash_length, 4, "minima of a code", \
          "Minima of a MinHash code. J^4 at 0.8 is 0.41: 9 codes reach a recall of 0.99; 3 " \
          "minima need 7 codes and have more candidates, 5 need 12") \
    PARAM(dedup, radius, 3, "bits", \
          "Largest distance of 64-bit fingerprints, in bits. Manku et al. 2007: 3 for web") \
    PARAM(dedup, contained, 0.5, "share of shingles", \
          "Default threshold of containment with only_against, a share of shingles. Chosen on " \
          "half 1 of bench/decontaminate") \
    PARAM(dedup, not_covered, 0.4, "words", \
          "Weight of a word outside of shared shingles when an edited copy is located. As " \
          "reuse") \
    PARAM(dedup, translation, 0.2, "cosine", \
          "Lowest cosine of translations, which must be mutual nearest neighbours. Chosen on " \
          "half 1 of bench/decontaminate") \
    PARAM(dedup, translation_margin, 1.1, "ratio", \
          "Lowest ratio of a translation's cosine to the mean of both documents' four " \
          "nearest. Not measured") \
    PARAM(dedup, item_margin, 1.4, "ratio", \
          "The same ratio with only_against. Translations may be missing there, and each " \
          "document still has a nearest one; chosen on half 1 of bench/decontaminate")
/* clang-format on */

DPL__PARAMS_DECLARE(DPL__DEDUP_PARAMS)

#endif
