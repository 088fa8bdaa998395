/*
 * corpus_links.h - the links of a corpus: pairs of words that co-occur in a row.
 */
#ifndef DPL_LEXICON_CORPUS_LINKS_H
#define DPL_LEXICON_CORPUS_LINKS_H

#include "lexicon/link_ids.h"

typedef struct dpl__links_options {
    size_t max_tokens;             /* rows with more on a side are skipped */
    uint64_t max_links;            /* the weakest are left out beyond it */
    uint64_t max_occurrences;      /* left tokens in memory at a time; 12 bytes each */
    const dpl__wordmodel *known;   /* its links are kept, too; NULL: none */
    dpl__occurrences *left_over;   /* receives the occurrences, if all were in memory; NULL: not
                                      wanted */
    uint32_t first_word, end_word; /* left words; 0, 0: all */
} dpl__links_options;

/* A model with the words and tokens of the corpus, and room for where the links of each left
 * word begin; it has none. */
dpl_status dpl__links_begin(dpl__wordmodel *out, dpl_ctx *ctx, const dpl__encoded *corpus,
                            const dpl__links_options *options, dpl_error *err);

/* Fills an empty model with the links of the corpus and, when known is not NULL, with its
 * links, all with probability 0; tokens likewise. Weak are links with a small n(l,r)^2 / (n(l)
 * n(r)); *n_dropped says how many were left out. */
dpl_status dpl__links_find(dpl__wordmodel *out, uint64_t *n_dropped, dpl_ctx *ctx,
                           const dpl__encoded *corpus, const dpl__links_options *options,
                           dpl_error *err);

#endif
