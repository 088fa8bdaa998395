#include "tokens/idset.h"

#include "base/hash.h"
#include "test.h"

#include <stdio.h>

static dpl__id_hash hash_of(uint32_t i)
{
    char id[16];
    return dpl__id_hash_of((dpl_str){id, (size_t)snprintf(id, sizeof id, "doc-%u", i)});
}

static bool add(dpl__idset *set, uint32_t i)
{
    const dpl__id_hash hash = hash_of(i);
    bool is_new = false;
    CHECK_OK(dpl__idset_add(set, &hash, &is_new, &test_err));
    return is_new;
}

DPL_TEST(idset, says_of_each_id_once_that_it_is_new)
{
    enum { N = 3000 };
    static bool was_there[N];
    dpl_ctx *ctx = test_ctx(1);
    dpl__idset set;
    dpl__idset_init(&set, ctx, SIZE_MAX);
    dpl__rng rng = {11};
    uint32_t n = 0;
    for (size_t round = 0; round < 8000; round++) {
        const uint32_t i = (uint32_t)dpl__rng_below(&rng, N);
        CHECK_EQ(add(&set, i), !was_there[i]);
        n += !was_there[i];
        was_there[i] = true;
    }
    CHECK(!set.is_full);
    CHECK_EQ(set.map.n_used, n);
    dpl__idset_clear(&set);
    dpl__idset_clear(&(dpl__idset){0});
    test_ctx_done(ctx);
}

/* 16 slots, half of them used, then as many as the share lets it have. */
DPL_TEST(idset, takes_no_more_than_its_share_and_keeps_what_it_has)
{
    dpl_ctx *ctx = test_ctx(1);
    for (size_t missing = 0; missing < 2; missing++) {
        dpl__idset set;
        dpl__idset_init(&set, ctx, 64 * sizeof(dpl__id_hash) - missing);
        const uint32_t room = missing ? 16 : 32;
        for (uint32_t i = 0; i < room; i++)
            CHECK(add(&set, i));
        CHECK(!set.is_full);
        CHECK(add(&set, room) && set.is_full);
        CHECK(add(&set, room)); /* not remembered */
        for (uint32_t i = 0; i < room; i++)
            CHECK(!add(&set, i));
        CHECK_EQ(set.map.n_used, room);
        CHECK_EQ(set.map.n_slots, 2 * room);
        dpl__idset_clear(&set);
    }
    test_ctx_done(ctx);
}

DPL_TEST(idset, ids_are_the_same_where_both_halves_of_the_hash_are)
{
    dpl_ctx *ctx = test_ctx(1);
    dpl__idset set;
    dpl__idset_init(&set, ctx, SIZE_MAX);
    static const dpl__id_hash hashes[] = {{{1, 2}}, {{2, 1}}, {{1, 1}}, {{0, 1}}, {{1, 0}}};
    for (int again = 0; again < 2; again++)
        for (size_t i = 0; i < DPL_LEN(hashes); i++) {
            bool is_new;
            CHECK_OK(dpl__idset_add(&set, &hashes[i], &is_new, &test_err));
            CHECK_EQ(is_new, !again);
        }
    const dpl__id_hash a = dpl__id_hash_of(DPL_STR("a")), b = dpl__id_hash_of(DPL_STR("b")),
                       none = dpl__id_hash_of(DPL_STR(""));
    CHECK(a.parts[0] != b.parts[0] && a.parts[1] != b.parts[1]);
    CHECK((a.parts[0] | 1) != a.parts[1]); /* two hashes, not one twice */
    CHECK(dpl__id_is_used(NULL, &none));
    dpl__idset_clear(&set);
    test_ctx_done(ctx);
}
