/*
 * idset.h - which document ids were there before. Owned.
 *
 * Keeps 128 bits of hash per id, not the id: at a hundred million documents the chance of
 * mistaking two ids for one is below 10^-22.
 */
#ifndef DPL_TOKENS_IDSET_H
#define DPL_TOKENS_IDSET_H

#include "base/map.h"

typedef struct dpl__id_hash {
    uint64_t parts[2]; /* both 0: a free slot */
} dpl__id_hash;

static inline bool dpl__id_is_used(const void *user, const dpl__id_hash *slot)
{
    (void)user;
    return (slot->parts[0] | slot->parts[1]) != 0;
}

static inline uint64_t dpl__id_first(const void *user, const dpl__id_hash *slot)
{
    (void)user;
    return slot->parts[0];
}

static inline bool dpl__id_is(const void *user, const dpl__id_hash *slot, dpl__id_hash id)
{
    (void)user;
    return slot->parts[0] == id.parts[0] && slot->parts[1] == id.parts[1];
}

DPL_MAP(dpl__id_map, dpl__id_hash, dpl__id_hash, dpl__id_is_used, dpl__id_first, dpl__id_is);

typedef struct dpl__idset {
    dpl_ctx *ctx;
    dpl__id_map map;
    size_t share; /* bytes it may take */
    bool is_full; /* it takes no more ids, and says of the others that they are new */
} dpl__idset;

dpl__id_hash dpl__id_hash_of(dpl_str id);

void dpl__idset_init(dpl__idset *set, dpl_ctx *ctx, size_t share);
void dpl__idset_clear(dpl__idset *set);
/* *is_new is false when the id was there, as far as the share reaches. */
dpl_status dpl__idset_add(dpl__idset *set, const dpl__id_hash *id, bool *is_new,
                          dpl_error *err);
/* Soon to be added: its memory is fetched. */
static inline void dpl__idset_fetch(const dpl__idset *set, const dpl__id_hash *id)
{
    if (set->map.n_slots)
        DPL_PREFETCH(dpl__id_map_home(&set->map, id->parts[0]));
}

#endif
