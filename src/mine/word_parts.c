/*
 * word_parts.c - beginnings of words, and the documents that have them.
 *
 * Cost: each different word is looked up once for each of its beginnings; each word of a
 * document is then a list of two or three numbers.
 */
#include "mine/word_parts.h"

#include "base/order.h"
#include "mine/mine_params.h"
#include "tokens/terms.h"
#include "unicode/unicode.h"

#include <unicode/uchar.h>

#define NONE UINT32_MAX

enum { MOST_PARTS = 4 };

typedef struct parting {
    dpl__word_parts *out;
    const dpl_collection *c;
    uint32_t n_words;
    uint32_t *parts; /* MOST_PARTS of each word; NONE: fewer */
    dpl__terms terms;
    DPL_VEC(uint32_t) n_words_of; /* of each part */
    DPL_VEC(uint32_t) row;        /* of a document */
} parting;

/* Bytes of the first n letters of a word; 0: it has no more than that. */
static size_t beginning(dpl_str word, unsigned n)
{
    size_t at = 0;
    for (; n > 0 && at < word.n; n--)
        for (at++; at < word.n && (word.data[at] & 0xC0) == 0x80;)
            at++;
    return at < word.n ? at : 0;
}

/* The part k of a word; empty: there is none. Beginnings; of a Han word its characters. */
static dpl_str part_of(dpl_str word, unsigned k)
{
    uint32_t c = 0;
    if (word.n >= 3)
        dpl__utf8_decode((const uint8_t *)word.data, &c);
    if (c >= 0x2E80 && u_hasBinaryProperty((UChar32)c, UCHAR_UNIFIED_IDEOGRAPH))
        return 3 * k + 3 <= word.n && word.n > 3 ? (dpl_str){word.data + 3 * (size_t)k, 3}
                                                 : (dpl_str){NULL, 0};
    return (dpl_str){word.data, beginning(word, (unsigned)DPL__P(mine, growth_letters) + k)};
}

static dpl_status number_parts(parting *x, dpl_error *err)
{
    for (uint32_t t = 0; t < x->n_words; t++) {
        const dpl_str word = dpl_collection_term(x->c, t);
        for (unsigned k = 0; k < MOST_PARTS; k++) {
            uint32_t number = NONE;
            const dpl_str part = part_of(word, k);
            if (part.n) {
                DPL_TRY(dpl__terms_number(&x->terms, part, &number, err));
                if (number == x->n_words_of.n && !dpl__vec_push(x->out->ctx, &x->n_words_of, 0))
                    return dpl__fail_nomem(err);
                x->n_words_of.data[number]++;
            }
            x->parts[(size_t)t * MOST_PARTS + k] = number;
        }
    }
    return DPL_OK;
}

/* Parts that several words have get the numbers behind those of the words. */
static void keep_shared(parting *x)
{
    uint32_t n = x->n_words;
    for (size_t i = 0; i < x->n_words_of.n; i++)
        x->n_words_of.data[i] = x->n_words_of.data[i] > 1 ? n++ : NONE;
    for (size_t i = 0; i < (size_t)x->n_words * MOST_PARTS; i++)
        if (x->parts[i] != NONE)
            x->parts[i] = x->n_words_of.data[x->parts[i]];
    x->out->n_terms = n;
}

DPL__RISING_NUMBERS(by_number, uint32_t)

/* The terms of a document, rising, each once. */
static dpl_status list_terms(parting *x, uint32_t doc, dpl_error *err)
{
    const uint32_t *unused;
    size_t n, n_kept = 0;
    const uint32_t *row = dpl_collection_row(x->c, doc, &unused, &n);
    x->row.n = 0;
    DPL_TRY(dpl__need(dpl__vec_reserve(x->out->ctx, &x->row, n * (1 + MOST_PARTS)), err));
    for (size_t i = 0; i < n; i++) {
        x->row.data[x->row.n++] = row[i];
        for (unsigned k = 0; k < MOST_PARTS && x->parts; k++)
            if (x->parts[(size_t)row[i] * MOST_PARTS + k] != NONE)
                x->row.data[x->row.n++] = x->parts[(size_t)row[i] * MOST_PARTS + k];
    }
    dpl__vec_sort(&x->row, by_number);
    for (size_t i = 0; i < x->row.n; i++)
        if (!i || x->row.data[i] != x->row.data[i - 1])
            x->row.data[n_kept++] = x->row.data[i];
    x->row.n = n_kept;
    return DPL_OK;
}

static dpl_status list_docs(parting *x, dpl_error *err)
{
    dpl__word_parts *out = x->out;
    for (uint32_t doc = 0; doc < out->n_docs; doc++) {
        DPL_TRY(list_terms(x, doc, err));
        DPL_TRY(dpl__need(dpl__vec_append(out->ctx, &out->ids, x->row.data, x->row.n), err));
        out->begin[doc + 1] = out->ids.n;
        for (size_t i = 0; i < x->row.n; i++)
            out->df[x->row.data[i]]++;
    }
    return DPL_OK;
}

dpl_status dpl__word_parts_find(dpl__word_parts *out, const dpl__comparable *corpus, int side,
                                bool has_parts, dpl_error *err)
{
    const dpl_collection_sizes *sizes = dpl_collection_get_sizes(corpus->c[side]);
    parting x = {.out = out, .c = corpus->c[side], .n_words = sizes->n_terms};
    const size_t n_parts = (size_t)x.n_words * MOST_PARTS + 1;
    dpl_status status = DPL_OK;
    *out = (dpl__word_parts){
        .ctx = corpus->ctx, .n_docs = sizes->n_docs, .n_terms = sizes->n_terms};
    if (has_parts) {
        dpl__terms_init(&x.terms, corpus->ctx);
        x.parts = dpl__alloc(out->ctx, n_parts * sizeof *x.parts);
        status = x.parts ? number_parts(&x, err) : dpl__fail_nomem(err);
        if (status == DPL_OK)
            keep_shared(&x);
        dpl__terms_clear(&x.terms);
        dpl__vec_clear(out->ctx, &x.n_words_of);
    }
    if (status == DPL_OK) {
        out->begin = dpl__calloc(out->ctx, (size_t)out->n_docs + 1, sizeof *out->begin);
        out->df = dpl__calloc(out->ctx, (size_t)out->n_terms + 1, sizeof *out->df);
        status = out->begin && out->df ? list_docs(&x, err) : dpl__fail_nomem(err);
    }
    dpl__vec_clear(out->ctx, &x.row);
    dpl__free(out->ctx, x.parts);
    if (status != DPL_OK)
        dpl__word_parts_clear(out);
    return status;
}

void dpl__word_parts_clear(dpl__word_parts *p)
{
    if (!p->ctx)
        return;
    dpl__free(p->ctx, p->df);
    dpl__vec_clear(p->ctx, &p->ids);
    dpl__free(p->ctx, p->begin);
    *p = (dpl__word_parts){0};
}
