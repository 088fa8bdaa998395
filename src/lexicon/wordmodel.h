/*
 * wordmodel.h - the trained model of word alignment, as plain arrays.
 *
 * A link is a pair of words, left and right, that occur together in a row of the corpus. Links
 * are numbered by left word, then by right word, both rising.
 */
#ifndef DPL_LEXICON_WORDMODEL_H
#define DPL_LEXICON_WORDMODEL_H

#include "lexicon/encoded.h"

/* Jumps further than this share the probability of the furthest. */
enum { DPL__JUMP_MOST = 63, DPL__JUMPS = 2 * DPL__JUMP_MOST + 1 };

typedef struct dpl__link_p {
    float p[2]; /* p[DPL__LEFT]: p(right|left), p[DPL__RIGHT]: p(left|right) */
} dpl__link_p;

/* Owned while it is trained, frozen then. Zeroed memory with a context is an empty one. */
typedef struct dpl__wordmodel {
    dpl_ctx *ctx;
    uint32_t n_words[2];
    uint64_t n_links;    /* below 2^32 - 2 */
    uint64_t *tokens[2]; /* of each word: how often it occurred */
    uint64_t *begin;     /* n_words[DPL__LEFT] + 1: links of a left word */
    uint32_t *right;     /* n_links: the right word of each */
    dpl__link_p *links;  /* n_links, and two more for pairs that are not links: one for
                          words of different classes, one for words of the same */
    float *counts;       /* n_links: how often the two were aligned (expected) */
    float *empty[2]; /* empty[DPL__LEFT][right word]: p(word | no left word); and vice versa */
    double n_empty[2]; /* how often that was so (expected) */
    double p_empty[2]; /* that a word of the other side has no counterpart on this one */
    double jumps[2][DPL__JUMPS]; /* jumps[side][DPL__JUMP_MOST + d]: how often (expected) two
                                    neighbours on the other side went to words of this one that
                                    are d apart */
} dpl__wordmodel;

void dpl__wordmodel_clear(dpl__wordmodel *model);

#endif
