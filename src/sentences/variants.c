/*
 * variants.c - cells of known terms, copied to unknown ones next to them in byte order.
 *
 * Cost: linear in terms and cells.
 */
#include "sentences/variants.h"

#include "base/ctx.h"
#include "lexicon/encoded.h"
#include "sentences/sentences_params.h"

/* Cells by term: those of term t are numbers[begin[t]] .. numbers[begin[t + 1]]. */
typedef struct by_term {
    dpl_ctx *ctx;
    size_t n_terms, n;
    uint64_t *begin; /* n_terms + 2 */
    size_t *numbers;
} by_term;

static void by_term_clear(by_term *x)
{
    dpl__free(x->ctx, x->numbers, x->begin);
}

static uint32_t term_of(const dpl__cell *c, int side)
{
    return side == DPL__LEFT ? c->row : c->col;
}

static bool by_term_make(by_term *x, const dpl__cell_list *cells, const dpl__variants *v)
{
    *x = (by_term){.ctx = v->ctx, .n_terms = v->n_terms, .n = cells->n};
    x->begin = dpl__calloc(x->ctx, x->n_terms + 2, sizeof *x->begin);
    x->numbers = dpl__alloc(x->ctx, (x->n + 1) * sizeof *x->numbers);
    if (!x->begin || !x->numbers)
        return false;
    for (size_t i = 0; i < x->n; i++)
        x->begin[term_of(&cells->data[i], v->side) + 2]++;
    for (size_t i = 2; i < x->n_terms + 2; i++)
        x->begin[i] += x->begin[i - 1];
    for (size_t i = 0; i < x->n; i++)
        x->numbers[x->begin[term_of(&cells->data[i], v->side) + 1]++] = i;
    return true;
}

/* The share of the common prefix of two words, in [0, 1]; 0 when it is too small. */
static float similarity(const dpl__variants *v, uint32_t a, uint32_t b)
{
    dpl_str x = dpl_collection_term(v->collection, a);
    dpl_str y = dpl_collection_term(v->collection, b);
    size_t n = 0, longest = dpl__max(x.n, y.n);
    while (n < x.n && n < y.n && x.data[n] == y.data[n])
        n++;
    return n < PN(variant_letters) || (double)n < P(variant_share) * (double)longest
               ? 0
               : (float)n / (float)longest;
}

static bool copy_cells(dpl__cell_list *cells, const dpl__variants *v, const by_term *x,
                       uint32_t from, uint32_t to, float share)
{
    for (uint64_t k = x->begin[from]; k < x->begin[from + 1]; k++) {
        dpl__cell c = cells->data[x->numbers[k]];
        *(v->side == DPL__LEFT ? &c.row : &c.col) = to;
        c.p *= share;
        if (c.p >= PF(variant_least) && !dpl__vec_push(v->ctx, cells, c))
            return false;
    }
    return true;
}

/* The known terms before and behind each unknown one: the one with the longer common prefix. */
static bool copy_all(dpl__cell_list *cells, const dpl__variants *v, const by_term *x)
{
    uint32_t n = v->n_terms, before = n, behind = 0;
    for (uint32_t i = 0; i < n; i++) {
        uint32_t term = v->order[i];
        if (v->is_known[term]) {
            before = i;
            continue;
        }
        while (behind < n && (behind < i || !v->is_known[v->order[behind]]))
            behind++;
        float first = before < n ? similarity(v, term, v->order[before]) : 0;
        float second = behind < n ? similarity(v, term, v->order[behind]) : 0;
        float like = second > first ? second : first;
        if (like > 0 && !copy_cells(cells, v, x, v->order[second > first ? behind : before],
                                    term, PF(variant_weight) * like * like))
            return false;
    }
    return true;
}

dpl_status dpl__variants_add(dpl__cell_list *cells, const dpl__variants *v, dpl_error *err)
{
    by_term x;
    bool is_done = by_term_make(&x, cells, v) && copy_all(cells, v, &x);
    by_term_clear(&x);
    return dpl__need(is_done, err);
}
