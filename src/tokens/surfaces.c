/*
 * surfaces.c - growth of the word table.
 */
#include "tokens/surfaces.h"

enum { FIRST_SLOTS = 1 << 8 };

#define PART(n, i)                                                                             \
    ((n) >= 8 * (i) + 8 ? UINT64_MAX                                                           \
     : (n) <= 8 * (i)   ? 0                                                                    \
                        : UINT64_MAX >> ((64 * (i) + 64 - 8 * (n)) & 63))
#define MASKS(n)                                                                               \
    {                                                                                          \
        PART(n, 0), PART(n, 1), PART(n, 2)                                                     \
    }
const uint64_t dpl__surface_masks[25][3] = {
    MASKS(0),  MASKS(1),  MASKS(2),  MASKS(3),  MASKS(4),  MASKS(5),  MASKS(6),
    MASKS(7),  MASKS(8),  MASKS(9),  MASKS(10), MASKS(11), MASKS(12), MASKS(13),
    MASKS(14), MASKS(15), MASKS(16), MASKS(17), MASKS(18), MASKS(19), MASKS(20),
    MASKS(21), MASKS(22), MASKS(23), MASKS(24)};

void dpl__surfaces_init(dpl__surfaces *s, dpl_ctx *ctx, bool has_case)
{
    *s = (dpl__surfaces){.ctx = ctx, .case_bit = has_case ? 0 : 0x20};
}

void dpl__surfaces_clear(dpl__surfaces *s)
{
    dpl__free(s->ctx, s->slots, s->n_slots * sizeof *s->slots);
    s->slots = NULL;
    s->n_slots = s->n_used = 0;
}

void dpl__surfaces_forget(dpl__surfaces *s)
{
    if (s->slots)
        memset(s->slots, 0, s->n_slots * sizeof *s->slots);
    s->n_used = 0;
}

dpl_status dpl__surfaces_reserve(dpl__surfaces *s, size_t n_more, size_t most_bytes,
                                 dpl_error *err)
{
    assert(n_more <= FIRST_SLOTS / 2);
    if (2 * (s->n_used + n_more) <= s->n_slots)
        return DPL_OK;
    size_t n = s->n_slots ? 2 * s->n_slots : FIRST_SLOTS;
    if (s->n_slots && n * sizeof *s->slots > most_bytes) {
        dpl__surfaces_forget(s);
        return DPL_OK;
    }
    dpl__surfaces larger = *s;
    larger.n_slots = n;
    larger.slots = dpl__calloc(s->ctx, n, sizeof *larger.slots);
    if (!larger.slots)
        return dpl__fail_nomem(err);
    for (size_t i = 0; i < s->n_slots; i++)
        if (s->slots[i].check)
            *dpl__surfaces_find(&larger, &s->slots[i]) = s->slots[i];
    dpl__free(s->ctx, s->slots, s->n_slots * sizeof *s->slots);
    *s = larger;
    return DPL_OK;
}
