/*
 * growth.c - significant word links, evidence for pairs of documents, mutual matches, in turn.
 *
 * Cost of a round: the words of one side times those of the other for each pair; then for each
 * document those of the other side that have a linked word, in small collections all of them.
 */
#include "mine/growth.h"

#include "base/ctx.h"
#include "base/maths.h"
#include "base/order.h"
#include "mine/mine_params.h"
#include "mine/shapes.h"
#include "mine/word_parts.h"
#include "par/pool.h"

#include <math.h>
#include <stdlib.h>

#define NONE UINT32_MAX

enum { PIVOT, OTHER, BLOCK = 64, TERM_BLOCK = 256 };

/* Rows of weights, by document or by term. */
typedef struct cell {
    uint32_t at;
    float weight;
} cell;

typedef struct rows {
    uint32_t n;
    uint64_t *begin; /* n + 1 */
    cell *cells;
} rows;

/* A word of the pivot that is often where a word of the other side is. */
typedef struct link {
    uint32_t term; /* of the pivot */
    uint32_t both; /* pairs that have both */
    float ratio;   /* log-likelihood ratio */
    float sure;    /* of a name: what counts beside it; 0: no name */
} link;

typedef DPL_VEC(link) link_vec;
typedef DPL_VEC(cell) cell_vec;

typedef struct worker {
    float *values;          /* of each term of the pivot, or document: 0 but at work */
    DPL_VEC(uint32_t) seen; /* places that are not 0; of documents: blocks */
    uint8_t *is_seen;       /* of each block */
    DPL_VEC(uint32_t) row;
} worker;

typedef struct growing {
    dpl_ctx *ctx;
    const dpl__growth_input *in;
    const dpl__comparable *p;
    int side[2];
    uint32_t n_docs[2], n_terms[2];
    dpl__word_parts terms[2];
    float *idf[2];    /* 0: too frequent */
    float *df[2];     /* of each term: documents */
    float *absent[2]; /* of each term: what it costs that it has no counterpart */
    float *price[2];  /* of each document: the sum of that */
    dpl__shapes shapes;
    bool is_small;        /* all documents are compared, not only those with a word in common */
    rows vectors;         /* of the documents of the pivot */
    rows translated;      /* of those of the other side */
    rows inverted[2];     /* documents of each term of the pivot: of vectors, of translated */
    uint64_t *link_begin; /* of each term of the other side */
    link_vec links;
    uint32_t *in_pairs[2]; /* of each term: pairs learnt from that it is in */
    uint32_t *partner;     /* of each document of the other side: learnt from with; NONE: not */
    size_t n_pairs;        /* learnt from */
    uint64_t *at_begin;    /* of each term of the other side: its pairs */
    uint32_t *at_pairs;
    size_t n_at;
    dpl_doc_pair *pairs; /* .left: of the pivot */
    size_t most_pairs;
    worker *workers;
    unsigned n_workers;
    link_vec *found;  /* of each block of terms */
    cell_vec *made;   /* of each block of documents */
    uint64_t *made_n; /* of each document: its cells */
    dpl__neighbours near;
    int direction; /* whose lists are made */
} growing;

/* ---- memory --------------------------------------------------------------------------- */

static size_t most(size_t a, size_t b)
{
    return a > b ? a : b;
}

static size_t n_blocks(size_t n, size_t block)
{
    return (n + block - 1) / block;
}

static size_t worker_values(const growing *g)
{
    return most(g->n_terms[PIVOT], most(g->n_docs[0], g->n_docs[1])) + 1;
}

