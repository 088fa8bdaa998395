/*
 * shape_em.c - the forward-backward algorithm over the nodes around the diagonal.
 *
 * A node (i, j) has i left and j right sentences behind it. Its forward value is the sum over
 * all ways that lead there, its backward value that over all ways on, each the product of the
 * likelihood ratios of beads; the largest value of a row is scaled to 1. Of a long document the
 * first part is enough, and any node at its end may be the last one: lengths and bead types are
 * the same elsewhere. A row is summed type by type, then node by node. Cost: an exponential for
 * each node of the band and bead type with sentences on both sides.
 */
#include "sentences/shape_em.h"

#include "base/ctx.h"
#include "base/maths.h"

enum { MOST_TYPES = (DPL__MAX_SIDE + 1) * (DPL__MAX_SIDE + 1) };

void dpl__shape_em_clear(dpl__shape_em *em, dpl_ctx *ctx)
{
    dpl__vec_clear(ctx, &em->forward, &em->backward, &em->scale[0], &em->scale[1], &em->weights,
                   &em->ways);
    dpl__vec_clear(ctx, &em->low, &em->high, &em->begin);
}

/* A bead of k-l sentences. */
typedef struct type {
    unsigned k, l;
    double prior; /* logarithm */
    float weight; /* of a bead with an empty side */
} type;

/* What is at hand. */
typedef struct pass {
    dpl__shape_em *em;
    const dpl__shape_model *shape;
    uint32_t n[2]; /* sentences that are looked at */
    bool is_open;  /* the end may be anywhere in the last row */
    type types[MOST_TYPES];
    unsigned n_types;
    uint64_t n_nodes; /* of the band */
    uint32_t widest;  /* nodes of a row */
    double total;     /* logarithm of the sum over all alignments */
    double share;     /* what one way through a node of the row adds to its probability */
    dpl__prior_counts *sums;
} pass;

static float weight_of(double score)
{
    return (float)dpl__exp(score > -80 ? score < 80 ? score : 80 : -80);
}

/* Bead types: at most max_side + 1 sentences, or two and two. The first is 0-1. */
static void list_types(pass *p)
{
    unsigned most = p->shape->max_side;
    for (unsigned k = 0; k <= most; k++)
        for (unsigned l = 0; l <= most; l++) {
            bool is_taken = k && l ? k + l <= most + 1 || (k == 2 && l == 2) : k + l == 1;
            const double prior = p->shape->priors->log_p[k][l];
            if (is_taken)
                p->types[p->n_types++] = (type){k, l, prior, k && l ? 0 : weight_of(prior)};
        }
    assert(p->types[0].k == 0 && p->types[0].l == 1);
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
        const uint32_t width = em->high.data[i] - em->low.data[i] + 1;
        n_nodes += width;
        p->widest = width > p->widest ? width : p->widest;
        at += i < n ? ratio * docs[DPL__LEFT].chars[i] : 0;
    }
    em->begin.data[n + 1] = p->n_nodes = n_nodes;
}

static dpl_status make_band(pass *p, dpl_ctx *ctx, const dpl__bead_doc docs[2], dpl_error *err)
{
    dpl__shape_em *em = p->em;
    size_t n_rows = (size_t)p->n[DPL__LEFT] + 1;
    em->low.n = em->high.n = em->begin.n = em->forward.n = em->backward.n = em->weights.n =
        em->ways.n = 0;
    em->scale[0].n = em->scale[1].n = 0;
    DPL_TRY(dpl__need(dpl__vec_reserve(ctx, &em->low, n_rows) &&
                          dpl__vec_reserve(ctx, &em->high, n_rows) &&
                          dpl__vec_reserve(ctx, &em->begin, n_rows + 1) &&
                          dpl__vec_reserve(ctx, &em->scale[0], n_rows) &&
                          dpl__vec_reserve(ctx, &em->scale[1], n_rows),
                      err));
    place_rows(p, docs);
    return dpl__need(dpl__vec_reserve(ctx, &em->forward, p->n_nodes) &&
                         dpl__vec_reserve(ctx, &em->backward, p->n_nodes) &&
                         dpl__vec_reserve(ctx, &em->weights, p->n_nodes * p->n_types) &&
                         dpl__vec_reserve(ctx, &em->ways, (size_t)p->widest * p->n_types),
                     err);
}

