/*
 * chain_lanes.h - forward and backward through a chain by vectors, for any width up to 16.
 *
 * The file that includes it says how many floats its vectors have: CHAIN_WIDTH. States stand
 * side by side in the lanes; a sum over k takes the k-th number times the jumps shifted by k,
 * so every lane adds in the order of the specification. Blocks of up to MOST_BLOCKS vectors
 * keep their sums in registers.
 */
#include "kernels/kernels.h"

typedef float lanes __attribute__((vector_size(4 * CHAIN_WIDTH)));
typedef float lanes_anywhere __attribute__((vector_size(4 * CHAIN_WIDTH), aligned(4)));

#define LOAD(p) (*(const lanes_anywhere *)(const void *)(p))
#define STORE(p, x) (*(lanes_anywhere *)(void *)(p) = (x))

/* y[0, 4 vectors) = sum over k < n of x[k * x_step] a[k * a_step + (0, 4 vectors)] */
#define DEFINE_SUM(NAME, N_VECTORS)                                                            \
    static inline void NAME(float *y, const float *x, ptrdiff_t x_step, const float *a,        \
                            ptrdiff_t a_step, size_t n)                                        \
    {                                                                                          \
        lanes s[N_VECTORS] = {{0}};                                                            \
        for (size_t k = 0; k < n; k++, x += x_step, a += a_step)                               \
            for (size_t v = 0; v < N_VECTORS; v++)                                             \
                s[v] += *x * LOAD(a + v * CHAIN_WIDTH);                                        \
        for (size_t v = 0; v < N_VECTORS; v++)                                                 \
            STORE(y + v * CHAIN_WIDTH, s[v]);                                                  \
    }

DEFINE_SUM(sum_one, 16 / CHAIN_WIDTH)
DEFINE_SUM(sum_two, 32 / CHAIN_WIDTH)

/* The same for n_out floats, a multiple of 16. */
static inline void sum_rows(float *y, size_t n_out, const float *x, ptrdiff_t x_step,
                            const float *a, ptrdiff_t a_step, size_t n)
{
    size_t i = 0;
    for (; i + 32 <= n_out; i += 32)
        sum_two(y + i, x, x_step, a + i, a_step, n);
    if (i < n_out)
        sum_one(y + i, x, x_step, a + i, a_step, n);
}

static inline float sum_lanes(const float *x, size_t stride)
{
    lanes s[16 / CHAIN_WIDTH] = {{0}};
    for (size_t i = 0; i < stride; i += 16)
        for (size_t v = 0; v < 16 / CHAIN_WIDTH; v++)
            s[v] += LOAD(x + i + v * CHAIN_WIDTH);
    float t[16];
    for (size_t v = 0; v < 16 / CHAIN_WIDTH; v++)
        STORE(t + v * CHAIN_WIDTH, s[v]);
    for (size_t half = 8; half > 0; half /= 2)
        for (size_t i = 0; i < half; i++)
            t[i] += t[half + i];
    return t[0];
}

static void forward(const dpl__chain *c)
{
    float *all = c->row, *y = c->row + c->stride;
    memset(all, 0, c->stride * sizeof *all);
    all[0] = 1;
    for (size_t step = 0; step < c->n_steps; step++) {
        float *from = c->from + step * c->stride, *here = c->posterior + step * c->stride;
        const float *emit = c->emit + step * c->stride;
        float empty = c->empty[step];
        for (size_t i = 0; i < c->stride; i += CHAIN_WIDTH)
            STORE(from + i, LOAD(all + i) * LOAD(c->leave + i));
        sum_rows(y, c->stride, from, 1, c->jumps, -1, c->n_states);
        for (size_t i = 0; i < c->stride; i += CHAIN_WIDTH) {
            lanes x = LOAD(y + i) * LOAD(emit + i);
            STORE(here + i, x);
            STORE(all + i, x + LOAD(all + i) * empty);
        }
        c->scale[step] = sum_lanes(all, c->stride);
        float inverse = 1 / c->scale[step];
        for (size_t i = 0; i < c->stride; i += CHAIN_WIDTH) {
            STORE(here + i, LOAD(here + i) * inverse);
            STORE(all + i, LOAD(all + i) * inverse);
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
        for (size_t i = 0; i < c->stride; i += CHAIN_WIDTH) {
            lanes x = LOAD(after + i);
            STORE(here + i, LOAD(here + i) * x);
            STORE(into + i, LOAD(emit + i) * x * inverse);
        }
        sum_rows(y, c->stride, into, 1, c->back, -1, c->n_states);
        for (size_t i = 0; i < c->stride; i += CHAIN_WIDTH)
            STORE(after + i, LOAD(y + i) * LOAD(c->leave + i) + LOAD(after + i) * empty);
    }
}

static void chain(const dpl__chain *c)
{
    forward(c);
    backward(c);
}

static void chain_jumps(float *out, const dpl__chain *c)
{
    float *y = c->row;
    ptrdiff_t stride = (ptrdiff_t)c->stride;
    for (size_t i = 0; i < c->n_states; i++) {
        sum_rows(y, c->stride, c->from + i, stride, c->into, stride, c->n_steps);
        float *to = out - i;
        const float *jumps = c->jumps - i;
        for (size_t k = 0; k < c->stride; k += CHAIN_WIDTH)
            STORE(to + k, LOAD(to + k) + LOAD(y + k) * LOAD(jumps + k));
    }
}
