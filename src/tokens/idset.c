/*
 * idset.c - a map of hashes, within a share of the memory.
 */
#include "tokens/idset.h"

#include "base/hash.h"

void dpl__idset_init(dpl__idset *set, dpl_ctx *ctx, size_t share)
{
    *set = (dpl__idset){.ctx = ctx, .share = share};
}

void dpl__idset_clear(dpl__idset *set)
{
    if (set->ctx)
        dpl__id_map_clear(&set->map, set->ctx);
}

dpl__id_hash dpl__id_hash_of(dpl_str id)
{
    return (dpl__id_hash){{dpl__hash(id.data, id.n, 11), dpl__hash(id.data, id.n, 12) | 1}};
}

dpl_status dpl__idset_add(dpl__idset *set, const dpl__id_hash *id, bool *is_new, dpl_error *err)
{
    assert(dpl__id_is_used(NULL, id)); /* 0 is a free slot */
    const size_t n_slots = dpl__map_slots(set->map.n_used + 1);
    if (set->map.n_slots && n_slots > set->map.n_slots && n_slots * sizeof *id > set->share)
        set->is_full = true;
    if (!set->is_full && !dpl__id_map_reserve(&set->map, set->ctx, 1))
        return dpl__fail_nomem(err);
    dpl__id_hash *slot = dpl__id_map_find(&set->map, id->parts[0], *id);
    *is_new = !dpl__id_is_used(NULL, slot);
    if (*is_new && !set->is_full) {
        *slot = *id;
        set->map.n_used++;
    }
    return DPL_OK;
}
