/*
 * sparse_scalar.c - sparse rows: the specification.
 */
#include "kernels/kernels.h"

enum { TERMS = 256 }; /* at a time */

/* Few terms are shared, and the bits fit into the first cache where dense does not. */
static double sparse_dot(double sum, const float *dense, const uint32_t *bits,
                         const dpl__sparse_row *row, const dpl__sparse_row *next)
{
    const uint32_t *terms = row->terms;
    const float *weights = row->weights;
    const size_t n = row->n;
    for (size_t at = 0; at < n; at += TERMS) {
        size_t end = dpl__min(n, at + TERMS), n_shared = 0, shared[TERMS];
        for (size_t i = at; i < end; i++) { /* no branch: it cannot be foretold */
            if (i % 16 == 0) {
                DPL_PREFETCH(next->terms + i);
                DPL_PREFETCH(next->weights + i);
            }
            shared[n_shared] = i;
            n_shared += bits[terms[i] % DPL__TERM_BITS / 32] >> terms[i] % 32 & 1;
        }
        for (size_t k = 0; k < n_shared; k++)
            sum += (double)dense[terms[shared[k]]] * (double)weights[shared[k]];
    }
    return sum;
}

static float sparse_bound(const float *table, const uint16_t *places, const uint16_t *weights,
                          size_t n)
{
    float sum = 0;
    for (size_t i = 0; i < n; i++) {
        const uint32_t bits = (uint32_t)weights[i] << 16;
        float weight;
        memcpy(&weight, &bits, sizeof weight);
        sum += table[places[i]] * weight;
    }
    return sum;
}

static void sparse_add(uint16_t *sums, const dpl__postings *lists, size_t n_lists)
{
    for (size_t k = 0; k < n_lists; k++) {
        const uint16_t *rows = lists[k].rows, *weights = lists[k].weights;
        for (size_t i = 0; i < lists[k].n; i++)
            sums[rows[i]] =
                (uint16_t)(sums[rows[i]] + ((uint32_t)weights[i] * lists[k].weight >> 16));
    }
}

static size_t sparse_sweep(uint16_t *out, const uint16_t *sums, const uint16_t *norms, size_t n,
                           uint16_t norm, uint16_t least)
{
    assert(n <= 65536);
    size_t n_out = 0;
    for (size_t i = 0; i < n; i++) {
        uint32_t bound = sums[i] + ((uint32_t)norms[i] * norm >> 16);
        out[n_out] = (uint16_t)i;
        n_out += bound >= least;
    }
    return n_out;
}

static size_t sparse_pass(uint16_t *out, const uint16_t *sums, size_t n, const dpl__pass *p)
{
    size_t n_out = 0;
    for (size_t i = 0; i < n; i++) {
        uint32_t bound = sums[i] + ((uint32_t)p->norms[i] * p->norm >> 16) + p->slack;
        out[n_out] = (uint16_t)i;
        n_out += bound >= p->least || bound >= p->cuts[i];
    }
    return n_out;
}

void dpl__sparse_scalar(dpl__kernels *k)
{
    k->sparse_pass = sparse_pass;
    k->sparse_dot = sparse_dot;
    k->sparse_bound = sparse_bound;
    k->sparse_add = sparse_add;
    k->sparse_sweep = sparse_sweep;
}