/* The number of a node of the band. */
static uint64_t node_at(const dpl__shape_em *em, uint32_t i, uint32_t j)
{
    assert(j >= em->low.data[i] && j <= em->high.data[i]);
    return em->begin.data[i] + (j - em->low.data[i]);
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

/* The nodes of a row from which, or to which, a bead of l right sentences leads: first to last,
 * empty where last < first. */
typedef struct stretch {
    int64_t first, last;
} stretch;

static stretch nodes_beside(const dpl__shape_em *em, uint32_t i, uint32_t other, int64_t l)
{
    const int64_t low = em->low.data[other] + l, own_low = em->low.data[i];
    const int64_t high = em->high.data[other] + l, own_high = em->high.data[i];
    return (stretch){low > own_low ? low : own_low, high < own_high ? high : own_high};
}

static uint32_t width_of(const dpl__shape_em *em, uint32_t i)
{
    return em->high.data[i] - em->low.data[i] + 1;
}

/* ---- forward ------------------------------------------------------------------------ */

static float weigh(const pass *p, const type *t, uint32_t i, uint32_t j)
{
    if (!t->l)
        return t->weight;
    return weight_of(t->prior +
                     dpl__shape_score(p->shape, dpl__run_at(p->shape, DPL__LEFT, i - 1, t->k),
                                      dpl__run_at(p->shape, DPL__RIGHT, j - 1, t->l)));
}

/* Weights of the beads of a type that come from a row before i, and the ways that lead to the
 * nodes by them. share: of the scale of that row. */
static void weigh_row(const pass *p, uint32_t i, unsigned n, double share)
{
    const dpl__shape_em *em = p->em;
    const type *t = &p->types[n];
    const uint32_t low = em->low.data[i];
    const size_t step = p->n_types;
    if (t->k > i)
        return;
    float *weights = em->weights.data + em->begin.data[i] * step + n;
    double *ways = em->ways.data + n;
    const stretch s = nodes_beside(em, i, i - t->k, t->l);
    for (int64_t j = s.first; j <= s.last; j++) {
        const double value =
            em->forward.data[node_at(em, i - t->k, (uint32_t)j - t->l)] * share;
        if (!(value > P(em_least)))
            continue;
        const float weight = weigh(p, t, i, (uint32_t)j);
        weights[(size_t)(j - low) * step] = weight;
        ways[(size_t)(j - low) * step] = value * (double)weight;
    }
}

/* Sums of the ways that lead to the nodes of a row; those of the first type are of the row
 * itself. Types are summed in their order. */
static void sum_forward(const pass *p, uint32_t i)
{
    const dpl__shape_em *em = p->em;
    const uint32_t width = width_of(em, i);
    const size_t step = p->n_types;
    double *forward = em->forward.data + em->begin.data[i], before = 0;
    float *weights = em->weights.data + em->begin.data[i] * step;
    const double *ways = em->ways.data;
    for (uint32_t j = 0; j < width; j++, weights += step, ways += step) {
        if (before > P(em_least))
            weights[0] = p->types[0].weight;
        double sum = i || em->low.data[0] + j ? before * (double)weights[0] : 1;
        for (unsigned n = 1; n < step; n++)
            sum += ways[n];
        forward[j] = before = sum;
    }
}

/* All ways of a row are none. */
static void clear_ways(const pass *p, uint32_t i)
{
    memset(p->em->ways.data, 0, width_of(p->em, i) * p->n_types * sizeof *p->em->ways.data);
}

static void go_forward(pass *p)
{
    const dpl__shape_em *em = p->em;
    memset(em->weights.data, 0, p->n_nodes * p->n_types * sizeof *em->weights.data);
    double *scale = em->scale[0].data, shares[DPL__MAX_SIDE + 1] = {1};
    for (uint32_t i = 0; i <= p->n[DPL__LEFT]; i++) {
        scale[i] = i ? scale[i - 1] : 0;
        for (unsigned k = 1; k <= p->shape->max_side && k <= i; k++)
            shares[k] = dpl__exp(scale[i - k] - scale[i]);
        clear_ways(p, i);
        for (unsigned n = 1; n < p->n_types; n++)
            weigh_row(p, i, n, shares[p->types[n].k]);
        sum_forward(p, i);
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

/* The ways on from the nodes of row i by beads of a type that lead to a row behind it. */
static void weigh_back(const pass *p, uint32_t i, unsigned n, double share)
{
    const dpl__shape_em *em = p->em;
    const type *t = &p->types[n];
    const uint32_t low = em->low.data[i];
    const size_t step = p->n_types;
    if (t->k > p->n[DPL__LEFT] - i)
        return;
    const float *weights = em->weights.data + n;
    double *ways = em->ways.data + n;
    const stretch s = nodes_beside(em, i, i + t->k, -(int64_t)t->l);
    for (int64_t j = s.first; j <= s.last; j++) {
        const uint64_t to = node_at(em, i + t->k, (uint32_t)j + t->l);
        ways[(size_t)(j - low) * step] =
            em->backward.data[to] * share * (double)weights[to * step];
    }
}

/* Sums of the ways on from the nodes of a row; counts the beads that begin there. */
static void sum_backward(pass *p, uint32_t i)
{
    const dpl__shape_em *em = p->em;
    const uint32_t low = em->low.data[i], width = width_of(em, i);
    const size_t step = p->n_types;
    const double *forward = em->forward.data + em->begin.data[i];
    const float *weights = em->weights.data + em->begin.data[i] * step;
    double *backward = em->backward.data + em->begin.data[i];
    for (uint32_t j = width; j-- > 0;) {
        const bool is_end = i == p->n[DPL__LEFT] && (p->is_open || low + j == p->n[DPL__RIGHT]);
        double sum = is_end ? 1 : 0, *ways = em->ways.data + j * step;
        backward[j] = 0;
        if (!(forward[j] > 0))
            continue;
        if (j + 1 < width)
            ways[0] = backward[j + 1] * (double)weights[(j + 1) * step];
        for (unsigned n = 0; n < step; n++) {
            const double weight = ways[n] * forward[j] * p->share;
            const type *t = &p->types[n];
            if (DPL_UNLIKELY(weight > P(em_least_count)))
                count(p, t, i + t->k, low + j + t->l, weight < 1 ? weight : 1);
            sum += ways[n];
        }
        backward[j] = sum;
    }
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
        clear_ways(p, i);
        for (unsigned n = 1; n < p->n_types; n++)
            weigh_back(p, i, n, shares[p->types[n].k]);
        sum_backward(p, i);
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
