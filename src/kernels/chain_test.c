#include "kernels/kernels.h"

#include "base/hash.h"
#include "test.h"

#include <math.h>

enum { MOST_STATES = 70, MOST_STEPS = 20, STRIDE = 80, PAD = STRIDE + 16 };

/* A chain with numbers of its own. */
typedef struct sample {
    dpl__chain chain;
    float emit[MOST_STEPS * STRIDE], empty[MOST_STEPS], leave[STRIDE];
    float jumps[2 * PAD + 1], back[2 * PAD + 1];
    float posterior[MOST_STEPS * STRIDE], scale[MOST_STEPS];
    float from[MOST_STEPS * STRIDE], into[MOST_STEPS * STRIDE], row[2 * STRIDE];
    float counts[2 * PAD + 1];
} sample;

static float draw(dpl__rng *rng)
{
    return (float)(1 + dpl__rng_below(rng, 1000)) / 1000;
}

static void make(sample *s, uint64_t seed, size_t n_states, size_t n_steps)
{
    dpl__rng rng = {seed};
    size_t stride = (n_states + 15) / 16 * 16;
    *s = (sample){.chain = {.n_states = n_states,
                            .n_steps = n_steps,
                            .stride = stride,
                            .emit = s->emit,
                            .empty = s->empty,
                            .leave = s->leave,
                            .jumps = s->jumps + PAD,
                            .back = s->back + PAD,
                            .posterior = s->posterior,
                            .scale = s->scale,
                            .from = s->from,
                            .into = s->into,
                            .row = s->row}};
    for (int d = -PAD; d <= PAD; d++)
        s->jumps[PAD + d] = s->back[PAD - d] = draw(&rng);
    for (size_t i = 0; i < n_states; i++) {
        float sum = 0;
        for (size_t k = 1; k < n_states; k++)
            sum += s->chain.jumps[(ptrdiff_t)k - (ptrdiff_t)i];
        s->leave[i] = 0.8f / sum;
    }
    for (size_t step = 0; step < n_steps; step++) {
        s->empty[step] = 0.2f * draw(&rng);
        for (size_t i = 1; i < n_states; i++)
            s->emit[step * stride + i] = draw(&rng);
    }
}

/* With a second chain at its side, of n_states and n_steps; which of them is first. */
static void run_beside(sample *s, dpl_cpu cpu, size_t n_states, size_t n_steps, bool is_first)
{
    static sample other;
    const dpl__kernels *k = dpl__kernels_for(cpu);
    make(&other, 1, n_states, n_steps);
    dpl__chain both[2] = {is_first ? s->chain : other.chain, is_first ? other.chain : s->chain};
    k->chains(both);
    k->chain_jumps(s->counts + PAD, &s->chain);
}

static void run(sample *s, dpl_cpu cpu)
{
    run_beside(s, cpu, 5, 3, true);
}

/* All ways through a short chain: p(words), and of it what has `state` at `step`; with the
 * jumps by each distance. */
static double walk(const dpl__chain *c, size_t step, size_t state, size_t at_step,
                   size_t at_state, bool has_been, double p, double *jumps)
{
    if (step == c->n_steps)
        return has_been ? p : 0;
    double sum = 0;
    if (step != at_step)
        sum = walk(c, step + 1, state, at_step, at_state, has_been, p * (double)c->empty[step],
                   jumps);
    for (size_t k = 1; k < c->n_states; k++) {
        ptrdiff_t d = (ptrdiff_t)k - (ptrdiff_t)state;
        double q = p * (double)c->leave[state] * (double)c->jumps[d] *
                   (double)c->emit[step * c->stride + k];
        double all = walk(c, step + 1, k, at_step, at_state,
                          step == at_step ? k == at_state : has_been, q, jumps);
        sum += all;
        if (jumps)
            jumps[d] += all;
    }
    return sum;
}

DPL_TEST(chain, posteriors_are_those_of_all_ways_added_up)
{
    static sample s;
    enum { STATES = 4, STEPS = 4 };
    for (uint64_t seed = 0; seed < 20; seed++) {
        make(&s, seed, STATES, STEPS);
        run(&s, DPL_CPU_SCALAR);
        double jumps[2 * STATES + 1] = {0}, product = 1;
        double all = walk(&s.chain, 0, 0, STEPS, 0, true, 1, jumps + STATES);
        for (size_t step = 0; step < STEPS; step++) {
            product *= (double)s.scale[step];
            for (size_t i = 1; i < STATES; i++) {
                double p = walk(&s.chain, 0, 0, step, i, false, 1, NULL) / all;
                CHECK(fabs(p - (double)s.posterior[step * s.chain.stride + i]) < 1e-5);
            }
        }
        CHECK(fabs(product / all - 1) < 1e-5);
        for (int d = -STATES; d <= STATES; d++)
            CHECK(fabs(jumps[STATES + d] / all - (double)s.counts[PAD + d]) < 1e-5);
    }
}

DPL_TEST(chain, every_level_gives_the_same_bits)
{
    static sample a, b;
    for (uint64_t seed = 0; seed < 200; seed++) {
        dpl__rng rng = {seed};
        size_t n_states = 2 + dpl__rng_below(&rng, seed % 3 ? 15 : MOST_STATES - 1),
               n_steps = 1 + dpl__rng_below(&rng, MOST_STEPS);
        make(&a, seed, n_states, n_steps);
        run(&a, DPL_CPU_SCALAR);
        for (int cpu = DPL_CPU_SSE42; cpu <= (int)dpl_cpu_best(); cpu++) {
            make(&b, seed, n_states, n_steps);
            run_beside(&b, (dpl_cpu)cpu, 2 + dpl__rng_below(&rng, 20),
                       1 + dpl__rng_below(&rng, MOST_STEPS), seed % 2);
            CHECK(memcmp(a.posterior, b.posterior, sizeof a.posterior) == 0);
            CHECK(memcmp(a.scale, b.scale, sizeof a.scale) == 0);
            CHECK(memcmp(a.counts, b.counts, sizeof a.counts) == 0);
        }
    }
}
