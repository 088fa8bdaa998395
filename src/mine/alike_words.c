/*
 * alike_words.c - spellings become sets of trigrams; words that share them are compared.
 *
 * In: the terms of two collections, in Latin letters and without marks, with a border at either
 * end. Out: pairs of terms whose Dice coefficient (1945) is high, trigrams weighed by their
 * rarity: endings are shared by many words, and say little. Weights are whole numbers, so sums
 * do not depend on their order.
 *
 * Of 15,000 German words, 5 % share their beginning with a word of the English counterpart, and
 * 13 % at least a third of their trigrams (alike_least); with words of other sentences 0.1 %
 * and 1.2 % do.
 *
 * Cost: of each trigram, its words on one side times those on the other.
 */
#include "mine/alike_words.h"

#include "base/ctx.h"
#include "base/lower_bound.h"
#include "base/maths.h"
#include "base/order.h"
#include "mine/mine_params.h"
#include "par/pool.h"
#include "par/sort.h"
#include "sentences/sentences_params.h"
#include "vectors/project.h"

#include <stdlib.h>

enum {
    LETTERS = 3, /* of a trigram */
    SHORTEST = 4 + 2,
    LONGEST = 1000,
    UNITS = 64, /* of a weight, per natural logarithm */
    BLOCK = 256 /* terms of a task */
};

/* A trigram of a term. */
typedef struct gram {
    uint32_t letters, term;
    uint32_t weight;
    uint32_t begin, end; /* of a left term: the right terms that have it */
} gram;

typedef DPL_VEC(gram) gram_vec;

/* A thread's own memory. */
typedef struct scratch {
    uint32_t *shared;  /* of each right term: weight of common trigrams */
    uint32_t *touched; /* right terms that have any */
} scratch;

typedef struct comparing {
    dpl_ctx *ctx;
    uint32_t n_terms[2]; /* of the pivot, of the other side */
    gram_vec grams[2];   /* by letters; those of the pivot then by term */
    uint32_t *total[2];  /* of each term: weight of its trigrams */
    scratch *scratch;
    unsigned n_workers;
    dpl__alike_words *blocks;
} comparing;

/* ---- trigrams --------------------------------------------------------------------------- */

static bool is_usable(dpl_str text)
{
    for (size_t i = 0; i < text.n; i++)
        if (text.data[i] >= '0' && text.data[i] <= '9')
            return false;
    return text.n >= SHORTEST && text.n <= LONGEST;
}

static dpl_status add_grams(comparing *x, int place, uint32_t term, dpl_str text,
                            dpl_error *err)
{
    const uint8_t *s = (const uint8_t *)text.data;
    for (size_t i = 0; i + LETTERS <= text.n; i++) {
        const gram one = {(uint32_t)s[i] << 16 | (uint32_t)s[i + 1] << 8 | s[i + 2], term, 0, 0,
                          0};
        DPL_TRY(dpl__need(dpl__vec_push(x->ctx, &x->grams[place], one), err));
    }
    return DPL_OK;
}

DPL__ORDER(by_letters, gram, DPL__RISING(letters) DPL__RISING(term))
DPL__ORDER(by_term, gram, DPL__RISING(term))

/* Each trigram of a term once, by letters. */
static dpl_status sort_grams(comparing *x, int place, dpl_error *err)
{
    gram_vec *g = &x->grams[place];
    size_t n = 0;
    DPL_TRY(dpl__parallel_sort(x->ctx, g->data, g->n, sizeof *g->data, by_letters, err));
    for (size_t i = 0; i < g->n; i++)
        if (i == 0 || by_letters(&g->data[i - 1], &g->data[i]) != 0)
            g->data[n++] = g->data[i];
    g->n = n;
    return DPL_OK;
}

static dpl_status find_grams(comparing *x, const dpl_collection *c, int place, dpl_error *err)
{
    dpl__facts facts;
    dpl__projection p;
    DPL_TRY(dpl__facts_find(&facts, c, 1, err));
    facts.n_terms = facts.n_terms < PN(cognate_terms) ? facts.n_terms : PN(cognate_terms);
    x->n_terms[place] = facts.n_terms;
    DPL_TRY(dpl__spelling_make(&p, x->ctx, c, &facts, LONGEST, err)); /* as wholes */
    dpl_status status;
    for (uint32_t term = 0; term < facts.n_terms; term++) {
        const dpl_str text = p.texts[p.table.cols[p.table.offsets[term]]];
        if (is_usable(text))
            DPL__STEP(add_grams(x, place, term, text, err));
    }
    DPL__STEP(sort_grams(x, place, err));
done:
    dpl__projection_clear(&p);
    return status;
}

static size_t end_of(const gram_vec *g, size_t at)
{
    size_t end = at;
    while (end < g->n && g->data[end].letters == g->data[at].letters)
        end++;
    return end;
}

/* Weighs the trigrams; those of the pivot learn which right terms have them. */
static void weigh_grams(comparing *x)
{
    const double n_terms = (double)x->n_terms[0] + (double)x->n_terms[1];
    for (size_t i = 0, k = 0; i < x->grams[0].n || k < x->grams[1].n;) {
        const uint32_t left = i < x->grams[0].n ? x->grams[0].data[i].letters : UINT32_MAX,
                       right = k < x->grams[1].n ? x->grams[1].data[k].letters : UINT32_MAX;
        const size_t i_end = left <= right ? end_of(&x->grams[0], i) : i,
                     k_end = right <= left ? end_of(&x->grams[1], k) : k;
        const double n = (double)(i_end - i + k_end - k);
        const uint32_t weight = 1 + (uint32_t)(UNITS * dpl__log(n_terms / n));
        for (size_t j = k; j < k_end; j++)
            x->total[1][x->grams[1].data[j].term] += weight;
        for (; i < i_end; i++) {
            gram *g = &x->grams[0].data[i];
            *g = (gram){g->letters, g->term, weight, (uint32_t)k, (uint32_t)k_end};
            x->total[0][g->term] += weight;
        }
        k = k_end;
    }
}

