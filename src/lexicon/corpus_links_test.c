#include "lexicon/corpus_links.h"

#include "lexicon/encoded_test.h"
#include "test.h"

static const dpl__links_options plenty = {
    .max_tokens = 200, .max_links = UINT32_MAX, .max_occurrences = UINT32_MAX};

static dpl_status find(dpl__wordmodel *m, dpl_ctx *ctx, const corpus *c,
                       const dpl__wordmodel *known, dpl__links_options limits,
                       uint64_t *n_dropped)
{
    limits.known = known;
    return dpl__links_find(m, n_dropped, ctx, &c->encoded, &limits, &test_err);
}

DPL_TEST(links, are_the_words_that_share_a_row)
{
    static corpus c;
    c = (corpus){0};
    corpus_add(&c, "ac", "cab");
    corpus_add(&c, "", "d");
    corpus_add(&c, "aa", "d");
    dpl_ctx *ctx = test_ctx(2);
    dpl__wordmodel m;
    uint64_t n_dropped;
    CHECK_OK(find(&m, ctx, &c, NULL, plenty, &n_dropped));
    CHECK_EQ(m.n_links, 7);
    CHECK_EQ(n_dropped, 0);
    static const uint32_t right[] = {0, 1, 2, 3, 0, 1, 2};
    CHECK(memcmp(m.right, right, sizeof right) == 0);
    CHECK_EQ(m.begin[1], 4);
    CHECK_EQ(m.begin[2], 4);
    CHECK_EQ(m.tokens[DPL__LEFT][0], 3);
    CHECK_EQ(m.tokens[DPL__RIGHT][3], 1);
    CHECK_EQ(link_of(&m, 2, 1), 5);
    CHECK_EQ(link_of(&m, 2, 3), m.n_links);
    CHECK_EQ(link_of(&m, 7, 0), m.n_links);
    dpl__wordmodel_clear(&m);
    test_ctx_done(ctx);
}

DPL_TEST(links, do_not_depend_on_slices_and_threads)
{
    static corpus c;
    corpus_draw(&c, 7, 300, 12);
    dpl_ctx *ctx = test_ctx(1);
    dpl__wordmodel all, m;
    uint64_t n_dropped;
    CHECK_OK(find(&all, ctx, &c, NULL, plenty, &n_dropped));
    for (uint64_t max_occurrences = 1; max_occurrences < 3000;
         max_occurrences = 5 * max_occurrences + 2)
        for (unsigned n_threads = 1; n_threads <= 3; n_threads++) {
            dpl_ctx *other = test_ctx(n_threads);
            dpl__links_options limits = plenty;
            limits.max_occurrences = max_occurrences;
            CHECK_OK(find(&m, other, &c, NULL, limits, &n_dropped));
            CHECK_EQ(m.n_links, all.n_links);
            CHECK(memcmp(m.right, all.right, m.n_links * sizeof *m.right) == 0);
            dpl__wordmodel_clear(&m);
            test_ctx_done(other);
        }
    dpl__wordmodel_clear(&all);
    test_ctx_done(ctx);
}

/* "x" stands beside every word, and each word often beside its own. */
DPL_TEST(links, the_weakest_are_left_out)
{
    static corpus c;
    c = (corpus){0};
    for (int i = 0; i < 9; i++) {
        corpus_add(&c, "ax", "ax");
        corpus_add(&c, "bx", "bx");
        corpus_add(&c, "cx", "cx");
    }
    corpus_add(&c, "a", "b");
    dpl_ctx *ctx = test_ctx(1);
    dpl__wordmodel m;
    dpl__links_options limits = plenty;
    uint64_t n_dropped;
    limits.max_links = 4;
    CHECK_OK(find(&m, ctx, &c, NULL, limits, &n_dropped));
    CHECK_EQ(m.n_links, 4);
    CHECK_EQ(n_dropped, 7);
    for (uint32_t w = 0; w < 3; w++)
        CHECK(link_of(&m, w, w) < m.n_links);
    CHECK(link_of(&m, 'x' - 'a', 'x' - 'a') < m.n_links);
    dpl__wordmodel_clear(&m);
    test_ctx_done(ctx);
}

DPL_TEST(links, known_ones_are_kept)
{
    static corpus c, d;
    c = d = (corpus){0};
    corpus_add(&c, "ab", "ab");
    corpus_add(&d, "ad", "d");
    dpl_ctx *ctx = test_ctx(1);
    dpl__wordmodel known, m;
    dpl__links_options limits = plenty;
    uint64_t n_dropped;
    CHECK_OK(find(&known, ctx, &c, NULL, limits, &n_dropped));
    CHECK_OK(find(&m, ctx, &d, &known, limits, &n_dropped));
    CHECK_EQ(m.n_links, 6);
    CHECK(link_of(&m, 1, 0) < m.n_links);
    CHECK(link_of(&m, 0, 3) < m.n_links);
    CHECK_EQ(m.tokens[DPL__LEFT][0], 2);
    dpl__wordmodel_clear(&m);
    limits.max_links = 1;
    CHECK_OK(find(&m, ctx, &d, &known, limits, &n_dropped));
    CHECK(link_of(&m, 1, 0) < m.n_links);
    dpl__wordmodel_clear(&m);
    dpl__wordmodel_clear(&known);
    test_ctx_done(ctx);
}
