/*
 * place_counts.h - how often jobs name each place of a table, counted by several processes.
 */
#ifndef DPL_DEDUP_PLACE_COUNTS_H
#define DPL_DEDUP_PLACE_COUNTS_H

#include "base/hash.h"
#include "base/vec.h"

typedef DPL_VEC(uint32_t) dpl__places;

/* Of 64 places, bits: named twice or more, three times or more. */
typedef struct dpl__place_bits {
    uint64_t two, three;
} dpl__place_bits;

/* How often each place was named, up to 255. Few were more than twice: two bits for each place,
 * and a byte for those. Zeroed memory may be cleared. */
typedef struct dpl__place_table {
    dpl__place_bits *bits; /* of 64 places each */
    uint32_t *before;      /* of these: places before them that have a count */
    DPL_VEC(uint8_t) counts;
} dpl__place_table;

void dpl__place_table_clear(dpl__place_table *table, dpl_ctx *ctx);

/* How often a place was named; 1: not more than once. */
static inline unsigned dpl__place_table_get(const dpl__place_table *t, size_t place)
{
    const dpl__place_bits *b = &t->bits[place / 64];
    const uint64_t bit = (uint64_t)1 << place % 64;
    if (!(b->two & bit))
        return 1;
    return b->three & bit
               ? t->counts.data[t->before[place / 64] + dpl__n_ones(b->three & (bit - 1))]
               : 2;
}

typedef struct dpl__place_counts {
    dpl_ctx *ctx; /* of a shared run */
    size_t n;     /* places: a multiple of 64 */
    size_t n_jobs;
    void *user;
    /* Adds the places that a job names. */
    dpl_status (*run)(void *user, size_t job, unsigned worker, dpl__places *out,
                      dpl_error *err);
} dpl__place_counts;

dpl_status dpl__places_count(dpl__place_table *out, const dpl__place_counts *c, dpl_error *err);

#endif
