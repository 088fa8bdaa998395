/*
 * name_pairs.c - every document of one side against the documents of the other that have one
 * of its names, through lists of the documents of each name.
 *
 * Cost: the documents of a name times its occurrences on the other side; names are rare.
 */
#include "mine/name_pairs.h"

#include "base/ctx.h"
#include "base/maths.h"
#include "base/order.h"
#include "mine/mine_params.h"

#include <stdlib.h>

#define NONE UINT32_MAX

/* Places in arrays of two: the pivot, the other side. */
enum { PIVOT, OTHER };

typedef struct seeking {
    dpl_ctx *ctx;
    const dpl__comparable *p;
    const dpl__names *names;
    int side[2]; /* left or right: of the pivot, of the other one */
    uint32_t n_docs[2];
    float *weight;   /* of each term of the pivot: idf; 0: no name */
    float *own[2];   /* of each document: weight of all its names */
    uint64_t *begin; /* of each term of the pivot that is a name: its documents */
    uint32_t *docs;
    uint64_t n_postings;
    const dpl__name_link **link; /* of each term of the other side; NULL: none */
    float *sums;                 /* of each document of the pivot, at work */
    uint8_t *shared;
    DPL_VEC(uint32_t) touched;
} seeking;

static double idf(const seeking *s, int side, uint32_t term)
{
    return dpl__log((double)(s->p->n_docs[side] + 1) /
                    (double)dpl__names_doc_count(s->names, side, term));
}

static dpl_status allocate(seeking *s, dpl_error *err)
{
    const size_t n_terms = (size_t)s->names->n_terms[s->side[PIVOT]] + 2,
                 n_other = (size_t)s->names->n_terms[s->side[OTHER]] + 1;
    for (int i = 0; i < 2; i++)
        s->own[i] = dpl__calloc(s->ctx, (size_t)s->n_docs[i] + 1, sizeof *s->own[i]);
    s->weight = dpl__calloc(s->ctx, n_terms, sizeof *s->weight);
    s->begin = dpl__calloc(s->ctx, n_terms + 1, sizeof *s->begin);
    s->link = dpl__calloc(s->ctx, n_other, sizeof *s->link);
    s->sums = dpl__calloc(s->ctx, (size_t)s->n_docs[PIVOT] + 1, sizeof *s->sums);
    s->shared = dpl__calloc(s->ctx, (size_t)s->n_docs[PIVOT] + 1, 1);
    return dpl__need(s->own[0] && s->own[1] && s->weight && s->begin && s->link && s->sums &&
                         s->shared,
                     err);
}

static void clear(seeking *s)
{
    dpl__vec_clear(s->ctx, &s->touched);
    dpl__free(s->ctx, s->shared, s->sums, s->link, s->docs, s->begin, s->weight);
    for (int i = 0; i < 2; i++)
        dpl__free(s->ctx, s->own[i]);
}

/* Weights of documents: their names that are linked, and where names are known by capitals all
 * of them. */
static void weigh_docs(seeking *s, int at)
{
    const int side = s->side[at];
    for (uint32_t doc = 0; doc < s->n_docs[at]; doc++) {
        size_t n;
        const uint32_t *row = dpl__names_row(s->names, side, doc, &n);
        for (size_t i = 0; i < n && !s->p->skip[side][doc]; i++) {
            bool counts_here = at == PIVOT ? s->weight[row[i]] > 0
                                           : s->link[row[i]] || s->names->has_case[side];
            if (s->names->is_name[side][row[i]] && counts_here)
                s->own[at][doc] += (float)idf(s, side, row[i]);
        }
    }
}

static void weigh_names(seeking *s)
{
    const int side = s->side[PIVOT];
    const dpl__names *names = s->names;
    for (size_t i = 0; i < names->links.n; i++) {
        const dpl__name_link *l = &names->links.data[i];
        s->link[l->term[1]] = l;
        s->weight[l->term[0]] = (float)idf(s, side, l->term[0]);
    }
    for (uint32_t t = 0; t < names->n_terms[side] && names->has_case[side]; t++)
        if (names->is_name[side][t])
            s->weight[t] = (float)idf(s, side, t);
}

/* The documents of each name of the pivot. */
static dpl_status list_docs(seeking *s, dpl_error *err)
{
    const int side = s->side[PIVOT];
    const size_t n_terms = s->names->n_terms[side];
    for (int turn = 0; turn < 2; turn++) {
        for (uint32_t doc = 0; doc < s->n_docs[PIVOT]; doc++) {
            size_t n;
            const uint32_t *row = dpl__names_row(s->names, side, doc, &n);
            for (size_t i = 0; i < n && !s->p->skip[side][doc]; i++)
                if (s->weight[row[i]] > 0) {
                    if (turn)
                        s->docs[s->begin[row[i] + 1]++] = doc;
                    else
                        s->begin[row[i] + 2]++;
                }
        }
        if (turn)
            break;
        for (size_t t = 2; t < n_terms + 2; t++)
            s->begin[t] += s->begin[t - 1];
        s->n_postings = s->begin[n_terms + 1];
        s->docs = dpl__alloc(s->ctx, (s->n_postings + 1) * sizeof *s->docs);
        DPL_TRY(dpl__need(s->docs, err));
    }
    return DPL_OK;
}

