/*
 * gram_names.c - n-grams of Han characters that are in several documents.
 *
 * Words of Chinese come from a dictionary, which lacks names: it cuts them into words of one or
 * two characters, each of which is in many other places. An n-gram that is a name has its
 * frequency. One that is nearly always part of a longer one is not kept.
 *
 * Cost: each n-gram is hashed twice; 40 bytes for each that is different.
 */
#include "mine/gram_names.h"

#include "base/order.h"
#include "mine/mine_params.h"
#include "tokens/terms.h"
#include "unicode/unicode.h"

#include <stdlib.h>
#include <unicode/uchar.h>

enum { LEAST = 2, MOST = 5 }; /* characters */

typedef struct gram {
    dpl_str text;
    uint32_t n_docs, last_doc; /* the last one counted, from 1 */
    uint32_t name;             /* number among those that are kept */
    bool is_part;              /* nearly always of a longer one */
} gram;

typedef struct counting {
    dpl__gram_names *out;
    const dpl__comparable *p;
    int side;
    dpl__terms terms;
    DPL_VEC(gram) grams;
    bool is_second; /* the documents of those that are kept are listed */
    DPL_VEC(uint32_t) ids;
} counting;

static bool is_han(uint32_t c)
{
    return u_hasBinaryProperty((UChar32)c, UCHAR_UNIFIED_IDEOGRAPH);
}

/* Whether most letters are Han, and there are not too many of them. */
static bool is_suitable(const dpl__comparable *p, int side)
{
    uint64_t n_letters = 0, n_han = 0;
    for (uint32_t doc = 0; doc < dpl_collection_get_sizes(p->c[side])->n_docs; doc++) {
        const dpl_str text = dpl_collection_doc(p->c[side], doc).text;
        for (size_t i = 0; i < text.n && !p->skip[side][doc];) {
            uint32_t c;
            i += dpl__utf8_decode((const uint8_t *)text.data + i, &c);
            const bool han = c >= 0x2E80 && is_han(c);
            n_han += han;
            n_letters += han || (c >= 'A' && u_isalpha((UChar32)c));
        }
    }
    return 2 * n_han > n_letters && (double)n_han <= DPL__P(mine, gram_letters);
}

static dpl_status count_gram(counting *x, dpl_str text, uint32_t doc, dpl_error *err)
{
    uint32_t number;
    if (x->is_second && !dpl__terms_has(&x->terms, text))
        return DPL_OK;
    DPL_TRY(dpl__terms_number(&x->terms, text, &number, err));
    if (number == x->grams.n && !dpl__vec_push(x->out->ctx, &x->grams, ((gram){.text = text})))
        return dpl__fail_nomem(err);
    gram *g = &x->grams.data[number];
    if (g->last_doc == doc + 1)
        return DPL_OK;
    g->last_doc = doc + 1;
    g->n_docs += !x->is_second;
    if (x->is_second && g->name != UINT32_MAX && !dpl__vec_push(x->out->ctx, &x->ids, g->name))
        return dpl__fail_nomem(err);
    return DPL_OK;
}

static dpl_status count_doc(counting *x, uint32_t doc, dpl_error *err)
{
    const dpl_str text = dpl_collection_doc(x->p->c[x->side], doc).text;
    size_t starts[MOST + 1], n = 0; /* of the last Han characters, in turn */
    for (size_t i = 0; i < text.n;) {
        uint32_t c;
        const size_t next = i + dpl__utf8_decode((const uint8_t *)text.data + i, &c);
        if (c < 0x2E80 || !is_han(c))
            n = 0;
        else {
            starts[n++ % (MOST + 1)] = i;
            for (size_t k = LEAST; k <= MOST && k <= n; k++) {
                const size_t from = starts[(n - k) % (MOST + 1)];
                DPL_TRY(count_gram(x, (dpl_str){text.data + from, next - from}, doc, err));
            }
        }
        i = next;
    }
    return DPL_OK;
}

static dpl_status count_docs(counting *x, dpl_error *err)
{
    for (uint32_t doc = 0; doc < x->out->n_docs; doc++)
        if (!x->p->skip[x->side][doc])
            DPL_TRY(count_doc(x, doc, err));
    return DPL_OK;
}

/* Finds n-grams that are parts: a longer one is nearly as frequent. */
static dpl_status find_parts(counting *x, dpl_error *err)
{
    for (size_t i = 0; i < x->grams.n; i++) {
        const gram g = x->grams.data[i];
        const size_t last = g.text.n;
        size_t first = 1, end = last - 1;
        while (first < last && (g.text.data[first] & 0xC0) == 0x80)
            first++;
        while (end && (g.text.data[end] & 0xC0) == 0x80)
            end--;
        const dpl_str parts[2] = {{g.text.data + first, last - first}, {g.text.data, end}};
        for (int k = 0; k < 2; k++) {
            uint32_t number;
            if (!dpl__terms_has(&x->terms, parts[k]))
                continue;
            DPL_TRY(dpl__terms_number(&x->terms, parts[k], &number, err));
            gram *part = &x->grams.data[number];
            part->is_part = part->is_part ||
                            (double)g.n_docs >= DPL__P(mine, gram_part) * (double)part->n_docs;
        }
    }
    return DPL_OK;
}

