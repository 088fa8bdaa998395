/*
 * word_links.h - words of two collections that may be translations of each other.
 *
 * A link has both probabilities. They come from a lexicon that was trained on some of the
 * sentences and from what was known before, spelling or a lexicon that was given
 * (sentences/term_links.h), which counts the more the fewer occurrences of a word were trained
 * on.
 */
#ifndef DPL_MINE_WORD_LINKS_H
#define DPL_MINE_WORD_LINKS_H

#include "doppel/lexicon.h"

#include "lexicon/encoded.h"
#include "mine/alike_words.h"
#include "mine/round.h"
#include "sentences/term_links.h"

typedef struct dpl__word_link {
    uint32_t term; /* of the other side */
    float p;       /* of that term, given ours */
    float back;    /* of ours, given that term */
} dpl__word_link;

/* Frozen. */
typedef struct dpl__word_links {
    dpl_ctx *ctx;
    uint32_t n_terms[2];
    uint64_t *begin[2]; /* n_terms + 1: links of a term, by the other term */
    dpl__word_link *links[2];
    size_t n_links;
    /* For each term: training occurrences, plus those that prior knowledge counts for. */
    float *weight[2];
    float *trained[2]; /* of each term: occurrences that the lexicon was trained on */
    float *unigram[2]; /* of each term: its share of all occurrences, smoothed */
} dpl__word_links;

/* Links that are known before anything is trained, with the pivot on the left: results do not
 * depend on which side is left. */
typedef struct dpl__prior_links {
    const dpl__term_links *terms;  /* of spelling or of a lexicon that was given */
    const dpl__alike_words *alike; /* empty: not wanted */
} dpl__prior_links;

/* Makes the links for the collections of p. lexicon NULL: nothing was trained. */
dpl_status dpl__word_links_make(dpl__word_links *out, const dpl__comparable *p,
                                const dpl_lexicon *lexicon, const dpl__prior_links *prior,
                                dpl_error *err);
void dpl__word_links_clear(dpl__word_links *links);

#endif