static dpl_status allocate(growing *g, dpl_error *err)
{
    bool is_there = true;
    for (int i = 0; i < 2; i++) {
        g->idf[i] = dpl__calloc(g->ctx, (size_t)g->n_terms[i] + 1, sizeof *g->idf[i]);
        g->in_pairs[i] = dpl__calloc(g->ctx, (size_t)g->n_terms[i] + 1, sizeof *g->in_pairs[i]);
        g->df[i] = dpl__calloc(g->ctx, (size_t)g->n_terms[i] + 1, sizeof *g->df[i]);
        g->absent[i] = dpl__calloc(g->ctx, (size_t)g->n_terms[i] + 1, sizeof *g->absent[i]);
        g->price[i] = dpl__calloc(g->ctx, (size_t)g->n_docs[i] + 1, sizeof *g->price[i]);
        is_there =
            is_there && g->df[i] && g->absent[i] && g->price[i] && g->idf[i] && g->in_pairs[i];
    }
    g->link_begin = dpl__calloc(g->ctx, (size_t)g->n_terms[OTHER] + 2, sizeof *g->link_begin);
    g->at_begin = dpl__calloc(g->ctx, (size_t)g->n_terms[OTHER] + 3, sizeof *g->at_begin);
    g->partner = dpl__alloc(g->ctx, ((size_t)g->n_docs[OTHER] + 1) * sizeof *g->partner);
    g->most_pairs = dpl__min(g->n_docs[0], g->n_docs[1]) + (size_t)1;
    g->pairs = dpl__alloc(g->ctx, g->most_pairs * sizeof *g->pairs);
    g->made_n = dpl__calloc(g->ctx, most(g->n_docs[0], g->n_docs[1]) + 2, sizeof *g->made_n);
    g->found =
        dpl__calloc(g->ctx, n_blocks(g->n_terms[OTHER], TERM_BLOCK) + 1, sizeof *g->found);
    g->made = dpl__calloc(g->ctx, n_blocks(most(g->n_docs[0], g->n_docs[1]), BLOCK) + 1,
                          sizeof *g->made);
    g->workers = dpl__calloc(g->ctx, g->n_workers, sizeof *g->workers);
    DPL_TRY(dpl__need(is_there && g->link_begin && g->at_begin && g->partner && g->pairs &&
                          g->made_n && g->found && g->made && g->workers,
                      err));
    for (unsigned w = 0; w < g->n_workers; w++) {
        const size_t n = worker_values(g);
        g->workers[w].values = dpl__calloc(g->ctx, n, sizeof(float));
        g->workers[w].is_seen = dpl__calloc(g->ctx, n / DPL__SHAPES_BLOCK + 1, 1);
        DPL_TRY(dpl__need(g->workers[w].values && g->workers[w].is_seen, err));
    }
    return DPL_OK;
}

static void rows_clear(rows *r, dpl_ctx *ctx)
{
    dpl__free(ctx, r->begin, r->cells);
    *r = (rows){0};
}

static dpl_status rows_new(rows *r, dpl_ctx *ctx, uint32_t n, size_t n_cells, dpl_error *err)
{
    rows_clear(r, ctx);
    r->n = n;
    r->begin = dpl__calloc(ctx, (size_t)n + 2, sizeof *r->begin);
    r->cells = dpl__alloc(ctx, (n_cells + 1) * sizeof *r->cells);
    return dpl__need(r->begin && r->cells, err);
}

static void clear(growing *g)
{
    for (unsigned w = 0; g->workers && w < g->n_workers; w++) {
        dpl__free(g->ctx, g->workers[w].values, g->workers[w].is_seen);
        dpl__vec_clear(g->ctx, &g->workers[w].seen, &g->workers[w].row);
    }
    dpl__free(g->ctx, g->workers);
    size_t n = n_blocks(g->n_terms[OTHER], TERM_BLOCK) + 1;
    for (size_t i = 0; g->found && i < n; i++)
        dpl__vec_clear(g->ctx, &g->found[i]);
    dpl__free(g->ctx, g->found);
    n = n_blocks(most(g->n_docs[0], g->n_docs[1]), BLOCK) + 1;
    for (size_t i = 0; g->made && i < n; i++)
        dpl__vec_clear(g->ctx, &g->made[i]);
    dpl__free(g->ctx, g->made, g->made_n, g->pairs, g->partner, g->at_pairs, g->at_begin,
              g->link_begin);
    dpl__vec_clear(g->ctx, &g->links);
    rows_clear(&g->vectors, g->ctx);
    rows_clear(&g->translated, g->ctx);
    for (int i = 0; i < 2; i++) {
        rows_clear(&g->inverted[i], g->ctx);
        dpl__free(g->ctx, g->df[i], g->absent[i], g->price[i], g->idf[i], g->in_pairs[i]);
    }
    dpl__neighbours_clear(&g->near);
}

/* ---- documents ------------------------------------------------------------------------ */

static const uint32_t *row_of(const growing *g, int at, uint32_t doc, size_t *n)
{
    *n = g->terms[at].begin[doc + 1] - g->terms[at].begin[doc];
    return g->terms[at].ids.data + g->terms[at].begin[doc];
}

static bool is_skipped(const growing *g, int at, uint32_t doc)
{
    return g->p->skip[g->side[at]][doc];
}

static void measure_side(growing *g, int at)
{
    const double n = g->p->n_docs[g->side[at]], frequent = DPL__P(mine, growth_frequent) * n;
    for (uint32_t t = 0; t < g->n_terms[at]; t++) {
        const double df = g->terms[at].df[t];
        g->df[at][t] = (float)df;
        if (df <= frequent)
            g->idf[at][t] = (float)dpl__log((n - df + 0.5) / (df + 0.5) + 1);
    }
}

