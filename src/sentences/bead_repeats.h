/*
 * bead_repeats.h - sentence pairs that stand more than once: each kept once, or those of most
 * document pairs dropped.
 *
 * Menus, licences and headings repeat from page to page; a corpus of sentence pairs wants each
 * of them once, or not at all.
 */
#ifndef DPL_SENTENCES_BEAD_REPEATS_H
#define DPL_SENTENCES_BEAD_REPEATS_H

#include "sentences/aligned.h"

typedef struct dpl__repeats_options {
    const dpl_collection *c[2];
    const char *dir; /* of temporary files */
    size_t share;    /* bytes of memory for each of beads and sorting */
    bool is_unique;  /* of equal pairs the one with the best score stays, or the first of those:
                        others become DPL_VERDICT_REPEATED */
    bool
        no_frequent; /* pairs of many document pairs become DPL_VERDICT_FREQUENT, all of them */
} dpl__repeats_options;

/* Replaces *aligned by one with those verdicts. Pairs are equal when both texts are, whatever
 * the blanks and line ends between words. Same result for any share and number of threads. */
dpl_status dpl__repeats_mark(dpl__aligned **aligned, dpl_ctx *ctx,
                             const dpl__repeats_options *options, dpl_error *err);

#endif
