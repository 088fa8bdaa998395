/*
 * term_links.h - links between the terms of two collections that may be translations.
 *
 * A lexicon's words are matched with the collections' terms as in vectors/project.h. A term
 * that it does not have is linked to the same text on the other side, and so, with a low
 * probability, is every term; cognates, words with a common prefix, get less than that.
 */
#ifndef DPL_SENTENCES_TERM_LINKS_H
#define DPL_SENTENCES_TERM_LINKS_H

#include "lexicon/cell_table.h"
#include "sentences/beads.h"

/* Frozen. */
typedef struct dpl__term_links {
    dpl_ctx *ctx;
    uint32_t n_terms[2];
    uint64_t *begin; /* n_terms[DPL__LEFT] + 1: links of a left term */
    dpl__bead_link *links;
    size_t n_links, most_links;
    float *p[2], *expected[2]; /* of each term: see dpl__bead_terms */
    float *sums[2];            /* of each term: of its links' probabilities */
    float *most[2];            /* of each term: that it has a counterpart here, at most */
    bool *is_known[2];
    float *unseen; /* of each left term: expected information of
                        counterparts that the right collection does not have */
    double n_right_tokens;
    bool is_paper; /* dpl__term_links_make_paper */
} dpl__term_links;

/* lexicon may be NULL. */
dpl_status dpl__term_links_make(dpl__term_links *out, dpl_ctx *ctx, const dpl_collection *left,
                                const dpl_collection *right, const dpl_lexicon *lexicon,
                                dpl_error *err);
/* With the information of section 2.3 of the paper (Uszkoreit et al. 2010): one direction,
 * without smoothing, no link dropped. */
dpl_status dpl__term_links_make_paper(dpl__term_links *out, dpl_ctx *ctx,
                                      const dpl_collection *left, const dpl_collection *right,
                                      const dpl_lexicon *lexicon, dpl_error *err);
void dpl__term_links_clear(dpl__term_links *links);
dpl_status dpl__term_links_copy(dpl__term_links *out, const dpl__term_links *links,
                                dpl_error *err);

enum { DPL__LINK_ARRAYS = 13 };

typedef struct dpl__link_array {
    void **at;
    size_t n_bytes;
} dpl__link_array;

/* All arrays of links whose sizes are known. */
void dpl__term_links_arrays(dpl__link_array out[DPL__LINK_ARRAYS], dpl__term_links *links);

/* After links have changed: computes their information and what is expected of their terms, and
 * drops weak links. */
dpl_status dpl__term_links_update(dpl__term_links *links, dpl_error *err);

/* A model with these links and the usual priors; borrowed. */
dpl__bead_model dpl__term_links_model(const dpl__term_links *links);

#endif