static dpl_status make_vectors(growing *g, dpl_error *err)
{
    const dpl_collection *c = g->p->c[g->side[PIVOT]];
    rows *v = &g->vectors;
    DPL_TRY(rows_new(v, g->ctx, g->n_docs[PIVOT], g->terms[PIVOT].ids.n, err));
    size_t at = 0;
    for (uint32_t doc = 0; doc < g->n_docs[PIVOT]; doc++) {
        size_t n, n_tokens;
        const uint32_t *row = row_of(g, PIVOT, doc, &n);
        (void)dpl_collection_tokens(c, doc, &n_tokens);
        v->begin[doc] = at;
        for (size_t i = 0; i < n && !is_skipped(g, PIVOT, doc); i++)
            if (g->idf[PIVOT][row[i]] > 0)
                v->cells[at++] = (cell){row[i], 1};
    }
    v->begin[g->n_docs[PIVOT]] = at;
    return DPL_OK;
}

/* The documents of each term of the pivot. */
static dpl_status invert(rows *out, growing *g, const rows *v, dpl_error *err)
{
    const uint64_t n = v->begin[v->n];
    DPL_TRY(rows_new(out, g->ctx, g->n_terms[PIVOT], n, err));
    for (uint64_t i = 0; i < n; i++)
        out->begin[v->cells[i].at + 1]++;
    uint64_t sum = 0;
    for (uint32_t t = 0; t <= g->n_terms[PIVOT]; t++) {
        uint64_t here = out->begin[t + 1];
        out->begin[t + 1] = sum; /* where the next one of t goes; at the end: begin of t + 1 */
        sum += here;
    }
    for (uint32_t doc = 0; doc < v->n; doc++)
        for (uint64_t i = v->begin[doc]; i < v->begin[doc + 1]; i++)
            out->cells[out->begin[v->cells[i].at + 1]++] = (cell){doc, v->cells[i].weight};
    return DPL_OK;
}

/* ---- links ------------------------------------------------------------------------------ */

static double entropy_part(double n, double expected)
{
    return n > 0 ? n * dpl__log(n / expected) : 0;
}

/* The log-likelihood ratio of two words that are together in `both` of n pairs; 0 where that is
 * less than chance. */
static double log_likelihood_ratio(double both, double a, double b, double n)
{
    if (both * n <= a * b)
        return 0;
    return 2 * (entropy_part(both, a * b / n) + entropy_part(a - both, a * (n - b) / n) +
                entropy_part(b - both, (n - a) * b / n) +
                entropy_part(n - a - b + both, (n - a) * (n - b) / n));
}

/* The pairs of each term of the other side, and how many each term has. */
static dpl_status list_pairs(growing *g, dpl_error *err)
{
    size_t n;
    uint64_t sum = 0;
    memset(g->at_begin, 0, ((size_t)g->n_terms[OTHER] + 3) * sizeof *g->at_begin);
    for (int at = 0; at < 2; at++)
        memset(g->in_pairs[at], 0, (size_t)g->n_terms[at] * sizeof *g->in_pairs[at]);
    for (size_t k = 0; k < g->n_pairs; k++)
        for (int at = 0; at < 2; at++) {
            const uint32_t *row = row_of(g, at, at ? g->pairs[k].right : g->pairs[k].left, &n);
            for (size_t i = 0; i < n; i++)
                g->in_pairs[at][row[i]]++;
            sum += at ? n : 0;
        }
    dpl__free(g->ctx, g->at_pairs);
    g->n_at = sum;
    g->at_pairs = dpl__alloc(g->ctx, (g->n_at + 1) * sizeof *g->at_pairs);
    DPL_TRY(dpl__need(g->at_pairs, err));
    for (uint32_t t = 0; t < g->n_terms[OTHER]; t++)
        g->at_begin[t + 2] = g->at_begin[t + 1] + g->in_pairs[OTHER][t];
    for (size_t k = 0; k < g->n_pairs; k++) {
        const uint32_t *row = row_of(g, OTHER, g->pairs[k].right, &n);
        for (size_t i = 0; i < n; i++)
            g->at_pairs[g->at_begin[row[i] + 1]++] = (uint32_t)k;
    }
    return DPL_OK;
}

/* Words of the pivot that a word is significantly often together with. */
static dpl_status link_term(link_vec *out, growing *g, worker *w, uint32_t term, dpl_error *err)
{
    const double n = (double)g->n_pairs, own = g->in_pairs[OTHER][term];
    w->seen.n = 0;
    for (uint64_t k = g->at_begin[term]; k < g->at_begin[term + 1]; k++) {
        size_t n_row;
        const uint32_t *row = row_of(g, PIVOT, g->pairs[g->at_pairs[k]].left, &n_row);
        for (size_t i = 0; i < n_row; i++) {
            if (!(g->idf[PIVOT][row[i]] > 0))
                continue;
            if (!(w->values[row[i]] > 0) && !dpl__vec_push(g->ctx, &w->seen, row[i]))
                return dpl__fail_nomem(err);
            w->values[row[i]]++;
        }
    }
    for (size_t i = 0; i < w->seen.n; i++) {
        uint32_t e = w->seen.data[i];
        double both = (double)w->values[e];
        w->values[e] = 0;
        if (both < DPL__P(mine, growth_together))
            continue;
        double ratio = log_likelihood_ratio(both, own, g->in_pairs[PIVOT][e], n);
        link l = {e, (uint32_t)both, (float)ratio, 0};
        if (ratio >= DPL__P(mine, growth_ratio) && !dpl__vec_push(g->ctx, out, l))
            return dpl__fail_nomem(err);
    }
    return DPL_OK;
}

