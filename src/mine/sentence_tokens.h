/*
 * sentence_tokens.h - the tokens of some sentences of a document.
 */
#ifndef DPL_MINE_SENTENCE_TOKENS_H
#define DPL_MINE_SENTENCE_TOKENS_H

#include "doppel/tokens.h"

/* Borrowed from a collection. */
typedef struct dpl__token_run {
    const uint32_t *tokens;
    size_t n;
} dpl__token_run;

/* Tokens of sentences [begin, end); sentences beyond the last one have none. */
static inline dpl__token_run dpl__sentence_tokens(const dpl_collection *c, uint32_t doc,
                                                  size_t begin, size_t end)
{
    size_t n_tokens, n_sentences = dpl_collection_n_sentences(c, doc);
    const uint32_t *tokens = dpl_collection_tokens(c, doc, &n_tokens);
    size_t first =
        begin < n_sentences ? dpl_collection_sentence(c, doc, begin).token : n_tokens;
    size_t last = end < n_sentences ? dpl_collection_sentence(c, doc, end).token : n_tokens;
    return (dpl__token_run){tokens + first, last - first};
}

#endif
