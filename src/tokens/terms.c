/*
 * terms.c - hash table from term to number; linear probing, the hash kept beside the number.
 */
#include "tokens/terms.h"

enum { FIRST_SLOTS = 1 << 10 };

void dpl__terms_init(dpl__terms *t, dpl_ctx *ctx)
{
    *t = (dpl__terms){.ctx = ctx};
    dpl__arena_init(&t->arena, ctx);
}

void dpl__terms_clear(dpl__terms *t)
{
    if (!t->ctx)
        return;
    dpl__vec_clear(t->ctx, &t->all);
    dpl__vec_clear(t->ctx, &t->counts);
    dpl__free(t->ctx, t->slots, t->n_slots * sizeof *t->slots);
    dpl__arena_clear(&t->arena);
    t->slots = NULL;
    t->n_slots = t->n_far = 0;
}

static bool grow(dpl__terms *t)
{
    size_t n = t->n_slots ? 2 * t->n_slots : FIRST_SLOTS;
    dpl__term_slot *slots = dpl__calloc(t->ctx, n, sizeof *slots);
    if (!slots)
        return false;
    for (size_t i = 0; i < t->n_slots; i++) {
        size_t at = t->slots[i].hash & (n - 1);
        while (t->slots[i].number && slots[at].number)
            at = (at + 1) & (n - 1);
        if (t->slots[i].number)
            slots[at] = t->slots[i];
    }
    dpl__free(t->ctx, t->slots, t->n_slots * sizeof *t->slots);
    t->slots = slots;
    t->n_slots = n;
    return true;
}

static dpl_status add(dpl__terms *t, dpl_str term, dpl_error *err)
{
    dpl__term fresh = {.n = (uint32_t)term.n};
    if (term.n <= sizeof fresh.at.near) {
        memcpy(fresh.at.near, term.data, term.n);
    } else {
        fresh.at.far = dpl__arena_copy(&t->arena, term).data;
        if (!fresh.at.far)
            return dpl__fail_nomem(err);
        t->n_far += term.n + 16;
    }
    dpl__term_count zero = {0};
    if (!dpl__vec_reserve(t->ctx, &t->counts, 1) || !dpl__vec_push(t->ctx, &t->all, fresh))
        return dpl__fail_nomem(err);
    t->counts.data[t->counts.n++] = zero;
    return DPL_OK;
}

/* The slot of the term, or the free one where it would be. */
static dpl__term_slot *find(const dpl__terms *t, dpl_str term, uint32_t hash)
{
    for (size_t at = hash;; at++) {
        dpl__term_slot *slot = &t->slots[at & (t->n_slots - 1)];
        if (!slot->number ||
            (slot->hash == hash &&
             dpl__str_eq(dpl__term_text(&t->all.data[slot->number - 1]), term)))
            return slot;
    }
}

bool dpl__terms_has(const dpl__terms *t, dpl_str term)
{
    return t->n_slots && find(t, term, dpl__term_hash(term))->number;
}

dpl_status dpl__terms_number_hashed(dpl__terms *t, dpl_str term, uint32_t hash,
                                    uint32_t *number, dpl_error *err)
{
    if (2 * (t->all.n + 1) > t->n_slots && !grow(t))
        return dpl__fail_nomem(err);
    dpl__term_slot *slot = find(t, term, hash);
    *number = slot->number - 1;
    if (slot->number)
        return DPL_OK;
    DPL_TRY(add(t, term, err));
    *number = (uint32_t)t->all.n - 1;
    *slot = (dpl__term_slot){(uint32_t)t->all.n, hash};
    return DPL_OK;
}

dpl_status dpl__terms_number(dpl__terms *t, dpl_str term, uint32_t *number, dpl_error *err)
{
    return dpl__terms_number_hashed(t, term, dpl__term_hash(term), number, err);
}

size_t dpl__terms_bytes(const dpl__terms *t)
{
    return t->all.cap * sizeof *t->all.data + t->counts.cap * sizeof *t->counts.data +
           t->n_slots * sizeof *t->slots + t->n_far;
}