DPL__ORDER(by_term, link, DPL__RISING(term))

static dpl_status link_block(void *user, size_t block, unsigned worker_number, dpl_error *err)
{
    growing *g = user;
    link_vec *out = &g->found[block];
    const size_t end = dpl__min((block + 1) * TERM_BLOCK, (size_t)g->n_terms[OTHER]);
    out->n = 0;
    for (size_t t = block * TERM_BLOCK; t < end; t++) {
        const size_t before = out->n;
        g->link_begin[t] = before; /* in the block, for now */
        if (g->idf[OTHER][t] > 0 && g->in_pairs[OTHER][t] >= DPL__P(mine, growth_together))
            DPL_TRY(link_term(out, g, &g->workers[worker_number], (uint32_t)t, err));
        if (out->n - before > 1)
            qsort(out->data + before, out->n - before, sizeof *out->data, by_term);
    }
    return DPL_OK;
}

/* The links of a term that are near the best of both words. */
static dpl_status keep_near(growing *g, const link *from, size_t n, const float *best,
                            dpl_error *err)
{
    const float near = (float)DPL__P(mine, growth_near);
    float own = 0;
    for (size_t i = 0; i < n; i++)
        own = from[i].ratio > own ? from[i].ratio : own;
    for (size_t i = 0; i < n; i++)
        if (from[i].ratio >= near * own && from[i].ratio >= near * best[from[i].term] &&
            !dpl__vec_push(g->ctx, &g->links, from[i]))
            return dpl__fail_nomem(err);
    return DPL_OK;
}

/* The links of names of a term, whose others are there; *name goes on to those of the next. */
static dpl_status keep_names(growing *g, uint32_t term, size_t *name, dpl_error *err)
{
    const dpl__name_link *names = g->in->names->links.data;
    const size_t n_names = g->in->names->links.n;
    for (; *name < n_names && names[*name].term[1] == term; ++*name) {
        size_t at = g->link_begin[term];
        while (at < g->links.n && g->links.data[at].term != names[*name].term[0])
            at++;
        if (at == g->links.n &&
            !dpl__vec_push(g->ctx, &g->links, ((link){names[*name].term[0], 0, 0, 0})))
            return dpl__fail_nomem(err);
        g->links.data[at].sure = names[*name].p;
    }
    return DPL_OK;
}

/* Names by the term of the other side: there is one link of each, at most. */
DPL__ORDER(by_other, dpl__name_link, DPL__RISING(term[1]))

static dpl_status learn_links(growing *g, dpl_error *err)
{
    const size_t n = n_blocks(g->n_terms[OTHER], TERM_BLOCK);
    size_t name = 0;
    dpl_status status = DPL_OK;
    DPL_TRY(list_pairs(g, err));
    DPL_TRY(dpl__parallel_for(g->ctx, n, g, link_block, err));
    float *best = dpl__calloc(g->ctx, (size_t)g->n_terms[PIVOT] + 1, sizeof *best);
    DPL_TRY(dpl__need(best, err));
    for (size_t b = 0; b < n; b++)
        for (size_t i = 0; i < g->found[b].n; i++) {
            const link *l = &g->found[b].data[i];
            best[l->term] = l->ratio > best[l->term] ? l->ratio : best[l->term];
        }
    g->links.n = 0;
    for (uint32_t t = 0; t < g->n_terms[OTHER]; t++) {
        const link_vec *from = &g->found[t / TERM_BLOCK];
        const bool is_last = (t + 1) % TERM_BLOCK == 0 || t + 1 == g->n_terms[OTHER];
        const size_t begin = g->link_begin[t], end = is_last ? from->n : g->link_begin[t + 1];
        g->link_begin[t] = g->links.n;
        if (end > begin) /* a block without links has no array */
            DPL__STEP(keep_near(g, from->data + begin, end - begin, best, err));
        DPL__STEP(keep_names(g, t, &name, err));
    }
    g->link_begin[g->n_terms[OTHER]] = g->links.n;
done:
    dpl__free(g->ctx, best);
    return status;
}

/* ---- translation ------------------------------------------------------------------------ */

