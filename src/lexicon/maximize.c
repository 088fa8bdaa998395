/*
 * maximize.c - expected counts become probabilities.
 *
 * The mean-field estimate under a Dirichlet prior: p = exp(digamma(c + a)) / exp(digamma(C + n
 * a)) for a count c of a total C over n links. For large counts this is c - 1/2 over C; counts
 * well below one are pushed down to nothing, which keeps rare words from explaining all that
 * stands around them.
 */
#include "lexicon/train.h"

#include "par/pool.h"

#include <math.h>

/* Probabilities do not fall below this: a word whose links are all wrong is still aligned. */
static const float least = 1e-12f;

/* exp(digamma(x)), x > 0. */
static double exp_digamma(double x)
{
    if (x < 0.03)
        return 0; /* below 1e-14 */
    double shift = 0;
    for (; x < 6; x++)
        shift += 1 / x;
    /* exp(digamma(y + 1/2)) = y + 1/(24 y) - 37/(5760 y^3) + ... */
    double y = x - 0.5;
    double z = y + 1 / (24 * y) - 37 / (5760 * y * y * y);
    return shift > 0 ? z * exp(-shift) : z;
}

static double total_of_left(const dpl__trainer *t, uint32_t word)
{
    double total = 0;
    for (uint64_t k = t->model->begin[word]; k < t->model->begin[word + 1]; k++)
        total += t->tallies[k].p[DPL__LEFT];
    return total;
}

static dpl_status add_totals(void *user, size_t task, unsigned worker, dpl_error *err)
{
    (void)worker, (void)err;
    dpl__trainer *t = user;
    const dpl__wordmodel *m = t->model;
    for (uint64_t k = m->begin[t->tasks.data[task]]; k < m->begin[t->tasks.data[task + 1]]; k++)
        dpl__count_add(&t->totals[m->right[k]], t->tallies[k].p[DPL__RIGHT]);
    return DPL_OK;
}

/* What to multiply exp(digamma(count + prior)) with. */
static float inverse(double total, double n_links, double prior)
{
    double x = exp_digamma(total + n_links * prior);
    return x > 0 ? (float)(1 / x) : 0;
}

static dpl_status divide(void *user, size_t task, unsigned worker, dpl_error *err)
{
    (void)worker, (void)err;
    dpl__trainer *t = user;
    dpl__wordmodel *m = t->model;
    double prior = t->options.prior;
    for (size_t w = t->tasks.data[task]; w < t->tasks.data[task + 1]; w++) {
        float of_left = inverse(total_of_left(t, (uint32_t)w),
                                (double)(m->begin[w + 1] - m->begin[w]), prior);
        for (uint64_t k = m->begin[w]; k < m->begin[w + 1]; k++) {
            const float *c = t->tallies[k].p;
            float p = (float)exp_digamma(c[DPL__LEFT] + prior) * of_left;
            float q = (float)exp_digamma(c[DPL__RIGHT] + prior) * t->inverses[m->right[k]];
            m->links[k].p[DPL__LEFT] = p > least ? p : least;
            m->links[k].p[DPL__RIGHT] = q > least ? q : least;
        }
    }
    return DPL_OK;
}

static void divide_empty(dpl__trainer *t, int side)
{
    static const double prior = 0.1;
    uint32_t n = t->model->n_words[!side];
    double total = 0;
    for (uint32_t w = 0; w < n; w++)
        total += dpl__count_value(&t->empty[side][w]) + prior;
    for (uint32_t w = 0; w < n; w++) {
        double count = dpl__count_value(&t->empty[side][w]) + prior;
        t->model->empty[side][w] = (float)(count / total);
        atomic_store_explicit(&t->empty[side][w], 0, memory_order_relaxed);
    }
}

dpl_status dpl__maximize(dpl__trainer *t, dpl_error *err)
{
    uint32_t n_right = t->model->n_words[DPL__RIGHT];
    for (uint32_t w = 0; w < n_right; w++)
        atomic_store_explicit(&t->totals[w], 0, memory_order_relaxed);
    DPL_TRY(dpl__parallel_for(t->ctx, dpl__tasks_n(&t->tasks), t, add_totals, err));
    for (uint32_t w = 0; w < n_right; w++)
        t->inverses[w] =
            inverse(dpl__count_value(&t->totals[w]), t->n_partners[w], t->options.prior);
    DPL_TRY(dpl__parallel_for(t->ctx, dpl__tasks_n(&t->tasks), t, divide, err));
    divide_empty(t, DPL__LEFT);
    divide_empty(t, DPL__RIGHT);
    return DPL_OK;
}
