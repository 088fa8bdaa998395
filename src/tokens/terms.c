/*
 * terms.c - a map from term to number; the hash is kept beside the number.
 */
#include "tokens/terms.h"

enum { FIRST_TERMS = 1 << 9 }; /* there is room for at once */

void dpl__terms_init(dpl__terms *t, dpl_ctx *ctx)
{
    *t = (dpl__terms){.ctx = ctx};
    dpl__arena_init(&t->arena, ctx);
}

void dpl__terms_clear(dpl__terms *t)
{
    if (!t->ctx)
        return;
    dpl__vec_clear(t->ctx, &t->all, &t->counts);
    dpl__term_map_clear(&t->map, t->ctx);
    dpl__arena_clear(&t->arena);
    t->n_far = 0;
}

static dpl_status add(dpl__terms *t, dpl_str term, dpl_error *err)
{
    assert(term.n <= UINT32_MAX && t->all.n < UINT32_MAX - 1);
    dpl__term fresh = {.n = (uint32_t)term.n};
    if (term.n <= sizeof fresh.at.near) {
        memcpy(fresh.at.near, term.data, term.n);
    } else {
        fresh.at.far = dpl__arena_copy(&t->arena, term).data;
        DPL_TRY(dpl__need(fresh.at.far, err));
        t->n_far += term.n + 16;
    }
    dpl__term_count zero = {0};
    DPL_TRY(dpl__need(
        dpl__vec_reserve(t->ctx, &t->counts, 1) && dpl__vec_push(t->ctx, &t->all, fresh), err));
    t->counts.data[t->counts.n++] = zero;
    return DPL_OK;
}

static dpl__numbered *find(const dpl__terms *t, dpl_str term, uint32_t hash)
{
    return dpl__term_map_find(&t->map, hash, (dpl__sought_term){t->all.data, term, hash});
}

bool dpl__terms_has(const dpl__terms *t, dpl_str term)
{
    return t->map.n_slots && find(t, term, dpl__term_hash(term))->number;
}

dpl_status dpl__terms_number_hashed(dpl__terms *t, dpl_str term, uint32_t hash,
                                    uint32_t *number, dpl_error *err)
{
    assert(t->map.n_used == t->all.n && t->all.n == t->counts.n);
    DPL_TRY(dpl__need(dpl__term_map_reserve(&t->map, t->ctx, t->map.n_slots ? 1 : FIRST_TERMS),
                      err));
    dpl__numbered *slot = find(t, term, hash);
    *number = slot->number - 1;
    if (slot->number)
        return DPL_OK;
    DPL_TRY(add(t, term, err));
    *number = (uint32_t)t->all.n - 1;
    *slot = (dpl__numbered){(uint32_t)t->all.n, hash};
    t->map.n_used++;
    return DPL_OK;
}

dpl_status dpl__terms_number(dpl__terms *t, dpl_str term, uint32_t *number, dpl_error *err)
{
    return dpl__terms_number_hashed(t, term, dpl__term_hash(term), number, err);
}

size_t dpl__terms_bytes(const dpl__terms *t)
{
    return t->all.cap * sizeof *t->all.data + t->counts.cap * sizeof *t->counts.data +
           t->map.n_slots * sizeof *t->map.slots + t->n_far;
}
