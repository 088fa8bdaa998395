/*
 * terms.h - a growing set of terms with dense numbers and counts. Owned.
 *
 * Every worker has its own, so nothing is shared while documents are read; the sets are merged
 * at the end (vocabulary.c).
 */
#ifndef DPL_TOKENS_TERMS_H
#define DPL_TOKENS_TERMS_H

#include "base/arena.h"
#include "base/hash.h"
#include "base/map.h"
#include "base/vec.h"

/* Most terms are short and stored in the record itself, so that finding one touches one place
 * less in memory. */
typedef struct dpl__term {
    uint32_t n; /* bytes */
    union {
        char near[24];
        const char *far; /* longer ones, in the arena */
    } at;
} dpl__term;

/* Apart from the term, because they are what every token touches. */
typedef struct dpl__term_count {
    uint64_t count;
    uint32_t n_docs;
    uint32_t last_doc; /* the last one counted in n_docs; documents are numbered from 1 */
} dpl__term_count;

/* Borrowed until the next term is added. */
static inline dpl_str dpl__term_text(const dpl__term *t)
{
    return (dpl_str){t->n <= sizeof t->at.near ? t->at.near : t->at.far, t->n};
}

/* The hash beside the number saves looking at most of the wrong terms. */
typedef struct dpl__numbered {
    uint32_t number; /* from 1; 0 is free */
    uint32_t hash;
} dpl__numbered;

/* The set moves, so a key says where its terms are. */
typedef struct dpl__sought_term {
    const dpl__term *all;
    dpl_str text;
    uint32_t hash;
} dpl__sought_term;

static inline bool dpl__numbered_is_used(const void *user, const dpl__numbered *slot)
{
    (void)user;
    return slot->number != 0;
}
static inline uint64_t dpl__numbered_hash(const void *user, const dpl__numbered *slot)
{
    (void)user;
    return slot->hash;
}
static inline bool dpl__numbered_is(const void *user, const dpl__numbered *slot,
                                    dpl__sought_term key)
{
    (void)user;
    return slot->hash == key.hash &&
           dpl__str_eq(dpl__term_text(&key.all[slot->number - 1]), key.text);
}
DPL_MAP(dpl__term_map, dpl__numbered, dpl__sought_term, dpl__numbered_is_used,
        dpl__numbered_hash, dpl__numbered_is);

typedef struct dpl__terms {
    dpl_ctx *ctx;
    dpl__arena arena;
    size_t n_far; /* bytes in the arena */
    DPL_VEC(dpl__term) all;
    DPL_VEC(dpl__term_count) counts; /* of each of them */
    dpl__term_map map;
} dpl__terms;

void dpl__terms_init(dpl__terms *terms, dpl_ctx *ctx);
void dpl__terms_clear(dpl__terms *terms);
/* The term's number, a new one if it was not there. */
dpl_status dpl__terms_number(dpl__terms *terms, dpl_str term, uint32_t *number, dpl_error *err);
/* The same in steps, for several terms at once, so that they wait for memory together: the
 * hash, then fetch_slot, then fetch_term, then the number. */
static inline uint32_t dpl__term_hash(dpl_str term)
{
    return (uint32_t)dpl__hash(term.data, term.n, 0);
}
static inline void dpl__terms_fetch_slot(const dpl__terms *t, uint32_t hash)
{
    if (t->map.n_slots)
        DPL_PREFETCH(dpl__term_map_home(&t->map, hash));
}
static inline void dpl__terms_fetch_term(const dpl__terms *t, uint32_t hash)
{
    const uint32_t number = t->map.n_slots ? dpl__term_map_home(&t->map, hash)->number : 0;
    if (number)
        DPL_PREFETCH(&t->all.data[number - 1]);
}
dpl_status dpl__terms_number_hashed(dpl__terms *terms, dpl_str term, uint32_t hash,
                                    uint32_t *number, dpl_error *err);
/* Safe from any thread while nobody adds terms. */
bool dpl__terms_has(const dpl__terms *terms, dpl_str term);
/* Bytes it holds, about. */
size_t dpl__terms_bytes(const dpl__terms *terms);

#endif
