/*
 * idset.c - open addressing over pairs of hashes.
 */
#include "tokens/idset.h"

#include "base/hash.h"

enum { FIRST_SLOTS = 1 << 10 };

void dpl__idset_init(dpl__idset *set, dpl_ctx *ctx, size_t share)
{
    *set = (dpl__idset){.ctx = ctx, .share = share};
}

void dpl__idset_clear(dpl__idset *set)
{
    if (set->ctx)
        dpl__free(set->ctx, set->slots, set->n_slots * sizeof *set->slots);
    set->slots = NULL;
}

static uint64_t *find(uint64_t (*slots)[2], size_t n, const uint64_t hash[2])
{
    size_t at = hash[0] & (n - 1);
    while ((slots[at][0] | slots[at][1]) &&
           (slots[at][0] != hash[0] || slots[at][1] != hash[1]))
        at = (at + 1) & (n - 1);
    return slots[at];
}

static dpl_status grow(dpl__idset *set, dpl_error *err)
{
    size_t n = set->n_slots ? 2 * set->n_slots : FIRST_SLOTS;
    set->is_full = set->n_slots && n * sizeof *set->slots > set->share;
    if (set->is_full)
        return DPL_OK;
    uint64_t(*slots)[2] = dpl__calloc(set->ctx, n, sizeof *slots);
    if (!slots)
        return dpl__fail_nomem(err);
    for (size_t i = 0; i < set->n_slots; i++)
        if (set->slots[i][0] | set->slots[i][1])
            memcpy(find(slots, n, set->slots[i]), set->slots[i], sizeof *slots);
    dpl__free(set->ctx, set->slots, set->n_slots * sizeof *set->slots);
    set->slots = slots;
    set->n_slots = n;
    return DPL_OK;
}

dpl__id_hash dpl__id_hash_of(dpl_str id)
{
    return (dpl__id_hash){{dpl__hash(id.data, id.n, 11), dpl__hash(id.data, id.n, 12) | 1}};
}

dpl_status dpl__idset_add(dpl__idset *set, const dpl__id_hash *id, bool *is_new, dpl_error *err)
{
    if (!set->is_full && 4 * (set->n_used + 1) > 3 * set->n_slots)
        DPL_TRY(grow(set, err));
    uint64_t *slot = find(set->slots, set->n_slots, id->parts);
    *is_new = !(slot[0] | slot[1]);
    if (*is_new && !set->is_full) {
        memcpy(slot, id->parts, sizeof id->parts);
        set->n_used++;
    }
    return DPL_OK;
}
