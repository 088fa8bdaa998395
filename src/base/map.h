/*
 * map.h - a hash table of slots of any type. Owned.
 *
 *     typedef struct word_count { dpl_str word; uint64_t n; } word_count;
 *
 *     static bool is_used(const void *user, const word_count *slot) { return slot->word.data; }
 *     static uint64_t hash_of(const void *user, const word_count *slot) { ... }
 *     static bool has_word(const void *user, const word_count *slot, dpl_str word) { ... }
 *
 *     DPL_MAP(word_map, word_count, dpl_str, is_used, hash_of, has_word)
 *
 *     word_map map = {0};
 *     DPL_TRY(dpl__need(word_map_reserve(&map, ctx, 1), err));
 *     word_count *slot = word_map_find(&map, hash_word(word), word);
 *     if (!is_used(NULL, slot)) {
 *         *slot = (word_count){.word = word};
 *         map.n_used++;
 *     }
 *     slot->n++;
 *
 * Open addressing, linear probing, at most half of the slots in use. A slot of zeroed memory is
 * free; the slots are the caller's to walk through (`slots`, `n_slots`). A slot may be a number
 * from 1 into an array of the caller's, which `user` then leads to. Nothing is removed. The
 * order of slots depends on hashes alone, so results that go through it are the same everywhere
 * as long as they do not depend on the capacity.
 *
 * The hash of a key is an argument, so that a caller who looks up many can compute them ahead
 * and prefetch NAME_home().
 */
#ifndef DPL_BASE_MAP_H
#define DPL_BASE_MAP_H

#include "base/base.h"

/* Slots for n elements: a power of two, at least twice as many. */
static inline size_t dpl__map_slots(size_t n)
{
    size_t n_slots = 16;
    while (n_slots < 2 * n)
        n_slots *= 2;
    return n_slots;
}

/* Defines the type NAME and its search, over slots of the caller's: of a table of fixed size in
 * static or scratch memory. The last two are functions, as above. */
#define DPL_SLOTS(NAME, SLOT, KEY, IS_USED, HAS_KEY)                                           \
    typedef struct NAME {                                                                      \
        SLOT *slots;                                                                           \
        size_t n_slots, n_used, n_room; /* slots in use, taken, in memory */                   \
        const void *user;                                                                      \
    } NAME;                                                                                    \
                                                                                               \
    /* Where the search for a hash begins. */                                                  \
    DPL_MAYBE_UNUSED static inline SLOT *NAME##_home(const NAME *map, uint64_t hash)           \
    {                                                                                          \
        return &map->slots[hash & (map->n_slots - 1)];                                         \
    }                                                                                          \
                                                                                               \
    /* The slot of the key, or the free one where it belongs. There are slots. */              \
    DPL_MAYBE_UNUSED static inline SLOT *NAME##_find(const NAME *map, uint64_t hash, KEY key)  \
    {                                                                                          \
        const size_t mask = map->n_slots - 1;                                                  \
        size_t at = hash & mask;                                                               \
        assert(map->n_used < map->n_slots);                                                    \
        while (IS_USED(map->user, &map->slots[at]) &&                                          \
               !HAS_KEY(map->user, &map->slots[at], key))                                      \
            at = (at + 1) & mask;                                                              \
        return &map->slots[at];                                                                \
    }                                                                                          \
    struct NAME /* a semicolon follows */

