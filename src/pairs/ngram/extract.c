/*
 * extract.c - word fingerprints of a document to the distinct n-grams it has.
 *
 * A table of the document's own tells what was there before: a document of one word a million
 * times has one n-gram. Cost: one hash and one table access per word.
 */
#include "pairs/ngram/extract.h"

#include "base/order.h"

#include <stdlib.h>

uint64_t dpl__ngram_word(dpl_str word)
{
    return dpl__hash(word.data, word.n, 0x6E6772616DU);
}

dpl_str dpl__ngram_translate(const dpl_lexicon *lexicon, bool is_source, dpl_str word)
{
    uint32_t number, best = 0;
    const float *p;
    size_t n = 0;
    if (!(is_source ? dpl_lexicon_find_source : dpl_lexicon_find_target)(lexicon, word,
                                                                         &number))
        return word;
    const uint32_t *row =
        (is_source ? dpl_lexicon_row : dpl_lexicon_back_row)(lexicon, number, &p, &n);
    float most = 0;
    for (size_t i = 0; i < n; i++)
        if (p[i] > most) {
            most = p[i];
            best = row[i];
        }
    if (!(most > 0))
        return word;
    return is_source ? dpl_lexicon_target(lexicon, best) : dpl_lexicon_source(lexicon, best);
}

void dpl__extractor_clear(dpl__extractor *x)
{
    dpl__ngram_set_clear(&x->seen, x->ctx);
}

static bool is_new(dpl__extractor *x, uint64_t fingerprint)
{
    dpl__ngram_seen *slot = dpl__ngram_set_find(&x->seen, fingerprint, fingerprint);
    if (slot->key)
        return false;
    assert(fingerprint);
    slot->key = fingerprint;
    x->seen.n_used++;
    return true;
}

DPL__ORDER(by_fingerprint, dpl__ngram_posting, DPL__RISING(ngram))

/* The lowest ones are the same in a document and its translation, the first ones are not. */
static void cap(dpl__ngram_postings *out, size_t first, uint64_t *n_unsampled,
                unsigned max_per_doc)
{
    size_t n = out->n - first;
    if (n <= max_per_doc)
        return;
    qsort(out->data + first, n, sizeof *out->data, by_fingerprint);
    *n_unsampled += n - max_per_doc;
    out->n = first + max_per_doc;
}

dpl_status dpl__extract_matching(dpl__extractor *x, dpl__ngram_postings *out,
                                 const dpl__ngram_doc *doc, dpl_error *err)
{
    const dpl__ngram_settings *s = x->s;
    size_t first = out->n;
    if (doc->n_words < s->matching)
        return DPL_OK;
    DPL_TRY(dpl__need(dpl__ngram_set_begin(&x->seen, x->ctx, doc->n_words) &&
                          dpl__vec_reserve(x->ctx, out, doc->n_words),
                      err));
    /* The highest bits, which the order of the postings depends on, are not those sampled. */
    uint64_t sampled = ((uint64_t)1 << s->sample_bits) - 1;
    dpl__ngram_roll roll = dpl__ngram_roll_begin(s->matching);
    for (size_t i = 0; i < doc->n_words; i++) {
        uint64_t f = dpl__ngram_roll_in(&roll, doc->words, i);
        f += !f; /* 0 is a free slot */
        if (i + 1 < s->matching || !is_new(x, f))
            continue;
        if ((f & sampled) == sampled)
            out->data[out->n++] = (dpl__ngram_posting){f, doc->doc, 0};
        else
            x->n_unsampled++;
    }
    cap(out, first, &x->n_unsampled, s->max_per_doc);
    return DPL_OK;
}

dpl_status dpl__extract_scoring(dpl__extractor *x, dpl__ngram_postings *out,
                                const dpl__ngram_doc *doc, dpl_error *err)
{
    const dpl__ngram_settings *s = x->s;
    if (doc->n_words < s->scoring)
        return DPL_OK;
    DPL_TRY(dpl__need(dpl__ngram_set_begin(&x->seen, x->ctx, doc->n_words) &&
                          dpl__vec_reserve(x->ctx, out, doc->n_words),
                      err));
    dpl__ngram_roll roll = dpl__ngram_roll_begin(s->scoring);
    for (size_t i = 0; i < doc->n_words; i++) {
        uint64_t f = dpl__ngram_roll_in(&roll, doc->words, i);
        f += !f;
        if (i + 1 >= s->scoring && is_new(x, f))
            out->data[out->n++] =
                (dpl__ngram_posting){f, doc->doc, (uint32_t)(i + 1 - s->scoring)};
    }
    return DPL_OK;
}
