/*
 * synth_plan.c - which documents are pairs, and where their random numbers begin.
 *
 * Permutations are Feistel networks over the next even number of bits; what falls outside is
 * permuted again until it is inside (cycle walking, fewer than four times on average). So pairs
 * need no table, whatever their number.
 */
#include "lab/synth_parts.h"

#include "base/maths.h"

#include <math.h>
#include <stdio.h>

enum { ROUNDS = 4 };

/* ---- permutations ------------------------------------------------------------------- */

dpl__permutation dpl__permutation_new(uint64_t n, uint64_t key)
{
    dpl__permutation p = {n, key, 1};
    while (p.half < 31 && (uint64_t)1 << (2 * p.half) < n)
        p.half++;
    return p;
}

static uint64_t half_round(const dpl__permutation *p, unsigned round, uint64_t x)
{
    return dpl__mix(p->key ^ dpl__mix(x << 3 | round)) & (((uint64_t)1 << p->half) - 1);
}

static uint64_t forward(const dpl__permutation *p, uint64_t i)
{
    uint64_t high = i >> p->half, low = i & (((uint64_t)1 << p->half) - 1);
    for (unsigned r = 0; r < ROUNDS; r++) {
        const uint64_t next = high ^ half_round(p, r, low);
        high = low;
        low = next;
    }
    return high << p->half | low;
}

static uint64_t backward(const dpl__permutation *p, uint64_t i)
{
    uint64_t high = i >> p->half, low = i & (((uint64_t)1 << p->half) - 1);
    for (unsigned r = ROUNDS; r-- > 0;) {
        const uint64_t before = low ^ half_round(p, r, high);
        low = high;
        high = before;
    }
    return high << p->half | low;
}

uint64_t dpl__permute(const dpl__permutation *p, uint64_t i)
{
    assert(i < p->n);
    do
        i = forward(p, i);
    while (i >= p->n);
    return i;
}

uint64_t dpl__permute_back(const dpl__permutation *p, uint64_t i)
{
    assert(i < p->n);
    do
        i = backward(p, i);
    while (i >= p->n);
    return i;
}

/* ---- random numbers ----------------------------------------------------------------- */

dpl__rng dpl__synth_rng(const dpl__synth_plan *plan, unsigned what, uint64_t i)
{
    return (dpl__rng){dpl__mix(plan->seed ^ dpl__mix(i ^ (uint64_t)what << 56))};
}

void dpl__rng_normal(dpl__rng *rng, double out[2])
{
    const double two_pi = 6.283185307179586;
    const double radius = sqrt(-2 * dpl__log(1 - dpl__rng_real(rng)));
    const double angle = two_pi * dpl__rng_real(rng);
    out[0] = radius * dpl__cos(angle);
    out[1] = radius * dpl__sin(angle);
}

/* ---- pairs -------------------------------------------------------------------------- */

void dpl__synth_plan_make(dpl__synth_plan *out, uint64_t seed, const dpl_synth_options *set)
{
    const bool is_text = set->to == DPL_SYNTH_JSONL;
    const double low = is_text ? set->translated : set->cosine;
    const double high = is_text ? set->translated_to : set->cosine_to;
    *out = (dpl__synth_plan){
        .seed = seed, .n = {set->left, set->right}, .low = low, .high = high != 0 ? high : low};
    out->n_pairs = (uint64_t)(set->paired * (double)dpl__min(set->left, set->right) + 0.5);
    for (unsigned side = 0; side < 2; side++)
        out->order[side] = dpl__permutation_new(
            out->n[side], dpl__synth_rng(out, DPL__SYNTH_ORDER, side).state);
}

uint64_t dpl__synth_pair_of(const dpl__synth_plan *plan, int side, uint64_t doc)
{
    return dpl__permute_back(&plan->order[side], doc);
}

double dpl__synth_similarity(const dpl__synth_plan *plan, uint64_t pair)
{
    dpl__rng rng = dpl__synth_rng(plan, DPL__SYNTH_PAIR, pair);
    return plan->low + (plan->high - plan->low) * dpl__rng_real(&rng);
}

bool dpl__synth_gold(dpl__bytes *out, dpl_ctx *ctx, const dpl__synth_plan *plan,
                     const char *const names[2], uint64_t left, double similarity)
{
    const uint64_t pair = dpl__synth_pair_of(plan, 0, left);
    if (pair >= plan->n_pairs)
        return true;
    const uint64_t right = dpl__permute(&plan->order[1], pair);
    const double rounded = floor(fabs(similarity) * 1e6 + 0.5);
    char line[100];
    const int n = snprintf(line, sizeof line, "%s%llu\t%s%llu\t%s%u.%06u\n", names[0],
                           (unsigned long long)left, names[1], (unsigned long long)right,
                           similarity < 0 && rounded > 0 ? "-" : "", (unsigned)(rounded / 1e6),
                           (unsigned)((uint64_t)rounded % 1000000));
    return dpl__vec_append(ctx, out, line, (size_t)n);
}
