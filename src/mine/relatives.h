/*
 * relatives.h - links of words that were seldom trained on, from words of similar spelling.
 *
 * Half of the words of a text occur once or twice in it. Inflected forms, derivations and
 * compounds of a word have similar translations: words with a long common prefix, and the parts
 * of a compound, lend their links to a word that was seldom trained on.
 */
#ifndef DPL_MINE_RELATIVES_H
#define DPL_MINE_RELATIVES_H

#include "base/vec.h"
#include "mine/word_links.h"

/* What is added to a link of a term of the pivot and one of the other side; of both
 * directions. */
typedef struct dpl__lent_link {
    uint32_t left, right;
    float counts[2]; /* to the expected number of alignments */
    float p[2];      /* to the probability */
} dpl__lent_link;

typedef DPL_VEC(dpl__lent_link) dpl__lent_links;

/* Links by left, then right term, each pair once. Raises links->weight of terms by what is lent
 * to them. trained: links of the lexicon, with the pivot on the left. */
dpl_status dpl__relatives_lend(dpl__lent_links *out, dpl__word_links *links,
                               const dpl_collection *const c[2], int pivot,
                               const dpl__term_links *trained, dpl_error *err);

#endif
