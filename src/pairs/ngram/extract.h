/*
 * extract.h - the n-grams of a document as 64-bit fingerprints.
 */
#ifndef DPL_PAIRS_NGRAM_EXTRACT_H
#define DPL_PAIRS_NGRAM_EXTRACT_H

#include "base/hash.h"
#include "base/map.h"
#include "base/vec.h"
#include "pairs/ngram/ngram_settings.h"

/* Fingerprints of n-grams of one length. A polynomial in the fingerprints of the words, so that
 * the next one takes two multiplications whatever the length, then mixed. */
typedef struct dpl__ngram_roll {
    unsigned n;
    uint64_t sum, leaving; /* leaving: factor of the word that goes */
} dpl__ngram_roll;

#define DPL__NGRAM_BASE 0xD6E8FEB86659FD93u

static inline dpl__ngram_roll dpl__ngram_roll_begin(unsigned n)
{
    dpl__ngram_roll r = {.n = n, .leaving = 1};
    for (unsigned i = 1; i < n; i++)
        r.leaving *= DPL__NGRAM_BASE;
    return r;
}

/* Takes in word i; the n-gram that ends with it, once i >= n - 1. */
static inline uint64_t dpl__ngram_roll_in(dpl__ngram_roll *r, const uint64_t *words, size_t i)
{
    assert(r->n > 0);
    if (i >= r->n)
        r->sum -= words[i - r->n] * r->leaving;
    r->sum = r->sum * DPL__NGRAM_BASE + words[i];
    return dpl__mix(r->sum);
}

/* The fingerprint of a word, which is the same in every collection. */
uint64_t dpl__ngram_word(dpl_str word);

/* The most probable translation of a word of the lexicon's source language, or of its target
 * language; unknown words stay: names, numbers. */
dpl_str dpl__ngram_translate(const dpl_lexicon *lexicon, bool is_source, dpl_str word);

typedef DPL_VEC(dpl__ngram_posting) dpl__ngram_postings;

/* A fingerprint that the document has. */
typedef struct dpl__ngram_seen {
    uint64_t key;
} dpl__ngram_seen;

DPL_KEY_MAP(dpl__ngram_set, dpl__ngram_seen);

/* One thread's. Set the first two fields, zero the rest. Owned. */
typedef struct dpl__extractor {
    dpl_ctx *ctx;
    const dpl__ngram_settings *s;
    uint64_t n_unsampled; /* matching n-grams left out so far */
    dpl__ngram_set seen;  /* in the document so far */
} dpl__extractor;

/* Frees its memory; it stays ready for use. */
void dpl__extractor_clear(dpl__extractor *x);

/* Appends the distinct matching n-grams that are sampled; those with the lowest fingerprints
 * where there are too many. */
dpl_status dpl__extract_matching(dpl__extractor *x, dpl__ngram_postings *out,
                                 const dpl__ngram_doc *doc, dpl_error *err);
/* Appends the distinct scoring n-grams with the place of their first occurrence. */
dpl_status dpl__extract_scoring(dpl__extractor *x, dpl__ngram_postings *out,
                                const dpl__ngram_doc *doc, dpl_error *err);

#endif
