/*
 * doppel/eval.h - measuring what was found against what is true.
 */
#ifndef DOPPEL_EVAL_H
#define DOPPEL_EVAL_H

#include "doppel/sentences.h"

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

/* ---- word alignments ---------------------------------------------------------------- */

typedef enum dpl_links_format {
    DPL_LINKS_AUTO = 0, /* told from the lines */
    DPL_LINKS_PHARAOH,  /* a row a line, `i-j` sure and `i?j` or `ipj` possible links; only the
                           last tab-separated column is read, so that the text may stand in
                           front */
    DPL_LINKS_NAACL     /* `row left right [S|P] [confidence]` a line, all from 1, as in the
                           shared tasks of 2003 and 2005; link 0 is a word without counterpart */
} dpl_links_format;

/* Zero in a field means its default. */
typedef struct dpl_eval_words_options {
    dpl_links_format gold_format, found_format;
    unsigned gold_first, found_first; /* PHARAOH: number of the first word: 0 or 1; default 0 */
    bool is_turned;                   /* found has right and left the other way round */
} dpl_eval_words_options;

/* Sums over all rows. */
typedef struct dpl_eval_words {
    uint64_t n_rows;
    uint64_t n_sure, n_possible; /* gold links; every sure link is possible, too */
    uint64_t n_found, n_found_sure, n_found_possible;
    double precision; /* found and possible / found */
    double recall;    /* found and sure / sure */
    double f1;
    double aer; /* 1 - (found sure + found possible) / (found + sure) */
} dpl_eval_words;

/* Files with different numbers of rows (PHARAOH), rows that gold does not have (NAACL), links
 * that cannot be read: DPL_E_FORMAT with file and line. A link that stands there twice counts
 * once. */
DPL_API dpl_status dpl_eval_words_run(dpl_eval_words *out, dpl_ctx *ctx, const char *gold,
                                      const char *found, const dpl_eval_words_options *options,
                                      dpl_error *err);

/* ---- sentence alignments ------------------------------------------------------------ */

/* Beads as `[1,2]:[3]:0.5` a line, sentences from 0, what follows the second colon is ignored;
 * or a ladder, `left <TAB> right` a line, more columns are ignored: where both sides are
 * between two beads. Which of the two a file is, its first line tells. Sums over all files. */
typedef struct dpl_eval_sentences {
    uint64_t n_gold, n_found; /* distinct beads, sentences without counterpart among them */
    uint64_t n_right;         /* found and gold: the same sentences on both sides */
    uint64_t n_near;          /* found, and two of its sentences are together in gold */
    uint64_t n_gold_both;     /* gold beads with both sides; of these: */
    uint64_t n_gold_right;    /* found, too */
    uint64_t n_gold_near;     /* two of its sentences are together in what was found */
    double precision;         /* strict: right / found */
    double recall;            /* gold right / gold with both sides */
    double f1;
    double lax_precision; /* near / found */
    double lax_recall;    /* gold near / gold with both sides */
    double lax_f1;
} dpl_eval_sentences;

/* found[i] against gold[i], which are of one document pair; measured as vecalign's scorer does.
 * A bead that stands there twice counts once. Lines that cannot be read, and ladders that fall,
 * are DPL_E_FORMAT with file and line. */
DPL_API dpl_status dpl_eval_sentences_run(dpl_eval_sentences *out, dpl_ctx *ctx,
                                          const char *const *gold, const char *const *found,
                                          size_t n_files, dpl_error *err);

#ifdef __cplusplus
}
#endif
#endif
