#include "tokens/surfaces.h"

#include "test.h"

#include <stdio.h>

enum { LONGEST = 40, PAD = 24 };

static bool is_same(const dpl__surface *a, const dpl__surface *b)
{
    return dpl__surface_is(NULL, a, b);
}

/* The key of the n bytes, with whatever the byte is behind them. */
static dpl__surface key_before(const dpl__surfaces *s, const char *word, size_t n, int behind)
{
    char text[LONGEST + PAD];
    CHECK(n <= LONGEST);
    memset(text, behind, sizeof text);
    memcpy(text, word, n);
    return dpl__surface_key(s, text, n);
}

DPL_TEST(surfaces, a_key_is_of_the_bytes_of_the_word_alone)
{
    dpl__surfaces s = {.case_bit = 0x20};
    static const char word[LONGEST + 1] = "abcdefghijklmnopqrstuvwxyzabcdefghijklmn";
    for (size_t n = 0; n <= LONGEST; n++) {
        const dpl__surface zero = key_before(&s, word, n, 0), q = key_before(&s, word, n, 'q'),
                           high = key_before(&s, word, n, 0xFF);
        CHECK(is_same(&zero, &q) && is_same(&zero, &high));
        CHECK(dpl__surface_is_used(NULL, &zero));
        CHECK_EQ(zero.term, 0);
    }
}

/* Every byte of a word counts in both halves of its key, and so does its length in one. */
DPL_TEST(surfaces, words_that_differ_in_one_byte_have_different_keys)
{
    dpl__surfaces s = {.case_bit = 0x20};
    char word[LONGEST];
    memset(word, 'a', sizeof word);
    for (size_t n = 1; n <= LONGEST; n++) {
        const dpl__surface key = key_before(&s, word, n, 'a'),
                           shorter = key_before(&s, word, n - 1, 'a');
        CHECK(!is_same(&key, &shorter));
        CHECK(key.hash != shorter.hash);
        for (size_t i = 0; i < n; i++) {
            word[i] = 'b';
            const dpl__surface other = key_before(&s, word, n, 'a');
            CHECK(key.hash != other.hash && key.check != other.check);
            word[i] = 'a';
        }
    }
}

DPL_TEST(surfaces, a_large_first_letter_is_its_small_one_unless_case_matters)
{
    dpl__surfaces folding = {0}, exact = {0};
    dpl__surfaces_init(&folding, NULL, false);
    dpl__surfaces_init(&exact, NULL, true);
    for (int c = 1; c < 256; c++) {
        char word[4] = {(char)c, 'b', 'C', 0}, small[4] = {(char)(c | 0x20), 'b', 'C', 0};
        const bool is_large = c >= 'A' && c <= 'Z', is_alike = c == (c | 0x20);
        dpl__surface a = key_before(&folding, word, 3, 'q'),
                     b = key_before(&folding, small, 3, 'q');
        CHECK_EQ(is_same(&a, &b), is_large || is_alike);
        a = key_before(&exact, word, 3, 'q');
        b = key_before(&exact, small, 3, 'q');
        CHECK_EQ(is_same(&a, &b), is_alike);
    }
    for (int c = 0; c < 256; c++)
        for (int d = 0; d < c; d++) {
            const dpl__surface a = key_before(&exact, (char[]){(char)c}, 1, 'q'),
                               b = key_before(&exact, (char[]){(char)d}, 1, 'q');
            CHECK(!is_same(&a, &b));
        }
    /* the first letter only */
    const dpl__surface a = key_before(&folding, "the", 3, 'q'),
                       b = key_before(&folding, "tHe", 3, 'q');
    CHECK(!is_same(&a, &b));
}

/* The table itself: room doubles, up to a share; beyond that it begins anew. */
static uint32_t add_word(dpl__surfaces *s, uint32_t i, size_t most_bytes)
{
    char word[LONGEST + PAD] = "";
    const size_t n = (size_t)snprintf(word, sizeof word, "word%u", i);
    CHECK_OK(dpl__surfaces_reserve(s, 1, most_bytes, &test_err));
    const dpl__surface key = dpl__surface_key(s, word, n);
    dpl__surface *slot = dpl__surfaces_find(s, &key);
    if (slot->check)
        return slot->term;
    *slot = key;
    slot->term = i;
    s->map.n_used++;
    return UINT32_MAX;
}

DPL_TEST(surfaces, are_kept_until_their_share_of_memory_is_full)
{
    enum { SLOTS = 1024 };
    dpl_ctx *ctx = test_ctx(1);
    for (size_t missing = 0; missing < 2; missing++) {
        dpl__surfaces s;
        dpl__surfaces_init(&s, ctx, false);
        const size_t share = SLOTS * sizeof(dpl__surface) - missing;
        const uint32_t room = missing ? SLOTS / 4 : SLOTS / 2; /* half of the slots */
        for (uint32_t i = 0; i < room; i++)
            CHECK_EQ(add_word(&s, i, share), UINT32_MAX);
        CHECK_EQ(s.map.n_used, room);
        for (uint32_t i = 0; i + 1 < room; i++) {
            char word[LONGEST + PAD] = "";
            const size_t n = (size_t)snprintf(word, sizeof word, "word%u", i);
            const dpl__surface key = dpl__surface_key(&s, word, n);
            CHECK_EQ(dpl__surfaces_find(&s, &key)->term, i);
        }
        CHECK_EQ(add_word(&s, room, share), UINT32_MAX);
        CHECK_EQ(s.map.n_used, 1);
        CHECK_EQ(add_word(&s, room, share), room);
        CHECK_EQ(add_word(&s, 0, share), UINT32_MAX); /* forgotten */
        CHECK(s.map.n_slots * sizeof(dpl__surface) <= share);
        dpl__surfaces_forget(&s);
        CHECK_EQ(s.map.n_used, 0);
        CHECK_EQ(add_word(&s, 0, share), UINT32_MAX);
        dpl__surfaces_clear(&s);
    }
    test_ctx_done(ctx);
}

/* However small its share, there is a table; and nothing to forget in one without slots. */
DPL_TEST(surfaces, have_a_first_table_whatever_their_share)
{
    dpl_ctx *ctx = test_ctx(1);
    dpl__surfaces s;
    dpl__surfaces_init(&s, ctx, false);
    dpl__surfaces_forget(&s);
    for (uint32_t i = 0; i < 128; i++)
        CHECK_EQ(add_word(&s, i, 0), UINT32_MAX);
    CHECK_EQ(s.map.n_used, 128);
    CHECK_EQ(add_word(&s, 127, 0), UINT32_MAX); /* no room for one more, so all are gone */
    dpl__surfaces_clear(&s);
    test_ctx_done(ctx);
}
