/*
 * chain.h - posteriors of a hidden Markov chain with one table of jumps, for word alignment.
 *
 * The words of a row, step by step, come each from a state or from none. From state i the next
 * step goes to state k with probability leave[i] * jumps[k - i], or stays without a state, and
 * the word costs empty[step] then. State 0 is where the chain starts; it emits nothing.
 *
 * Rows of states are `stride` floats apart, a multiple of 16, and their ends from n_states on
 * are zero where they are input. All sums have one order at every level, so all results are the
 * same bits: products are added one by one, k rising; sums over states are 16 sums over every
 * 16th state, which are folded in halves.
 */
#ifndef DPL_KERNELS_CHAIN_H
#define DPL_KERNELS_CHAIN_H

#include <stddef.h>

enum { DPL__CHAIN_LANES = 16 };

typedef struct dpl__chain {
    size_t n_states; /* with state 0 */
    size_t n_steps, stride;
    const float *emit;  /* n_steps rows: p(word | state) */
    const float *empty; /* n_steps: p(no state) p(word | no state) */
    const float *leave; /* a row */
    const float *jumps; /* jumps[-stride] .. jumps[stride] */
    const float *back;  /* back[d] = jumps[-d], -stride .. stride */
    /* ---- results */
    float *posterior; /* n_steps rows: p(state | all words) */
    float *scale;     /* n_steps: p(word | words before) */
    /* ---- for chain_jumps, and scratch */
    float *from, *into; /* n_steps rows */
    float *row;         /* two rows */
} dpl__chain;

#endif
