/*
 * encoded_test.h - small corpora for the tests of word alignment.
 */
#ifndef DPL_LEXICON_ENCODED_TEST_H
#define DPL_LEXICON_ENCODED_TEST_H

#include "base/hash.h"
#include "lexicon/train_model.h"

/* The number of the link, or n_links when it is not there. */
static inline uint64_t link_of(const dpl__wordmodel *m, uint32_t left, uint32_t right)
{
    if (left >= m->n_words[DPL__LEFT])
        return m->n_links;
    for (uint64_t k = m->begin[left]; k < m->begin[left + 1]; k++)
        if (m->right[k] == right)
            return k;
    return m->n_links;
}

enum { CORPUS_ROWS = 400, CORPUS_TOKENS = 8000, CORPUS_WORDS = 60 };

typedef struct corpus {
    dpl__encoded encoded;
    uint64_t begin[2][CORPUS_ROWS + 1];
    uint32_t tokens[2][CORPUS_TOKENS];
    uint32_t classes[2][CORPUS_WORDS];
} corpus;

/* Adds a row of single letters, 'a' being word 0: "abc" beside "xy". */
static inline void corpus_add(corpus *c, const char *left, const char *right)
{
    const char *text[2] = {left, right};
    size_t row = c->encoded.n_rows++;
    for (int side = 0; side < 2; side++) {
        dpl__encoded_side *s = &c->encoded.side[side];
        uint64_t at = c->begin[side][row];
        for (const char *p = text[side]; *p; p++) {
            uint32_t word = (uint32_t)(*p - 'a');
            s->n_words = word < s->n_words ? s->n_words : word + 1;
            c->tokens[side][at++] = word;
        }
        c->begin[side][row + 1] = at;
        s->begin = c->begin[side];
        s->tokens = c->tokens[side];
    }
}

/* Rows of words drawn at random: the right words are translations of the left ones (the same
 * number), with some noise, some left out, some moved. Some sides are empty. Three words
 * make a class; some classes have none. */
static inline void corpus_draw(corpus *c, uint64_t seed, size_t n_rows, size_t most)
{
    dpl__rng rng = {seed};
    *c = (corpus){.encoded.n_rows = n_rows, .encoded.n_classes = CORPUS_WORDS / 2};
    for (int side = 0; side < 2; side++) {
        c->encoded.side[side] = (dpl__encoded_side){c->begin[side], c->tokens[side],
                                                    CORPUS_WORDS, c->classes[side]};
        for (uint32_t w = 0; w < CORPUS_WORDS; w++)
            c->classes[side][w] = w / 3;
    }
    for (size_t row = 0; row < n_rows; row++) {
        uint64_t *at[2] = {&c->begin[0][row + 1], &c->begin[1][row + 1]};
        *at[0] = c->begin[0][row];
        *at[1] = c->begin[1][row];
        for (size_t n = dpl__rng_below(&rng, most + 1); n > 0; n--) {
            /* Small numbers are frequent. */
            uint64_t word = dpl__rng_below(&rng, CORPUS_WORDS);
            word = dpl__rng_below(&rng, word + 1);
            c->tokens[0][(*at[0])++] = (uint32_t)word;
            if (dpl__rng_below(&rng, 8) == 0)
                word = dpl__rng_below(&rng, CORPUS_WORDS);
            if (dpl__rng_below(&rng, 8) == 0)
                continue;
            c->tokens[1][(*at[1])++] = (uint32_t)word;
            if (*at[1] - c->begin[1][row] > 1 && dpl__rng_below(&rng, 4) == 0) {
                uint32_t *last = &c->tokens[1][*at[1] - 1], held = *last;
                *last = last[-1];
                last[-1] = held;
            }
        }
    }
    assert(c->begin[0][n_rows] <= CORPUS_TOKENS && c->begin[1][n_rows] <= CORPUS_TOKENS);
}

/* Every number of both models is the same, bit for bit. */
static inline bool same_models(const dpl__wordmodel *a, const dpl__wordmodel *b)
{
    bool same = a->n_links == b->n_links &&
                memcmp(a->n_words, b->n_words, sizeof a->n_words) == 0 &&
                memcmp(a->jumps, b->jumps, sizeof a->jumps) == 0 &&
                memcmp(a->right, b->right, a->n_links * sizeof *a->right) == 0 &&
                memcmp(a->links, b->links, a->n_links * sizeof *a->links) == 0;
    for (int side = 0; side < 2 && same; side++)
        same = memcmp(a->empty[side], b->empty[side],
                      a->n_words[!side] * sizeof *a->empty[side]) == 0;
    return same;
}

#endif