static dpl_status add_up(seeking *s, uint32_t doc, dpl_error *err)
{
    size_t n;
    const uint32_t *row = dpl__names_row(s->names, s->side[OTHER], doc, &n);
    s->touched.n = 0;
    for (size_t i = 0; i < n; i++) {
        const dpl__name_link *l = s->link[row[i]];
        for (uint64_t k = l ? s->begin[l->term[0]] : 0; l && k < s->begin[l->term[0] + 1];
             k++) {
            uint32_t to = s->docs[k];
            if (!s->shared[to] && !dpl__vec_push(s->ctx, &s->touched, to))
                return dpl__fail_nomem(err);
            if (s->shared[to] < UINT8_MAX)
                s->shared[to]++;
            s->sums[to] += l->p * s->weight[l->term[0]];
        }
    }
    return DPL_OK;
}

/* The document with the highest sum, if the second one is far enough below it. */
static dpl_status choose(dpl__name_pairs *out, seeking *s, uint32_t doc, dpl_error *err)
{
    const uint64_t *keys = s->p->keys[s->side[PIVOT]];
    uint32_t best = NONE;
    float second = 0;
    for (size_t i = 0; i < s->touched.n; i++) {
        uint32_t to = s->touched.data[i];
        if (best == NONE || s->sums[to] > s->sums[best] ||
            (s->sums[to] >= s->sums[best] && keys[to] < keys[best])) {
            second = best == NONE ? 0 : s->sums[best];
            best = to;
        } else if (s->sums[to] > second)
            second = s->sums[to];
    }
    dpl_status status = DPL_OK;
    if (best != NONE && (double)s->sums[best] >= DPL__P(mine, name_weight) &&
        (double)(s->sums[best] - second) >= DPL__P(mine, name_lead)) {
        dpl__name_pair pair = {.score = 2 * s->sums[best] /
                                        (s->own[PIVOT][best] + s->own[OTHER][doc])};
        pair.docs = s->p->pivot ? (dpl_doc_pair){doc, best} : (dpl_doc_pair){best, doc};
        pair.key = dpl__pair_key(s->p, pair.docs);
        if (!dpl__vec_push(s->ctx, out, pair))
            status = dpl__fail_nomem(err);
    }
    for (size_t i = 0; i < s->touched.n; i++) {
        s->sums[s->touched.data[i]] = 0;
        s->shared[s->touched.data[i]] = 0;
    }
    return status;
}

DPL__ORDER(best_first, dpl__name_pair, DPL__FALLING(score) DPL__RISING(key))

/* Keeps the best of several pairs with the same document of the pivot. Pairs are sorted. */
static void keep_once(dpl__name_pairs *pairs, seeking *s)
{
    size_t n = 0;
    memset(s->shared, 0, (size_t)s->n_docs[PIVOT] + 1);
    for (size_t i = 0; i < pairs->n; i++) {
        dpl_doc_pair d = pairs->data[i].docs;
        uint8_t *is_taken = &s->shared[s->p->pivot ? d.right : d.left];
        if (!*is_taken)
            pairs->data[n++] = pairs->data[i];
        *is_taken = 1;
    }
    pairs->n = n;
}

dpl_status dpl__name_pairs_find(dpl__name_pairs *out, const dpl__comparable *p,
                                const dpl__names *names, dpl_error *err)
{
    seeking s = {.ctx = p->ctx, .p = p, .names = names, .side = {p->pivot, !p->pivot}};
    dpl_status status;
    for (int i = 0; i < 2; i++)
        s.n_docs[i] = dpl_collection_get_sizes(p->c[s.side[i]])->n_docs;
    if ((status = allocate(&s, err)) != DPL_OK)
        goto done;
    weigh_names(&s);
    for (int i = 0; i < 2; i++)
        weigh_docs(&s, i);
    if ((status = list_docs(&s, err)) != DPL_OK)
        goto done;
    for (uint32_t doc = 0; doc < s.n_docs[OTHER]; doc++) {
        if (p->skip[s.side[OTHER]][doc])
            continue;
        if ((status = add_up(&s, doc, err)) != DPL_OK ||
            (status = choose(out, &s, doc, err)) != DPL_OK)
            goto done;
    }
    dpl__vec_sort(out, best_first);
    keep_once(out, &s);
done:
    clear(&s);
    return status;
}
