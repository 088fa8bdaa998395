/*
 * random_sides_test.h - two collections of random sentences, for tests.
 */
#ifndef DPL_MINE_RANDOM_SIDES_TEST_H
#define DPL_MINE_RANDOM_SIDES_TEST_H

#include "doppel/lexicon.h"

#include "base/hash.h"
#include "mine/made_up_side_test.h"

#include <stdlib.h>

/* How a side is made; numbers are the most that there are. */
typedef struct side_shape {
    uint32_t n_docs;      /* exactly */
    unsigned n_sentences; /* of a document */
    unsigned n_words;     /* of a sentence */
    unsigned n_terms;     /* different words, below 26 * 26 */
    bool has_common;      /* some sentences stand in several documents */
    bool has_sections;    /* sections begin with some sentences */
} side_shape;

/* The word i: languages have none in common. */
static inline size_t put_random_word(char *to, unsigned i, bool is_other)
{
    return (size_t)sprintf(to, is_other ? "z%c%cxu" : "qu%c%co", 'a' + i % 26, 'a' + i / 26);
}

static inline size_t put_random_sentence(char *to, dpl__rng *rng, side_shape is, bool is_other)
{
    dpl__rng common = {dpl__mix(dpl__rng_below(rng, 5))};
    dpl__rng *from = is.has_common && dpl__rng_below(rng, 3) == 0 ? &common : rng;
    const unsigned n = 1 + (unsigned)dpl__rng_below(from, is.n_words);
    size_t at = 0;
    for (unsigned i = 0; i < n; i++) {
        to[at++] = ' ';
        const unsigned below = 1 + (unsigned)dpl__rng_below(from, is.n_terms); /* uneven */
        at += put_random_word(to + at, (unsigned)dpl__rng_below(from, below), is_other);
    }
    to[1] -= 'a' - 'A';
    to[at++] = '.';
    return at;
}

static inline dpl_collection *make_random_side(dpl_ctx *ctx, dpl__rng *rng, side_shape is,
                                               bool is_other)
{
    enum { MOST_WORD = 8, MOST_ID = 16 };
    const size_t room =
        (size_t)is.n_docs * (MOST_ID + (size_t)is.n_sentences * (is.n_words + 1) * MOST_WORD);
    char *text = malloc(room + 1);
    size_t n = 0;
    CHECK(text != NULL);
    for (uint32_t doc = 0; doc < is.n_docs; doc++) {
        const unsigned n_sentences = 1 + (unsigned)dpl__rng_below(rng, is.n_sentences);
        n += (size_t)sprintf(text + n, "%c%03u\t", is_other ? 'r' : 'l', doc);
        for (unsigned i = 0; i < n_sentences; i++) {
            if (is.has_sections && dpl__rng_below(rng, 4) == 0)
                text[n++] = 0x1D;
            n += put_random_sentence(text + n, rng, is, is_other);
        }
        text[n++] = '\n';
    }
    dpl_collection *c = import_side(ctx, text, n, is_other);
    free(text);
    return c;
}

/* Word by word the same in two languages: the document i of one is that of the other. */
static inline dpl__comparable make_parallel_sides(dpl_ctx *ctx, dpl__rng *rng, side_shape is,
                                                  int pivot)
{
    dpl__comparable p = {.ctx = ctx, .pivot = pivot};
    const dpl__rng before = *rng;
    for (int side = 0; side < 2; side++) {
        *rng = before;
        set_side(&p, side, make_random_side(ctx, rng, is, side), side ? "sw" : "eo");
    }
    return p;
}

/* Of the first terms: each has the one of its number for its translation, some of them another
 * one, too. */
static inline dpl_lexicon *make_random_lexicon(dpl_ctx *ctx, unsigned n_terms)
{
    enum { MOST_TERMS = 26 * 26 };
    static char words[2][MOST_TERMS][8];
    static dpl_lexicon_entry entries[2 * MOST_TERMS];
    size_t n = 0;
    CHECK(n_terms <= MOST_TERMS);
    for (unsigned i = 0; i < n_terms; i++)
        for (int side = 0; side < 2; side++)
            words[side][i][put_random_word(words[side][i], i, side)] = 0;
    for (unsigned i = 0; i < n_terms; i++) {
        entries[n++] =
            (dpl_lexicon_entry){dpl__cstr(words[0][i]), dpl__cstr(words[1][i]), 0.75f};
        if (i % 3 == 0)
            entries[n++] = (dpl_lexicon_entry){dpl__cstr(words[0][i]),
                                               dpl__cstr(words[1][(i + 1) % n_terms]), 0.25f};
    }
    const dpl_lexicon_import_options o =
        DPL_INIT(dpl_lexicon_import_options, .source_lang = "eo", .target_lang = "sw");
    dpl_lexicon *l = NULL;
    CHECK_OK(dpl_lexicon_from_entries(&l, ctx, entries, n, &o, &test_err));
    return l;
}

/* In two languages. */
static inline dpl__comparable make_random_sides(dpl_ctx *ctx, dpl__rng *rng, side_shape is,
                                                int pivot)
{
    dpl__comparable p = {.ctx = ctx, .pivot = pivot};
    for (int side = 0; side < 2; side++)
        set_side(&p, side, make_random_side(ctx, rng, is, side), side ? "sw" : "eo");
    return p;
}

#endif