static bool has_term(const uint32_t *row, size_t n, uint32_t term)
{
    size_t low = 0;
    while (n > 0) {
        size_t half = n / 2;
        if (row[low + half] < term) {
            low += half + 1;
            n -= half + 1;
        } else
            n = half;
    }
    return row[low] == term; /* a number that is no term is behind the last one */
}

/* What a link counts, in natural logarithms: how much more often both words are in a pair than
 * in two documents at random, without the pair that the document itself taught. */
static float gain_of(const growing *g, const link *l, uint32_t term, bool is_own)
{
    const double n_docs[2] = {g->p->n_docs[g->side[PIVOT]], g->p->n_docs[g->side[OTHER]]};
    const double df[2] = {g->df[PIVOT][l->term], g->df[OTHER][term]};
    const double own = is_own && l->both ? 1 : 0;
    double both = l->both - own,
           n[2] = {g->in_pairs[PIVOT][l->term] - own, g->in_pairs[OTHER][term] - own},
           ratio = (double)l->ratio, gain = 0;
    if (own > 0)
        ratio = both < DPL__P(mine, growth_together)
                    ? 0
                    : log_likelihood_ratio(both, n[OTHER], n[PIVOT], (double)g->n_pairs - 1);
    const double pi = ratio / (ratio + DPL__P(mine, growth_half));
    if (ratio >= DPL__P(mine, growth_ratio))
        gain = (dpl__log(1 + pi * both / (n[PIVOT] + 1) * n_docs[OTHER] / df[OTHER]) +
                dpl__log(1 + pi * both / (n[OTHER] + 1) * n_docs[PIVOT] / df[PIVOT])) /
               2;
    if (l->sure > 0) {
        const double name = dpl__log(1 + (double)l->sure * DPL__P(mine, growth_name) *
                                             (n_docs[OTHER] / df[OTHER]));
        gain = name > gain ? name : gain;
    }
    return (float)gain;
}

/* What it costs that a word has no translation in the other document. */
static void price_absence(growing *g)
{
    for (int at = 0; at < 2; at++)
        memset(g->absent[at], 0, (size_t)g->n_terms[at] * sizeof(float));
    for (uint32_t t = 0; t < g->n_terms[OTHER]; t++)
        for (uint64_t i = g->link_begin[t]; i < g->link_begin[t + 1]; i++) {
            const link *l = &g->links.data[i];
            const double pi = (double)l->ratio / ((double)l->ratio + DPL__P(mine, growth_half));
            const uint32_t term[2] = {l->term, t};
            for (int at = 0; at < 2; at++) {
                const double n = g->in_pairs[at][term[at]];
                double p = pi * l->both / (n + 1);
                p = fmax(p, (double)l->sure * DPL__P(mine, growth_name));
                const float a =
                    (float)(DPL__P(mine, growth_absent) * -dpl__log(1 - fmin(p, 0.95)));
                float *to = &g->absent[at][term[at]];
                *to = a > *to ? a : *to;
            }
        }
}

static dpl_status add_term(growing *g, worker *w, uint32_t term, const uint32_t *partner,
                           size_t n_partner, dpl_error *err)
{
    for (uint64_t i = g->link_begin[term]; i < g->link_begin[term + 1]; i++) {
        const link *l = &g->links.data[i];
        const bool is_own = n_partner && has_term(partner, n_partner, l->term);
        float gain = gain_of(g, l, term, is_own);
        if (!(gain > 0))
            continue;
        gain += g->absent[PIVOT][l->term] + g->absent[OTHER][term];
        float *to = &w->values[l->term];
        if (!(*to > 0) && !dpl__vec_push(g->ctx, &w->seen, l->term))
            return dpl__fail_nomem(err);
        *to = gain > *to ? gain : *to;
    }
    return DPL_OK;
}

static dpl_status translate_doc(cell_vec *out, growing *g, worker *w, uint32_t doc,
                                dpl_error *err)
{
    const uint32_t *partner = NULL;
    size_t n, n_partner = 0;
    const uint32_t *row = row_of(g, OTHER, doc, &n);
    if (g->partner[doc] != NONE) {
        const uint32_t *other = row_of(g, PIVOT, g->partner[doc], &n_partner);
        w->row.n = 0;
        DPL_TRY(dpl__need(dpl__vec_append(g->ctx, &w->row, other, n_partner) &&
                              dpl__vec_push(g->ctx, &w->row, NONE),
                          err));
        partner = w->row.data;
    }
    w->seen.n = 0;
    for (size_t i = 0; i < n; i++)
        DPL_TRY(add_term(g, w, row[i], partner, n_partner, err));
    for (size_t i = 0; i < w->seen.n; i++) {
        cell c = {w->seen.data[i], w->values[w->seen.data[i]]};
        w->values[c.at] = 0;
        DPL_TRY(dpl__need(dpl__vec_push(g->ctx, out, c), err));
    }
    return DPL_OK;
}