DPL__ORDER_POINTERS(by_text, gram, DPL__BY_BYTES(text))

/* The n-grams that are kept, in byte order. */
static dpl_status keep(counting *x, dpl_error *err)
{
    dpl__gram_names *out = x->out;
    const double most = DPL__P(mine, name_docs) * (double)x->p->n_docs[x->side];
    gram **kept = dpl__alloc(out->ctx, (x->grams.n + 1) * sizeof *kept);
    DPL_TRY(dpl__need(kept, err));
    for (size_t i = 0; i < x->grams.n; i++) {
        gram *g = &x->grams.data[i];
        g->last_doc = 0;
        g->name = UINT32_MAX;
        if (!g->is_part && g->n_docs >= (uint32_t)DPL__P(mine, gram_docs) && g->n_docs <= most)
            kept[out->n++] = g;
    }
    if (out->n)
        qsort(kept, out->n, sizeof(gram *), by_text);
    out->texts = dpl__alloc(out->ctx, ((size_t)out->n + 1) * sizeof *out->texts);
    out->df = dpl__alloc(out->ctx, ((size_t)out->n + 1) * sizeof *out->df);
    const bool has_room = out->texts && out->df;
    for (uint32_t i = 0; i < out->n && has_room; i++) {
        kept[i]->name = i;
        out->texts[i] = kept[i]->text;
        out->df[i] = kept[i]->n_docs;
    }
    dpl__free(out->ctx, kept);
    return dpl__need(has_room, err);
}

DPL__RISING_NUMBERS(by_number, uint32_t)

static dpl_status list_docs(counting *x, dpl_error *err)
{
    dpl__gram_names *out = x->out;
    x->is_second = true;
    out->begin = dpl__calloc(out->ctx, (size_t)out->n_docs + 1, sizeof *out->begin);
    DPL_TRY(dpl__need(out->begin, err));
    for (uint32_t doc = 0; doc < out->n_docs; doc++) {
        const size_t first = x->ids.n;
        if (!x->p->skip[x->side][doc])
            DPL_TRY(count_doc(x, doc, err));
        if (x->ids.n > first)
            qsort(x->ids.data + first, x->ids.n - first, sizeof *x->ids.data, by_number);
        out->begin[doc + 1] = x->ids.n;
    }
    out->n_ids = x->ids.n;
    out->ids = dpl__alloc(out->ctx, (out->n_ids + 1) * sizeof *out->ids);
    DPL_TRY(dpl__need(out->ids, err));
    if (out->n_ids)
        memcpy(out->ids, x->ids.data, out->n_ids * sizeof *out->ids);
    return DPL_OK;
}

dpl_status dpl__gram_names_find(dpl__gram_names *out, const dpl__comparable *p, int side,
                                dpl_error *err)
{
    *out = (dpl__gram_names){.ctx = p->ctx,
                             .n_docs = dpl_collection_get_sizes(p->c[side])->n_docs};
    if (!is_suitable(p, side))
        return DPL_OK;
    counting x = {.out = out, .p = p, .side = side};
    dpl_status status;
    dpl__terms_init(&x.terms, p->ctx);
    if ((status = count_docs(&x, err)) == DPL_OK && (status = find_parts(&x, err)) == DPL_OK &&
        (status = keep(&x, err)) == DPL_OK)
        status = list_docs(&x, err);
    dpl__vec_clear(p->ctx, &x.ids, &x.grams);
    dpl__terms_clear(&x.terms);
    if (status != DPL_OK)
        dpl__gram_names_clear(out);
    return status;
}

/* Calls are for each character of a text. */
#define EACH_CHARACTER(c, text)                                                                \
    for (size_t at_ = 0, next_ = 0; at_ < (text).n; at_ = next_)                               \
        if ((next_ = at_ + dpl__utf8_decode((const uint8_t *)(text).data + at_, &(c))))

enum { N_CODES = 0x110000 };

dpl_status dpl__gram_names_familiar(float *out, const dpl__gram_names *g,
                                    const uint32_t *chosen, size_t n, dpl_error *err)
{
    uint32_t c;
    uint16_t *counts = dpl__calloc(g->ctx, N_CODES, sizeof *counts);
    uint8_t *is_chosen = dpl__calloc(g->ctx, (size_t)g->n + 1, 1);
    const bool has_room = counts && is_chosen;
    for (size_t i = 0; i < n && has_room; i++) {
        is_chosen[chosen[i]] = 1;
        EACH_CHARACTER(c, g->texts[chosen[i]])
        counts[c] = (uint16_t)(counts[c] + (counts[c] < UINT16_MAX));
    }
    for (uint32_t i = 0; i < g->n && has_room; i++) {
        uint32_t n_known = 0, n_all = 0;
        EACH_CHARACTER(c, g->texts[i])
        {
            n_known += counts[c] > is_chosen[i];
            n_all++;
        }
        out[i] = (float)n_known / (float)n_all;
    }
    dpl__free(g->ctx, is_chosen, counts);
    return dpl__need(has_room, err);
}

void dpl__gram_names_clear(dpl__gram_names *g)
{
    if (!g->ctx)
        return;
    dpl__free(g->ctx, g->ids, g->begin, g->df, g->texts);
    *g = (dpl__gram_names){0};
}
