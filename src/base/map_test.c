#include "base/map.h"

#include "base/hash.h"
#include "test.h"

/* Numbers with counts; the key 0 is a free slot. */
typedef struct tally {
    uint64_t key;
    uint32_t n;
} tally;

static bool is_used(const void *user, const tally *slot)
{
    (void)user;
    return slot->key != 0;
}

/* Few bits, so that many keys meet. */
static uint64_t hash_of(const void *user, const tally *slot)
{
    (void)user;
    return slot->key % 7;
}

static bool has_key(const void *user, const tally *slot, uint64_t key)
{
    (void)user;
    return slot->key == key;
}

DPL_MAP(tallies, tally, uint64_t, is_used, hash_of, has_key);

static void count(tallies *map, dpl_ctx *ctx, uint64_t key)
{
    CHECK(tallies_reserve(map, ctx, 1));
    tally *slot = tallies_find(map, key % 7, key);
    if (!slot->key) {
        slot->key = key;
        map->n_used++;
    }
    slot->n++;
}

DPL_TEST(map, counts_like_an_array)
{
    enum { N_KEYS = 500 };
    dpl_ctx *ctx = test_ctx(1);
    tallies map = {0};
    uint32_t naive[N_KEYS + 1] = {0};
    dpl__rng rng = {1};
    for (int i = 0; i < 5000; i++) {
        const uint64_t key = 1 + dpl__rng_below(&rng, N_KEYS);
        naive[key]++;
        count(&map, ctx, key);
        CHECK(2 * map.n_used <= map.n_slots);
    }
    size_t n_different = 0;
    for (uint64_t key = 1; key <= N_KEYS; key++) {
        CHECK_EQ(tallies_find(&map, key % 7, key)->n, naive[key]);
        n_different += naive[key] > 0;
    }
    CHECK_EQ(map.n_used, n_different);
    tallies_clear(&map, ctx);
    CHECK(!map.slots && !map.n_slots && !map.n_used);
    test_ctx_done(ctx);
}

DPL_TEST(map, a_map_begun_again_is_empty_and_keeps_its_memory)
{
    dpl_ctx *ctx = test_ctx(1);
    tallies map = {0};
    for (uint64_t key = 1; key <= 100; key++)
        count(&map, ctx, key);
    const tally *slots = map.slots;
    CHECK(tallies_begin(&map, ctx, 10));
    CHECK(map.slots == slots && map.n_used == 0);
    CHECK_EQ(map.n_slots, dpl__map_slots(10));
    for (uint64_t key = 1; key <= 10; key++) {
        CHECK(!tallies_find(&map, key % 7, key)->key);
        count(&map, ctx, key);
    }
    CHECK(map.slots == slots);
    CHECK(tallies_begin(&map, ctx, 1000));
    CHECK(!tallies_find(&map, 5, 5)->key);
    tallies_clear(&map, ctx);
    test_ctx_done(ctx);
}

static uint64_t hash_text(const char *text)
{
    return dpl__hash(text, strlen(text), 0);
}

static uint64_t hash_at(const void *user, uint32_t i)
{
    const char *const *texts = user;
    return hash_text(texts[i]);
}

static bool is_text(const void *user, uint32_t i, const char *text)
{
    const char *const *texts = user;
    return strcmp(texts[i], text) == 0;
}

DPL_NUMBER_MAP(text_numbers, const char *, hash_at, is_text);

DPL_TEST(map, numbers_lead_to_the_callers_array)
{
    static const char *const texts[] = {"un", "deux", "trois", "quatre", "cinq", "six", "sept"};
    dpl_ctx *ctx = test_ctx(1);
    text_numbers map = {.user = texts};
    for (uint32_t i = 0; i < DPL_LEN(texts); i++) {
        CHECK(text_numbers_reserve(&map, ctx, 1));
        *text_numbers_find(&map, hash_text(texts[i]), texts[i]) = i + 1;
        map.n_used++;
    }
    CHECK(text_numbers_reserve(&map, ctx, 1000)); /* all move */
    for (uint32_t i = 0; i < DPL_LEN(texts); i++)
        CHECK_EQ(*text_numbers_find(&map, hash_text(texts[i]), texts[i]), i + 1);
    CHECK_EQ(*text_numbers_find(&map, hash_text("huit"), "huit"), 0);
    text_numbers_clear(&map, ctx);
    CHECK(map.user == texts);
    test_ctx_done(ctx);
}

DPL_KEY_MAP(key_tallies, tally);

DPL_TEST(map, keys_are_their_own_hashes)
{
    dpl_ctx *ctx = test_ctx(1);
    key_tallies map = {0};
    for (uint64_t key = 1; key <= 64; key++) {
        CHECK(key_tallies_reserve(&map, ctx, 1));
        *key_tallies_find(&map, key, key) = (tally){key, (uint32_t)key};
        map.n_used++;
    }
    for (uint64_t key = 1; key <= 64; key++)
        CHECK_EQ(key_tallies_find(&map, key, key)->n, key);
    CHECK_EQ(key_tallies_find(&map, 65, 65)->key, 0);
    key_tallies_clear(&map, ctx);
    test_ctx_done(ctx);
}