/* Prices of all words of each document that have no counterpart. */
static void price_docs(growing *g)
{
    for (int at = 0; at < 2; at++)
        for (uint32_t doc = 0; doc < g->n_docs[at]; doc++) {
            size_t n;
            const uint32_t *row = row_of(g, at, doc, &n);
            double sum = 0;
            for (size_t i = 0; i < n; i++)
                sum += (double)g->absent[at][row[i]];
            g->price[at][doc] = (float)sum;
        }
}

static dpl_status translate_block(void *user, size_t block, unsigned worker_number,
                                  dpl_error *err)
{
    growing *g = user;
    cell_vec *out = &g->made[block];
    const size_t end = dpl__min((block + 1) * BLOCK, (size_t)g->n_docs[OTHER]);
    out->n = 0;
    for (size_t doc = block * BLOCK; doc < end; doc++) {
        size_t before = out->n;
        if (!is_skipped(g, OTHER, (uint32_t)doc))
            DPL_TRY(translate_doc(out, g, &g->workers[worker_number], (uint32_t)doc, err));
        g->made_n[doc] = out->n - before;
    }
    return DPL_OK;
}

static dpl_status translate(growing *g, dpl_error *err)
{
    const size_t n = n_blocks(g->n_docs[OTHER], BLOCK);
    size_t n_cells = 0, at = 0;
    price_absence(g);
    price_docs(g);
    DPL_TRY(dpl__parallel_for(g->ctx, n, g, translate_block, err));
    for (size_t b = 0; b < n; b++)
        n_cells += g->made[b].n;
    DPL_TRY(rows_new(&g->translated, g->ctx, g->n_docs[OTHER], n_cells, err));
    for (size_t b = 0; b < n; b++)
        if (g->made[b].n) {
            memcpy(g->translated.cells + at, g->made[b].data,
                   g->made[b].n * sizeof *g->made[b].data);
            at += g->made[b].n;
        }
    for (uint32_t doc = 0; doc < g->n_docs[OTHER]; doc++)
        g->translated.begin[doc + 1] = g->translated.begin[doc] + g->made_n[doc];
    return invert(&g->inverted[OTHER], g, &g->translated, err);
}

/* ---- search ----------------------------------------------------------------------------- */

/* Scores a block of documents of the other side that have a word in common, or all of it. */
static void search_shapes(growing *g, worker *w, int at, uint32_t doc, uint32_t block)
{
    dpl__near *near = g->near.own[g->side[at]] + (size_t)doc * DPL__NEAREST;
    const uint32_t first = block * DPL__SHAPES_BLOCK,
                   n = (uint32_t)dpl__min(DPL__SHAPES_BLOCK, g->n_docs[!at] - first);
    const float *price = g->price[!at] + first, own = g->price[at][doc];
    float *values = w->values + first, scores[DPL__SHAPES_BLOCK];
    dpl__shapes_gains(scores, &g->shapes, at, doc, block);
    for (uint32_t i = 0; i < n; i++)
        scores[i] += values[i] - price[i] - own;
    for (uint32_t i = 0; i < n; i++)
        if (scores[i] >= near[DPL__NEAREST - 1].score && (g->is_small || values[i] > 0) &&
            !is_skipped(g, !at, first + i))
            dpl__near_add(near, g->p->keys[g->side[!at]], (dpl__near){first + i, scores[i]});
    memset(values, 0, n * sizeof *values);
}

/* The nearest of a document, by words and by shape. */
static dpl_status search_doc(growing *g, worker *w, int at, uint32_t doc, dpl_error *err)
{
    const rows *v = at == PIVOT ? &g->vectors : &g->translated, *to = &g->inverted[!at];
    w->seen.n = 0;
    for (uint64_t i = v->begin[doc]; i < v->begin[doc + 1]; i++) {
        const cell c = v->cells[i];
        for (uint64_t k = to->begin[c.at]; k < to->begin[c.at + 1]; k++) {
            const uint32_t other = to->cells[k].at, block = other / DPL__SHAPES_BLOCK;
            if (!w->is_seen[block] && !dpl__vec_push(g->ctx, &w->seen, block))
                return dpl__fail_nomem(err);
            w->is_seen[block] = 1;
            w->values[other] += c.weight * to->cells[k].weight;
        }
    }
    const size_t n = g->is_small ? n_blocks(g->n_docs[!at], DPL__SHAPES_BLOCK) : w->seen.n;
    for (size_t i = 0; i < n; i++)
        search_shapes(g, w, at, doc, g->is_small ? (uint32_t)i : w->seen.data[i]);
    for (size_t i = 0; i < w->seen.n; i++)
        w->is_seen[w->seen.data[i]] = 0;
    return DPL_OK;
}

