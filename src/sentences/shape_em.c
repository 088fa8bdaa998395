/*
 * shape_em.c - the forward-backward algorithm over the nodes around the diagonal.
 *
 * A node (i, j) has i left and j right sentences behind it. Its forward value is the sum over
 * all ways that lead there, its backward value that over all ways on, each the product of the
 * likelihood ratios of beads; the largest value of a row is scaled to 1. Of a long document the
 * first part is enough, and any node at its end may be the last one: lengths and bead types are
 * the same elsewhere. Cost: an exponential for each node of the band and bead type.
 */
#include "sentences/shape_em.h"

#include "base/ctx.h"
#include "base/maths.h"

enum { MOST_TYPES = (DPL__MAX_SIDE + 1) * (DPL__MAX_SIDE + 1) };

void dpl__shape_em_clear(dpl__shape_em *em, dpl_ctx *ctx)
{
    dpl__vec_clear(ctx, &em->forward, &em->backward, &em->scale[0], &em->scale[1], &em->weights,
                   &em->low, &em->high, &em->begin);
}

/* A bead of k-l sentences. */
typedef struct type {
    unsigned k, l;
    double prior; /* logarithm */
} type;

/* What is at hand. */
typedef struct pass {
    dpl__shape_em *em;
    const dpl__shape_model *shape;
    uint32_t n[2]; /* sentences that are looked at */
    bool is_open;  /* the end may be anywhere in the last row */
    type types[MOST_TYPES];
    unsigned n_types;
    double total; /* logarithm of the sum over all alignments */
    double share; /* what one way through a node of the row adds to its probability */
    dpl__prior_counts *sums;
} pass;

/* Bead types: at most max_side + 1 sentences, or two and two. */
static void list_types(pass *p)
{
    unsigned most = p->shape->max_side;
    for (unsigned k = 0; k <= most; k++)
        for (unsigned l = 0; l <= most; l++) {
            bool is_taken = k && l ? k + l <= most + 1 || (k == 2 && l == 2) : k + l == 1;
            if (is_taken)
                p->types[p->n_types++] = (type){k, l, p->shape->priors->log_p[k][l]};
        }
}

/* ---- the band ----------------------------------------------------------------------- */

static double chars_of(const dpl__bead_doc *d, uint32_t n)
{
    double sum = 0;
    for (uint32_t i = 0; i < n; i++)
        sum += d->chars[i];
    return sum;
}

/* Nodes on both sides of the diagonal, by characters. */
static void place_rows(pass *p, const dpl__bead_doc docs[2])
{
    dpl__shape_em *em = p->em;
    uint32_t n = p->n[DPL__LEFT], n_right = p->n[DPL__RIGHT], j = 0;
    uint32_t wide = PN(em_band) + (uint32_t)(P(em_band_share) * (n < n_right ? n : n_right));
    double ratio = p->is_open ? dpl__exp(p->shape->log_ratio)
                              : (chars_of(&docs[DPL__RIGHT], n_right) + 1) /
                                    (chars_of(&docs[DPL__LEFT], n) + 1);
    double at = 0, behind = 0;
    uint64_t n_nodes = 0;
    for (uint32_t i = 0; i <= n; i++) {
        while (j < n_right && behind < at)
            behind += docs[DPL__RIGHT].chars[j++];
        em->low.data[i] = j > wide ? j - wide : 0;
        em->high.data[i] = n_right - j > wide ? j + wide : n_right;
        if (i == n && !p->is_open)
            em->high.data[i] = n_right;
        em->begin.data[i] = n_nodes;
        n_nodes += (uint64_t)em->high.data[i] - em->low.data[i] + 1;
        at += i < n ? ratio * docs[DPL__LEFT].chars[i] : 0;
    }
    em->begin.data[n + 1] = n_nodes;
}

