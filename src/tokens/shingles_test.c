#include "tokens/shingles.h"

#include "test.h"
#include "tokens/collection.h"

#include <stdio.h>

/* Words are single letters of few, so that shingles recur within documents and between them. */
enum { N_DOCS = 40, MOST_WORDS = 14, N_WORDS = 3 };

typedef struct words {
    char w[MOST_WORDS];
    size_t n;
} words;

static dpl_collection *collect(dpl_ctx *ctx, words docs[N_DOCS])
{
    static char text[N_DOCS * (2 * MOST_WORDS + 60)];
    dpl__rng rng = {17};
    size_t n = 0;
    dpl_collection *c = NULL;
    for (size_t i = 0; i < N_DOCS; i++) {
        docs[i].n = 1 + dpl__rng_below(&rng, MOST_WORDS);
        n += (size_t)sprintf(text + n, "{\"id\":%zu,\"lang\":\"en\",\"text\":\"", i);
        for (size_t k = 0; k < docs[i].n; k++) {
            docs[i].w[k] = (char)('p' + dpl__rng_below(&rng, N_WORDS));
            n += (size_t)sprintf(text + n, "%c ", docs[i].w[k]);
        }
        n += (size_t)sprintf(text + n, "\"}\n");
    }
    const dpl_input in = {.buffer = {text, n}, .name = "docs.jsonl"};
    CHECK_OK(dpl_collection_from_inputs(&c, NULL, ctx, &in, 1, NULL, &test_err));
    return c;
}

/* Words of a shingle of the document, and how many shingles it has. */
static size_t width(const words *d, size_t w)
{
    return w < d->n ? w : d->n;
}
static size_t count(const words *d, size_t w)
{
    return d->n - width(d, w) + 1;
}

static bool is_same(const words *a, size_t i, const words *b, size_t k, size_t w)
{
    return width(a, w) == width(b, w) && memcmp(a->w + i, b->w + k, width(a, w)) == 0;
}

/* Different shingles of a that b has as well. */
static size_t count_both(const words *a, const words *b, size_t w)
{
    size_t n = 0;
    for (size_t i = 0; i < count(a, w); i++) {
        bool is_new = true, is_there = false;
        for (size_t k = 0; k < i; k++)
            is_new = is_new && !is_same(a, k, a, i, w);
        for (size_t k = 0; k < count(b, w); k++)
            is_there = is_there || is_same(b, k, a, i, w);
        n += is_new && is_there;
    }
    return n;
}

/* Keys are equal where words are. */
static void check_keys(const dpl__sets *sets, dpl__set_scratch s[2], const words *docs,
                       uint32_t a, uint32_t b)
{
    size_t n, m;
    const uint64_t *x = dpl__sets_shingles(sets, a, &s[0], &n),
                   *y = dpl__sets_shingles(sets, b, &s[1], &m);
    CHECK_EQ(n, count(&docs[a], sets->w));
    for (size_t i = 0; i < n; i++)
        for (size_t k = 0; k < m; k++) {
            CHECK(x[i] != 0 && (x[i] & 1) == 0);
            CHECK_EQ(x[i] == y[k], is_same(&docs[a], i, &docs[b], k, sets->w));
        }
}

DPL_TEST(shingles, sets_are_those_of_the_words)
{
    static const unsigned widths[] = {1, 2, 3, 5, 20};
    words docs[N_DOCS];
    dpl_ctx *ctx = test_ctx(1);
    dpl_collection *c = collect(ctx, docs);
    for (size_t i = 0; i < DPL_LEN(widths); i++) {
        const unsigned w = widths[i];
        dpl__sets sets;
        dpl__set_scratch s[2];
        CHECK_OK(dpl__sets_init(&sets, ctx, c, w, &test_err));
        CHECK(sets.longest <= MOST_WORDS);
        for (int k = 0; k < 2; k++)
            CHECK_OK(dpl__set_scratch_init(&s[k], ctx, sets.longest, &test_err));
        for (uint32_t a = 0; a < N_DOCS; a++) {
            size_t n;
            for (uint32_t b = 0; b < N_DOCS; b++)
                check_keys(&sets, s, docs, a, b);
            dpl__sets_load(&sets, a, &s[0], &n);
            CHECK_EQ(n, count_both(&docs[a], &docs[a], w));
            for (uint32_t b = 0; b < N_DOCS;
                 b++) /* one after the other: each leaves no marks */
                CHECK_EQ(dpl__sets_overlap(&sets, &s[0], b, &s[1]),
                         count_both(&docs[a], &docs[b], w));
        }
        for (int k = 0; k < 2; k++)
            dpl__set_scratch_clear(&s[k], ctx);
        dpl__sets_clear(&sets);
    }
    dpl_collection_close(c);
    test_ctx_done(ctx);
}

DPL_TEST(shingles, copies_have_the_same_words_in_the_same_order)
{
    words docs[N_DOCS];
    dpl_ctx *ctx = test_ctx(1);
    dpl_collection *c = collect(ctx, docs);
    dpl__sets sets;
    CHECK_OK(dpl__sets_init(&sets, ctx, c, 5, &test_err));
    size_t n_copies = 0;
    for (uint32_t a = 0; a < N_DOCS; a++)
        for (uint32_t b = 0; b < N_DOCS; b++) {
            const bool are =
                docs[a].n == docs[b].n && memcmp(docs[a].w, docs[b].w, docs[a].n) == 0;
            CHECK_EQ(dpl__sets_are_copies(&sets, a, b), are);
            CHECK_EQ(dpl__sets_hash(&sets, a) == dpl__sets_hash(&sets, b), are);
            n_copies += are && a < b;
        }
    CHECK(n_copies > 0);
    dpl__sets_clear(&sets);
    dpl_collection_close(c);
    test_ctx_done(ctx);
}