static dpl_status search_block(void *user, size_t block, unsigned worker_number, dpl_error *err)
{
    growing *g = user;
    const int at = g->direction;
    const size_t end = dpl__min((block + 1) * BLOCK, (size_t)g->n_docs[at]);
    for (size_t doc = block * BLOCK; doc < end; doc++)
        if (!is_skipped(g, at, (uint32_t)doc))
            DPL_TRY(search_doc(g, &g->workers[worker_number], at, (uint32_t)doc, err));
    return DPL_OK;
}

static dpl_status begin_lists(growing *g, dpl_error *err)
{
    dpl__neighbours *c = &g->near;
    *c = (dpl__neighbours){.ctx = g->ctx, .threshold = DPL__P(mine, least_cosine)};
    for (int at = 0; at < 2; at++) {
        const int side = g->side[at];
        const size_t n = c->n[side] = g->n_docs[at];
        c->near[side] = c->own[side] =
            dpl__alloc(g->ctx, n * DPL__NEAREST * sizeof *c->own[side]);
        c->keys[side] = dpl__alloc(g->ctx, n * sizeof *c->keys[side]);
        if (n && (!c->near[side] || !c->keys[side]))
            return dpl__fail_nomem(err);
        if (n)
            memcpy(c->keys[side], g->p->keys[side], n * sizeof *c->keys[side]);
    }
    return DPL_OK;
}

static dpl_status search(growing *g, dpl_error *err)
{
    for (int at = 0; at < 2; at++)
        for (size_t i = 0; i < (size_t)g->n_docs[at] * DPL__NEAREST; i++)
            g->near.own[g->side[at]][i] = (dpl__near){DPL__NO_ROW, 0};
    for (g->direction = 0; g->direction < 2; g->direction++)
        DPL_TRY(dpl__parallel_for(g->ctx, n_blocks(g->n_docs[g->direction], BLOCK), g,
                                  search_block, err));
    return DPL_OK;
}

/* ---- rounds ----------------------------------------------------------------------------- */

/* How far the best of a list is before the others together, and before none of them. */
static double lead_of(const growing *g, int side, uint32_t row)
{
    const dpl__near *near = g->near.own[side] + (size_t)row * DPL__NEAREST;
    const double heat = DPL__P(mine, growth_heat);
    double sum = g->p->n_docs[!side];
    for (int i = 1; i < DPL__NEAREST && near[i].row != DPL__NO_ROW; i++)
        sum += dpl__exp(heat * (double)near[i].score);
    return heat * (double)near[0].score - dpl__log(sum);
}

/* A match and the key of its documents: equal ones do not go by the order of documents. */
typedef struct keyed_match {
    dpl__match is;
    uint64_t key;
} keyed_match;

DPL__ORDER(best_first, keyed_match,
           DPL__FALLING(is.margin) DPL__FALLING(is.score) DPL__RISING(key))

static dpl_status sort_matches(dpl__matches *m, const growing *g, dpl_error *err)
{
    keyed_match *keyed = dpl__alloc(g->ctx, (m->n + 1) * sizeof *keyed);
    if (!keyed)
        return dpl__fail_nomem(err);
    for (size_t i = 0; i < m->n; i++) {
        const dpl__match is = m->data[i];
        keyed[i] = (keyed_match){is, dpl__pair_key(g->p, (dpl_doc_pair){is.row[0], is.row[1]})};
    }
    qsort(keyed, m->n, sizeof *keyed, best_first);
    for (size_t i = 0; i < m->n; i++)
        m->data[i] = keyed[i].is;
    dpl__free(g->ctx, keyed);
    return DPL_OK;
}

/* Documents that are each other's best; margin: logarithm of the odds that they are right. */
static dpl_status match(dpl__matches *out, growing *g, dpl_error *err)
{
    out->n = 0;
    for (uint32_t row = 0; row < g->near.n[0]; row++) {
        const dpl__near best = g->near.own[0][(size_t)row * DPL__NEAREST];
        if (best.row == DPL__NO_ROW ||
            g->near.own[1][(size_t)best.row * DPL__NEAREST].row != row)
            continue;
        const dpl__match m = {.row = {row, best.row},
                              .score = best.score,
                              .margin =
                                  (float)fmin(lead_of(g, 0, row), lead_of(g, 1, best.row))};
        DPL_TRY(dpl__need(dpl__vec_push(g->ctx, out, m), err));
    }
    return sort_matches(out, g, err);
}

static void take(growing *g, size_t k, uint32_t left, uint32_t right)
{
    const uint32_t docs[2] = {left, right};
    g->pairs[k] = (dpl_doc_pair){docs[g->side[PIVOT]], docs[g->side[OTHER]]};
}