/* ---- words ------------------------------------------------------------------------------ */

DPL__ORDER(by_right, dpl__alike_word, DPL__RISING(right))

/* The right terms of one left term, whose trigrams are these. */
static dpl_status compare_term(comparing *x, dpl__alike_words *out, const scratch *s,
                               const gram *grams, size_t n, dpl_error *err)
{
    const double least = DPL__P(mine, alike_least), power = DPL__P(mine, alike_power);
    const uint32_t left = grams->term;
    const size_t n_before = out->n;
    size_t n_touched = 0;
    for (size_t i = 0; i < n; i++)
        for (size_t k = grams[i].begin; k < grams[i].end; k++) {
            const uint32_t right = x->grams[1].data[k].term;
            if (s->shared[right] == 0)
                s->touched[n_touched++] = right;
            s->shared[right] += grams[i].weight;
        }
    for (size_t i = 0; i < n_touched; i++) {
        const uint32_t right = s->touched[i];
        const double dice = 2 * (double)s->shared[right] /
                            ((double)x->total[0][left] + (double)x->total[1][right]);
        s->shared[right] = 0;
        if (dice < least)
            continue;
        const dpl__alike_word one = {
            left, right, PF(cognate_unknown) * (float)dpl__exp(power * dpl__log(dice))};
        DPL_TRY(dpl__need(dpl__vec_push(x->ctx, out, one), err));
    }
    if (out->n > n_before)
        qsort(out->data + n_before, out->n - n_before, sizeof *out->data, by_right);
    return DPL_OK;
}

static dpl_status compare_block(void *user, size_t block, unsigned worker, dpl_error *err)
{
    comparing *x = user;
    const gram_vec *g = &x->grams[0];
    const uint32_t first = (uint32_t)block * BLOCK;
    size_t i, end;
    DPL__LOWER_BOUND(i, g->n, g->data[i].term < first);
    for (; i < g->n && g->data[i].term < first + BLOCK; i = end) {
        for (end = i; end < g->n && g->data[end].term == g->data[i].term;)
            end++;
        DPL_TRY(
            compare_term(x, &x->blocks[block], &x->scratch[worker], &g->data[i], end - i, err));
    }
    return DPL_OK;
}

static dpl_status make_scratch(comparing *x, dpl_error *err)
{
    x->n_workers = dpl_ctx_threads(x->ctx);
    x->scratch = dpl__calloc(x->ctx, x->n_workers, sizeof *x->scratch);
    DPL_TRY(dpl__need(x->scratch, err));
    for (unsigned i = 0; i < x->n_workers; i++) {
        scratch *s = &x->scratch[i];
        s->shared = dpl__calloc(x->ctx, (size_t)x->n_terms[1] + 1, sizeof *s->shared);
        s->touched = dpl__alloc(x->ctx, ((size_t)x->n_terms[1] + 1) * sizeof *s->touched);
        DPL_TRY(dpl__need(s->shared && s->touched, err));
    }
    return DPL_OK;
}

static void clear(comparing *x, size_t n_blocks)
{
    for (size_t i = 0; i < n_blocks && x->blocks; i++)
        dpl__vec_clear(x->ctx, &x->blocks[i]);
    for (unsigned i = 0; i < x->n_workers && x->scratch; i++)
        dpl__free(x->ctx, x->scratch[i].touched, x->scratch[i].shared);
    for (int place = 0; place < 2; place++) {
        dpl__vec_clear(x->ctx, &x->grams[place]);
        dpl__free(x->ctx, x->total[place]);
    }
    dpl__free(x->ctx, x->blocks, x->scratch);
}

dpl_status dpl__alike_words_find(dpl__alike_words *out, const dpl__comparable *p,
                                 dpl_error *err)
{
    comparing x = {.ctx = p->ctx};
    size_t n_blocks = 0;
    dpl_status status;
    for (int place = 0; place < 2; place++) {
        DPL__STEP(find_grams(&x, p->c[place ? !p->pivot : p->pivot], place, err));
        x.total[place] =
            dpl__calloc(p->ctx, (size_t)x.n_terms[place] + 1, sizeof *x.total[place]);
        DPL__STEP(dpl__need(x.total[place], err));
    }
    weigh_grams(&x);
    DPL__STEP(dpl__parallel_sort(p->ctx, x.grams[0].data, x.grams[0].n, sizeof *x.grams[0].data,
                                 by_term, err));
    DPL__STEP(make_scratch(&x, err));
    n_blocks = ((size_t)x.n_terms[0] + BLOCK - 1) / BLOCK;
    x.blocks = dpl__calloc(p->ctx, n_blocks + 1, sizeof *x.blocks);
    DPL__STEP(dpl__need(x.blocks, err));
    DPL__STEP(dpl__parallel_for(p->ctx, n_blocks, &x, compare_block, err));
    for (size_t i = 0; i < n_blocks; i++)
        DPL__STEP(
            dpl__need(dpl__vec_append(p->ctx, out, x.blocks[i].data, x.blocks[i].n), err));
done:
    clear(&x, n_blocks);
    return status;
}