/* The same with memory of its own, which grows. The last three are functions, as above. */
#define DPL_MAP(NAME, SLOT, KEY, IS_USED, HASH_OF, HAS_KEY)                                    \
    DPL_SLOTS(NAME, SLOT, KEY, IS_USED, HAS_KEY);                                              \
                                                                                               \
    /* Room for n more elements; false, and nothing changed, when there is no memory. */       \
    DPL_MAYBE_UNUSED static inline bool NAME##_reserve(NAME *map, dpl_ctx *ctx, size_t n)      \
    {                                                                                          \
        if (2 * (map->n_used + n) <= map->n_slots)                                             \
            return true;                                                                       \
        NAME larger = *map;                                                                    \
        larger.n_slots = larger.n_room = dpl__map_slots(map->n_used + n);                      \
        larger.slots = dpl__calloc(ctx, larger.n_slots, sizeof(SLOT));                         \
        if (!larger.slots)                                                                     \
            return false;                                                                      \
        for (size_t i = 0; i < map->n_slots; i++) {                                            \
            const SLOT *slot = &map->slots[i];                                                 \
            if (!IS_USED(map->user, slot))                                                     \
                continue;                                                                      \
            size_t at = HASH_OF(map->user, slot) & (larger.n_slots - 1);                       \
            while (IS_USED(map->user, &larger.slots[at]))                                      \
                at = (at + 1) & (larger.n_slots - 1);                                          \
            larger.slots[at] = *slot;                                                          \
        }                                                                                      \
        dpl__free(ctx, map->slots);                                                            \
        *map = larger;                                                                         \
        return true;                                                                           \
    }                                                                                          \
                                                                                               \
    DPL_MAYBE_UNUSED static inline void NAME##_clear(NAME *map, dpl_ctx *ctx)                  \
    {                                                                                          \
        dpl__free(ctx, map->slots);                                                            \
        *map = (NAME){.user = map->user};                                                      \
    }                                                                                          \
                                                                                               \
    /* Empty, with room for n elements; memory stays, and only what n elements need is         \
     * touched. */                                                                             \
    DPL_MAYBE_UNUSED static inline bool NAME##_begin(NAME *map, dpl_ctx *ctx, size_t n)        \
    {                                                                                          \
        map->n_used = 0;                                                                       \
        map->n_slots = dpl__map_slots(n);                                                      \
        if (map->n_slots > map->n_room) {                                                      \
            NAME##_clear(map, ctx);                                                            \
            return NAME##_reserve(map, ctx, n);                                                \
        }                                                                                      \
        memset(map->slots, 0, map->n_slots * sizeof(SLOT));                                    \
        return true;                                                                           \
    }                                                                                          \
    struct NAME /* a semicolon follows */

/* The same for slots with a field `uint64_t key`, evenly spread, 0 in a free one. The hash of a
 * key is the key. */
#define DPL_KEY_MAP(NAME, SLOT)                                                                \
    DPL_MAYBE_UNUSED static inline bool NAME##_is_used(const void *user, const SLOT *slot)     \
    {                                                                                          \
        (void)user;                                                                            \
        return slot->key != 0;                                                                 \
    }                                                                                          \
    DPL_MAYBE_UNUSED static inline uint64_t NAME##_hash_of(const void *user, const SLOT *slot) \
    {                                                                                          \
        (void)user;                                                                            \
        return slot->key;                                                                      \
    }                                                                                          \
    DPL_MAYBE_UNUSED static inline bool NAME##_has_key(const void *user, const SLOT *slot,     \
                                                       uint64_t key)                           \
    {                                                                                          \
        (void)user;                                                                            \
        return slot->key == key;                                                               \
    }                                                                                          \
    DPL_MAP(NAME, SLOT, uint64_t, NAME##_is_used, NAME##_hash_of, NAME##_has_key)

/* The same for slots that are numbers, from 1, of what an array of the caller's holds: `user`
 * leads to it. HASH_AT(user, i) and HAS_AT(user, i, key) are functions of element i, from 0. */
#define DPL_NUMBER_MAP(NAME, KEY, HASH_AT, HAS_AT)                                             \
    DPL_MAYBE_UNUSED static inline bool NAME##_is_used(const void *user, const uint32_t *slot) \
    {                                                                                          \
        (void)user;                                                                            \
        return *slot != 0;                                                                     \
    }                                                                                          \
    DPL_MAYBE_UNUSED static inline uint64_t NAME##_hash_of(const void *user,                   \
                                                           const uint32_t *slot)               \
    {                                                                                          \
        return HASH_AT(user, *slot - 1);                                                       \
    }                                                                                          \
    DPL_MAYBE_UNUSED static inline bool NAME##_has_key(const void *user, const uint32_t *slot, \
                                                       KEY key)                                \
    {                                                                                          \
        return HAS_AT(user, *slot - 1, key);                                                   \
    }                                                                                          \
    DPL_MAP(NAME, uint32_t, KEY, NAME##_is_used, NAME##_hash_of, NAME##_has_key)

#endif