static void note_partners(growing *g)
{
    for (uint32_t doc = 0; doc < g->n_docs[OTHER]; doc++)
        g->partner[doc] = NONE;
    for (size_t k = 0; k < g->n_pairs; k++)
        g->partner[g->pairs[k].right] = g->pairs[k].left;
}

static dpl_status run_round(dpl__matches *out, growing *g, dpl_error *err)
{
    note_partners(g);
    dpl__shapes_learn(&g->shapes, g->pairs, g->n_pairs);
    DPL_TRY(learn_links(g, err));
    DPL_TRY(translate(g, err));
    DPL_TRY(search(g, err));
    return match(out, g, err);
}

/* Matches with at least such odds; best first. */
static size_t n_above(const dpl__matches *m, double odds)
{
    size_t n = 0;
    while (n < m->n && (double)m->data[n].margin >= odds)
        n++;
    return n;
}

/* Without seeds, the best matches by shape are the first pairs, right or wrong; in the end most
 * must be likely by words, or there is no start. */
static dpl_status run_rounds(dpl__matches *out, size_t *n_taken, growing *g, dpl_error *err)
{
    const dpl__pair_list seeds = g->in->seeds;
    const bool is_blind = seeds.n < (size_t)DPL__P(mine, least_seeds);
    const double times = DPL__P(mine, growth_times), n_docs = (double)g->most_pairs,
                 first = is_blind ? fmin(DPL__P(mine, blind_pairs), n_docs / 10) : 0,
                 n_rounds = is_blind ? DPL__P(mine, blind_rounds) : DPL__P(mine, growth_rounds),
                 enough = fmin(DPL__P(mine, growth_enough) * n_docs, DPL__P(mine, growth_most));
    double wanted = (double)dpl__min(seeds.n, (size_t)DPL__P(mine, growth_seeds));
    if (is_blind && !g->is_small)
        return DPL_OK;
    g->n_pairs = dpl__min((size_t)wanted, g->most_pairs);
    for (size_t k = 0; k < g->n_pairs; k++)
        take(g, k, seeds.data[k].left, seeds.data[k].right);
    wanted = fmax(wanted, first / times);
    for (unsigned round = 0; round < n_rounds && (!round || (double)*n_taken < enough);
         round++) {
        DPL_TRY(run_round(out, g, err));
        wanted *= times;
        const size_t n_likely = n_above(out, DPL__P(mine, growth_lead)),
                     n = (size_t)fmax((double)n_likely, first);
        g->n_pairs = *n_taken = dpl__min(dpl__min((size_t)wanted, n), out->n);
        for (size_t k = 0; k < g->n_pairs; k++)
            take(g, k, out->data[k].row[0], out->data[k].row[1]);
        if (g->in->tell)
            g->in->tell(g->in->user, out, *n_taken);
    }
    if (is_blind && (double)n_above(out, 0) < DPL__P(mine, blind_sure) * n_docs)
        *n_taken = 0;
    return DPL_OK;
}

dpl_status dpl__grow(dpl__matches *out, size_t *n_taken, const dpl__growth_input *in,
                     dpl_error *err)
{
    const dpl__comparable *p = in->corpus;
    growing g = {.ctx = p->ctx,
                 .in = in,
                 .p = p,
                 .side = {p->pivot, !p->pivot},
                 .n_workers = dpl_ctx_threads(p->ctx)};
    dpl_status status;
    *n_taken = 0;
    dpl__vec_sort(&in->names->links, by_other);
    for (int at = 0; at < 2; at++) {
        g.n_docs[at] = dpl_collection_get_sizes(p->c[g.side[at]])->n_docs;
    }
    for (int at = 0; at < 2; at++) {
        if ((status = dpl__word_parts_find(&g.terms[at], p, g.side[at], at == OTHER, err)) !=
            DPL_OK)
            goto parts;
        g.n_terms[at] = g.terms[at].n_terms;
    }
    if ((status = allocate(&g, err)) != DPL_OK || (status = begin_lists(&g, err)) != DPL_OK)
        goto done;
    for (int at = 0; at < 2; at++)
        measure_side(&g, at);
    g.is_small = (double)g.n_docs[0] * g.n_docs[1] <=
                 (in->seeds.n < (size_t)DPL__P(mine, least_seeds) ? DPL__P(mine, blind_small)
                                                                  : DPL__P(mine, growth_small));
    if ((status = dpl__shapes_measure(&g.shapes, p, g.side, err)) != DPL_OK ||
        (status = make_vectors(&g, err)) != DPL_OK ||
        (status = invert(&g.inverted[PIVOT], &g, &g.vectors, err)) != DPL_OK)
        goto done;
    status = run_rounds(out, n_taken, &g, err);
done:
    clear(&g);
    dpl__shapes_clear(&g.shapes);
parts:
    for (int at = 0; at < 2; at++)
        dpl__word_parts_clear(&g.terms[at]);
    return status;
}
