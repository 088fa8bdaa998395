/*
 * chain_scalar.c - forward and backward through a chain: the specification.
 */
#include "kernels/kernels.h"

/* y[i] = sum over k of x[k] a[i - k] */
static void convolve(float *y, const float *x, const float *a, size_t n_states, size_t stride)
{
    for (size_t i = 0; i < stride; i++) {
        y[i] = 0;
        for (size_t k = 0; k < n_states; k++)
            y[i] += x[k] * a[(ptrdiff_t)i - (ptrdiff_t)k];
    }
}

static float sum(const float *x, size_t stride)
{
    float s[DPL__CHAIN_LANES] = {0};
    for (size_t i = 0; i < stride; i++)
        s[i % DPL__CHAIN_LANES] += x[i];
    for (size_t half = DPL__CHAIN_LANES / 2; half > 0; half /= 2)
        for (size_t i = 0; i < half; i++)
            s[i] += s[half + i];
    return s[0];
}

static void forward(const dpl__chain *c)
{
    float *all = c->row, *y = c->row + c->stride;
    for (size_t i = 0; i < c->stride; i++)
        all[i] = i == 0;
    for (size_t step = 0; step < c->n_steps; step++) {
        float *from = c->from + step * c->stride, *here = c->posterior + step * c->stride;
        const float *emit = c->emit + step * c->stride;
        for (size_t i = 0; i < c->stride; i++)
            from[i] = all[i] * c->leave[i];
        convolve(y, from, c->jumps, c->n_states, c->stride);
        for (size_t i = 0; i < c->stride; i++) {
            here[i] = y[i] * emit[i];
            all[i] = here[i] + all[i] * c->empty[step];
        }
        c->scale[step] = sum(all, c->stride);
        float inverse = 1 / c->scale[step];
        for (size_t i = 0; i < c->stride; i++) {
            here[i] *= inverse;
            all[i] *= inverse;
        }
    }
}

static void backward(const dpl__chain *c)
{
    float *after = c->row, *y = c->row + c->stride;
    for (size_t i = 0; i < c->stride; i++)
        after[i] = 1;
    for (size_t step = c->n_steps; step-- > 0;) {
        float *into = c->into + step * c->stride, *here = c->posterior + step * c->stride;
        const float *emit = c->emit + step * c->stride;
        float inverse = 1 / c->scale[step], empty = c->empty[step] * inverse;
        for (size_t i = 0; i < c->stride; i++) {
            here[i] *= after[i];
            into[i] = emit[i] * after[i] * inverse;
        }
        convolve(y, into, c->back, c->n_states, c->stride);
        for (size_t i = 0; i < c->stride; i++)
            after[i] = y[i] * c->leave[i] + after[i] * empty;
    }
}

static void chain(const dpl__chain *c)
{
    forward(c);
    backward(c);
}

static void chains(const dpl__chain c[2])
{
    chain(&c[0]);
    chain(&c[1]);
}

static void chain_jumps(float *out, const dpl__chain *c)
{
    for (size_t i = 0; i < c->n_states; i++)
        for (size_t k = 0; k < c->stride; k++) {
            ptrdiff_t d = (ptrdiff_t)k - (ptrdiff_t)i;
            float s = 0;
            for (size_t step = 0; step < c->n_steps; step++)
                s += c->from[step * c->stride + i] * c->into[step * c->stride + k];
            out[d] += s * c->jumps[d];
        }
}

void dpl__kernels_chain_scalar(dpl__kernels *k)
{
    k->chains = chains;
    k->chain_jumps = chain_jumps;
}