static dpl_status make_band(pass *p, dpl_ctx *ctx, const dpl__bead_doc docs[2], dpl_error *err)
{
    dpl__shape_em *em = p->em;
    size_t n_rows = (size_t)p->n[DPL__LEFT] + 1;
    em->low.n = em->high.n = em->begin.n = em->forward.n = em->backward.n = em->weights.n = 0;
    em->scale[0].n = em->scale[1].n = 0;
    DPL_TRY(dpl__need(dpl__vec_reserve(ctx, &em->low, n_rows) &&
                          dpl__vec_reserve(ctx, &em->high, n_rows) &&
                          dpl__vec_reserve(ctx, &em->begin, n_rows + 1) &&
                          dpl__vec_reserve(ctx, &em->scale[0], n_rows) &&
                          dpl__vec_reserve(ctx, &em->scale[1], n_rows),
                      err));
    place_rows(p, docs);
    uint64_t n_nodes = em->begin.data[n_rows];
    return dpl__need(dpl__vec_reserve(ctx, &em->forward, n_nodes) &&
                         dpl__vec_reserve(ctx, &em->backward, n_nodes) &&
                         dpl__vec_reserve(ctx, &em->weights, n_nodes * p->n_types),
                     err);
}

/* The number of a node, or UINT64_MAX when it is not in the band. */
static uint64_t node_at(const dpl__shape_em *em, uint32_t i, uint32_t j)
{
    return j < em->low.data[i] || j > em->high.data[i]
               ? UINT64_MAX
               : em->begin.data[i] + (j - em->low.data[i]);
}

/* Scales the values of a row; returns the logarithm of what was the largest. */
static double scale_row(const dpl__shape_em *em, double *values, uint32_t i)
{
    double most = 0;
    for (uint64_t k = em->begin.data[i]; k < em->begin.data[i + 1]; k++)
        most = values[k] > most ? values[k] : most;
    if (!(most > 0))
        return 0;
    for (uint64_t k = em->begin.data[i]; k < em->begin.data[i + 1]; k++)
        values[k] /= most;
    return dpl__log(most);
}

/* ---- forward ------------------------------------------------------------------------ */

static double score_of(const pass *p, const type *t, uint32_t i, uint32_t j)
{
    if (!t->k || !t->l)
        return t->prior;
    return t->prior + dpl__shape_score(p->shape, dpl__run_at(p->shape, DPL__LEFT, i - 1, t->k),
                                       dpl__run_at(p->shape, DPL__RIGHT, j - 1, t->l));
}

/* Weights of the beads that end at a node, and the sum of the ways that lead to it. shares: of
 * the scale of each row before this one. */
static double sum_forward(pass *p, uint32_t i, uint32_t j, const double *shares, float *weights)
{
    double sum = i || j ? 0 : 1;
    for (unsigned n = 0; n < p->n_types; n++) {
        const type *t = &p->types[n];
        weights[n] = 0;
        if (t->k > i || t->l > j)
            continue;
        uint64_t from = node_at(p->em, i - t->k, j - t->l);
        double value = from == UINT64_MAX ? 0 : p->em->forward.data[from] * shares[t->k];
        if (!(value > P(em_least)))
            continue;
        double score = score_of(p, t, i, j);
        weights[n] = (float)dpl__exp(score > -80 ? score < 80 ? score : 80 : -80);
        sum += value * (double)weights[n];
    }
    return sum;
}

static void go_forward(pass *p)
{
    const dpl__shape_em *em = p->em;
    double *scale = em->scale[0].data, shares[DPL__MAX_SIDE + 1] = {1};
    for (uint32_t i = 0; i <= p->n[DPL__LEFT]; i++) {
        scale[i] = i ? scale[i - 1] : 0;
        for (unsigned k = 1; k <= p->shape->max_side && k <= i; k++)
            shares[k] = dpl__exp(scale[i - k] - scale[i]);
        for (uint32_t j = em->low.data[i]; j <= em->high.data[i]; j++) {
            uint64_t at = node_at(em, i, j);
            em->forward.data[at] =
                sum_forward(p, i, j, shares, em->weights.data + at * p->n_types);
        }
        scale[i] += scale_row(em, em->forward.data, i);
    }
}

/* ---- back --------------------------------------------------------------------------- */

