/*
 * doppel/lab.h - measuring what was found against what is true.
 */
#ifndef DOPPEL_LAB_H
#define DOPPEL_LAB_H

#include "doppel/pairs.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Files of pairs: left id <TAB> right id, more columns are ignored; compressed or not. A header
 * line written by --header is skipped. Left stands first in both files: (a, b) is not (b, a),
 * and a left id is another one than the same text as a right id. */
typedef struct dpl_eval_pairs {
    uint64_t n_gold, n_found; /* distinct pairs */
    uint64_t n_matching;      /* found and gold */
    uint64_t n_touching;      /* found, not gold, but one side stands in gold */
    uint64_t n_other;         /* found, and neither side stands in gold */
    double precision;         /* matching / (matching + touching), as in the mining paper */
    double recall;            /* matching / gold */
    double f1;
    double strict_precision; /* matching / found: for gold that is complete */
    double strict_f1;        /* of recall and that */
} dpl_eval_pairs;

/* dups: n_dups files with groups of interchangeable ids, one group a line, tabs between; groups
 * that share an id are one. Pairs that become the same by replacing ids within their groups
 * are one pair, in gold and in found: a gold pair is matched once, however many variants of it
 * were found, and those count as one found pair. Shares of nothing are 0.
 *
 * A line without a tab, or with an empty id, is DPL_E_FORMAT. Time and memory are linear in
 * the number of distinct pairs and ids; more than the context's memory is DPL_E_LIMIT. */
DPL_API dpl_status dpl_eval_pairs_run(dpl_eval_pairs *out, dpl_ctx *ctx, const char *gold,
                                      const char *found, const char *const *dups, size_t n_dups,
                                      dpl_error *err);

#ifdef __cplusplus
}
#endif
#endif
