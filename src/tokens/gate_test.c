#include "tokens/gate.h"

#include "test.h"

#include <stdio.h>

enum { N_ITEMS = 20, MOST_WORDS = 12, N_WORDS = 9, W = 3 };

/* Words are single letters, so that items and documents often have some in a row in common. */
typedef struct words {
    char w[MOST_WORDS];
    size_t n;
} words;

static words draw(dpl__rng *rng, size_t least)
{
    words out = {.n = least + dpl__rng_below(rng, MOST_WORDS - least)};
    for (size_t i = 0; i < out.n; i++)
        out.w[i] = (char)('a' + dpl__rng_below(rng, N_WORDS));
    return out;
}

static dpl_collection *collect(dpl_ctx *ctx, const words *items)
{
    static char text[N_ITEMS * (2 * MOST_WORDS + 60)];
    size_t n = 0;
    dpl_collection *c = NULL;
    for (size_t i = 0; i < N_ITEMS; i++) {
        n += (size_t)sprintf(text + n, "{\"id\":%zu,\"lang\":\"en\",\"text\":\"", i);
        for (size_t k = 0; k < items[i].n; k++)
            n += (size_t)sprintf(text + n, "%c ", items[i].w[k]);
        n += (size_t)sprintf(text + n, "\"}\n");
    }
    const dpl_input in = {.buffer = {text, n}, .name = "items.jsonl"};
    CHECK_OK(dpl_collection_from_inputs(&c, NULL, ctx, &in, 1, NULL, &test_err));
    return c;
}

/* W words in a row of both, or all words of both if they are fewer. */
static bool share_words(const words *a, const words *b)
{
    const size_t w = a->n < W ? a->n : W;
    if (w < W && a->n != b->n)
        return false;
    for (size_t i = 0; i + w <= a->n; i++)
        for (size_t k = 0; k + w <= b->n; k++)
            if (memcmp(a->w + i, b->w + k, w) == 0)
                return true;
    return false;
}

DPL_TEST(gate, a_document_passes_if_it_shares_a_shingle_with_an_item)
{
    dpl_ctx *ctx = test_ctx(1);
    dpl__rng rng = {7};
    size_t n_passed = 0;
    words items[N_ITEMS];
    for (size_t i = 0; i < N_ITEMS; i++)
        items[i] = draw(&rng, 1);
    dpl_collection *c = collect(ctx, items);
    dpl__gate gate;
    CHECK_OK(dpl__gate_init(&gate, ctx, c, W, &test_err));
    for (int round = 0; round < 5000; round++) {
        const words doc = draw(&rng, 0);
        uint64_t keys[MOST_WORDS];
        bool is_shared = !doc.n;
        for (size_t i = 0; i < doc.n; i++)
            keys[i] = dpl__gate_word(&gate, (dpl_str){doc.w + i, 1});
        for (size_t i = 0; i < N_ITEMS && !is_shared; i++)
            is_shared = share_words(&doc, &items[i]);
        CHECK_EQ(dpl__gate_passes(&gate, keys, doc.n), is_shared);
        n_passed += is_shared;
    }
    CHECK(n_passed > 500 && n_passed < 4500);
    dpl__gate_clear(&gate);
    dpl_collection_close(c);
    test_ctx_done(ctx);
}
