/*
 * query_vector.c - the words of a query become a vector in the space of the index.
 *
 * Words are counted through a table of their keys, and looked up in the index all together,
 * so that they wait for memory at the same time. Words of a language that the lexicon has are
 * replaced by their translations, as the documents of that language were: tf(e) is the sum of
 * p(e|f) tf(f); others stand for themselves. A word that no document has counts for the length
 * of the vector as one that a single document has.
 */
#include "index/query.h"

#include "vectors/vectors.h"

#include <math.h>

/* ---- words -------------------------------------------------------------------------- */

static bool count_word(dpl_query *q, dpl_str text)
{
    const uint64_t key = dpl__term_key(text);
    if (!dpl__query_numbers_reserve(&q->word_numbers, q->ctx, 1))
        return false;
    uint32_t *slot = dpl__query_numbers_find(&q->word_numbers, key, key);
    if (*slot) {
        q->words.data[*slot - 1].count++;
        return true;
    }
    *slot = (uint32_t)q->words.n + 1;
    q->word_numbers.n_used++;
    return dpl__vec_push(q->ctx, &q->words, ((dpl__query_word){text, key, DPL__NO_WORD, 1}));
}

void dpl__index_find_terms(const dpl_index *x, const uint64_t *keys, size_t n, uint32_t *out)
{
    enum { AHEAD = 32 };
    uint64_t slots[AHEAD];
    for (size_t first = 0; first < n; first += AHEAD) {
        const size_t n_now = dpl__min(AHEAD, n - first);
        if (x->n_terms == 0) {
            memset(out + first, 0xFF, n_now * sizeof *out);
            continue;
        }
        dpl__mph_get_many(&x->terms, keys + first, n_now, slots);
        for (size_t i = 0; i < n_now; i++)
            DPL_PREFETCH(&x->term_slots[slots[i]]);
        for (size_t i = 0; i < n_now; i++) {
            const uint64_t slot = x->term_slots[slots[i]];
            const bool is_there = slot >> 32 == dpl__key_check(keys[first + i], 32);
            out[first + i] = is_there ? (uint32_t)slot : DPL__NO_WORD;
            DPL_PREFETCH(&x->idf[(uint32_t)slot]);
            if (x->post_lists)
                DPL_PREFETCH(&x->post_lists[(uint32_t)slot]);
        }
    }
}

static void find_terms(dpl_query *q)
{
    enum { AT_ONCE = 256 };
    uint64_t keys[AT_ONCE];
    uint32_t terms[AT_ONCE];
    for (size_t first = 0; first < q->words.n; first += AT_ONCE) {
        const size_t n = dpl__min(AT_ONCE, q->words.n - first);
        dpl__query_word *words = q->words.data + first;
        for (size_t i = 0; i < n; i++)
            keys[i] = words[i].key;
        dpl__index_find_terms(q->index, keys, n, terms);
        for (size_t i = 0; i < n; i++)
            words[i].term = terms[i];
    }
}

dpl_status dpl__query_find_words(dpl_query *q, dpl_error *err)
{
    q->words.n = 0;
    q->word_numbers.user = &q->words;
    DPL_TRY(dpl__need(
        dpl__query_numbers_begin(&q->word_numbers, q->ctx, dpl__min(q->n_tokens, 1024)), err));
    for (size_t i = 0; i < q->n_tokens; i++)
        DPL_TRY(dpl__need(count_word(q, q->tokens[i].term), err));
    find_terms(q);
    return DPL_OK;
}

dpl_status dpl__query_take_row(dpl_query *q, uint32_t row, dpl_error *err)
{
    assert(row < q->index->n_docs);
    q->words.n = 0;
    dpl__row_reader r;
    dpl__row_begin(&r, q->index, row);
    while (dpl__row_next(&r)) {
        const dpl_str text = dpl__index_term(q->index, r.term);
        DPL_TRY(dpl__need(dpl__vec_push(q->ctx, &q->words,
                                        ((dpl__query_word){text, dpl__term_key(text), r.term,
                                                           (float)r.count})),
                          err));
    }
    return DPL_OK;
}

/* ---- entries ------------------------------------------------------------------------ */

/* Adds occurrences of a term that a word stands for. */
static bool add_entry(dpl_query *q, uint32_t term, uint32_t word, double tf)
{
    if (term != DPL__NO_WORD) {
        if (!dpl__places_reserve(&q->entry_places, q->ctx, 1))
            return false;
        dpl__place *p = dpl__places_find(&q->entry_places, dpl__place_hash(term + 1), term + 1);
        if (p->number) {
            q->entries.data[p->at].tf += tf;
            return true;
        }
        *p = (dpl__place){term + 1, (uint32_t)q->entries.n};
        q->entry_places.n_used++;
    }
    return dpl__vec_push(q->ctx, &q->entries, ((dpl__query_entry){term, word, tf, 0, 0}));
}

static dpl_status add_entries(dpl_query *q, const dpl__pocket_lexicon *lexicon, dpl_error *err)
{
    const dpl_index *x = q->index;
    q->entries.n = 0;
    DPL_TRY(dpl__need(dpl__places_begin(&q->entry_places, q->ctx, 2 * q->words.n), err));
    bool is_done = true;
    for (uint32_t i = 0; i < q->words.n && is_done; i++) {
        const dpl__query_word *w = &q->words.data[i];
        uint32_t begin = 0, end = 0;
        if (lexicon && w->term != DPL__NO_WORD) {
            begin = lexicon->offsets[w->term];
            end = lexicon->offsets[w->term + 1];
        }
        if (begin == end)
            is_done = add_entry(q, w->term, i, w->count);
        for (uint32_t k = begin; k < end && is_done; k++)
            is_done = add_entry(q, x->lexicon_terms[k], i, (double)w->count * x->lexicon_p[k]);
    }
    return dpl__need(is_done, err);
}

dpl_status dpl__query_make_vector(dpl_query *q, dpl_error *err)
{
    const dpl_index *x = q->index;
    const dpl__pocket_lexicon *lexicon = dpl__index_lexicon(x, q->lang);
    DPL_TRY(add_entries(q, lexicon, err));
    memset(q->filter, 0, sizeof q->filter);
    for (size_t i = 0; i < q->entries.n; i++) {
        const uint32_t bit = dpl__query_filter_bit(q->entries.data[i].term);
        q->filter[bit / 64] |= (uint64_t)1 << bit % 64;
    }
    q->result.is_translated = lexicon != NULL;
    double length = 0, squares = 0;
    for (size_t i = 0; i < q->entries.n; i++)
        length += q->entries.data[i].tf;
    const double damp = dpl__bm25_damp(x, length);
    for (size_t i = 0; i < q->entries.n; i++) {
        dpl__query_entry *e = &q->entries.data[i];
        e->idf = e->term == DPL__NO_WORD ? (float)x->unknown_idf : x->idf[e->term];
        const double weight = dpl__bm25(e->idf, e->tf, damp);
        e->weight = (float)weight;
        squares += weight * weight;
    }
    const double scale = squares > 0 ? 1 / sqrt(squares) : 0;
    for (size_t i = 0; i < q->entries.n; i++)
        q->entries.data[i].weight = (float)(q->entries.data[i].weight * scale);
    return DPL_OK;
}
