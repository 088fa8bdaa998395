/*
 * surfaces.c - growth of the word table.
 */
#include "tokens/surfaces.h"

enum { FIRST_WORDS = 1 << 7 }; /* there is room for at once */

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
    dpl__surface_map_clear(&s->map, s->ctx);
}

void dpl__surfaces_forget(dpl__surfaces *s)
{
    if (s->map.slots)
        memset(s->map.slots, 0, s->map.n_slots * sizeof *s->map.slots);
    s->map.n_used = 0;
}

dpl_status dpl__surfaces_reserve(dpl__surfaces *s, size_t n_more, size_t most_bytes,
                                 dpl_error *err)
{
    assert(n_more <= FIRST_WORDS);
    const size_t n_slots = dpl__map_slots(s->map.n_used + n_more);
    if (s->map.n_slots && n_slots > s->map.n_slots &&
        n_slots * sizeof *s->map.slots > most_bytes)
        dpl__surfaces_forget(s);
    return dpl__surface_map_reserve(&s->map, s->ctx, s->map.n_slots ? n_more : FIRST_WORDS)
               ? DPL_OK
               : dpl__fail_nomem(err);
}
