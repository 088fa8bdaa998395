/*
 * shingles.h - documents as sets of shingles, each of them a key of 64 bits. Frozen.
 */
#ifndef DPL_TOKENS_SHINGLES_H
#define DPL_TOKENS_SHINGLES_H

#include "doppel/tokens.h"

#include "base/hash.h"
#include "base/map.h"
#include "tokens/doc_parts.h"

/* ---- keys --------------------------------------------------------------------------- */

/* The key of a term is a hash of its text, so that it is the same in every collection; that of
 * a shingle of w terms is dpl__shingle_key(sum ^ w), where the sum of a term and those before
 * it is the sum of these times the base, and its key. */
#define DPL__SHINGLE_BASE UINT64_C(0x9E3779B97F4A7C15) /* odd: shingles can roll */

static inline uint64_t dpl__shingle_word(dpl_str term)
{
    return dpl__hash(term.data, term.n, 0);
}
/* The lowest bit is free for marks, and no key is 0. */
static inline uint64_t dpl__shingle_key(uint64_t sum)
{
    return (dpl__mix(sum) | 2) & ~(uint64_t)1;
}

/* ---- sets --------------------------------------------------------------------------- */

/* A set of keys whose lowest bit marks them; 0: a free slot. */
static inline bool dpl__shingle_is_used(const void *user, const uint64_t *slot)
{
    (void)user;
    return *slot != 0;
}
static inline uint64_t dpl__shingle_hash(const void *user, const uint64_t *slot)
{
    (void)user;
    return *slot >> 2; /* the second bit is set in all of them */
}
static inline bool dpl__shingle_is(const void *user, const uint64_t *slot, uint64_t key)
{
    (void)user;
    return (*slot & ~(uint64_t)1) == key;
}
DPL_MAP(dpl__shingle_set, uint64_t, uint64_t, dpl__shingle_is_used, dpl__shingle_hash,
        dpl__shingle_is);

/* Room to work on one document at a time. Owned. */
typedef struct dpl__set_scratch {
    uint64_t *keys; /* of a document's shingles */
    size_t n_keys;  /* room */
    dpl__shingle_set set;
} dpl__set_scratch;

typedef struct dpl__sets {
    dpl_ctx *ctx;
    const dpl__doc_parts *docs;
    dpl__doc_parts one;        /* those of one collection */
    unsigned w;                /* words of a shingle */
    uint64_t **term_keys;      /* of each part, of each term; NULL: too many to be kept */
    uint64_t n_tokens;         /* of all documents */
    size_t longest;            /* tokens of the longest document */
    dpl__set_scratch *scratch; /* one for each thread */
} dpl__sets;

/* The collection is borrowed until it is cleared; zeroed memory may be cleared. */
dpl_status dpl__sets_init(dpl__sets *sets, dpl_ctx *ctx, const dpl_collection *c, unsigned w,
                          dpl_error *err);
/* The same of several collections. */
dpl_status dpl__sets_init_parts(dpl__sets *sets, dpl_ctx *ctx, const dpl__doc_parts *docs,
                                unsigned w, dpl_error *err);
void dpl__sets_clear(dpl__sets *sets);

dpl_status dpl__set_scratch_init(dpl__set_scratch *s, dpl_ctx *ctx, size_t longest,
                                 dpl_error *err);
void dpl__set_scratch_clear(dpl__set_scratch *s, dpl_ctx *ctx);

/* Key of a term of a part; a single collection is part 0. */
uint64_t dpl__sets_key(const dpl__sets *sets, uint32_t part, uint32_t term);
static inline uint64_t dpl__sets_term_key(const dpl__sets *sets, uint32_t term)
{
    return dpl__sets_key(sets, 0, term);
}
/* The words of a document and their order, as a number. */
uint64_t dpl__sets_hash(const dpl__sets *sets, uint32_t doc);
/* Have they the same words in the same order? */
bool dpl__sets_are_copies(const dpl__sets *sets, uint32_t a, uint32_t b);
/* The keys of a document's shingles, in the order of the text, none of them 0; a document of
 * fewer words than w has one shingle, of all of them. Valid until the scratch is used again. */
const uint64_t *dpl__sets_shingles(const dpl__sets *sets, uint32_t doc, dpl__set_scratch *s,
                                   size_t *n);
/* The same, each once, in any order. */
const uint64_t *dpl__sets_distinct(const dpl__sets *sets, uint32_t doc, dpl__set_scratch *s,
                                   size_t *n);

/* ---- comparing one document with many ----------------------------------------------- */

/* Puts the document's set into the table of the scratch, for dpl__sets_overlap. */
void dpl__sets_load(const dpl__sets *sets, uint32_t doc, dpl__set_scratch *s, size_t *n);
/* Is the key one of those that were loaded? */
bool dpl__sets_has(dpl__set_scratch *loaded, uint64_t key);
/* How many of the loaded keys another document has; `other` is a scratch of its own. */
size_t dpl__sets_overlap(const dpl__sets *sets, dpl__set_scratch *loaded, uint32_t doc,
                         dpl__set_scratch *other);

#endif