static void count(pass *p, const type *t, uint32_t i, uint32_t j, double weight)
{
    const dpl__run *left = t->k ? dpl__run_at(p->shape, DPL__LEFT, i - 1, t->k) : NULL;
    const dpl__run *right = t->l ? dpl__run_at(p->shape, DPL__RIGHT, j - 1, t->l) : NULL;
    const double logs[2] = {left ? left->log : 0, right ? right->log : 0};
    const dpl__signs *const signs[2] = {left ? &left->signs : NULL,
                                        right ? &right->signs : NULL};
    dpl__prior_counts_bead(p->sums, p->shape->priors, (unsigned[2]){t->k, t->l}, logs,
                           left && right && p->shape->has_signs ? signs : NULL, weight);
}

/* The sum of the ways on from a node; counts the beads that begin there. shares: of the scale
 * of each row behind this one. */
static double sum_backward(pass *p, uint32_t i, uint32_t j, const double *shares)
{
    const dpl__shape_em *em = p->em;
    uint64_t at = node_at(em, i, j);
    bool is_end = i == p->n[DPL__LEFT] && (p->is_open || j == p->n[DPL__RIGHT]);
    double sum = is_end ? 1 : 0, forward = em->forward.data[at];
    if (!(forward > 0))
        return 0;
    for (unsigned n = 0; n < p->n_types; n++) {
        const type *t = &p->types[n];
        if (t->k > p->n[DPL__LEFT] - i || t->l > p->n[DPL__RIGHT] - j)
            continue;
        uint64_t to = node_at(em, i + t->k, j + t->l);
        if (to == UINT64_MAX)
            continue;
        double value = em->backward.data[to] * shares[t->k] *
                       (double)em->weights.data[to * p->n_types + n];
        double weight = value * forward * p->share;
        if (weight > P(em_least_count))
            count(p, t, i + t->k, j + t->l, weight < 1 ? weight : 1);
        sum += value;
    }
    return sum;
}

static void go_back(pass *p)
{
    const dpl__shape_em *em = p->em;
    double *scale = em->scale[1].data, shares[DPL__MAX_SIDE + 1] = {1};
    for (uint32_t i = p->n[DPL__LEFT] + 1; i-- > 0;) {
        scale[i] = i < p->n[DPL__LEFT] ? scale[i + 1] : 0;
        for (unsigned k = 1; k <= p->shape->max_side && k <= p->n[DPL__LEFT] - i; k++)
            shares[k] = dpl__exp(scale[i + k] - scale[i]);
        p->share = dpl__exp(em->scale[0].data[i] + scale[i] - p->total);
        for (uint32_t j = em->high.data[i] + 1; j-- > em->low.data[i];)
            em->backward.data[node_at(em, i, j)] = sum_backward(p, i, j, shares);
        scale[i] += scale_row(em, em->backward.data, i);
    }
}

/* The sum over all alignments; false: no alignment reached the end. */
static bool close_end(pass *p)
{
    const dpl__shape_em *em = p->em;
    uint32_t n = p->n[DPL__LEFT];
    double sum = 0;
    for (uint64_t k = em->begin.data[n]; k < em->begin.data[n + 1]; k++)
        if (p->is_open || k + 1 == em->begin.data[n + 1])
            sum += em->forward.data[k];
    if (!(sum > 0))
        return false;
    p->total = em->scale[0].data[n] + dpl__log(sum);
    return true;
}

dpl_status dpl__shape_em_count(dpl__shape_em *em, dpl_ctx *ctx, const dpl__shape_model *shape,
                               const dpl__bead_doc docs[2], dpl__prior_counts *sums,
                               dpl_error *err)
{
    pass p = {.em = em, .shape = shape, .n = {docs[0].n, docs[1].n}, .sums = sums};
    if (!p.n[0] || !p.n[1])
        return DPL_OK;
    p.is_open = p.n[0] > PN(em_units);
    p.n[0] = p.is_open ? PN(em_units) : p.n[0];
    list_types(&p);
    DPL_TRY(make_band(&p, ctx, docs, err));
    go_forward(&p);
    if (close_end(&p)) {
        sums->total += p.total;
        go_back(&p);
    }
    return DPL_OK;
}
