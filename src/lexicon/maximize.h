/*
 * maximize.h - expected counts become probabilities: the maximisation step of EM.
 */
#ifndef DPL_LEXICON_MAXIMIZE_H
#define DPL_LEXICON_MAXIMIZE_H

#include "lexicon/link_ids.h"

#include <stdatomic.h>

/*
 * Expected counts are added up by all threads in no particular order and must come out the
 * same, so they are integers: units of 2^-32, in 64 bits.
 */
typedef _Atomic uint64_t dpl__count;

static inline uint64_t dpl__count_units(float x)
{
    return (uint64_t)(int64_t)(x * 0x1p32f);
}

/* Adds x `times` times. */
static inline void dpl__count_add(dpl__count *count, float x, uint64_t times)
{
    /* Most are zero, and the test is much faster than a contended atomic addition. */
    uint64_t units = dpl__count_units(x) * times;
    if (units)
        atomic_fetch_add_explicit(count, units, memory_order_relaxed);
}

static inline double dpl__count_value(const dpl__count *count)
{
    return (double)atomic_load_explicit(count, memory_order_relaxed) * 0x1p-32;
}

/* Where every token or link adds something, even that is too slow: each worker has an array of
 * n counts of its own, one array after the other. This adds all to the first and makes the
 * others zero. */
dpl_status dpl__counts_gather(dpl_ctx *ctx, uint64_t *counts, size_t n, dpl_error *err);
/* What was gathered; zero afterwards. */
static inline double dpl__counts_take(uint64_t *counts, size_t word)
{
    const uint64_t sum = counts[word];
    counts[word] = 0;
    return (double)sum * 0x1p-32;
}

/* Expected counts of a link in one iteration. */
typedef union dpl__tally {
    float p[2];       /* Model 1: for each direction */
    dpl__count count; /* HMM: for both */
} dpl__tally;

/* From link *k on, the first one before end whose bit is set. */
static inline bool dpl__next_link(const uint64_t *bits, uint64_t *k, uint64_t end)
{
    while (*k < end) {
        const uint64_t rest = bits[*k / 64] >> *k % 64;
        if (rest) {
            *k += (uint64_t)__builtin_ctzll(rest);
            return *k < end;
        }
        *k += 64 - *k % 64;
    }
    return false;
}

/* Owned. */
typedef struct dpl__maximizer dpl__maximizer;

/* prior: the weight of the distribution of the class, in tokens. */
dpl_status dpl__maximizer_new(dpl__maximizer **out, dpl__wordmodel *model,
                              const dpl__encoded *corpus, double prior, dpl_error *err);
void dpl__maximizer_free(dpl__maximizer *m);

/* The probabilities of the model's links from tallies[link].p. */
dpl_status dpl__maximize(dpl__maximizer *m, const dpl__tally *tallies, dpl_error *err);

/* The same where few links have a count, for some links: their probabilities do not depend on
 * others without one. counted: a bit for each link. */
typedef struct dpl__word_links {
    const uint32_t *links; /* word by word, by place; */
    const size_t *begin;   /* where those of each place begin, and the end */
} dpl__word_links;
dpl_status dpl__maximize_some(dpl__maximizer *m, const dpl__tally *tallies,
                              const uint64_t *counted, const dpl__word_links *some, size_t n,
                              dpl_error *err);

/* ---- in parts --------------------------------------------------------------------------
 *
 * Each link belongs to the class of its left word, and nothing but the totals of the right
 * words goes from one class to another: processes that share an iteration take some classes
 * each (divided_step.h). */

/* Left words, class by class, and the place of each there. */
const uint32_t *dpl__maximizer_words(const dpl__maximizer *m);
const uint32_t *dpl__maximizer_places(const dpl__maximizer *m);
/* Part i of n: tasks of classes with about the same work, and places of their words. */
typedef struct dpl__class_range {
    size_t first_task, end_task;
    uint32_t first, end;
} dpl__class_range;
dpl__class_range dpl__maximizer_part(const dpl__maximizer *m, size_t i, size_t n);

/* Totals of a part, n of right words, into out; what the totals of all parts sum up to; then
 * the probabilities of a part. */
dpl_status dpl__maximizer_total(uint64_t *out, dpl__maximizer *m, const dpl__tally *tallies,
                                dpl__class_range part, dpl_error *err);
void dpl__maximizer_set_totals(dpl__maximizer *m, const uint64_t *totals);
dpl_status dpl__maximizer_normalize(dpl__maximizer *m, const dpl__tally *tallies,
                                    dpl__class_range part, dpl_error *err);

#endif
