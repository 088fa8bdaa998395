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

/* Two sums of 16 floats each side by side: every lane waits for its last addition, so two that
 * do not depend on each other take the time of one. */
static inline void sum_short(float *const y[2], const float *const x[2],
                             const float *const a[2], const size_t n[2])
{
    lanes s[2][16 / CHAIN_WIDTH] = {{{0}}};
    size_t k = 0, shared = n[0] < n[1] ? n[0] : n[1];
    int rest = n[0] < n[1];
    for (; k < shared; k++)
        for (size_t v = 0; v < 16 / CHAIN_WIDTH; v++) {
            s[0][v] += x[0][k] * LOAD(a[0] - k + v * CHAIN_WIDTH);
            s[1][v] += x[1][k] * LOAD(a[1] - k + v * CHAIN_WIDTH);
        }
    for (size_t v = 0; v < 16 / CHAIN_WIDTH; v++)
        STORE(y[!rest] + v * CHAIN_WIDTH, s[!rest][v]);
    for (; k < n[rest]; k++)
        for (size_t v = 0; v < 16 / CHAIN_WIDTH; v++)
            s[rest][v] += x[rest][k] * LOAD(a[rest] - k + v * CHAIN_WIDTH);
    for (size_t v = 0; v < 16 / CHAIN_WIDTH; v++)
        STORE(y[rest] + v * CHAIN_WIDTH, s[rest][v]);
}

typedef float lanes_8 __attribute__((vector_size(32), aligned(4)));
typedef float lanes_4 __attribute__((vector_size(16), aligned(4)));

static inline float sum_lanes(const float *x, size_t stride)
{
    lanes s[16 / CHAIN_WIDTH] = {{0}};
    for (size_t i = 0; i < stride; i += 16)
        for (size_t v = 0; v < 16 / CHAIN_WIDTH; v++)
            s[v] += LOAD(x + i + v * CHAIN_WIDTH);
    union {
        lanes all[16 / CHAIN_WIDTH];
        lanes_8 half[2];
    } t;
    for (size_t v = 0; v < 16 / CHAIN_WIDTH; v++)
        t.all[v] = s[v];
    union {
        lanes_8 all;
        lanes_4 half[2];
    } u = {t.half[0] + t.half[1]};
    lanes_4 q = u.half[0] + u.half[1];
    return (q[0] + q[2]) + (q[1] + q[3]);
}

/* ---- forward ------------------------------------------------------------------------ */

static inline void forward_begin(const dpl__chain *c)
{
    memset(c->row, 0, c->stride * sizeof *c->row);
    c->row[0] = 1;
}

static inline const float *forward_leave(const dpl__chain *c, size_t step)
{
    const float *all = c->row;
    float *from = c->from + step * c->stride;
    for (size_t i = 0; i < c->stride; i += CHAIN_WIDTH)
        STORE(from + i, LOAD(all + i) * LOAD(c->leave + i));
    return from;
}

static inline void forward_enter(const dpl__chain *c, size_t step)
{
    float *all = c->row, *here = c->posterior + step * c->stride;
    const float *y = c->row + c->stride, *emit = c->emit + step * c->stride;
    float empty = c->empty[step];
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

static inline void forward_step(const dpl__chain *c, size_t step)
{
    const float *from = forward_leave(c, step);
    sum_rows(c->row + c->stride, c->stride, from, 1, c->jumps, -1, c->n_states);
    forward_enter(c, step);
}

/* ---- backward ----------------------------------------------------------------------- */

static inline void backward_begin(const dpl__chain *c)
{
    for (size_t i = 0; i < c->stride; i++)
        c->row[i] = 1;
}

static inline const float *backward_enter(const dpl__chain *c, size_t step)
{
    const float *after = c->row, *emit = c->emit + step * c->stride;
    float *into = c->into + step * c->stride, *here = c->posterior + step * c->stride;
    float inverse = 1 / c->scale[step];
    for (size_t i = 0; i < c->stride; i += CHAIN_WIDTH) {
        lanes x = LOAD(after + i);
        STORE(here + i, LOAD(here + i) * x);
        STORE(into + i, LOAD(emit + i) * x * inverse);
    }
    return into;
}

static inline void backward_leave(const dpl__chain *c, size_t step)
{
    float *after = c->row, inverse = 1 / c->scale[step], empty = c->empty[step] * inverse;
    const float *y = c->row + c->stride;
    for (size_t i = 0; i < c->stride; i += CHAIN_WIDTH)
        STORE(after + i, LOAD(y + i) * LOAD(c->leave + i) + LOAD(after + i) * empty);
}

static inline void backward_step(const dpl__chain *c, size_t step)
{
    const float *into = backward_enter(c, step);
    sum_rows(c->row + c->stride, c->stride, into, 1, c->back, -1, c->n_states);
    backward_leave(c, step);
}

/* ---- two chains --------------------------------------------------------------------- */

/* Both sums of a step; a is the chains' jumps or back. */
static inline void sum_both(const dpl__chain c[2], const float *const x[2],
                            const float *const a[2])
{
    float *const y[2] = {c[0].row + c[0].stride, c[1].row + c[1].stride};
    const size_t n[2] = {c[0].n_states, c[1].n_states};
    if (c[0].stride == 16 && c[1].stride == 16) {
        sum_short(y, x, a, n);
        return;
    }
    sum_rows(y[0], c[0].stride, x[0], 1, a[0], -1, n[0]);
    sum_rows(y[1], c[1].stride, x[1], 1, a[1], -1, n[1]);
}

/* Step by step side by side: what one waits for the other has not to. */
static void chains(const dpl__chain c[2])
{
    const float *const jumps[2] = {c[0].jumps, c[1].jumps};
    const float *const back[2] = {c[0].back, c[1].back};
    size_t shared = c[0].n_steps < c[1].n_steps ? c[0].n_steps : c[1].n_steps, step = 0;
    const dpl__chain *longer = &c[c[0].n_steps < c[1].n_steps];
    forward_begin(&c[0]);
    forward_begin(&c[1]);
    for (; step < shared; step++) {
        const float *const from[2] = {forward_leave(&c[0], step), forward_leave(&c[1], step)};
        sum_both(c, from, jumps);
        forward_enter(&c[0], step);
        forward_enter(&c[1], step);
    }
    for (; step < longer->n_steps; step++)
        forward_step(longer, step);
    backward_begin(&c[0]);
    backward_begin(&c[1]);
    while (step-- > shared)
        backward_step(longer, step);
    for (step = shared; step-- > 0;) {
        const float *const into[2] = {backward_enter(&c[0], step), backward_enter(&c[1], step)};
        sum_both(c, into, back);
        backward_leave(&c[0], step);
        backward_leave(&c[1], step);
    }
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
